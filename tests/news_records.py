"""Synthetic articles: a second capture, one without statements, a name nobody knows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SQUAMOUS = "Squamous Cell Non-small Cell Lung Cancer"


def article(
    document_id: str, *statements: Mapping[str, Any], body: str = "", **keys: Any
) -> dict[str, Any]:
    """One captured article; its text is the quotes of its statements, unless `body` says."""
    return {
        "documentId": document_id,
        "revision": "1",
        "capturedAt": "2015-02-27T12:00:00Z",
        "sourceFamily": "press_release",
        "publisher": "Synthetic Wire",
        "publishedAt": "2015-02-27T00:00:00Z",
        "title": "Synthetic",
        "body": body or ". ".join(str(said["quote"]) for said in statements) or "Nothing.",
        "statements": list(statements),
        **keys,
    }


def statement(words: str, status: str, **keys: Any) -> dict[str, Any]:
    """One statement about nivolumab, whose quote is its words."""
    return {
        "family": "regulatory",
        "status": status,
        "truth": "announced",
        "words": words,
        "drug": "Nivolumab",
        "disease": SQUAMOUS,
        "date": "2015-02-27",
        "quote": words,
        **keys,
    }


def write_article(folder: Path, name: str, record: Mapping[str, Any]) -> Path:
    """Write one delivery under `folder`; its path inside is that of the samples."""
    target = folder / "news" / f"{name}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(record), encoding="utf-8")
    return target


def write_news(folder: Path) -> None:
    """Write what the models have to cope with."""
    vague = statement("in the works", "mentioned", drug="BMS-000000", disease=None, date="soon")
    write_article(folder, "vague", article("synthetic:vague", vague, sourceFamily="news"))
    first = statement("application has been submitted", "submitted", date="2015")
    write_article(folder, "first", article("synthetic:twice", first))
    second = statement("FDA has accepted for filing", "accepted_for_review", date="2015-02")
    later = {"revision": "2", "capturedAt": "2015-03-01T12:00:00Z"}
    write_article(folder, "second", article("synthetic:twice", second, **later))
    write_article(folder, "silent", article("synthetic:silent"))
