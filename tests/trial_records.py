"""Synthetic registry records for what the samples do not show; every word of them is made up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ODD = "NCT99999998"
CHANGING = "NCT99999997"
NAMED = "NCT99999994"
COUNTRIES = (
    "United States", "USA", "US", "U.S.A.", "united states of america", "Korea", "Niger",
    "Nigeria", "NA", "Congo", "Atlantis",
)  # fmt: skip
MEASURES = (
    "Progression free  survival",
    "Overall Survival (OS) at one year in all participants",
    "PFS (Progression-Free Survival)",
    "Kaplan-Meier estimate of overall survival",
    "Overall Survival (OS) and Progression-Free Survival (PFS)",
    "Eczema Area and Severity Index: 90% improvement",
    "Eczema area, severity index: 75% improvement",
    "The primary endpoint",
    "Tolerability of docetaxel given per os",
    "Duration of tumor response",
)


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


def named_record() -> dict[str, Any]:
    """Countries and measures as different hands write them; doses and cycles in labels of arms."""
    arms = [{"label": f"Arm {name}", "type": "EXPERIMENTAL"}
            for name in ("A: Docetaxel, 3mg", "B: Docetaxel, 3 weeks")]  # fmt: skip
    measure = {
        "type": "SECONDARY", "title": MEASURES[0], "paramType": "MEDIAN",
        "unitOfMeasure": "months", "groups": [{"id": "OG000", "title": "Docetaxel 3 mg"}],
        "classes": [{"categories": [{"measurements": [{"groupId": "OG000", "value": "1"}]}]}],
    }  # fmt: skip
    return record(
        NAMED,
        "2024-01-31",
        {
            "contactsLocationsModule": {"locations": [{"country": it} for it in COUNTRIES]},
            "outcomesModule": {"secondaryOutcomes": [{"measure": it} for it in MEASURES]},
            "armsInterventionsModule": {"armGroups": arms},
        },
        resultsSection={"outcomeMeasuresModule": {"outcomeMeasures": [measure]}},
    )


def write_all(folder: Path) -> None:
    """Write the records as `ctgov/*.json` under `folder`, newest first."""
    target = folder / "ctgov"
    target.mkdir(parents=True)
    for number, document in enumerate(
        [odd_record(), named_record(), *reversed(changing_records())]
    ):
        (target / f"{number}.json").write_text(json.dumps(document), encoding="utf-8")
