"""`tidegate infer`: what it prints, its exit codes, who may run it, and what it never shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from inference_support import ask_about, sha256_of, uses
from logins import login
from tidegate.connection import Connection
from tidegate.ledger import roles
from tidegate.warehouse import Warehouse

SECRET = "sentinel-4711"
DECLARED = """\
version: 1
tasks:
  - id: pub_outcome
    revision: 1
    description: Reads an outcome.
    owner: pubs
    high_impact: true
    prompt: Read the outcome.
    output_schema:
      type: object
      required: [endpoint]
      properties: {endpoint: {enum: [ORR, OS]}}
profiles:
  - {id: recorded, revision: 1, adapter: recorded, model: by-hand, input_usd: 1, output_usd: 5,
     parameters: {answers: inference/answers.jsonl}}
routes:
  - {id: main, revision: 1, task: pub_outcome, contract_revision: 1, profile: recorded,
     profile_revision: 1, owner: pubs}
policies:
  - {task: pub_outcome, version: "1", decided_by: DECIDED_BY, max_attempts: 1}
runs:
  - {task: pub_outcome, route: main, target: evidence.claims, input: select * from raw.questions}
"""


def project(folder: Path, answers: dict[str, Any], decided_by: str = "human") -> Path:
    """A project that declares one task, with recorded answers by phrase."""
    (folder / "inference").mkdir(parents=True, exist_ok=True)
    (folder / "dbt_project.yml").write_text("name: x\nprofile: x\n")
    (folder / "inference" / "all.yml").write_text(DECLARED.replace("DECIDED_BY", decided_by))
    lines = [
        json.dumps({"input_sha256": sha256_of(phrase), "input_tokens": 1000, "output_tokens": 100,
                    **({"output": said} if isinstance(said, dict) else {"text": said})})
        for phrase, said in answers.items()
    ]  # fmt: skip
    (folder / "inference" / "answers.jsonl").write_text("\n".join(lines))
    return folder


@pytest.fixture
def command(tmp_path: Path, warehouse: Warehouse, conn: Connection) -> CommandLine:
    """Two questions; one has a good answer, one an invalid one that holds a value."""
    ask_about(conn, "one", SECRET)
    answers = {"one": {"endpoint": "ORR"}, SECRET: {"endpoint": SECRET}}
    return CommandLine(project(tmp_path, answers), warehouse)


def test_a_run_is_planned_made_decided_and_told(command: CommandLine, conn: Connection) -> None:
    """The whole story of a task that a person decides about."""
    answer = command.run("infer", "run", "--dry-run")
    assert (answer.code, answer.out) == (
        0,
        "pub_outcome@1 by recorded@1: 2 of 2 questions have no accepted answer."
        " Nothing was asked.\n",
    )
    answer = command.run("infer", "run", "pub_outcome")
    assert (answer.code, answer.out) == (
        1,
        "pub_outcome@1 by recorded@1: 2 questions, 1 rejected, 1 waiting; 2 calls, $0.0030;"
        " 0 uses written, 0 withdrawn.\n",
    )
    (status,) = json.loads(command.run("infer", "status", "--json").out)
    (waiting,) = status["undecided_attempts"]
    answer = command.run("infer", "decide", waiting, "--accept", "--by", "ann", "--reason", "read")
    assert (answer.code, answer.out) == (0, "Accepted by ann.\n")
    answer = command.run("infer", "run", "--fail-on", "never", "--json")
    (report,) = json.loads(answer.out)
    assert (answer.code, report["reused"], report["exhausted"], report["calls"]) == (0, 1, 1, 0)
    assert uses(conn) == ["t-one"]
    answer = command.run("infer", "status")
    assert answer.out.splitlines() == [
        "pub_outcome@1  (high impact, policy 1, routes main@1)",
        "    1 of 2 questions answered, 0 undecided; 1 uses, 0 outdated",
        "    2 attempts: 2 succeeded (1 invalid), 0 failed, 0 timed out, 0 refused, 0 under way",
        "    $0.0030 in 30 days",
    ]
    told = conn.execute(
        "select actor, details ->> 'decision', details ->> 'reason' from governance.audit_events"
        " where event = 'inference.attempt.decided'"
    ).fetchall()
    assert told == [("ann", "accepted", "read")]


def test_decisions_that_mean_nothing_are_refused(command: CommandLine, conn: Connection) -> None:
    """An unknown attempt, an invalid output, a second decision, nobody's, none at all."""
    command.run("infer", "run")
    rows = conn.execute(
        "select schema_valid, attempt_id from provenance.inference_attempts"
    ).fetchall()
    attempt = dict(rows)
    who = ("--by", "ann", "--reason", "x")
    refused = {
        ("nobody", "--accept", *who): "There is no such attempt.",
        (attempt[True], *who): "Nothing is decided.",
        (attempt[True], "--accept", "--by", " ", "--reason", "x"):
            "A decision needs who and why.",
        (attempt[False], "--accept", *who):
            "The attempt has no output that keeps its task's schema.",
        (attempt[False], "--reject", *who):
            "The attempt, or another one of its question, was decided already.",
    }  # fmt: skip
    for given, message in refused.items():
        answer = command.run("infer", "decide", *given)
        assert (answer.code, answer.err.splitlines()[0]) == (2, f"Error [usage]: {message}")
    assert command.run("infer", "decide", attempt[True], "--reject", *who).code == 0


