"""Answers that were recorded beforehand, by the hash of the input: for tests, samples and replays.

A profile names a file of JSON lines under `parameters.answers`, relative to the project::

    {"input_sha256": "9f2c…", "output": {"verdict": "pass"}, "input_tokens": 210}
    {"input_sha256": "77ab…", "text": "not JSON"}
    {"input_sha256": "c1d0…", "status": "timed_out"}

Several lines of one hash answer its attempts in turn; the last one answers all further ones. What
was not recorded fails.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from tidegate.errors import ContractError, Problem
from tidegate.inference.model import Profile
from tidegate.inference.provider import Answer, Call
from tidegate.inference.vocabulary import AttemptStatus

_KNOWN = {"input_sha256", "status", "output", "text", "input_tokens", "output_tokens", "cost_usd"}


@dataclass
class RecordedProvider:
    """Answers by input hash; a batch has ended once it was asked for more than `polls` times."""

    answers: Mapping[str, Sequence[Answer]]
    polls: int = 0
    calls: list[str] = field(default_factory=list)
    """Input hashes in the order of the calls."""
    batches: dict[str, tuple[Call, ...]] = field(default_factory=dict)
    _polled: dict[str, int] = field(default_factory=dict)

    def call(self, call: Call) -> Answer:
        """The recorded answer of this attempt."""
        self.calls.append(call.input_sha256)
        recorded = self.answers.get(call.input_sha256, ())
        if not recorded:
            return Answer(AttemptStatus.FAILED)
        return recorded[min(call.number, len(recorded)) - 1]

    def submit(self, batch_id: str, calls: Sequence[Call]) -> str:
        """Take a batch; its reference is made of its id, so that it is the same one again."""
        reference = f"recorded-{batch_id}"
        self.batches.setdefault(reference, tuple(calls))
        return reference

    def poll(self, reference: str) -> bool:
        """Ended after `polls` questions."""
        self._polled[reference] = self._polled.get(reference, 0) + 1
        return self._polled[reference] > self.polls

    def collect(self, reference: str) -> Mapping[str, Answer]:
        """Each call's recorded answer; a batch of another process is not known, and fails."""
        return {call.call_id: self.call(call) for call in self.batches.get(reference, ())}


def make(profile: Profile, project_dir: Path) -> RecordedProvider:
    """Read the file that the profile names; raise ContractError with every wrong line."""
    name = str(profile.parameters.get("answers", ""))
    path = project_dir / name
    if not name or not path.is_file():
        place = f"profiles[{profile.id}].parameters.answers"
        problem = Problem(
            name or "inference", 0, place, "names no file of recorded answers.",
            "Give a path inside the project.",
        )  # fmt: skip
        raise ContractError([problem])
    answers: dict[str, list[Answer]] = {}
    problems: list[Problem] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            sha256, answer = _read(line)
        except (ValueError, TypeError, ArithmeticError):
            problems.append(
                Problem(name, number, "", "is not a recorded answer.", "See docs/inference.md.")
            )
            continue
        answers.setdefault(sha256, []).append(answer)
    if problems:
        raise ContractError(problems)
    return RecordedProvider(answers)


def _read(line: str) -> tuple[str, Answer]:
    given: dict[str, Any] = json.loads(line)
    if not isinstance(given, dict) or set(given) - _KNOWN:
        raise TypeError
    text = json.dumps(given["output"]) if "output" in given else given.get("text")
    status = AttemptStatus(given.get("status", "succeeded"))
    if (status is AttemptStatus.SUCCEEDED) != isinstance(text, str):
        raise ValueError
    cost = given.get("cost_usd")
    return str(given.get("input_sha256", "")), Answer(
        status,
        text,
        given.get("input_tokens"),
        given.get("output_tokens"),
        None if cost is None else Decimal(str(cost)),
    )
