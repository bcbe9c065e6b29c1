"""How commands end that do not end well: what readers see then is asked, never assumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dbt.cli.main import dbtRunner, dbtRunnerResult

from command_line import CommandLine
from landing_project import make_project
from publication_support import publish
from shop import FAMILY, Shop
from tidegate.cli.publishing_output import progress
from tidegate.errors import CommitUnknown, PublishBlocked, ServerUnreachable
from tidegate.publishing import refresh, rollback
from tidegate.warehouse import Warehouse


@pytest.fixture
def tidegate(tmp_path: Path, warehouse: Warehouse) -> CommandLine:
    """The command line in a project with the datasets orders and notes."""
    make_project(tmp_path, warehouse)
    return CommandLine(tmp_path, warehouse)


def ended_by(error: BaseException, shop: Shop | None = None) -> Callable[..., Any]:
    """What stands for a refresh that publishes the shop, or nothing, and then ends early."""

    def ends(*_: Any, **__: Any) -> None:
        if shop is not None:
            publish(shop)
        raise error

    return ends


@pytest.mark.parametrize("command", ["refresh", "publish"])
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PublishBlocked("Locks."), "Error [publish_blocked]: Locks.\n"),
        (KeyboardInterrupt(), "\nInterrupted. "),
        (RuntimeError("secret"), "Error [unexpected]: RuntimeError.\n"),
    ],
    ids=["blocked", "interrupted", "unexpected"],
)
def test_what_was_published_before_a_command_ended_early_is_told(
    tidegate: CommandLine,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    error: BaseException,
    said: str,
) -> None:
    """A refresh of several families publishes one after another: some may be new by then."""
    words = [command, FAMILY] if command == "publish" else [command]
    monkeypatch.setattr(refresh, "refresh", ended_by(error))
    nothing = tidegate.run(*words)
    monkeypatch.setattr(refresh, "refresh", ended_by(error, Shop(tidegate.warehouse)))
    some = tidegate.run(*words)
    assert nothing.err.startswith(said)
    assert nothing.err.endswith("Serving views unchanged.\n")
    assert some.err.startswith(said)
    assert some.err.endswith("Serving views now show shop g000001; all others are unchanged.\n")


def test_a_rollback_that_is_interrupted_tells_what_is_served(
    tidegate: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One row moves, and it has moved or not."""
    monkeypatch.setattr(
        rollback, "rollback", ended_by(KeyboardInterrupt(), Shop(tidegate.warehouse))
    )
    done = tidegate.run("rollback", FAMILY, "--by", "ann", "--reason", "test")
    assert (done.code, done.err) == (
        2,
        "\nInterrupted. Serving views now show shop g000001; all others are unchanged.\n",
    )


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        (
            ServerUnreachable("No connection."),
            "Error [server_unreachable]: No connection.\nWhat readers see could not be asked:"
            " `tidegate status` tells it once the server answers.\n",
        ),
        (CommitUnknown("Nobody knows."), "Error [commit_unknown]: Nobody knows.\n"),
    ],
)
def test_nothing_is_claimed_where_the_server_cannot_be_asked(
    tidegate: CommandLine, monkeypatch: pytest.MonkeyPatch, ended: BaseException, said: str
) -> None:
    """The server is gone, or the commit's fate is open: nobody says that nothing changed."""

    def ends(*_: Any) -> None:
        monkeypatch.setattr(Warehouse, "connect", ended_by(ServerUnreachable("Gone.")))
        raise ended

    monkeypatch.setattr(refresh, "refresh", ends)
    assert tidegate.run("refresh").err == said


