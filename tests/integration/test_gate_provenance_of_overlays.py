"""provenance_coverage: what a curator changed names the overlay in its receipts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from integration.gating import found, in_schema, model, spec
from tidegate.connection import Connection
from tidegate.gates.calls import OVERLAYS
from tidegate.gates.evaluate import evaluate
from tidegate.gates.model import Related, Status
from tidegate.gates.result import GateResult

LINK = {"fact": "arm_key", "kind": "trial_arm_link", "subject": "group_key"}
ALIAS = {"fact": "arm_key", "kind": "org_alias", "subject": "sponsor", "slice": "approvals"}


@pytest.fixture
def curated(conn: Connection) -> Connection:
    """Three rows with receipts, and no overlay yet."""
    conn.execute(
        """
        create schema clinical_trials__g000007;
        create table clinical_trials__g000007.q_trial_outcomes (row_key text, value_num numeric,
            group_key text, arm_key text, sponsor text, provenance_bundle_key text);
        insert into clinical_trials__g000007.q_trial_outcomes
        select k, 7.5, 'group:' || k, 'arm:1', 'Acme, Inc.', 'q_trial_outcomes|' || k
        from unnest(array['r1', 'r2', 'r3']) as k;
        create table clinical_trials__g000007.q_provenance__clinical_trials (model_name text,
            row_key text, fact_path text, provenance_bundle_key text, completeness text,
            source_artifact_key text, source_content_hash text, source_version_id text,
            locator jsonb, curation_overlay_key text);
        insert into clinical_trials__g000007.q_provenance__clinical_trials
        select 'q_trial_outcomes', k, '$row', 'q_trial_outcomes|' || k, 'complete', 'a', 'h', 'v',
            '{}', null
        from unnest(array['r1', 'r2', 'r3']) as k;
        create table resolution.int_curation_overlays (overlay_key text, subject_kind text,
            subject_key text, fact_path text, overlay_kind text, is_active boolean);
        """
    )
    return conn


def overlay(
    conn: Connection, subject: str, fact: str, kind: str = "override", *,
    about: str = "published_row", active: bool = True, key: str = "ov:1",
) -> None:  # fmt: skip
    conn.execute(
        "insert into resolution.int_curation_overlays values (%s, %s, %s, %s, %s, %s)",
        [key, about, subject, fact, kind, active],
    )


def receipt(conn: Connection, row: str, fact: str, key: str | None) -> None:
    conn.execute(
        "insert into clinical_trials__g000007.q_provenance__clinical_trials"
        " values ('q_trial_outcomes', %s, %s, %s, 'complete', 'a', 'h', 'v', '{}', %s)",
        [row, fact, f"q_trial_outcomes|{row}", key],
    )


def judged(
    conn: Connection,
    policy: str = "row_required",
    *,
    below: Mapping[str, Related] | None = None,
    **options: Any,
) -> GateResult:
    contract = model(
        "q_trial_outcomes",
        "row_key text!, value_num numeric, group_key text, arm_key text, sponsor text,"
        " provenance_bundle_key text",
        row_key=["row_key"],
        provenance={"policy": policy, "facts": ["value_num"] if "fact" in policy else []},
    )
    related = {OVERLAYS: Related(OVERLAYS, "resolution", OVERLAYS), **(below or {})}
    return evaluate(
        conn, spec("provenance_coverage", contract, related=related, **options), in_schema()
    )


UNNAMED = ("r1", "block", "overlay_unnamed")


def test_a_changed_fact_whose_receipt_names_no_overlay_blocks(curated: Connection) -> None:
    """With no receipt of its own, with one that is silent, and with one of another overlay."""
    overlay(curated, "q_trial_outcomes|r1", "value_num")
    result = judged(curated)
    assert (result.status, found(result)) == (Status.FAIL, [UNNAMED])
    assert result.samples[0].metadata == {
        "model": "q_trial_outcomes", "fact_path": "value_num", "overlay_key": "ov:1",
    }  # fmt: skip
    receipt(curated, "r1", "value_num", None)
    assert found(judged(curated)) == [UNNAMED]
    overlay(curated, "q_trial_outcomes|r1", "arm_key", key="ov:2")
    receipt(curated, "r1", "arm_key", "ov:2")
    receipt(curated, "r1", "value_num", "ov:2")
    assert found(judged(curated)) == [UNNAMED]
    receipt(curated, "r1", "value_num", "ov:1")
    assert judged(curated).status is Status.PASS


@pytest.mark.parametrize("policy", ["row_required", "optional"])
def test_an_overlay_is_named_wherever_receipts_are_kept(curated: Connection, policy: str) -> None:
    """Only the policy `none` keeps no receipts that could name it."""
    overlay(curated, "q_trial_outcomes|r1", "value_num", "suppression")
    assert found(judged(curated, policy)) == [UNNAMED]
    assert judged(curated, "none").status is Status.PASS


def test_an_overlay_is_the_source_of_a_fact_that_no_source_states(curated: Connection) -> None:
    """A value that a curator set has the receipt of its overlay, and needs no other."""
    for row in ("r2", "r3"):
        receipt(curated, row, "value_num", None)
    overlay(curated, "q_trial_outcomes|r1", "value_num")
    assert found(judged(curated, "fact_required")) == [UNNAMED, ("r1", "block", "receipt_missing")]
    receipt(curated, "r1", "value_num", "ov:1")
    assert judged(curated, "fact_required").status is Status.PASS


def test_a_withheld_row_is_named_in_the_receipts_that_stay(curated: Connection) -> None:
    """The row is gone, its receipts say by whose word; a row without receipts says nothing."""
    overlay(curated, "q_trial_outcomes|r1", "$row", "suppression")
    overlay(curated, "q_trial_outcomes|r9", "$row", "suppression", key="ov:9")
    curated.execute("delete from clinical_trials__g000007.q_trial_outcomes where row_key = 'r1'")
    assert found(judged(curated)) == [UNNAMED]
    curated.execute(
        "update clinical_trials__g000007.q_provenance__clinical_trials"
        " set curation_overlay_key = 'ov:1' where row_key = 'r1'"
    )
    assert judged(curated).status is Status.PASS


@pytest.mark.parametrize(
    ("link", "kind", "subject"),
    [(LINK, "trial_arm_link", "group:r1"), (ALIAS, "org_alias", "org_alias:approvals:acme inc")],
)
@pytest.mark.parametrize("decision", ["link_correction", "suppression"])
def test_a_link_that_a_curator_decided_is_named_where_the_contract_says_it_stands(
    curated: Connection, link: dict[str, str], kind: str, subject: str, decision: str
) -> None:
    """By the column with the link's key, or by the name that a slice has an alias for."""
    overlay(curated, subject, "target_key", decision, about=kind)
    rows = ["r1"] if link is LINK else ["r1", "r2", "r3"]
    assert judged(curated).status is Status.PASS
    result = judged(curated, arguments={"links": [link]})
    assert found(result) == [(row, "block", "overlay_unnamed") for row in rows]
    for row in rows:
        receipt(curated, row, "arm_key", "ov:1")
    assert judged(curated, arguments={"links": [link]}).status is Status.PASS


