"""Eight publishers at once: one publication for a key, generations rise, nobody deadlocks."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from publication_support import counts, publish, served
from shop import Shop, orders_and_customers
from tidegate.connection import Connection
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.warehouse import Warehouse

PUBLISHERS = 8


class SteadyShop(Shop):
    """A shop whose inputs do not change by themselves."""

    def inputs(self, conn: Any, family: str) -> dict[str, Any]:
        """The same at every look."""
        return {**super().inputs(conn, family), "volatile": False}


class Publishers:
    """Shops of one warehouse, each a publisher of its own; builds are numbered over all."""

    def __init__(self, warehouse: Warehouse, kind: type[Shop] = Shop) -> None:
        numbers = itertools.count(1)
        self.builds = 0

        def build(_: int) -> Any:
            self.builds = next(numbers)
            return orders_and_customers()(self.builds)

        self.shops = [kind(warehouse, tables=build) for _ in range(PUBLISHERS)]

    def at_once(self, *requests: dict[str, Any]) -> list[FamilyOutcome]:
        """Let every publisher publish at the same moment, with these requests in turn."""
        barrier = Barrier(PUBLISHERS)

        def one(shop: Shop, request: dict[str, Any]) -> FamilyOutcome:
            barrier.wait(timeout=60)
            return publish(shop, **request)

        with ThreadPoolExecutor(PUBLISHERS) as pool:
            found = pool.map(one, self.shops, itertools.cycle(requests))
            return list(found)


def test_one_key_is_one_publication(warehouse: Warehouse, conn: Connection) -> None:
    """The first builds; the others wait and get its publication, whole, with its reference."""
    publishers = Publishers(warehouse)
    outcomes = publishers.at_once({"idempotency_key": "run-7"})
    assert Counter(o.verdict for o in outcomes) == {Verdict.PUBLISHED: 1, Verdict.REPLAYED: 7}
    assert {(o.generation, o.served) for o in outcomes} == {(1, 1)}
    assert len({o.reference for o in outcomes}) == 1
    assert publishers.builds == 1
    assert counts(conn) == {"records": 1, "evidence": 1, "audit": 1, "outbox": 1, "moves": 1}


@pytest.mark.parametrize(
    "requests",
    [
        [{"idempotency_key": f"run-{number}"} for number in range(PUBLISHERS)],
        [{"force": True}],
    ],
    ids=["eight keys", "forced"],
)
def test_different_requests_are_generations_one_after_another(
    warehouse: Warehouse, conn: Connection, requests: list[dict[str, Any]]
) -> None:
    """Every publisher publishes; heads move from each generation to the next and never back."""
    publishers = Publishers(warehouse)
    outcomes = publishers.at_once(*requests)
    assert {o.verdict for o in outcomes} == {Verdict.PUBLISHED}
    assert sorted(o.generation or 0 for o in outcomes) == list(range(1, PUBLISHERS + 1))
    moves = conn.execute(
        "select from_generation, to_generation from governance.head_moves order by move_id"
    ).fetchall()
    assert moves == list(zip([None, *range(1, PUBLISHERS)], range(1, PUBLISHERS + 1), strict=True))
    assert served(conn) == {PUBLISHERS}
    references = {o.reference for o in outcomes}
    assert len(references) == PUBLISHERS


def test_the_same_inputs_are_built_once(warehouse: Warehouse, conn: Connection) -> None:
    """Eight refreshes of unchanged inputs: one publication, seven times nothing to do."""
    publishers = Publishers(warehouse, SteadyShop)
    outcomes = publishers.at_once({})
    assert Counter(o.verdict for o in outcomes) == {Verdict.PUBLISHED: 1, Verdict.UNCHANGED: 7}
    assert publishers.builds == 1
    assert served(conn) == {1}
    for shop in publishers.shops:
        shop.code = "changed code"
    outcomes = publishers.at_once({})
    assert Counter(o.verdict for o in outcomes) == {Verdict.PUBLISHED: 1, Verdict.UNCHANGED: 7}
    assert served(conn) == {2}


def test_two_generations_race_and_the_second_is_judged_on_what_is_served_by_then(
    warehouse: Warehouse, conn: Connection
) -> None:
    """Domain §5.4, test 6: one wins; the other is built and checked again after it."""
    publishers = Publishers(warehouse)
    publishers.at_once({"force": True})
    rows = conn.execute(
        "select generation, prior_generation from governance.generations order by generation"
    ).fetchall()
    assert rows == [(n, n - 1 or None) for n in range(1, PUBLISHERS + 1)]
    judged = conn.execute(
        "select generation, min(evaluated_at), max(evaluated_at) from governance.gate_results"
        " group by generation order by generation"
    ).fetchall()
    assert len(judged) == PUBLISHERS
    ends = [end for _, _, end in judged]
    begins = [begin for _, begin, _ in judged]
    assert all(end < begin for end, begin in zip(ends, begins[1:], strict=False))


def test_rights_are_given_only_while_nobody_builds(warehouse: Warehouse, conn: Connection) -> None:
    """A grant and another publisher's DDL on the same object break each other."""
    from tidegate.publishing import publish as publishing
    from tidegate.warehouse import locks

    shop = Shop(warehouse)
    publish(shop)
    may = "select has_table_privilege('tidegate_operator', 'shop__g000001.q_orders', 'select')"
    assert conn.execute(may).fetchone() == (True,)
    conn.execute("revoke select on shop__g000001.q_orders from tidegate_operator")
    conn.execute("select pg_advisory_lock(%s)", [locks.BUILD_LOCK])
    publishing._give_rights(shop)  # type: ignore[arg-type]
    assert conn.execute(may).fetchone() == (False,)
    conn.execute("select pg_advisory_unlock(%s)", [locks.BUILD_LOCK])
    publishing._give_rights(shop)  # type: ignore[arg-type]
    assert conn.execute(may).fetchone() == (True,)


@pytest.mark.long
def test_thousands_of_retries_with_a_few_keys(warehouse: Warehouse, conn: Connection) -> None:
    """Each key is published exactly once, however often and by whom it is asked for."""
    publishers = Publishers(warehouse)
    keys = [f"run-{number}" for number in range(12)]

    def many(shop: Shop, seed: int) -> Counter[tuple[str, str | None]]:
        order = random.Random(seed)  # noqa: S311 (an order of asking)
        seen: Counter[tuple[str, str | None]] = Counter()
        for _ in range(400):
            key = order.choice(keys)
            seen[key, publish(shop, idempotency_key=key).reference] += 1
        return seen

    with ThreadPoolExecutor(PUBLISHERS) as pool:
        answers = sum(pool.map(many, publishers.shops, range(PUBLISHERS)), Counter())
    assert answers.total() == 400 * PUBLISHERS
    assert sorted(key for key, _ in answers) == sorted(keys)
    assert publishers.builds == len(keys)
    assert counts(conn)["records"] == counts(conn)["moves"] == len(keys)
    assert served(conn) == {len(keys)}
