"""The gates of the layers below: what was delivered, what it was staged as, what it claims.

Those of deliveries judge what the ledger knows of a dataset, beside or instead of its rows
(contracts seed, "Layered checks").
"""

from __future__ import annotations

from collections.abc import Callable

from tidegate.gates.calls import Call
from tidegate.gates.calls_semantics import gate_argument, rendered, require_meaning
from tidegate.gates.gate import Gate
from tidegate.gates.model import GateSpec
from tidegate.gates.relations import Relations

LEDGER = ("runs", "materializations", "quarantine_index", "anomaly_index")
"""The relations of `governance` that gates of deliveries read."""


DELIVERY_GATES = (
    "source_reachability",
    "source_parseability",
    "source_count_delta",
    "source_freshness",
)
"""The gates that judge deliveries of a dataset by what the ledger knows of them."""


def delivered(macro: str) -> Callable[[GateSpec, Relations], Call]:
    """The call of a gate that reads the ledger; what it looked at is counted there as well."""

    def call(spec: GateSpec, relations: Relations) -> Call:
        gate = gate_argument(macro, spec, relations)
        gate["options"]["dataset"] = gate["options"]["dataset"] or spec.model.name
        found = {name: relations.at("governance", name) for name in LEDGER}
        gate["ledger"] = {name: item.sql if item else None for name, item in found.items()}
        violations, checked = rendered(macro, gate), rendered(f"{macro}_checked", gate)
        require_meaning(macro, gate)
        return Call(violations, checked, (spec.model.name,))

    return call


def _ledger_gate(gate_id: str, demands: str, remedy: str) -> Gate:
    """Its row keys are numbers of runs or names of datasets, which may always be shown."""
    return Gate(
        gate_id,
        "datasets (landing)",
        demands,
        remedy,
        own_call=delivered(gate_id),
        about_columns=True,
    )


LAYERS = (
    _ledger_gate(
        "source_reachability",
        "The last delivery of a dataset was received and stored.",
        "See in governance.runs why the file halted, free the way (network, disk, rights), and "
        "land it again.",
    ),
    _ledger_gate(
        "source_parseability",
        "The last delivery of a dataset can be read, and nearly all of its records too.",
        "Have the file corrected or the format of the contract, and land it again; reprocess or "
        "discard the records that are held.",
    ),
    _ledger_gate(
        "source_count_delta",
        "A delivery has about as many rows as the one before it.",
        "Ask the partner; if the change is real, assess the anomaly as expected (`tidegate "
        "anomalies list`), or where none was raised widen `bound_pct` in the contract.",
    ),
    Gate(
        "source_key_uniqueness",
        "datasets (landing)",
        "No delivery brings a source key twice, and none brings a row without it.",
        "Have the delivery corrected and land it again, or correct the key of the contract.",
    ),
    _ledger_gate(
        "source_freshness",
        "The newest row of a source is within its freshness.",
        "Land what is due; if the source is slower than its contract says, correct `freshness`.",
    ),
    Gate(
        "identifier_presence",
        "staging models",
        "Every row has the identifiers that its source gives it.",
        "Correct the path or header that the identifier is read from, or hold the record: mark "
        "its column `required` in the dataset's contract.",
    ),
    Gate(
        "enum_mapping",
        "staging models with closed enums",
        "A word of the source is mapped to the closed enum or stands in the quarantine.",
        "Map the word, or list the column in the model of the quarantine; never give a default.",
    ),
    Gate(
        "date_validity",
        "staging models with dates",
        "A date is a day of the calendar within reason, or its text stands in the quarantine.",
        "Correct how the text is read, or list the column in the model of the quarantine.",
    ),
    Gate(
        "provenance_retention",
        "staging models",
        "Every row still names the artefact it was read from, its hash and its address.",
        "Carry the receipt's columns through the model's joins; an inner join never loses them.",
    ),
    Gate(
        "claim_origin",
        "evidence claims",
        "A claim has the authority of its source and the version of what read it.",
        "Write tier and parser version where the claim is made; of a model's output keep attempt, "
        "prompt, schema and model revision.",
    ),
    Gate(
        "conflict_routing",
        "resolution candidates",
        "A term that may mean two things is in the conflict queue, and no link decides it alone.",
        "Queue the term; have a verifier or a curator tell (`tidegate conflicts`), or keep both "
        "candidates unlinked.",
    ),
    Gate(
        "assertion_support",
        "canonical assertions",
        "An assertion rests on claims that are there and that no gate rejected.",
        "Build the assertion from accepted claims only; correct the claim where it was read.",
    ),
)
"""In the order of the layers."""
