"""Overlays end to end: proposed and decided by the commands, built by dbt, judged, read by readers.

Three stages of one small project (`ward`): published without overlays; with proposals that nobody
reviewed; with those that were approved. The required fixtures of the gates on resolution and
curation (contracts seed, "Implementable gate factory matrix") are a test each.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from curating import everything
from databases import database
from inference_support import declared, runtime, sha256_of, task
from tidegate.connection import Connection
from tidegate.inference.run import run_task
from tidegate.publishing.outcome import FamilyOutcome, Verdict
from ward import SLICE, Ward
from ward_models import ARM, SPONSOR

VERDICT: dict[str, Any] = {
    "type": "object",
    "required": ["verdict", "confidence"],
    "properties": {
        "verdict": {"enum": ["pass", "fail", "abstain"]},
        "confidence": {"type": "number"},
    },
}
FUZZY = ("group:fuzzy", "group:verified", "group:failed")
PLAIN = (Decimal("7.5"), ["PHASE2"])


class Story:
    """The project, and what became of it at each stage."""

    def __init__(self, ward: Ward) -> None:
        self.ward = ward
        self.outcomes: list[FamilyOutcome] = []
        self.before: dict[str, Any] = {}

    def tell(self) -> None:
        """The three stages."""
        ward = self.ward
        self.outcomes.append(ward.refresh())
        propose(ward)
        self.outcomes.append(ward.refresh())
        subjects = ("group:set", "group:suppressed", "sponsor:auto", "sponsor:two", "group:exact")
        self.before = {subject: ward.group(subject) for subject in subjects}
        approve(ward)
        verify(ward)
        self.outcomes.append(ward.refresh())


def propose(ward: Ward) -> None:
    """Everything that a curator may propose, none of it reviewed."""
    link, gone = "link_correction", "suppression"
    ward.propose("set", link, "--kind", ARM, "--subject", "group:set", "--to", "arm:set")
    ward.propose("gone", gone, "--kind", ARM, "--subject", "group:suppressed")
    ward.propose("pending", link, "--kind", ARM, "--subject", "group:pending", "--to", "arm:no")
    ward.propose("rejected", link, "--kind", ARM, "--subject", "group:rejected", "--to", "arm:no")
    for name, arm in (("old", "arm:old"), ("new", "arm:new")):
        ward.propose(name, link, "--kind", ARM, "--subject", "group:superseded", "--to", arm)
    ward.propose(
        "auto", link, "--kind", SPONSOR, "--subject", "sponsor:auto", "--to", "org:curated",
        "--impact", "low", agent=True,
    )  # fmt: skip
    row = ("--kind", "published_row", "--subject")
    exact = (*row, "q_groups|group:exact", "--fact")
    ward.propose("value", "override", *exact, "value_num", "--value", "9.25")
    ward.propose("phases", "override", *exact, "phases", "--value", '["PHASE3", "PHASE4"]')
    ward.propose("fact", gone, *row, "q_groups|pub:id", "--fact", "value_num")
    ward.propose("row", gone, *row, "q_groups|pub:cross")


def approve(ward: Ward) -> None:
    """All of it but one that waits, one that is rejected, one that another supersedes."""
    for name in ("set", "gone", "old", "new", "value", "phases", "fact", "row"):
        ward.decide("approve", name)
    ward.decide("approve", "auto", "--agent")
    ward.decide("reject", "rejected")
    ward.decide("supersede", "old", "--with", ward.keys["new"])
    two = f"conflict:{SPONSOR}:sponsor:two"
    who = ("--by", "maya", "--reason", "the register has this name")
    ward.tidegate("conflicts", "resolve", two, "--to", "org:other", *who)
    ward.tidegate("conflicts", "dismiss", f"conflict:{ARM}:group:ambiguous", *who)


def verify(ward: Ward) -> None:
    """A model is asked about three similar labels: it passes one, fails one, abstains."""
    asked = (
        "select candidate_id as target_key, subject_key as phrase"
        f" from resolution.candidates__{SLICE} where subject_key = any(array['{{}}'])"
    ).format("','".join(FUZZY))
    world = declared(
        tasks=[task(output_schema=VERDICT)],
        run={"input": asked, "target": "resolution.verifications"},
    )
    answers: dict[str, Any] = {
        sha256_of("group:verified"): {"verdict": "pass", "confidence": 0.9},
        sha256_of("group:failed"): {"verdict": "fail", "confidence": 0.8},
        sha256_of("group:fuzzy"): {"verdict": "abstain", "confidence": 0.5},
    }
    report = run_task(runtime(ward.warehouse, world, answers), "pub_outcome")
    assert (report.accepted, report.rejected) == (3, 0)


@pytest.fixture(scope="module")
def story(server: str, template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """The story, told once; its tests only read."""
    with database(server, template) as warehouse:
        made = Story(Ward(tmp_path_factory.mktemp("ward"), warehouse))
        made.ward.write()
        made.tell()
        yield made


def test_what_nobody_reviewed_changes_nothing_and_builds_nothing(story: Story) -> None:
    """Eleven proposals later the family is unchanged, and readers see what they saw."""
    assert [outcome.verdict for outcome in story.outcomes] == [
        Verdict.PUBLISHED, Verdict.UNCHANGED, Verdict.PUBLISHED,
    ]  # fmt: skip
    assert story.before == {
        "group:set": (None, "unlinked", *PLAIN),
        "group:suppressed": ("arm:suppressed", "exact", *PLAIN),
        "sponsor:auto": ("org:auto", "exact", *PLAIN),
        "sponsor:two": (None, "unlinked", *PLAIN),
        "group:exact": ("arm:exact", "exact", *PLAIN),
    }


# resolution_basis: exact id, cross-reference, fuzzy ambiguous, reviewed curation override.


def test_a_link_by_exact_id_is_published(story: Story) -> None:
    """An identifier is a basis of its own."""
    assert story.ward.link("pub:id") == ("trial:id", "exact_identifier", "accepted", True)
    assert story.ward.group("pub:id")[:2] == ("trial:id", "exact")
    assert story.ward.verdict("resolution_basis") == {"pass"}


def test_a_link_by_cross_reference_is_published(story: Story) -> None:
    """So is the record that cites another."""
    assert story.ward.link("pub:cross") == ("trial:cross", "cross_reference", "accepted", True)


def test_an_ambiguous_fuzzy_term_is_queued_and_not_linked(story: Story) -> None:
    """Two arms within 0.05: in the queue, no link, no key; a dismissal of high impact waits."""
    (queued,) = story.ward.query(
        "select severity, state, cardinality(candidate_ids) from resolution.conflict_queue"
        " where subject_key = 'group:ambiguous'"
    )
    assert queued == ("high", "open", 2)
    assert story.ward.link("group:ambiguous") is None
    assert story.ward.group("group:ambiguous")[:2] == (None, "unlinked")
    assert story.ward.verdict("conflict_routing") == {"pass"}


def test_a_reviewed_curation_override_of_a_link_is_published(story: Story) -> None:
    """Over a similar label, with the basis and the state that say so."""
    assert story.ward.link("group:set") == ("arm:set", "reviewed_curation", "accepted", True)
    assert story.ward.group("group:set")[:2] == ("arm:set", "curated")


# curation_effective_state: proposal, human approval, supersede, reject, active overlay.


def test_a_proposal_is_not_in_force(story: Story) -> None:
    """It waits, and the link is what the sources say."""
    assert story.ward.link("group:pending") == (
        "arm:pending", "exact_normalized_label", "accepted", True,
    )  # fmt: skip
    assert overlay(story, "pending") == ("pending", False)


def test_a_human_approval_brings_an_overlay_into_force(story: Story) -> None:
    """A suppressed link stays, rejected, and publishes no key."""
    assert overlay(story, "gone") == ("human_approved", True)
    assert story.ward.link("group:suppressed") == (
        "arm:suppressed", "exact_normalized_label", "rejected", False,
    )  # fmt: skip
    assert story.ward.group("group:suppressed")[:2] == (None, "rejected")


def test_a_superseded_overlay_gives_way_to_its_successor(story: Story) -> None:
    """Both were approved; only the later one takes part."""
    assert (overlay(story, "old"), overlay(story, "new")) == (
        ("human_approved", False), ("human_approved", True),
    )  # fmt: skip
    assert story.ward.group("group:superseded")[:2] == ("arm:new", "curated")


def test_a_rejected_overlay_takes_no_part(story: Story) -> None:
    """The link is what the sources say."""
    assert overlay(story, "rejected") == ("rejected", False)
    assert story.ward.group("group:rejected")[:2] == ("arm:rejected", "exact")


def test_an_active_overlay_overrides_the_published_fact_in_its_own_type(story: Story) -> None:
    """A number and an array, of that row alone."""
    assert story.ward.group("group:exact") == (
        "arm:exact", "exact", Decimal("9.25"), ["PHASE3", "PHASE4"],
    )  # fmt: skip
    assert story.ward.verdict("curation_effective_state") == {"pass"}


# curation_review_state: pending high-impact proposal, approved override, low-risk auto-reviewed.


def test_a_pending_high_impact_proposal_warns_and_blocks_nothing(story: Story) -> None:
    """What is in force is judged as blocking, what waits as a warning."""
    # Whether the auto-reviewed overlay is due for a look, which warns too, lies in its random key.
    assert {"warn"} <= story.ward.verdict("curation_review_state") <= {"pass", "warn"}
    assert story.ward.query("select subject, check_id, state from governance.review_items") == [
        ("int_curation_decisions", "curation_review_state", "open")
    ]
    assert story.outcomes[-1].verdict is Verdict.PUBLISHED


def test_an_approved_override_passes_the_review_gate(story: Story) -> None:
    """Its last decision is a person's approval."""
    assert decision(story, "value") == ("human_approved", "omar", "human", True)


