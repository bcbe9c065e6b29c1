"""Somebody else's dbt project: Tidegate installed as a package, with tables of its own.

One story over one project, since each step stands on the one before.
"""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from library_project import BOOKS, LOANS, Library, make_library
from tidegate.gates.registry import GATES
from tidegate.warehouse import Warehouse

OF_CONTRACTS = (
    "schema_contract", "catalog_contract_coverage", "referential_integrity", "provenance_coverage",
)  # fmt: skip
CI = ("build", "--target", "ci")


@pytest.mark.timeout(600)
def test_a_foreign_project_is_judged_and_published(tmp_path: Path, warehouse: Warehouse) -> None:
    """Green and red by dbt alone; published, held back and rolled back by the harness."""
    library = make_library(tmp_path / "library", warehouse)
    dbt_alone_builds_it_on_an_empty_database(library)
    only_its_own_nodes_are_there(library)
    every_gate_compiles_there(library)
    the_harness_publishes_it(library)
    check_judges_gates_and_policies_alike(library)
    dbt_alone_says_green_and_red(library)
    a_test_that_cannot_be_compiled_says_why(library)
    a_bad_delivery_is_held_back(library)
    rollback_serves_the_generation_before(library)


def every_gate_compiles_there(library: Library) -> None:
    """No gate needs a model, source or macro of the reference domain.

    Gates that judge a contract are on the `q_*` models; one that reads code is no dbt test.
    """
    file = library.folder / "models/staging/_staging.yml"
    kept = file.read_text()
    document = json.loads(kept)
    gates = [
        gate.gate_id
        for gate in GATES.values()
        if not gate.static and gate.gate_id not in (*OF_CONTRACTS, "resolution_basis")
    ]
    assert len(gates) > 30
    document["models"][0]["data_tests"] += [
        {f"tidegate.{gate}": {"arguments": {"row_key": ["loan_id"]}}} for gate in gates
    ]
    file.write_text(json.dumps(document))
    found = library.dbt("compile", "--target", "ci", "--select", "stg_loans")
    assert found["success"] == sum(found.values())
    assert found["success"] > len(gates)
    file.write_text(kept)


def dbt_alone_builds_it_on_an_empty_database(library: Library) -> None:
    """`dbt deps` needs no network; without landing tables everything empty warns."""
    library.dbt("deps")
    assert (library.folder / "dbt_packages" / "tidegate").is_symlink()
    assert library.dbt(*CI) == {"success": 4, "pass": 6, "warn": 8}


def only_its_own_nodes_are_there(library: Library) -> None:
    """Of the package dbt has macros, and no model, test, source or table of the domain."""
    manifest = json.loads((library.folder / "target" / "manifest.json").read_text())
    found = [*manifest["nodes"].values(), *manifest["sources"].values()]
    assert {node["package_name"] for node in found} == {"library"}
    assert not any(manifest["disabled"].values())
    assert "macro.tidegate.test_schema_contract" in manifest["macros"]
    assert library.query(
        "select schemaname || '.' || tablename from pg_catalog.pg_tables where schemaname"
        " similar to '(staging|evidence|resolution|canonical|%\\_\\_%)' order by 1"
    ) == [
        ("library__candidate.q_books",),
        ("library__candidate.q_catalog__library",),
        ("library__candidate.q_loans",),
        ("staging.stg_loans",),
    ]


def the_harness_publishes_it(library: Library) -> None:
    """Land, build, judge, publish; a second run only misses what did not come, and says so once."""
    paths = [library.deliver("books.csv", BOOKS), library.deliver("loans.csv", LOANS)]
    landing = [part for path in paths for part in ("--land", path)]
    answer = library.tidegate("refresh", *landing)
    assert answer.code == 0, answer
    assert re.search(
        r"^library g000001 published: 3 models, 26 rows, 7 gates passed$", answer.out, re.M
    ), answer.out
    assert "select * from query.q_catalog limit 5" in answer.out
    loans = "select loan_id, isbn, days from query.q_loans order by loan_id"
    assert library.query(loans) == [("1", "978-1", 31), ("2", "978-2", 31), ("3", "978-1", 31)]
    yesterday = datetime.now(timezone.utc).date() - timedelta(days=1)
    with library.warehouse.connect() as conn:
        conn.execute("alter table governance.runs disable trigger user")
        conn.execute("update governance.runs set started_at = started_at - interval '2 days'")
        conn.execute("alter table governance.runs enable trigger user")
    unchanged = (
        "library g000001 unchanged: nothing to do\nServing views unchanged (library g000001).\n"
    )
    answer = library.tidegate("refresh", "--fail-on", "warning")
    assert (answer.code, answer.out) == (
        1,
        f"warning: books: a delivery was expected on {yesterday}; none came that day.\n"
        f"warning: loans: a delivery was expected on {yesterday}; none came that day.\n{unchanged}",
    )
    answer = library.tidegate("refresh", "--fail-on", "warning")
    assert (answer.code, answer.out) == (0, unchanged)
    answer = library.tidegate("status", "--json")
    (family,) = json.loads(answer.out)["families"]
    assert (family["family"], family["served"]) == ("library", "g000001")