READ = {**ALIAS, "subject": "sponsor_name", "rows": "stg_applications"}
"""The same where the name is not published: it stands in what the rows were read from."""


def test_a_link_by_a_name_that_is_not_published_is_looked_up_below(curated: Connection) -> None:
    """By the row key of the model that has it; rows that were withheld need no receipt of it."""
    curated.execute(
        "create table staging.stg_applications as select 'r' || n as row_key,"
        " case when n < 3 then 'ACME inc' else 'another' end as sponsor_name"
        " from generate_series(1, 4) as n"
    )
    curated.execute("delete from clinical_trials__g000007.q_trial_outcomes where row_key = 'r2'")
    overlay(curated, "org_alias:approvals:acme inc", "target_key", "link_correction",
            about="org_alias")  # fmt: skip
    below = {"stg_applications": Related("stg_applications", "staging", "stg_applications")}
    result = judged(curated, arguments={"links": [READ]}, below=below)
    assert found(result) == [UNNAMED]
    assert result.samples[0].metadata == {
        "model": "q_trial_outcomes", "fact_path": "arm_key", "overlay_key": "ov:1",
    }  # fmt: skip
    receipt(curated, "r1", "arm_key", "ov:1")
    assert judged(curated, arguments={"links": [READ]}, below=below).status is Status.PASS
    curated.execute("drop table staging.stg_applications")
    gone = judged(curated, arguments={"links": [READ]}, below=below)
    assert (gone.status, gone.blocks) == (Status.NOT_EVALUATED, True)


