"""A date that the FDA corrects in a later snapshot: it goes through and is told; a loss is not."""

from __future__ import annotations

import pytest

from integration.test_refresh_cli import UserProject, generations, project
from tidegate.gates.model import Status
from tidegate.gates.result import GateResult
from trial_project import Built

__all__ = ["project"]

MILESTONE = "milestone:nivolumab-nsclc-squamous-us:FDA:125527:ORIG:1"
SUBMISSIONS = "samples/drugsatfda/Submissions.txt"
DECIDED = "125527\t25\tORIG\t1\tAP\t2015-03-04 00:00:00"
CORRECTED = "125527\t25\tORIG\t1\tAP\t2015-03-05 00:00:00"
SERVED = (
    "select milestone_date::text, valid_from::text from query.q_development_milestones"
    " join query.q_development_state_history using (context_key, axis, axis_value)"
    f" where milestone_key = '{MILESTONE}'"
)

REASONS = (
    "select result -> 'reasons', result -> 'sample_keys' from governance.gate_results"
    " where gate_id = 'temporal_validity' and asset = 'q_development_milestones'"
    " and family = 'development' order by evaluated_at desc limit 1"
)


def published(change: str) -> tuple[str, ...]:
    """Statements that publish the milestones of the candidate, but for what `change` says."""
    return (
        "create table canonical.before as select * from q_development_milestones",
        f"update canonical.before set {change} where milestone_key = '{MILESTONE}'",
        "create view query.q_development_milestones as select * from canonical.before",
    )


def judged(built: Built, *statements: str) -> GateResult:
    """What the gate of time says of the milestones once the database is as `statements` make it."""
    return built.verdicts("development", *statements)[
        "q_development_milestones", "temporal_validity"
    ]


def test_a_corrected_approval_date_warns_and_names_the_milestone(built: Built) -> None:
    """Another version of the same submission: told, with its key, and not held back."""
    before = published(
        "milestone_date = '2015-03-03', observed_at = '2015-03-03', source_version_id = 'sha256:0'"
    )
    result = judged(built, *before)
    assert (result.status, result.rows_failing, result.rows_warning) == (Status.WARN, 0, 1)
    assert (result.reasons, result.sample_keys) == ({"interval_corrected": 1}, (MILESTONE,))


def test_a_date_that_moves_in_the_same_version_is_held_back(built: Built) -> None:
    """Nobody corrected it: whoever builds the milestones made another one of the same words."""
    before = published("milestone_date = '2015-03-03', observed_at = '2015-03-03'")
    result = judged(built, *before)
    assert (result.blocks, result.reasons) == (True, {"interval_removed": 1})


def test_an_approval_that_is_gone_is_held_back(built: Built) -> None:
    """A submission that a later snapshot does not have corrects nothing."""
    gone = f"delete from q_development_milestones where milestone_key = '{MILESTONE}'"
    result = judged(built, *published("source_version_id = 'sha256:0'"), gone)
    assert (result.blocks, result.reasons) == (True, {"interval_removed": 1})


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_correction_of_a_snapshot_reaches_readers(project: UserProject) -> None:
    """Published with the corrected day and history; what is lost holds development back."""
    assert project.tidegate("refresh", "--samples").code == 0
    assert project.query(SERVED) == ("2015-03-04", "2015-03-04")

    project.replace(SUBMISSIONS, DECIDED, CORRECTED)
    assert project.tidegate("refresh", "--samples").code == 0
    assert generations(project)["development"] == ("published", "g000002")
    assert project.query(SERVED) == ("2015-03-05", "2015-03-05")
    assert project.query(REASONS) == ({"interval_corrected": 1}, [MILESTONE])
    listed = project.tidegate("review", "list").out
    assert "gate temporal_validity on q_development_milestones" in listed
    assert "gate temporal_validity on q_development_state_history" in listed

    text = (project.folder / SUBMISSIONS).read_text(encoding="utf-8")
    kept = "".join(line for line in text.splitlines(True) if not line.startswith(CORRECTED))
    (project.folder / SUBMISSIONS).write_text(kept, encoding="utf-8")
    answer = project.tidegate("refresh", "--samples")
    assert answer.code == 1
    assert (
        "temporal_validity on q_development_milestones (1 rows): interval_removed (1)" in answer.out
    )
    assert project.query(SERVED) == ("2015-03-05", "2015-03-05")
