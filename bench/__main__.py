"""Run benchmarks: `python -m bench [name …] [--quick] [--json file]`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts")]

NAMES = ("publication", "indirection", "refresh", "policy", "landing", "detection")


def main() -> int:
    """Run what is asked for; print Markdown, and write JSON if a file is named."""
    from bench.options import Options
    from bench.report import machine
    from bench.server import running

    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--quick", action="store_true", help="small sizes: checks the way only")
    parser.add_argument("--json", type=Path, metavar="file", help="also write everything as JSON")
    given = parser.parse_args()
    unknown = sorted(set(given.names) - set(NAMES))
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]}; there are {', '.join(NAMES)}")

    with running() as server:
        facts = machine(server.version)
        print("; ".join(f"{key}: {value}" for key, value in facts.items()), end="\n\n", flush=True)
        options = Options(server, given.quick, lambda line: print(line, file=sys.stderr))
        reports = []
        for name in given.names or NAMES:
            options.say(f"running {name}")
            reports.append(importlib.import_module(f"bench.{name}").run(options))
            print(reports[-1].markdown(), flush=True)
    if given.json:
        document = {"machine": facts, "quick": given.quick}
        found = {**document, "reports": [report.document() for report in reports]}
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
