"""The trial family of the samples, multiplied: a candidate with as many trials as asked for.

Trial `n` is a copy of a sample trial, chosen by `n` alone, so that every run makes the same rows:
one in fifty copies is of a trial with posted results, as far as a registry goes, and each of those
has hundreds of rows. Keys hold the registry number, which is replaced wherever it stands, but not
in what names what lies below the family: receipts go on naming the artefacts, claims and links that
there are.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from psycopg import sql

from bench.server import Server
from tidegate.connection import Connection
from tidegate.deliveries.landing import land
from tidegate.names import candidate_schema, generation_schema
from tidegate.publishing.context import Context
from tidegate.publishing.publish import Request
from tidegate.publishing.refresh import refresh
from tidegate.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
FAMILY = "clinical_trials"
POSTED = 50
"""One in so many trials has results."""
_PICKS = """
create table public.picks as
with samples as (
    select
        nct_id,
        has_results,
        row_number() over (partition by has_results order by nct_id) - 1 as place,
        count(*) over (partition by has_results) as size
    from {trials}
)
select samples.nct_id as sample, 'NCT9' || lpad(n::text, 7, '0') as copy
from generate_series(1, {count}) as n
inner join samples
    on samples.has_results = (n % {posted} = 0)
    and samples.place = (n / case when n % {posted} = 0 then {posted} else 1 end) % samples.size
"""
_BELOW = ("claim_id", "attempt_id", "resolution_link_key")
"""Columns that name rows below the family, beside those of the source."""
_CONSTRAINTS = """
select conname, pg_get_constraintdef(oid) from pg_catalog.pg_constraint
where conrelid = to_regclass(%s) and contype in ('p', 'u') order by contype
"""


class ScaledTrials:
    """A database with the samples published, and a candidate of the trial family beside it."""

    def __init__(self, server: Server, say: Callable[[str], None]) -> None:
        self.warehouse = server.database()
        self.home = Path(tempfile.mkdtemp(prefix="gates-", dir=server.folder))
        self.settings = Settings(ROOT, self.home)
        say("landing the samples")
        assert land(self.settings, self.warehouse, [ROOT / "samples"]).exit_code == 0
        say("publishing the families that trials refer to")
        wanted = ("spines", FAMILY)
        report = refresh(self.settings, self.warehouse, wanted, Request(force=True))
        assert not report.withheld, report
        self.context = Context(self.settings, self.warehouse)
        self.models = tuple(model.name for model in self.context.family_models(FAMILY))

    def make(self, trials: int) -> int:
        """Make the candidate's tables, with the keys that dbt would give them; how many rows."""
        source = generation_schema(FAMILY, 1)
        rows = 0
        with self.warehouse.connect() as conn:
            schema = sql.Identifier(candidate_schema(FAMILY))
            conn.execute(sql.SQL("drop schema if exists {} cascade").format(schema))
            conn.execute(sql.SQL("create schema {}").format(schema))
            conn.execute("drop table if exists public.picks")
            conn.execute(
                sql.SQL(_PICKS).format(
                    trials=sql.Identifier(source, "q_trials"),
                    count=sql.Literal(trials),
                    posted=sql.Literal(POSTED),
                )
            )
            conn.execute("analyze public.picks")
            for model in self.models:
                rows += _multiply(conn, source, candidate_schema(FAMILY), model)
        return rows


def _multiply(conn: Connection, source: str, target: str, model: str) -> int:
    listed = conn.execute(
        "select attname, format_type(atttypid, atttypmod), attnotnull"
        " from pg_catalog.pg_attribute where attrelid = to_regclass(%s)"
        " and attnum > 0 and not attisdropped and attname <> '_generation' order by attnum",
        [f"{source}.{model}"],
    ).fetchall()
    columns = {name: kind for name, kind, _ in listed}
    table = sql.Identifier(target, model)
    numbered = _numbered(columns)
    if numbered is None:
        values = sql.SQL(", ").join(sql.Identifier("s", name) for name in columns)
        origin = sql.SQL("{} as s").format(sql.Identifier(source, model))
    else:
        values = sql.SQL(", ").join(_copied(name, kind) for name, kind in columns.items())
        origin = sql.SQL(
            "(select *, substring({} from 'NCT[0-9]{{8}}') as sample from {}) as s"
            " inner join public.picks as p using (sample)"
        ).format(sql.Identifier(numbered), sql.Identifier(source, model))
    made = conn.execute(
        sql.SQL("create table {} as select {} from {}").format(table, values, origin)
    )
    keep = sql.SQL(", ").join(
        sql.SQL("alter {} set not null").format(sql.Identifier(name))
        for name, _, required in listed
        if required
    )
    conn.execute(sql.SQL("alter table {} {}").format(table, keep))
    for _, definition in conn.execute(_CONSTRAINTS, [f"{source}.{model}"]).fetchall():
        conn.execute(sql.SQL("alter table {} add {}").format(table, sql.SQL(definition)))
    return made.rowcount


def _numbered(columns: dict[str, str]) -> str | None:
    """A column that holds the registry number in every row."""
    return next((name for name in ("trial_key", "receipt_key") if name in columns), None)


def _copied(name: str, kind: str) -> sql.Composed:
    column = sql.Identifier("s", name)
    if name.startswith("source_") or name in _BELOW or kind not in ("text", "text[]"):
        return sql.SQL("{} as {}").format(column, sql.Identifier(name))
    return sql.SQL("replace({}::text, s.sample, p.copy)::{} as {}").format(
        column, sql.SQL(kind), sql.Identifier(name)
    )
