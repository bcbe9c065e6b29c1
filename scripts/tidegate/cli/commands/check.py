"""Judge families by their gates, or any table by a quality policy; nothing is written."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tidegate.cli.session import fail_on_option, json_option, print_json, write_report

if TYPE_CHECKING:
    from psycopg import Connection

    from tidegate.rules.policy import Policy
    from tidegate.rules.relation import Relation
    from tidegate.rules.validation import Validation
    from tidegate.warehouse import Warehouse


# Where row security would hide rows of a table below a view, the server refuses instead.
_SNAPSHOT = (
    "set transaction isolation level repeatable read, read only; set local row_security to off"
)


@click.command()
@click.argument("families", nargs=-1)
@click.option("--serving", is_flag=True, help="Judge what readers see instead of the candidates.")
@click.option(
    "--policy",
    "policy_file",
    type=click.Path(path_type=Path),
    help="The policy as a JSON file (docs/rules.md).",
)
@click.option("--relation", help="The table or view that --policy judges, as schema.table.")
@click.option("--row-number", help="A column of one-based numbers that name rows in the result.")
@click.option("--allow-empty", is_flag=True, help="An empty relation does not fail.")
@click.option(
    "--junit", type=click.Path(path_type=Path), help="Write the result as JUnit XML to this file."
)
@click.option(
    "--keep-examples",
    is_flag=True,
    help="Keep public values of the rows that were named, for `tidegate examples`.",
)
@json_option
@fail_on_option
@click.pass_context
def command(
    ctx: click.Context,
    families: tuple[str, ...],
    serving: bool,
    policy_file: Path | None,
    relation: str | None,
    row_number: str | None,
    allow_empty: bool,
    junit: Path | None,
    keep_examples: bool,
    as_json: bool,
    fail_on: str,
) -> None:
    """Judge FAMILIES (default: all) by their gates, or --relation by --policy; nothing is written.

    Gates judge the candidates that `tidegate build` or `dbt build` made, or with --serving what
    readers see. A policy judges a table or view of any database (DATABASE_URL, the dbt profile, or
    the embedded one) and needs no ledger. Exit codes: 0 ready, 1 held by --fail-on, 2 when nothing
    could be judged.
    """
    from tidegate.reporting.validation import validation_junit, validation_text
    from tidegate.rules.load import load_policy

    if policy_file is None and relation is None:
        ctx.exit(_check_gates(families, serving, junit, keep_examples, as_json, fail_on))
    if policy_file is None or relation is None or families or serving or keep_examples:
        raise click.UsageError("--policy and --relation belong together, without families.")
    policy = load_policy(policy_file)
    warehouse = _warehouse()
    validation, name = _judge(warehouse, policy, relation, row_number, allow_empty)
    if as_json:
        print_json({"relation": name, **validation.document()})
    else:
        click.echo(validation_text(validation, name))
        click.echo("Nothing was written.")
    if junit:
        write_report(junit, validation_junit(validation, name))
    ctx.exit(_exit_code(validation, fail_on))


def _check_gates(
    families: tuple[str, ...],
    serving: bool,
    junit: Path | None,
    keep_examples: bool,
    as_json: bool,
    fail_on: str,
) -> int:
    """Run the gates of families and print what each one found."""
    from tidegate.cli.session import opened
    from tidegate.ledger.examples import keep_of_check
    from tidegate.publishing.aside import judge
    from tidegate.publishing.context import Context
    from tidegate.reporting.gates import gates_exit_code, gates_junit, gates_lines
    from tidegate.warehouse.connect import privileges

    settings, warehouse = opened()
    results = judge(Context(settings, warehouse), families, serving=serving)
    written = "Nothing was written."
    if keep_examples:
        with privileges("keep examples of gates"), warehouse.connect() as conn:
            written = f"{keep_of_check(conn, results)} examples were kept, and nothing else."
    if as_json:
        print_json({"gates": [result.document() for result in results]})
    else:
        click.echo("\n".join(gates_lines(results)))
        click.echo(f"{written} Serving views unchanged.")
    if junit:
        write_report(junit, gates_junit(results))
    return gates_exit_code(results, fail_on)


def _warehouse() -> Warehouse:
    """DATABASE_URL needs no dbt project around; everything else does."""
    import os

    from tidegate.settings import read_settings
    from tidegate.warehouse import named_by_url, open_warehouse

    url = os.environ.get("DATABASE_URL")
    return named_by_url(url) if url else open_warehouse(read_settings())


def _judge(
    warehouse: Warehouse,
    policy: Policy,
    relation: str,
    row_number: str | None,
    allow_empty: bool,
) -> tuple[Validation, str]:
    """Evaluate on one read-only snapshot; uniqueness beside the scan where there is any."""
    from tidegate.rules.evaluation import evaluate

    with ExitStack() as stack:
        conn = stack.enter_context(warehouse.transaction())
        conn.execute(_SNAPSHOT)
        found = _relation(conn, relation)
        unique = any(rule.type == "unique" for rule in policy.rules)
        workers = _workers(stack, warehouse, conn) if unique else []
        validation = evaluate(
            conn,
            policy,
            found,
            row_number=row_number,
            allow_empty=allow_empty,
            workers=workers,
        )
    return validation, str(found)


def _workers(
    stack: ExitStack, warehouse: Warehouse, conn: Connection[tuple[Any, ...]]
) -> list[Connection[tuple[Any, ...]]]:
    """A second connection that sees exactly what the first one sees; none where there is none."""
    from psycopg import sql

    from tidegate.errors import ServerUnreachable

    try:
        worker = stack.enter_context(warehouse.transaction())
    except ServerUnreachable:
        # A login may have one connection only: uniqueness is judged after the scan then.
        return []
    exported = conn.execute("select pg_export_snapshot()").fetchone()
    worker.execute(_SNAPSHOT)
    snapshot = sql.Literal(exported[0] if exported else "")
    worker.execute(sql.SQL("set transaction snapshot {}").format(snapshot))
    return [worker]


def _relation(conn: Connection[tuple[Any, ...]], text: str) -> Relation:
    """Take a name apart as PostgreSQL would: quotes keep case, dots and spaces."""
    import psycopg

    from tidegate.errors import UsageError
    from tidegate.rules.relation import Relation

    try:
        with conn.transaction():
            row = conn.execute("select parse_ident(%s)", [text]).fetchone()
    except psycopg.DataError:
        row = None
    parts = row[0] if row else []
    if len(parts) != 2:
        raise UsageError(
            f"{text!r} is not the name of a table or view.",
            remedy='Give it as schema.table, or as "Schema"."Table" where case matters.',
        )
    return Relation(parts[0], parts[1])


def _exit_code(validation: Validation, fail_on: str) -> int:
    """The exit code of design §8: where nothing was judged, never 0."""
    from tidegate.rules.validation import Verdict

    if not validation.evaluated:
        return 2
    failing = {
        "never": (),
        "error": (Verdict.FAILED,),
        "warning": (Verdict.FAILED, Verdict.READY_WITH_WARNINGS),
    }[fail_on]
    return 1 if validation.verdict in failing else 0
