"""publication_corpus_identity (pub_corpus_identity_uniqueness): one record for one publication."""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import spec
from integration.semantic_gating import (
    Connection,
    about,
    alone,
    by_row,
    judge,
    rejected,
    survivors,
    table,
)
from tidegate.gates.model import Model, Status
from tidegate.gates.registry import GATES
from tidegate.gates.result import GateResult

COLUMNS = (
    "publication_key text!, pmid text, doi text, conference_id text, title_hash text,"
    " publication_kind text, duplicate_of_publication_key text"
)
DOI = "10.1056/NEJMoa1504627"
PAPER = ("a_paper", "26028407", DOI, None, "h1", "journal_article")
ABSTRACT = ("b_abstract", None, None, "COSA2015-214", "h2", "conference_abstract")
FAILING = [
    ("c_same_doi", None, f" https://doi.org/{DOI.lower()}", None, "h9", "journal_article"),
    ("d_same_pmid", "26028407", None, None, None, "journal_article"),
    ("e_same_title", None, None, "ASCO-1", "h2", "conference_presentation"),
    ("f_same_conference", None, None, "COSA2015-214", "h7", "conference_presentation"),
    ("g_marked", None, DOI, None, "h1", "journal_article", "a_paper"),
    ("h_lost", None, None, None, "h8", "letter", "nowhere"),
    ("i_chain", None, None, None, "h8", "letter", "g_marked"),
]
WITH_RESULTS = ["a_paper", "b_abstract", "c_same_doi", "f_same_conference", "g_marked"]
INDEXED = [("26028407", True), ("99999999", True), ("88888888", False), ("77777777", None)]
ARGUMENTS = {"relations": {"indexed": "pubmed_index"}}
BRANCHES = [
    (PAPER, set()),
    (ABSTRACT, set()),
    (("a_first_mark", "26028407", DOI, None, None, "journal_article", "a_paper"), set()),
    (("a_marked", None, None, "COSA2015-214", "h2", "conference_abstract", "b_abstract"), set()),
    (("j_letter", "222", None, None, None, "letter"), set()),
    (("k_doi", None, "10.1/y", None, None, "journal_article"), set()),
    (("l_poster", None, None, "X-1", None, "conference_abstract"), set()),
    (("m_poster", None, None, "X-2", None, "conference_abstract"), set()),
    (("z_other", "111", "10.1/x", None, "h1", "journal_article"), set()),
]


def world(conn: Connection, rows: list[Any], results: list[str]) -> tuple[Model, ...]:
    key = ["publication_key"]
    return (
        table(conn, "q_publications", COLUMNS, rows, row_key=key),
        table(conn, "q_publication_outcomes", "publication_key text", [(r,) for r in results],
              row_key=key),
        table(conn, "pubmed_index", "pmid text, is_target_slice boolean", INDEXED,
              row_key=["pmid"]),
    )  # fmt: skip


def verdict(conn: Connection, rows: list[Any], results: list[str], **options: Any) -> GateResult:
    judged, *others = world(conn, rows, results)
    return judge(conn, "publication_corpus_identity", judged, *others, **options)


@pytest.mark.parametrize(
    "rows",
    [
        [PAPER, ABSTRACT],
        [PAPER, ("other", None, "10.1/x", None, "h1", "journal_article")],
        [ABSTRACT, (*FAILING[2][:5], "conference_presentation", "b_abstract")],
    ],
    ids=["paper_and_abstract", "same_title_own_doi", "marked_without_results"],
)
def test_pub_corpus_identity_uniqueness_records_of_their_own_pass(
    conn: Connection, rows: list[Any]
) -> None:
    """Paper and abstract of one trial, two papers of one title, a duplicate that is marked."""
    assert verdict(conn, rows, ["a_paper", "b_abstract"]).status is Status.PASS


def test_pub_corpus_identity_uniqueness_evidence_counted_twice_blocks(conn: Connection) -> None:
    """The same DOI in another spelling, both with results."""
    result = verdict(conn, [PAPER, FAILING[0]], WITH_RESULTS)
    assert (result.status, by_row(result)) == (
        Status.FAIL, {"c_same_doi": {"publication_duplicated"}},
    )  # fmt: skip
    assert about(result, "c_same_doi") == (
        {"taxonomy_id": "pub_corpus_identity_uniqueness", "classified_by": "doi", "withheld": []},
        {"doi": f" https://doi.org/{DOI.lower()}", "pmid": None, "conference_id": None,
         "title_hash": "h9", "publication_kind": "journal_article",
         "duplicate_of_publication_key": None},
    )  # fmt: skip
    gate = GATES["publication_corpus_identity"]
    assert gate.taxonomy_id == "pub_corpus_identity_uniqueness"


def test_pub_corpus_identity_uniqueness_warns_where_nothing_is_counted(conn: Connection) -> None:
    """A second record without results is recorded."""
    result = verdict(conn, [ABSTRACT, FAILING[2]], ["b_abstract"])
    assert (result.status, by_row(result)) == (
        Status.WARN, {"e_same_title": {"~publication_duplicated"}},
    )  # fmt: skip


def test_every_wrong_record_and_missing_paper_is_named(conn: Connection) -> None:
    """By each identity; marked ones with results or without original; papers of the index."""
    result = verdict(conn, [PAPER, ABSTRACT, *FAILING], WITH_RESULTS, arguments=ARGUMENTS)
    assert by_row(result) == {
        "c_same_doi": {"publication_duplicated"},
        "d_same_pmid": {"~publication_duplicated"},
        "e_same_title": {"~publication_duplicated"},
        "f_same_conference": {"publication_duplicated"},
        "g_marked": {"duplicate_has_results"},
        "h_lost": {"original_missing"},
        "i_chain": {"original_missing"},
        "99999999": {"publication_missing"},
        "88888888": {"~publication_missing"},
        "77777777": {"~publication_missing"},
    }
    assert [about(result, key)[0]["classified_by"] for key in
            ("d_same_pmid", "e_same_title", "f_same_conference", "99999999")] == [
        "pmid", "title_hash", "conference_id", "pmid",
    ]  # fmt: skip


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    assert by_row(verdict(conn, alone(BRANCHES), ["a_paper", "b_abstract"])) == rejected(BRANCHES)


def test_each_condition_counts(conn: Connection) -> None:
    """No condition can be emptied or negated unnoticed."""
    judged, *others = world(conn, [*alone(BRANCHES), *FAILING], WITH_RESULTS)
    checked = spec("publication_corpus_identity", judged, *others, arguments=ARGUMENTS)
    assert survivors(conn, checked) == []


def test_a_violation_without_key_is_no_pass(conn: Connection) -> None:
    """An indexed paper whose PMID nobody states is recorded all the same."""
    judged, outcomes, _ = world(conn, [PAPER], [])
    index = table(conn, "pubmed_index", "pmid text, is_target_slice boolean", [(None, None)],
                  row_key=["pmid"])  # fmt: skip
    result = judge(conn, "publication_corpus_identity", judged, outcomes, index,
                   arguments=ARGUMENTS)  # fmt: skip
    assert (result.status, result.rows_warning) == (Status.WARN, 1)
