"""Time, announcements and discovery end to end: landed deliveries, dbt, gates, what readers see.

One story, told once for the module, since each delivery stands on those before; each test reads
what was noted at its station. Three families of the real project: the spines, the news, and
discovery, which points at both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from databases import database
from news_records import SQUAMOUS, article, statement, write_article
from served_project import REPOSITORY, Served, copy_project
from tidegate.publishing.outcome import FamilyOutcome, Verdict

FAMILIES = ("spines", "news", "discovery")
RELATIONS = "organisation_relationships.csv"
OWNERSHIP = "relationship:owns_asset:drug:synthetic-asset"
TAKEOVER = "relationship:acquired:org:synthetic-founder"
RENAMING = "relationship:renamed_to:org:synthetic-start"
AS_LANDED = [(TAKEOVER, "2019-11-20", None), (RENAMING, "2010-01-01", None)]

ACCEPTED, APPROVED = "FDA has accepted for filing", "FDA has approved"
PAPER, RUMOUR = "has been accepted for publication", "filing is imminent"
CLAIMED = {
    "announcement": statement(ACCEPTED, "approved"),
    "confirmation": statement(ACCEPTED, "accepted_for_review", truth="confirmed"),
    "approval": statement(APPROVED, "approved", truth="confirmed"),
    "paper": statement(PAPER, "published", family="publication"),
    "rumour": statement(RUMOUR, "submitted"),
}
"""What an article says, and what was read into it."""
CORRECTED = {
    "announcement": statement(ACCEPTED, "accepted_for_review"),
    "confirmation": statement(ACCEPTED, "accepted_for_review"),
    "approval": statement(APPROVED, "approved"),
    "paper": statement(PAPER, "accepted_for_publication", family="publication"),
    "rumour": statement(RUMOUR, "mentioned"),
}


@dataclass(frozen=True)
class Station:
    """What a refresh did, what the gates said, and what readers saw afterwards."""

    outcomes: Mapping[str, FamilyOutcome]
    blocking: Mapping[str, list[tuple[str, str, str, str]]]
    warnings: Mapping[str, list[tuple[str, str, str, str]]]
    intervals: list[tuple[Any, ...]]
    announced: dict[str, list[tuple[str, str]]]
    hits: dict[str, int]


@dataclass
class Story:
    """The stations of the story by name, and the warehouse as it is at its end."""

    served: Served
    stations: dict[str, Station] = field(default_factory=dict)
    noted: dict[str, Any] = field(default_factory=dict)

    def refresh(self, name: str, *families: str) -> None:
        """Publish what changed, and note what came of it."""
        outcomes = self.served.refresh(*(families or FAMILIES))
        told = self.served.query(
            "select document_id, event_status, truth_mode from q_news_events order by 1, 2, 3"
        )
        self.stations[name] = Station(
            outcomes,
            {family: self.served.samples(family) for family in outcomes},
            {family: self.served.samples(family, "warn") for family in outcomes},
            self.served.query(
                "select relationship_key, valid_from::text, valid_to::text"
                " from q_organisation_relationships order by 1, 2"
            ),
            {document: [r[1:] for r in told if r[0] == document] for document, *_ in told},
            dict(
                self.served.query("select entity_kind, count(*) from q_search_documents group by 1")
            ),
        )

    def verdicts(self, name: str) -> dict[str, tuple[Verdict, int | None]]:
        """Verdict and served generation of each family at a station."""
        outcomes = self.stations[name].outcomes
        return {family: (it.verdict, it.served) for family, it in outcomes.items()}


@pytest.fixture(scope="module")
def story(server: str, template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """The story, told once."""
    folder = tmp_path_factory.mktemp("story")
    with database(server, template) as warehouse:
        told = Story(Served(warehouse, copy_project(folder / "project"), folder))
        tell(told)
        yield told


def tell(story: Story) -> None:
    """Good lists, an overlap and collapsed statuses, lost intervals, a sale, a broken index."""
    served = story.served
    served.land(*(REPOSITORY / "samples" / name for name in ("spines", "news", "conference")))
    story.refresh("samples")
    story.noted["owners"] = served.query(
        "select subject_key, valid_from::text, valid_to::text,"
        " (observed_at at time zone 'UTC')::date::text from canonical.temporal_relationships"
        " where relationship_key = %s order by 2",
        OWNERSHIP,
    )

    served.land(served.rewrite(RELATIONS, overlap), *articles(served, "read", CLAIMED))
    story.refresh("damaged")
    story.noted["below"] = served.query(
        "select gate_id, asset, severity, rows_failing from governance.gate_results"
        " where family is null and status = 'fail'"
    )

    later = {"revision": "2", "capturedAt": "2015-03-05T12:00:00Z"}
    served.land(
        served.rewrite(RELATIONS, move_rename),
        served.rewrite("soc_recommendations.csv", forget_what_ended),
        *articles(served, "corrected", CORRECTED, **later),
    )
    story.refresh("overwritten")

    sold = {"relationship_type": "acquired", "subject_key": "org:sanofi",
            "object_key": "org:synthetic-founder", "valid_from": "2024-01-01", "valid_to": "",
            "observed_at": "2026-07-02", "temporal_precision": "year"}  # fmt: skip
    recommendations = REPOSITORY / "samples" / "spines" / "soc_recommendations.csv"
    copied = served.folder / "spines" / "soc_recommendations.csv"
    copied.write_text(recommendations.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    served.land(served.rewrite(RELATIONS, sell, sold), copied)
    story.refresh("sold", "spines")
    story.noted["stale"] = [
        (sample.row_key, sample.level.value, sample.reason)
        for result in served.served_results("discovery")
        if result.gate_id == "search_provenance"
        for sample in result.samples
    ]

    model, good, bad = ("models/query/discovery/q_search_documents.sql",
                        '"key": ["drug_key"]', '"key": ["preferred_name"]')  # fmt: skip
    served.edit(model, good, bad)
    story.refresh("broken index")
    served.edit(model, bad, good)
    story.refresh("mended")


def overlap(record: dict[str, str]) -> None:
    """The seller keeps the asset six weeks longer than it has it."""
    if record["valid_to"] == "2019-11-20":
        record["valid_to"] = "2019-12-31"


def move_rename(record: dict[str, str]) -> None:
    """The rename is said to have been a year later, as if nothing had been published."""
    if record["relationship_type"] == "renamed_to":
        record["valid_from"] = "2011-01-01"


def forget_what_ended(record: dict[str, str]) -> None:
    """What is no longer recommended is dropped from the list."""
    if record["valid_to"]:
        record.clear()


def sell(record: dict[str, str]) -> None:
    """The first acquisition ends where the next one begins."""
    if record["relationship_type"] == "acquired":
        record["valid_to"] = "2024-01-01"


def articles(
    served: Served, name: str, said: Mapping[str, Mapping[str, Any]], **keys: Any
) -> list[Path]:
    """One article for each of these statements."""
    return [
        write_article(served.folder / name, key, article(f"synthetic:{key}", what, **keys))
        for key, what in said.items()
    ]


def event(key: str, words: str, family: str = "regulatory") -> str:
    """The key of the statement of one of the articles."""
    return f"news_event:synthetic:{key}:{family}:{words}:Nivolumab:{SQUAMOUS}"


def test_good_deliveries_are_published(story: Story) -> None:
    """Discovery last, over what the others have published."""
    assert story.verdicts("samples") == dict.fromkeys(FAMILIES, (Verdict.PUBLISHED, 1))
    assert story.stations["samples"].hits["news_event"] == 10
    assert "trial" not in story.stations["samples"].hits  # nothing of it is published here


def test_rename_and_acquisition_that_follow_each_other_are_served(story: Story) -> None:
    """The owner of the asset changes on the day of the acquisition; the days are half-open."""
    assert story.stations["samples"].intervals == AS_LANDED
    assert story.noted["owners"] == [
        ("org:synthetic-founder", "2010-01-01", "2019-11-20", "2026-07-01"),
        ("org:synthetic-acquirer", "2019-11-20", None, "2026-07-01"),
    ]


def test_an_acquisition_that_overlaps_the_seller_is_held_back(story: Story) -> None:
    """Two owners of one asset for six weeks: the layer below stops, readers see no change."""
    station = story.stations["damaged"]
    assert story.verdicts("damaged")["spines"] == (Verdict.HELD_BACK, 1)
    (entry,) = station.outcomes["spines"].entries
    assert "temporal_validity on temporal_relationships (1 violations)" in entry.reason
    assert "synthetic" not in entry.reason
    assert story.noted["below"] == [("temporal_validity", "temporal_relationships", "blocking", 1)]
    assert station.intervals == AS_LANDED


NEWS = "announcement_semantics", "q_news_events"


def test_an_announced_acceptance_read_as_approval_is_held_back(story: Story) -> None:
    """The regulator has begun to read; neither its status nor its truth may be promoted."""
    found = story.stations["damaged"].blocking["news"]
    assert (*NEWS, event("announcement", ACCEPTED), "status_collapsed") in found
    assert (*NEWS, event("confirmation", ACCEPTED), "truth_promoted") in found


def test_an_approval_told_by_a_company_and_called_confirmed_is_held_back(story: Story) -> None:
    """Only the regulator's own table confirms."""
    found = story.stations["damaged"].blocking["news"]
    assert (*NEWS, event("approval", APPROVED), "truth_promoted") in found


