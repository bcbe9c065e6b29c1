"""Landing a CSV file against a bare typed COPY of the same file, and its memory.

Landing stores the artefact, hashes, parses, observes types, judges the policy and accepts. Limit:
`COPY … CSV` into typed columns, which checks types and nothing else. Peer: `dbt seed`, on a slice.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench import src
from bench.options import Options
from bench.processes import environment
from bench.report import Report
from bench.visitors import Visitors, checks
from tidegate.publishing.profile import write_profile
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse

COLUMNS = {
    "id": "bigint", "code": "text", "status": "text", "country": "text", "kind": "text",
    "channel": "text", "amount": "numeric(10,2)", "tax": "numeric(10,2)",
    "score": "double precision", "age": "integer", "month": "integer", "big": "bigint",
    "day": "date", "seen": "timestamp with time zone", "flag": "boolean", "token": "uuid",
    "name": "text", "city": "text", "note": "text", "maybe": "integer",
}  # fmt: skip


def run(options: Options) -> Report:
    """Throughput, memory and growth by size of the file."""
    sizes = (30_000, 120_000) if options.quick else (300_000, 3_000_000)
    report = options.report("landing", columns=20, rules=24)
    table = report.table(
        "Whole process of `tidegate land`, seconds",
        ("rows", "MB", "landing", "bare COPY (limit)", "landing / COPY", "MB/s", "peak MB"),
        "One run of each landing, the better of two copies. The peak is the resident memory"
        " of the process, the server's not included.",
    )
    seconds, memory, speeds = [], [], []
    _compile(options)
    for size in sizes:
        options.say(f"landing {size:,} rows")
        with tempfile.TemporaryDirectory(prefix="tidegate-bench-landing-") as name:
            one = _OneFile(options, Path(name), size)
            copied = min(one.copy() for _ in range(2))
            landed, peak = one.land()
            options.server.drop(one.warehouse)
        seconds.append(landed)
        memory.append(peak)
        speeds.append(copied / landed)
        speed, ratio = one.megabytes / landed, landed / copied
        table.add(f"{size:,}", one.megabytes, landed, copied, ratio, speed, peak)
    growth = (seconds[-1] / sizes[-1]) / (seconds[0] / sizes[0])
    report.aim("speed of landing / speed of the bare COPY", speeds[-1], 0.5, at_least=True)
    report.aim("peak memory, MB", memory[-1], 300)
    report.aim("peak memory, largest / smallest file", memory[-1] / memory[0], 1.2)
    report.aim("seconds a row, largest / smallest file", growth, 1.2)
    _seed(options, report, 2_000 if options.quick else 20_000)
    return report


def _compile(options: Options) -> None:
    """Land a few rows, so that no landing that counts has to compile its modules."""
    with tempfile.TemporaryDirectory(prefix="tidegate-bench-landing-") as name:
        one = _OneFile(options, Path(name), 1_000)
        one.land()
        options.server.drop(one.warehouse)


def _seed(options: Options, report: Report, rows: int) -> None:
    """A slice that dbt seed can take, against landing of the same slice."""
    options.say(f"dbt seed of {rows:,} rows")
    with tempfile.TemporaryDirectory(prefix="tidegate-bench-landing-") as name:
        one = _OneFile(options, Path(name), rows)
        copied = min(one.copy() for _ in range(3))
        landed, _ = one.land()
        seeded = one.seed()
        others = _visiting(options, one)
        options.server.drop(one.warehouse)
    table = report.table(
        f"A slice of {rows:,} rows, whole processes, seconds",
        ("way", "seconds", "ratio to landing"),
    )
    table.add("tidegate land", landed, 1.0)
    table.add("dbt seed (peer)", seeded, seeded / landed)
    for name, seconds in others.items():
        table.add(f"{name} (peer, without its start)", seconds, seconds / landed)
    table.add("bare COPY (limit, no process)", copied, copied / landed)


def _visiting(options: Options, one: _OneFile) -> dict[str, float]:
    """Peers that are installed for this run; none where they could not be."""
    visitors = Visitors(options)
    if visitors.absent:
        return {}
    task = {**checks(one.warehouse, 0, one.file), "folder": str(one.folder / "peers")}
    found = {name: visitors.ask(name, task) for name in ("dlt", "pandas")}
    return {name: times["seconds"] for name, times in found.items() if times}


class _OneFile:
    """A file of some rows, a project that knows it, a database, and the ways to load it."""

    def __init__(self, options: Options, folder: Path, rows: int) -> None:
        self.server = options.server
        self.folder = folder / "project"
        self.warehouse: Warehouse = options.server.database()
        self.file = folder / "src.csv"
        _project(self.folder, rows)
        with self.warehouse.connect() as conn:
            conn.execute(src.TABLE.format(rows=rows).encode())
            # COPY writes booleans as t and f, which partners do not.
            shown = ", ".join("flag::text" if name == "flag" else name for name in COLUMNS)
            query = f"copy (select {shown} from public.src) to stdout (format csv, header)"
            with self.file.open("wb") as out, conn.cursor().copy(query) as copy:
                for block in copy:
                    out.write(block)
            conn.execute("drop table public.src")
        self.megabytes = self.file.stat().st_size / 1e6

    def copy(self) -> float:
        """The file into a fresh table of its types, committed."""
        listed = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
        with self.warehouse.connect() as conn:
            conn.execute("drop table if exists public.bare")
            conn.execute(f"create table public.bare ({listed})".encode())
            conn.execute("checkpoint")
            start = time.perf_counter()
            query = "copy public.bare from stdin (format csv, header)"
            with self.file.open("rb") as given, conn.cursor().copy(query) as copy:
                while block := given.read(1 << 20):
                    copy.write(block)
            taken = time.perf_counter() - start
            conn.execute("drop table public.bare")
            return taken

    def land(self) -> tuple[float, float]:
        """Seconds and peak megabytes of `tidegate land`, which pays for no earlier writes."""
        with self.warehouse.connect() as conn:
            conn.execute("checkpoint")
        words = [sys.executable, "-m", "tidegate", "land", str(self.file), "--json"]
        return self._process(words)

    def seed(self) -> float:
        """Seconds of `dbt seed` of the file."""
        (self.folder / "seeds").mkdir()
        (self.folder / "seeds" / "src.csv").write_bytes(self.file.read_bytes())
        settings = Settings(self.folder, self.folder / ".tidegate")
        profiles = write_profile(settings, self.warehouse)
        words = [
            sys.executable, "-m", "dbt.cli.main", "--quiet", "seed", "--project-dir",
            str(self.folder), "--profiles-dir", str(profiles),
        ]  # fmt: skip
        return self._process(words)[0]

    def _process(self, words: list[str]) -> tuple[float, float]:
        given = environment(self.server, self.warehouse, self.folder)
        log = self.folder / "process.log"
        with log.open("wb") as out:
            start = time.perf_counter()
            process = subprocess.Popen(words, cwd=self.folder, env=given, stdout=out, stderr=out)
            try:
                # wait4 tells the memory of this child alone.
                _, status, usage = os.wait4(process.pid, 0)
            except BaseException:
                process.kill()
                process.wait()
                raise
            taken = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, log.read_text(encoding="utf-8")[-4000:]
        return taken, usage.ru_maxrss * 1024 / 1e6


def _project(folder: Path, rows: int) -> None:
    """A project with one dataset, whose policy is the 24 checks."""
    listed: list[dict[str, Any]] = [
        {
            "name": name,
            "data_type": kind,
            "description": f"The {name}.",
            "config": {"meta": {"tidegate": {"sensitivity": "public", "required": name == "id"}}},
        }
        for name, kind in COLUMNS.items()
    ]
    keys = {
        "version": "1",
        "owner": "bench",
        "delivery": {"kind": "append", "key": ["id"], "match": ["src.csv"]},
        "format": {"type": "csv"},
        "quality_policy": src.policy(rows),
    }
    table = {
        "name": "src",
        "description": "Twenty mixed columns.",
        "loaded_at_field": "_received_at",
        "config": {"meta": {"tidegate": keys}},
        "columns": listed,
    }
    document = {
        "version": 2,
        "sources": [{"name": "bench", "schema": "landing", "tables": [table]}],
    }
    contracts = folder / "contracts" / "datasets"
    contracts.mkdir(parents=True)
    (contracts / "bench.yml").write_text(json.dumps(document, indent=2), encoding="utf-8")
    (folder / "dbt_project.yml").write_text(
        'name: bench\nprofile: tidegate\nversion: "1.0"\nseed-paths: ["seeds"]\n'
        "flags: {send_anonymous_usage_stats: false, version_check: false}\n",
        encoding="utf-8",
    )
