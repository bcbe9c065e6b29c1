"""The gates of inference on records that the runtime wrote; each of the seed's fixtures a test."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from inference_support import (
    GOOD,
    SCHEMA,
    TASK,
    VERIFIED,
    Connection,
    answer,
    ask_about,
    checked_sha256,
    declared,
    policy,
    profile,
    provider,
    revised,
    route,
    runtime,
    task,
    uses,
)
from integration.gating import model, spec
from integration.semantic_gating import by_row
from tidegate.gates.evaluate import evaluate
from tidegate.gates.model import Severity, Status
from tidegate.gates.result import GateResult
from tidegate.inference.questions import question
from tidegate.inference.run import run_task
from tidegate.inference.validate import Parsed
from tidegate.inference.vocabulary import AttemptStatus, Transport
from tidegate.warehouse import Warehouse

KEYS = {
    "inference_task_contracts": "task_id text!",
    "inference_profiles": "profile_id text!",
    "inference_routes": "route_id text!, route_revision integer!",
    "inference_requests": "request_key text!",
    "inference_attempts": "attempt_id text!, cost_usd numeric",
    "inference_decisions": "decision_id text!",
    "inference_acceptance_policies": "policy_hash text!",
    "inference_projections": "target_key text!",
}


def judged(conn: Connection, gate_id: str, name: str, **options: Any) -> GateResult:
    """The verdict of a gate on the ledger's own tables."""
    models = {
        item: model(item, columns, row_key=[columns.partition(" ")[0]])
        for item, columns in KEYS.items()
    }
    checked = spec(gate_id, models.pop(name), *models.values(), **options)
    return evaluate(conn, checked, lambda relation: ("provenance", relation))


def schema_contract(conn: Connection) -> GateResult:
    """What may be used, of every use."""
    return judged(conn, "llm_schema_contract", "inference_projections")


def idempotency(conn: Connection) -> GateResult:
    """What a request key means, of every request."""
    return judged(conn, "llm_cache_idempotency", "inference_requests")


def pinned(conn: Connection) -> GateResult:
    """What a route pins, of every route."""
    return judged(conn, "llm_prompt_version_pinned", "inference_routes")


def cost(conn: Connection, cap: float, severity: Severity = Severity.BLOCKING) -> GateResult:
    """What the task spent, against a cap."""
    return judged(
        conn, "llm_cost_cap", "inference_attempts", severity=severity,
        arguments={"task": TASK, "cap_usd": cap},
    )  # fmt: skip


def blind(text: str, _: Mapping[str, Any]) -> Parsed:
    """A parser that believes everything: what the gates have to notice by themselves."""
    return Parsed(json.loads(text), schema_valid=True)


def test_llm_schema_contract_valid_accepted_output(warehouse: Warehouse, conn: Connection) -> None:
    """It keeps the schema and is accepted under the policy in force."""
    ask_about(conn, "one")
    run_task(runtime(warehouse, declared(), {"one": GOOD}), TASK)
    result = schema_contract(conn)
    assert (result.status, result.rows_checked) == (Status.PASS, 1)


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ({"endpoint": "BEST", "value": 20.0}, "output_outside_enum"),
        ({"endpoint": "ORR"}, "output_field_missing"),
    ],
    ids=["invalid_enum", "missing_field"],
)
def test_llm_schema_contract_invalid_output(
    warehouse: Warehouse, conn: Connection, output: dict[str, Any], reason: str
) -> None:
    """The runtime uses none and its rate is told; where a blind one uses it, the gate blocks it."""
    ask_about(conn, "one")
    run_task(runtime(warehouse, declared(), {"one": output}), TASK)
    assert uses(conn) == []
    ask_about(conn, "two")
    run_task(runtime(warehouse, declared(), {"two": output}, parser=blind), TASK)
    result = schema_contract(conn)
    assert by_row(result)["t-two"] == {reason}
    assert result.reasons == {reason: 1, "quarantine_rate_exceeded": 1}
    assert result.blocks


