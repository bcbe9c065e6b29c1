"""Rows that a narrowed contract hides come back under a later one: once, never over newer ones."""

from __future__ import annotations

import re
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from command_line import CommandLine
from landing_project import LandingProject, make_project
from tidegate.contracts.load import load_project
from tidegate.deliveries import rematerialize, versions
from tidegate.deliveries.landing import states
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.errors import UsageError
from tidegate.warehouse import Warehouse

QTY = "          - name: qty\n            data_type: "


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project with an append dataset `orders`, whose qty is a number with two decimals."""
    return numbers(tmp_path, warehouse, "append")


def numbers(folder: Path, warehouse: Warehouse, kind: str) -> LandingProject:
    """The same of any kind."""
    project = make_project(folder, warehouse, kind)
    change(project, "integer", "numeric(10,2)", promote=False)
    return project


def change(project: LandingProject, old: str, new: str, *, promote: bool = True) -> None:
    """Give qty another type, agreed with everybody."""
    path = project.folder / "contracts" / "datasets" / "shop.yml"
    text = path.read_text("utf-8")
    assert QTY + old in text
    path.write_text(text.replace(QTY + old, QTY + new), "utf-8")
    contract = load_project(project.folder).datasets["orders"]
    if promote:
        with project.warehouse.connect() as conn:
            versions.promote_contract(conn, contract, "olga", "agreed")


def take_up(project: LandingProject) -> list[tuple[int, int, int, str]]:
    """Delivery, accepted, still hidden, and what was said."""
    contracts = load_project(project.folder)
    done = rematerialize.rematerialize(
        project.settings, project.warehouse, contracts, "orders", by="olga"
    )
    return [(one.delivery_id, one.accepted, one.hidden, one.detail) for one in done]


def shown_and_hidden(project: LandingProject) -> tuple[int, int]:
    """As the landing report counts them, which is what the view has."""
    with project.warehouse.connect() as conn:
        (state,) = [
            one for one in states(conn, load_project(project.folder)) if one.dataset == "orders"
        ]
    assert project.query("select count(*) from landing.orders") == [(state.rows,)]
    return state.rows, state.hidden


ROWS = "select id, qty from landing.orders order by id"


def test_hidden_rows_come_back_once_and_what_does_not_conform_stays_hidden(
    project: LandingProject,
) -> None:
    """2.00 is an integer and 2.50 is none; a second call finds nothing that conforms."""
    project.land("orders/1.csv", "id,item,qty\n1,a,2\n2,b,2.50\n3,c,4\n")
    change(project, "numeric(10,2)", "integer")
    project.land("orders/2.csv", "id,item,qty\n4,d,5\n")
    assert shown_and_hidden(project) == (1, 3)
    kept = "1 rows stay hidden: their records do not conform."
    assert take_up(project) == [(1, 2, 1, kept)]
    assert project.query(ROWS) == [(1, 2), (3, 4), (4, 5)]
    assert shown_and_hidden(project) == (3, 1)
    assert project.query(
        "select origin, delivery_id, layout, rows from governance.materializations order by 1, 2"
    ) == [("delivery", 1, 1, 3), ("delivery", 2, 2, 1), ("reprocess", 1, 2, 2)]
    assert project.query(
        "select from_layout, layout, rows, taken_up_by from governance.rematerializations"
    ) == [(1, 2, 2, "olga")]
    assert project.query(
        "select actor, details ->> 'rows' from governance.audit_events"
        " where event = 'delivery.rematerialized'"
    ) == [("olga", "2")]
    none = "1 hidden rows were read again; none conforms."
    assert take_up(project) == [(1, 0, 1, none)]
    assert project.query(ROWS) == [(1, 2), (3, 4), (4, 5)]
    assert project.query("select count(*) from governance.quarantine") == [(0,)]


def test_a_contract_that_shows_both_shows_each_row_once(project: LandingProject) -> None:
    """Back to two decimals: the row that was taken up, the one that stayed, and the new ones."""
    project.land("orders/1.csv", "id,item,qty\n1,a,2\n2,b,2.50\n3,c,4\n")
    change(project, "numeric(10,2)", "integer")
    project.land("orders/2.csv", "id,item,qty\n4,d,5\n")
    take_up(project)
    change(project, "integer", "numeric(12,2)")
    assert [(row[0], float(row[1])) for row in project.query(ROWS)] == [
        (1, 2.0), (2, 2.5), (3, 4.0), (4, 5.0),
    ]  # fmt: skip
    assert shown_and_hidden(project) == (4, 0)
    assert take_up(project) == []


def test_an_older_row_never_wins_over_a_newer_one_of_its_key(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """Of an upsert: key 1 came again since, key 2 did not, key 3 was replaced in the same file."""
    project = numbers(tmp_path, warehouse, "upsert")
    project.land("orders/1.csv", "id,item,qty\n1,a,2\n2,b,3\n3,c,4\n3,c,5\n")
    change(project, "numeric(10,2)", "integer")
    project.land("orders/2.csv", "id,item,qty\n1,a,9\n")
    assert project.query(ROWS) == [(1, 9)]
    assert take_up(project) == [(1, 4, 0, "")]
    assert project.query(ROWS) == [(1, 9), (2, 3), (3, 5)]
    assert shown_and_hidden(project) == (3, 0)


def test_of_a_snapshot_only_the_newest_delivery_is_taken_up(
    tmp_path: Path, warehouse: Warehouse
) -> None:
    """No view would show the others."""
    project = numbers(tmp_path, warehouse, "snapshot")
    project.land("orders/1.csv", "id,item,qty\n1,a,2\n")
    project.land("orders/2.csv", "id,item,qty\n1,a,3\n2,b,4\n")
    change(project, "numeric(10,2)", "integer")
    assert project.query(ROWS) == []
    assert take_up(project) == [(2, 2, 0, "")]
    assert project.query(ROWS) == [(1, 3), (2, 4)]


def test_records_that_were_held_stay_with_the_quarantine(project: LandingProject) -> None:
    """Only rows that were accepted are hidden; the others are `quarantine reprocess`'s."""
    project.land("orders/1.csv", "id,item,qty\n1,a,2\n2,b,many\n")
    change(project, "numeric(10,2)", "integer")
    assert take_up(project) == [(1, 1, 0, "")]
    assert project.query("select record_number, state from governance.quarantine") == [(2, "held")]


