"""`tidegate.yml` beside `dbt_project.yml`, typed: where deliveries arrive, where events are sent.

Example::

    inbox: [incoming]
    outbox:
      attempts: 8
      default: {type: file, path: events.jsonl}
      owners:
        trials: {type: webhook, url: "https://hooks.example.org/trials", secret_env: TRIALS_SECRET}
        patents:
          - {type: command, argv: [bin/notify, --topic, patents]}
          - {type: file, path: patents.jsonl}

Without the section, or with `enabled: false`, events wait in the outbox.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, field_validator
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError

from tidegate.contracts.key_base import Keys
from tidegate.errors import ContractError, EnvironmentFailure, Problem, UsageError

CONFIG_FILE = "tidegate.yml"
_VARIABLE = r"^[A-Za-z_][A-Za-z0-9_]*$"
Variable = Annotated[str, Field(pattern=_VARIABLE)]
"""The name of an environment variable; secrets stand in the environment, not in the file."""


class _Sink(Keys):
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")] | None = None
    """What the ledger calls it where an owner has several; without one it is told by its target."""

    @property
    def target(self) -> str:
        """Where it leads, which tells two sinks apart; it may hold what is secret."""
        raise NotImplementedError

    @property
    def key(self) -> str:
        """How the ledger tells it from the owner's other sinks."""
        kind = type(self).__name__.lower()
        return self.name or f"{kind}:{hashlib.sha256(self.target.encode()).hexdigest()[:12]}"


class Webhook(_Sink):
    """An HTTP POST of the event; 2xx means it arrived."""

    type: Literal["webhook"]
    url: str
    secret_env: Variable | None = None
    """Variable with the secret that signs each request (`webhook-signature`)."""
    headers_env: Mapping[str, Variable] = Field(default_factory=dict)
    """Further headers, such as `Authorization`, by the variable that holds the value."""

    @property
    def target(self) -> str:
        """The address."""
        return self.url

    @field_validator("url")
    @classmethod
    def _is_plain_http(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("is not an http or https address")
        if parts.username or parts.password:
            raise ValueError("holds a user or a password; use headers_env")
        return url


class AppendFile(_Sink):
    """One JSON line an event, appended and flushed to disk; the path is relative to the project."""

    type: Literal["file"]
    path: Annotated[str, Field(min_length=1)]

    @property
    def target(self) -> str:
        """The path."""
        return self.path


class Command(_Sink):
    """A program that reads the event from standard input; exit code 0 means it took it."""

    type: Literal["command"]
    argv: Annotated[tuple[str, ...], Field(min_length=1)]

    @property
    def target(self) -> str:
        """The program with its arguments."""
        return "\0".join(self.argv)


AnySink = Webhook | AppendFile | Command


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, Mapping) else value


def _told_apart(sinks: tuple[AnySink, ...]) -> tuple[AnySink, ...]:
    if not sinks:
        raise ValueError("needs at least one sink")
    if len({sink.key for sink in sinks}) < len(sinks):
        raise ValueError("names one sink twice")
    return sinks


Sinks = Annotated[
    tuple[Annotated[AnySink, Field(discriminator="type")], ...],
    BeforeValidator(_listed),
    AfterValidator(_told_apart),
]
"""One sink, or a list of several: an event has arrived when it has arrived at each."""


class OutboxConfig(Keys):
    """The `outbox` section."""

    enabled: bool = True
    attempts: int = Field(default=8, ge=1, le=1000)
    """How often an event is tried before it becomes a dead letter."""
    first_delay_seconds: float = Field(default=5, ge=0)
    """The wait after the first failure; it doubles with each further one."""
    longest_delay_seconds: float = Field(default=3600, ge=0)
    timeout_seconds: float = Field(default=10, gt=0, le=300)
    default: Sinks | None = None
    """Where events of owners without a sink of their own go; None: they wait."""
    owners: Mapping[str, Sinks] = Field(default_factory=dict)

    def sinks_of(self, owner: str) -> tuple[AnySink, ...]:
        """Where the events of an owner go; empty: they wait."""
        return self.owners.get(owner, self.default) or ()


