"""With `--json` an error is one object on standard output, whatever the command and the error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest

from command_line import CommandLine
from landing_project import make_project
from tidegate.cli.reference import every_command
from tidegate.deliveries import lander
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.errors import CommitUnknown, LandingBlocked
from tidegate.publishing import refresh
from tidegate.warehouse import Warehouse

NOWHERE = "postgresql://127.0.0.1:1/nowhere"
WITH_JSON = sorted(
    name
    for name, command in every_command().items()
    if any("--json" in parameter.opts for parameter in command.params)
)


@pytest.fixture
def tidegate(tmp_path: Path, warehouse: Warehouse) -> CommandLine:
    """The command line in a project with the datasets orders and notes."""
    make_project(tmp_path, warehouse)
    return CommandLine(tmp_path, warehouse)


def ends(error: BaseException) -> Any:
    """What stands for a function that ends like this."""

    def raised(*_: Any, **__: Any) -> None:
        raise error

    return raised


@pytest.mark.parametrize("name", WITH_JSON)
def test_a_line_that_means_nothing_is_told_as_json(tidegate: CommandLine, name: str) -> None:
    """Of every command that has the option; what a person reads is as it was."""
    answer = tidegate.run(*name.split(), "--json", "--no-such-option")
    assert (answer.code, json.loads(answer.out)) == (
        2,
        {
            "error": {
                "code": "usage",
                "exit_code": 2,
                "message": "No such option '--no-such-option'.",
                "remedy": f"See `tidegate {name} --help`.",
                "state": "Serving views unchanged.",
            }
        },
    )
    assert answer.err.endswith("Error: No such option '--no-such-option'.\n")


def test_no_json_is_printed_where_nobody_asked_for_it(tidegate: CommandLine) -> None:
    """A word behind `--` is a name, and the next line starts afresh."""
    assert tidegate.run("land", "--json", "missing").out != ""
    assert tidegate.run("land", "missing").out == ""


@pytest.mark.parametrize(
    "words",
    ["status", "gates", "refresh", "land orders", "review list", "drift list", "outbox list"],
)
def test_a_server_that_is_away_is_told_as_json(tidegate: CommandLine, words: str) -> None:
    """As the text on standard error says it."""
    answer = tidegate.run(*words.split(), "--json", DATABASE_URL=NOWHERE)
    told = json.loads(answer.out)["error"]
    assert (answer.code, told["code"], told["exit_code"]) == (2, "server_unreachable", 2)
    assert answer.err == (
        f"Error [server_unreachable]: {told['message']}\n{told['remedy']}\n{told['state']}\n"
    )


def test_every_problem_of_a_contract_is_an_object(tidegate: CommandLine) -> None:
    """File, line, key, message and remedy apart, so that a program can show each in its place."""
    path = tidegate.project / "contracts" / "datasets" / "shop.yml"
    path.write_text(path.read_text().replace("owner: shop", "ownr: shop"))
    told = json.loads(tidegate.run("land", str(path), "--json").out)["error"]
    assert (told["code"], told["state"]) == ("contract", "Serving views unchanged.")
    assert {
        (it["file"], it["line"] > 0, it["key"].rpartition(".")[2]) for it in told["problems"]
    } == {
        ("contracts/datasets/shop.yml", True, "ownr"),
        ("contracts/datasets/shop.yml", True, "owner"),
    }
    assert told["message"] == "\n".join(
        f"{it['file']}:{it['line']}: {it['key']}: {it['message']} {it['remedy']}".rstrip()
        for it in told["problems"]
    )


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            KeyboardInterrupt(),
            ("interrupted", "Interrupted.", "Run it again: it may be repeated.",
             "Serving views unchanged."),
        ),
        (CommitUnknown("Nobody knows."), ("commit_unknown", "Nobody knows.", "", "")),
        (
            RuntimeError("secret"),
            ("unexpected", "RuntimeError.",
             "This is a bug. Set TIDEGATE_TRACEBACK=1 and run it again to see where it happened;"
             " the trace may hold field values, so keep it to yourself.",
             "Serving views unchanged."),
        ),
    ],
    ids=["interrupted", "unknown", "unexpected"],
)  # fmt: skip
def test_each_way_to_end_is_told_as_json(
    tidegate: CommandLine,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    told: tuple[str, ...],
) -> None:
    """Interrupts and bugs too; where nobody knows what readers see, nothing is claimed."""
    monkeypatch.setattr(refresh, "refresh", ends(error))
    answer = tidegate.run("refresh", "--json")
    code, message, remedy, state = told
    assert json.loads(answer.out) == {
        "error": {
            "code": code, "exit_code": 2, "message": message, "remedy": remedy, "state": state,
        }
    }  # fmt: skip


@pytest.mark.parametrize("command", ["land", "refresh"])
def test_what_was_done_before_stands_beside_the_error(
    tidegate: CommandLine, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """One document: the files that had ended, and what ended the command."""
    folder = tidegate.project / "in" / "orders"
    folder.mkdir(parents=True)
    for number in (1, 2):
        (folder / f"{number}.csv").write_text(f"id,item,qty\n{number},tea,1\n")
    land = lander.Lander.land
    monkeypatch.setattr(
        lander.Lander,
        "land",
        lambda self, source: (
            land(self, source) if source.name == "1.csv" else ends(LandingBlocked("A lock."))()
        ),
    )
    words = ["land"] if command == "land" else ["refresh", "--land"]
    answer = tidegate.run(*words, str(folder), "--json")
    found = json.loads(answer.out)
    assert (answer.code, found["error"]["code"], found["error"]["exit_code"]) == (
        1, "landing_blocked", 1,
    )  # fmt: skip
    assert found["error"]["state"] == (
        "1 file had ended before that. Land all of them again: what was accepted is a duplicate"
        " then. Serving views unchanged."
    )
    landed = found if command == "land" else found["landed"]
    assert [(it["file"], it["status"]) for it in landed["files"]] == [
        ("1.csv", RunStatus.ACCEPTED.value)
    ]
    assert landed["complete"] is False


def test_a_refresh_that_fails_tells_what_it_had_landed(
    tidegate: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deliveries are accepted whatever becomes of the families."""
    file = tidegate.project / "orders" / "1.csv"
    file.parent.mkdir()
    file.write_text("id,item,qty\n1,tea,1\n")
    monkeypatch.setattr(refresh, "refresh", ends(click.ClickException("No.")))
    found = json.loads(tidegate.run("refresh", "--land", str(file), "--json").out)
    assert [it["status"] for it in found["landed"]["files"]] == ["accepted"]
    assert found["error"]["message"] == "No."


def test_a_result_that_was_printed_stays_the_only_document(
    tidegate: CommandLine, tmp_path: Path
) -> None:
    """The report could not be written after it; standard error and the exit code say so."""
    policy = tmp_path / "policy.json"
    policy.write_text('{"version": "1", "rules": [{"id": "n", "type": "row_count", "minimum": 1}]}')
    with tidegate.warehouse.connect() as conn:
        conn.execute("create schema shop; create table shop.items as select 1 as n")
    answer = tidegate.run(
        "check", "--policy", str(policy), "--relation", "shop.items", "--json",
        "--junit", str(tmp_path / "missing" / "report.xml"),
    )  # fmt: skip
    assert (answer.code, json.loads(answer.out)["relation"]) == (2, "shop.items")
    assert "cannot be written" in answer.err