def test_an_accepted_paper_read_as_published_is_held_back(story: Story) -> None:
    """A journal's promise is no publication."""
    found = story.stations["damaged"].blocking["news"]
    assert (*NEWS, event("paper", PAPER, "publication"), "status_collapsed") in found


def test_words_that_nobody_mapped_block_unless_they_stay_a_mention(story: Story) -> None:
    """Read as a submission they hold the family back; as a mention they warn."""
    damaged, corrected = story.stations["damaged"], story.stations["overwritten"]
    assert (*NEWS, event("rumour", RUMOUR), "status_unmapped") in damaged.blocking["news"]
    assert corrected.warnings["news"] == [(*NEWS, event("rumour", RUMOUR), "status_generic")]


def test_nothing_else_of_the_articles_was_found_wrong(story: Story) -> None:
    """Five statements, five findings; readers saw none of the five."""
    station = story.stations["damaged"]
    assert len(station.blocking["news"]) == 5
    assert story.verdicts("damaged")["news"] == (Verdict.HELD_BACK, 1)
    assert not [document for document in station.announced if document.startswith("synthetic:")]


def test_corrected_articles_are_served_with_the_status_of_their_words(story: Story) -> None:
    """Announcement, approval and an accepted paper stay three things, all of them announced."""
    assert story.verdicts("overwritten")["news"] == (Verdict.PUBLISHED, 3)
    told = story.stations["overwritten"].announced
    assert {key: told[f"synthetic:{key}"] for key in CORRECTED} == {
        "announcement": [("accepted_for_review", "announced")],
        "confirmation": [("accepted_for_review", "announced")],
        "approval": [("approved", "announced")],
        "paper": [("accepted_for_publication", "announced")],
        "rumour": [("mentioned", "announced")],
    }


