"""Every error that Tidegate raises, in one leaf module so that nothing imports in a circle.

The tree::

    TidegateError               exit 2   the request or the surroundings are wrong
    ├── UsageError              exit 2   the command cannot mean anything as it was given
    ├── ContractError           exit 2   problems in contract or policy files, all at once
    ├── EnvironmentFailure      exit 2   server, privilege, disk or installation
    │   ├── ServerUnreachable   exit 2   no connection could be had
    │   ├── PrivilegeMissing    exit 2   the role may not do what the command needs
    │   └── CommitUnknown       exit 2   the reply to a commit was lost and nobody can be asked
    ├── BuildFailed             exit 2   dbt could not build the candidate
    ├── NothingJudged           exit 2   no check ran where one had to: never a pass
    ├── InvariantBroken         exit 2   a promise of Tidegate's own does not hold: a bug
    └── Withheld                exit 1   the answer is no, and readers are safe
        ├── HeldBack            exit 1   a blocking gate failed, or the contract is not met
        ├── Rejected            exit 1   refused by a rule known in advance
        ├── PublishBlocked      exit 1   locks could not be had in bounded time; try again
        └── LandingBlocked      exit 1   the same, of what landing writes and reads

An error never carries a field value: not in its message, not in its attributes. What PostgreSQL
says in DETAIL and CONTEXT is never copied (design §7).
"""

from __future__ import annotations

from dataclasses import dataclass

NOT_OURS = "Rename or move what is named: Tidegate replaces nothing that it did not make."
"""What to do where an object of somebody else's has a name that is needed."""


class TidegateError(Exception):
    """Base of all: a message for a person, a remedy, and a stable code.

    `code` is documented in docs/errors.md; `remedy` says what to do next, as an imperative.
    """

    exit_code = 2
    code = "error"

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".rstrip()


class UsageError(TidegateError):
    """The command cannot mean anything as it was given."""

    code = "usage"


@dataclass(frozen=True)
class Problem:
    """One thing wrong in one file: where it stands, what was expected and what to do.

    `line` is one-based, 0 where the whole file is meant; `key` is the dotted path inside the file.
    """

    file: str
    line: int
    key: str
    message: str
    remedy: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        where = f"{place}: {self.key}: " if self.key else f"{place}: "
        return f"{where}{self.message} {self.remedy}".rstrip()


class ContractError(TidegateError):
    """Problems in contract or policy files, all of them at once."""

    code = "contract"

    def __init__(self, problems: tuple[Problem, ...] | list[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class EnvironmentFailure(TidegateError):
    """Server, privilege, disk or installation: `tidegate doctor` says more."""

    code = "environment"


class ServerUnreachable(EnvironmentFailure):
    """No connection to the server could be had."""

    code = "server_unreachable"


class PrivilegeMissing(EnvironmentFailure):
    """The connected role may not do what the command needs."""

    code = "privilege_missing"


class CommitUnknown(EnvironmentFailure):
    """The reply to a commit was lost, and the server does not say what became of it."""

    code = "commit_unknown"
    tells_state = True
    """What readers see is not known, so nobody adds that nothing changed."""


class BuildFailed(TidegateError):
    """dbt could not build the candidate; nothing was published."""

    code = "build_failed"


class NothingJudged(TidegateError):
    """No check was found, or not every check that was found ran; nothing was published."""

    code = "nothing_judged"


class InvariantBroken(TidegateError):
    """A promise of Tidegate's own does not hold: a bug, never a user's mistake."""

    code = "invariant_broken"


class Withheld(TidegateError):
    """The answer is no, and readers are safe."""

    exit_code = 1
    code = "withheld"


class HeldBack(Withheld):
    """A blocking gate failed, or the candidate differs from its contract."""

    code = "held_back"


class Rejected(Withheld):
    """A delivery or a request was refused by a rule known in advance."""

    code = "rejected"


class PublishBlocked(Withheld):
    """Locks could not be had in bounded time; nothing changed, try again."""

    code = "publish_blocked"


class LandingBlocked(Withheld):
    """Locks of what landing writes and reads could not be had in bounded time; try again.

    The message ends in what became of the deliveries: a run that did not end stays open.
    """

    code = "landing_blocked"

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(
            f"{message} No delivery was accepted in part: landing the same files again goes on"
            " where this ended.",
            remedy=remedy,
        )
