"""Named points where a test may stop the process, so that crashes are proved and not argued.

`TIDEGATE_FAILPOINT=<name>` kills the process with SIGKILL when that point is reached;
`<name>:pause` writes the process id to the file named by `TIDEGATE_FAILPOINT_FILE` and waits until
that file is gone, so that a test can do something to the server meanwhile. Unset, a point costs a
look-up of one variable.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def hit(name: str) -> None:
    """Stop here if a test asked for it."""
    wanted = os.environ.get("TIDEGATE_FAILPOINT")
    if not wanted:
        return
    point, _, action = wanted.partition(":")
    if point != name:
        return
    if action == "pause":
        _pause(Path(os.environ["TIDEGATE_FAILPOINT_FILE"]))
        return
    os.kill(os.getpid(), signal.SIGKILL)


def _pause(flag: Path) -> None:
    """Say that the point is reached, and wait until the test removes the file."""
    flag.write_text(str(os.getpid()), encoding="ascii")
    while flag.exists():
        time.sleep(0.01)
