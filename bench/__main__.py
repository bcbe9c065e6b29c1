"""Run benchmarks: `python -m bench [name …] [--quick] [--json file]`.

Each figure is printed when it is known, and the file of `--json` is written anew each time: a run
that is cut off has told what it measured. SIGTERM and SIGINT end the server and remove its folder.
"""

from __future__ import annotations

import argparse
import importlib
import json
import signal
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts")]

if TYPE_CHECKING:
    from bench.report import Report

NAMES = ("publication", "indirection", "refresh", "gates", "policy", "landing", "detection")
STOPPED = 128
stopped: list[int] = []


@dataclass
class Output:
    """Standard output and the JSON file, in step with each other."""

    facts: dict[str, str]
    quick: bool
    file: Path | None
    reports: list[Report] = field(default_factory=list)

    def opened(self, report: Report) -> None:
        """Show a report from now on."""
        report.show = self.show
        self.reports.append(report)

    def show(self, line: str) -> None:
        """Print a line, and write the file."""
        print(line, flush=True)
        if self.file is None:
            return
        reports = [report.document() for report in self.reports]
        found = {"machine": self.facts, "quick": self.quick, "reports": reports}
        part = self.file.with_name(f"{self.file.name}.part")
        part.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
        part.replace(self.file)


def main() -> int:
    """Run what is asked for; print Markdown, and write JSON if a file is named."""
    from bench.options import Options
    from bench.report import machine
    from bench.server import running

    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--quick", action="store_true", help="small sizes: checks the way only")
    parser.add_argument("--json", type=Path, metavar="file", help="also write everything as JSON")
    parser.add_argument("--size", type=int, metavar="n", help="trials of gates, rows of policy")
    given = parser.parse_args()
    unknown = sorted(set(given.names) - set(NAMES))
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]}; there are {', '.join(NAMES)}")

    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    start = time.monotonic()

    def say(line: str) -> None:
        print(f"[{time.monotonic() - start:5.0f} s] {line}", file=sys.stderr, flush=True)

    with running() as server:
        facts = machine(server.version)
        print("; ".join(f"{key}: {value}" for key, value in facts.items()), end="\n\n", flush=True)
        output = Output(facts, given.quick, given.json)
        options = Options(server, given.quick, given.size, say, output.opened)
        for name in given.names or NAMES:
            say(f"running {name}")
            importlib.import_module(f"bench.{name}").run(options).end()
    return 0


def _stop(number: int, _: FrameType | None) -> None:
    """Leave by the way that every block cleans up on; a second signal does not interrupt that."""
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, signal.SIG_IGN)
    print(f"stopped by {signal.Signals(number).name}", file=sys.stderr, flush=True)
    stopped.append(STOPPED + number)
    sys.exit(stopped[0])


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception:
        # dbt in this process makes an error of its own of the signal.
        if not stopped:
            raise
        sys.exit(stopped[0])
