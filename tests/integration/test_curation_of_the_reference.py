"""Links and overlays of the reference domain: what the samples and a synthetic trial resolve to.

One trial has two arms that a posted group may be, one publication has a title and no identifier.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curating import MAYA, OMAR, arm_link
from databases import database
from dbt_profile import write_profile
from dbt_runs import statuses
from tidegate.deliveries.landing import LandOptions, land
from tidegate.ledger import curation
from tidegate.ledger.curation import Proposal
from tidegate.ledger.curation_words import ROW, TARGET, OverlayKind, SubjectKind
from tidegate.settings import Settings
from tidegate.warehouse import Warehouse
from trial_project import REPOSITORY, SEARCH_PATH, dbt
from trial_records import record

TWO_ARMS = "NCT99999996"
TITLE = "Synthetic trial of two placebo arms and of a title"
GROUP = "group:NCT01642004:Outcome:1:OG000"
ARM = "arm:NCT01642004:Arm A: Nivolumab"
SPONSOR = "q_trial_sponsors|sponsor:NCT01642004:lead:Bristol-Myers Squibb"
MODELS = ("q_trial_outcomes", "q_trial_result_groups", "q_trial_sponsors",
          "q_publication_trial_links", "q_conflicts", "q_curations",
          "q_provenance__clinical_trials", "q_provenance__publications")  # fmt: skip
OVERLAID = ("q_trial_outcomes", "q_trial_result_groups", "q_trial_sponsors",
            "q_publication_trial_links")  # fmt: skip


def write_synthetic(folder: Path) -> None:
    """A trial with two placebo arms and a group "Placebo"; a publication without identifier."""
    arms = [{"label": f"Part {part}: Placebo", "type": "PLACEBO_COMPARATOR"} for part in "12"]
    measure = {
        "type": "PRIMARY", "title": "Synthetic measure", "paramType": "NUMBER",
        "unitOfMeasure": "stars", "groups": [{"id": "OG000", "title": "Placebo"}],
        "classes": [{"categories": [{"measurements": [{"groupId": "OG000", "value": "1"}]}]}],
    }  # fmt: skip
    trial = record(
        TWO_ARMS,
        "2024-01-31",
        {"identificationModule": {"briefTitle": TITLE},
         "armsInterventionsModule": {"armGroups": arms}},
        resultsSection={"outcomeMeasuresModule": {"outcomeMeasures": [measure]}},
    )  # fmt: skip
    article = {"recordId": "doi:10.0000/title", "version": "1", "title": TITLE,
               "doi": "10.0000/title", "publicationDate": "2024"}  # fmt: skip
    for kind, document in (("ctgov", trial), ("pubmed", article)):
        (folder / kind).mkdir(parents=True)
        (folder / kind / "synthetic.json").write_text(json.dumps(document), encoding="utf-8")


@pytest.fixture(scope="module")
def curated(
    server: str, template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Warehouse]:
    """The models above and all below them, with what curators approved; tests only read."""
    with database(server, template) as warehouse:
        make(warehouse, tmp_path_factory.mktemp("curated"))
        yield warehouse


def make(warehouse: Warehouse, folder: Path) -> None:
    """Land the samples and the synthetic records, decide, and build."""
    write_profile(folder, warehouse)
    write_synthetic(folder / "synthetic")
    settings = Settings(project_dir=REPOSITORY, home=folder / "home")
    report = land(
        settings, warehouse, (REPOSITORY / "samples", folder / "synthetic"), LandOptions()
    )
    assert report.exit_code == 0
    decide(warehouse)
    chosen = (f"+{model}" for model in MODELS)
    results = dbt(folder, "run", "ci", "--select", *chosen).result
    assert set(statuses(results).values()) == {"success"}
    judged = (f"{model},test_name:provenance_coverage" for model in OVERLAID)
    results = dbt(folder, "test", "ci", "--select", *judged).result
    assert list(statuses(results).values()) == ["pass"] * len(OVERLAID)


def decide(warehouse: Warehouse) -> None:
    """One arm, one withheld sponsor, one trial that a registry cites wrongly; and a proposal."""
    link = Proposal(
        SubjectKind.PUBLICATION_TRIAL_LINK, "pub_trial:pmid:30848558:NCT02552212", TARGET,
        OverlayKind.SUPPRESSION,
    )  # fmt: skip
    row = Proposal(SubjectKind.PUBLISHED_ROW, SPONSOR, ROW, OverlayKind.SUPPRESSION)
    with warehouse.connect() as conn:
        for proposal in (arm_link(GROUP, ARM), row, link):
            curation.approve(conn, curation.propose(conn, proposal, MAYA), OMAR)
        curation.propose(conn, arm_link("group:NCT01642004:Outcome:1:OG001", ARM), MAYA)


def query(warehouse: Warehouse, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with warehouse.connect() as conn:
        conn.execute(SEARCH_PATH)
        return conn.execute(statement.encode(), values).fetchall()


def test_a_posted_group_is_the_arm_that_a_curator_approved(curated: Warehouse) -> None:
    """In the groups and in every value of the group; the one beside it waits and is unlinked."""
    assert query(
        curated,
        "select result_group_key, arm_key, arm_link_state from q_trial_result_groups"
        " where result_group_key like 'group:NCT01642004:Outcome:1:%%' order by 1",
    ) == [(GROUP, ARM, "curated"), ("group:NCT01642004:Outcome:1:OG001", None, "unlinked")]
    assert query(
        curated,
        "select distinct arm_key, arm_link_state from q_trial_outcomes where result_group_key = %s",
        GROUP,
    ) == [(ARM, "curated")]


def test_a_group_that_may_be_two_arms_is_a_conflict_and_unlinked(curated: Warehouse) -> None:
    """Readers see that it is open, and nobody picks one."""
    key = f"group:{TWO_ARMS}:Outcome:1:OG000"
    assert query(
        curated, "select source_term, targets, severity, state from q_conflicts"
        " where subject_key = %s", key,
    ) == [("Placebo", 2, "medium", "open")]  # fmt: skip
    assert query(
        curated, "select arm_key, arm_link_state from q_trial_result_groups"
        " where result_group_key = %s", key,
    ) == [(None, "unlinked")]  # fmt: skip


def test_a_title_alone_links_as_provisional_and_compares_nothing(curated: Warehouse) -> None:
    """The row says so in three columns; identifiers are accepted as ever."""
    rows = query(
        curated,
        "select link_basis, link_state, comparison_eligible, publication_state, trial_key"
        " from q_publication_trial_links where registry_number in (%s, 'NCT01642004') order by 1",
        TWO_ARMS,
    )
    assert rows == [
        ("pubmed_databank", "accepted", True, "published", "trial:NCT01642004"),
        ("title_inference", "provisional", False, "provisional", f"trial:{TWO_ARMS}"),
    ]


def test_a_suppressed_link_stays_rejected_and_without_key(curated: Warehouse) -> None:
    """It is still said which number the index gives; values are not compared."""
    assert query(
        curated, "select link_state, trial_key, comparison_eligible from q_publication_trial_links"
        " where registry_number = 'NCT02552212'",
    ) == [("rejected", None, False)]  # fmt: skip


def test_a_withheld_row_is_gone_and_its_reason_is_published(curated: Warehouse) -> None:
    """Whatever is in force is listed, with its reason and whether it found its link."""
    assert query(curated, "select from q_trial_sponsors where trial_key = 'trial:NCT01642004'"
                        " and lead_or_collaborator = 'lead'") == []  # fmt: skip
    assert query(
        curated,
        "select overlay_kind, subject_kind, fact_path, reason, took_part from q_curations"
        " order by 2, 1",
    ) == [
        ("suppression", "publication_trial_link", "target_key", MAYA.reason, True),
        ("suppression", "published_row", "$row", MAYA.reason, None),
        ("link_correction", "trial_arm_link", "target_key", MAYA.reason, True),
    ]


def test_receipts_name_the_overlay_behind_what_a_curator_changed(curated: Warehouse) -> None:
    """Of the arm in every value of the group, of the withheld sponsor, of the suppressed link."""
    keys = dict(query(curated, "select subject_key, overlay_key from q_curations"))
    named = (
        "select receipt.model_name, receipt.row_key, receipt.fact_path,"
        " receipt.locator ->> 'pointer'"
        " is not null, receipt.curation_overlay_key from {} as receipt"
        " where receipt.curation_overlay_key is not null order by 1, 2"
    )
    outcomes = query(
        curated, "select trial_outcome_key from q_trial_outcomes where result_group_key = %s"
        " order by 1", GROUP,
    )  # fmt: skip
    assert outcomes
    assert query(curated, named.format("q_provenance__clinical_trials")) == [
        *(("q_trial_outcomes", key, "arm_key", True, keys[GROUP]) for (key,) in outcomes),
        ("q_trial_result_groups", GROUP, "arm_key", True, keys[GROUP]),
        ("q_trial_sponsors", SPONSOR.partition("|")[2], "$row", True, keys[SPONSOR]),
    ]
    link = "pub_trial:pmid:30848558:NCT02552212"
    assert query(curated, named.format("q_provenance__publications")) == [
        ("q_publication_trial_links", link, "trial_key", True, keys[link]),
    ]  # fmt: skip


def test_a_build_notes_what_it_found_for_each_overlay(curated: Warehouse) -> None:
    """Nothing was proposed after a build, so there is nothing to compare; all of it is applied."""
    found = query(curated, "select relation, effect from governance.overlay_effects order by 1")
    assert found == [
        ("candidates", "applied"), ("candidates", "applied"), ("q_trial_sponsors", "applied"),
    ]  # fmt: skip
