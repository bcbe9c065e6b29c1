"""Events leave at least once, in the order of the commits, and what cannot be sent is kept."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from receiver import Receiver, receiver
from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.ledger import dead_letters, delivering, outbox, publications
from tidegate.ledger.delivering import Delivery, delay_seconds, deliver
from tidegate.ledger.outbox_config import OutboxConfig
from tidegate.warehouse import Warehouse

HERE = Path(__file__).parent


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """The other side; loopback is never reached through a proxy of the machine."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with receiver() as running:
        yield running


def config(hook: Receiver, **more: Any) -> OutboxConfig:
    return OutboxConfig.model_validate(
        {"default": {"type": "webhook", "url": hook.url}, "first_delay_seconds": 0, **more}
    )


def enqueue(conn: Connection, subject: str = "prices", owner: str = "market") -> str:
    return str(outbox.enqueue(conn, outbox.PUBLISHED, subject, owner, {"rows": 3}))


def test_an_event_is_sent_once_with_its_id_and_then_marked(
    warehouse: Warehouse, conn: Connection, hook: Receiver
) -> None:
    """A CloudEvents document; the id is in the body and in the headers; a second run is idle."""
    event_id = enqueue(conn)
    assert deliver(warehouse, config(hook), HERE) == Delivery(1, 0, 0, 0)
    assert deliver(warehouse, config(hook), HERE) == Delivery(0, 0, 0, 0)
    (body,), (headers,) = hook.bodies, hook.headers
    document = json.loads(body)
    assert document.pop("time").endswith("+00:00")
    assert document == {
        "specversion": "1.0",
        "id": event_id,
        "source": "tidegate",
        "type": "datasource.publication.published",
        "subject": "prices",
        "datacontenttype": "application/json",
        "owner": "market",
        "sequence": "1",
        "data": {"rows": 3},
    }
    assert headers["content-type"] == "application/cloudevents+json; charset=utf-8"
    assert headers["webhook-id"] == headers["idempotency-key"] == event_id
    (row,) = delivering.listed(conn, "delivered", 10)
    assert (str(row.event_id), row.attempts, row.last_error) == (event_id, 0, None)
    assert row.delivered_at is not None


def test_an_event_of_a_transaction_that_fails_is_never_sent(
    warehouse: Warehouse, conn: Connection, hook: Receiver
) -> None:
    """The event is part of what it tells of."""
    with conn.transaction(force_rollback=True):
        enqueue(conn)
    assert deliver(warehouse, config(hook), HERE) == Delivery(0, 0, 0, 0)


def test_e14_events_are_numbered_by_commit_and_a_late_one_is_not_passed_over(
    warehouse: Warehouse, hook: Receiver
) -> None:
    """A writes first, B commits first and is sent; A commits and is sent too, after it."""
    with warehouse.connect(autocommit=False) as a, warehouse.connect(autocommit=False) as b:
        first = enqueue(a, "a")
        second = enqueue(b, "b")
        b.commit()
        assert deliver(warehouse, config(hook), HERE) == Delivery(1, 0, 0, 0)
        a.commit()
        assert deliver(warehouse, config(hook), HERE) == Delivery(1, 0, 0, 0)
    assert hook.ids == [second, first]
    assert [json.loads(body)["sequence"] for body in hook.bodies] == ["1", "2"]


def test_e14_overlapping_writers_never_let_a_reader_see_a_gap(warehouse: Warehouse) -> None:
    """Whoever sees position n sees every lower one: the reader counts while eight writers race."""
    stop = threading.Event()

    def write(number: int) -> None:
        with warehouse.connect(autocommit=False) as conn:
            for _ in range(25):
                enqueue(conn, f"s{number}")
                conn.commit()

    def watch() -> int:
        looks = 0
        with warehouse.connect() as conn:
            while not stop.is_set():
                row = conn.execute(
                    "select count(*), coalesce(max(position), 0) from governance.outbox_events"
                ).fetchone()
                assert row is not None
                assert row[0] == row[1]
                looks += 1
        return looks

    with ThreadPoolExecutor(9) as pool:
        watching = pool.submit(watch)
        try:
            list(pool.map(write, range(8)))
        finally:
            stop.set()
        assert watching.result(60) > 0


