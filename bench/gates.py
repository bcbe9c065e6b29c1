"""All gates of the trial family on a candidate of many trials, by number of connections.

Peers: the same checks as `dbt test` nodes in this process, all in one run on two threads, and each
as a run of its own. The harness judges on one frozen snapshot; dbt's tests each see what there is
when they begin.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from bench.options import Options
from bench.report import Report
from bench.scaled import FAMILY, ScaledTrials
from tidegate.gates.model import GateSpec, Status
from tidegate.gates.parallel import evaluate_all
from tidegate.gates.result import GateResult
from tidegate.names import QUERY, candidate_schema
from tidegate.publishing import candidate
from tidegate.publishing.hands import hands

CONNECTIONS = (1, 2, 4)
SLOWEST = 8
TOGETHER = "dbt test, one run on 2 threads (peer)"
SINGLE = "dbt test, a run for each check (peer)"


def run(options: Options) -> Report:
    """Total time by connections, against dbt; the slowest gates; their share of a publication."""
    trials = options.size or (2_000 if options.quick else 500_000)
    report = options.report("gates", trials=f"{trials:,}", family=FAMILY)
    scaled = ScaledTrials(options.server, options.say)
    options.say(f"making {trials:,} trials")
    started = time.perf_counter()
    rows = scaled.make(trials)
    made = time.perf_counter() - started
    frozen = _frozen(scaled)
    one = _Judging(scaled)
    rivals: dict[str, Callable[[], float | None]] = {
        f"Tidegate, {count} connection{'s' * (count > 1)}": partial(one.gates, count)
        for count in CONNECTIONS
    }
    rivals[TOGETHER] = lambda: one.dbt_test(one.tests, threads=2)
    rivals[SINGLE] = lambda: sum(one.dbt_test([test], threads=1) for test in one.tests)
    found = options.in_turn(rivals, 3 if options.quick else 1)
    best = "Tidegate, 2 connections"
    table = report.table(
        f"{len(one.specs)} checks of {len(scaled.models)} models, {rows:,} rows, seconds",
        ("way", "seconds", "ratio to two connections"),
        "dbt has read the project before; gates that read code and quality policies are judged on"
        " neither side.",
    )
    for name in rivals:
        table.add(name, found.median(name), found.ratio(name, best))
    _slowest(report, one)
    _share(report, made, frozen, found.median(best))
    ratio = found.ratio(SINGLE, best)
    report.aim("single runs of dbt test / Tidegate on two connections", ratio, 3, at_least=True)
    options.server.drop(scaled.warehouse)
    return report


def _frozen(scaled: ScaledTrials) -> float:
    """Seconds of freezing, analysing and fingerprinting the candidate, as a refresh does."""
    schema = candidate_schema(FAMILY)
    started = time.perf_counter()
    with (
        scaled.warehouse.connect() as conn,
        hands(conn, scaled.warehouse.connect) as each,
    ):
        each(scaled.models, lambda own, name: candidate.freeze(own, FAMILY, 2, name))
        each(scaled.models, lambda own, name: candidate.fingerprint(own, schema, name))
    return time.perf_counter() - started


def _slowest(report: Report, one: _Judging) -> None:
    table = report.table(
        "The slowest gates on one connection, milliseconds",
        ("gate", "model", "rows", "milliseconds"),
    )
    for result in sorted(one.alone, key=lambda result: -result.duration_ms)[:SLOWEST]:
        spec = result.spec
        table.add(spec.gate_id, spec.model.name, f"{result.rows_checked:,}", result.duration_ms)


def _share(report: Report, made: float, frozen: float, judged: float) -> None:
    whole = made + frozen + judged
    table = report.table(
        "Share of a publication, seconds",
        ("step", "seconds", "share"),
        "The tables are made by `create table as` with their keys, in the place of dbt's run of the"
        " models; dbt's own start and the layers below are not in it.",
    )
    steps = (
        ("tables made", made),
        ("frozen, analysed, fingerprinted", frozen),
        ("gates, two connections", judged),
    )
    for name, seconds in steps:
        table.add(name, seconds, seconds / whole)


class _Judging:
    """The checks that both sides run, on the candidate as it lies there."""

    def __init__(self, scaled: ScaledTrials) -> None:
        self.scaled = scaled
        self.alone: tuple[GateResult, ...] = ()
        schema = candidate_schema(FAMILY)
        with scaled.warehouse.connect() as conn:
            self.known = {name: (QUERY, name) for name in candidate.relations(conn, QUERY)}
        self.known.update({name: (schema, name) for name in scaled.models})
        found = scaled.context.specs((FAMILY,))[FAMILY]
        nodes = scaled.context.dbt.manifest.nodes
        self.specs: tuple[GateSpec, ...] = tuple(
            spec for spec in found if spec.unique_id in nodes and not spec.dropped
        )
        self.tests = sorted({spec.unique_id for spec in self.specs})

    def gates(self, connections: int) -> float:
        """Judge all on one exported snapshot."""
        with self.scaled.warehouse.connect(autocommit=False) as conn:
            row = conn.execute("select pg_export_snapshot()").fetchone()
            assert row is not None
            started = time.perf_counter()
            results = evaluate_all(
                self.scaled.warehouse.connect,
                str(row[0]),
                self.specs,
                self.known.get,
                workers=connections,
            )
            taken = time.perf_counter() - started
        wrong = [
            (result.gate_id, result.spec.model.name, result.status.value, result.error)
            for result in results
            if result.status not in (Status.PASS, Status.WARN)
        ]
        assert not wrong, wrong
        if connections == 1:
            self.alone = results
        return taken

    def dbt_test(self, tests: list[str], threads: int) -> float:
        """The same as nodes of dbt, whose manifest is read already."""
        started = time.perf_counter()
        results: Any = self.scaled.context.dbt.run("test", tests, "--threads", str(threads))
        taken = time.perf_counter() - started
        wrong = [one for one in results if one.status not in ("pass", "warn")]
        assert len(results) >= len(tests), (len(results), len(tests))
        assert not wrong, wrong[:5]
        return taken
