"""The JSON Schema of `inference/*.yml`, generated from the types that read them.

For editors: it knows one file and no database, so that names meet their declarations and a query
only reads is said by loading alone (`tidegate infer status`). It is checked in beside the files, as
`tidegate infer schema` prints it; a test compares the two.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from tidegate.contracts.key_base import Keys
from tidegate.contracts.schema import DIALECT, Untitled, public
from tidegate.inference.model import Policy, Profile, Route, Run, Task
from tidegate.inference.provider import RECORDED
from tidegate.inference.vocabulary import DecidedBy

FILE = "inference/inference.schema.json"
_DEMANDS = ("one_of", "at_least", "in_input")


class _File(Keys):
    version: Literal[1]
    tasks: tuple[Task, ...] = ()
    """What is asked; a change is a new revision."""
    profiles: tuple[Profile, ...] = ()
    """Who is asked; a change is a new revision."""
    routes: tuple[Route, ...] = ()
    """Which revision of a task is asked of which revision of a profile."""
    policies: tuple[Policy, ...] = ()
    """What makes an answer acceptable, one policy a task."""
    runs: tuple[Run, ...] = ()
    """Where inputs come from and where accepted answers are used, one run a task."""


def inference_schema() -> dict[str, Any]:
    """The schema as a JSON document (draft 2020-12)."""
    found = _File.model_json_schema(schema_generator=Untitled)
    kinds = found["$defs"]
    # What the types leave to the checks of one declaration alone (`inference.checks`).
    kinds["Task"]["properties"]["output_schema"] |= {
        "required": ["type"], "properties": {"type": {"const": "object"}},
    }  # fmt: skip
    kinds["Profile"]["properties"]["adapter"]["pattern"] = f"^{RECORDED}$|:"
    kinds["Rule"]["anyOf"] = [
        {"required": [name], "properties": {name: {"not": {"type": "null"}}}} for name in _DEMANDS
    ]
    _pin(kinds["Route"], "contract_revision", "profile_revision")
    verified = {"properties": {"decided_by": {"const": DecidedBy.VERIFIER_MODEL.value}}}
    kinds["Policy"] |= {
        "if": verified,
        "then": {"required": ["verifier"], "properties": {"verifier": {"type": "object"}}},
        "else": {"properties": {"verifier": {"type": "null"}}},
    }
    return {
        "$schema": DIALECT,
        "title": "Tidegate inference",
        "description": "What models are asked, and what is acceptable; see docs/inference.md.",
        **{key: value for key, value in found.items() if key not in ("title", "description")},
    }


def _pin(route: dict[str, Any], *revisions: str) -> None:
    """A route that floats is refused: both revisions stand there, and are numbers."""
    for name in revisions:
        (number,) = (
            kind for kind in route["properties"][name]["anyOf"] if kind != {"type": "null"}
        )
        route["properties"][name] = number
    route["required"] = [*route["required"], *revisions]


def schema_text() -> str:
    """The schema as it is checked in: two spaces, a line break at the end."""
    return json.dumps(public(inference_schema()), indent=2, ensure_ascii=False) + "\n"