def test_a_signed_webhook_can_be_verified(
    warehouse: Warehouse, conn: Connection, hook: Receiver
) -> None:
    """HMAC-SHA256 of id, timestamp and body, as Standard Webhooks has it; secrets by variable."""
    secret = b"\x01" * 32
    environ = {
        "HOOK_SECRET": "whsec_" + base64.b64encode(secret).decode(),
        "HOOK_TOKEN": "Bearer abc",
    }
    sink = {
        "type": "webhook", "url": hook.url, "secret_env": "HOOK_SECRET",
        "headers_env": {"Authorization": "HOOK_TOKEN"},
    }  # fmt: skip
    enqueue(conn)
    deliver(warehouse, config(hook, default=sink), HERE, environ=environ)
    (body,), (headers,) = hook.bodies, hook.headers
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()
    assert headers["webhook-signature"] == "v1," + expected
    assert headers["authorization"] == "Bearer abc"


@pytest.mark.parametrize("code", [302, 404, 503])
def test_an_answer_that_is_not_2xx_is_a_failure_and_the_id_stays(
    warehouse: Warehouse, conn: Connection, hook: Receiver, code: int
) -> None:
    """A redirect is not followed; the second attempt carries the same id."""
    event_id = enqueue(conn)
    answers = iter([code, 200])
    hook.answer = lambda _event: next(answers)
    assert deliver(warehouse, config(hook), HERE) == Delivery(1, 1, 0, 0)
    assert hook.ids == [event_id, event_id]


def test_a_receiver_that_does_not_answer_is_a_timeout(
    warehouse: Warehouse, conn: Connection, hook: Receiver
) -> None:
    """The server holds its answer until the attempt is over."""
    enqueue(conn)
    over = threading.Event()
    hook.answer = lambda _event: 200 if over.wait(30) else 500
    done = deliver(warehouse, config(hook, timeout_seconds=0.2, attempts=1), HERE)
    over.set()
    assert done == Delivery(0, 0, 1, 0)
    assert [letter.last_error for letter in dead_letters.listed(conn)] == ["timeout"]


def test_a_token_that_no_header_can_hold_keeps_only_its_owner_s_events_back(
    warehouse: Warehouse, conn: Connection, hook: Receiver
) -> None:
    """Read from a file with its line end: a failure of that sink, and the next owner's turn."""
    enqueue(conn, "first", "careless")
    enqueue(conn, "second", "market")
    broken = {"type": "webhook", "url": hook.url, "headers_env": {"Authorization": "TOKEN"}}
    both = config(hook, owners={"careless": broken}, first_delay_seconds=60)
    assert deliver(warehouse, both, HERE, environ={"TOKEN": "secret\n"}) == Delivery(1, 1, 0, 1)
    assert hook.subjects == ["second"]
    errors = conn.execute("select last_error from governance.outbox_events order by 1").fetchall()
    assert errors == [("invalid_request",), (None,)]


def test_a_receiver_that_is_not_there_is_a_failure(
    warehouse: Warehouse, conn: Connection, hook: Receiver
) -> None:
    """The kind of error is kept, not its text."""
    enqueue(conn)
    sink = {"type": "webhook", "url": "http://127.0.0.1:1/"}
    assert deliver(warehouse, config(hook, default=sink, attempts=1), HERE).dead == 1
    assert [letter.last_error for letter in dead_letters.listed(conn)] == ["econnrefused"]


def test_after_a_failure_the_event_waits_longer_each_time(
    warehouse: Warehouse, conn: Connection, hook: Receiver
) -> None:
    """It is not tried before its time; the wait doubles up to the longest."""
    enqueue(conn)
    hook.answer = lambda _event: 500
    slow = config(hook, first_delay_seconds=3600, longest_delay_seconds=10000)
    assert deliver(warehouse, slow, HERE) == Delivery(0, 1, 0, 1)
    assert deliver(warehouse, slow, HERE) == Delivery(0, 0, 0, 1)
    row = conn.execute(
        "select attempts, last_error, next_attempt_at - clock_timestamp()"
        " between interval '59 minutes' and interval '60 minutes' from governance.outbox_events"
    ).fetchone()
    assert row == (1, "http_500", True)
    assert [delay_seconds(slow, failures) for failures in (1, 2, 3, 90)] == [
        3600, 7200, 10000, 10000,
    ]  # fmt: skip


def test_events_of_a_subject_wait_behind_its_failed_one_and_others_do_not(
    warehouse: Warehouse, conn: Connection, hook: Receiver
) -> None:
    """Nobody hears of generation 2 before generation 1."""
    ids = [enqueue(conn, subject) for subject in ("a", "a", "b")]
    refused = {ids[0]}
    hook.answer = lambda event: 500 if event["id"] in refused else 200
    slow = config(hook, first_delay_seconds=3600)
    assert deliver(warehouse, slow, HERE) == Delivery(1, 1, 0, 2)
    assert hook.ids == [ids[0], ids[2]]
    refused.clear()
    conn.execute("update governance.outbox_events set next_attempt_at = '-infinity'")
    assert deliver(warehouse, slow, HERE) == Delivery(2, 0, 0, 0)
    assert hook.ids[2:] == [ids[0], ids[1]]


