"""The gates of claims, artefacts and inference records, for any model or source."""

from __future__ import annotations

from tidegate.gates import provider_interface
from tidegate.gates.gate import Gate
from tidegate.gates.model import Severity

EVIDENCE = (
    Gate(
        "source_locator",
        "evidence claims",
        "Every claim that facts may stand on names its artefact and the place in it, in a shape "
        "that its source family allows.",
        "Keep artefact, shape and place where the claim is read; a claim without them stays "
        "`canonical_bound: false`.",
    ),
    Gate(
        "llm_schema_contract",
        "uses of what a model produced (projections)",
        "What a model produced keeps its task's contract, and an accepted decision under the "
        "policy in force stands behind its use.",
        "Ask again under the contract's revision, or decide under the policy in force; until then "
        "the output stays in quarantine.",
    ),
    Gate(
        provider_interface.GATE_ID,
        "SQL and Python of the project",
        "Code asks models through the inference runtime, never a vendor's SDK, address or model.",
        provider_interface.REMEDY,
        own_call=provider_interface.no_relation,
        static=True,
    ),
    Gate(
        "llm_verifier_required",
        "links and claims of high impact",
        "A link of high impact rests on an exact method or on a verification that passed.",
        "Verify the candidate, have it reviewed, or keep the link provisional and unpublished.",
    ),
    Gate(
        "llm_prompt_version_pinned",
        "inference routes",
        "A route in use pins the revisions of its task contract and profile, and both are kept.",
        "Pin the revisions on the route, and keep every revision that attempts were made under.",
    ),
    Gate(
        "llm_cache_idempotency",
        "inference requests",
        "One request key means one question; an output is used again only where it is accepted "
        "under the policy in force.",
        "Make the key from task, revision and input; decide again under the policy in force before "
        "an output is used again.",
    ),
    Gate(
        "llm_cost_cap",
        "inference attempts, once for each task",
        "What a task's completed attempts cost in the window stays below its reviewed cap.",
        "Find what asks so often, or have the cap reviewed; nothing is stopped before it is spent.",
        severity=Severity.WARNING,
        parameter="task",
    ),
    Gate(
        "source_artifact_immutability",
        "source artefacts, and claims that rest on them",
        "An artefact is kept as immutable bytes: where, under which hash, as which version.",
        "Archive the bytes with hash, algorithm and version; bytes that changed under one version "
        "say which artefact they supersede.",
    ),
    Gate(
        "source_authority",
        "canonical assertions",
        "A statement rests on an authority that its claim type accepts, or carries the marker that "
        "a lower one needs.",
        "Find a source of sufficient authority, mark the statement, or have an overlay reviewed.",
    ),
    Gate(
        "document_version",
        "claims read from documents",
        "A claim names the version of the document it was read from; a translation keeps its "
        "original and its own version.",
        "Keep the source's own version, release or snapshot id with the claim; a hash is no "
        "version.",
    ),
)
"""In the order of the acceptance matrix."""