def test_llm_schema_contract_old_policy_decision(warehouse: Warehouse, conn: Connection) -> None:
    """A use blocks from the moment its policy ends until it is decided under the new one."""
    ask_about(conn, "one")
    world = declared()
    answers = provider({"one": GOOD})
    run_task(runtime(warehouse, world, answers), TASK)
    later = runtime(warehouse, revised(world, policy("B")), answers)
    assert by_row(schema_contract(conn)) == {"t-one": {"decision_outdated"}}
    run_task(later, TASK)
    assert schema_contract(conn).status is Status.PASS
    assert len(answers.calls) == 1


@pytest.mark.parametrize("transport", list(Transport))
def test_llm_schema_contract_rate_of_invalid_answers(
    warehouse: Warehouse, conn: Connection, transport: Transport
) -> None:
    """One of ten warns, three of twelve block; nothing of it was used."""
    names = [f"q{number}" for number in range(9)]
    ask_about(conn, *names, "bad")
    given = {**dict.fromkeys(names, GOOD), "bad": "{", "worse": "[]", "worst": "0"}
    run_task(runtime(warehouse, declared(), given), TASK, transport=transport)
    result = schema_contract(conn)
    assert (result.status, result.reasons) == (Status.WARN, {"quarantine_rate_elevated": 1})
    ask_about(conn, *names, "worse", "worst")
    run_task(runtime(warehouse, declared(), given), TASK, transport=transport)
    result = schema_contract(conn)
    assert (result.status, result.reasons) == (Status.FAIL, {"quarantine_rate_exceeded": 1})


@pytest.mark.parametrize("transport", list(Transport))
def test_llm_cache_idempotency_accepted_reuse(
    warehouse: Warehouse, conn: Connection, transport: Transport
) -> None:
    """The second run uses the first one's answer."""
    ask_about(conn, "one")
    answers = provider({"one": GOOD})
    made = runtime(warehouse, declared(), answers)
    run_task(made, TASK, transport=transport)
    assert run_task(made, TASK, transport=transport).reused == 1
    assert len(answers.calls) == 1
    assert idempotency(conn).status is Status.PASS


def test_llm_cache_idempotency_rejected_rerun(warehouse: Warehouse, conn: Connection) -> None:
    """Rejected, asked again, accepted; three rejections of one question warn."""
    ask_about(conn, "one", "hopeless")
    made = runtime(warehouse, declared(), {"one": ["{", GOOD], "hopeless": "{"})
    run_task(made, TASK)
    run_task(made, TASK)
    assert (uses(conn), idempotency(conn).status) == (["t-one"], Status.PASS)
    run_task(made, TASK)
    result = idempotency(conn)
    hopeless = question(task(), {"phrase": "hopeless"}).request_key
    assert (result.status, by_row(result)) == (Status.WARN, {hopeless: {"~rejected_churn"}})


def test_llm_cache_idempotency_profile_comparison(warehouse: Warehouse, conn: Connection) -> None:
    """Two profiles answer one question differently; one answer is accepted and used."""
    ask_about(conn, "one")
    second = route("second", profile="other")
    world = declared(profiles=[profile(), profile("other")], routes=[route(), second])
    other = provider({"one": {"endpoint": "OS", "value": 1}})
    made = runtime(warehouse, world, {"one": GOOD}, other=other)
    run_task(made, TASK)
    made.compare(conn, made.line(second), question(task(), {"phrase": "one"}))
    found = conn.execute(
        "select count(*), count(distinct output_sha256) from provenance.inference_attempts"
    ).fetchone()
    assert found == (2, 2)
    assert idempotency(conn).status is Status.PASS