def check_judges_gates_and_policies_alike(library: Library) -> None:
    """On what is served and on a candidate; a policy by its own rules, as in a promotion."""
    assert library.tidegate("build", "library").code == 0
    for where in ("--serving", "--json"):
        answer = library.tidegate("check", "library", "--json", where)
        gates = json.loads(answer.out)["gates"]
        assert {gate["status"] for gate in gates} == {"pass"}, answer.out
        judged = {(gate["gate_id"], gate["asset"]): gate["rows_checked"] for gate in gates}
        assert judged["quality_policy", "q_loans"] == 3
        assert answer.code == 0


def dbt_alone_says_green_and_red(library: Library) -> None:
    """Every gate and rule is evaluated on what was landed; a loan of no book fails the build."""
    strict = ("--vars", "{tidegate_when_empty: block}")
    assert library.dbt(*CI, *strict) == {"success": 4, "pass": 14}
    path = library.folder / "models/query/library/q_loans.sql"
    right = path.read_text()
    path.write_text(right.replace("isbn,", "'978-9'::text as isbn,", 1))
    found = library.dbt(*CI, *strict, "--select", "q_loans")
    assert found == {"success": 1, "pass": 2, "fail": 1}
    path.write_text(right)


def a_test_that_cannot_be_compiled_says_why(library: Library) -> None:
    """Of what dbt says, the part that speaks of names; readers keep what they had."""
    broken = library.folder / "tests/dbt/assert_loans_end.sql"
    broken.parent.mkdir(parents=True, exist_ok=True)
    broken.write_text(
        "{% if execute %}{{ nobody.knows }}{% endif %}"
        "select loan_id from {{ ref('q_loans') }} where false"
    )
    answer = library.tidegate("refresh")
    assert (answer.code, answer.err) == (
        2,
        "Error [build_failed]: dbt cannot compile the tests: 'nobody' is undefined\n"
        "Run `dbt compile` to see it in full.\nServing views unchanged.\n",
    )
    broken.unlink()


def a_bad_delivery_is_held_back(library: Library) -> None:
    """Readers keep generation 1; what failed is named, with its gate, and without a value."""
    broken = library.deliver("loans_2.csv", LOANS + "4,978-4,m-1,2026-05-01,2026-05-20\n")
    answer = library.tidegate("refresh", "--land", broken)
    assert answer.code == 1
    assert "\nlibrary g000003 held back:\n" in answer.out
    assert "  referential_integrity on q_loans (1 rows): key_dangling (1)\n" in answer.out
    assert answer.out.endswith("Serving views unchanged (library g000001).\n")
    assert "978-4" not in answer.out + answer.err
    below = library.deliver("loans_3.csv", LOANS.replace("2026-02-05", "2027-02-05"))
    answer = library.tidegate("refresh", "--land", below)
    assert answer.code == 1
    assert (
        "library stands on 1 nodes that failed below it: rule_range on stg_loans" in answer.out
    ), answer.out
    assert library.query("select count(*) from query.q_loans") == [(3,)]


def rollback_serves_the_generation_before(library: Library) -> None:
    """A better delivery is published by `publish`, and taken back by `rollback`."""
    better = library.deliver("loans_4.csv", LOANS + "4,978-2,m-1,2026-05-01,2026-05-20\n")
    assert library.tidegate("land", better).code == 0
    answer = library.tidegate("publish", "library", "--json")
    assert answer.code == 0, answer
    (outcome,) = json.loads(answer.out)["families"]
    assert outcome["outcome"] == "published"
    assert library.query("select count(*) from query.q_loans") == [(4,)]
    answer = library.tidegate("rollback", "library", "--by", "ann", "--reason", "test")
    assert (answer.code, answer.out) == (0, "Serving views now show library g000001.\n")
    assert library.query("select count(*) from query.q_loans") == [(3,)]
    told = "select distinct owner from governance.outbox_events where subject = 'library'"
    assert library.query(told) == [("librarian",)]
