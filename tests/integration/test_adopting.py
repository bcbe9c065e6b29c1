"""docs/adopting.md is run as it stands: its files are written, its commands say what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from dbt_profile import write_profile
from library_project import Library
from tidegate.warehouse import Warehouse

PAGE = Path(__file__).resolve().parents[2] / "docs" / "adopting.md"
_STEP = re.compile(
    r"<!-- file: (?P<path>\S+) -->\n```\w+\n(?P<text>.*?)```"
    r"|```console\n\$ tidegate (?P<command>[^\n]+)\n(?P<said>.*?)```",
    re.DOTALL,
)
SALES = """
create schema raw;
create table raw.sales (day date, product text, pieces integer, takings numeric);
insert into raw.sales values
    ('2026-05-01', 'roll', 3, 1.50), ('2026-05-01', 'roll', 2, 1.00),
    ('2026-05-01', 'loaf', 1, 3.20), ('2026-05-02', 'roll', 4, 2.00),
    ('2026-05-02', 'loaf', 1, 3.20), ('2026-05-02', 'loaf', -1, -3.20)
"""


def steps() -> Iterator[dict[str, str]]:
    """Files and commands in the order of the page."""
    text = PAGE.read_text(encoding="utf-8").partition("## An existing project")[2]
    for found in _STEP.finditer(text):
        yield {key: value for key, value in found.groupdict().items() if value is not None}


def test_the_page_is_true_from_top_to_bottom(tmp_path: Path, warehouse: Warehouse) -> None:
    """A project of somebody else is taken over; at its end readers see three rows."""
    bakery = Library(tmp_path / "bakery", warehouse)
    bakery.folder.mkdir()
    with warehouse.connect() as conn:
        conn.execute(SALES)
    commands = []
    for step in steps():
        if "path" in step:
            file = bakery.folder / step["path"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(step["text"], encoding="utf-8")
            continue
        command = step["command"].split()
        commands.append(command[0])
        if command[0] == "init":
            answer = bakery.tidegate(command[0], str(bakery.folder), *command[1:])
            assert answer.code == 0, answer
            write_profile(bakery.folder, warehouse, "bakery")
        else:
            answer = bakery.tidegate(*command)
            assert answer.out.startswith(step["said"]), answer
            assert answer.err == ""
    assert commands == ["init", "contract", "refresh", "refresh"]
    assert bakery.query(
        "select day::text, product, pieces, takings::text from query.q_daily_sales order by 1, 2"
    ) == [("2026-05-01", "loaf", 1, "3.20"), ("2026-05-01", "roll", 5, "2.50"),
          ("2026-05-02", "roll", 4, "2.00")]  # fmt: skip
    status = bakery.tidegate("status", "--json")
    assert json.loads(status.out)["families"][0]["served"] == "g000002"
