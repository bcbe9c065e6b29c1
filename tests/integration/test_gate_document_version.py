"""document_version: which version of a document a claim was read from, and of a translation."""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import spec
from integration.semantic_gating import Connection, about, by_row, judge, survivors, table
from tidegate.gates.model import Model, Status
from tidegate.gates.result import GateResult

CLAIMS = "claim_id text!, source_family text, source_version_id text, source_artifact_key text"
ARTIFACTS = "source_artifact_key text!, source_version_id text, version_semantics text"
KEPT = [
    ("humira", "1560", "strong"), ("epar", None, "strong"), ("pmid", "29768149.1@2022", "strong"),
    ("press", "2015-03-02T00:00Z", "weak"), ("registry", "2018-05-11", "strong"),
    ("unsaid", "7", None), ("spaced", " 7 ", "strong"), ("empty", "", "strong"),
]  # fmt: skip
PASSING = [
    ("label", "spl_label", "1560", "humira"),
    ("paper", "pubmed", "29768149.1@2022", "pmid"),
    ("study", "ctgov_v2", "2018-05-11", "registry"),
]
FAILING = [
    ("hash_only", "ema_epar", None, "epar"), ("blank", "spl_label", " ", "humira"),
    ("differs", "spl_label", "1559", "humira"), ("gone", "spl_label", "1", "nowhere"),
    ("news", "news", "2015-03-02T00:00Z", "press"), ("unsaid", "news", "7", "unsaid"),
]  # fmt: skip
UNSOUND = [("spaced", "spl_label", " 7 ", "spaced"), ("empty", "spl_label", "", "empty")]
NAMELESS = ("nameless_news", "news", None, "press")
TEXTS = (
    "translation_key text!, source_family text, original_text text, source_language text,"
    " target_language text, translation_version text"
)
TRANSLATED = {
    "translated": True,
    "columns": {"source_version_id": None},
    "relations": {"artifacts": None},
}


def artifacts(conn: Connection) -> Model:
    return table(conn, "source_artifacts", ARTIFACTS, KEPT, row_key=["source_artifact_key"])


def judged(conn: Connection, *rows: Any, public: bool = True, **options: Any) -> GateResult:
    claims = table(conn, "claims", CLAIMS, rows, row_key=["claim_id"], public=public)
    return judge(conn, "document_version", claims, artifacts(conn), **options)


def translations(conn: Connection, *rows: Any) -> GateResult:
    texts = table(conn, "translations", TEXTS, rows, row_key=["translation_key"])
    return judge(conn, "document_version", texts, arguments=TRANSLATED)


@pytest.mark.parametrize("row", PASSING)
def test_a_label_a_publication_and_a_registry_record_with_version_pass(
    conn: Connection, row: Any
) -> None:
    """The source's own version, release or snapshot."""
    assert judged(conn, row).status is Status.PASS


def test_a_news_document_warns_for_its_weak_version(conn: Connection) -> None:
    """A time of publication is a version in name only; unknown semantics count as weak."""
    result = judged(conn, FAILING[4], FAILING[5])
    assert (result.status, result.blocks) == (Status.WARN, False)
    assert by_row(result) == {
        "news": {"~document_version_weak"}, "unsaid": {"~document_version_weak"},
    }  # fmt: skip


def test_a_hash_is_no_version(conn: Connection) -> None:
    """The bytes are known, and still nobody can say which edition it was."""
    result = judged(conn, FAILING[0], FAILING[1], NAMELESS)
    assert by_row(result) == {
        "hash_only": {"document_version_missing"}, "blank": {"document_version_missing"},
        "nameless_news": {"document_version_missing"},
    }  # fmt: skip
    assert about(result, "hash_only") == (
        {"missing": ["source_version_id"], "withheld": []},
        {"source_family": "ema_epar", "source_version_id": None, "source_artifact_key": "epar"},
    )
    assert result.remediation_hint.endswith("a hash is no version.")


def test_a_version_that_is_not_the_artefacts_blocks(conn: Connection) -> None:
    """Another version than that of the bytes, and bytes that nobody kept."""
    assert by_row(judged(conn, FAILING[2], FAILING[3])) == {
        "differs": {"document_version_differs"},
        "gone": {"artifact_missing", "~document_version_weak"},
    }


