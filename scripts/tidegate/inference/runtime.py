"""`InferenceRuntime`: the one way to ask a model.

A question that was answered acceptably before is never asked again: its answer is used as long as
the policy under which it was accepted is in force. What a model or a verifier fails at stays an
attempt without acceptance, which nothing downstream reads; nothing is ever written elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from tidegate.connection import Connection
from tidegate.errors import UsageError
from tidegate.inference import asking, lookups, records
from tidegate.inference.asking import Line, Parser
from tidegate.inference.deciding import decide
from tidegate.inference.declare import keep_declarations
from tidegate.inference.lookups import Accepted, Attempt
from tidegate.inference.model import Declarations, Policy, Profile, Route
from tidegate.inference.provider import Provider, make_provider
from tidegate.inference.questions import Question, question
from tidegate.inference.validate import parse_output
from tidegate.inference.vocabulary import Decision
from tidegate.warehouse.connect import Warehouse


class State(str, Enum):
    """What became of a question."""

    ACCEPTED = "accepted"
    REUSED = "reused"
    REJECTED = "rejected"
    WAITING = "waiting"
    """For a batch, a verifier or a human."""
    EXHAUSTED = "exhausted"
    """As many attempts as the policy allows, and none was accepted."""


@dataclass(frozen=True)
class Outcome:
    """A question's state, its accepted answer if there is one, and how often it was asked."""

    state: State
    use: Accepted | None = None
    calls: int = 0


class InferenceRuntime:
    """Asks what is declared, on one warehouse; `providers` replace a profile's adapter by id."""

    def __init__(
        self,
        warehouse: Warehouse,
        declared: Declarations,
        project_dir: Path,
        providers: Mapping[str, Provider] | None = None,
        parser: Parser = parse_output,
    ) -> None:
        self.warehouse = warehouse
        self.declared = declared
        self.project_dir = project_dir
        self.parser = parser
        self._given = dict(providers or {})
        self._made: dict[tuple[str, int], Provider] = {}

    def keep_declarations(self, actor: str) -> None:
        """Bring what is declared into the ledger; see `declare.keep_declarations`."""
        with self.warehouse.transaction() as conn:
            keep_declarations(conn, self.declared, actor)

    def line(self, route: Route) -> Line:
        """What is needed to ask on a route; raise UsageError where it floats."""
        if not route.pinned:
            raise UsageError(
                f"Route {route.id} does not pin its revisions.",
                remedy="Give it contract_revision and profile_revision.",
            )
        profile = self.declared.profile_of(route)
        task = self.declared.task_of(route)
        return Line(task, route, profile, self.provider(profile), self.parser)

    def policy(self, task: str) -> Policy:
        """The policy under which answers of a task are accepted."""
        policy = self.declared.policies.get(task)
        if policy is None:
            raise UsageError(
                f"Task {task} has no policy.", remedy="Add one under `policies` in inference/."
            )
        return policy

    def answer(self, conn: Connection, line: Line, asked: Question) -> Outcome:
        """Answer one question: by what was accepted before, else by asking once.

        Callers of the same question wait for each other, so that it is asked once.
        """
        policy = self.policy(line.task.id)
        records.keep_request(conn, asked)
        use = lookups.accepted(conn, asked.request_key, policy.sha256)
        if use is not None:
            return Outcome(State.REUSED, use)
        with asking.only_one(self.warehouse, task=line.task.id, request_key=asked.request_key):
            outcome = self.known(conn, line, policy, asked)
            if outcome is not None:
                return outcome
            number = len(self._attempts(conn, line, policy, asked)) + 1
            asking.ask_now(conn, line, asked, number)
            found = self.known(conn, line, policy, asked, after_call=True)
        state = found.state if found is not None else State.REJECTED
        state = State.ACCEPTED if state is State.REUSED else state
        return Outcome(state, found.use if found else None, calls=1)

    def compare(self, conn: Connection, line: Line, asked: Question) -> str:
        """Ask once more, of whichever profile; return the attempt, about which nobody decides."""
        records.keep_request(conn, asked)
        policy = self.policy(line.task.id)
        with asking.only_one(self.warehouse, task=line.task.id, request_key=asked.request_key):
            number = len(self._attempts(conn, line, policy, asked)) + 1
            return asking.ask_now(conn, line, asked, number)

    def known(
        self,
        conn: Connection,
        line: Line,
        policy: Policy,
        asked: Question,
        *,
        after_call: bool = False,
    ) -> Outcome | None:
        """What is known without asking; None where it has to be asked (again).

        Attempts that nobody decided about under this policy are decided now. Whoever calls holds
        the question's lock: a call that is under way without a batch is nobody's any more.
        """
        for attempt in self._attempts(conn, line, policy, asked):
            if attempt.under_way and attempt.batch_id is None:
                asking.interrupted(conn, attempt.attempt_id, line.profile)
        use = lookups.accepted(conn, asked.request_key, policy.sha256)
        if use is not None:
            return Outcome(State.REUSED, use)
        attempts = self._attempts(conn, line, policy, asked)
        waits = False
        rejected = 0
        for attempt in attempts:
            state = self._state_of(conn, policy, asked, attempt)
            if state is Decision.ACCEPTED:
                use = lookups.accepted(conn, asked.request_key, policy.sha256)
                return Outcome(State.REUSED, use)
            waits = waits or state is None
            rejected += state is Decision.REJECTED
        if waits:
            return Outcome(State.WAITING)
        if rejected >= policy.max_attempts and not after_call:
            return Outcome(State.EXHAUSTED)
        return None

    def _state_of(
        self, conn: Connection, policy: Policy, asked: Question, attempt: Attempt
    ) -> Decision | None:
        if attempt.decision is not None:
            return Decision(attempt.decision)
        if attempt.under_way:
            return None
        verdict = decide(conn, policy, asked, attempt, self._verify)
        return None if verdict is None else verdict.decision

    def _verify(self, asked: Question, output: Any) -> Accepted | None:
        """Ask the verifier of the question's task about an output, on a connection of its own."""
        verifier = self.policy(asked.task.id).verifier
        route = self.declared.route_for(verifier.task) if verifier else None
        if route is None:
            return None
        line = self.line(route)
        content = {"input": dict(asked.content), "output": output}
        with self.warehouse.connect() as conn:
            return self.answer(conn, line, question(line.task, content, asked.artifacts)).use

    def _attempts(
        self, conn: Connection, line: Line, policy: Policy, asked: Question
    ) -> list[Attempt]:
        return lookups.attempts_of(conn, asked.request_key, line.profile, policy.sha256)

    def provider(self, profile: Profile) -> Provider:
        """The provider of a profile's revision, made once; raises what `make_provider` does."""
        if profile.id in self._given:
            return self._given[profile.id]
        key = (profile.id, profile.revision)
        if key not in self._made:
            self._made[key] = make_provider(profile, self.project_dir)
        return self._made[key]
