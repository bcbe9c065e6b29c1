"""The commands of curators, with a login of their role and with others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import project
from logins import login
from tidegate.connection import Connection
from tidegate.warehouse import Warehouse

WHO = ("--by", "maya", "--reason", "read the register")
OTHER = ("--by", "omar", "--reason", "read it too")
QUEUE = """
create table resolution.conflict_queue (conflict_id text, subject_kind text, subject_key text,
    candidate_ids text[], severity text, state text, opened_at timestamptz);
create table resolution.candidates (candidate_id text, target_key text, match_method text,
    match_score numeric, subject_kind text, subject_key text, overlay_key text);
insert into resolution.conflict_queue values
    ('conflict:1', 'org_alias', 'org_alias:sales:acme', '{c1,c2}', 'low', 'open', '2026-01-01'),
    ('conflict:2', 'trial_arm_link', 'group:1', '{c3,c4}', 'high', 'open', '2026-01-02');
insert into resolution.candidates values
    ('c1', 'org:acme', 'exact_normalized_label', 1), ('c2', 'org:acme-labs', 'curated_table', 1),
    ('c3', 'arm:a', 'fuzzy_string', 0.95), ('c4', 'arm:b', 'fuzzy_string', 0.93);
select governance.apply_grants();
"""


def test_a_curator_goes_from_proposal_to_supersession(tmp_path: Path, warehouse: Warehouse) -> None:
    """With logins that have this role and no other; each answer says the state of the world."""
    with login(warehouse, "tidegate_curator") as maya, login(warehouse, "tidegate_curator") as omar:
        tidegate, reviewer = (project(tmp_path, who) for who in (maya, omar))
        keys = []
        for arm in ("arm:a", "arm:b"):
            said = tidegate.run(
                "curate", "propose", "link_correction", "--kind", "trial_arm_link",
                "--subject", "group:1", "--to", arm, *WHO,
            )  # fmt: skip
            assert (said.code, said.err) == (0, "")
            key, _, rest = said.out.partition(": ")
            assert rest == (
                "proposed.\nServing views unchanged; the next `tidegate refresh` builds with what"
                " is in force.\n"
            )
            keys.append(key)
            assert reviewer.run("curate", "approve", key, *OTHER).code == 0
        said = tidegate.run("curate", "supersede", keys[0], "--with", keys[1], *WHO)
        assert (said.code, said.out.splitlines()[0]) == (0, f"{keys[0]}: superseded.")
        listed = json.loads(tidegate.run("curate", "list", "--json").out)
        assert [(row["overlay_key"], row["in_force"]) for row in listed] == [(keys[1], True)]
        shown = tidegate.run("curate", "show", keys[0]).out
        assert f"supersedes {keys[0]}:2 by {keys[1]}" in shown
        assert "arm:a" not in shown
        assert 'value "arm:a"' in tidegate.run("curate", "show", keys[0], "--value").out
        assert tidegate.run("curate", "withdraw", keys[1], *WHO).code == 0
        assert tidegate.run("curate", "list").out == "No overlay waits or is in force.\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("curate", "approve", "ov:none"), "There is no overlay ov:none."),
        (("curate", "show", "ov:none"), "There is no overlay ov:none."),
        (("conflicts", "resolve", "conflict:9", "--to", "x"), "There is no conflict conflict:9."),
        (
            ("conflicts", "resolve", "conflict:1", "--to", "x"),
            "That is no candidate of conflict:1.",
        ),
    ],
)
def test_what_is_not_there_is_said_with_a_way_on(
    tmp_path: Path, warehouse: Warehouse, conn: Connection,
    args: tuple[str, ...], message: str,
) -> None:  # fmt: skip
    """A wrong key is a mistake of the user's: exit code 2, and where to look."""
    conn.execute(QUEUE.encode())
    who = () if "show" in args else WHO
    said = project(tmp_path, warehouse).run(*args, *who)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"Error [usage]: {message}\nSee `tidegate ")


def test_a_value_that_is_no_json_is_refused_and_not_repeated(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """Text stands in double quotes."""
    row = ("--kind", "published_row", "--subject", "q_x|1", "--fact", "note")
    said = project(tmp_path, warehouse).run(
        "curate", "propose", "override", *row, "--value", "secret-4711", *WHO
    )
    assert said.code == 2
    assert "--value is not JSON; text stands in double quotes." in said.err
    assert "4711" not in said.out + said.err


def test_an_operator_sees_overlays_and_neither_their_values_nor_a_way_to_decide(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """The refusal names the role and the statement that gives it."""
    with login(warehouse, "tidegate_curator") as curator:
        said = project(tmp_path, curator).run(
            "curate", "propose", "suppression", "--kind", "published_row",
            "--subject", "q_x|1", *WHO, "--json",
        )  # fmt: skip
    key = json.loads(said.out)["overlay_key"]
    with login(warehouse, "tidegate_operator") as operator:
        tidegate = project(tmp_path, operator)
        assert key in tidegate.run("curate", "list").out
        for args in (("show", key, "--value"), ("approve", key, *WHO)):
            said = tidegate.run("curate", *args)
            assert (said.code, said.out) == (2, "")
            assert said.err.startswith("Error [privilege_missing]: To ")
            assert "takes a member of tidegate_curator" in said.err


def test_conflicts_are_answered_by_overlays(
    tmp_path: Path, warehouse: Warehouse, conn: Connection
) -> None:
    """Low impact at once, high impact once approved; a conflict is answered one time."""
    with login(warehouse, "tidegate_curator") as curator:
        tidegate = project(tmp_path, curator)
        none = tidegate.run("conflicts", "list")
        assert none.err.startswith("Error [usage]: There is no conflict queue in this database.\n")
        conn.execute(QUEUE.encode())
        assert tidegate.run("conflicts", "list").out == (
            "conflict:2  high, open\n    arm:a  (fuzzy_string, 0.95)\n"
            "    arm:b  (fuzzy_string, 0.93)\n"
            "conflict:1  low, open\n    org:acme  (exact_normalized_label, 1.00)\n"
            "    org:acme-labs  (curated_table, 1.00)\n"
        )
        low = json.loads(
            tidegate.run("conflicts", "resolve", "conflict:1", "--to", "c2", *WHO, "--json").out
        )
        assert low["in_force"] is True
        high = json.loads(tidegate.run("conflicts", "dismiss", "conflict:2", *WHO, "--json").out)
        assert (high["decision"], high["in_force"]) == ("dismissed", False)
        again = tidegate.run("conflicts", "dismiss", "conflict:2", *WHO)
        assert again.err == (
            f"Error [usage]: conflict:2 was answered by {high['overlay_key']}.\nApprove, withdraw"
            " or supersede that one with `tidegate curate`.\nServing views unchanged.\n"
        )
    rows = conn.execute(
        "select overlay_kind, impact, review_state, new_value from curation.overlays order by 1"
    ).fetchall()
    assert rows == [
        ("link_correction", "low", "not_required", "org:acme-labs"),
        ("suppression", "high", "pending", None),
    ]