def test_an_artefact_without_a_sound_version_vouches_for_none(conn: Connection) -> None:
    """The same blanks on both sides are no version, and neither are those around one."""
    assert by_row(judged(conn, *UNSOUND)) == {
        "spaced": {"document_version_differs"}, "empty": {"document_version_missing"},
    }  # fmt: skip


def test_only_the_families_that_are_documents_count(conn: Connection) -> None:
    """Rows of a database have no edition."""
    row = ("api", "aact_snapshot", None, "epar")
    assert judged(conn, row, arguments={"families": ["spl_label"]}).status is Status.PASS
    assert judged(conn, row, arguments={"families": ["aact_snapshot"]}).status is Status.FAIL


def test_without_artefacts_the_row_says_what_its_version_is_worth(conn: Connection) -> None:
    """For relations that carry the semantics themselves."""
    rows = [("a", "label", "3", "strong"), ("b", "news", "x", "weak")]
    claims = table(conn, "claims", "claim_id text!, source_family text, source_version_id text,"
                   " version_semantics text", rows, row_key=["claim_id"])  # fmt: skip
    result = judge(conn, "document_version", claims, arguments={"relations": {"artifacts": None}})
    assert by_row(result) == {"b": {"~document_version_weak"}}


def test_a_translation_keeps_original_and_version(conn: Connection) -> None:
    """The original is needed always, a translation's version where the language differs."""
    result = translations(
        conn,
        ("whole", "cde_listing", "合成示例原文", "zh", "en", "t-2026-01"),
        ("same", "spl_label", "advanced squamous NSCLC", "en", "en", None),
        ("no_original", "cde_listing", None, "zh", "en", "t-2026-01"),
        ("no_version", "cde_listing", "合成示例原文", "zh", "en", " "),
        ("no_language", "cde_listing", "合成示例原文", None, None, None),
    )
    assert by_row(result) == {
        "no_original": {"original_text_missing"},
        "no_version": {"translation_version_missing"},
        "no_language": {"translation_version_missing"},
    }
    assert about(result, "no_version") == (
        {"missing": ["translation_version"], "withheld": []},
        {"source_family": "cde_listing", "source_language": "zh", "target_language": "en",
         "translation_version": " "},
    )  # fmt: skip


def test_values_are_kept_only_of_public_columns(conn: Connection) -> None:
    """Without leave: names only; the original text is never kept."""
    (sample,) = judged(conn, FAILING[0], public=False).samples
    assert (sample.row_key, sample.values) == (None, {})
    assert sample.metadata["withheld"] == [
        "source_family", "source_version_id", "source_artifact_key",
    ]  # fmt: skip


def test_each_condition_counts(conn: Connection) -> None:
    """No condition of the gate can be emptied or negated unnoticed."""
    kept = artifacts(conn)
    rows = [*PASSING, *FAILING, *UNSOUND, NAMELESS, ("api", "aact_snapshot", None, "epar")]
    claims = table(conn, "claims", CLAIMS, rows, row_key=["claim_id"])
    # An artefact that does not exist has no strong version either: one look finds both.
    weak = "only (COALESCE(TRIM(judged.source_version_id), '') = '') OR (NOT"
    assert survivors(conn, spec("document_version", claims, kept), equal=[weak]) == []
    some = {"families": ["ema_epar", "news", "spl_label"]}
    checked = spec("document_version", claims, kept, arguments=some)
    assert survivors(conn, checked, equal=[weak]) == []
    rows = [("a", "f", None, "zh", "en", "1"), ("b", "f", "x", "zh", "en", None),
            ("c", "f", "x", "en", "en", None)]  # fmt: skip
    texts = table(conn, "translations", TEXTS, rows, row_key=["translation_key"])
    # Look and finding are one text that stands twice: both would have to be wrong.
    twice = ["only COALESCE(TRIM(judged.translation_version), '') = '':"]
    checked = spec("document_version", texts, arguments=TRANSLATED)
    assert survivors(conn, checked, equal=twice) == []


def test_where_nobody_knows_what_a_version_is_worth_none_warns(conn: Connection) -> None:
    """Assertions keep the version and not the artefact: a missing one still blocks."""
    arguments = {"columns": {"version_semantics": None}, "relations": {"artifacts": None}}
    assert judged(conn, PASSING[0], arguments=arguments).status is Status.PASS
    result = judged(conn, FAILING[0], arguments=arguments)
    assert by_row(result) == {"hash_only": {"document_version_missing"}}
