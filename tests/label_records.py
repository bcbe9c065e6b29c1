"""Synthetic label documents: two versions of one, in a language other than English."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def versions() -> list[dict[str, Any]]:
    """Version 1 of 2020 and version 2 of 2021; the second is of a kind that no list has."""
    return [_version("1", "2020-01-01", "spl"), _version("2", "2021-07-01", "HOLOGRAM")]


def write_labels(folder: Path) -> None:
    """Write the versions as `labels/*.json` under `folder`, newest first."""
    target = folder / "labels"
    target.mkdir(parents=True)
    for number, document in enumerate(reversed(versions())):
        (target / f"{number}.json").write_text(json.dumps(document), encoding="utf-8")


def _version(version: str, effective: str, kind: str) -> dict[str, Any]:
    return {
        "regulator": "FDA",
        "regionCode": "US",
        "applicationNumber": "125554",
        "documentKind": kind,
        "nativeId": "synthetic-label",
        "version": version,
        "effectiveDate": effective,
        "languageCode": "zh",
        "drugName": "opdivo®",
        "indications": [
            {
                "section": "34067-9",
                "number": "1",
                "condition": "Synthetic disease",
                "line": "first_line",
                "text": "合成示例原文",
                "translation": {"text": "synthetic example", "version": "t-2026-01"},
                "basis": "magic",
            }
        ],
    }