def test_llm_cache_idempotency_policy_revision(warehouse: Warehouse, conn: Connection) -> None:
    """An answer accepted under the old policy is not used again until the new one accepts it."""
    ask_about(conn, "one", "two")
    world = declared()
    answers = provider({"one": GOOD, "two": {"endpoint": "OS", "value": 9.2}})
    run_task(runtime(warehouse, world, answers), TASK)
    strict = policy("B", rules=[{"field": "endpoint", "one_of": ["ORR"]}], max_attempts=1)
    later = runtime(warehouse, revised(world, strict), answers)
    assert idempotency(conn).reasons == {"reuse_outdated": 2}
    run_task(later, TASK)
    assert (uses(conn), idempotency(conn).status) == (["t-one"], Status.PASS)


def test_llm_prompt_version_pinned_active_route(warehouse: Warehouse, conn: Connection) -> None:
    """Both revisions are pinned and kept; a route without owner warns."""
    runtime(warehouse, declared(), {})
    assert pinned(conn).status is Status.PASS
    runtime(warehouse, declared(routes=[route("second", owner=None)]), {})
    result = pinned(conn)
    assert (result.status, by_row(result)) == (Status.WARN, {"second": {"~task_owner_missing"}})


@pytest.mark.parametrize("missing", ["contract_revision", "profile_revision"])
def test_llm_prompt_version_pinned_missing_revision(
    warehouse: Warehouse, conn: Connection, missing: str
) -> None:
    """A route that floats blocks as long as it is active."""
    floating = {missing: None}
    runtime(warehouse, declared(routes=[route(**floating)]), {})
    result = pinned(conn)
    assert by_row(result) == {"main": {"revision_floating"}}
    assert result.samples[0].metadata["missing"] == [missing]
    runtime(warehouse, declared(routes=[route(revision=2)]), {})
    assert pinned(conn).status is Status.PASS


def test_llm_prompt_version_pinned_in_flight_retained_revision(
    warehouse: Warehouse, conn: Connection
) -> None:
    """A batch of revision 1 still runs when revision 2 takes over: both are kept."""
    ask_about(conn, "one")
    first = runtime(warehouse, declared(), provider({"one": GOOD}, polls=9))
    run_task(first, TASK, transport=Transport.NATIVE_BATCH)
    second = declared(
        tasks=[task(2, output_schema=SCHEMA)], routes=[route(revision=2, contract_revision=2)]
    )
    runtime(warehouse, second, {})
    state = conn.execute(
        "select r.route_revision, r.is_active, t.retired_at is not null,"
        " exists (select from provenance.inference_attempts a where a.route_id = r.route_id"
        " and a.route_revision = r.route_revision and a.completed_at is null)"
        " from provenance.inference_routes r"
        " join provenance.inference_task_contracts t using (task_id, contract_revision)"
        " where r.route_id = 'main' order by 1"
    ).fetchall()
    assert state == [(1, False, True, True), (2, True, False, False)]
    assert pinned(conn).status is Status.PASS


PRICED = {"input_usd": 1000.0, "output_usd": 1000.0}
"""A call of 1,100 tokens costs 1.10 dollars."""


@pytest.mark.parametrize(
    ("cap", "status", "reasons"),
    [(10, Status.PASS, {}), (4, Status.WARN, {"cost_near_cap": 1}),
     (3, Status.FAIL, {"cost_over_cap": 1})],
    ids=["under_cap", "near_cap", "over_cap"],
)  # fmt: skip
def test_llm_cost_cap_of_a_batch_run(
    warehouse: Warehouse, conn: Connection, cap: float, status: Status, reasons: dict[str, int]
) -> None:
    """Three calls of a batch for 3.30 dollars; over the cap only warns where the gate does."""
    ask_about(conn, "a", "b", "c")
    world = declared(profiles=[profile(**PRICED)])
    made = runtime(warehouse, world, {"a": GOOD, "b": GOOD, "c": "{"})
    report = run_task(made, TASK, transport=Transport.NATIVE_BATCH)
    assert report.cost_usd == Decimal("3.3")
    result = cost(conn, cap)
    assert (result.status, result.reasons) == (status, reasons)
    expected = Status.WARN if status is Status.FAIL else status
    assert cost(conn, cap, Severity.WARNING).status is expected


