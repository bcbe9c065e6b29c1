"""Names of endpoints, countries, segments and news subjects: what they mean, and how one knows."""

from __future__ import annotations

from trial_project import Built
from trial_records import COUNTRIES, MEASURES, NAMED


def candidates(built: Built, kind: str, term: str) -> list[tuple[object, ...]]:
    """Target, method and score of every candidate of a term."""
    return built.query(
        "select target_key, match_method, match_score::text from resolution.candidates"
        " where subject_kind = %s and source_term = %s order by 1",
        kind, term,
    )  # fmt: skip


def links(built: Built, kind: str, term: str) -> list[tuple[object, ...]]:
    """Target, basis and state of the link of a term."""
    return built.query(
        "select target_key, basis, link_state, publishable from resolution.links"
        " where subject_kind = %s and source_term = %s",
        kind, term,
    )  # fmt: skip


def conflicts(built: Built, kind: str, term: str) -> list[tuple[object, ...]]:
    """What readers see of a term that nobody decided."""
    return built.query(
        "select targets, severity, state from q_conflicts"
        " where subject_kind = %s and source_term = %s",
        kind, term,
    )  # fmt: skip


def test_names_and_codes_of_one_country_meet_and_near_misses_do_not(built: Built) -> None:
    """United States, USA, US; Niger is not Nigeria, "NA" is no Namibia, Atlantis is nowhere."""
    rows = built.query(
        "select country_name, country_code from q_trial_locations where trial_key = %s",
        f"trial:{NAMED}",
    )
    assert dict(rows) == {
        "United States": "US", "USA": "US", "US": "US", "U.S.A.": "US",
        "united states of america": "US", "Korea": None, "Niger": "NE", "Nigeria": "NG",
        "NA": None, "Congo": "CG", "Atlantis": None,
    }  # fmt: skip
    assert len(rows) == len(COUNTRIES)


def test_a_link_says_how_a_country_was_recognised(built: Built) -> None:
    """A code is an identifier, a name of the standard a label, any other one was curated."""
    assert {
        term: (*candidates(built, "trial_country", term), *links(built, "trial_country", term))
        for term in ("USA", "United States", "U.S.A.")
    } == {
        "USA": (
            ("US", "exact_identifier", "1.0000"), ("US", "exact_identifier", "accepted", True),
        ),
        "United States": (
            ("US", "exact_normalized_label", "1.0000"),
            ("US", "exact_normalized_label", "accepted", True),
        ),
        "U.S.A.": (
            ("US", "curated_table", "1.0000"), ("US", "exact_normalized_label", "accepted", True),
        ),
    }  # fmt: skip


def test_a_country_that_may_be_two_waits_in_the_queue(built: Built) -> None:
    """Nobody picks one of the Koreas."""
    assert candidates(built, "trial_country", "Korea") == [
        ("KP", "curated_table", "1.0000"), ("KR", "curated_table", "1.0000"),
    ]  # fmt: skip
    assert links(built, "trial_country", "Korea") == []
    assert conflicts(built, "trial_country", "Korea") == [(2, "low", "open")]


def test_a_measure_is_the_endpoint_that_its_title_spells_out(built: Built) -> None:
    """Equal but for signs; begun by name and code; anything less is no link."""
    rows = built.query(
        "select measure, canonical_endpoint_key from q_trial_planned_outcomes where trial_key = %s",
        f"trial:{NAMED}",
    )
    assert dict(rows) == {
        **dict.fromkeys(MEASURES),
        MEASURES[0]: "endpoint:PFS",
        MEASURES[1]: "endpoint:OS",
        MEASURES[2]: "endpoint:PFS",
    }
    assert built.query(
        "select canonical_endpoint_key from q_trial_outcomes where trial_key = %s",
        f"trial:{NAMED}",
    ) == [("endpoint:PFS",)]


