"""What the sources say of the subject of an overlay: kept beside the proposal.

A later build compares it with what it finds, so that an overlay is never put silently over
something else than what its curator saw. Where that fact has an overlay in force already, what that
one replaced is what the sources say.
"""

from __future__ import annotations

from psycopg import sql
from typing_extensions import LiteralString

from tidegate.connection import Connection
from tidegate.ledger.curation_words import ROW, SubjectKind
from tidegate.names import QUERY

ROW_TAIL = ("provenance_bundle_key", "publication_state", "contract_version")
"""Columns that say something of a published row and nothing of what it is about."""

_LINK = (
    "select coalesce(jsonb_agg(distinct c.target_key order by c.target_key), '[]')::text"
    " from resolution.candidates c where c.subject_kind = %s and c.subject_key = %s"
    " and c.overlay_key is null and c.target_key is not null"
)
_ASSERTION = (
    "select min((to_jsonb(a) -> 'source_value')::text) from canonical.assertions a"
    " where a.subject_key = %s and a.fact_path = %s having count(*) = 1"
)
_IN_FORCE = (
    "select o.fact_path, o.previous_value::text from curation.effective_overlays e"
    " join curation.overlays o using (overlay_key)"
    " where e.is_active and o.subject_kind = %s and o.subject_key = %s"
)
_SHOWN = (
    "select array_agg(shown.value ->> 'name') from governance.serving_heads heads"
    " join governance.generation_models models using (family, generation)"
    " cross join jsonb_array_elements(models.served) as shown"
    " where models.model = %s and shown.value ->> 'mask' is null"
)
_ROW = (
    "select (case when %(whole)s then said.facts else said.facts -> %(fact)s end)::text"
    " from {} as shown cross join lateral (select"
    "   coalesce((select jsonb_object_agg(one.key, one.value)"
    "     from jsonb_each(to_jsonb(shown)) as one where one.key = any(%(wanted)s)), '{{}}')"
    "   || coalesce((select jsonb_object_agg(one.key, one.value::jsonb)"
    "     from unnest(%(replaced)s::text[], %(values)s::text[]) as one (key, value)), '{{}}')"
    "   as facts) as said"
    " where shown.provenance_bundle_key = %(row)s"
)


def previous_value(
    conn: Connection, kind: SubjectKind, subject_key: str, fact_path: str
) -> str | None:
    """What the sources say, as JSON text; None where it is not there or not to be seen."""
    replaced: dict[str, str | None] = dict(
        conn.execute(_IN_FORCE, [kind.value, subject_key]).fetchall()
    )
    if fact_path in replaced:
        return replaced[fact_path]
    if kind is SubjectKind.PUBLISHED_ROW:
        return _of_row(conn, subject_key, fact_path, replaced)
    if kind is SubjectKind.ASSERTION:
        return _first(conn, "canonical.assertions", _ASSERTION, [subject_key, fact_path])
    return _first(conn, "resolution.candidates", _LINK, [kind.value, subject_key])


def _of_row(
    conn: Connection, subject_key: str, fact_path: str, replaced: dict[str, str | None]
) -> str | None:
    model = subject_key.partition("|")[0]
    row = conn.execute(_SHOWN, [model]).fetchone()
    shown = set((row[0] if row else None) or ()) - set(ROW_TAIL)
    wanted = shown if fact_path == ROW else shown & {fact_path}
    if not wanted:
        return None
    # Of a fact that an overlay changed readers see the overlay's value, never what the sources say.
    said = {fact: value for fact, value in replaced.items() if value is not None}
    found = conn.execute(
        sql.SQL(_ROW).format(sql.Identifier(QUERY, model)),
        {
            "whole": fact_path == ROW, "fact": fact_path, "wanted": sorted(wanted - set(replaced)),
            "replaced": list(said), "values": list(said.values()), "row": subject_key,
        },
    ).fetchone()  # fmt: skip
    return found[0] if found else None


def _first(
    conn: Connection, relation: str, statement: LiteralString, values: list[str]
) -> str | None:
    known = conn.execute("select to_regclass(%s) is not null", [relation]).fetchone()
    if not known or not known[0]:
        return None
    row = conn.execute(statement, values).fetchone()
    return row[0] if row else None
