"""temporal_validity: ownership over time, with what was published before."""

from __future__ import annotations

from typing import Any

from integration.gating import spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.gates.model import Model, Status
from tidegate.gates.result import GateResult

COLUMNS = (
    "relationship_key text!, valid_from date!, valid_to date, observed_at timestamptz,"
    " temporal_precision text"
)
SEEN = "2024-01-01"
BEFORE = [("sold", "2010-01-01", None), ("moved", "2018-01-01", None),
          ("reopened", "2012-01-01", "2013-01-01"), ("kept", "2012-01-01", "2013-01-01"),
          ("renamed", "2015-05-01", None)]  # fmt: skip
PASSING = [
    ("sold", "2010-01-01", "2019-11-20", SEEN, "day"),
    ("sold", "2019-11-20", None, SEEN, "day"),
    ("kept", "2012-01-01", "2013-01-01", SEEN, "month"),
    ("renamed", "2015-05-01", "2016-01-01", SEEN, "day"),
    ("renamed", "2017-01-01", None, SEEN, "day"),
]
FAILING = [
    ("overlap", "2014-01-01", "2019-06-01", SEEN, "day"),
    ("overlap", "2019-01-01", None, SEEN, "day"),
    ("nested", "2010-01-01", None, SEEN, "day"),
    ("nested", "2011-01-01", "2011-02-01", SEEN, "day"),
    ("nested", "2012-01-01", "2012-02-01", SEEN, "day"),
    ("moved", "2018-06-01", None, SEEN, "day"),
    ("reopened", "2012-01-01", None, SEEN, "day"),
    ("point", "2020-01-01", "2020-01-01", SEEN, "day"),
    ("unseen", "2020-01-01", None, None, "day"),
    ("vague", "2021-01-01", None, SEEN, "unknown"),
    ("unsaid", "2021-01-01", None, SEEN, None),
    ("yearly", "2021-01-01", None, SEEN, "year"),
    (None, "2021-01-01", None, SEEN, "day"),
    ("never", None, None, SEEN, "day"),
]


def intervals(conn: Connection, rows: list[Any]) -> Model:
    return table(conn, "q_ownership", COLUMNS, rows, row_key=["relationship_key", "valid_from"])


def published(conn: Connection, rows: list[Any]) -> None:
    """What readers see: the view of the same name."""
    conn.execute("create table canonical.published (relationship_key text, valid_from date,"
                 " valid_to date)")  # fmt: skip
    conn.cursor().executemany("insert into canonical.published values (%s, %s, %s)", rows)
    conn.execute("create view query.q_ownership as select * from canonical.published")


def verdict(conn: Connection, rows: list[Any], **options: Any) -> GateResult:
    return judge(conn, "temporal_validity", intervals(conn, rows), **options)


def test_a_name_of_a_column_that_the_gate_does_not_have_is_an_error(conn: Connection) -> None:
    """Read past, a misspelt name would let the gate judge another column, or none."""
    columns = {"relationship": "relationship_key", "valid_form": "valid_from"}
    result = verdict(conn, PASSING, arguments={"columns": columns})
    assert (result.status, result.error) == (
        Status.ERROR,
        "temporal_validity has no column relationship, valid_form; it has observed_at,"
        " relationship_key, source_record, source_version, temporal_precision, valid_from,"
        " valid_to",
    )


def test_an_acquisition_closes_one_interval_and_opens_the_next(conn: Connection) -> None:
    """Half-open intervals that touch do not overlap; a gap after a rename is legal."""
    published(conn, [row for row in BEFORE if row[0] in ("sold", "kept", "renamed")])
    result = verdict(conn, PASSING)
    assert (result.status, result.rows_checked) == (Status.PASS, 5)


def test_an_acquisition_with_overlapping_periods_blocks(conn: Connection) -> None:
    """Two owners at once; the second interval is named, also inside a longer one."""
    result = verdict(conn, FAILING[:5])
    assert by_row(result) == {
        "overlap|2019-01-01": {"interval_overlaps"},
        "nested|2011-01-01": {"interval_overlaps"},
        "nested|2012-01-01": {"interval_overlaps"},
    }
    assert about(result, "overlap|2019-01-01") == (
        {"withheld": []},
        {"relationship_key": "overlap", "valid_from": "2019-01-01T00:00:00", "valid_to": None,
         "observed_at": "2024-01-01T00:00:00+00:00", "temporal_precision": "day"},
    )  # fmt: skip


def test_a_destructive_overwrite_is_found_by_what_was_published(conn: Connection) -> None:
    """An ownership rename that moves the start loses the old interval; a moved end too."""
    published(conn, BEFORE[1:3])
    result = verdict(conn, [FAILING[5], FAILING[6]])
    assert by_row(result) == {
        "moved|2018-01-01": {"interval_removed"},
        "reopened|2012-01-01": {"interval_rewritten"},
    }
    assert about(result, "moved|2018-01-01")[0] == {"published_in": '"query"."q_ownership"'}


def test_the_first_publication_has_nothing_to_lose(conn: Connection) -> None:
    """Without a published view only the intervals themselves are judged."""
    assert verdict(conn, [FAILING[5]]).status is Status.PASS


