{#- What the warehouse stands behind rests on claims that are there and that no gate rejected. Relations:
    `claims`, `quarantine`. Option: `quarantined_as`, the name of the claims in the quarantine. -#}
{%- macro assertion_support(gate) -%}
    {%- set metadata = tidegate.gate_metadata(gate, [
        "claim_type", "subject_key", "fact_path", "supporting_claim_ids",
    ]) -%}
    {{ tidegate.gate_rows(gate, {
        "claim_type": "text", "subject_key": "text", "fact_path": "text",
        "supporting_claim_ids": "text[]",
    }) }}
    {{ tidegate.gate_relation(gate, "claims", {"claim_id": "text"}) }}
    {{ tidegate.gate_relation(gate, "quarantine", {
        "relation_name": "text", "row_key": "text",
    }) }},
    rejected as (
        select distinct quarantine.row_key
        from quarantine
        where quarantine.relation_name = {{ tidegate.literal(gate.options.quarantined_as) }}
    ),
    counted as (
        select
            judged.row_key,
            count(*) filter (where claims.claim_id is null) as absent,
            count(*) filter (where rejected.row_key is not null) as quarantined
        from judged
        cross join lateral unnest(judged.supporting_claim_ids) as named(claim_id)
        left join claims on claims.claim_id = named.claim_id
        left join rejected on rejected.row_key = named.claim_id
        group by judged.row_key
    ),
    supported as (
        select judged.*, counted.absent, counted.quarantined
        from judged
        left join counted on counted.row_key = judged.row_key
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(
        tidegate.assertion_support_findings(),
        metadata ~ " || jsonb_build_object('absent', judged.absent, 'quarantined', judged.quarantined)",
        "supported",
    ) }}
{%- endmacro -%}

{#- What is wrong with one assertion. -#}
{%- macro assertion_support_findings() -%}
    values
        (coalesce(cardinality(judged.supporting_claim_ids), 0) = 0, 'block', 'support_missing'),
        (judged.absent > 0, 'block', 'claim_missing'),
        (judged.quarantined > 0, 'block', 'claim_quarantined')
{%- endmacro -%}

{%- macro assertion_support_arguments() -%}
    {{-
        {
            "relations": {"claims": "claims", "quarantine": "quarantine"},
            "options": {"quarantined_as": "evidence.claims"},
        }
        | tojson
    -}}
{%- endmacro -%}
