"""The page of commands is what they say, and every command that is named anywhere exists."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from tidegate.cli.reference import every_command, reference

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = [
    REPOSITORY / "README.md",
    REPOSITORY / "CHANGELOG.md",
    *sorted((REPOSITORY / "docs").glob("*.md")),
    *sorted((REPOSITORY / "scripts" / "tidegate").rglob("*.py")),
    *sorted((REPOSITORY / "macros").rglob("*.sql")),
]
"""What names commands: pages, and what the program itself says."""


def test_the_page_of_commands_is_up_to_date() -> None:
    """`make docs` writes it; this finds that nobody did."""
    written = (REPOSITORY / "docs" / "commands.md").read_text(encoding="utf-8")
    assert written == reference(), "run `make docs`"


@pytest.mark.parametrize("name", sorted(every_command()))
def test_every_command_and_option_says_what_it_is_for(name: str) -> None:
    """No option without help, no command without a sentence."""
    command = every_command()[name]
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name} {parameter.opts[0]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_commands_named_in_pages_and_messages_exist(page: Path) -> None:
    """Nothing tells people to run something that is not there."""
    known = set(every_command())
    tops = {name.split()[0] for name in known}
    for words in re.findall(
        r"`tidegate ([a-z][a-z-]*(?: [a-z][a-z-]*)?)", page.read_text(encoding="utf-8")
    ):
        first, _, second = words.partition(" ")
        assert first in tops, f"{page.name}: tidegate {words}"
        if any(name.startswith(f"{first} ") for name in known) and second:
            assert f"{first} {second}" in known, f"{page.name}: tidegate {words}"
