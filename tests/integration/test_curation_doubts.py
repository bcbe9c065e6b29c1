"""What overlays find: subjects that vanished or changed are reported and never passed over.

One small project (`ward`): overlays are approved, published, and the sources change under them.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from curating import everything
from tidegate.connection import Connection
from tidegate.ledger import curation_doubts, review
from tidegate.publishing.outcome import Verdict
from ward import Ward
from ward_models import ARM, CLAIMS, GROUPS, MATCHED, SPONSOR, candidates_sql, claims_sql

ROW = ("--kind", "published_row", "--subject")
ASSERTION = ("--kind", "assertion", "--subject")


def propose(ward: Ward) -> None:
    """One overlay of each kind, all approved; two of them are about nothing that is there."""
    link = ("link_correction", "--kind")
    ward.propose("value", "override", *ROW, "q_groups|group:exact", "--fact", "value_num",
                 "--value", "9.25")  # fmt: skip
    ward.propose("row", "suppression", *ROW, "q_groups|pub:cross")
    ward.propose("link", *link, ARM, "--subject", "group:set", "--to", "arm:set")
    ward.propose("same", *link, ARM, "--subject", "group:pending", "--to", "arm:same")
    ward.propose("unlinked", "suppression", "--kind", SPONSOR, "--subject", "sponsor:auto")
    ward.propose("nobody", "override", *ROW, "q_groups|group:nobody", "--fact", "value_num",
                 "--value", "1")  # fmt: skip
    ward.propose("nowhere", "override", *ROW, "q_nowhere|1", "--fact", "note", "--value", '"x"')
    for name in ward.keys:
        ward.decide("approve", name)


CHANGED = [row for row in MATCHED if row[1] not in ("pub:cross", "sponsor:auto")]
CHANGED[CHANGED.index((ARM, "group:set", "arm:similar", "fuzzy_string", 0.9))] = (
    ARM, "group:set", "arm:other", "fuzzy_string", 0.9,
)  # fmt: skip


def test_overlays_whose_subject_vanished_or_changed_are_reported(
    ward: Ward, conn: Connection
) -> None:
    """They go on as they were decided, stand in `status` and wait for somebody as review items."""
    assert ward.refresh().verdict is Verdict.PUBLISHED
    propose(ward)
    before = everything(conn)
    assert ward.refresh().verdict is Verdict.PUBLISHED
    assert ward.effects() == {
        "value": "applied", "row": "applied", "link": "applied", "same": "applied",
        "unlinked": "applied", "nobody": "subject_missing",
    }  # fmt: skip
    assert doubted(ward, conn) == {"nobody": "subject_missing", "nowhere": "subject_missing"}

    ward.model("resolution", "candidates__clinical_trials", candidates_sql(CHANGED))
    ward.model("query", "q_groups", GROUPS.replace("7.5::numeric", "8.25::numeric"))
    assert ward.refresh().verdict is Verdict.PUBLISHED
    assert ward.effects() == {
        "value": "source_changed", "row": "subject_missing", "link": "source_changed",
        "same": "applied", "unlinked": "subject_missing", "nobody": "subject_missing",
    }  # fmt: skip
    assert ward.group("group:exact")[2] == Decimal("9.25")
    assert ward.group("group:set")[:2] == ("arm:set", "curated")
    others = ward.query(
        "select distinct value_num from query.q_groups where subject_key <> 'group:exact'"
    )
    assert others == [(Decimal("8.25"),)]
    assert set(doubted(ward, conn)) == {"value", "row", "link", "unlinked", "nobody", "nowhere"}
    assert everything(conn) == before
    told(ward)

    ward.decide("withdraw", "value")
    assert ward.refresh().verdict is Verdict.PUBLISHED
    assert ward.group("group:exact")[2] == Decimal("8.25")
    assert "value" not in {doubt.overlay_key for doubt in curation_doubts.doubts(conn)}


def doubted(ward: Ward, conn: Connection) -> dict[str, str]:
    """What is in doubt by the test's name for it; each has a review item of its own."""
    names = {key: name for name, key in ward.keys.items()}
    found = {names[doubt.overlay_key]: doubt.effect for doubt in curation_doubts.doubts(conn)}
    items = {
        names[item.subject]: item.check_id
        for item in review.items(conn)
        if item.kind == review.ReviewKind.CURATION.value
    }
    assert items == found
    return found