def test_exhausted_attempts_make_a_dead_letter_that_is_sent_again_on_demand(
    warehouse: Warehouse, conn: Connection, hook: Receiver
) -> None:
    """Kept, joined to its publication, sent again under the same id, audited."""
    attempt = publications.Attempt("acme", "loader", "k", "ab" * 32)
    published = publications.record(
        conn, attempt, kind="family", subject="trials", content_sha256="cd" * 32,
        validation={}, generation=1,
    )  # fmt: skip
    event_id = str(
        outbox.enqueue(
            conn, outbox.PUBLISHED, "trials", "market", {},
            publication_id=published.publication_id, source="run:7",
        )
    )  # fmt: skip
    hook.answer = lambda _event: 500
    assert deliver(warehouse, config(hook, attempts=3), HERE) == Delivery(0, 2, 1, 0)
    (letter,) = dead_letters.listed(conn)
    assert (str(letter.event_id), letter.attempts, letter.last_error) == (event_id, 3, "http_500")
    assert (letter.reference, letter.source) == (published.reference, "run:7")
    assert deliver(warehouse, config(hook), HERE) == Delivery(0, 0, 0, 0)

    hook.answer = lambda _event: 200
    with conn.transaction():
        dead_letters.resend(conn, [letter.dead_letter_id], by="ada", reason="receiver is back")
    assert deliver(warehouse, config(hook), HERE) == Delivery(1, 0, 0, 0)
    assert hook.ids == [event_id] * 4
    assert dead_letters.listed(conn) == []
    (kept,) = dead_letters.listed(conn, resent=True)
    assert (kept.resent_by, kept.resent_reason) == ("ada", "receiver is back")
    rows = conn.execute("select event, subject, actor, details from governance.audit_events")
    assert rows.fetchall() == [
        ("outbox.event.resent", "trials", "ada",
         {"dead_letter_id": letter.dead_letter_id, "event_id": event_id,
          "reason": "receiver is back"}),
    ]  # fmt: skip


def test_a_dead_letter_that_is_not_there_or_was_sent_again_is_refused_whole(
    warehouse: Warehouse, conn: Connection, hook: Receiver
) -> None:
    """All of the named ones or none."""
    enqueue(conn)
    hook.answer = lambda _event: 500
    deliver(warehouse, config(hook, attempts=1), HERE)
    (letter,) = dead_letters.listed(conn)
    with pytest.raises(UsageError) as refused, conn.transaction():
        dead_letters.resend(conn, [letter.dead_letter_id, 98, 99], by="ada", reason="x")
    assert str(refused.value) == (
        "Not a dead letter that waits: 98, 99. See `tidegate outbox dead-letters`."
    )
    assert dead_letters.listed(conn) == [letter]
    with pytest.raises(UsageError) as nameless:
        dead_letters.resend(conn, None, by="", reason="x")
    assert str(nameless.value) == (
        "Sending again needs who and why. Give --by and --reason, not empty."
    )


@pytest.mark.parametrize(
    "statement",
    [
        "delete from governance.dead_letters",
        "truncate governance.dead_letters",
        "update governance.dead_letters set last_error = 'x'",
    ],
)
def test_the_database_keeps_dead_letters(
    warehouse: Warehouse, conn: Connection, hook: Receiver, statement: str
) -> None:
    """Only the mark that it was sent again may be added."""
    enqueue(conn)
    hook.answer = lambda _event: 500
    deliver(warehouse, config(hook, attempts=1), HERE)
    with pytest.raises(psycopg.errors.RestrictViolation):
        conn.execute(statement)


def test_an_owner_without_a_sink_waits_and_nothing_is_lost(
    warehouse: Warehouse, conn: Connection, hook: Receiver
) -> None:
    """Its event goes out once somebody names a sink."""
    enqueue(conn, "a", "market")
    enqueue(conn, "b", "lab")
    some = config(hook, default=None, owners={"lab": {"type": "webhook", "url": hook.url}})
    assert deliver(warehouse, some, HERE) == Delivery(1, 0, 0, 1)
    assert hook.subjects == ["b"]
    assert deliver(warehouse, config(hook), HERE) == Delivery(1, 0, 0, 0)
    assert hook.subjects == ["b", "a"]


