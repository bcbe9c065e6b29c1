"""The gates that judge what rows mean: links, curation, events, time, search, observations."""

from __future__ import annotations

from tidegate.gates.calls_semantics import (
    downstream_boundary,
    search_provenance,
    temporal_validity,
)
from tidegate.gates.gate import Gate

SEMANTIC = (
    Gate(
        gate_id="resolution_basis",
        applies_to="models of entity links",
        demands="Every published link has a basis its subject kind allows, and the basis holds.",
        remedy="Verify the link, have it reviewed, renew what is stale, or publish the row without "
        "it (`publishable` false, key null).",
    ),
    Gate(
        gate_id="curation_effective_state",
        applies_to="curation overlays and what they change",
        demands="The reviewed overlay of the highest precedence is active, and no other.",
        remedy="Deactivate the overlay that is rejected, superseded, unreviewed or outranked; "
        "activate the winner; have open conflicts decided by a curator.",
    ),
    Gate(
        gate_id="curation_review_state",
        applies_to="curation decisions",
        demands="High impact is approved by a person; a decision has actor, time and rationale.",
        remedy="Have a curator approve what has high impact, and complete actor, time, rationale, "
        "reason or reference of the decision; pipelines never write curation.",
    ),
    Gate(
        gate_id="announcement_semantics",
        applies_to="event claims",
        demands="An event has the status and the truth that its source states.",
        remedy="Map the source's words in `vocabulary`, or keep the event as mentioned or "
        "announced; only what a confirming source says is confirmed.",
    ),
    Gate(
        gate_id="temporal_validity",
        applies_to="temporal relationships",
        demands="Intervals of one relationship never overlap, and none that was published is lost.",
        remedy="Close the old interval where the new one begins, instead of overwriting it; state "
        "when it was observed.",
        own_call=temporal_validity,
    ),
    Gate(
        gate_id="search_provenance",
        applies_to="q_search_* and q_discovery_*",
        demands="Every search row names an existing q_* model and a row of it that has a receipt.",
        remedy="Rebuild the search rows from what is published; drop those whose source is gone.",
        own_call=search_provenance,
    ),
    Gate(
        gate_id="downstream_boundary",
        applies_to="support models",
        demands="A support model holds no state of an application and names its downstream owner.",
        remedy="Keep saved scenarios, sessions, routes and engine state in the application that "
        "owns them; write `downstream_owner_note`.",
        own_call=downstream_boundary,
        about_columns=True,
    ),
    Gate(
        gate_id="development_program_semantics",
        applies_to="development programs and contexts",
        demands="Each context stands once; its axes stay apart, are the fold of confirmed "
        "milestones and keep what is unknown.",
        remedy="Correct the fold of the milestones, keep unknown segments and lines unknown, "
        "count distinct members of the declared grain.",
    ),
    Gate(
        gate_id="epidemiology_observation_semantics",
        applies_to="epidemiology observations",
        demands="Observations are comparable where they stand together, and a selected value is "
        "the observation it names.",
        remedy="Split series by their signature, keep numerator, basis and unit of the source, "
        "name what a restatement supersedes.",
    ),
    Gate(
        gate_id="commercial_observation_semantics",
        applies_to="product sales facts, receipts, conversions and summaries",
        demands="Sales stay as printed: period, currency, scale, geography, owner and restatement "
        "of the source; all else is derived.",
        remedy="Keep the printed value and text, convert with a receipt of the same currencies "
        "and period, name what a restatement replaces.",
    ),
)
"""In the order of the acceptance matrix."""