def test_exit_codes(tmp_path: Path, warehouse: Warehouse, conn: Connection) -> None:
    """0 answered, 1 unanswered or with --fail-on warning waiting, 2 nothing could be asked."""
    ask_about(conn, "one")
    good = {"one": {"endpoint": "OS"}}
    waits = CommandLine(project(tmp_path / "waits", good), warehouse)
    assert waits.run("infer", "run").code == 0
    assert waits.run("infer", "run", "--fail-on", "warning").code == 1
    other = CommandLine(project(tmp_path / "other", good, "verifier_model"), warehouse)
    answer = other.run("infer", "run")
    assert (answer.code, answer.err.splitlines()[0]) == (
        2,
        "Error [contract]: inference/all.yml:20: policies[0].verifier: is missing."
        " A `verifier` and `decided_by: verifier_model` belong together.",
    )
    answer = waits.run("infer", "run", "nothing")
    assert (answer.code, answer.err.splitlines()[:2]) == (
        2, ["Error [usage]: There is no run of a task nothing.", "Declared: pub_outcome."],
    )  # fmt: skip
    (tmp_path / "waits" / "inference" / "all.yml").unlink()
    answer = waits.run("infer", "run", "--batch")
    assert (answer.code, answer.err.splitlines()[0]) == (
        2, "Error [usage]: The project declares no run in inference/.",
    )  # fmt: skip


def test_another_profile_is_compared_and_not_used(
    tmp_path: Path, warehouse: Warehouse, conn: Connection
) -> None:
    """Same, different, invalid and missing answers are counted; every use stays what it was."""
    ask_about(conn, "same", "other", "invalid", "missing", "never answered")
    good = {name: {"endpoint": "OS"} for name in ("same", "other", "invalid", "missing")}
    rules = "deterministic_validator, rules: [{field: endpoint, one_of: [OS]}]"
    folder = project(tmp_path, good, rules)
    command = CommandLine(folder, warehouse)
    assert command.run("infer", "run").code == 1
    file = folder / "inference" / "all.yml"
    file.write_text(
        file.read_text()
        .replace("routes:\n", "  - {id: rival, revision: 1, adapter: recorded, model: other,"
                 " parameters: {answers: inference/rival.jsonl}}\nroutes:\n"
                 "  - {id: trial, revision: 1, task: pub_outcome, contract_revision: 1,"
                 " profile: rival, profile_revision: 1, owner: pubs, active: false}\n")
    )  # fmt: skip
    said = {"same": '{"endpoint": "OS"}', "other": '{"endpoint": "ORR"}', "invalid": "{"}
    lines = [json.dumps({"input_sha256": sha256_of(k), "text": v}) for k, v in said.items()]
    (folder / "inference" / "rival.jsonl").write_text("\n".join(lines))
    answer = command.run("infer", "compare", "pub_outcome", "trial")
    assert (answer.code, answer.out) == (
        0,
        "pub_outcome by rival@1: of 4 accepted answers 1 are the same, 1 differ, 1 are invalid,"
        " 1 did not come. Nothing of it is used.\n",
    )
    models = conn.execute(
        "select distinct profile_id from provenance.inference_projections"
        " join provenance.inference_attempts using (attempt_id)"
    ).fetchall()
    assert (len(uses(conn)), models) == (4, [("recorded",)])
    answer = command.run("infer", "compare", "pub_outcome", "nothing")
    assert (answer.code, answer.err.splitlines()[:2]) == (
        2,
        ["Error [usage]: Route nothing does not ask revision 1 of task pub_outcome.",
         "Routes that do: main, trial."],
    )  # fmt: skip


def test_no_value_leaves_the_one_column_that_holds_outputs(
    command: CommandLine, conn: Connection
) -> None:
    """Neither input nor output: not printed, and in no other column of the ledger."""
    said = [command.run("infer", "run", *more) for more in ((), ("--batch",), ("--json",))]
    said += [command.run("infer", *more) for more in (("status",), ("status", "--json"))]
    assert SECRET not in "".join(answer.out + answer.err for answer in said)
    names = conn.execute(
        "select c.oid::regclass::text from pg_class c where c.relkind in ('r', 'p')"
        " and c.relnamespace in ('governance'::regnamespace, 'provenance'::regnamespace)"
    ).fetchall()
    found = [
        name
        for (name,) in names
        for (row,) in conn.execute(f"select to_jsonb(t) - 'parsed_output' from {name} t").fetchall()
        if SECRET in json.dumps(row)
    ]
    assert found == []
    kept = conn.execute(
        "select count(*) from provenance.inference_attempts where parsed_output::text like %s",
        [f"%{SECRET}%"],
    ).fetchone()
    assert kept == (1,)


def test_who_asks_needs_the_transformers_rights_and_no_others(
    tmp_path: Path, warehouse: Warehouse, conn: Connection
) -> None:
    """A login of that role runs a task to its end; a reader cannot even begin."""
    conn.execute("create table staging.questions as select 't-one' as target_key, 'one' as phrase")
    roles.apply_grants(conn)
    folder = project(tmp_path, {"one": {"endpoint": "OS"}})
    file = folder / "inference" / "all.yml"
    file.write_text(file.read_text().replace("raw.questions", "staging.questions"))
    with login(warehouse, "tidegate_reader") as reader:
        answer = CommandLine(folder, reader).run("infer", "run")
        assert (answer.code, answer.err.splitlines()[0]) == (
            2,
            "Error [privilege_missing]: The connected role may not do what this command needs.",
        )
    with login(warehouse, "tidegate_transformer") as transformer:
        answer = CommandLine(folder, transformer).run("infer", "run", "--batch")
        assert (answer.code, answer.err) == (0, "")