def test_a_low_risk_auto_reviewed_overlay_takes_part(story: Story) -> None:
    """An agent reviewed the name of a sponsor."""
    assert decision(story, "auto") == ("auto_reviewed", "omar", "curation_agent", True)
    assert story.ward.group("sponsor:auto")[:2] == ("org:curated", "curated")


# llm_verifier_required, on the records of inference: pass, fail, unverified.


def test_a_verifier_whose_answer_was_accepted_makes_a_link(story: Story) -> None:
    """And one that failed it, or abstained, makes none."""
    assert story.ward.link("group:verified") == ("arm:verified", "verified", "accepted", True)
    assert story.ward.group("group:verified")[:2] == ("arm:verified", "verified")
    for subject in ("group:failed", "group:fuzzy"):
        assert story.ward.link(subject) is None
        assert story.ward.group(subject)[:2] == (None, "unlinked")
    assert story.ward.verdict("llm_verifier_required") == {"pass"}


def test_a_title_alone_is_provisional_and_not_published(story: Story) -> None:
    """The link is there for whoever looks, and no key of it is."""
    assert story.ward.link("pub:title") == ("trial:title", "title_inference", "provisional", False)
    assert story.ward.group("pub:title")[:2] == (None, "unlinked")


def test_a_resolved_conflict_of_low_impact_is_linked(story: Story) -> None:
    """Two organisations have the name; a curator said which, and the queue says so too."""
    assert story.before["sponsor:two"][:2] == (None, "unlinked")
    assert story.ward.link("sponsor:two") == ("org:other", "reviewed_curation", "accepted", True)
    assert story.ward.query(
        "select state from resolution.conflict_queue where subject_key = 'sponsor:two'"
    ) == [("resolved",)]


