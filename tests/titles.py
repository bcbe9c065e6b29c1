"""A small project of publications whose titles look like a trial's.

The product's own models of links and its own contract over made-up articles, a model that is asked
about the titles and one that checks it.
"""

from __future__ import annotations

import json
from typing import Any

import yaml

from inference_support import sha256_of_content
from ward import REPOSITORY, Ward, linking
from ward_models import TRIAL, candidates_sql

SLICE = "publications"
MODEL = "q_publication_trial_links"
NCT, TITLE = "NCT99999990", "Synthetic trial of a title"
ASKED, UNASKED = "asked", "unasked"
"""Two articles: a model is asked about the first, nobody about the other."""
OTHERS = 12
"""Further titles that the model is asked about, all of which it answers well."""

STUBS = {
    "stg_pubmed__publications": """
select articles.record_id, 'pub:' || articles.record_id as publication_key, '' as pointer,
    '1' as source_version_id, 'artifact:synthetic' as source_artifact_key,
    repeat('a', 64) as content_sha256, 'artifact:sha256/synthetic' as immutable_uri,
    1 as record_number, timestamptz '2026-01-01' as received_at
from (values ('asked'), ('unasked')) as articles(record_id)
""",
    "stg_ctgov__studies": f"select 'trial:{NCT}' as trial_key, '{NCT}' as nct_id",
    "int_publication_trial_identifiers": """
select null::text as publication_trial_link_key, null::text as publication_key,
    null::text as record_id, null::text as registry_number, null::text as link_basis,
    null::text as pointer, null::text as source_version_id, null::text as source_artifact_key,
    null::text as content_sha256, null::text as immutable_uri, null::integer as record_number,
    null::timestamptz as received_at, null::text as source_authority_tier
where false
""",
}
DECLARED = """
version: 1
tasks:
  - id: title_check
    revision: 1
    description: Whether an article reports on a trial.
    owner: publications
    high_impact: true
    prompt: Does the article of this title report on the trial of that one?
    output_schema:
      type: object
      required: [verdict, confidence]
      properties:
        verdict: {enum: [pass, fail, abstain]}
        confidence: {type: number}
  - {id: title_review, revision: 1, description: Whether that is right., owner: publications,
     high_impact: true, prompt: Is it?,
     output_schema: {type: object, required: [verdict], properties: {
       verdict: {enum: [pass, fail, abstain]}, confidence: {type: number}}}}
profiles:
  - {id: recorded, revision: 1, adapter: recorded, model: recorded-1, input_usd: 1, output_usd: 5,
     call_cap_usd: 0.01, parameters: {answers: inference/answers.jsonl}}
routes:
  - {id: title_check, revision: 1, task: title_check, contract_revision: 1, profile: recorded,
     profile_revision: 1, owner: publications}
  - {id: title_review, revision: 1, task: title_review, contract_revision: 1, profile: recorded,
     profile_revision: 1, owner: publications}
policies:
  - {task: title_check, version: A, decided_by: verifier_model, verifier: {task: title_review},
     max_attempts: 9}
  - {task: title_review, version: A, decided_by: deterministic_validator, max_attempts: 9,
     rules: [{field: verdict, one_of: [pass, fail, abstain]}]}
runs:
  - task: title_check
    route: title_check
    target: resolution.verifications
    input: |
      select 'candidate:' || concat_ws('|', '%(kind)s', 'pub_trial:asked:title', 'title_inference',
          'trial:%(nct)s') as target_key, '%(title)s' as title
      union all
      select 'candidate:other|' || number, 'Another title, ' || number
      from generate_series(1, %(others)s) as number
"""


def says(verdict: str, confidence: float) -> dict[str, Any]:
    """An answer of either model."""
    return {"verdict": verdict, "confidence": confidence}


FIRST, SECOND, NO = says("pass", 0.6), says("pass", 0.95), says("fail", 0.9)


def answers() -> list[dict[str, Any]]:
    """What the two models say, attempt by attempt: the story of `test_title_links.py`."""
    asked = {"title": TITLE}
    lines: list[tuple[dict[str, Any], dict[str, Any]]] = [
        (asked, {"status": "failed"}),
        (asked, {"text": "It does, surely."}),
        (asked, {"output": FIRST}),
        ({"input": asked, "output": FIRST}, {"status": "timed_out"}),
        ({"input": asked, "output": FIRST}, {"output": says("fail", 0.8)}),
        (asked, {"status": "refused"}),
        (asked, {"output": SECOND}),
        ({"input": asked, "output": SECOND}, {"output": says("pass", 0.9)}),
    ]
    for number in range(1, OTHERS + 1):
        other = {"title": f"Another title, {number}"}
        lines.append((other, {"output": NO}))
        lines.append(({"input": other, "output": NO}, {"output": says("pass", 0.9)}))
    return [{"input_sha256": sha256_of_content(content), **said} for content, said in lines]


class Titles(Ward):
    """The project on the database of a test."""

    def write(self) -> None:
        """The project's files."""
        own = (*linking(SLICE), "resolution/int_publication_trials.sql")
        self.start(own, f"candidates__{SLICE}")
        matched = [
            (TRIAL, f"pub_trial:{article}:title", f"trial:{NCT}", "title_inference", 0.95)
            for article in (ASKED, UNASKED)
        ]
        self.model("resolution", f"candidates__{SLICE}", candidates_sql(matched))
        for name, body in STUBS.items():
            self.model("resolution", name, body)
        served = REPOSITORY / "models" / "query" / SLICE / f"{MODEL}.sql"
        self.model("query", MODEL, served.read_text(encoding="utf-8"))
        contract = REPOSITORY / "contracts" / SLICE / f"{MODEL}.yml"
        document = yaml.safe_load(contract.read_text(encoding="utf-8"))
        (model,) = document["models"]
        # Nothing else is published here: no owner of the keys, no receipts.
        keys = model["config"]["meta"]["tidegate"]
        keys.update(references=[], provenance={"policy": "none"})
        model["data_tests"] = [it for it in model["data_tests"] if it != "referential_integrity"
                               and "provenance_coverage" not in it]  # fmt: skip
        (self.folder / "contracts" / SLICE).mkdir()
        (self.folder / "contracts" / SLICE / f"{MODEL}.yml").write_text(yaml.safe_dump(document))
        (self.folder / "inference").mkdir()
        (self.folder / "inference" / "titles.yml").write_text(
            DECLARED % {"kind": TRIAL, "nct": NCT, "title": TITLE, "others": OTHERS}
        )
        (self.folder / "inference" / "answers.jsonl").write_text(
            "\n".join(json.dumps(line) for line in answers())
        )

    def served(self, article: str) -> tuple[Any, ...]:
        """Basis, state, whether it may be compared and publication state, as readers get them."""
        (row,) = self.query(
            "select link_basis, link_state, comparison_eligible, publication_state"
            " from query.q_publication_trial_links where publication_key = %s",
            f"pub:{article}",
        )
        return row
