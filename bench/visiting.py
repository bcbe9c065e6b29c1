"""What a peer does, in an environment of its own: `python visiting.py < task`, one JSON line back.

The task names the peer, the connection and the checks of `src`. The seconds are those of the work,
without start and import, unless they are told beside it. Nothing of this project is imported here.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

Task = dict[str, Any]
Times = dict[str, float]


def great_expectations(task: Task) -> Times:
    """A suite of the checks, validated in the database; results as booleans only."""
    import great_expectations as gx
    import great_expectations.expectations as gxe

    os.environ["SRC_URL"] = task["url"]
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    # What stands in a variable is not refused for having a socket in the place of a host.
    source = context.data_sources.add_postgres("pg", connection_string="${SRC_URL}")
    asset = source.add_table_asset("src", table_name="src", schema_name="public")
    batch = asset.add_batch_definition_whole_table("all").get_batch()
    rows = task["rows"]
    found = [gxe.ExpectTableRowCountToBeBetween(min_value=rows, max_value=rows)]
    found += [gxe.ExpectColumnValuesToNotBeNull(column=name) for name in task["not_null"]]
    found += [
        gxe.ExpectColumnValuesToBeInSet(column=name, value_set=values)
        for name, values in task["sets"].items()
    ]
    found += [
        gxe.ExpectColumnValuesToBeBetween(column=name, min_value=low, max_value=high)
        for name, (low, high) in task["ranges"].items()
    ]
    found += [gxe.ExpectColumnValuesToBeUnique(column=name) for name in task["unique"]]
    suite = gx.ExpectationSuite("checks", expectations=found)
    start = time.perf_counter()
    result = batch.validate(suite, result_format="BOOLEAN_ONLY")
    taken = time.perf_counter() - start
    assert result.success, [one for one in result.results if not one.success][:3]
    return {"seconds": taken}


def soda(task: Task) -> Times:
    """A scan of SodaCL checks."""
    from soda.scan import Scan

    checks: list[Any] = [f"row_count = {task['rows']}"]
    checks += [f"missing_count({name}) = 0" for name in task["not_null"]]
    checks += [
        {f"invalid_count({name}) = 0": {"valid values": values}}
        for name, values in task["sets"].items()
    ]
    checks += [
        {f"invalid_count({name}) = 0": {"valid min": low, "valid max": high}}
        for name, (low, high) in task["ranges"].items()
    ]
    checks += [f"duplicate_count({name}) = 0" for name in task["unique"]]
    place = task["place"]
    source = {"type": "postgres", "host": place["host"], "port": "5432", "schema": "public",
              "username": place["user"], "password": "x", "database": place["dbname"]}  # fmt: skip
    scan = Scan()
    scan.disable_telemetry()
    scan.set_data_source_name("pg")
    # JSON is YAML.
    scan.add_configuration_yaml_str(json.dumps({"data_source pg": source}))
    scan.add_sodacl_yaml_str(json.dumps({"checks for src": checks}))
    start = time.perf_counter()
    code = scan.execute()
    taken = time.perf_counter() - start
    assert code == 0, scan.get_logs_text()[-2000:]
    return {"seconds": taken}


def pandera(task: Task) -> Times:
    """The checks less the row count, on a CSV file of the table read into memory by polars."""
    import pandera.polars as pa
    import polars as pl

    columns: dict[str, Any] = {}
    for name in {*task["not_null"], *task["sets"], *task["ranges"], *task["unique"]}:
        checks = []
        if name in task["sets"]:
            checks.append(pa.Check.isin(task["sets"][name]))
        if name in task["ranges"]:
            checks.append(pa.Check.in_range(*task["ranges"][name]))
        columns[name] = pa.Column(
            checks=checks, nullable=name not in task["not_null"], unique=name in task["unique"]
        )
    schema = pa.DataFrameSchema(columns)
    start = time.perf_counter()
    frame = pl.read_csv(task["file"])
    read = time.perf_counter() - start
    start = time.perf_counter()
    schema.validate(frame, lazy=True)
    return {"seconds": time.perf_counter() - start, "reading the file": read}


def dlt(task: Task) -> Times:
    """A CSV file into a table that dlt makes, types as dlt finds them."""
    import csv

    import dlt as tool

    def src() -> Any:
        with open(task["file"], newline="", encoding="utf-8") as given:  # noqa: PTH123
            yield from csv.DictReader(given)

    records = tool.resource(src, name="src", write_disposition="replace")
    place = task["place"]
    # dlt writes this into a URL as it stands, and libpq reads it back.
    credentials = {"database": place["dbname"], "username": place["user"], "password": "x",
                   "host": quote(place["host"], safe=""), "port": 5432}  # fmt: skip
    pipeline = tool.pipeline(
        pipeline_name="bench",
        pipelines_dir=task["folder"],
        destination=tool.destinations.postgres(credentials=credentials),
        dataset_name="peer_dlt",
    )
    start = time.perf_counter()
    pipeline.run(records)
    return {"seconds": time.perf_counter() - start}


def pandas(task: Task) -> Times:
    """`read_csv` and `to_sql`, in pieces of 10,000 rows."""
    import pandas as pd
    from sqlalchemy import create_engine

    engine = create_engine(task["url"])
    start = time.perf_counter()
    for number, piece in enumerate(pd.read_csv(task["file"], chunksize=10_000)):
        piece.to_sql(
            "peer_pandas",
            engine,
            schema="public",
            if_exists="append" if number else "replace",
            index=False,
            method="multi",
            chunksize=1_000,
        )
    return {"seconds": time.perf_counter() - start}


PEERS: dict[str, Callable[[Task], Times]] = {
    "Great Expectations": great_expectations,
    "Soda Core": soda,
    "pandera, polars": pandera,
    "dlt": dlt,
    "pandas": pandas,
}


if __name__ == "__main__":
    given = json.load(sys.stdin)
    print("\n" + json.dumps(PEERS[given["peer"]](given)))