class _ProjectConfig(Keys):
    """The whole file."""

    inbox: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Folders, relative to the project, that `refresh` lands before it builds."""
    outbox: OutboxConfig | None = None


def load_outbox(project_dir: Path, environ: Mapping[str, str] | None = None) -> OutboxConfig | None:
    """Read the section; None where it is missing or not enabled.

    Raises ContractError with every problem of the file, EnvironmentFailure where a variable that
    it names is not set.
    """
    config = _load(project_dir).outbox
    if config is None or not config.enabled:
        return None
    _require_variables(config, os.environ if environ is None else environ)
    return config


def load_inbox(project_dir: Path) -> tuple[Path, ...]:
    """The folders that `refresh` lands, those without a file left out.

    Raises ContractError with every problem of the file, UsageError where a folder is missing.
    """
    folders = tuple(project_dir / name for name in _load(project_dir).inbox)
    missing = [str(folder) for folder in folders if not folder.is_dir()]
    if missing:
        raise UsageError(
            f"{CONFIG_FILE} names as inbox what is no folder: {', '.join(missing)}.",
            remedy="Make it, or correct the name.",
        )
    return tuple(folder for folder in folders if any(p.is_file() for p in folder.rglob("*")))


def _load(project_dir: Path) -> _ProjectConfig:
    path = project_dir / CONFIG_FILE
    if not path.is_file():
        return _ProjectConfig()
    document = _read(path)
    try:
        return _ProjectConfig.model_validate(_plain(document))
    except ValidationError as error:
        raise ContractError([_problem(document, item) for item in error.errors()]) from None


def _read(path: Path) -> Any:
    try:
        return YAML(typ="rt").load(path.read_text(encoding="utf-8")) or CommentedMap()
    except (MarkedYAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = Problem(
            CONFIG_FILE, mark.line + 1 if mark else 0, "", "This is not YAML.", "Correct it."
        )
        raise ContractError([problem]) from None


def _plain(node: Any) -> Any:
    """The document without ruamel's types, which pydantic need not know."""
    if isinstance(node, dict):
        return {key: _plain(value) for key, value in node.items()}
    return [_plain(value) for value in node] if isinstance(node, list) else node


def _problem(document: Any, error: Any) -> Problem:
    """One problem of pydantic with its line; the name of a sink's type is no key of the file."""
    keys: list[str] = []
    line, node = 0, document
    for part in error["loc"]:
        if isinstance(node, CommentedMap) and part in node:
            line, node = node.lc.key(part)[0] + 1, node[part]
        elif isinstance(node, CommentedSeq) and isinstance(part, int) and part < len(node):
            line, node = node.lc.item(part)[0] + 1, node[part]
        elif part in ("webhook", "file", "command") and part == _type_of(node):
            continue
        elif isinstance(part, int) and isinstance(node, CommentedMap):
            continue  # one sink that is not written as a list
        else:
            node = None
        keys.append(str(part))
    if error["type"] == "extra_forbidden":
        return Problem(CONFIG_FILE, line, ".".join(keys), "This key is not known.", "Remove it.")
    message = error["msg"].removeprefix("Value error, ")
    return Problem(
        CONFIG_FILE, line, ".".join(keys), f"{message[:1].upper()}{message[1:]}.",
        "See docs/operations.md, \"Events\".",
    )  # fmt: skip


def _type_of(node: Any) -> str | None:
    return node.get("type") if isinstance(node, dict) else None


def _require_variables(config: OutboxConfig, environ: Mapping[str, str]) -> None:
    named = {
        name
        for sinks in (*config.owners.values(), config.default or ())
        for sink in sinks
        if isinstance(sink, Webhook)
        for name in (sink.secret_env, *sink.headers_env.values())
        if name
    }
    missing = sorted(name for name in named if not environ.get(name))
    if missing:
        raise EnvironmentFailure(
            f"{CONFIG_FILE} names environment variables that are not set: {', '.join(missing)}.",
            remedy="Set them; no event was sent.",
        )