def told(ward: Ward) -> None:
    """`status`, `curate list` and `curate show` say so, without a value."""
    key = ward.keys["value"]
    status = ward.tidegate("status").out
    assert (
        f"warning: overlay {key} (published_row, value_num): the sources say something else than"
        f" what its curator saw. See `tidegate curate show {key}`.\n"
    ) in status
    assert f"{ward.keys['row']} (published_row, $row): what it is about is gone." in status
    listed = json.loads(ward.tidegate("status", "--json").out)["doubted_overlays"]
    assert {"overlay_key": key, "subject_kind": "published_row", "fact_path": "value_num",
            "effect": "source_changed"} in listed  # fmt: skip
    shown = ward.tidegate("curate", "show", key).out
    assert "    warning: the sources say something else than what its curator saw\n" in shown
    assert "in force, in doubt: see `tidegate curate show`\n" in ward.tidegate("curate", "list").out
    assert "    value 9.25\n    over 7.5\n" in ward.tidegate("curate", "show", key, "--value").out
    assert "9.25" not in status + shown


def test_an_acknowledged_doubt_comes_back_with_the_next_build_that_finds_it(
    ward: Ward, conn: Connection
) -> None:
    """Not with a refresh that builds nothing; `status` says it all the while."""
    ward.refresh()
    row = (*ROW, "q_groups|group:nobody", "--fact", "value_num", "--value", "1")
    ward.propose("nobody", "override", *row)
    ward.decide("approve", "nobody")
    ward.refresh()
    (item,) = review.items(conn)
    assert (item.kind, item.subject, item.check_id, item.details) == (
        "curation", ward.keys["nobody"], "subject_missing",
        {"subject_kind": "published_row", "fact_path": "value_num"},
    )  # fmt: skip
    review.acknowledge(conn, item.review_id, by="ada", reason="the register is late")
    assert ward.refresh().verdict is Verdict.UNCHANGED
    assert review.items(conn) == []
    assert "what it is about is gone" in ward.tidegate("status").out
    ward.model("query", "q_groups", GROUPS.replace("7.5", "7.75"))
    ward.refresh()
    assert [found.subject for found in review.items(conn)] == [ward.keys["nobody"]]


def test_a_later_overlay_of_the_same_fact_replaces_what_the_sources_say(
    ward: Ward, conn: Connection
) -> None:
    """Its curator sees the first one's value; the next build still compares with the sources'."""
    ward.refresh()
    fact = (*ROW, "q_groups|group:exact", "--fact", "value_num", "--value")
    ward.propose("first", "override", *fact, "9.25")
    ward.decide("approve", "first")
    ward.refresh()
    ward.propose("second", "override", *fact, "9.5")
    ward.propose("whole", "suppression", *ROW, "q_groups|group:exact")
    ward.decide("approve", "second")
    ward.refresh()
    assert ward.group("group:exact")[2] == Decimal("9.5")
    assert ward.effects() == {"first": "applied", "second": "applied"}
    ward.decide("approve", "whole")
    ward.refresh()
    assert ward.effects()["whole"] == "applied"
    assert curation_doubts.doubts(conn) == ()


def test_what_an_overlay_hid_from_the_curator_is_no_part_of_what_the_sources_said(
    ward: Ward, conn: Connection
) -> None:
    """Nobody saw the fact that the first one changed, so nothing of it is kept with the row."""
    fact = (*ROW, "q_groups|group:exact", "--fact", "value_num", "--value", "9.25")
    ward.propose("early", "override", *fact)
    ward.decide("approve", "early")
    ward.refresh()
    assert ward.group("group:exact")[2] == Decimal("9.25")
    whole = ward.propose("whole", "suppression", *ROW, "q_groups|group:exact")
    kept = ward.query(
        "select previous_value ? 'value_num', previous_value ? 'phases'"
        " from curation.overlays where overlay_key = %s",
        whole,
    )
    assert kept == [(False, True)]
    ward.decide("approve", "whole")
    ward.refresh()
    assert ward.effects() == {"early": "applied", "whole": "applied"}
    assert curation_doubts.doubts(conn) == ()


