"""`tidegate contract`: list every problem, write a first contract, print the schema."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from contract_texts import FULL_DATASET, FULL_MODEL, MODEL, write
from tidegate.cli.commands.contract import command
from tidegate.connection import Connection
from tidegate.contracts.load import load_project
from tidegate.errors import UsageError
from tidegate.gates.gate_columns import columns_of
from tidegate.warehouse import Warehouse


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty dbt project that the command finds."""
    (tmp_path / "dbt_project.yml").write_text("name: tidegate\n", encoding="utf-8")
    monkeypatch.setenv("TIDEGATE_PROJECT_DIR", str(tmp_path))
    for name in ("DATABASE_URL", "DBT_PROFILES_DIR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def served(project: Path, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same project with a server."""
    monkeypatch.setenv("DATABASE_URL", warehouse.conninfo)
    return project


RECEIPTS = "      - provenance_coverage\n"
COMPLETE = MODEL + RECEIPTS
"""The shortest contract with every gate that it makes necessary."""


def run(*arguments: str) -> Result:
    """Run the command as the command line would; errors of Tidegate's own come through."""
    result = CliRunner().invoke(command, arguments)
    if isinstance(result.exception, UsageError):
        raise result.exception
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


def test_check_lists_every_problem_of_every_file_and_exits_2(project: Path) -> None:
    """A person corrects all files once instead of running the command once a mistake."""
    write(
        project,
        {
            "datasets/drugs.yml": FULL_DATASET.replace("data_type: date", "data_type: datetime"),
            "clinical_trials/q_trials.yml": MODEL.replace("grain:", "grian:"),
        },
    )
    result = run("check")
    assert result.output.splitlines() == [
        "contracts/clinical_trials/q_trials.yml:8: models[q_trials].config.meta.tidegate.grain: "
        "is missing. Add `grain`.",
        "contracts/clinical_trials/q_trials.yml:12: models[q_trials].config.meta.tidegate.grian: "
        "is not a known key. Did you mean `grain`?",
        "contracts/datasets/drugs.yml:51: sources[drugs].tables[drug_products]"
        ".columns[Date Approved].data_type: `datetime` is not a PostgreSQL type. Write "
        "`timestamp with time zone` for a moment, `timestamp` for a local reading of a clock.",
        "3 problems in 2 files.",
    ]
    assert result.exit_code == 2


def test_check_sums_up_what_is_promised_and_exits_0(project: Path) -> None:
    """Green says how much was read, so that an empty folder is never taken for it."""
    write(
        project,
        {
            "datasets/drugs.yml": FULL_DATASET,
            "clinical_trials/q_trials.yml": FULL_MODEL
            + "      - referential_integrity\n"
            + RECEIPTS,
        },
    )
    result = run("check")
    assert result.output == "1 dataset, 1 model (clinical_trials 1): no problems.\n"
    assert result.exit_code == 0


def test_check_finds_what_only_judging_would_find(project: Path) -> None:
    """Gates that a contract makes necessary, and rules of policies: no run has to say so later.

    A gate of another package that happens to have the name is not the gate.
    """
    policy = {
        "version": "1",
        "rules": [{"id": "some", "type": "rnage", "field": "enrollment"}],
    }
    here = f"          quality_policy: {json.dumps(policy)}\n    columns:"
    model = MODEL.replace("    columns:", here) + "      - quality_policy\n"
    write(project, {"clinical_trials/q_trials.yml": model})
    types = "row_count, required_fields, field, not_null, unique, range, referential, reference"
    place = "contracts/clinical_trials/q_trials.yml:3: models[q_trials]"
    gate = (
        f"{place}.data_tests: q_trials has no gate `provenance_coverage`, which its contract makes"
        " necessary. Add `- {}provenance_coverage`."
    )
    assert run("check").output.splitlines() == [
        f"{place}.config.meta.tidegate.quality_policy/rules/0/type: is not a rule type."
        f" Use one of {types}.",
        gate.format(""),
        "2 problems in 1 file.",
    ]
    (project / "packages.yml").write_text("packages: [{package: other/other}]\n")
    model = MODEL.replace("- schema_contract", "- tidegate.schema_contract")
    write(project, {"clinical_trials/q_trials.yml": model + "      - other.provenance_coverage\n"})
    assert run("check").output.splitlines() == [gate.format("tidegate."), "1 problem in 1 file."]
    (project / "policy.json").write_text('{"version": "1",\n "rules": [{"type": "rnage"}]}')
    here = "          quality_policy: policy.json\n    columns:"
    model = COMPLETE.replace("    columns:", here) + "      - tidegate.quality_policy\n"
    for name in ("schema_contract", "provenance_coverage"):
        model = model.replace(f"- {name}", f"- tidegate.{name}")
    write(project, {"clinical_trials/q_trials.yml": model})
    assert run("check").output.startswith("policy.json:2: /rules/0/type: is not a rule type.")


def test_check_tells_columns_that_a_gate_does_not_have(project: Path) -> None:
    """Whoever misspells one learns it while writing, in the words of the gate that is judged."""
    gate = "      - temporal_validity:\n          arguments: {columns: {%s: start_date}}\n"
    path = "clinical_trials/q_trials.yml"
    write(project, {path: COMPLETE + gate % "valid_form"})
    result = run("check")
    known = ", ".join(columns_of("temporal_validity"))
    told = result.output.splitlines()[0]
    assert told.startswith("contracts/clinical_trials/q_trials.yml:")
    assert told.endswith(
        ".temporal_validity.arguments.columns: temporal_validity has no column valid_form; "
        f"it has {known}. Correct the name, or remove it."
    )
    assert result.exit_code == 2
    write(project, {path: COMPLETE + gate % "valid_from"})
    assert run("check").exit_code == 0


def test_check_of_nothing_is_an_error(project: Path) -> None:
    """An empty selection has not passed."""
    result = run("check")
    assert result.output == (
        "No contracts under contracts/. `tidegate contract init` writes a first one.\n"
    )
    assert result.exit_code == 2


def test_check_as_json_holds_problems_and_hashes(project: Path) -> None:
    """Machines read the same as people: file, line, key, message, remedy."""
    write(project, {"clinical_trials/q_trials.yml": COMPLETE})
    document = json.loads(run("check", "--json").output)
    assert document["problems"] == []
    assert document["models"]["q_trials"]["line"] == 3
    assert len(document["models"]["q_trials"]["sha256"]) == 64
    write(project, {"clinical_trials/q_trials.yml": COMPLETE.replace("version: 2", "version: 3")})
    result = run("check", "--json")
    assert json.loads(result.output)["problems"] == [
        {
            "file": "contracts/clinical_trials/q_trials.yml",
            "line": 1,
            "key": "version",
            "message": "is 3.",
            "remedy": "It must be 2.",
        }
    ]
    assert result.exit_code == 2


RELATIONS = """
create schema old;
create type old.mood as enum ('sad', 'glad');
create table old.trials (
    "Trial Key" text primary key,
    phases text[] not null,
    amount numeric(10, 2),
    at timestamptz,
    "user" old.mood
);
comment on table old.trials is 'One study: 100 % "real".';
comment on column old.trials.phases is 'Phases, as registered.';
comment on column old.trials.amount is '{{ evil }}';
create view old.open_trials as select * from old.trials;
create materialized view old.q_kept as select phases as phases from old.trials;
create table old.hostile ("a""b" text, "50%" integer);
"""


def test_init_writes_what_the_database_knows_and_lists_the_rest(
    served: Path, conn: Connection
) -> None:
    """Types, not null, key and comments come from the catalogue; people add what only they know."""
    conn.execute(RELATIONS)
    result = run("init", "old.trials", "--family", "clinical_trials")
    file = "contracts/clinical_trials/q_trials.yml"
    at = f"{file}:%s: models[q_trials]."
    assert result.output.splitlines() == [
        f"Wrote {file}.",
        "Still to be written:",
        f"  {at % 13}config.meta.tidegate.owner: is empty text. Write something.",
        f"  {at % 23}columns[Trial Key].description: is empty text. Write something.",
        f"  {at % 33}columns[amount].description: is empty text. Write something.",
        f"  {at % 36}columns[at].description: is empty text. Write something.",
        f"  {at % 40}columns[user].description: is empty text. Write something.",
    ]
    assert result.exit_code == 0
    path = served / file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("''", "written"), encoding="utf-8")
    model = load_project(served).models["q_trials"]
    assert model.description == 'One study: 100 % "real".'
    assert [(it.name, it.type.sql, it.nullable) for it in model.columns] == [
        ("Trial Key", "text", False),
        ("phases", "text[]", False),
        ("amount", "numeric(10,2)", True),
        ("at", "timestamp with time zone", True),
        ("user", "old.mood", True),
    ]
    assert (model.keys.row_key, model.keys.grain) == (("Trial Key",), "one row per Trial Key")