def test_suppressions_withhold_a_fact_and_a_row(story: Story) -> None:
    """The fact is null, the row is gone; both overlays say why."""
    assert story.ward.group("pub:id")[2:] == (None, ["PHASE2"])
    assert story.ward.query("select from query.q_groups where subject_key = 'pub:cross'") == []
    (reason,) = story.ward.query(
        "select proposed_because from resolution.int_curation_overlays where overlay_key = %s",
        story.ward.keys["row"],
    )
    assert reason == ("why row",)


def test_receipts_name_the_overlay_behind_whatever_a_curator_changed(story: Story) -> None:
    """An overridden fact, a suppressed one, a withheld row, a corrected and a suppressed link."""
    keys = story.ward.keys
    assert story.ward.receipts("group:exact") == [
        ("$row", None), ("phases", keys["phases"]), ("value_num", keys["value"]),
    ]  # fmt: skip
    assert story.ward.receipts("pub:id") == [("$row", None), ("value_num", keys["fact"])]
    assert story.ward.receipts("pub:cross") == [("$row", keys["row"])]
    assert story.ward.receipts("group:set") == [("$row", None), ("target_key", keys["set"])]
    assert story.ward.receipts("group:suppressed") == [("$row", None), ("target_key", keys["gone"])]
    for untouched in ("pub:title", "group:pending", "group:rejected"):
        assert story.ward.receipts(untouched) == [("$row", None)]


