"""Contract texts that tests start from, and the way into a project."""

from __future__ import annotations

from pathlib import Path

DATASET = """\
version: 2
sources:
  - name: ctgov
    schema: landing
    tables:
      - name: ctgov_studies
        description: One ClinicalTrials.gov record per snapshot, verbatim.
        loaded_at_field: _received_at
        config:
          meta:
            tidegate:
              version: "1"
              owner: trials
              delivery: {kind: append, key: [nct_id, snapshot_id], match: ["ctgov/*.json"]}
              format: {type: json}
        columns:
          - name: nct_id
            data_type: text
            description: Registry number.
            config: {meta: {tidegate: {required: true, path: /protocolSection/nctId}}}
          - name: snapshot_id
            data_type: text
            description: When the registry was read.
            config: {meta: {tidegate: {required: true}}}
"""

MODEL = """\
version: 2
models:
  - name: q_trials
    description: One registered study.
    config:
      contract: {enforced: true}
      meta:
        tidegate:
          family: clinical_trials
          version: "1"
          owner: trials
          grain: one registered study
          row_key: [trial_key]
          provenance: {policy: row_required}
    columns:
      - name: trial_key
        data_type: text
        description: Stable key.
        constraints: [{type: not_null}]
      - name: enrollment
        data_type: int4
        description: Participants enrolled.
        constraints: [{type: check, expression: "enrollment >= 0"}]
    data_tests:
      - schema_contract
"""

FULL_DATASET = """\
# yaml-language-server: $schema=../tidegate.schema.json
version: 2
sources:
  - name: drugs
    schema: landing
    description: Drugs@FDA, the public tables.
    loader: tidegate
    config: {tags: [public]}
    tables:
      - name: drug_products
        description: One product per snapshot.
        config:
          tags: fda
          loaded_at_field: _received_at
          freshness: {warn_after: {count: 7, period: day}, error_after: {count: 30, period: day}}
          meta:
            somebody_else: {may: [write, here]}
            tidegate:
              version: "2"
              owner: approvals
              delivery:
                kind: upsert
                key: [appl_no]
                match: ["drugsfda/**/Products*.txt"]
                max_expanded_bytes: 1000000
              format:
                type: csv
                delimiter: "\\t"
                quote: '"'
                escape: "\\\\"
                encoding: utf-8
                header: true
                null_tokens: ["", "NULL"]
                comment: "#"
                trim: true
              drift:
                default: review
                by_kind: {field_added_nullable: auto}
                by_reason: {narrowing: block}
                approvers: [tidegate_operator]
                approval_valid_days: 30
              retention: {artifacts_days: 365, rows_days: 30, quarantine_days: 90}
        columns:
          - name: appl_no
            data_type: char(6)
            description: Application number, with its leading zeros.
            config: {meta: {tidegate: {required: true, header: ApplNo, sensitivity: public}}}
            data_tests: [not_null]
          - name: Date Approved
            quote: true
            data_type: date
            description: Day of the approval.
            config:
              tags: [dates]
              meta: {tidegate: {parse: {date_format: "%d.%m.%Y"}}}
          - name: updated_at
            data_type: timestamptz
            description: When the agency changed the row.
            config:
              meta:
                tidegate:
                  parse: {timestamp_format: "%Y-%m-%d %H:%M", timezone: America/New_York}
          - name: price
            data_type: numeric(12,2)
            description: Listed price in US dollars.
            config:
              meta:
                tidegate:
                  sensitivity: sensitive
                  mask: redact
                  parse: {decimal: ",", thousands: ".", allow_nan: false}
          - name: marketed
            data_type: boolean
            description: Whether it is sold.
            config: {meta: {tidegate: {parse: {true_tokens: ["Y"], false_tokens: ["N"]}}}}
          - name: status
            data_type: text
            description: Marketing status.
            config: {meta: {tidegate: {enum: [Prescription, Discontinued]}}}
"""

FULL_MODEL = """\
# yaml-language-server: $schema=../tidegate.schema.json
version: 2
models:
  - name: q_trials
    description: One registered study, with "quotes", 100 % and $$ in its description.
    config:
      contract: {enforced: true, alias_types: true}
      materialized: table
      tags: [trials]
      access: public
      docs: {show: true}
      indexes: [{columns: [trial_key], unique: true, type: btree}]
      meta:
        tidegate:
          family: clinical_trials
          version: "1"
          owner: trials
          grain: one registered study
          row_key: [trial_key]
          slice: registry
          provenance: {policy: fact_required, facts: [phases]}
          references:
            - {columns: [parent_key], to: q_trials, to_columns: [trial_key], expected: true}
            - {columns: [drug_keys], to: q_drugs, array: true, deferred: true}
          may_be_empty: false
          retention: {generations: 3}
          quality_policy:
            version: "1"
            rules:
              - {id: phases_given, type: not_null, field: phases, severity: error}
    constraints:
      - {type: primary_key, columns: [trial_key]}
      - {type: check, expression: "parent_key <> trial_key", name: no_self}
    columns:
      - name: trial_key
        data_type: text
        description: Stable key.
        constraints: [{type: not_null}, {type: unique}]
      - name: parent_key
        data_type: text
        description: The study it extends.
      - name: drug_keys
        data_type: text[]
        description: Drugs under study.
      - name: phases
        data_type: text[]
        description: Phases of the study.
        config: {meta: {tidegate: {enum: [PHASE1, PHASE2], sensitivity: public}}}
      - name: "Käse order"
        quote: true
        data_type: varchar(20)
        description: A name that only quotes carry.
        config: {tags: [odd], meta: {tidegate: {mask: partial}}}
    data_tests:
      - schema_contract
      - quality_policy:
          config: {severity: error}
      - unique:
          arguments: {column_name: trial_key}
          config: {severity: warn, where: "trial_key is not null"}
"""


def write(folder: Path, files: dict[str, str]) -> Path:
    """A project with these files under contracts/."""
    for name, text in files.items():
        path = folder / "contracts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
