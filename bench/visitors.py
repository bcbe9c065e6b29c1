"""Peers that are no dependency of the project: installed for a run, asked, and gone with it.

Where no package index can be reached there are no visitors, and the report says so.
"""

from __future__ import annotations

import json
import os
import subprocess
import venv
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from psycopg.conninfo import conninfo_to_dict

from bench.options import Options
from bench.src import NOT_NULL, RANGES, SETS, UNIQUE
from tidegate.warehouse import Warehouse

HERE = Path(__file__).resolve().parent
QUIET = {
    "GX_ANALYTICS_ENABLED": "false",
    "RUNTIME__DLTHUB_TELEMETRY": "false",
    "PYTHONWARNINGS": "ignore",
}
"""What keeps peers from telling others that they run."""
PATIENCE = 900
"""Seconds that an installation or one answer may take."""


class Visitors:
    """The peers of `requirements-peers.txt` in an environment; `absent` says why there is none."""

    def __init__(self, options: Options) -> None:
        self._say = options.say
        self._folder = options.server.folder / "visitors"
        self._python = self._folder / "bin" / "python"
        self.absent = ""
        if not self._python.exists():
            self._install()

    def _install(self) -> None:
        self._say("installing peers")
        venv.create(self._folder, with_pip=True)
        words = [
            str(self._python),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]
        listed = ["--requirement", str(HERE / "requirements-peers.txt")]
        done = self._run([*words, *listed], "")
        if done.returncode:
            self.absent = "the peers could not be installed from the package index"
            self._say(f"{self.absent}: {done.stderr.strip()[-300:]}")

    def ask(self, peer: str, task: Mapping[str, Any]) -> dict[str, float] | None:
        """What the peer's work took; None, and a line said, where it failed."""
        words = [str(self._python), str(HERE / "visiting.py")]
        done = self._run(words, json.dumps({**task, "peer": peer}))
        if done.returncode:
            self._say(f"{peer} failed: {done.stderr.strip()[-600:]}")
            return None
        times: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
        return times

    def _run(self, words: list[str], given: str) -> subprocess.CompletedProcess[str]:
        own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(
            words,
            input=given,
            env={**own, **QUIET, "HOME": str(self._folder)},
            cwd=self._folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )


def checks(warehouse: Warehouse, rows: int, file: Path | None = None) -> dict[str, Any]:
    """The task of a peer that checks `public.src`; `file` is the table as CSV."""
    parts = conninfo_to_dict(warehouse.conninfo)
    place = {name: str(parts.get(name) or "") for name in ("host", "user", "dbname")}
    return {
        "url": f"postgresql+psycopg2://{place['user']}@/{place['dbname']}?host={place['host']}",
        "place": place,
        "rows": rows,
        "not_null": NOT_NULL,
        "sets": SETS,
        "ranges": RANGES,
        "unique": UNIQUE,
        "file": str(file or ""),
    }


def timed(
    visitors: Visitors, peer: str, task: Mapping[str, Any], told: dict[str, float]
) -> Callable[[], float]:
    """A rival for `in_turn`; what else the peer tells is put into `told`."""

    def run() -> float:
        times = visitors.ask(peer, task)
        if times is None:
            return float("nan")
        told.update(
            {f"{peer}: {name}": value for name, value in times.items() if name != "seconds"}
        )
        return times["seconds"]

    return run