@pytest.mark.parametrize("role", ["supporting", "conflicting"])
def test_what_supports_or_contradicts_a_fact_proves_none(curated: Connection, role: str) -> None:
    """A receipt of another source stands beside the one that the fact rests on."""
    relation = "clinical_trials__g000007.q_provenance__clinical_trials"
    curated.execute(f"alter table {relation} add column role text default 'primary'".encode())
    for row in ("r1", "r2", "r3"):
        receipt(curated, row, "value_num", None)
    assert judged(curated, "fact_required").status is Status.PASS
    curated.execute(
        f"update {relation} set role = '{role}'"
        " where row_key = 'r1' and fact_path = 'value_num'".encode()
    )
    result = judged(curated, "fact_required")
    assert found(result) == [("r1", "block", "receipt_missing")]
    assert result.samples[0].metadata == {
        "model": "q_trial_outcomes", "fact_path": "value_num", "missing": None,
    }  # fmt: skip
    receipt(curated, "r1", "value_num", None)
    assert judged(curated, "fact_required").status is Status.PASS


def test_a_receipt_of_an_overlay_that_is_not_in_force_blocks(curated: Connection) -> None:
    """What was withdrawn, or was never there, is behind nothing that readers see."""
    receipt(curated, "r1", "value_num", "ov:1")
    for wanted in ("no overlay at all", "an overlay that ended"):
        result = judged(curated)
        assert found(result) == [("r1", "block", "overlay_not_in_force")], wanted
        overlay(curated, "q_trial_outcomes|r1", "value_num", active=False)


def test_receipts_that_cannot_name_an_overlay_block_what_one_changed(curated: Connection) -> None:
    """Provenance without the column is enough until a curator changes something."""
    curated.execute(
        "alter table clinical_trials__g000007.q_provenance__clinical_trials"
        " drop column curation_overlay_key"
    )
    assert judged(curated).status is Status.PASS
    overlay(curated, "q_trial_outcomes|r1", "value_num")
    assert found(judged(curated)) == [UNNAMED]


def test_other_models_rows_and_waiting_overlays_ask_for_nothing(curated: Connection) -> None:
    """Neither does an overlay of an assertion, nor a marker."""
    overlay(curated, "q_trial_outcome|r1", "value_num")
    overlay(curated, "q_trial_outcomes|r1", "value_num", active=False, key="ov:2")
    overlay(curated, "q_trial_outcomes|r1", "value_num", about="assertion", key="ov:3")
    overlay(curated, "group:r1", "target_key", "link_correction", about="org_alias", key="ov:4")
    assert judged(curated, arguments={"links": [LINK]}).status is Status.PASS


@pytest.mark.parametrize("links", ["arm_key", [{"fact": "arm_key"}], [{**LINK, "to": "x"}]])
def test_links_of_another_shape_are_no_verdict(curated: Connection, links: object) -> None:
    """The gate says that it cannot read its arguments, which withholds."""
    assert judged(curated, arguments={"links": links}).status is Status.ERROR
