"""No condition of the gates of contracts, keys and receipts can be wrong in one place unnoticed.

What each finding means is told in the tests of each gate; here many rows are judged at once by the
gate and by each of its mutants (`mutants.py`), and no mutant may answer like the gate everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from integration.gating import SCHEMA, model, spec
from integration.semantic_gating import survivors
from tidegate.connection import Connection
from tidegate.gates.calls import OVERLAYS
from tidegate.gates.model import GateSpec, Model, Related

Way = Callable[[], GateSpec]


def run(conn: Connection, *statements: str) -> None:
    """Statements in the schema of the generation."""
    conn.execute(f"set search_path to {SCHEMA}, pg_catalog".encode())
    for statement in statements:
        conn.execute(statement.encode())
    conn.execute("set search_path to pg_catalog, pg_temp")


def unnoticed(conn: Connection, checks: Iterable[GateSpec], equal: Sequence[str] = ()) -> set[str]:
    """The mutants that answer like the gate in every one of these checks."""
    alive = [set(survivors(conn, check, equal=equal)) for check in checks]
    return set.intersection(*alive)


def test_referential_integrity(conn: Connection) -> None:
    """Parts of a key, members of arrays, nulls, states of owners, and rows that are left out."""
    conn.execute(f"create schema {SCHEMA}".encode())
    run(
        conn,
        "create table q_owners (owner_key text, part text, publication_state text)",
        "insert into q_owners values ('a', '1', 'published'), ('b', '1', 'provisional'),"
        " ('c', '2', 'superseded'), (null, '3', 'published')",
        "create table q_rows (row_key text, owner_key text, part text, parts text[])",
        "insert into q_rows values ('found', 'a', '1', '{1}'), ('half', 'a', '2', '{1,2}'),"
        " ('other half', 'x', '1', '{1}'), ('dangling', 'x', 'x', '{x}'),"
        " ('provisional', 'b', '1', '{1}'), ('superseded', 'c', '2', '{2}'),"
        " ('no part', 'a', null, '{}'), ('no key', null, '1', '{1}'),"
        " ('nothing', null, null, null), ('left out', 'x', '1', '{1}'),"
        " ('half of b', 'b', '9', '{9}')",
    )
    owners = model(
        "q_owners", "owner_key text!, part text, publication_state text!", row_key=["owner_key"]
    )

    def check(*columns: str, array: bool = False) -> GateSpec:
        reference = {
            "columns": list(columns),
            "to": "q_owners",
            "to_columns": ["owner_key", "part"][: len(columns)],
            "array": array,
            "expected": True,
        }
        judged = model(
            "q_rows",
            "row_key text!, owner_key text, part text, parts text[]",
            row_key=["row_key"],
            references=[reference],
        )
        return spec("referential_integrity", judged, owners, where="row_key <> 'left out'")

    checks = [check("owner_key", "part"), check("owner_key", "parts", array=True)]
    assert unnoticed(conn, checks) == set()


CATALOGUE = (
    "create table q_catalog__clinical_trials (model_name text, column_name text,"
    " contract_version text, description text, grain text, owner text, provenance_policy text)"
)
COMPLETE = "'3', 'Described.', 'one row', 'trials', 'none'"


def test_catalog_contract_coverage(conn: Connection) -> None:
    """Every kind of relation and none that is not served; each key of a row of the catalogue."""
    conn.execute(f"create schema {SCHEMA}".encode())
    catalog = model(
        "q_catalog__clinical_trials", "row_key text!", row_key=["row_key"], public=False
    )
    columns = ["contract_version", "description", "grain", "owner", "provenance_policy"]
    lacking = [
        f"insert into q_catalog__clinical_trials select 'q_all', 'lacks_{name}', "
        + ", ".join("' '" if name == other else f"'{other}'" for other in columns)
        for name in columns
    ]
    run(
        conn,
        CATALOGUE,
        "create table q_all (described text, elsewhere text, gone text, _generation integer, "
        + ", ".join(f"lacks_{name} text" for name in columns)
        + ")",
        "alter table q_all drop column gone",
        "create table q_parts (a integer) partition by list (a)",
        "create view q_view as select 1 as a",
        "create materialized view q_kept as select 1 as a",
        "create foreign data wrapper nobody",
        "create server elsewhere foreign data wrapper nobody",
        "create foreign table q_far (a integer) server elsewhere",
        "create index q_index on q_all (described)",
        "create table q_all__dbt_tmp (a integer)",
        "create table not_served (a integer)",
        "create schema other create table q_other (a integer)",
        f"insert into q_catalog__clinical_trials values ('q_all', 'described', {COMPLETE}),"
        f" ('q_view', 'elsewhere', {COMPLETE})",
        *lacking,
    )
    full = spec("catalog_contract_coverage", catalog)
    # No column has the number 0.
    alive = set(survivors(conn, full, equal=["bound: pg_attribute.attnum > 0"]))
    run(conn, "truncate q_catalog__clinical_trials")
    assert alive & set(survivors(conn, full)) == set()


def test_schema_contract(conn: Connection) -> None:
    """Each way to differ, for every kind of relation; nulls and values where it has rows.

    Of an empty enum every value is outside, and a null is none.
    """
    conn.execute(f"create schema {SCHEMA}".encode())
    body = (
        "same text not null, other_type integer not null, looser text, stricter text not null,"
        " additive text, word text, words text[], known text, never text, lists text[], small real,"
        " large float8, amount numeric(10,2), odd integer, _generation integer"
    )
    run(
        conn,
        f"create table q_table ({body}, gone text)",
        "alter table q_table drop column gone",
        "insert into q_table (same, other_type, stricter, word, words, known, lists) values"
        " ('a', 1, 's', 'in', '{in}', 'in', '{in,also}'),"
        " ('b', 1, 's', 'out', '{in}', 'also', '{}'),"
        " ('c', 1, 's', null, '{out}', null, null)",
        "create view q_view as select * from q_table",
        f"create table q_parts ({body}) partition by list (same)",
        "create foreign data wrapper nobody",
        "create server elsewhere foreign data wrapper nobody",
        f"create foreign table q_far ({body}) server elsewhere",
    )

    def check(name: str, **closed: tuple[str, ...]) -> GateSpec:
        described = model(
            name,
            "same text!, other_type text!, looser text!, stricter text, missing text, word text,"
            " words text[], known text, never text, lists text[], small float(24), large float(25),"
            " amount numeric(10;2), odd integer(3), place geometry(Point;4326)",
            row_key=["same"],
        )
        columns = tuple(
            replace(
                column,
                data_type=column.data_type.replace(";", ","),
                enum=closed.get(column.name),
            )
            for column in described.columns
        )
        return spec(
            "schema_contract", Model(described.name, described.keys, columns, described.candidate)
        )

    closed = dict.fromkeys(("word", "words", "known", "lists"), ("in", "also"))
    closed["never"] = ()
    checks = [
        check("q_table", **closed),
        check("q_view", **closed),
        check("q_parts"),
        check("q_far"),
    ]
    equal = [
        # No column has the number 0, and a relation that is not there is told without the macro.
        "bound: pg_attribute.attnum > 0",
        "lifted: WHERE judged.relation IS NOT NULL",
        "only difference.differs: ",
        # A type without modifiers has the modifier -1, and no first one.
        "only modifier.typmod IS NULL: ",
        "only NOT spelled.base_type ~* ",
    ]
    assert unnoticed(conn, checks, equal) == set()


def test_provenance_coverage(conn: Connection) -> None:
    """Each thing that a receipt may lack, whose it is, and what a curator changed."""
    conn.execute(f"create schema {SCHEMA}".encode())
    run(conn, *RECEIPTS)

    def check(policy: str, **options: object) -> GateSpec:
        judged = model(
            "q_rows",
            "row_key text!, fact text, arm text, group_key text, provenance_bundle_key text",
            row_key=["row_key"],
            provenance={"policy": policy, "facts": ["fact"] if "fact" in policy else []},
        )
        related = {OVERLAYS: Related(OVERLAYS, SCHEMA, OVERLAYS)}
        return spec(
            "provenance_coverage", judged, related=related, where="row_key <> 'left out'", **options
        )

    link = {"fact": "arm", "kind": "trial_arm_link", "subject": "group_key"}
    checks = [
        check("fact_required", arguments={"links": [link]}),
        check("optional", arguments={"links": [link]}),
    ]
    spares = [
        # Looks that spare most rows the sums and joins behind them, which say the same.
        *(f"{what}: {'NOT (' * no}receipts.source_"
          for what, no in (("bound", 0), ("unknown passes", 1))),
        "lifted: WHERE receipt.lacks IS DISTINCT FROM 0",
        "only lacking.applies: lacking.applies AND NOT doubts.absent",
        "only (overlays.is_active AND overlays.subject_kind = 'published_row' AND"
        " overlays.overlay_kind IN ('override', 'suppression')): ",
    ]  # fmt: skip
    assert unnoticed(conn, checks, equal=spares) == set()


def receipt(row: str, fact: str = "$row", **said: str) -> str:
    """A complete receipt as an insert, but for what is said of it (SQL)."""
    values = {
        "model_name": "'q_rows'", "row_key": f"'{row}'", "fact_path": f"'{fact}'",
        "role": "'primary'", "provenance_bundle_key": f"'q_rows|{row}'",
        "completeness": "'complete'", "source_artifact_key": "'a'", "source_content_hash": "'h'",
        "source_version_id": "'v'", "locator": "'{}'", "source_authority_tier": "'registry'",
        **said,
    }  # fmt: skip
    return (
        f"insert into q_provenance__clinical_trials ({', '.join(values)})"
        f" values ({', '.join(values.values())})"
    )


MODEL = {"source_authority_tier": "'model_inferred'"}
LACKING = {
    "whole": {}, "no_role": {"role": "null"}, "no_artifact": {"source_artifact_key": "' '"},
    "no_hash": {"source_content_hash": "null"}, "no_version": {"source_version_id": "''"},
    "no_locator": {"locator": "null"}, "partial": {"completeness": "'partial'"},
    "unsaid": {"completeness": "null"}, "supported": {"role": "'supporting'"},
    "contradicted": {"role": "'conflicting'"}, "other_model": {"model_name": "'q_others'"},
    "other_bundle": {"provenance_bundle_key": "'q_rows|elsewhere'"},
    "other_key": {"row_key": "'nobody'"},
    "claimed": {**MODEL, "claim_id": "'c'", "attempt_id": "'a'"},
    "no_attempt": {**MODEL, "claim_id": "'c'"}, "no_claim": {**MODEL, "attempt_id": "'a'"},
}  # fmt: skip
"""Rows and what their one receipt says otherwise."""
NAMED = {"curation_overlay_key": "'ov:named'"}
OVERLAID = (
    # Key, kind of subject, subject, fact, kind, whether it is in force.
    ("ov:named", "published_row", "q_rows|named", "fact", "override", True),
    ("ov:named", "published_row", "q_rows|by_other_model", "fact", "override", True),
    ("ov:named", "published_row", "q_rows|by_other_row", "fact", "override", True),
    ("ov:named", "published_row", "q_rows|by_other_fact", "fact", "override", True),
    ("ov:own", "published_row", "q_rows|by_other_overlay", "fact", "override", True),
    ("ov:hidden", "published_row", "q_rows|hidden", "fact", "suppression", True),
    ("ov:asleep", "published_row", "q_rows|whole", "fact", "override", False),
    ("ov:alias", "org_alias", "q_rows|whole", "fact", "override", True),
    ("ov:link", "published_row", "q_rows|whole", "fact", "link_correction", True),
    ("ov:others", "published_row", "q_others|whole", "fact", "override", True),
    *(
        (f"ov:{row}", kind, f"q_rows|{row}", fact, what, active)
        for row, kind, fact, what, active in (
            ("withheld", "published_row", "$row", "suppression", True),
            ("replaced", "published_row", "$row", "override", True),
            ("gone_asleep", "published_row", "$row", "suppression", False),
            ("gone_alias", "org_alias", "$row", "suppression", True),
            ("gone_link", "published_row", "$row", "link_correction", True),
            ("gone_fact", "published_row", "fact", "override", True),
            ("gone_other_fact", "published_row", "$row", "suppression", True),
            ("gone_other_model", "published_row", "$row", "suppression", True),
        )
    ),
    ("ov:linked", "trial_arm_link", "group:linked", "target_key", "link_correction", True),
    ("ov:cut", "trial_arm_link", "group:cut", "target_key", "suppression", True),
    ("ov:link_asleep", "trial_arm_link", "group:whole", "target_key", "suppression", False),
    ("ov:link_other", "trial_arm_link", "group:whole", "target_key", "override", True),
    ("ov:alias_link", "org_alias", "group:whole", "target_key", "link_correction", True),
)
GONE = ("withheld", "replaced", "gone_asleep", "gone_alias", "gone_link", "gone_fact")
STANDING = (
    *LACKING, "no_receipt", "no_bundle", "no_fact", "no_value", "named", "by_other_model",
    "by_other_row", "by_other_fact", "by_other_overlay", "hidden", "linked", "cut", "not_in_force",
    "by_sleeper", "left out",
)  # fmt: skip
RECEIPTS = (
    "create table q_rows (row_key text, fact text, arm text, group_key text,"
    " provenance_bundle_key text)",
    "create table q_provenance__clinical_trials (model_name text, row_key text, fact_path text,"
    " role text, provenance_bundle_key text, completeness text, source_artifact_key text,"
    " source_content_hash text, source_version_id text, locator jsonb, source_authority_tier text,"
    " claim_id text, attempt_id text, curation_overlay_key text)",
    f"create table {OVERLAYS} (overlay_key text, subject_kind text, subject_key text,"
    " fact_path text, overlay_kind text, is_active boolean)",
    *(
        f"insert into q_rows values ('{row}', {'null' if row == 'no_value' else repr('f')}, 'arm',"
        f" 'group:{row}', {'null' if row == 'no_bundle' else repr('q_rows|' + row)})"
        for row in STANDING
    ),
    *(receipt(row, **said) for row, said in LACKING.items()),
    *(receipt(row, "fact", **(said if row == "partial" else {})) for row, said in LACKING.items()),
    *(receipt(row) for row in STANDING[len(LACKING) + 1 : -1] if row != "no_bundle"),
    receipt("no_bundle", provenance_bundle_key="null"),
    receipt("no_bundle", "fact", provenance_bundle_key="null"),
    receipt("named", "fact", **NAMED),
    receipt("by_other_model", "fact"),
    receipt("by_other_model", "fact", model_name="'q_others'", **NAMED),
    receipt("by_other_row", "fact"),
    receipt("by_other_fact", "fact"),
    receipt("by_other_fact", "arm", **NAMED),
    receipt("by_other_overlay", "fact", **NAMED),
    *(receipt(row, "fact") for row in ("hidden", "linked", "cut")),
    receipt("not_in_force", "fact", curation_overlay_key="'ov:gone'"),
    receipt("by_sleeper", "fact", curation_overlay_key="'ov:asleep'"),
    receipt("foreign", "fact", model_name="'q_others'", curation_overlay_key="'ov:gone'"),
    receipt("foreign", model_name="'q_others'", **MODEL),
    *(receipt(row, fact) for row in GONE for fact in ("$row", "fact")),
    receipt("gone_other_fact", "fact"),
    receipt("gone_other_model", model_name="'q_others'"),
    *(
        f"insert into {OVERLAYS} values ({', '.join(map(repr, said))}, {active})"
        for *said, active in OVERLAID
    ),
)
