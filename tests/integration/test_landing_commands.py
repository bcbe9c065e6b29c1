"""The commands of deliveries: what they print, and with which exit code they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from landing_project import ORDERS, LandingProject, make_project
from tidegate.cli.commands import anomalies, drift, land, prune, quarantine
from tidegate.errors import UsageError
from tidegate.warehouse import Warehouse


@pytest.fixture
def project(
    tmp_path: Path, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> LandingProject:
    """A project that the command line finds by its environment."""
    monkeypatch.setenv("TIDEGATE_PROJECT_DIR", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", warehouse.conninfo)
    monkeypatch.delenv("TIDEGATE_HOME", raising=False)
    return make_project(tmp_path, warehouse)


def run(command: object, *arguments: object) -> Result:
    """Run a command as the shell would."""
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(command, words)  # type: ignore[arg-type]


def test_land_says_in_one_screen_what_happened_and_what_readers_see(
    project: LandingProject,
) -> None:
    """A line a file, why, and the state at the end; exit code 2 for what could not be landed."""
    project.write("orders/1.csv", "id,item,qty\n1,tea,2\n2,jam,x\n")
    project.write("orders/2.csv", "id,item,qty,colour\n3,tea,2,\n4,jam,3,red\n")
    project.write("stray.txt", "x")
    result = run(land.command, project.folder / "in")
    assert result.output == (
        "accepted    orders/1.csv -> orders  2 read, 1 accepted, 1 quarantined\n"
        "            quarantined: 1 invalid_integer\n"
        "parked      orders/2.csv -> orders  2 read, 0 accepted, 0 quarantined\n"
        "            drift_parked\n"
        "            Waits for an answer about: colour. "
        "`tidegate drift show 2` says what changed.\n"
        "            drift: field_added_nullable colour (nullable_added, compatible): parked\n"
        "not landed  stray.txt: matches no dataset's delivery.match. "
        "Name its dataset with --dataset, or add a pattern to its contract.\n"
        "\n"
        "landing.orders: 1 rows, newest delivery 1, 1 parked, 1 records held.\n"
    )
    assert result.exit_code == 2


def test_land_as_json_is_the_same_report(project: LandingProject) -> None:
    """For programs: one document, and exit code 0 for what was accepted before."""
    path = project.write("orders/1.csv", "id,item,qty\n1,tea,2\n")
    run(land.command, path)
    result = run(land.command, path, "--json")
    document = json.loads(result.stdout)
    assert [one["status"] for one in document["files"]] == ["duplicate"]
    assert document["exit_code"] == result.exit_code == 0
    assert document["state"][1]["dataset"] == "orders"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--dataset", "nope"], "There is no dataset 'nope'."),
        (["--producer", "shop"], "A producer and its idempotency key belong together."),
        (["--idempotency-key", "k"], "A producer and its idempotency key belong together."),
        (["--tenant", "eu"], "A tenant was given without a producer."),
    ],
)
def test_options_that_mean_nothing_are_refused(
    project: LandingProject, options: list[str], message: str
) -> None:
    """Before anything is stored."""
    path = project.write("orders/1.csv", "id,item,qty\n1,tea,2\n")
    result = run(land.command, path, *options)
    assert isinstance(result.exception, UsageError)
    assert result.exception.message == message
    assert project.query("select count(*) from governance.deliveries") == [(0,)]


def test_one_idempotency_key_is_for_one_file(project: LandingProject) -> None:
    """Two files under one key could not both be its publication."""
    for name in ("1", "2"):
        project.write(f"orders/{name}.csv", f"id,item,qty\n{name},tea,2\n")
    result = run(land.command, project.folder / "in", "--producer", "p", "--idempotency-key", "k")
    assert str(result.exception) == (
        "One idempotency key was given for 2 files. Land them one by one, each with its own key."
    )


def test_drift_is_answered_from_the_command_line(project: LandingProject) -> None:
    """List, show, approve with who and why; the run goes on at once where the contract stays."""
    assert run(drift.command, "list").output == "No schema change waits for an answer.\n"
    project.land("orders/2.csv", "id,item,qty,colour\n3,tea,2,\n4,jam,3,red\n")
    line = "run 1  orders.colour: field_added_nullable (nullable_added, compatible) parked\n"
    assert run(drift.command, "list").output == line
    assert run(drift.command, "show", 1).output == (
        line + "    was: -\n    is:  string\n    review: policy default\n"
    )
    assert run(drift.command, "approve", 1, "--by", "olga").exit_code == 2
    result = run(drift.command, "approve", 1, "--by", "olga", "--reason", "once", "--keep-contract")
    assert result.output == (
        "Approved 1 change(s) of run 1 for orders.\n"
        "accepted    2.csv -> orders  2 read, 2 accepted, 0 quarantined\n"
        "            drift: field_added_nullable colour (nullable_added, compatible): approved\n"
        "\n"
        "landing.orders: 2 rows, newest delivery 1.\n"
    )
    assert str(run(drift.command, "reject", 1, "--by", "o", "--reason", "r").exception) == (
        "Run 1 has no schema change that waits for an answer. See `tidegate drift show 1`."
    )


def test_the_quarantine_is_worked_from_the_command_line(project: LandingProject) -> None:
    """List, show with and without bytes, stats, reprocess, discard."""
    assert run(quarantine.command, "list").output == "Nothing is quarantined.\n"
    project.land("orders/1.csv", "id,item,qty\n1,tea,2\n2,jam,x\n")
    assert run(quarantine.command, "list").output == (
        "1  orders delivery 1 record 2: invalid_integer qty (held, attempt 1)\n"
    )
    shown = run(quarantine.command, "show", 1).output
    assert "reason: invalid_integer\n" in shown
    assert "jam" not in shown
    assert run(quarantine.command, "show", 1, "--raw").stdout == "2,jam,x"
    assert run(quarantine.command, "stats").output == (
        "orders  held  1 x invalid_integer qty\n"
        "run 1  orders  accepted, held 1 of 2 records (50.00%)\n"
    )
    again = run(quarantine.command, "reprocess", "orders", "--by", "olga")
    assert again.output == "orders delivery 1: 0 accepted, 1 still held.\n"
    assert again.exit_code == 1
    gone = run(quarantine.command, "discard", 1, "--by", "olga", "--reason", "a test")
    assert gone.output == "Discarded 1 record(s); reasons and bytes are kept.\n"
    assert run(quarantine.command, "reprocess", "orders", "--by", "olga").output == (
        "Nothing of orders is held.\n"
    )
    assert str(run(quarantine.command, "show", 9).exception) == (
        "There is no quarantined record 9. See `tidegate quarantine list`."
    )


def test_prune_is_a_dry_run_until_somebody_answers_for_it(project: LandingProject) -> None:
    """It says what would go and what stays and why; with --apply it goes; a hold keeps it."""
    text = ORDERS.replace("KIND", "append").replace(
        "owner: shop\n", "owner: shop\n              retention: {rows_days: 20}\n"
    )
    project.contract("shop", text)
    project.land("orders/1.csv", "id,item,qty\n1,tea,2\n2,jam,3\n")
    with project.warehouse.connect() as conn, conn.transaction():
        conn.execute("set local session_replication_role = replica")
        conn.execute("update governance.materializations set accepted_at = '2001-01-01'")
    held = run(
        prune.command, "--dataset", "orders", "--hold", "all", "--by", "ann", "--reason", "case"
    )
    assert held.output == "Hold 1 placed on orders all.\n"
    kept = run(prune.command, "--dataset", "orders", "--apply", "--by", "ann", "--reason", "old")
    assert kept.output == "keeps 2 rows of orders, delivery 1: hold 1\n"
    run(prune.command, "--dataset", "orders", "--release", 1, "--by", "ann", "--reason", "closed")
    dry = run(prune.command)
    assert dry.output == (
        "Nothing to prune: every generation is served.\n"
        "would remove 2 rows of orders, delivery 1\n"
        "Nothing was removed. Add --apply --by NAME --reason WHY to do it.\n"
    )
    nobody = run(prune.command, "--apply")
    assert isinstance(nobody.exception, UsageError)
    assert project.query("select count(*) from landing.orders") == [(2,)]
    done = run(prune.command, "--apply", "--by", "ann", "--reason", "old", "--json")
    assert [item["records"] for item in json.loads(done.output)["deliveries"]] == [2]
    assert project.query("select count(*) from landing.orders") == [(0,)]
    assert run(prune.command, "--dataset", "orders").output == (
        "Nothing to prune: no delivery is older than its contract keeps it.\n"
    )
    for words in (("--dataset", "pets"), ("--dataset", "orders", "--family", "f")):
        assert isinstance(run(prune.command, *words).exception, UsageError)
    for what in ("seven", "\u0667", "-1"):
        wrong = run(
            prune.command, "--dataset", "orders", f"--hold={what}", "--by", "a", "--reason", "r"
        )
        assert isinstance(wrong.exception, UsageError)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (quarantine.command, ["list"]),
        (quarantine.command, ["stats"]),
        (drift.command, ["list"]),
        (anomalies.command, ["list"]),
    ],
)
def test_a_dataset_that_nobody_knows_is_no_empty_answer(
    project: LandingProject, command: object, words: list[str]
) -> None:
    """A name mistyped at night must not read as "nothing is wrong"; what has gone is found."""
    refused = run(command, *words, "--dataset", "ordres")
    assert isinstance(refused.exception, UsageError)
    assert str(refused.exception) == "There is no dataset 'ordres'. There are: notes, orders."
    assert run(command, *words, "--dataset", "orders").exit_code == 0
    project.land("orders/1.csv", "id,item,qty\n1,tea,2\n2,jam,x\n")
    (project.folder / "contracts" / "datasets" / "shop.yml").unlink()
    if command is quarantine.command:
        assert "orders" in run(command, *words, "--dataset", "orders").output