def test_init_reads_views_and_materialized_views(served: Path, conn: Connection) -> None:
    """They tell types but no key and no nullability: those are listed as still to be written."""
    conn.execute(RELATIONS)
    view = run("init", "old.open_trials", "--family", "clinical_trials").output
    assert "row_key: is empty. Give at least one." in view
    kept = run("init", "old.q_kept", "--family", "clinical_trials", "--print").output
    assert "- name: q_kept" in kept
    assert "data_type: text[]" in kept


def test_init_writes_a_dataset(served: Path, conn: Connection) -> None:
    """Not null becomes required, the primary key the delivery key, own types arrive as text."""
    conn.execute(RELATIONS)
    run("init", "old.trials", "--source", "registry")
    path = served / "contracts/datasets/registry.yml"
    path.write_text(path.read_text(encoding="utf-8").replace("''", "written"), encoding="utf-8")
    dataset = load_project(served).datasets["trials"]
    assert dataset.keys.delivery.key == ("Trial Key",)
    assert [(it.name, it.type.sql, it.keys.required) for it in dataset.columns] == [
        ("Trial Key", "text", True),
        ("phases", "text[]", True),
        ("amount", "numeric(10,2)", False),
        ("at", "timestamp with time zone", False),
        ("user", "text", False),
    ]


