"""Discovery: every hit leads to a published row, and from there to its source."""

from __future__ import annotations

import pytest

from trial_project import Built

MODELS = ("q_discovery_entities", "q_search_documents")


@pytest.mark.parametrize("model", MODELS)
def test_every_row_points_at_a_row_that_has_a_receipt(built: Built, model: str) -> None:
    """Model and key of the owner are in the owner's receipts; the row's own are the same bytes."""
    families = ("spines", "clinical_trials", "publications", "approvals", "development", "news")
    united = " union all ".join(
        f"select model_name, row_key, source_content_hash from q_provenance__{family}"
        " where fact_path = '$row'"
        for family in families
    )
    assert built.query(
        f"with owned as ({united}) select count(*) > 50, bool_and(exists (select 1 from owned"
        " join q_provenance__discovery as own using (source_content_hash)"
        " where owned.model_name = judged.source_q_model_name"
        " and owned.row_key = judged.source_q_row_key"
        " and own.provenance_bundle_key = judged.provenance_bundle_key))"
        f" from {model} as judged"
    ) == [(True, True)]


def test_both_models_are_judged_by_where_they_lead(built: Built) -> None:
    """search_provenance and coverage pass with the samples; on the empty database they warn."""
    gates = [n for n in built.landed if n.startswith(("search_provenance", "provenance_coverage"))]
    judged = [name for name in gates if any(model in name for model in MODELS)]
    assert {name: built.landed[name] for name in judged} == dict.fromkeys(judged, "pass")
    assert len(judged) == 4
    assert {built.empty[name] for name in judged} == {"warn"}


def test_a_search_finds_the_drug_the_trial_the_label_and_the_news(built: Built) -> None:
    """One word, and what kinds of things are about it."""
    kinds = (
        "select array_agg(distinct entity_kind order by entity_kind) from q_search_documents"
        " where to_tsvector('english', body) @@ plainto_tsquery('english', %s)"
    )
    assert built.query(kinds, "nivolumab") == [
        (["approval_product", "drug", "news_event", "publication", "soc_recommendation", "trial"],)
    ]
    assert built.query(kinds, "squamous") == [
        (["approval_indication", "disease_segment", "news_event", "publication", "trial"],)
    ]


def test_a_hit_leads_to_the_card_of_the_same_row(built: Built) -> None:
    """Where there is a card; a statement of the news has none."""
    assert built.query(
        "select cards.display_label, cards.facet ->> 'overall_status' from q_search_documents"
        " join q_discovery_entities as cards using (discovery_key)"
        " where q_search_documents.source_q_row_key = 'trial:NCT02210780'"
    ) == built.query(
        "select brief_title, overall_status from q_trials where trial_key = 'trial:NCT02210780'"
    )
    assert built.query(
        "select count(*) filter (where discovery_key is null) from q_search_documents"
        " where entity_kind = 'news_event'"
    ) == built.query("select count(*) from q_news_events")


def test_a_duplicate_publication_is_found_once(built: Built) -> None:
    """The record that stands for both."""
    assert built.query(
        "select count(*) from q_search_documents as found join q_publications as publications"
        " on publications.publication_key = found.source_q_row_key"
        " where publications.duplicate_of_publication_key is not null"
    ) == [(0,)]