def test_a_file_that_was_pruned_cannot_be_read_again(project: LandingProject) -> None:
    """Told, and nothing happens."""
    project.land("orders/1.csv", "id,item,qty\n1,a,2\n")
    change(project, "numeric(10,2)", "integer")
    for path in project.settings.artifacts_dir.rglob("*"):
        if path.is_file():
            path.unlink()
    said = "Its file was pruned: it cannot be read again."
    assert take_up(project) == [(1, 0, 1, said)]
    assert project.query("select count(*) from governance.runs") == [(1,)]


@pytest.mark.parametrize("content", [b"id,item,qty\n1,a,3\n", b"id,item"], ids=["other", "short"])
def test_a_file_that_is_not_what_was_delivered_is_not_read(
    project: LandingProject, content: bytes
) -> None:
    """A damaged store never becomes rows; the same file landed again mends one that is short."""
    project.land("orders/1.csv", "id,item,qty\n1,a,2\n")
    change(project, "numeric(10,2)", "integer")
    (stored,) = [path for path in project.settings.artifacts_dir.rglob("*") if path.is_file()]
    stored.chmod(0o600)
    stored.write_bytes(content)
    sha256 = stored.parent.name + stored.name
    said = (
        f"The artefact {sha256} in the store under {project.settings.artifacts_dir} is not what"
        " was delivered. Restore the store from its backup, or land the file again."
    )
    assert take_up(project) == [(1, 0, 1, said)]
    project.land("orders/again.csv", "id,item,qty\n1,a,2\n")
    mended = [(1, 1, 0, "")] if len(content) < 15 else [(1, 0, 1, said)]
    assert take_up(project) == mended


def test_a_policy_that_fails_takes_nothing_up(project: LandingProject) -> None:
    """The run says which rule; the rows stay hidden, and no materialization is left."""
    project.land("orders/1.csv", "id,item,qty\n1,a,2\n2,b,3\n")
    path = project.folder / "contracts" / "datasets" / "shop.yml"
    rules = "{version: p1, rules: [{id: small, type: range, field: qty, maximum: 2}]}"
    path.write_text(
        path.read_text("utf-8").replace(
            "owner: shop\n", f"owner: shop\n              quality_policy: {rules}\n"
        )
    )
    change(project, "numeric(10,2)", "integer")
    assert take_up(project) == [(1, 0, 2, "Rules that block: small.")]
    assert project.query(
        "select status, reason, rows_withheld from governance.runs order by run_id"
    ) == [("accepted", None, 0), ("rejected", "policy_failed", 2)]
    assert project.query("select count(*) from governance.materializations") == [(1,)]
    assert shown_and_hidden(project) == (0, 2)


