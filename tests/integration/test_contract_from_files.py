"""A contract drafted from a delivered file lands that file, all of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from contract_texts import FULL_DATASET, write
from tidegate.cli.commands.contract import command
from tidegate.connection import Connection
from tidegate.contracts.load import load_project
from tidegate.deliveries.landing import LandOptions, land
from tidegate.deliveries.vocabulary import RunStatus
from tidegate.errors import UsageError
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty dbt project that the command finds."""
    (tmp_path / "dbt_project.yml").write_text("name: tidegate\n", encoding="utf-8")
    monkeypatch.setenv("TIDEGATE_PROJECT_DIR", str(tmp_path))
    return tmp_path


def init(*arguments: object) -> Result:
    """`tidegate contract init`; errors of Tidegate's own come through."""
    result = CliRunner().invoke(command, ["init", *map(str, arguments)])
    if isinstance(result.exception, UsageError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


def delivered(project: Path, name: str, content: str | bytes) -> Path:
    """A file as a partner sent it."""
    path = project / "in" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_init_from_a_file_writes_its_contract_and_lists_what_to_look_at(project: Path) -> None:
    """What the file shows is written; what only people know is listed, and no value is shown."""
    path = delivered(project, "orders_1.csv", "Order No;Day;EUR\n007;24.12.2026;1,5\n008;;2,5\n")
    place = "contracts/datasets/shop.yml:{}: sources[shop].tables[orders]{}: is empty text. "
    told = [(8, ".description"), (14, ".config.meta.tidegate.owner")]
    told += [(27, ".columns[order_no].description"), (35, ".columns[day].description")]
    told += [(44, ".columns[eur].description")]
    assert init(path, "--source", "shop").output.splitlines() == [
        "Wrote contracts/datasets/shop.yml.",
        "Still to be written:",
        *(f"  {place.format(line, key)}Write something." for line, key in told),
        "Read 2 records. To be looked at:",
        "  order_no: no value stands twice, so it was taken for the key",
        "  never empty, so perhaps `required: true`: eur",
    ]


FILES = {
    "german.csv": "Nr;Tag;Betrag;Bezahlt\n007;24.12.2026;1.234,50;ja\n008;01.01.2027;;nein\n",
    "english.csv": (
        'id,at,much,ok\n1,12/24/2026 1:05 PM,"1,234.50",Y\n2,01/02/2027 2:00 AM,"7,000",N\n'
    ),
    "plain.tsv": 'id\tday\tsize\n1\t2026-12-24\t6" pipe\n2\t2026-12-25\t3" pipe\n',
    "latin.csv": ("Nr;Größe\n" + "".join(f"{n};Stück für Köln, größer\n" for n in range(9))).encode(
        "cp1252"
    ),
    "wide.csv": "id,name\n1,Čeněk\n".encode("utf-16"),
    "bare.csv": "1,2026-12-24,x\n2,2026-12-25,y\n",
    "nested.json": '{"data": {"items": [{"id": "a", "n": {"x": 1}}, {"id": "b", "when": 1.5}]}}',
    "lines.jsonl": '{"userId": 1, "ok": true}\n{"userId": 2, "ok": null}\n',
}


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_drafted_contract_accepts_every_record_of_its_file(
    project: Path, conn: Connection, warehouse: Warehouse, name: str
) -> None:
    """However it is written, what was drafted from it reads it, once a person filled the gaps."""
    path = delivered(project, name, FILES[name])
    init(path, "--source", "partner")
    contract = project / "contracts/datasets/partner.yml"
    filled = contract.read_text(encoding="utf-8").replace("''", "written")
    contract.write_text(filled, encoding="utf-8")
    settings = Settings(project_dir=project, home=project / ".tidegate")
    report = land(settings, warehouse, [path.parent], LandOptions())
    (outcome,) = report.files
    assert (outcome.status, outcome.quarantined) == (RunStatus.ACCEPTED, 0)
    assert outcome.read == outcome.accepted
    assert outcome.read


def test_a_second_dataset_of_a_source_has_a_file_of_its_own(project: Path) -> None:
    """The file that is there is somebody's work; dbt reads a source from several files."""
    write(project, {"datasets/drugs.yml": FULL_DATASET})
    path = delivered(project, "prices.csv", "id,price\n1,2.5\n")
    assert init(path, "--source", "drugs").output.startswith(
        "Wrote contracts/datasets/drugs_prices.yml.\n"
    )
    added = project / "contracts/datasets/drugs_prices.yml"
    added.write_text(added.read_text(encoding="utf-8").replace("''", "written"), encoding="utf-8")
    assert sorted(load_project(project).datasets) == ["drug_products", "prices"]
    with pytest.raises(UsageError) as caught:
        init(path, "--source", "drugs")
    assert str(caught.value) == (
        "contracts/datasets/drugs_prices.yml exists already. "
        "Use --print and take over what you need, or move the file away."
    )


def test_print_keeps_the_notes_out_of_the_contract(project: Path) -> None:
    """Standard output is the file; what to look at goes to standard error."""
    path = delivered(project, "prices.csv", "id,price\n1,2.5\n2,x\n")
    result = init(path, "--source", "shop", "--name", "price_list", "--print")
    assert "name: price_list\n" in result.stdout
    assert "Read 2 records" not in result.stdout
    assert "price: 1 of 2 values are no numeric and would be held" in result.stderr
    assert not (project / "contracts").exists()


def test_name_is_of_datasets_alone(project: Path) -> None:
    """A model is called like its relation."""
    with pytest.raises(UsageError) as caught:
        init("old.trials", "--family", "f", "--name", "x")
    assert str(caught.value) == "--name is for --source. A model is named after its relation."