def test_an_interrupt_while_dbt_works_ends_the_command(
    tidegate: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """dbt reports it as a failure of its own: no family is held back for it, and none goes on."""
    folder = tidegate.project / "shop"
    assert tidegate.run("init", str(folder)).code == 0
    interrupted = dbtRunnerResult(success=False, exception=KeyboardInterrupt())
    monkeypatch.setattr(dbtRunner, "invoke", lambda *_, **__: interrupted)
    done = CommandLine(folder, tidegate.warehouse).run("refresh")
    assert (done.code, done.err) == (2, "\nInterrupted. Serving views unchanged.\n")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_landing_tells_what_had_ended_and_is_repeated(
    tidegate: CommandLine, sent: signal.Signals
) -> None:
    """Ctrl-C, or a pod that is stopped, while the second of three files is on its way."""
    folder = tidegate.project / "in"
    (folder / "orders").mkdir(parents=True)
    for number in (1, 2, 3):
        (folder / "orders" / f"{number}.csv").write_text(f"id,item,qty\n{number},tea,1\n")
    flag = tidegate.project / "flag"
    # A shell's background job ignores Ctrl-C, and what it starts would too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    running = subprocess.Popen(
        [sys.executable, "-m", "tidegate", "land", str(folder)],
        env=tidegate.environ(
            {"TIDEGATE_FAILPOINT": "land.staged:pause", "TIDEGATE_FAILPOINT_FILE": str(flag)}
        ),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(flag)
    flag.unlink()
    wait_for(flag)
    running.send_signal(sent)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err) == (
        2,
        "accepted    orders/1.csv -> orders  1 read, 1 accepted, 0 quarantined\n",
        "\nInterrupted. 1 file had ended before that. Land all of them again: what was accepted"
        " is a duplicate then. Serving views unchanged.\n",
    )
    again = json.loads(tidegate.process("land", str(folder), "--json").out)
    assert [one["status"] for one in again["files"]] == ["duplicate", "accepted", "accepted"]
    assert (again["complete"], again["exit_code"]) == (True, 0)
    with tidegate.warehouse.connect() as conn:
        rows = conn.execute("select id from landing.orders order by 1").fetchall()
        runs = conn.execute("select status, reason from governance.runs order by run_id").fetchall()
    assert rows == [(1,), (2,), (3,)]
    assert runs[:2] == [("accepted", None), ("failed", "interrupted")]


def test_who_presses_ctrl_c_twice_is_told_nothing_wrong(
    tidegate: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second comes while the server is asked what readers see: then that is not known."""

    def ends(*_: Any) -> None:
        monkeypatch.setattr(Warehouse, "connect", ended_by(KeyboardInterrupt()))
        raise KeyboardInterrupt

    monkeypatch.setattr(refresh, "refresh", ends)
    assert tidegate.run("refresh").err == (
        "\nInterrupted. What readers see could not be asked:"
        " `tidegate status` tells it once the server answers.\n"
    )


def test_an_interrupted_command_waits_for_no_thread(tidegate: CommandLine) -> None:
    """A thread of dbt's may wait for the server for hours; the exit code is told all the same."""
    program = (
        "import sys, threading\n"
        "from tidegate import cli\n"
        "threading.Thread(target=threading.Event().wait).start()\n"
        "def interrupt(**_): raise KeyboardInterrupt\n"
        "cli.root.main = interrupt\n"
        "cli.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=tidegate.environ(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "Interrupted. Serving views unchanged.\n")


def test_a_file_of_any_name_is_a_step_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brackets are no markup: a name such as `[/red]` ends no landing."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with progress(as_json=False) as step:
        step("landing; 1 so far, [/red].csv the last")


def wait_for(flag: Path) -> None:
    """Wait until a paused process has written its flag."""
    for _ in range(3000):
        if flag.exists() and flag.read_text():
            return
        time.sleep(0.01)
    raise AssertionError("the process never paused")


def test_a_reader_that_goes_away_is_told_apart_from_a_result(tidegate: CommandLine) -> None:
    """`tidegate … | head -1`: exit code 1 would mean that something is held back."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "tidegate", "status"],
        env=tidegate.environ(),
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (
        2,
        "The output was not read to its end. Serving views unchanged.\n",
    )


def test_names_that_the_terminal_cannot_show_are_shown_escaped(tidegate: CommandLine) -> None:
    """A file of any name is landed and told, whatever the encoding of the output."""
    folder = tidegate.project / "in" / "orders"
    folder.mkdir(parents=True)
    for number, name in enumerate((b"\xe9.csv", "\u0142.csv".encode(), b"a\nb\x1b.csv")):
        (folder / os.fsdecode(name)).write_text(f"id,item,qty\n{number},tea,1\n")
    done = tidegate.process("land", str(folder.parent), PYTHONIOENCODING="latin-1")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[:3] == [
        f"accepted    orders/{name} -> orders  1 read, 1 accepted, 0 quarantined"
        for name in ("a\\nb\\x1b.csv", "\\u0142.csv", "\\xe9.csv")
    ]
    with tidegate.warehouse.connect() as conn:
        names = conn.execute("select source_name from governance.runs order by 1").fetchall()
    assert sorted(name for (name,) in names) == [
        "orders/\\xe9.csv",
        "orders/a\\nb\\x1b.csv",
        "orders/\u0142.csv",
    ]
