"""`tidegate check`: any table of any database, read only, without a ledger."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from logins import login
from tidegate.cli import main
from tidegate.warehouse import Warehouse

POLICY = {
    "version": "v1",
    "rules": [
        {"id": "some", "type": "row_count", "minimum": 1},
        {"id": "key", "type": "unique", "field": "id"},
        {"id": "state", "type": "referential", "field": "state", "allowed_values": ["new"],
         "severity": "warning"},
    ],
}  # fmt: skip


@pytest.fixture
def check(
    empty_database: Warehouse,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Any:
    """Run the command outside of any dbt project: exit code, standard output, standard error."""
    monkeypatch.setenv("DATABASE_URL", empty_database.conninfo)
    monkeypatch.chdir(tmp_path)

    def run(policy: Any, *arguments: str, setup: str = "") -> tuple[int, str, str]:
        (tmp_path / "policy.json").write_text(json.dumps(policy))
        with empty_database.connect() as conn:
            conn.execute(setup.encode() or b"select 1")
        monkeypatch.setattr(
            "sys.argv", ["tidegate", "check", "--policy", "policy.json", *arguments]
        )
        code = 0
        try:
            main()
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


TABLE = (
    "create schema shop; create table shop.orders (n int, id int, state text);"
    "insert into shop.orders values (1, 7, 'new'), (2, 7, 'old'), (3, 8, null);"
)


def test_a_failing_table_is_told_rule_by_rule(check: Any) -> None:
    """Each rule has a line, the verdict is last, and the exit code is 1."""
    code, out, err = check(POLICY, "--relation", "shop.orders", "--row-number", "n", setup=TABLE)
    lines = out.splitlines()
    assert lines[0].startswith("shop.orders: 3 rows, policy v1 (sha256 ")
    assert lines[1:] == [
        "  passed         some   row_count",
        "  failed         key    unique: 2 rows; 1 group; row numbers 1, 2",
        "  warning        state  referential: 2 rows; 1 null; 1 distinct; row numbers 2, 3",
        "FAILED: 3 rules, 1 passed, 1 failed, 1 warning.",
        "Nothing was written.",
    ]
    assert (code, err) == (1, "")


@pytest.mark.parametrize(
    ("rules", "fail_on", "expected"),
    [
        ([0], "error", 0),
        ([0, 2], "error", 0),
        ([0, 2], "warning", 1),
        ([0, 1], "error", 1),
        ([0, 1], "warning", 1),
        ([0, 1, 2], "never", 0),
    ],
)
def test_d10_exit_codes(check: Any, rules: list[int], fail_on: str, expected: int) -> None:
    """Case D10: a warning fails only where it is asked to; a failing rule is 1."""
    policy = {**POLICY, "rules": [POLICY["rules"][index] for index in rules]}
    code, _, _ = check(policy, "--relation", "shop.orders", "--fail-on", fail_on, setup=TABLE)
    assert code == expected


def test_nothing_judged_is_never_zero(check: Any) -> None:
    """No row and only rules about rows: 2, even with leave and with --fail-on never."""
    policy = {**POLICY, "rules": [POLICY["rules"][1]]}
    code, out, _ = check(policy, "--relation", "public.t", "--allow-empty", "--fail-on", "never",
                         setup="create table public.t (id int)")  # fmt: skip
    assert code == 2
    assert "  not evaluated  key  unique: no rows to judge" in out


def test_json_and_junit_say_the_same(check: Any, tmp_path: Path) -> None:
    """`--json` is the evidence document; `--junit` has a case for each rule."""
    code, out, _ = check(POLICY, "--relation", "shop.orders", "--json", "--junit", "r.xml",
                         setup=TABLE)  # fmt: skip
    document = json.loads(out)
    assert (code, document["relation"], document["verdict"]) == (1, "shop.orders", "failed")
    assert [rule["status"] for rule in document["rules"]] == ["passed", "failed", "warning"]
    suite = ElementTree.parse(tmp_path / "r.xml").getroot()  # noqa: S314 (our own file)
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3", "failures": "1", "errors": "0", "skipped": "0",
    }  # fmt: skip
    assert [[child.tag for child in case] for case in suite] == [[], ["failure"], ["system-out"]]


def test_names_are_read_as_postgresql_reads_them(check: Any) -> None:
    """Quotes keep case and dots; anything else is a mistake that is told."""
    setup = 'create table public."My.Table" (id int, state text); '
    code, out, _ = check(POLICY, "--relation", 'PUBLIC."My.Table"', setup=setup)
    assert (code, out.splitlines()[0].partition(":")[0]) == (1, "public.My.Table")
    for text in ("orders", "a.b.c", 'x"', ""):
        code, _, err = check(POLICY, "--relation", text)
        assert (code, err) == (
            2,
            f"Error [usage]: {text!r} is not the name of a table or view.\n"
            'Give it as schema.table, or as "Schema"."Table" where case matters.\n'
            "Serving views unchanged.\n",
        )


def test_a_bad_policy_is_told_before_anything_is_read(check: Any) -> None:
    """Every problem of the file, with its line, and exit code 2."""
    code, _, err = check({"version": "1", "rules": [{"id": "a", "type": "regex"}]},
                         "--relation", "shop.orders")  # fmt: skip
    assert code == 2
    assert err.startswith("Error [contract]: policy.json:1: /rules/0/type: is not a rule type.")


def test_check_writes_nothing_and_needs_no_ledger(check: Any, empty_database: Warehouse) -> None:
    """The database is as it was: no schema was made, and a view that writes is refused."""
    setup = (
        TABLE + "create function shop.writes() returns int language sql as"
        " 'insert into shop.orders values (9, 9, ''new'') returning 1';"
        "create view shop.sly as select shop.writes() as id, 'new' as state;"
    )
    code, out, _ = check(POLICY, "--relation", "shop.sly", setup=setup)
    assert code == 2
    assert "ReadOnlySqlTransaction [25006]" in out
    with empty_database.connect() as conn:
        assert conn.execute("select count(*) from shop.orders").fetchone() == (3,)
        names = conn.execute(
            "select nspname from pg_namespace where nspname !~ '^(pg_|information_schema)'"
        ).fetchall()
    assert sorted(names) == [("public",), ("shop",)]


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII", "EUC_JP"])
def test_a_database_of_any_encoding_is_judged(
    check: Any, server: str, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    """Names and allowed values mean the same text there."""
    name = f"tidegate_{encoding.lower()}"
    city = "\u6771\u4eac" if encoding == "EUC_JP" else "K\u00f6ln"
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(f"drop database if exists {name}")  # type: ignore[arg-type]
        conn.execute(
            f"create database {name} template template0 encoding '{encoding}' locale 'C'"  # type: ignore[arg-type]
        )
    url = make_conninfo(server, dbname=name)
    with psycopg.connect(url, client_encoding="utf8", autocommit=True) as conn:
        conn.execute(f'create table public.t (n int, "{city}" text)')  # type: ignore[arg-type]
        conn.execute("insert into public.t values (1, %s), (2, 'x')", [city])
    monkeypatch.setenv("DATABASE_URL", url)
    policy = {
        "version": "1",
        "rules": [{"id": "city", "type": "referential", "field": city, "allowed_values": [city]}],
    }
    code, out, err = check(policy, "--relation", "public.t", "--row-number", "n")
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(f"drop database {name}")  # type: ignore[arg-type]
    assert (code, err) == (1, "")
    assert (
        "  failed         city  referential: 1 row; 1 distinct; row numbers 2" in out.splitlines()
    )


def test_a_login_with_one_connection_and_select_alone_is_enough(
    check: Any, empty_database: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Uniqueness is judged on a connection of its own where there is one, else after the scan."""
    check(POLICY, "--relation", "shop.orders", setup=TABLE)
    with login(empty_database, attributes="connection limit 1") as only:
        with empty_database.connect() as conn:
            user = sql.Identifier(conninfo_to_dict(only.conninfo)["user"])
            conn.execute(sql.SQL("grant usage on schema shop to {}").format(user))
            conn.execute(sql.SQL("grant select on shop.orders to {}").format(user))
        monkeypatch.setenv("DATABASE_URL", only.conninfo)
        code, out, err = check(POLICY, "--relation", "shop.orders", "--row-number", "n")
    assert (code, err) == (1, "")
    assert "  failed         key    unique: 2 rows; 1 group; row numbers 1, 2" in out.splitlines()


