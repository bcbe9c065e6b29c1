"""A quality policy as loaded: immutable, hashed, and complete."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import rfc8785

from tidegate.contracts.keys import ChangeKind, Classification
from tidegate.rules.model import Rule


@dataclass(frozen=True)
class Policy:
    """The rules in the order they were written, and overrides for schema changes.

    `sha256` is over the RFC 8785 canonical JSON of `document()`: the policy with every default
    written out, so that two spellings of one policy have one hash and a default that changes in a
    later version cannot hide behind an old hash.
    """

    version: str
    rules: tuple[Rule, ...]
    schema_policy: Mapping[ChangeKind, Classification]

    def document(self) -> dict[str, Any]:
        """The complete policy as JSON."""
        return {
            "version": self.version,
            "rules": [rule.complete() for rule in self.rules],
            "schema_policy": {
                kind.value: grade.value for kind, grade in self.schema_policy.items()
            },
        }

    @cached_property
    def canonical(self) -> bytes:
        """The RFC 8785 form of the complete policy: what the hash is taken over."""
        return rfc8785.dumps(self.document())

    @cached_property
    def sha256(self) -> str:
        """64 hex digits."""
        return hashlib.sha256(self.canonical).hexdigest()