def test_init_never_overwrites(served: Path, conn: Connection) -> None:
    """A contract that somebody wrote stays as it is."""
    conn.execute(RELATIONS)
    write(served, {"clinical_trials/q_trials.yml": MODEL})
    with pytest.raises(UsageError) as caught:
        run("init", "old.trials", "--family", "clinical_trials")
    assert str(caught.value) == (
        "contracts/clinical_trials/q_trials.yml exists already. "
        "Use --print and take over what you need, or move the file away."
    )
    text = (served / "contracts/clinical_trials/q_trials.yml").read_text(encoding="utf-8")
    assert text == MODEL


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("old.trials",),
            "Give either --family or --source. "
            "--family for what readers get, --source for what partners deliver.",
        ),
        (
            ("trials", "--family", "f"),
            "'trials' does not name one relation. Write it as schema.name.",
        ),
        (
            ("old.missing", "--family", "f"),
            "There is no table or view old.missing. "
            "Check the name and that this role may use the schema.",
        ),
        (
            ("old.hostile", "--family", "f"),
            "No contract can carry old.hostile: 'a\"b': the name holds a double quote.; "
            "'50%': the name holds a percent sign. "
            "Make a view over it with plain names, and start from that.",
        ),
        (
            ("old.trials", "--source", "../x"),
            "'../x' cannot name a relation. "
            "Use lower-case letters, digits and underscores, starting with a letter.",
        ),
    ],
)
def test_init_refuses_what_it_cannot_write(
    served: Path, conn: Connection, arguments: tuple[str, ...], message: str
) -> None:
    """Nothing is written where the answer would be half of one."""
    conn.execute(RELATIONS)
    with pytest.raises(UsageError) as caught:
        run("init", *arguments)
    assert str(caught.value) == message
    assert not (served / "contracts").exists()
