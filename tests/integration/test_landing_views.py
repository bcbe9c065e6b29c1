"""`landing.<dataset>`: what dbt reads, through changes of contract and beside views of others."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from landing_project import LandingProject, make_project
from tidegate.contracts.load import load_project
from tidegate.contracts.types import parse_type
from tidegate.deliveries import landing, tables, versions
from tidegate.deliveries.landing_views import ViewHasDependents, keeps_values
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.warehouse import Warehouse


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """A project with an append dataset `orders`."""
    return make_project(tmp_path, warehouse)


def promote(project: LandingProject, old: str, new: str) -> None:
    """Change the contract of orders and promote it."""
    path = project.folder / "contracts" / "datasets" / "shop.yml"
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    contract = load_project(project.folder).datasets["orders"]
    with project.warehouse.connect() as conn:
        versions.promote_contract(conn, contract, "olga", "agreed")


COLUMN = "          - name: qty\n"
COLOUR = "          - name: colour\n            data_type: text\n            description: Colour.\n"


def test_views_exist_before_the_first_delivery(project: LandingProject) -> None:
    """`dbt build` on an empty database finds its sources."""
    landing.prepare(project.warehouse, load_project(project.folder))
    assert project.query("select count(*) from landing.orders") == [(0,)]
    assert project.query("select count(*) from landing.notes") == [(0,)]


def test_a_view_that_is_gone_is_made_again_and_the_others_are_left_alone(
    project: LandingProject,
) -> None:
    """Preparing looks at all datasets together, and makes what one of them lacks."""
    contracts = load_project(project.folder)
    views = (
        "select oid::regclass::text, oid from pg_class where oid::regclass = any(%s::regclass[])"
    )
    landing.prepare(project.warehouse, contracts)
    with project.warehouse.connect() as conn:
        before = dict(conn.execute(views, [["landing.orders", "landing.notes"]]).fetchall())
        conn.execute("drop view landing.orders")
        assert tables.incomplete(conn, list(contracts.datasets.values())) == {"orders"}
        landing.prepare(project.warehouse, contracts)
        assert tables.incomplete(conn, list(contracts.datasets.values())) == frozenset()
        after = dict(conn.execute(views, [["landing.orders", "landing.notes"]]).fetchall())
    assert after["landing.notes"] == before["landing.notes"]
    assert after["landing.orders"] != before["landing.orders"]


def test_a_column_in_the_middle_stands_where_the_contract_has_it_and_grants_stay(
    project: LandingProject,
) -> None:
    """The view is made again in one transaction; old rows have null there."""
    project.land("orders/1.csv", "id,item,qty\n1,tea,2\n")
    with project.warehouse.connect() as conn:
        conn.execute("grant select on landing.orders to tidegate_reader")
    promote(project, COLUMN, COLOUR + COLUMN)
    assert project.query("select id, item, colour, qty from landing.orders") == [
        (1, "tea", None, 2)
    ]
    assert project.query(
        "select has_table_privilege('tidegate_reader', 'landing.orders', 'select')"
    ) == [(True,)]


def test_a_view_that_others_build_on_is_never_dropped(project: LandingProject) -> None:
    """They are named, the promotion is taken back, and everything is as it was."""
    project.land("orders/1.csv", "id,item,qty\n1,tea,2\n")
    with project.warehouse.connect() as conn:
        conn.execute("create view staging.mine as select id from landing.orders")
    with pytest.raises(ViewHasDependents) as refused:
        promote(project, COLUMN, COLOUR + COLUMN)
    assert str(refused.value) == (
        "The columns of landing.orders change, and other relations are built on it: "
        "staging.mine. Nothing was replaced. Drop them, run this again, and build them again."
    )
    assert project.query("select id from staging.mine") == [(1,)]
    assert project.query(
        "select count(*) from governance.schema_versions where is_contract and dataset = 'orders'"
    ) == [(1,)]


def test_rows_of_a_narrowed_type_are_counted_and_not_shown(project: LandingProject) -> None:
    """Casting them could round, fail or mean something else."""
    project.land("orders/1.csv", "id,item,qty\n1,tea,2\n")
    promote(project, "data_type: integer", "data_type: date")
    report = project.land_paths([project.write("orders/2.csv", "id,item,qty\n2,tea,2024-05-01\n")])
    assert report.files[0].status is RunStatus.ACCEPTED
    assert project.query("select id from landing.orders") == [(2,)]
    state = next(one for one in report.state if one.dataset == "orders")
    assert (state.rows, state.hidden) == (1, 1)


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ("integer", "integer", True),
        ("integer", "bigint", True),
        ("integer", "numeric", True),
        ("integer", "text", True),
        ("numeric(10,2)", "text", True),
        ("varchar(5)", "varchar(9)", True),
        ("bigint", "integer", False),
        ("numeric", "integer", False),
        ("text", "integer", False),
        ("varchar(9)", "varchar(5)", False),
        ("timestamptz", "timestamp", False),
        ("numeric(10,2)", "numeric(10,1)", False),
    ],
)
def test_a_layout_is_shown_where_every_value_stays_what_it_is(
    old: str, new: str, kept: bool
) -> None:
    """Widened, or written out as text; nothing else."""
    assert keeps_values(parse_type(old), parse_type(new)) is kept


def test_deliveries_of_one_dataset_are_accepted_side_by_side(project: LandingProject) -> None:
    """Four at once, each its own file, every row once."""
    paths = [
        project.write(f"orders/{n}.csv", f"id,item,qty\n{n},tea,2\n{n + 100},tea,x\n")
        for n in range(8)
    ]
    landing.prepare(project.warehouse, load_project(project.folder))
    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(lambda path: project.land_paths([path]), paths))
    assert {report.files[0].status for report in reports} == {RunStatus.ACCEPTED}
    assert project.query("select count(*), count(distinct id) from landing.orders") == [(8, 8)]
    assert project.query("select count(*) from governance.quarantine") == [(8,)]
    assert project.query(
        "select count(*) from pg_class where relnamespace = 'landing_stage'::regnamespace"
        " and relkind = 'r'"
    ) == [(0,)]
