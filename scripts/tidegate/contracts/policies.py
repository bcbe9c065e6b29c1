"""A contract's quality policy: written in the contract, or in a JSON file that it names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tidegate.contracts.document import Document, KeyPath

_KEY = ("config", "meta", "tidegate", "quality_policy")


def read_policy(
    document: Document, path: KeyPath, given: dict[str, Any] | str | None, project_dir: Path
) -> dict[str, Any] | None:
    """The policy as its JSON contract, or None; a file that cannot be read is reported.

    What the policy says is checked by `tidegate.rules`, not here.
    """
    place = (*path, *_KEY)
    if given is None or isinstance(given, dict):
        return given
    root = project_dir.resolve()
    file = (root / given).resolve()
    if root not in file.parents or not file.is_file():
        document.report(
            place, f"{given!r} is not a file of this project.", "Give its path from the project."
        )
        return None
    try:
        text = file.read_text(encoding="utf-8")
        policy = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except _Twice as error:
        document.report(place, f"{given} has the key {error.args[0]!r} twice.", "Keep one of them.")
        return None
    except (ValueError, RecursionError):
        document.report(place, f"{given} is not JSON in UTF-8.", "Correct the file.")
        return None
    if not isinstance(policy, dict):
        document.report(place, f"{given} is not a JSON object.", "Correct the file.")
        return None
    return policy


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


class _Twice(Exception):
    """A key of a JSON object that stands there a second time."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise _Twice(key)
        result[key] = value
    return result
