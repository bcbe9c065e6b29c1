"""Carrying out a plan: new files appear whole or not at all, existing ones only grow."""

from __future__ import annotations

import os
from pathlib import Path

from tidegate.errors import UsageError
from tidegate.starter.plan import Plan, Step


def carry_out(plan: Plan) -> None:
    """Write every file of the plan; raise UsageError where one appeared meanwhile."""
    for step in plan.steps:
        if not step.by_hand:
            _write(plan.folder / step.path, step)


def _write(file: Path, step: Step) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    if step.is_new:
        try:
            with file.open("x", encoding="utf-8") as new:
                new.write(step.text)
        except FileExistsError:
            raise UsageError(
                f"{file} has appeared meanwhile.", remedy="Run the command again."
            ) from None
        return
    aside = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    aside.write_text(step.text, encoding="utf-8")
    aside.chmod(file.stat().st_mode & 0o777)
    aside.replace(file)