def test_a_family_that_is_held_back_leaves_discovery_as_it_is(story: Story) -> None:
    """Nothing new was published, so there is nothing new to point at."""
    assert story.verdicts("damaged")["discovery"] == (Verdict.UNCHANGED, 1)
    assert story.stations["damaged"].hits == story.stations["samples"].hits


def test_discovery_follows_what_is_published(story: Story) -> None:
    """The news went on and the spines did not: the index has the new articles, and old spines."""
    assert story.verdicts("overwritten")["discovery"] == (Verdict.PUBLISHED, 2)
    before, after = story.stations["samples"].hits, story.stations["overwritten"].hits
    assert after == {**before, "news_event": before["news_event"] + len(CORRECTED)}


def test_an_overwritten_rename_and_a_forgotten_recommendation_are_held_back(
    story: Story,
) -> None:
    """The published intervals are lost; the gate names them by their keys."""
    assert story.verdicts("overwritten")["spines"] == (Verdict.HELD_BACK, 1)
    assert story.stations["overwritten"].blocking["spines"] == [
        (
            "temporal_validity", "q_organisation_relationships", f"{RENAMING}|2010-01-01",
            "interval_removed",
        ),
        (
            "temporal_validity", "q_soc_recommendations",
            "soc:Synthetic Guideline Group:squamous-2l-docetaxel|2014-01-01", "interval_removed",
        ),
    ]  # fmt: skip
    assert story.stations["overwritten"].intervals == AS_LANDED


def test_a_second_acquisition_closes_the_first_and_is_served(story: Story) -> None:
    """Closing an open interval where the next begins is no overwrite; a coarse date only warns."""
    station = story.stations["sold"]
    assert station.outcomes["spines"].verdict is Verdict.PUBLISHED
    assert station.intervals == [
        (TAKEOVER, "2019-11-20", "2024-01-01"), (TAKEOVER, "2024-01-01", None), AS_LANDED[1],
    ]  # fmt: skip
    assert station.warnings["spines"] == [
        (
            "temporal_validity", "q_organisation_relationships", f"{TAKEOVER}|2024-01-01",
            "precision_low",
        )
    ]  # fmt: skip


def test_an_index_older_than_its_rows_warns_until_it_is_built_again(story: Story) -> None:
    """The recommendations were published anew without the index; it still leads to them."""
    reasons = {(level, reason) for _, level, reason in story.noted["stale"]}
    assert reasons == {("warn", "index_stale")}
    assert all(":q_soc_recommendations:" in key for key, *_ in story.noted["stale"])
    assert len(story.noted["stale"]) == 3
    assert story.stations["mended"].warnings["discovery"] == []


def test_a_failing_gate_in_discovery_leaves_it_and_only_it_at_the_last_good(
    story: Story,
) -> None:
    """Hits that lead to no row: readers keep the index that leads somewhere, the others go on."""
    assert story.verdicts("broken index") == {
        "spines": (Verdict.UNCHANGED, story.stations["sold"].outcomes["spines"].served),
        "news": (Verdict.PUBLISHED, 4),
        "discovery": (Verdict.HELD_BACK, 2),
    }
    found = story.stations["broken index"].blocking["discovery"]
    assert (
        "search_provenance", "q_search_documents", "search:q_drugs:Nivolumab",
        "source_receipt_missing",
    ) in found  # fmt: skip
    assert {gate for gate, *_ in found} == {"search_provenance", "provenance_coverage"}
    assert story.stations["broken index"].hits == story.stations["overwritten"].hits


def test_the_mended_index_is_published(story: Story) -> None:
    """Every hit leads to a published row again."""
    verdict, served = story.verdicts("mended")["discovery"]
    assert (verdict, served) == (Verdict.PUBLISHED, 4)
    assert story.served.query(
        "select count(*) from q_search_documents as found where not exists (select 1"
        " from q_provenance where model_name = found.source_q_model_name"
        " and row_key = found.source_q_row_key)"
    ) == [(0,)]