def test_whoever_races_takes_each_row_up_once(project: LandingProject) -> None:
    """Four at once on three deliveries."""
    for day in range(3):
        rows = "".join(f"{100 * day + n},a,{n}\n" for n in range(20))
        project.land(f"orders/{day}.csv", f"id,item,qty\n{rows}")
    change(project, "numeric(10,2)", "integer")
    with ThreadPoolExecutor(4) as pool:
        done = [one for found in pool.map(lambda _: take_up(project), range(4)) for one in found]
    assert sum(accepted for _, accepted, _, _ in done) == 60
    assert shown_and_hidden(project) == (60, 0)
    assert project.query("select count(distinct id) from landing.orders") == [(60,)]


def test_nothing_is_taken_up_without_contract_promotion_or_name(project: LandingProject) -> None:
    """Each told in words."""
    project.land("orders/1.csv", "id,item,qty\n1,a,2\n")
    contracts = load_project(project.folder)
    for dataset, by, said in (
        ("pets", "olga", "There is no dataset 'pets'. There are: notes, orders."),
        ("orders", " ", "Taking rows up needs somebody who answers for it. Give --by."),
    ):
        with pytest.raises(UsageError) as refused:
            rematerialize.rematerialize(
                project.settings, project.warehouse, contracts, dataset, by=by
            )
        assert str(refused.value) == said
    change(project, "numeric(10,2)", "integer", promote=False)
    with pytest.raises(UsageError) as refused:
        take_up(project)
    assert str(refused.value) == (
        "Version 1 of contracts/datasets/shop.yml was not promoted."
        " Promote it with `tidegate contract promote` first."
    )


def test_the_command_says_what_came_back(project: LandingProject) -> None:
    """Exit code 1 while anything stays hidden; the landing report names the command."""
    line = CommandLine(project.folder, project.warehouse)
    project.land("orders/1.csv", "id,item,qty\n1,a,2\n2,b,2.50\n")
    assert (
        line.run("rematerialize", "orders", "--by", "olga").out == "No row of orders is hidden.\n"
    )
    change(project, "numeric(10,2)", "integer")
    landed = line.run("land", str(project.write("orders/2.csv", "id,item,qty\n4,d,5\n")))
    assert "2 rows of older contracts not shown (`tidegate rematerialize`)." in landed.out
    answer = line.run("rematerialize", "orders", "--by", "olga")
    assert (answer.code, answer.out) == (
        1,
        "orders delivery 1: 1 accepted, 1 still hidden."
        " 1 rows stay hidden: their records do not conform.\n",
    )
    run = project.query("select status, detail from governance.runs order by run_id desc limit 1")
    assert run == [(RunStatus.ACCEPTED.value, "1 rows stay hidden: their records do not conform.")]


STEPS = ("rematerialize.started", "rematerialize.written", "rematerialize.done")


def test_the_table_of_steps_is_complete() -> None:
    """Every failpoint of it is killed at below."""
    text = Path(rematerialize.__file__).read_text(encoding="utf-8")
    assert tuple(re.findall(r'hit\("(rematerialize\.\w+)"\)', text)) == (
        "rematerialize.started", "rematerialize.done", "rematerialize.written",
    )  # fmt: skip


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_loses_nothing_and_takes_nothing_up_twice(
    project: LandingProject, step: str
) -> None:
    """SIGKILL at each step; the next call ends the work."""
    project.land("orders/1.csv", "id,item,qty\n1,a,2\n2,b,3\n")
    change(project, "numeric(10,2)", "integer")
    line = CommandLine(project.folder, project.warehouse)
    killed = line.process("rematerialize", "orders", "--by", "olga", TIDEGATE_FAILPOINT=step)
    assert killed.code == -signal.SIGKILL
    done = step == "rematerialize.done"
    assert shown_and_hidden(project) == ((2, 0) if done else (0, 2))
    assert take_up(project) == ([] if done else [(1, 2, 0, "")])
    assert shown_and_hidden(project) == (2, 0)
    assert project.query("select count(*) from governance.runs where finished_at is null") == [(0,)]
    assert project.query("select sum(rows)::bigint from governance.rematerializations") == [(2,)]
