"""Names in the lists of programs and statistics, and overlays behind links whatever they are of.

A name means an entry of a spine as it does everywhere (docs/domain.md, "Links"), and what a curator
says of it stands in the receipts of every row that has it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest

from tidegate.contracts.load import load_project
from tidegate.gates.model import Status
from trial_project import REPOSITORY, Built

PROGRAM_LAYERS = (
    "development_program_contexts", "development_program_milestones", "development_programs",
    "development_program_states", "development_program_state_history", "q_development_programs",
    "q_development_milestones", "q_development_state_history", "q_development_landscape",
)  # fmt: skip
SALES_LAYERS = (
    "product_sales_facts", "product_sales_conversions", "product_sales_summaries",
    "q_product_sales_facts", "q_product_sales_conversions", "q_product_sales_summaries",
)  # fmt: skip
STATISTICS_LAYERS = (
    "epidemiology_observations", "q_epidemiology_observations", "q_epidemiology_series",
    "q_epidemiology_series_points", "q_epidemiology_summaries",
)  # fmt: skip


@dataclass(frozen=True)
class Named:
    """A name as sources have it, the link that it is, and the published column that holds it."""

    family: str
    kind: str
    alias: str
    target: str
    other: str
    model: str
    fact: str
    layers: tuple[str, ...]
    where: str

    @property
    def subject(self) -> str:
        """The key of the link."""
        return f"{self.kind}:{self.alias}"

    def built_again(self, built: Built) -> tuple[str, ...]:
        """The slice of the link and what stands on it, up to the receipts."""
        parts = ("candidates", "verifications", "conflict_queue", "links")
        return built.rebuilt(
            *(f"{part}__{self.family}" for part in parts), *self.layers,
            f"q_provenance__{self.family}",
        )  # fmt: skip

    def corrected(self) -> str:
        """An overlay in force that says what the name means."""
        return (
            "insert into resolution.int_curation_overlays (overlay_key, subject_kind, subject_key,"
            " fact_path, overlay_kind, new_value, impact, review_state, precedence, is_active,"
            f" effective_since) values ('ov:0123456789', '{self.kind}', '{self.subject}',"
            f""" 'target_key', 'link_correction', '"{self.other}"', 'high', 'human_approved', 10,"""
            " true, now())"
        )


NAMES = (
    Named("development", "development_drug", "development:exemplumab", "drug:exemplumab",
          "drug:adalimumab", "q_development_programs", "resolved_drug_key", PROGRAM_LAYERS,
          "context_key = 'ctx:s1'"),
    Named("development", "development_segment", "development:sjogren s syndrome",
          "segment:sjogren", "segment:asthma", "q_development_programs", "segment_key",
          PROGRAM_LAYERS, "context_key = 'ctx:s5'"),
    Named("development", "org_alias", "development:example pharma", "org:example-pharma",
          "org:pfizer", "q_development_milestones", "axis_value", PROGRAM_LAYERS,
          "context_key = 'ctx:s6' and milestone_type = 'licensed'"),
    Named("epidemiology", "epidemiology_segment", "epidemiology:lung cancer",
          "segment:lung-cancer", "segment:nsclc", "q_epidemiology_observations", "segment_key",
          STATISTICS_LAYERS, "geography_code = '45001' and is_active"),
    Named("commercial", "org_alias", "commercial:pfizer", "org:pfizer", "org:roche",
          "q_product_sales_facts", "organisation_key", SALES_LAYERS,
          "sales_fact_key = 'sales:pfizer_2019_9m_total'"),
    Named("news", "news_subject", "news:drug:nivolumab", "drug:nivolumab", "drug:docetaxel",
          "q_news_events", "subject_drug_key", ("q_news_events",),
          "subject_drug_key is not null and publisher = 'Bristol-Myers Squibb'"),
    Named("news", "news_subject", "news:organisation:bristol myers squibb",
          "org:bristol-myers-squibb", "org:pfizer", "q_news_events", "organisation_key",
          ("q_news_events",), "publisher = 'Bristol-Myers Squibb'"),
)  # fmt: skip
LISTED = NAMES[:4]


def called(named: Named) -> str:
    return named.subject


def held(built: Built, named: Named, *damage: str) -> tuple[Any, ...]:
    """What the published column holds, the link of the name, and what the queue has of it."""
    with built.warehouse.connect(autocommit=False) as conn:
        for statement in damage:
            conn.execute(statement.encode())
        found = []
        for statement in (
            f"select distinct {named.fact} from {named.family}__candidate.{named.model}"
            f" where {named.where}",
            f"select target_key, basis, link_state from resolution.links__{named.family}"
            f" where subject_key = '{named.subject}'",
            f"select cardinality(candidate_ids), severity, state from"
            f" resolution.conflict_queue__{named.family} where subject_key = '{named.subject}'",
        ):
            found.append(conn.execute(statement.encode()).fetchall())
        conn.rollback()
    return tuple(found)


@pytest.mark.parametrize("named", LISTED, ids=called)
def test_a_name_of_a_list_is_the_entry_that_has_it(built: Built, named: Named) -> None:
    """By an equal name, accepted by the rule, as in every other family."""
    link = [(named.target, "exact_normalized_label", "accepted")]
    assert held(built, named) == ([(named.target,)], link, [])


@pytest.mark.parametrize("named", LISTED[1:3], ids=called)
def test_a_name_of_a_list_that_means_two_waits_in_the_queue(built: Built, named: Named) -> None:
    """Nobody picks one: no link, no key, and a curator sees it."""
    spine = named.target.partition(":")[0].replace("org", "organisation")
    second = (
        "insert into staging.stg_spines__names select (jsonb_populate_record(it, '"
        f'{{"owner_key": "{named.other}"}}'
        f"')).* from staging.stg_spines__names as it where spine = '{spine}'"
        f" and owner_key = '{named.target}'"
    )
    # What has to be there may not be missing on the way: the layer is judged, not enforced.
    loosened = (
        "alter table development__candidate.q_development_milestones"
        " alter column axis_value drop not null"
    )
    again = (second, loosened, *named.built_again(built))
    severity = "low" if named.kind == "org_alias" else "high"
    assert held(built, named, *again) == ([(None,)], [], [(2, severity, "open")])


@pytest.mark.parametrize("named", NAMES, ids=called)
def test_what_a_curator_says_of_a_name_is_published_and_named_in_receipts(
    built: Built, named: Named
) -> None:
    """A row whose receipts do not name the overlay is blocked, whatever the link is of."""
    again = (named.corrected(), *named.built_again(built))
    value, link, queue = held(built, named, *again)
    assert (value, queue) == ([(named.other,)], [])
    assert link == [(named.other, "reviewed_curation", "accepted")]
    gate = (named.model, "provenance_coverage")
    assert built.verdicts(named.family, *again)[gate].status is Status.PASS
    silent = (
        f"update {named.family}__candidate.q_provenance__{named.family}"
        f" set curation_overlay_key = null where fact_path = '{named.fact}'"
    )
    result = built.verdicts(named.family, *again, silent)[gate]
    assert (result.status, result.blocks, set(result.reasons)) == (
        Status.FAIL, True, {"overlay_unnamed"},
    )  # fmt: skip
    assert dict(result.samples[0].metadata) == {
        "model": named.model, "fact_path": named.fact, "overlay_key": "ov:0123456789",
    }  # fmt: skip


PARTNER = Named(
    "development", "development_drug", "development:synthetic partner of s1", "", "drug:adalimumab",
    "q_development_programs", "regimen_signature", PROGRAM_LAYERS, "context_key = 'ctx:s1'",
)  # fmt: skip


def test_a_partner_drug_that_a_curator_names_is_in_the_regimen_and_named_in_its_receipts(
    built: Built,
) -> None:
    """The overlay is behind the signature of its regimen alone, and behind no drug's own column."""
    assert held(built, PARTNER)[0] == [("drug:exemplumab+synthetic partner of s1",)]
    again = (PARTNER.corrected(), *PARTNER.built_again(built))
    value, link, _ = held(built, PARTNER, *again)
    assert value == [("drug:adalimumab+drug:exemplumab",)]
    assert link == [("drug:adalimumab", "reviewed_curation", "accepted")]
    gate = (PARTNER.model, "provenance_coverage")
    assert built.verdicts(PARTNER.family, *again)[gate].status is Status.PASS
    silent = (
        "update development__candidate.q_provenance__development"
        " set curation_overlay_key = null where fact_path = 'regimen_signature'"
    )
    result = built.verdicts(PARTNER.family, *again, silent)[gate]
    assert (result.status, set(result.reasons)) == (Status.FAIL, {"overlay_unnamed"})
    assert [(one.row_key, one.metadata) for one in result.samples] == [
        (
            "ctx:s1",
            {
                "model": PARTNER.model,
                "fact_path": "regimen_signature",
                "overlay_key": "ov:0123456789",
            },
        )
    ]


LINKED = re.compile(
    r"'(q_\w+)' as model_name,(?:(?!as model_name).)*?'(\w+)' as fact_path,\s+"
    r"links\.link_key(?:(?!as model_name).)*?subject_kind = '(\w+)'",
    re.DOTALL,
)


def test_every_link_that_receipts_know_is_declared_in_its_contract(built: Built) -> None:
    """What a curator may correct is judged: the contract names fact and kind of each such link."""
    known = {
        found
        for name, text in built.compiled.items()
        if name.startswith("model.tidegate.q_provenance__")
        for found in LINKED.findall(text)
    }
    declared = {
        (model.name, link["fact"], link["kind"])
        for model in load_project(REPOSITORY).models.values()
        for test in model.tests
        if isinstance(test, dict) and "provenance_coverage" in test
        for link in (test["provenance_coverage"].get("arguments") or {}).get("links") or ()
    }
    assert len(known) > 25
    assert known == declared