def assertions(ward: Ward) -> None:
    """Whatever may be decided about an assertion, by the commands."""
    phase = ("--fact", "phase", "--value")
    ward.propose("override", "override", *ASSERTION, "trial:A", *phase, '{"text": "PHASE4"}')
    ward.propose("rejected", "override", *ASSERTION, "trial:B", *phase, '{"text": "PHASE4"}')
    ward.propose("old", "override", *ASSERTION, "trial:C", *phase, '{"text": "PHASE2"}')
    ward.propose("new", "override", *ASSERTION, "trial:C", *phase, '{"text": "PHASE3"}')
    ward.propose("withheld", "suppression", *ASSERTION, "trial:D", "--fact", "phase")
    two = (*ASSERTION, "trial:E", "--fact", "result", "--value", '{"text": "PHASE2"}')
    ward.propose("two", "override", *two)
    ward.propose("gone", "override", *ASSERTION, "trial:Z", *phase, '{"text": "PHASE2"}')


def test_overlays_of_assertions_take_part_in_a_refresh(ward: Ward) -> None:
    """Override, rejection, supersession, suppression; what may mean two statements changes none."""
    ward.refresh()
    assertions(ward)
    assert ward.refresh().verdict is Verdict.UNCHANGED
    assert ward.assertion("trial:A") == ("PHASE2", "none", "published", None)
    for name in ("override", "old", "withheld", "two", "gone"):
        ward.decide("approve", name)
    ward.decide("reject", "rejected")
    ward.refresh()
    keys = ward.keys
    assert ward.assertion("trial:A") == ("PHASE4", "none", "published", keys["override"])
    assert ward.assertion("trial:B") == ("PHASE3", "none", "published", None)
    assert ward.assertion("trial:C") == ("PHASE2", "none", "published", keys["old"])
    assert ward.assertion("trial:D") == ("PHASE1", "none", "withheld", keys["withheld"])
    assert said(ward, "trial:E") == [("PHASE1", None), ("PHASE4", None)]
    assert ward.effects() == {
        "override": "applied", "old": "applied", "withheld": "applied",
        "two": "subject_ambiguous", "gone": "subject_missing",
    }  # fmt: skip

    ward.decide("approve", "new")
    ward.decide("supersede", "old", "--with", keys["new"])
    ward.decide("withdraw", "withheld")
    ward.propose("marked", "marker", *ASSERTION, "trial:D", "--fact", "phase", "--value",
                 '"secondary_source"', "--impact", "low")  # fmt: skip
    ward.decide("approve", "marked")
    changed = [(kind, about, fact, "PHASE9" if about == "trial:A" else text)
               for kind, about, fact, text in CLAIMS]  # fmt: skip
    ward.model("evidence", "claims", claims_sql(changed))
    ward.refresh()
    assert ward.assertion("trial:A") == ("PHASE4", "none", "published", keys["override"])
    assert ward.assertion("trial:C") == ("PHASE3", "none", "published", keys["new"])
    assert ward.assertion("trial:D") == ("PHASE1", "secondary_source", "published", keys["marked"])
    effects = ward.effects()
    assert (effects["override"], effects["new"], effects["marked"]) == (
        "source_changed", "applied", "applied",
    )  # fmt: skip


def said(ward: Ward, subject: str) -> list[tuple[Any, ...]]:
    return ward.query(
        "select value ->> 'text', curation_overlay_key from canonical.assertions"
        " where subject_key = %s order by 1",
        subject,
    )


@pytest.mark.parametrize("lost", ["fact", "link"])
def test_receipts_that_lose_an_overlay_hold_the_family_back(ward: Ward, lost: str) -> None:
    """A changed row whose provenance does not say by whose word is never published."""
    ward.refresh()
    if lost == "fact":
        fact = ("--fact", "value_num", "--value", "9.25")
        ward.propose("mine", "override", *ROW, "q_groups|group:exact", *fact)
        file = ward.folder / "dbt_project.yml"
        hook = "{{ tidegate.apply_overlays() }}"
        assert hook in file.read_text()
        kept = "{{ tidegate.apply_overlays() if model.name == 'q_groups' else 'select 1' }}"
        file.write_text(file.read_text().replace(hook, kept))
    else:
        correction = ("--kind", ARM, "--subject", "group:set", "--to", "arm:set")
        ward.propose("mine", "link_correction", *correction)
        file = ward.folder / "models" / "query" / "q_provenance__wards.sql"
        file.write_text(file.read_text().partition("union all")[0])
    ward.decide("approve", "mine")
    outcome = ward.refresh()
    assert (outcome.verdict, outcome.served) == (Verdict.HELD_BACK, 1)
    (entry,) = outcome.entries
    assert (entry.model, entry.gate_id, entry.affected_rows) == (
        "q_groups", "provenance_coverage", 1,
    )  # fmt: skip
    assert ward.group("group:exact")[2] == Decimal("7.5")
