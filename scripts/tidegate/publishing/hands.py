"""Work on many tables shared by two connections: a server has more than one core."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Protocol, TypeVar

from tidegate.connection import Connection

Result = TypeVar("Result")


class Each(Protocol):
    """Do work for each name, on whichever connection is free; the results by name."""

    def __call__(
        self, names: Sequence[str], work: Callable[[Connection, str], Result]
    ) -> dict[str, Result]:
        """See the class."""
        ...


@contextmanager
def hands(conn: Connection, connect: Callable[[], Connection] | None) -> Iterator[Each]:
    """Yield `Each` over `conn` and, where `connect` is given, a second connection.

    The first error ends the work that has not begun and is raised.
    """
    with ExitStack() as stack:
        conns = [conn] if connect is None else [conn, stack.enter_context(connect())]
        pool = stack.enter_context(ThreadPoolExecutor(len(conns), thread_name_prefix="tables"))

        def each(
            names: Sequence[str], work: Callable[[Connection, str], Result]
        ) -> dict[str, Result]:
            waiting = deque(names)
            done: dict[str, Result] = {}

            def drain(own: Connection) -> None:
                try:
                    while (name := _next(waiting)) is not None:
                        done[name] = work(own, name)
                except BaseException:
                    waiting.clear()
                    raise

            for future in [pool.submit(drain, own) for own in conns]:
                future.result()
            return done

        yield each


def _next(waiting: deque[str]) -> str | None:
    try:
        return waiting.popleft()
    except IndexError:
        return None
