"""What the harness calls a connection: psycopg's, whose rows are plain tuples."""

from __future__ import annotations

from typing import Any, TypeAlias

import psycopg

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]
