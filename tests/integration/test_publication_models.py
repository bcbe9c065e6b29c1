"""Publications: what articles report, in their own words, beside what the registry posts."""

from __future__ import annotations

from decimal import Decimal

from trial_project import Built

CHECKMATE = "pub:pmid:26028407"
SYGMA = "pub:pmid:29768149"
ODD = "pub:pmid:99000001"


def test_every_publication_model_has_rows(built: Built) -> None:
    """Each one is fed by the samples."""
    models = [name for name in built.landed if name.startswith("q_publication")]
    assert len(models) == 9
    counts = {name: built.query(f"select count(*) from {name}")[0][0] for name in models}
    assert all(counts.values()), counts


def test_an_article_is_known_by_its_numbers(built: Built) -> None:
    """PubMed number, DOI in lower case, venue and day as indexed."""
    assert built.query(
        "select pmid, doi, venue, publication_date::text, publication_date_precision,"
        " identity_basis, text_coverage, is_retracted from q_publications"
        " where publication_key in (%s, 'pub:pmid:30848558') order by 1",
        CHECKMATE,
    ) == [
        (
            "26028407", "10.1056/nejmoa1504627", "N Engl J Med", "2015-07-09", "day", "pmid",
            "abstract_only", False,
        ),
        (
            "30848558", "10.1002/art.40866", "Arthritis Rheumatol", "2019-07-01", "month", "pmid",
            "abstract_only", False,
        ),
    ]  # fmt: skip


def test_published_survival_arrives_as_printed(built: Built) -> None:
    """Medians of 9.2 and 6.0 months; at one year 42 and 24 percent, which the registry lacks."""
    rows = built.query(
        "select split_part(publication_arm_key, ':', 4), statistic, value_num, unit, ci_lower,"
        " ci_upper, timepoint_value, timepoint_unit, publication_role from q_publication_outcomes"
        " where publication_key = %s and canonical_endpoint_key = 'endpoint:OS' order by 2, 1 desc",
        CHECKMATE,
    )
    assert rows == [
        (
            "nivolumab", "median", Decimal("9.2"), "months", Decimal("7.3"), Decimal("13.3"), None,
            None, "supporting",
        ),
        (
            "docetaxel", "median", Decimal("6.0"), "months", Decimal("5.1"), Decimal("7.3"), None,
            None, "supporting",
        ),
        (
            "nivolumab", "rate_at_timepoint", Decimal("42"), "percent", Decimal("34"),
            Decimal("50"), Decimal("1"), "years", "primary",
        ),
        (
            "docetaxel", "rate_at_timepoint", Decimal("24"), "percent", Decimal("17"),
            Decimal("31"), Decimal("1"), "years", "primary",
        ),
    ]  # fmt: skip


def test_registry_and_article_keep_their_own_response_rates(built: Built) -> None:
    """20.0 and 8.8 posted, 20 and 9 published: four rows, and rounding is no conflict."""
    assert built.query(
        "select value_num, publication_role from q_publication_outcomes"
        " where publication_key = %s and canonical_endpoint_key = 'endpoint:ORR' order by 1",
        CHECKMATE,
    ) == [(Decimal("9"), "supporting"), (Decimal("20"), "supporting")]
    assert built.query(
        "select value_num from q_trial_outcomes"
        " where trial_key = 'trial:NCT01642004' and outcome_ordinal = 2 order by 1"
    ) == [(Decimal("8.8"),), (Decimal("20.0"),)]


def test_a_value_that_the_registry_contradicts_is_conflicting(built: Built) -> None:
    """72 is 72.2 rounded, 99 and 0 are nothing that was posted; no value is no conflict."""
    assert built.query(
        "select raw_endpoint_phrase, value_num, value_state, statistic, publication_role"
        " from q_publication_outcomes where publication_key = %s order by 1, 2",
        ODD,
    ) == [
        ("EASI-50", Decimal("72"), "reported", "proportion", "supporting"),
        ("EASI-75", Decimal("0"), "reported", "proportion", "conflicting"),
        ("EASI-75", Decimal("99"), "reported", "proportion", "conflicting"),
        ("IGA-0-1", None, "not_reached", None, "primary"),
    ]


