"""What a provider of models has to be able to do; adapters of vendors implement it.

Both transports lead to the same attempts. An adapter keeps its vendor's SDK, address and request
form to itself (a folder `adapters`), and says at its top level in `DEGRADED` what it cannot do.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

from tidegate.errors import EnvironmentFailure
from tidegate.inference.model import Profile
from tidegate.inference.vocabulary import AttemptStatus


@dataclass(frozen=True)
class Call:
    """One question as a provider gets it. Prompt and input may hold values: never log a call.

    `call_id` is the attempt's id: a provider that knows idempotency keys uses it as one.
    `number` counts the attempts of the question, from 1.
    """

    call_id: str
    number: int
    input_sha256: str
    prompt: str = field(repr=False)
    input: Mapping[str, Any] = field(repr=False)
    output_schema: Mapping[str, Any] = field(repr=False)
    model: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Answer:
    """What came back: `text` exactly where it succeeded, costs where the provider tells."""

    status: AttemptStatus
    text: str | None = field(default=None, repr=False)
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: Decimal | None = None


class Provider(Protocol):
    """A provider of models. Whatever it raises is a failed attempt, TimeoutError one timed out."""

    def call(self, call: Call) -> Answer:
        """Ask and wait for the answer."""
        ...

    def submit(self, batch_id: str, calls: Sequence[Call]) -> str:
        """Hand a batch over and return the provider's reference of it.

        The same `batch_id` again is the same batch: after a crash it is handed over once more.
        """
        ...

    def poll(self, reference: str) -> bool:
        """Whether the batch has ended."""
        ...

    def collect(self, reference: str) -> Mapping[str, Answer]:
        """The answers of a batch that has ended, by `call_id`; one that is missing has failed."""
        ...


Factory = Callable[[Profile, Path], Provider]
RECORDED = "recorded"
_BUILT_IN = {RECORDED: "tidegate.inference.adapters.recorded:make"}


def make_provider(profile: Profile, project_dir: Path) -> Provider:
    """The provider of a profile; raise EnvironmentFailure where its adapter cannot be had."""
    module, _, name = _BUILT_IN.get(profile.adapter, profile.adapter).partition(":")
    try:
        factory: Factory = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise EnvironmentFailure(
            f"The adapter {profile.adapter} of profile {profile.id} cannot be imported:"
            f" {type(error).__name__}.",
            remedy="Install the package it stands in, or correct `adapter`.",
        ) from None
    return factory(profile, project_dir)
