"""Synthetic publications: odd values, further records of one article, labels of a real trial."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ODD = "pmid:99000001"
QUOTE = "Dupilumab 300 mg qw or placebo: 72% and 99% and 0% of all but few"


def records() -> list[dict[str, Any]]:
    """An odd article on NCT02210780, and two records of it without its PubMed number."""
    return [
        _odd_article(),
        _same_article("doi:10.0000/odd", doi="10.0000/ODD.1"),
        _same_article("conference:odd", conferenceId="ODD-1"),
    ]


def write_publications(folder: Path) -> None:
    """Write the records as `pubmed/*.json` under `folder`."""
    target = folder / "pubmed"
    target.mkdir(parents=True)
    for number, document in enumerate(records()):
        (target / f"{number}.json").write_text(json.dumps(document), encoding="utf-8")


def _same_article(record_id: str, **identity: str) -> dict[str, Any]:
    return {
        "recordId": record_id,
        "version": "1",
        "title": "An odd: article!",
        "publicationDate": "2021",
        **identity,
    }


def _odd_article() -> dict[str, Any]:
    return {
        **_same_article(ODD, pmid="99000001", doi="10.0000/odd.1"),
        "kind": "POEM",
        "textCoverage": "full_text",
        "isRetracted": True,
        "dataBanks": ["NCT02210780", " "],
        "arms": [
            {"label": "Dupilumab 300 mg qw", "role": "experimental", "quote": QUOTE},
            {"label": "Placebo", "role": "HERO", "quote": QUOTE},
        ],
        "populations": [
            {"label": "all", "kind": "itt", "n": "97", "nBasis": "derived", "quote": QUOTE},
            {"label": "few", "parent": "all", "kind": "clinical_subgroup", "quote": QUOTE},
        ],
        "outcomes": [
            _outcome("EASI-50", value="72"),
            _outcome("EASI-75", value="99"),
            _outcome("IGA-0-1", state="not_reached", statistic="VIBES"),
            _outcome("EASI-75", value="0", population="all"),
        ],
        "interventions": [
            {"term": "Dupixent", "type": "biologic"},
            {"term": "Nivolumab", "type": "procedure"},
        ],
    }


def _outcome(phrase: str, **more: str) -> dict[str, Any]:
    return {
        "arm": "Dupilumab 300 mg qw",
        "population": "few",
        "endpointPhrase": phrase,
        "statistic": "proportion",
        "unit": "percent",
        "quote": QUOTE,
        **more,
    }