def test_comparisons_keep_estimate_interval_and_words(built: Built) -> None:
    """The hazard ratio has a 95 percent interval here and a 96.85 percent one in the registry."""
    assert built.query(
        "select effect_measure, value_num, ci_level, ci_lower, ci_upper, p_value_modifier, p_value,"
        " source_quote from q_publication_comparisons"
        " where publication_key = %s and canonical_endpoint_key = 'endpoint:OS'",
        CHECKMATE,
    ) == [
        (
            "hazard_ratio", Decimal("0.59"), Decimal("95"), Decimal("0.44"), Decimal("0.79"), "<",
            Decimal("0.001"), "hazard ratio, 0.59; 95% CI, 0.44 to 0.79; P<0.001",
        )
    ]  # fmt: skip
    assert built.query(
        "select value_num, ci_lower, ci_upper from q_publication_comparisons"
        " where publication_key = %s and effect_measure = 'rate_ratio' order by 1",
        SYGMA,
    ) == [
        (Decimal("0.36"), Decimal("0.27"), Decimal("0.49")),
        (Decimal("0.83"), Decimal("0.59"), Decimal("1.16")),
    ]


def test_denominators_and_populations_are_those_that_were_stated(built: Built) -> None:
    """272 were assigned, nobody says here how many to each arm; 1277 and 1282 were analysed."""
    assert built.query(
        "select population_kind, n_total, n_basis, segment_key from q_publication_populations"
        " where publication_key in (%s, %s) order by 1, 2",
        CHECKMATE,
        SYGMA,
    ) == [
        ("itt", 272, "stated_for_this_population", "segment:nsclc-squamous"),
        ("itt", 3836, "stated_for_this_population", "segment:asthma"),
        ("safety", None, "not_stated", None),
    ]
    assert built.query(
        "select distinct publication_key, denominator from q_publication_outcomes"
        " where publication_key in (%s, %s) order by 1, 2",
        CHECKMATE,
        SYGMA,
    ) == [(CHECKMATE, None), (SYGMA, 1277), (SYGMA, 1282)]


def test_adverse_events_belong_to_the_arm_that_the_words_name(built: Built) -> None:
    """7 and 55 percent of grade 3 or 4 related to treatment."""
    assert built.query(
        "select split_part(publication_arm_key, ':', 4), value_percent, grade_bucket, relatedness,"
        " attribution_state, safety_n from q_publication_safety order by 2"
    ) == [
        ("nivolumab", Decimal("7"), "g3_4", "treatment_related", "arm_specific", None),
        ("docetaxel", Decimal("55"), "g3_4", "treatment_related", "arm_specific", None),
    ]


def test_doses_are_numbers_only_where_the_words_give_one(built: Built) -> None:
    """A combination of two doses has none; "every 3 weeks" is a schedule."""
    assert built.query(
        "select source_arm_label, dose_value, dose_unit, schedule_text from q_publication_arms"
        " where publication_key in (%s, %s) order by 1",
        CHECKMATE,
        SYGMA,
    ) == [
        ("budesonide maintenance", Decimal("200"), "μg", "twice daily"),
        ("budesonide-formoterol", None, None, "as needed"),
        ("docetaxel", Decimal("75"), "mg/m2", "every 3 weeks"),
        ("nivolumab", Decimal("3"), "mg/kg", "every 2 weeks"),
        ("terbutaline", Decimal("0.5"), "mg", "as needed"),
    ]


def test_trials_and_publications_find_each_other_by_numbers(built: Built) -> None:
    """By the index or by the registry's record; a trial that was never landed stays a number."""
    assert built.query(
        "select registry_number, trial_key, link_basis, comparison_eligible"
        " from q_publication_trial_links where publication_key <> %s order by 1",
        ODD,
    ) == [
        ("NCT01642004", "trial:NCT01642004", "pubmed_databank", True),
        ("NCT02149199", None, "pubmed_databank", False),
        ("NCT02552212", "trial:NCT02552212", "registry_pmid", True),
    ]
    assert built.query(
        "select pmid, resolved_publication_key, link_basis from q_trial_references"
        " where trial_key = 'trial:NCT02552212' order by 1"
    ) == [
        ("30848558", "pub:pmid:30848558", "registry_pmid"),
        ("34715908", None, None),
        ("35296532", None, None),
        ("35733363", None, None),
    ]


