"""Comparative fixture 6, whole: a title, a model, its verifier, a curator, and what readers see.

Source: contracts seed, "Comparative therapeutic-fact gate fixtures", sixth row: a publication
outcome that is linked to a trial by title inference only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from curating import everything
from integration.test_curation_takes_part import FORGED
from tidegate.connection import Connection
from tidegate.publishing.outcome import Verdict
from tidegate.warehouse import Warehouse
from titles import ASKED, OTHERS, SLICE, UNASKED, Titles
from ward_models import TRIAL

BY_TITLE = ("title_inference", "provisional", False, "provisional")
VERIFIED = ("title_verified", "accepted", True, "published")
CURATED = ("curated", "accepted", True, "published")
WITHHELD = ("title_verified", "rejected", False, "published")


class Story:
    """The project, told step by step; after each, readers have what they should have."""

    def __init__(self, titles: Titles, conn: Connection) -> None:
        self.titles = titles
        self.conn = conn

    def infer(self, code: int, said: str) -> None:
        """One run of the task, and how its first line ends for the one question that matters."""
        answer = CommandLine(self.titles.folder, self.titles.warehouse).run("infer", "run")
        assert (answer.code, said in answer.out) == (code, True), answer.out + answer.err

    def readers_see(self, asked: tuple[Any, ...], unasked: tuple[Any, ...] = BY_TITLE) -> None:
        """Both links, once the family is published."""
        assert self.titles.refresh().verdict in (Verdict.PUBLISHED, Verdict.UNCHANGED)
        assert (self.titles.served(ASKED), self.titles.served(UNASKED)) == (asked, unasked)

    def judged(self, *gates: str) -> set[tuple[str, ...]]:
        """The newest verdicts of each of these gates, below the family."""
        return {tuple(sorted(self.titles.verdict(gate_id))) for gate_id in gates}

    def propose(self, name: str, kind: str, article: str, *more: str) -> None:
        """What a curator proposes about the link of an article."""
        subject = ("--kind", TRIAL, "--subject", f"pub_trial:{article}:title")
        self.titles.propose(name, kind, *subject, *more)


@pytest.mark.timeout(300)
def test_6_title_inference_from_proposal_over_verifier_to_curator(
    tmp_path: Path, warehouse: Warehouse, conn: Connection
) -> None:
    """A title is evidence, never a comparison, until a verifier passes it or a person says so.

    Failing models and verifiers create and change nothing in `curation`; a link that claims more
    than it has is held back, with the links as they were still served.
    """
    titles = Titles(tmp_path / "titles", warehouse)
    titles.folder.mkdir()
    titles.write()
    story = Story(titles, conn)
    linked = ("resolution_basis", "llm_verifier_required")

    # By title alone: published as provisional evidence, and not compared.
    story.readers_see(BY_TITLE)
    assert story.judged(*linked) == {("pass",)}

    # The model cannot be reached, then answers in another form; then it passes the title, and its
    # verifier times out, then says no. Nothing was accepted, and readers see what they saw.
    story.infer(1, f"{OTHERS} accepted, 1 rejected")
    story.infer(1, f"{OTHERS} answered before, 1 rejected")
    story.infer(0, f"{OTHERS} answered before, 1 waiting")
    story.infer(1, f"{OTHERS} answered before, 1 rejected")
    story.readers_see(BY_TITLE)
    assert conn.execute(
        "select d.decided_by, d.reason from provenance.inference_decisions d"
        " join provenance.inference_requests using (request_key)"
        " where task_id = 'title_check' and decision = 'rejected' order by decided_at"
    ).fetchall() == [
        ("deterministic_validator", "not_answered"), ("deterministic_validator", "output_invalid"),
        ("verifier_model", "verifier_failed"), ("deterministic_validator", "not_answered"),
    ]  # fmt: skip

    # Whoever accepts it all the same is held back by both gates.
    links = titles.folder / "models" / "resolution" / f"links__{SLICE}.sql"
    good = links.read_text(encoding="utf-8")
    below = f"-- depends_on: {{{{ ref('verifications__{SLICE}') }}}}"
    links.write_text(below + FORGED.replace("clinical_trials", SLICE), encoding="utf-8")
    outcome = titles.refresh()
    assert outcome.verdict is Verdict.HELD_BACK
    assert story.judged(*linked) == {("fail",)}
    assert (titles.served(ASKED), titles.served(UNASKED)) == (BY_TITLE, BY_TITLE)
    links.write_text(good, encoding="utf-8")
    assert everything(conn) == []

    # The verifier passes it: compared from now on. The other one is what it was.
    story.infer(0, f"1 accepted, {OTHERS} answered before")
    story.readers_see(VERIFIED)
    assert story.judged(*linked) == {("pass",)}
    assert everything(conn) == []

    # Curators propose to withhold the one and to accept the other; a proposal changes nothing.
    story.propose("withhold", "suppression", ASKED)
    story.propose("accept", "link_correction", UNASKED, "--to", "trial:NCT99999990")
    before = everything(conn)
    assert titles.refresh().verdict is Verdict.UNCHANGED
    assert everything(conn) == before

    # A second person approves the one: what a person said is above the models, and the other waits.
    titles.decide("approve", "withhold")
    story.readers_see(WITHHELD)
    assert titles.verdict("curation_review_state") == {"pass", "warn"}
    titles.decide("approve", "accept")
    story.readers_see(WITHHELD, CURATED)
    gates = (*linked, "curation_effective_state", "curation_review_state")
    assert story.judged(*gates) == {("pass",)}