def test_llm_cost_cap_of_calls_that_nobody_can_price(
    warehouse: Warehouse, conn: Connection
) -> None:
    """A timeout without a cap of a call is no zero."""
    ask_about(conn, "late")
    late = answer(status=AttemptStatus.TIMED_OUT)
    run_task(runtime(warehouse, declared(), {"late": late}), TASK)
    assert cost(conn, 10).reasons == {"cost_unknown": 1}


LINKS = """
create table {schema}.candidates as
select * from (values
    ('exact', 'exact_identifier'), ('passed', 'llm'), ('failed', 'llm'), ('fuzzy', 'fuzzy_string')
) as given(candidate_id, match_method), lateral (select 'pub_outcome'::text as source_term,
    'endpoint:ORR'::text as target_key, true as high_impact) as same;
create table {schema}.links as
select candidate_id as link_key, candidate_id, 'publication_endpoint'::text as subject_kind,
    case when match_method like 'exact%' then match_method else 'verified' end as basis,
    'accepted'::text as link_state, true as publishable
from {schema}.candidates;
create view {schema}.verifications as
select p.target_key as verification_id, split_part(p.target_key, '-', 2) as candidate_id,
    a.parsed_output ->> 'verdict' as verdict, 0.9::numeric as confidence,
    d.decided_at as verified_at
from provenance.inference_projections p
join provenance.inference_attempts a using (attempt_id)
join provenance.inference_decisions d using (decision_id)
where p.target_relation = 'resolution.verifications'
"""


def test_llm_verifier_required_by_the_runtimes_own_verdicts(
    warehouse: Warehouse, conn: Connection
) -> None:
    """Exact link, verifier-pass, verifier-fail, unverified fuzzy candidate; projected verdicts."""
    ask_about(conn, "passed", "failed", "fuzzy")
    verdict = {
        "type": "object", "required": ["verdict"],
        "properties": {"verdict": {"enum": ["pass", "fail", "abstain"]}},
    }  # fmt: skip
    world = declared(
        tasks=[task(output_schema=verdict)], run={"target": "resolution.verifications"}
    )
    late = answer(status=AttemptStatus.TIMED_OUT)
    given = {"passed": {"verdict": "pass"}, "failed": {"verdict": "fail"}, "fuzzy": late}
    run_task(runtime(warehouse, world, given), TASK)
    conn.execute("create schema links")
    conn.execute(LINKS.format(schema="links"))  # type: ignore[arg-type]
    links = model(
        "links", "link_key text!, candidate_id text, subject_kind text, basis text",
        row_key=["link_key"],
    )  # fmt: skip
    others = [model(name, "candidate_id text!", row_key=["candidate_id"])
              for name in ("candidates", "verifications")]  # fmt: skip
    result = evaluate(
        conn, spec("llm_verifier_required", links, *others), lambda name: ("links", name)
    )
    assert by_row(result) == {"failed": {"verifier_failed"}, "fuzzy": {"verifier_missing"}}


def test_a_verified_policy_passes_every_gate(warehouse: Warehouse, conn: Connection) -> None:
    """One passed and one denied answer: what is used is what was verified."""
    ask_about(conn, "passed", "denied")
    given = {
        "passed": GOOD, "denied": GOOD, checked_sha256("passed"): {"verdict": "pass"},
        checked_sha256("denied"): {"verdict": "fail"},
    }  # fmt: skip
    run_task(runtime(warehouse, declared(policies=[policy(**VERIFIED)]), given), TASK)
    assert uses(conn) == ["t-passed"]
    results = (schema_contract(conn), idempotency(conn), pinned(conn), cost(conn, 10))
    assert [result.status for result in results] == [Status.PASS] * 4
