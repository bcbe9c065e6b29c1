"""The ten acceptance scenarios of development programs, as deliveries; every program is made up.

Programs stand for nobody: a made-up drug with a made-up partner each. Trials are those of other
records, because a milestone may only name a trial that is served.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from trial_records import record

A, B, C = "NCT99999999", "NCT99999998", "NCT99999997"
BASKET = "NCT00513591"
SEAMLESS = "NCT99999995"
SEEN = "2024-02-01"
LATE = "2024-03-01"

CONTEXTS = (
    ("s1", "s1", "Asthma", "first_line", "known", "US"),
    ("s2a", "s2", "Melanoma", "first_line", "known", "US"),
    ("s2b", "s2", "Non-small cell lung cancer", "first_line", "known", "US"),
    ("s3us", "s3", "Rheumatoid arthritis", "", "not_applicable", "US"),
    ("s3eu", "s3", "Rheumatoid arthritis", "", "not_applicable", "EU"),
    ("s4", "s4", "Systemic lupus erythematosus", "", "unknown", "US"),
    ("s5", "s5", "Sjogren's syndrome", "", "not_applicable", "US"),
    ("s6", "s6", "Axial spondyloarthritis", "", "not_applicable", "GLOBAL"),
    ("s7", "s7", "Asthma", "", "not_applicable", "US"),
    ("s8", "s8", "Asthma", "", "not_applicable", "GLOBAL"),
    ("s9a", "s9", "Melanoma", "second_line", "known", "GLOBAL"),
    ("s9b", "s9", "Non-small cell lung cancer", "second_line", "known", "GLOBAL"),
    ("s9c", "s9", "Lung cancer", "second_line", "known", "GLOBAL"),
    ("s10", "s10", "Atopic dermatitis", "", "not_applicable", "GLOBAL"),
    ("linked", "linked", "Asthma", "", "not_applicable", "CN"),
    ("seamless", "linked", "Asthma", "", "not_applicable", "GB"),
    ("empty", "linked", "Asthma", "", "not_applicable", "JP"),
)
"""Context, program, disease, line, what is known of the line, region."""

MILESTONES = (
    ("s1", "phase_started", "phase3", B, "2014-01-01"),
    ("s1", "trial_terminated", "", B, "2016-08-01"),
    ("s1", "phase_started", "phase2", C, "2017-03-01"),
    ("s1", "recruiting_started", "", C, "2017-03-01"),
    ("s2a", "phase_started", "phase3", B, "2012-12-01"),
    ("s2a", "trial_completed", "", B, "2014-10-01"),
    ("s2a", "approved", "", "", "2014-12-22"),
    ("s2b", "phase_started", "phase3", C, "2015-10-01"),
    ("s2b", "recruiting_started", "", C, "2015-10-01"),
    ("s3us", "approved", "", "", "2015-03-04"),
    ("s3eu", "submission_accepted", "", "", "2014-09-01"),
    ("s4", "phase_started", "phase1", A, "2020-01-01"),
    ("s4", "recruiting_started", "", A, "2020-01-01"),
    ("s5", "phase_started", "phase1_2", A, "2020-01-01"),
    ("s5", "recruiting_started", "", A, "2020-01-01"),
    ("s6", "originated", "Example Biotech", "", "2018-01-01"),
    ("s6", "phase_started", "phase2", B, "2018-01-01"),
    ("s6", "recruitment_closed", "", B, "2019-01-01"),
    ("s6", "licensed", "Example Pharma", "", "2019-06-01"),
    ("s7", "submission_filed", "", "", "2018-01-01"),
    ("s7", "refused", "", "", "2018-11-01"),
    ("s7", "submission_filed", "", "", "2019-06-01"),
    ("s7", "approved", "", "", "2020-02-01"),
    ("s8", "phase_started", "phase2", C, "2021-01-01"),
    ("s8", "recruiting_started", "", C, "2021-01-01"),
    ("s8", "discontinuation_announced", "", C, "2022-02-01"),
    *(
        (context, kind, phase, BASKET, "2016-01-01")
        for context in ("s9a", "s9b", "s9c")
        for kind, phase in (("phase_started", "phase2"), ("recruiting_started", ""))
    ),
    ("s10", "phase_started", "phase3", B, "2021-01-01"),
    ("s10", "trial_withdrawn", "", B, "2021-05-01"),
)
"""Context, what happened, phase or owner, trial, day; what was announced says so in its name."""

SOURCES = (
    ("linked", "registry_trial", C),
    ("linked", "registry_trial", A),
    ("linked", "registry_trial", B),
    ("seamless", "registry_trial", SEAMLESS),
    ("linked", "fda_submission", "125514:SUPPL:3"),
    ("linked", "fda_submission", "125514:SUPPL:999"),
)
"""Records of others that tell of a context; the last submission is nowhere."""

LATE_MILESTONES = (
    ("s10", "phase_started", "phase2", C, "2019-01-01"),
    ("s10", "trial_completed", "", C, "2020-12-01"),
)
"""What is told only later, of days before."""


def write_development(folder: Path) -> None:
    """Write the scenarios as `development/*.csv` under `folder`."""
    target = folder / "development"
    target.mkdir(parents=True)
    programs = dict.fromkeys(context[1] for context in CONTEXTS)
    _write(
        target / "programs.scenarios.csv",
        "program_id,drug_name,regimen,program_kind",
        [
            (name, "Exemplumab", f"Exemplumab|Synthetic partner of {name}", "fixed_combination")
            for name in programs
        ],
    )
    _write(
        target / "contexts.scenarios.csv",
        "context_id,program_id,segment_name,segment_state,line_label,line_state,setting,region_code",
        [
            (context, program, segment, "known", line, known, "other", region)
            for context, program, segment, line, known, region in CONTEXTS
        ],
    )
    _write(target / "context_sources.scenarios.csv", "context_id,source_kind,native_id", SOURCES)
    _write(
        target / "milestones.scenarios.csv",
        "milestone_id,context_id,milestone_type,phase,trial_id,organisation,milestone_date,"
        "truth_mode,source_authority_tier,observed_on,source_statement",
        [*_milestones(MILESTONES, SEEN), *_milestones(LATE_MILESTONES, LATE)],
    )


def write_seamless(folder: Path) -> None:
    """Snapshots of a trial of phases 1 and 2: planned, begun, its start corrected, suspended."""
    told = (
        ("2023-01-01", "NOT_YET_RECRUITING", "2023-03", "ESTIMATED"),
        ("2023-04-01", "RECRUITING", "2023-03-01", "ACTUAL"),
        ("2023-05-01", "RECRUITING", "2023-03-15", "ACTUAL"),
        ("2023-06-01", "SUSPENDED", "2023-03-15", "ACTUAL"),
    )
    for snapshot, status, start, kind in told:
        document = record(
            SEAMLESS,
            snapshot,
            {
                "statusModule": {
                    "overallStatus": status,
                    "startDateStruct": {"date": start, "type": kind},
                },
                "designModule": {"phases": ["PHASE1", "PHASE2"]},
            },
        )
        path = folder / "ctgov" / f"seamless.{snapshot}.json"
        path.write_text(json.dumps(document), encoding="utf-8")


def _milestones(told: Iterable[Sequence[str]], seen: str) -> Iterable[Sequence[str]]:
    for context, kind, value, trial, day in told:
        owned = kind in ("originated", "licensed")
        announced = kind == "discontinuation_announced"
        yield (
            f"{context}-{kind}-{day}", context, kind, "" if owned else value, trial,
            value if owned else "", day, "announced" if announced else "confirmed",
            _tier(kind, trial), seen, "Synthetic",
        )  # fmt: skip


def _tier(kind: str, trial: str) -> str:
    """Who may tell such a thing."""
    if kind == "discontinuation_announced":
        return "company_announcement"
    if kind in ("originated", "licensed"):
        return "company_filing"
    return "registry_primary" if trial else "regulator_primary"


def _write(path: Path, header: str, rows: Iterable[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header.split(","))
        writer.writerows(rows)
