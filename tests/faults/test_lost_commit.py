"""The reply to a COMMIT is lost: what is said afterwards is what really happened."""

from __future__ import annotations

import pytest

from commit_proxy import AFTER, BEFORE, MEANWHILE, commit_proxy
from publication_support import beside, counts, publish, served, wait_until
from shop import Shop, dbt_spec
from tidegate.connection import Connection
from tidegate.errors import CommitUnknown, PublishBlocked
from tidegate.publishing import settle
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from tidegate.publishing.rollback import rollback
from tidegate.warehouse import Warehouse

PUBLISH = "tidegate publish"
ONCE_MORE = {"records": 2, "evidence": 2, "audit": 2, "outbox": 2, "moves": 2}
NOT_AGAIN = dict.fromkeys(ONCE_MORE, 1)


@pytest.fixture
def shop(warehouse: Warehouse) -> Shop:
    """Published once."""
    made = Shop(warehouse)
    publish(made)
    return made


def through(shop: Shop, warehouse: Warehouse) -> Shop:
    """The same shop on another way to its server."""
    made = Shop(warehouse)
    made.builds = shop.builds
    made.extra_specs = shop.extra_specs
    return made


def test_a_commit_that_happened_is_reported_as_published(shop: Shop, conn: Connection) -> None:
    """The publication is found by its key; a retry with that key returns it."""
    with commit_proxy(shop.warehouse, PUBLISH, AFTER) as proxy:
        lost = through(shop, proxy.warehouse)
        outcome = publish(lost, idempotency_key="run-2")
    assert proxy.lost == 1
    assert (outcome.verdict, outcome.generation) == (Verdict.PUBLISHED, 2)
    assert served(conn) == {2}
    assert counts(conn) == ONCE_MORE
    again = publish(shop, idempotency_key="run-2")
    assert (again.verdict, again.reference) == (Verdict.REPLAYED, outcome.reference)
    assert counts(conn) == ONCE_MORE


def test_a_commit_that_did_not_happen_is_publish_blocked(shop: Shop, conn: Connection) -> None:
    """Nothing is visible or recorded; a retry with the same key publishes once."""
    with commit_proxy(shop.warehouse, PUBLISH, BEFORE) as proxy:
        lost = through(shop, proxy.warehouse)
        with pytest.raises(PublishBlocked) as blocked:
            publish(lost, idempotency_key="run-2")
        assert str(blocked.value) == (
            "The connection was lost at the commit, and nothing was published."
            " Run the command again."
        )
    assert proxy.lost == 1
    assert served(conn) == {1}
    assert counts(conn) == NOT_AGAIN
    again = publish(shop, idempotency_key="run-2")
    assert (again.verdict, again.generation) == (Verdict.PUBLISHED, 3)
    assert counts(conn) == ONCE_MORE


def test_a_commit_that_goes_on_is_waited_for(shop: Shop, conn: Connection) -> None:
    """The client is cut off while the server commits; what it finds out is the end of that."""
    conn.execute(
        "create function public.hold() returns trigger language plpgsql as $$ begin"
        " perform pg_advisory_xact_lock_shared(78); return null; end $$;"
        " create constraint trigger held after insert on governance.publications"
        " deferrable initially deferred for each row execute function public.hold()"
    )
    waits = (
        "select exists (select from pg_locks join pg_stat_activity using (pid)"
        " where locktype = 'advisory' and not granted and application_name = '{}')"
    )
    conn.execute("select pg_advisory_lock(78)")
    with commit_proxy(shop.warehouse, PUBLISH, MEANWHILE) as proxy:
        lost = through(shop, proxy.warehouse)
        with beside(lambda: publish(lost)) as found:
            wait_until(conn, waits.format(PUBLISH))
            wait_until(conn, waits.format("tidegate settle"))
            assert served(conn) == {1}
            conn.execute("select pg_advisory_unlock(78)")
    assert isinstance(found[0], FamilyOutcome), found
    assert (found[0].verdict, found[0].generation) == (Verdict.PUBLISHED, 2)
    assert served(conn) == {2}
    assert counts(conn) == ONCE_MORE


@pytest.mark.parametrize("when", [BEFORE, AFTER])
def test_a_server_that_cannot_be_asked_leaves_the_outcome_open(
    shop: Shop, conn: Connection, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Neither published nor not published is claimed; running again is safe in both cases."""
    monkeypatch.setattr(settle, "ASK_SECONDS", 0.2)
    with commit_proxy(shop.warehouse, PUBLISH, when) as proxy:
        proxy.refuses = True
        with pytest.raises(CommitUnknown) as unknown:
            publish(through(shop, proxy.warehouse), idempotency_key="run-2")
    assert str(unknown.value) == (
        "The connection was lost at the commit: whether it was published is not known."
        " Look at `tidegate status` once the server answers; running the command again is safe."
    )
    assert unknown.value.tells_state
    publish(shop, idempotency_key="run-2")
    assert counts(conn) == ONCE_MORE


@pytest.mark.parametrize("when", [BEFORE, AFTER])
def test_a_family_is_said_to_be_held_back_only_if_that_is_recorded(
    shop: Shop, conn: Connection, when: str
) -> None:
    """Results and reasons of a hold are committed like a publication; lost, they are not told."""
    shop.extra_specs = [dbt_spec(shop.contracts["q_orders"], "never", "select 1 as one")]
    recorded = "select count(*)::integer from governance.held_back where blocked_generation = 2"
    with commit_proxy(shop.warehouse, PUBLISH, when) as proxy:
        lost = through(shop, proxy.warehouse)
        if when == AFTER:
            assert publish(lost).verdict is Verdict.HELD_BACK
            assert conn.execute(recorded).fetchone() == (1,)
        else:
            with pytest.raises(PublishBlocked):
                publish(lost)
            assert conn.execute(recorded).fetchone() == (0,)
    assert proxy.lost == 1
    assert served(conn) == {1}


@pytest.mark.parametrize(("when", "left"), [(BEFORE, 3), (AFTER, 2)])
def test_a_rollback_tells_whether_it_happened(
    shop: Shop, conn: Connection, when: str, left: int
) -> None:
    """A rollback that is repeated because nobody knew would go one generation too far."""
    publish(shop)
    publish(shop)
    with commit_proxy(shop.warehouse, "tidegate rollback", when) as proxy:
        if when == AFTER:
            (outcome,) = rollback(proxy.warehouse, "shop", None, by="ann", reason="test")
            assert outcome.served == 2
        else:
            with pytest.raises(PublishBlocked) as blocked:
                rollback(proxy.warehouse, "shop", None, by="ann", reason="test")
            assert str(blocked.value) == (
                "The connection was lost at the commit, and nothing was rolled back."
                " Run the command again."
            )
    assert proxy.lost == 1
    assert served(conn) == {left}
