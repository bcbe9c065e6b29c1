"""Publishing a family: how long it takes, and what readers feel of it.

Peer: one transaction of `create or replace view` over the same models. Limit: one row updated and
committed.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from bench.family import Family
from bench.options import Options
from bench.peers import ReplacedViews, bare_update
from bench.readers import Seen, reading
from bench.report import Cell, Report
from bench.timing import percentile
from tidegate.names import QUERY

READERS = 2


def run(options: Options) -> Report:
    """Time of a publication by number of models; readers beside it; readers that hold locks."""
    report = options.report("publication", rows_in_each_model=100, readers=READERS)
    _sizes(options, report)
    _latency(options, report)
    _adversarial(options, report)
    return report


def _sizes(options: Options, report: Report) -> None:
    table = report.table(
        "Idle server, milliseconds, median",
        ("models", "promotion (lock to commit)", "of it gates", "without gates",
         "views replaced (peer)", "one row (limit)", "promotion / peer", "without gates / peer",
         "freeze and attach before it"),
        "Each model has one gate that costs nothing, so *gates* is what judging itself costs:"
        " fingerprints of every table and a statement a gate. Nobody waits for any of it.",
    )  # fmt: skip
    for models in (17, 100) if options.quick else (17, 100, 500):
        options.say(f"publishing {models} models")
        table.add(*_size(options, models, 3 if options.quick or models > 100 else 9))


def _size(options: Options, models: int, rounds: int) -> list[Cell]:
    warehouse = options.server.database()
    family = Family(warehouse, models, rows=100)
    views = ReplacedViews(warehouse, family.models, rows=100)
    family.publish()
    gates: list[float] = []
    attach: list[float] = []

    def tidegate() -> float:
        published = family.publish()
        gates.append(published.gates)
        attach.append(published.attach)
        return published.promotion

    def replaced() -> float:
        with warehouse.connect() as conn:
            views.build(conn)
        return views.replace()

    rivals = {"tidegate": tidegate, "peer": replaced, "limit": lambda: bare_update(warehouse)}
    found = options.in_turn(rivals, rounds)
    rest = [all_ - judged for all_, judged in zip(found.seconds["tidegate"], gates, strict=True)]
    peer = found.seconds["peer"]
    options.server.drop(warehouse)
    return [
        models,
        1000 * found.median("tidegate"),
        1000 * statistics.median(gates),
        1000 * statistics.median(rest),
        1000 * found.median("peer"),
        1000 * found.median("limit"),
        found.ratio("tidegate", "peer"),
        statistics.median(one / other for one, other in zip(rest, peer, strict=True)),
        1000 * statistics.median(attach),
    ]


def _latency(options: Options, report: Report) -> None:
    """Point look-ups while nothing, builds alone, or publications go on, back to back."""
    warehouse = options.server.database()
    family = Family(warehouse, 17, rows=100)
    family.publish()
    views = ReplacedViews(warehouse, family.models, rows=100)
    done = {"tidegate": 0, "peer": 0}

    def tidegate() -> None:
        family.publish()
        done["tidegate"] += 1

    def replaced() -> None:
        with warehouse.connect() as conn:
            views.build(conn)
        views.replace()
        done["peer"] += 1

    def builds() -> None:
        with warehouse.connect() as conn:
            views.build(conn)

    scenarios: dict[str, tuple[str, Callable[[], None]]] = {
        "idle, Tidegate's views": (QUERY, lambda: time.sleep(0.05)),
        "idle, plain views": ("peer", lambda: time.sleep(0.05)),
        "tables built, none published": ("peer", builds),
        "Tidegate publishes": (QUERY, tidegate),
        "views replaced (peer)": ("peer", replaced),
    }
    seen = {name: Seen() for name in scenarios}
    for _ in range(2 if options.quick else 5):
        for name, (schema, work) in scenarios.items():
            options.say(f"reading while: {name}")
            with reading(warehouse.conninfo, schema, family.models, READERS) as part:
                end = time.perf_counter() + (1.0 if options.quick else 4.0)
                while time.perf_counter() < end:
                    work()
            seen[name].seconds += part.seconds
            seen[name].errors += part.errors
    options.server.drop(warehouse)
    table = report.table(
        "Point look-ups of readers meanwhile, milliseconds, 17 models",
        ("meanwhile", "reads", "p50", "p99.9", "longest", "errors"),
        f"Back to back: {done['tidegate']} publications of Tidegate, {done['peer']} of the peer."
        " Builds take the cores that readers need; *tables built* shows their share.",
    )
    for name, found in seen.items():
        table.add(
            name,
            len(found.seconds),
            1000 * percentile(found.seconds, 0.5),
            1000 * percentile(found.seconds, 0.999),
            1000 * max(found.seconds),
            found.errors,
        )


def _adversarial(options: Options, report: Report) -> None:
    """Readers that hold locks on every view, taken in random order, and never pause."""
    warehouse = options.server.database()
    family = Family(warehouse, 17, rows=100)
    family.publish()
    views = ReplacedViews(warehouse, family.models, rows=100)
    attempts, patience = (3, 2.0) if options.quick else (15, 10.0)

    def tidegate() -> float | None:
        with warehouse.connect() as conn:
            family.build(conn)
            start = time.perf_counter()
            built = family.attach(conn)
        family.promote(built)
        return time.perf_counter() - start

    def replaced(lock_first: bool) -> float | None:
        with warehouse.connect() as conn:
            views.build(conn)
        return views.replace_patiently(patience, lock_first=lock_first)

    strategies: dict[str, tuple[str, Callable[[], float | None]]] = {
        "Tidegate, attach and promotion": (QUERY, tidegate),
        "views locked at once, no wait": ("peer", lambda: replaced(True)),
        "views replaced one by one": ("peer", lambda: replaced(False)),
    }
    table = report.table(
        "Readers in transactions that lock all 17 views in random order, milliseconds",
        ("publisher", "succeeded", "p50", "longest", "readers' p50", "readers' p99.9",
         "readers' longest", "readers' errors"),
        f"An attempt fails when it has not published within {patience:g} s.",
    )  # fmt: skip
    for name, (schema, publish) in strategies.items():
        options.say(f"readers that hold locks: {name}")
        context = reading(warehouse.conninfo, schema, family.models, READERS, transactions=True)
        with context as seen:
            taken = [publish() for _ in range(attempts)]
        table.add(*_row(name, taken, seen))
    options.server.drop(warehouse)


def _row(name: str, taken: list[float | None], seen: Seen) -> list[Cell]:
    good = [seconds for seconds in taken if seconds is not None]
    return [
        name,
        f"{len(good)} of {len(taken)}",
        1000 * percentile(good, 0.5) if good else "never",
        1000 * max(good) if good else "never",
        1000 * percentile(seen.seconds, 0.5),
        1000 * percentile(seen.seconds, 0.999),
        1000 * max(seen.seconds),
        seen.errors,
    ]
