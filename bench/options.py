"""What a benchmark is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bench.server import Server


@dataclass(frozen=True)
class Options:
    """The server to use; `quick` asks for small sizes, which only check the way."""

    server: Server
    quick: bool
    say: Callable[[str], None] = lambda _: None
