"""What a project declares about inference, typed as it stands in `inference/*.yml`.

A task, a profile and a route are one immutable revision each: what was recorded under a revision is
never recorded otherwise, a change is a new revision.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

import rfc8785
from pydantic import Field

from tidegate.contracts.key_base import Keys
from tidegate.inference.vocabulary import DecidedBy

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=63)]
Text = Annotated[str, Field(min_length=1)]
Revision = Annotated[int, Field(gt=0, lt=1 << 31)]
Dollars = Annotated[float, Field(ge=0, lt=1_000_000)]
Relation = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$")]


class Task(Keys):
    """What is asked, and the form of the answer."""

    id: Name
    revision: Revision
    description: Text
    owner: Text
    high_impact: bool
    """Whether facts rest on the answer."""
    prompt: Text
    """The whole instruction; the input follows it as JSON."""
    output_schema: dict[str, Any]
    """JSON Schema of the answer, an object."""


class Profile(Keys):
    """Who is asked: an adapter, a model, its parameters, its prices."""

    id: Name
    revision: Revision
    adapter: Text
    """`recorded`, or `package.module:function` that makes a provider."""
    model: Text
    parameters: dict[str, Any] = Field(default_factory=dict)
    input_usd: Dollars | None = None
    """US dollars for a million tokens of input."""
    output_usd: Dollars | None = None
    """US dollars for a million tokens of output."""
    call_cap_usd: Dollars | None = None
    """What a call is booked at whose cost nobody knows: a timeout, a crash."""


class Route(Keys):
    """One revision of a task bound to one revision of a profile."""

    id: Name
    revision: Revision
    task: Name
    contract_revision: Revision | None = None
    profile: Name
    profile_revision: Revision | None = None
    owner: Text | None = None
    active: bool = True

    @property
    def pinned(self) -> bool:
        """Whether both revisions are named; nothing is asked on a route that floats."""
        return self.contract_revision is not None and self.profile_revision is not None


class Rule(Keys):
    """One demand on a field of the answer; it is met where the field is there and fits."""

    field: Text
    one_of: tuple[str | int | float | bool, ...] | None = None
    """The value is one of these."""
    at_least: float | None = None
    """The value is a number and not smaller."""
    in_input: Text | None = None
    """The value is in this field of the input: a member of a list, or a part of a text."""


class Verifier(Keys):
    """Another task that judges the answer; it gets `input` and `output`."""

    task: Name
    field: Text = "verdict"
    """The field of its answer that says so."""
    accept: Annotated[tuple[str, ...], Field(min_length=1)] = ("pass",)


class Policy(Keys):
    """What makes an answer acceptable; `version` tells one apart from an earlier one alike."""

    task: Name
    version: Text
    decided_by: Literal["deterministic_validator", "verifier_model", "human"]
    rules: tuple[Rule, ...] = ()
    verifier: Verifier | None = None
    max_attempts: Annotated[int, Field(gt=0, le=100)] = 3
    """How many attempts a question gets until it is left."""

    @property
    def who(self) -> DecidedBy:
        """Who has the last word."""
        return DecidedBy(self.decided_by)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 over the RFC 8785 canonical JSON of the whole policy."""
        return hashlib.sha256(rfc8785.dumps(self.model_dump(mode="json"))).hexdigest()


class Run(Keys):
    """Where a task's inputs come from, and where accepted answers are used."""

    task: Name
    route: Name
    input: Text
    """One query that only reads. Its columns are the input, but for these two:"""
    key: Name = "target_key"
    """the column that names what the answer is used for,"""
    artifacts: Name | None = None
    """and a column `text[]` with keys of the artefacts that the input stands in."""
    target: Relation
    """The relation for which the answers are accepted, as `schema.relation`."""
    may_be_empty: bool = False


@dataclass(frozen=True)
class Declarations:
    """Everything that is declared, checked against each other."""

    tasks: Mapping[tuple[str, int], Task]
    profiles: Mapping[tuple[str, int], Profile]
    routes: Mapping[str, Route]
    """By id: one revision of a route is declared at a time."""
    policies: Mapping[str, Policy]
    """By task."""
    runs: Mapping[str, Run]
    """By task."""

    def task_of(self, route: Route) -> Task:
        """The revision that a pinned route asks."""
        return self.tasks[(route.task, route.contract_revision or 0)]

    def profile_of(self, route: Route) -> Profile:
        """The revision that a pinned route asks it of."""
        return self.profiles[(route.profile, route.profile_revision or 0)]

    def route_for(self, task: str) -> Route | None:
        """The route of the task's run, else its first active one."""
        if task in self.runs:
            return self.routes[self.runs[task].route]
        return next((r for r in self.routes.values() if r.task == task and r.active), None)
