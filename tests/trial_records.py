"""Synthetic registry records for what the samples do not show; every word of them is made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ODD = "NCT99999998"
CHANGING = "NCT99999997"


def record(nct_id: str, snapshot: str, protocol: dict[str, Any], **sections: Any) -> dict[str, Any]:
    """A record that has what the registry always gives, and what the test adds."""
    base: dict[str, Any] = {
        "identificationModule": {"nctId": nct_id, "briefTitle": "Synthetic record of a test"},
        "statusModule": {"overallStatus": "RECRUITING"},
        "designModule": {"studyType": "INTERVENTIONAL"},
    }
    for name, module in protocol.items():
        base[name] = {**base.get(name, {}), **module} if isinstance(module, dict) else module
    derived = {"miscInfoModule": {"versionHolder": snapshot}}
    return {"protocolSection": base, "derivedSection": derived, **sections}


def odd_record() -> dict[str, Any]:
    """Values no list knows, dates no calendar has, numbers that are none, repeated keys."""
    arm = {"label": "Arm: one", "type": "NOVEL_COMPARATOR"}
    groups = [
        {"id": "OG000", "title": "Arm: one"},
        {"id": "OG001", "title": "arm: one"},
        {"id": "OG002", "title": "Total"},
    ]
    values = [
        {"groupId": "OG000", "value": "1,234.5"},
        {"groupId": "OG001", "value": "NA", "comment": "Too few events"},
        {"groupId": "OG002", "value": "0"},
    ]
    measure = {
        "type": "PRIMARY",
        "title": "Synthetic measure",
        "paramType": "COUNT_OF_STARS",
        "unitOfMeasure": "stars",
        "groups": groups,
        "denoms": [{"units": "Participants", "counts": [{"groupId": "OG000", "value": "1,300"}]}],
        "classes": [{"title": "Two of three (n=4,5)", "categories": [{"measurements": values}]}],
        "analyses": [{"groupIds": ["OG000", "OG001"], "pValue": "≤0.05", "ciNumSides": "BOTH"}],
    }
    return record(
        ODD,
        "2024-01-31",
        {
            "statusModule": {
                "overallStatus": "PAUSED",
                "startDateStruct": {"date": "2023-02-30", "type": "GUESSED"},
                "completionDateStruct": {"date": "soon"},
                "primaryCompletionDateStruct": {"date": "2024-02-29"},
            },
            "identificationModule": {"acronym": "   "},
            "designModule": {"studyType": "DAYDREAM", "phases": ["PHASE9"]},
            "conditionsModule": {"conditions": ["Same", "Same"], "keywords": "not a list"},
            "armsInterventionsModule": {
                "armGroups": [arm, arm, {"type": "OTHER"}],
                "interventions": [
                    {"type": "DRUG", "name": "opdivo®", "armGroupLabels": ["Arm: one", "Arm: two"]},
                    {"type": "POTION", "name": "Placebo tablet"},
                ],
            },
            "eligibilityModule": {"sex": "ANY", "minimumAge": "Old", "maximumAge": "1 Year"},
            "contactsLocationsModule": {
                "locations": [
                    {"city": "Nowhere", "country": "Atlantis", "geoPoint": {"lat": 91, "lon": 1}},
                    {"city": "Nowhere", "country": "Atlantis"},
                ]
            },
            "referencesModule": {
                "references": [{"citation": "Synthetic.", "retractions": [{"pmid": "1"}]}]
            },
        },
        resultsSection={"outcomeMeasuresModule": {"outcomeMeasures": [measure]}},
    )


def changing_records() -> list[dict[str, Any]]:
    """Five snapshots of one trial: recruiting twice, completed, recruiting again, then silence."""
    statuses = ["RECRUITING", "RECRUITING", "COMPLETED", "RECRUITING", None]
    return [
        record(CHANGING, f"2020-0{month}-01", {"statusModule": {"overallStatus": status}})
        for month, status in enumerate(statuses, start=1)
    ]


def write_all(folder: Path) -> None:
    """Write the records as `ctgov/*.json` under `folder`, newest first."""
    target = folder / "ctgov"
    target.mkdir(parents=True)
    for number, document in enumerate([odd_record(), *reversed(changing_records())]):
        (target / f"{number}.json").write_text(json.dumps(document), encoding="utf-8")