def test_a_contract_names_another_predecessor(conn: Connection) -> None:
    """`previous` is a relation of any schema."""
    published(conn, BEFORE[1:2])
    options = {"arguments": {"previous": "canonical.published", "low_precision": []}}
    result = verdict(conn, [FAILING[5]], **options)
    assert by_row(result) == {"moved|2018-01-01": {"interval_removed"}}


def test_a_model_that_has_no_time_of_observation_says_so(conn: Connection) -> None:
    """`observed_at: null` needs none, and every row has the precision that the contract says."""
    options = {"columns": {"observed_at": None, "temporal_precision": {"value": "day"}}}
    rows = [row for row in FAILING if row[0] in ("unseen", "vague", "unsaid")]
    assert verdict(conn, rows, arguments=options).status is Status.PASS


def test_every_other_fault_is_named(conn: Connection) -> None:
    """Empty, unobserved; low precision only warns."""
    assert by_row(verdict(conn, FAILING[7:])) == {
        "point|2020-01-01": {"interval_empty"},
        "unseen|2020-01-01": {"interval_incomplete"},
        "vague|2021-01-01": {"~precision_low"},
        "unsaid|2021-01-01": {"~precision_low"},
        "yearly|2021-01-01": {"~precision_low"},
        "|2021-01-01": {"interval_incomplete"},
        "never|": {"interval_incomplete"},
    }


SOURCED = "record text, version text"
NAMED = {"columns": {"source_record": "record", "source_version": "version"}}
TOLD = [
    ("approval", "2015-03-04", None, "FDA:1", "v1"),
    ("gone", "2015-03-04", None, "FDA:2", "v1"),
    ("same", "2015-03-04", None, "FDA:3", "v1"),
    ("other", "2015-03-04", None, "FDA:4", "v1"),
    ("list", "2015-03-04", None, None, "v1"),
    ("kept", "2015-03-04", None, "FDA:5", "v1"),
    ("twin", "2015-03-04", None, "FDA:6", "v1"),
    ("ended", "2015-03-04", "2016-01-01", "FDA:7", "v1"),
]
RETOLD = [
    ("approval", "2015-03-05", None, SEEN, "day", "FDA:1", "v2"),
    ("same", "2015-03-05", None, SEEN, "day", "FDA:3", "v1"),
    ("other", "2015-03-05", None, SEEN, "day", "FDA:9", "v2"),
    ("list", "2015-03-05", None, SEEN, "day", None, "v2"),
    ("kept", "2015-03-04", None, SEEN, "day", "FDA:5", "v2"),
    ("another", "2015-03-05", None, SEEN, "day", "FDA:6", "v2"),
]


def sourced(conn: Connection, *, published_source: bool = True) -> Model:
    """Intervals with their sources, of which `BEFORE` and `TOLD` were published."""
    columns = "relationship_key text, valid_from date, valid_to date"
    more = f", {SOURCED}" if published_source else ""
    conn.execute(f"create table canonical.published ({columns}{more})")  # type: ignore[arg-type]
    values = ", ".join(["%s"] * (5 if published_source else 3))
    before = [*TOLD, *((*row, None, None) for row in BEFORE)]
    conn.cursor().executemany(
        f"insert into canonical.published values ({values})",  # type: ignore[arg-type]
        [row if published_source else row[:3] for row in before],
    )
    conn.execute("create view query.q_ownership as select * from canonical.published")
    rows = [*RETOLD, *((*row, None, None) for row in (*PASSING, *FAILING))]
    return table(conn, "q_ownership", f"{COLUMNS}, {SOURCED}", rows,
                 row_key=["relationship_key", "valid_from"])  # fmt: skip


def retold(conn: Connection, arguments: dict[str, Any], **options: bool) -> dict[str, set[str]]:
    """What is found of the intervals of `TOLD`."""
    result = judge(conn, "temporal_validity", sourced(conn, **options), arguments=arguments)
    return {key: found for key, found in by_row(result).items() if key.endswith("2015-03-04")}


def test_a_source_that_corrects_its_own_record_is_told_and_does_not_block(conn: Connection) -> None:
    """Same record, another version: corrected. Same version, another record, no record: lost."""
    assert retold(conn, NAMED) == {
        "approval|2015-03-04": {"~interval_corrected"},
        "gone|2015-03-04": {"interval_removed"},
        "same|2015-03-04": {"interval_removed"},
        "other|2015-03-04": {"interval_removed"},
        "list|2015-03-04": {"interval_removed"},
        "twin|2015-03-04": {"interval_removed"},
        "ended|2015-03-04": {"interval_removed"},
    }


def test_without_both_columns_no_source_corrects_anything(conn: Connection) -> None:
    """The contract has to name both."""
    half = {"columns": {"source_record": "record"}}
    assert retold(conn, half)["approval|2015-03-04"] == {"interval_removed"}


def test_what_was_published_before_sources_were_named_is_not_corrected(conn: Connection) -> None:
    """The published relation lacks the columns: the gate judges, and forgives nothing."""
    found = retold(conn, NAMED, published_source=False)
    assert found["approval|2015-03-04"] == {"interval_removed"}


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged = sourced(conn)
    assert survivors(conn, spec("temporal_validity", judged, arguments=NAMED)) == []
