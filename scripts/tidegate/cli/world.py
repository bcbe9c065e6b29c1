"""The state of the world at the end of a command that did not end well: what readers see.

A command that publishes may have published some families before it failed, or be interrupted while
the server commits. What readers see then is asked of the server, never assumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tidegate.errors import ServerUnreachable

if TYPE_CHECKING:
    from tidegate.warehouse import Warehouse

UNCHANGED = "Serving views unchanged."
_STATE = "state_of_the_world"
_DONE = "done_so_far"
"""Under which names an error carries what is noted of it."""
UNKNOWN = "What readers see could not be asked: `tidegate status` tells it once the server answers."


class OutputUnread(Exception):
    """Whoever read the command's output has gone; click would make exit code 1 of it."""


def state_with(error: BaseException) -> str:
    """The sentence that was noted for an error; most commands change nothing that readers see."""
    return str(_noted(error, _STATE, UNCHANGED))


def note_state(error: BaseException, sentence: str) -> None:
    """Say what is true when `error` ends the command; sentences noted before come first."""
    told = error.__dict__.get(_STATE)
    error.__dict__[_STATE] = f"{told} {sentence}" if told else sentence


@contextmanager
def done_so_far(document: Callable[[], Mapping[str, Any]]) -> Iterator[None]:
    """Note for whatever ends the block early what had been done: with `--json` it is told too."""
    try:
        yield
    except (Exception, KeyboardInterrupt) as error:
        error.__dict__[_DONE] = {**document(), **partial_of(error)}
        raise


def partial_of(error: BaseException) -> Mapping[str, Any]:
    """What was noted of the work that was done before an error."""
    return dict(_noted(error, _DONE, {}))


def _noted(error: BaseException, note: str, otherwise: Any) -> Any:
    # click makes an Abort of an interrupt, and the group an OutputUnread of a closed pipe.
    for one in (error, error.__cause__):
        if one and note in one.__dict__:
            return one.__dict__[note]
    return otherwise


@contextmanager
def watched(warehouse: Warehouse) -> Iterator[None]:
    """Note for whatever ends the block early which families readers see another generation of."""
    before = _heads(warehouse)
    try:
        yield
    except (Exception, KeyboardInterrupt) as error:
        note_state(error, _told(before, warehouse))
        raise


def _told(before: Mapping[str, int], warehouse: Warehouse) -> str:
    import psycopg

    from tidegate.names import generation_label

    try:
        after = _heads(warehouse)
    except (ServerUnreachable, psycopg.Error, KeyboardInterrupt):
        return UNKNOWN
    moved = [family for family in sorted(after) if after[family] != before.get(family)]
    if not moved:
        return UNCHANGED
    shown = ", ".join(f"{family} {generation_label(after[family])}" for family in moved)
    return f"Serving views now show {shown}; all others are unchanged."


def _heads(warehouse: Warehouse) -> dict[str, int]:
    from tidegate.warehouse import locks

    patience = locks.as_setting(locks.PATIENCE_SECONDS)
    with warehouse.connect(lock_timeout=patience) as conn:
        rows = conn.execute("select family, generation from governance.serving_heads").fetchall()
    return {str(family): int(generation) for family, generation in rows}
