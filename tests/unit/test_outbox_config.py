"""The outbox section is typed: every problem is told at once, with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tidegate.errors import ContractError, EnvironmentFailure, UsageError
from tidegate.ledger.outbox_config import (
    AppendFile,
    Command,
    OutboxConfig,
    Webhook,
    load_inbox,
    load_outbox,
)


def load(folder: Path, text: str, **environ: str) -> OutboxConfig | None:
    (folder / "tidegate.yml").write_text(text, encoding="utf-8")
    return load_outbox(folder, environ)


@pytest.mark.parametrize("text", ["", "# nothing\n", "outbox:\n", "outbox: {enabled: false}\n"])
def test_without_a_section_delivery_is_disabled(tmp_path: Path, text: str) -> None:
    """An empty file is no configuration, and neither is a missing one."""
    assert load_outbox(tmp_path, {}) is None
    assert load(tmp_path, text) is None


def test_each_owner_has_a_sink_and_others_the_default(tmp_path: Path) -> None:
    """Numbers not given have their defaults."""
    config = load(
        tmp_path,
        "outbox:\n"
        "  default: {type: file, path: events.jsonl}\n"
        "  owners:\n"
        "    trials: {type: webhook, url: 'https://example.org/x', secret_env: S}\n"
        "    patents: {type: command, argv: [notify, --now]}\n",
        S="secret",
    )
    assert config is not None
    assert config.sinks_of("trials") == (
        Webhook(type="webhook", url="https://example.org/x", secret_env="S"),
    )
    assert config.sinks_of("patents") == (Command(type="command", argv=("notify", "--now")),)
    assert config.sinks_of("anybody") == (AppendFile(type="file", path="events.jsonl"),)
    assert (config.attempts, config.first_delay_seconds, config.timeout_seconds) == (8, 5, 10)


def test_every_problem_is_told_with_its_line(tmp_path: Path) -> None:
    """Unknown keys, wrong types and addresses that hold a password, all in one error."""
    with pytest.raises(ContractError) as refused:
        load(
            tmp_path,
            "outbox:\n"
            "  atempts: 3\n"
            "  attempts: 0\n"
            "  owners:\n"
            "    a: {type: webhook, url: 'ftp://example.org'}\n"
            "    b:\n"
            "      type: webhook\n"
            "      url: 'https://user:hunter2@example.org'\n"
            "    c: {type: pigeon}\n"
            "    d: {type: file}\n"
            "other: 1\n",
        )
    hint = 'See docs/operations.md, "Events".'
    assert str(refused.value).splitlines() == [
        f"tidegate.yml:3: outbox.attempts: Input should be greater than or equal to 1. {hint}",
        f"tidegate.yml:5: outbox.owners.a.url: Is not an http or https address. {hint}",
        f"tidegate.yml:8: outbox.owners.b.url: Holds a user or a password; use headers_env. {hint}",
        "tidegate.yml:9: outbox.owners.c: Input tag 'pigeon' found using 'type' does not match"
        f" any of the expected tags: 'webhook', 'file', 'command'. {hint}",
        f"tidegate.yml:10: outbox.owners.d.path: Field required. {hint}",
        "tidegate.yml:2: outbox.atempts: This key is not known. Remove it.",
        "tidegate.yml:11: other: This key is not known. Remove it.",
    ]
    assert "hunter2" not in str(refused.value)


def test_a_file_that_is_not_yaml_is_told_with_its_line(tmp_path: Path) -> None:
    """Not a trace of the parser's own words."""
    with pytest.raises(ContractError) as refused:
        load(tmp_path, "outbox:\n  default: {type: file\nx")
    assert str(refused.value) == "tidegate.yml:3: This is not YAML. Correct it."


def test_a_variable_that_is_not_set_stops_delivery_before_anything_is_sent(
    tmp_path: Path,
) -> None:
    """A request without its signature would be worse than none."""
    with pytest.raises(EnvironmentFailure) as refused:
        load(
            tmp_path,
            "outbox:\n  default: {type: webhook, url: 'http://x', secret_env: B,"
            " headers_env: {Authorization: A, X-Y: C}}\n",
            C="set",
        )
    assert str(refused.value) == (
        "tidegate.yml names environment variables that are not set: A, B."
        " Set them; no event was sent."
    )


def test_an_owner_may_have_several_sinks_that_are_told_apart(tmp_path: Path) -> None:
    """By name, else by kind and a hash of the target: no address gets into the ledger."""
    config = load(
        tmp_path,
        "outbox:\n"
        "  owners:\n"
        "    trials:\n"
        "      - {type: webhook, url: 'https://example.org/token-4711', name: crm}\n"
        "      - {type: file, path: trials.jsonl}\n",
    )
    assert config is not None
    keys = [sink.key for sink in config.sinks_of("trials")]
    assert keys[0] == "crm"
    assert re.fullmatch(r"appendfile:[0-9a-f]{12}", keys[1])
    assert config.sinks_of("anybody") == ()


@pytest.mark.parametrize(
    ("sinks", "said"),
    [
        ("[]", "3: outbox.owners.a: Needs at least one sink."),
        (
            "[{type: file, path: x}, {type: file, path: x}]",
            "3: outbox.owners.a: Names one sink twice.",
        ),
        (
            "[{type: file, path: x}, {type: file}]",
            "3: outbox.owners.a.1.path: Field required.",
        ),
        (
            "[{type: file, path: x, name: A}]",
            "3: outbox.owners.a.0.name: String should match pattern '^[a-z][a-z0-9_-]{0,39}$'.",
        ),
    ],
)
def test_a_list_of_sinks_that_means_nothing_is_refused(
    tmp_path: Path, sinks: str, said: str
) -> None:
    """Told with its place."""
    with pytest.raises(ContractError) as refused:
        load(tmp_path, f"outbox:\n  owners:\n    a: {sinks}\n")
    assert str(refused.value) == f'tidegate.yml:{said} See docs/operations.md, "Events".'


def test_the_inbox_is_a_list_of_folders(tmp_path: Path) -> None:
    """Those without a file are nothing to land; one that is missing is an error."""
    assert load_inbox(tmp_path) == ()
    for name in ("in", "empty"):
        (tmp_path / name).mkdir()
    (tmp_path / "in" / "a.csv").write_text("")
    (tmp_path / "tidegate.yml").write_text("inbox: [in, empty]\n")
    assert load_inbox(tmp_path) == (tmp_path / "in",)
    (tmp_path / "tidegate.yml").write_text("inbox: [in, gone]\n")
    with pytest.raises(UsageError) as refused:
        load_inbox(tmp_path)
    assert str(refused.value) == (
        f"tidegate.yml names as inbox what is no folder: {tmp_path / 'gone'}."
        " Make it, or correct the name."
    )