def test_candidates_say_how_an_endpoint_was_found(built: Built) -> None:
    """By an equal name, by two names at the beginning, by a name inside, by like words."""
    kind = "trial_endpoint"
    assert candidates(built, kind, MEASURES[0]) == [
        ("endpoint:PFS", "exact_normalized_label", "1.0000")
    ]
    assert candidates(built, kind, MEASURES[1]) == [("endpoint:OS", "cross_reference", "1.0000")]
    assert links(built, kind, MEASURES[1]) == [("endpoint:OS", "cross_reference", "accepted", True)]
    assert candidates(built, kind, MEASURES[2]) == [("endpoint:PFS", "cross_reference", "1.0000")]
    assert candidates(built, kind, MEASURES[3]) == [("endpoint:OS", "fuzzy_string", "0.9500")]
    assert candidates(built, kind, MEASURES[6]) == [("endpoint:EASI-75", "fuzzy_string", "0.9000")]
    assert candidates(built, kind, MEASURES[9]) == [("endpoint:DOR", "fuzzy_string", "0.7200")]
    for measure in (MEASURES[3], MEASURES[6], MEASURES[9]):
        assert links(built, kind, measure) == []


def test_a_title_of_two_endpoints_is_a_conflict(built: Built) -> None:
    """It begins with one and names another: undecided, of high severity, and no link."""
    kind = "trial_endpoint"
    assert candidates(built, kind, MEASURES[4]) == [
        ("endpoint:OS", "cross_reference", "1.0000"), ("endpoint:PFS", "fuzzy_string", "0.9500"),
    ]  # fmt: skip
    assert links(built, kind, MEASURES[4]) == []
    assert conflicts(built, kind, MEASURES[4]) == [(2, "high", "open")]


def test_near_misses_of_endpoints_have_no_candidate(built: Built) -> None:
    """Another percentage, "endpoint" as a word, "os" as a way of taking something."""
    for measure in (MEASURES[5], MEASURES[7], MEASURES[8]):
        assert candidates(built, "trial_endpoint", measure) == []


def test_a_dose_is_not_a_cycle(built: Built) -> None:
    """ "Docetaxel 3 mg" is like "Docetaxel, 3mg" and nothing like "Docetaxel, 3 weeks"."""
    found = candidates(built, "trial_arm_link", "Docetaxel 3 mg")
    assert found == [(f"arm:{NAMED}:Arm A: Docetaxel, 3mg", "fuzzy_string", "0.9500")]


def test_news_subjects_segments_and_indications_are_links(built: Built) -> None:
    """Each with its basis; a name that nobody knows has no candidate."""
    assert links(built, "news_subject", "Nivolumab") == [
        ("drug:nivolumab", "exact_normalized_label", "accepted", True)
    ]
    assert candidates(built, "news_subject", "BMS-000000") == []
    squamous = "Squamous Cell Non-small Cell Lung Cancer"
    for kind in ("news_subject", "publication_segment"):
        assert {row[1] for row in candidates(built, kind, squamous)} == {"curated_table"}
        assert {row[0] for row in links(built, kind, squamous)} == {"segment:nsclc-squamous"}
    assert built.query(
        "select count(*) from q_approval_indications as stated"
        " join resolution.links on subject_key = approval_indication_key"
        " where subject_kind = 'approval_segment' and segment_key = target_key"
    ) == built.query("select count(segment_key) from q_approval_indications")


def test_every_country_code_is_one_of_the_standard(built: Built) -> None:
    """249 countries and territories, under their common names."""
    assert built.query("select count(*), count(distinct numeric_code) from q_countries") == [
        (249, 249)
    ]
    assert built.query(
        "select country_code, alpha3_code, numeric_code, display_name, iso_short_name"
        " from q_countries where country_code in ('GB', 'NA') order by 1"
    ) == [
        ("GB", "GBR", "826", "United Kingdom",
         "United Kingdom of Great Britain and Northern Ireland"),
        ("NA", "NAM", "516", "Namibia", "Namibia"),
    ]  # fmt: skip
