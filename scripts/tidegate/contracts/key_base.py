"""The base of all key groups of contract files."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Keys(BaseModel):
    """Base of all key groups: unknown keys are refused and nothing changes after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)