def test_values_of_overlays_are_shown_to_the_curator_who_asks_and_to_nobody_else(
    story: Story,
) -> None:
    """Neither in the list, nor in audit events, nor in results of gates."""
    listed = story.ward.tidegate("curate", "list", "--all", "--json").out
    shown = story.ward.tidegate("curate", "show", story.ward.keys["value"]).out
    asked = story.ward.tidegate("curate", "show", story.ward.keys["value"], "--value").out
    assert "9.25" not in listed + shown
    assert "    value 9.25\n" in asked
    for table in ("audit_events", "gate_results", "review_items", "generations"):
        rows = story.ward.query(f"select to_jsonb(t)::text from governance.{table} t")
        assert not any("9.25" in row[0] for row in rows)


# Blocking gates stop what depends on them, and nothing that fails writes curation.


IN_FORCE = (
    "create or replace view curation.effective_overlays as select subject_key, fact_path,"
    " overlay_key, created_at as effective_since, true as is_active from curation.overlays"
)


def test_a_definition_that_lets_an_unreviewed_overlay_act_is_held_back(
    ward: Ward, conn: Connection
) -> None:
    """The review gate blocks, readers keep what they have, curation stays as it is."""
    ward.refresh()
    correction = ("link_correction", "--kind", ARM, "--subject", "group:set", "--to", "arm:set")
    ward.propose("set", *correction)
    conn.execute(IN_FORCE.encode())
    before = everything(conn)
    outcome = ward.refresh()
    assert (outcome.verdict, outcome.served) == (Verdict.HELD_BACK, 1)
    assert ward.verdict("curation_review_state") == {"fail", "pass"}
    assert ward.group("group:set")[:2] == (None, "unlinked")
    assert everything(conn) == before


SELF_APPROVED = (
    "select asset, status, array(select jsonb_object_keys(result -> 'reasons')),"
    " array(select jsonb_array_elements_text(result -> 'sample_keys')), result ->> 'slice',"
    " result ->> 'owner', result ->> 'remediation_hint' like '%%approve%%', result -> 'samples'"
    " from (select distinct on (result ->> 'unique_id') * from governance.gate_results"
    " where gate_id = 'curation_review_state' order by result ->> 'unique_id', result_id desc)"
    " as newest where status = 'warn'"
)
"""What the newest verdicts on decisions tell beyond a number."""


def test_an_approval_by_the_proposer_from_before_it_was_refused_is_told(
    ward: Ward, conn: Connection
) -> None:
    """However the name is written: in force and published, with a warning until it is replaced."""
    ward.refresh()
    correction = ("link_correction", "--kind", ARM, "--subject", "group:set", "--to", "arm:set")
    old = ward.propose("old", *correction)
    conn.execute("alter table curation.decision_events disable trigger second_person")
    ward.tidegate("curate", "approve", old, "--by", " MAYA ", "--reason", "as I said")
    conn.execute("alter table curation.decision_events enable always trigger second_person")
    assert ward.refresh().verdict is Verdict.PUBLISHED
    assert ward.group("group:set")[:2] == ("arm:set", "curated")
    assert ward.verdict("curation_review_state") == {"pass", "warn"}
    assert ward.query(SELF_APPROVED) == [
        (
            "int_curation_decisions", "warn", ["approval_by_proposer"], [old], "curation",
            "platform", True,
            [{"row_key": old, "level": "warn", "reason": "approval_by_proposer",
              "metadata": {"missing": [], "withheld": []}}],
        )
    ]  # fmt: skip
    assert ward.query("select subject, check_id, state from governance.review_items") == [
        ("int_curation_decisions", "curation_review_state", "open")
    ]
    ward.propose("new", *correction)
    ward.decide("approve", "new")
    ward.decide("supersede", "old", "--with", ward.keys["new"])
    assert ward.refresh().verdict is Verdict.PUBLISHED
    assert ward.verdict("curation_review_state") == {"pass"}
    assert ward.query(SELF_APPROVED) == []
    assert ward.group("group:set")[:2] == ("arm:set", "curated")


