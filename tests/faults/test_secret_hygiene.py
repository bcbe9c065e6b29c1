"""Values that are planted in what others say to Tidegate stand in nothing that it writes."""

from __future__ import annotations

import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import psycopg
import pytest

from command_line import project
from planted_secrets import places, secret
from receiver import receiver
from tidegate.connection import Connection
from tidegate.ledger import audit, outbox, review
from tidegate.warehouse import Warehouse


def test_the_search_finds_what_is_written_in_any_form(conn: Connection, tmp_path: Path) -> None:
    """Text, JSON, bytes, definitions, files and texts; quarantine is where values belong."""
    value = secret()
    assert places(conn, [value], folders=[tmp_path], texts={"out": "nothing"}) == []
    audit.record(conn, "a.b", "x", value)
    review.open_item(conn, "rule", "x", "y", "z", {"deep": [{"er": value}]})
    conn.execute("create table governance.odd (bytes bytea); comment on table governance.odd is ''")
    conn.execute("insert into governance.odd values (%s)", [value.encode()])
    conn.execute(
        psycopg.sql.SQL("create view query.q_leak as select {} as v").format(
            psycopg.sql.Literal(value)
        )
    )
    (tmp_path / "run.log").write_text(f"row 7: {value}\n", encoding="utf-8")
    assert places(conn, [value], folders=[tmp_path], texts={"out": f"saw {value}"}) == [
        "governance.audit_events.actor",
        "governance.odd.bytes",
        "governance.review_items.details",
        "view query.q_leak",
        "run.log",
        "out",
    ]


def test_what_a_receiver_or_a_command_says_is_not_kept(
    warehouse: Warehouse, conn: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers, outputs, signing secrets and tokens: the outbox keeps kinds of failure only."""
    said, signing, token = secret(), secret(), secret()
    monkeypatch.setattr(
        BaseHTTPRequestHandler, "responses", {503: (said, said)}
    )  # the reason phrase of the answer
    tidegate = project(tmp_path, warehouse)
    with receiver() as hook:
        hook.answer = lambda _event: 503
        (tmp_path / "tidegate.yml").write_text(
            "outbox:\n  attempts: 1\n  owners:\n"
            f"    web: {{type: webhook, url: '{hook.url}', secret_env: SIGNING,"
            " headers_env: {Authorization: TOKEN}}\n"
            f"    program: {{type: command, argv: ['{sys.executable}', -c,"
            " \"import os, sys; print(os.environ['SAID']); sys.exit(os.environ['SAID'])\"]}\n",
            encoding="utf-8",
        )
        for owner in ("web", "program"):
            outbox.enqueue(conn, outbox.PUBLISHED, owner, owner, {})
        environ = {"SAID": said, "SIGNING": signing, "TOKEN": token}
        answers = [
            tidegate.process("outbox", "deliver", **environ),
            tidegate.run("outbox", "dead-letters", **environ),
            tidegate.run("outbox", "list", "--json", **environ),
            tidegate.run("doctor", **environ),
        ]
        assert hook.headers[0]["authorization"] == token
    assert "last http_503" in answers[1].out
    assert "last command_exit_1" in answers[1].out
    texts = {str(n): answer.out + answer.err for n, answer in enumerate(answers)}
    assert places(conn, [said, signing, token], folders=[tmp_path], texts=texts) == []


def test_a_password_of_the_server_is_not_told(tmp_path: Path, conn: Connection) -> None:
    """Not by an error of the connection, not by the doctor."""
    value = secret()
    away = Warehouse(f"postgresql://someone:{value}@127.0.0.1:1/warehouse", "test")
    tidegate = project(tmp_path, away)
    answers = [
        tidegate.run("doctor"),
        tidegate.run("doctor", "--json"),
        tidegate.run("outbox", "list"),
    ]
    assert [answer.code for answer in answers] == [2, 2, 2]
    texts = {str(n): answer.out + answer.err for n, answer in enumerate(answers)}
    assert places(conn, [value], folders=[tmp_path], texts=texts) == []


def test_a_malformed_connection_string_is_not_told(tmp_path: Path, conn: Connection) -> None:
    """libpq's own message repeats what it could not read."""
    value = secret()
    tidegate = project(tmp_path, Warehouse(f"postgresql://someone:{value}@[::1/x", "test"))
    answers = [tidegate.run("doctor"), tidegate.run("outbox", "list")]
    assert [answer.code for answer in answers] == [2, 2]
    assert answers[1].err == (
        "Error [environment]: DATABASE_URL is not a connection string.\n"
        "Write it as postgresql://user:password@host:5432/database.\nServing views unchanged.\n"
    )
    assert "missing  server       DATABASE_URL is not a connection string." in answers[0].out
    texts = {str(n): answer.out + answer.err for n, answer in enumerate(answers)}
    assert places(conn, [value], folders=[tmp_path], texts=texts) == []