def test_a_published_arm_is_a_registered_one_only_by_an_equal_label(built: Built) -> None:
    """ "nivolumab" is not "Arm A: Nivolumab"; "Placebo" is not "Placebo qw"."""
    assert built.query(
        "select source_arm_label, trial_arm_key, arm_link_state from q_publication_arms"
        " where publication_key in (%s, %s) order by 1",
        CHECKMATE,
        ODD,
    ) == [
        ("Dupilumab 300 mg qw", "arm:NCT02210780:Dupilumab 300 mg qw", "exact_label"),
        ("Placebo", None, "unlinked"),
        ("docetaxel", None, "unlinked"),
        ("nivolumab", None, "unlinked"),
    ]


def test_only_drugs_and_biologics_are_drugs(built: Built) -> None:
    """A procedure that is called like a drug is none; unknown names are unresolved."""
    assert built.query(
        "select source_term, identity_type, resolved_drug_key, resolution_basis"
        " from q_publication_interventions where publication_key <> %s order by 1, 2",
        SYGMA,
    ) == [
        ("Docetaxel", "drug", "drug:docetaxel", "exact_normalized_label"),
        ("Dupixent", "biologic", "drug:dupilumab", "exact_normalized_label"),
        ("Nivolumab", "biologic", "drug:nivolumab", "exact_normalized_label"),
        ("Nivolumab", "procedure", None, "unresolved"),
    ]


def test_records_of_one_article_name_the_one_that_stands_for_all(built: Built) -> None:
    """The same DOI in another case, or the same title without a DOI; the PubMed record wins."""
    assert built.query(
        "select publication_key, duplicate_of_publication_key, identity_basis from q_publications"
        " where publication_date = '2021-01-01' order by 1"
    ) == [
        ("pub:conference:ODD-1", ODD, "conference_id"),
        ("pub:doi:10.0000/odd.1", ODD, "doi"),
        (ODD, None, "pmid"),
    ]


def test_odd_values_of_publications_stand_in_quarantine(built: Built) -> None:
    """The row stays, the cell is null, the word of the source is kept apart."""
    assert built.query(
        "select relation_name, column_name, source_value"
        " from staging.enum_quarantine__publications order by 1, 2"
    ) == [
        ("q_publication_arms", "arm_role", "HERO"),
        ("q_publication_outcomes", "statistic", "VIBES"),
        ("q_publications", "publication_kind", "POEM"),
    ]


def test_receipts_of_published_values_quote_what_the_record_holds(built: Built) -> None:
    """The pointer leads to the value as printed; the quote is that of the record."""
    rows = built.query(
        "select outcomes.value_text, outcomes.source_quote, receipts.locator ->> 'exact',"
        " articles.payload #>>"
        " string_to_array(ltrim(receipts.locator ->> 'pointer', '/'), '/')"
        " from q_provenance__publications as receipts"
        " join q_publication_outcomes as outcomes using (provenance_bundle_key)"
        " join landing.pubmed_articles as articles"
        " on articles._artifact_sha256 = receipts.source_content_hash"
        " where receipts.fact_path = 'value_num' and receipts.locator_shape = 'text_quote'"
    )
    assert len(rows) == 17
    assert all(text == found and quote == exact for text, quote, exact, found in rows)


def test_what_a_publication_tabulates_was_read(built: Built) -> None:
    """Three endpoints of CheckMate 017 are expected and there; one that is not withholds."""
    gate = ("q_publication_expected_results", "subgroup_endpoint_completeness")
    whole = built.verdicts("publications")[gate]
    assert (whole.status.value, whole.rows_checked) == ("pass", 3)
    lost = built.verdicts(
        "publications",
        "delete from q_publication_outcomes where publication_key = 'pub:pmid:26028407'"
        " and canonical_endpoint_key = 'endpoint:PFS'",
    )[gate]
    assert (lost.blocks, lost.reasons) == (True, {"endpoint_missing": 1})
    assert lost.samples[0].metadata["missing_axis"] == "endpoint"
    assert lost.samples[0].values == {
        "publication_key": "pub:pmid:26028407",
        "publication_population_key": "pub_population:pmid:26028407:randomized patients",
        "canonical_endpoint_key": "endpoint:PFS",
        "task_revision": "by-hand@1",
        "source_locator": "abstract, Results",
    }
