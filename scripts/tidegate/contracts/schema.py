"""The JSON Schema of contract files, generated from the types that read them.

Editors complete and check contracts with it while they are written. It is checked in beside the
contracts, where dbt ignores it; `tidegate contract schema` prints it and a test compares the two.
"""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from tidegate.contracts.files import ContractFile

FILE = "contracts/tidegate.schema.json"
_SOURCE = re.compile(r" \((?:design|domain|\w+ seed)\b[^)]*\)")
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def contract_schema() -> dict[str, Any]:
    """The schema as a JSON document (draft 2020-12)."""
    schema = ContractFile.model_json_schema(by_alias=True, schema_generator=Untitled)
    return {
        "$schema": DIALECT,
        "title": "Tidegate contract",
        "description": "A dbt property file that holds contracts; see docs/contracts.md.",
        **{key: value for key, value in schema.items() if key not in ("title", "description")},
    }


def schema_text() -> str:
    """The schema as it is checked in: two spaces, a line break at the end."""
    return json.dumps(public(contract_schema()), indent=2, ensure_ascii=False) + "\n"


class Untitled(GenerateJsonSchema):
    """Without the titles that pydantic derives from names: they say nothing new."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Never."""
        return False


def public(value: Any) -> Any:
    """Descriptions on one line, without the sources that only developers look up."""
    if isinstance(value, dict):
        return {
            key: _SOURCE.sub("", " ".join(item.split()))
            if key == "description" and isinstance(item, str)
            else public(item)
            for key, item in value.items()
        }
    return [public(item) for item in value] if isinstance(value, list) else value
