"""`tidegate outbox` and `tidegate review` as an operator meets them."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from command_line import CommandLine, project
from receiver import Receiver, receiver
from tidegate.connection import Connection
from tidegate.ledger import outbox, review
from tidegate.warehouse import Warehouse


@pytest.fixture
def tidegate(tmp_path: Path, warehouse: Warehouse) -> CommandLine:
    return project(tmp_path, warehouse)


@pytest.fixture
def hook() -> Iterator[Receiver]:
    with receiver() as running:
        yield running


def configure(tidegate: CommandLine, hook: Receiver, attempts: int = 8, delay: int = 0) -> None:
    (tidegate.project / "tidegate.yml").write_text(
        f"outbox:\n  attempts: {attempts}\n  first_delay_seconds: {delay}\n"
        f"  default: {{type: webhook, url: '{hook.url}'}}\n",
        encoding="utf-8",
    )


def enqueue(conn: Connection, subject: str = "prices") -> str:
    return str(outbox.enqueue(conn, outbox.PUBLISHED, subject, "market", {}, source="run:7"))


def test_without_a_configuration_events_wait(tidegate: CommandLine, conn: Connection) -> None:
    """Saying so is no failure."""
    enqueue(conn)
    answer = tidegate.run("outbox", "deliver")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == ("Delivery is not enabled: no outbox section in tidegate.yml. 1 wait.\n")
    assert json.loads(tidegate.run("outbox", "deliver", "--json").out) == {
        "enabled": False, "delivered": 0, "failed": 0, "dead": 0, "waiting": 1,
    }  # fmt: skip


def test_a_deliverer_killed_after_sending_sends_again_with_the_same_id(
    tidegate: CommandLine, conn: Connection, hook: Receiver
) -> None:
    """kill -9 between the send and its mark: nothing is lost, and the receiver can tell."""
    configure(tidegate, hook)
    event_id = enqueue(conn)
    killed = tidegate.process("outbox", "deliver", TIDEGATE_FAILPOINT="outbox.sent")
    assert killed.code == -signal.SIGKILL
    answer = tidegate.run("outbox", "deliver")
    assert (answer.code, answer.out) == (
        0, "1 delivered, 0 failed and tried again later, 0 dead letters, 0 wait.\n",
    )  # fmt: skip
    assert hook.ids == [event_id, event_id]


def test_dead_letters_make_exit_code_1_and_can_be_sent_again(
    tidegate: CommandLine, conn: Connection, hook: Receiver
) -> None:
    """Listed with their run; nothing is said about what the receiver answered but its code."""
    configure(tidegate, hook, attempts=2)
    event_id = enqueue(conn)
    hook.answer = lambda _event: 500
    answer = tidegate.run("outbox", "deliver")
    assert (answer.code, answer.out) == (
        1, "0 delivered, 1 failed and tried again later, 1 dead letters, 0 wait.\n",
    )  # fmt: skip
    listed = tidegate.run("outbox", "dead-letters").out
    assert listed.startswith(
        "     1  datasource.publication.published of run:7 (market): 2 attempts, last http_500, "
    )
    (letter,) = json.loads(tidegate.run("outbox", "dead-letters", "--json").out)
    assert (letter["event_id"], letter["source"]) == (event_id, "run:7")

    hook.answer = lambda _event: 200
    answer = tidegate.run("outbox", "resend", "1", "--by", "ada", "--reason", "it is back")
    assert answer.out == "1 wait for the next `tidegate outbox deliver`.\n"
    assert tidegate.run("outbox", "deliver").code == 0
    assert hook.ids == [event_id] * 3
    assert tidegate.run("outbox", "dead-letters").out == "No dead letters.\n"
    assert ", sent again by ada" in tidegate.run("outbox", "dead-letters", "--all").out


@pytest.mark.parametrize(("fail_on", "code"), [("warning", 1), ("error", 0), ("never", 0)])
def test_a_failed_attempt_is_a_warning(
    tidegate: CommandLine, conn: Connection, hook: Receiver, fail_on: str, code: int
) -> None:
    """It is tried again; only --fail-on warning makes it the exit code."""
    configure(tidegate, hook, delay=3600)
    enqueue(conn)
    hook.answer = lambda _event: 500
    answer = tidegate.run("outbox", "deliver", "--fail-on", fail_on, "--json")
    assert answer.code == code
    assert json.loads(answer.out) == {
        "enabled": True, "delivered": 0, "failed": 1, "dead": 0, "waiting": 1,
    }  # fmt: skip


def test_events_are_listed_with_their_state(tidegate: CommandLine, conn: Connection) -> None:
    """The newest first, and by state."""
    assert tidegate.run("outbox", "list").out == "No events.\n"
    enqueue(conn)
    enqueue(conn, "rates")
    lines = tidegate.run("outbox", "list", "--state", "waiting").out.splitlines()
    assert [line.partition(",")[0] for line in lines] == [
        "     2  waiting    datasource.publication.published rates (market)",
        "     1  waiting    datasource.publication.published prices (market)",
    ]
    (newest,) = json.loads(tidegate.run("outbox", "list", "--limit", "1", "--json").out)
    assert (newest["subject"], newest["state"], newest["position"]) == ("rates", "waiting", 2)


def test_what_failed_before_it_was_delivered_is_listed_as_that(
    tidegate: CommandLine, conn: Connection
) -> None:
    """The kind of the last failure is told while it is one."""
    enqueue(conn)
    for state in (
        "attempts = 2, last_error = 'http_503'",
        "state = 'delivered', delivered_at = clock_timestamp(), last_error = null",
    ):
        conn.execute(f"update governance.outbox_events set {state}")  # type: ignore[call-overload]
        (line,) = tidegate.run("outbox", "list").out.splitlines()
        assert line.endswith(" UTC, 2 failed: http_503" if "503" in state else " UTC, 2 failed")


@pytest.mark.parametrize("args", [(), ("1", "--all")])
def test_sending_again_names_what(tidegate: CommandLine, args: tuple[str, ...]) -> None:
    """Numbers or all, not neither and not both."""
    answer = tidegate.run("outbox", "resend", *args, "--by", "ada", "--reason", "x")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "Error [usage]: Nothing to send again was named.\n"
        "Give numbers of dead letters, or --all.\nServing views unchanged.\n"
    )


def test_warnings_are_listed_and_acknowledged(tidegate: CommandLine, conn: Connection) -> None:
    """All of the named items or none; the reason is shown with --all."""
    assert tidegate.run("review", "list").out == "No open review items.\n"
    for check in ("fresh", "complete"):
        review.open_item(conn, "rule", "prices", check, "delivery:7", {"rows": 2})
    first, second = tidegate.run("review", "list").out.splitlines()
    assert first.startswith("     1  warning  rule fresh on prices: since ")
    assert second.endswith(" UTC, seen once, last in delivery:7")

    refused = tidegate.run("review", "acknowledge", "1", "9", "--by", "ada", "--reason", "known")
    assert (refused.code, refused.err) == (
        2,
        "Error [usage]: There is no review item 9.\nSee `tidegate review list`.\n"
        "Serving views unchanged.\n",
    )
    done = tidegate.run("review", "acknowledge", "1", "--by", "ada", "--reason", "known", "--json")
    assert json.loads(done.out) == {"acknowledged": [1], "open": 1}
    (item,) = json.loads(tidegate.run("review", "list", "--json").out)
    assert (item["review_id"], item["check_id"], item["details"]) == (2, "complete", {"rows": 2})
    everything = tidegate.run("review", "list", "--all", "--subject", "prices").out
    assert "acknowledged by ada, " in everything
    assert " UTC: known\n" in everything


@pytest.mark.long
def test_nothing_is_lost_while_deliverers_are_killed(
    tidegate: CommandLine, conn: Connection, hook: Receiver
) -> None:
    """Ten die with kill -9 after a send, beside two that live; every event arrives, and the first
    arrivals of a subject are in the order of its commits."""
    configure(tidegate, hook)
    ids = [enqueue(conn, f"s{number % 5}") for number in range(200)]
    with ThreadPoolExecutor(12) as pool:
        dying = [
            pool.submit(tidegate.process, "outbox", "deliver", TIDEGATE_FAILPOINT="outbox.sent")
            for _ in range(10)
        ]
        living = [pool.submit(tidegate.process, "outbox", "deliver") for _ in range(2)]
        assert {run.result().code for run in living} == {0}
        assert {run.result().code for run in dying} <= {0, -signal.SIGKILL}
    tidegate.run("outbox", "deliver")
    assert set(hook.ids) == set(ids)
    arrived = list(dict.fromkeys(zip(hook.subjects, hook.ids, strict=True)))
    for subject in {f"s{number}" for number in range(5)}:
        mine = [event_id for found, event_id in arrived if found == subject]
        assert mine == [event_id for event_id in ids if event_id in mine]
    row = conn.execute(
        "select count(*) from governance.outbox_events where state = 'delivered'"
    ).fetchone()
    assert row == (200,)