def test_two_deliverers_at_once_send_each_event_once(
    warehouse: Warehouse, conn: Connection, hook: Receiver
) -> None:
    """The server answers nothing until both deliverers are inside with an event of their own."""
    for number in range(12):
        enqueue(conn, f"s{number % 6}")
    both = threading.Barrier(2)
    meetings = iter(range(2))

    def answer(_event: dict[str, Any]) -> int:
        if next(meetings, None) is not None:
            both.wait(30)
        return 200

    hook.answer = answer
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda _: deliver(warehouse, config(hook), HERE), range(2)))
    assert sum(run.delivered for run in runs) == 12
    assert all(run.delivered for run in runs)
    assert len(set(hook.ids)) == len(hook.ids) == 12
    for number in range(6):
        sequence = [
            int(json.loads(body)["sequence"])
            for body in hook.bodies
            if json.loads(body)["subject"] == f"s{number}"
        ]
        assert sequence == sorted(sequence)


def test_a_limit_bounds_a_run(warehouse: Warehouse, conn: Connection, hook: Receiver) -> None:
    """Attempts count, whatever became of them."""
    for number in range(3):
        enqueue(conn, f"s{number}")
    assert deliver(warehouse, config(hook), HERE, limit=2) == Delivery(2, 0, 0, 1)


def both(hook: Receiver, folder: Path, **more: Any) -> OutboxConfig:
    """An owner with a webhook and a file."""
    sinks = [
        {"type": "webhook", "url": hook.url, "name": "crm"},
        {"type": "file", "path": str(folder / "lake.jsonl"), "name": "lake"},
    ]
    return OutboxConfig.model_validate(
        {"owners": {"market": sinks}, "first_delay_seconds": 0, **more}
    )


def in_lake(folder: Path) -> list[str]:
    """The ids of the events in the file."""
    lines = (folder / "lake.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["id"] for line in lines]


def test_an_event_of_an_owner_with_several_sinks_arrives_at_each_once(
    warehouse: Warehouse, conn: Connection, hook: Receiver, tmp_path: Path
) -> None:
    """Under one id; other owners wait, since there is no default."""
    event_id = enqueue(conn)
    enqueue(conn, "drugs", "nobody")
    assert deliver(warehouse, both(hook, tmp_path), HERE) == Delivery(1, 0, 0, 1)
    assert (hook.ids, in_lake(tmp_path)) == ([event_id], [event_id])


def test_a_sink_that_fails_is_tried_again_alone(
    warehouse: Warehouse, conn: Connection, hook: Receiver, tmp_path: Path
) -> None:
    """What has arrived elsewhere is not sent there again; later events of the subject wait."""
    hook.answer = lambda _event: 503
    first, second = enqueue(conn), enqueue(conn)
    sinks = both(hook, tmp_path, first_delay_seconds=3600)
    assert deliver(warehouse, sinks, HERE) == Delivery(0, 1, 0, 2)
    (row,) = [row for row in delivering.listed(conn, "waiting", 10) if row.attempts]
    assert (str(row.event_id), row.last_error) == (first, "crm http_503")
    assert in_lake(tmp_path) == [first]
    hook.answer = lambda _event: 204
    conn.execute("update governance.outbox_events set next_attempt_at = '-infinity'")
    assert deliver(warehouse, sinks, HERE) == Delivery(2, 0, 0, 0)
    assert hook.ids == [first, first, second]
    assert in_lake(tmp_path) == [first, second]


def test_a_dead_letter_names_the_sink_and_is_sent_again_only_there(
    warehouse: Warehouse, conn: Connection, hook: Receiver, tmp_path: Path
) -> None:
    """The file had it long ago."""
    hook.answer = lambda _event: 500
    event_id = enqueue(conn)
    sinks = both(hook, tmp_path, attempts=2)
    assert deliver(warehouse, sinks, HERE) == Delivery(0, 1, 1, 0)
    (letter,) = dead_letters.listed(conn)
    assert (letter.attempts, letter.last_error) == (2, "crm http_500")
    hook.answer = lambda _event: 204
    with warehouse.transaction() as again:
        dead_letters.resend(again, None, by="ada", reason="receiver is back")
    assert deliver(warehouse, sinks, HERE) == Delivery(1, 0, 0, 0)
    assert hook.ids == [event_id] * 3
    assert in_lake(tmp_path) == [event_id]
    assert conn.execute("select sink from governance.outbox_arrivals order by 1").fetchall() == [
        ("crm",),
        ("lake",),
    ]