def test_rows_that_row_security_hides_have_not_passed(
    check: Any, empty_database: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the table itself with a remedy, of a table below a view as a statement refused."""
    setup = (
        TABLE + "alter table shop.orders enable row level security;"
        "create policy own on shop.orders using (n = 1);"
        "create view shop.seen with (security_invoker) as select * from shop.orders;"
        "create view shop.all_of_it as select * from shop.orders;"
    )
    check(POLICY, "--relation", "shop.orders", setup=setup)
    with login(empty_database) as tenant:
        with empty_database.connect() as conn:
            user = sql.Identifier(conninfo_to_dict(tenant.conninfo)["user"])
            conn.execute(sql.SQL("grant usage on schema shop to {}").format(user))
            conn.execute(sql.SQL("grant select on all tables in schema shop to {}").format(user))
        monkeypatch.setenv("DATABASE_URL", tenant.conninfo)
        assert check(POLICY, "--relation", "shop.orders") == (
            2,
            "",
            "Error [usage]: Row security hides rows of shop.orders from this role: what it does"
            " not see would count as passed.\n"
            "Judge it as its owner or as a role with BYPASSRLS, or judge a view that shows what is"
            " meant.\n"
            "Serving views unchanged.\n",
        )
        code, out, _ = check(POLICY, "--relation", "shop.seen")
        assert (code, out.count("InsufficientPrivilege [42501]")) == (2, 3)
        code, out, _ = check(POLICY, "--relation", "shop.all_of_it")
        assert (code, out.partition(",")[0]) == (1, "shop.all_of_it: 3 rows")


def test_a_connection_string_that_is_none_is_told_without_its_password(
    check: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not a bug, and libpq's own text holds the password."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:secret@host:notaport/x y")
    assert check(POLICY, "--relation", "shop.orders") == (
        2,
        "",
        "Error [environment]: DATABASE_URL is not a connection string.\n"
        "Write it as postgresql://user:password@host:5432/database.\n"
        "Serving views unchanged.\n",
    )


def test_a_result_is_printed_though_its_file_cannot_be_written(check: Any) -> None:
    """What took an hour to judge is not lost, and the exit code says that something is missing."""
    code, out, err = check(POLICY, "--relation", "shop.orders", "--junit", "no/r.xml", setup=TABLE)
    assert out.splitlines()[-2:] == [
        "FAILED: 3 rules, 1 passed, 1 failed, 1 warning.",
        "Nothing was written.",
    ]
    assert (code, err) == (
        2,
        "Error [usage]: no/r.xml cannot be written: No such file or directory.\n"
        "Name a file in a folder that is there.\n"
        "Serving views unchanged.\n",
    )