def test_a_definition_that_lets_a_superseded_overlay_act_is_held_back(
    ward: Ward, conn: Connection
) -> None:
    """A person approved it, so only the gate of effective states can tell."""
    ward.refresh()
    for name, arm in (("old", "arm:old"), ("new", "arm:new")):
        ward.propose(name, "link_correction", "--kind", ARM, "--subject", "group:set", "--to", arm)
        ward.decide("approve", name)
    ward.decide("supersede", "old", "--with", ward.keys["new"])
    conn.execute(IN_FORCE.encode())
    outcome = ward.refresh()
    assert (outcome.verdict, outcome.served) == (Verdict.HELD_BACK, 1)
    assert ward.verdict("curation_review_state") == {"pass"}
    assert ward.verdict("curation_effective_state") == {"fail"}
    assert ward.group("group:set")[:2] == (None, "unlinked")


FORGED = """
select distinct on (subject_kind, subject_key)
    'link:' || subject_key as link_key, candidate_id, subject_kind, subject_key, source_term,
    target_key, 'verified' as basis, 'resolution/1' as basis_policy_version,
    'accepted' as link_state, true as publishable, null::text as verdict,
    match_score as confidence, overlay_key, null::text as overlay_state,
    created_at as decided_at, null::timestamptz as valid_until
from {{ ref("candidates__clinical_trials") }}
where target_key is not null
"""


def test_links_that_accept_whatever_is_similar_are_held_back(ward: Ward, conn: Connection) -> None:
    """No verdict, no link: both gates block, and nothing is written to curation."""
    ward.refresh()
    before = everything(conn)
    ward.model("resolution", f"links__{SLICE}", FORGED)
    outcome = ward.refresh()
    assert (outcome.verdict, outcome.served) == (Verdict.HELD_BACK, 1)
    for gate in ("resolution_basis", "llm_verifier_required"):
        assert ward.verdict(gate) == {"fail"}, gate
    assert ward.group("group:fuzzy")[:2] == (None, "unlinked")
    assert everything(conn) == before == []


def test_an_ambiguous_term_that_no_queue_has_is_held_back(ward: Ward) -> None:
    """A queue that somebody emptied does not hide what is ambiguous."""
    ward.refresh()
    queue = ward.folder / "models" / "resolution" / f"conflict_queue__{SLICE}.sql"
    text = queue.read_text(encoding="utf-8")
    queue.write_text(f"select * from (\n{text}\n) as queue where false", encoding="utf-8")
    outcome = ward.refresh()
    assert (outcome.verdict, outcome.served) == (Verdict.HELD_BACK, 1)
    assert ward.verdict("conflict_routing") == {"fail"}


def test_failing_models_gates_and_publications_change_nothing_in_curation(
    ward: Ward, conn: Connection
) -> None:
    """A model that cannot be built, an overlay of no fact, a contract that is not met."""
    ward.refresh()
    row = ("--kind", "published_row", "--subject", "q_groups|group:exact", "--fact")
    ward.propose("nowhere", "override", *row, "no_such_column", "--value", "1")
    ward.decide("approve", "nowhere")
    before = everything(conn)
    assert ward.refresh().verdict is Verdict.HELD_BACK
    good = (ward.folder / "models" / "query" / "q_groups.sql").read_text(encoding="utf-8")
    for body in ("select 1 / 0 as subject_key", good.replace("7.5::numeric", "7")):
        ward.model("query", "q_groups", body)
        assert ward.refresh().verdict is Verdict.HELD_BACK
    assert everything(conn) == before
    ward.model("query", "q_groups", good)
    ward.decide("withdraw", "nowhere")
    after = everything(conn)
    assert ward.refresh().served == 1
    assert everything(conn) == after


def overlay(story: Story, name: str) -> tuple[Any, ...]:
    (row,) = story.ward.query(
        "select review_state, is_active from resolution.int_curation_overlays"
        " where overlay_key = %s",
        story.ward.keys[name],
    )
    return row


def decision(story: Story, name: str) -> tuple[Any, ...]:
    (row,) = story.ward.query(
        "select event_kind, actor, actor_kind, is_active from resolution.int_curation_decisions"
        " where overlay_key = %s",
        story.ward.keys[name],
    )
    return row
