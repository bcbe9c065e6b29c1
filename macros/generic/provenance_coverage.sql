{#- dbt's side of the gate; policy and facts stand in the contract, receipts in the family's
    `q_provenance__<family>`. -#}
{%- test provenance_coverage(
    model,
    policy=none,
    facts=none,
    row_key=none,
    links=[],
    slice=none,
    owner=none,
    contract_ref=none,
    partition_key=none,
    sample_strategy=none
) -%}
    {{- tidegate.gate_config() -}}
    {%- set tested = tidegate.tested_model() -%}
    {%- set keys = tidegate.contract_of(tested) -%}
    {%- set receipts = "q_provenance__" ~ keys.get("family", "") -%}
    {%- do tidegate.reads([receipts, "int_curation_overlays"]) -%}
    {%- if execute -%}
        {%- set overlays = tidegate.relation_of(tidegate.model_named("int_curation_overlays")) -%}
        {%- set receipts_node = tidegate.model_named(receipts) -%}
        {{-
            tidegate.provenance_coverage(
                model,
                tested.name,
                row_key or keys.row_key,
                policy or keys.provenance.policy,
                keys.provenance.get("facts", []) if facts is none else facts,
                tidegate.relation_of(receipts_node),
                bundled="provenance_bundle_key" in tested.columns,
                when_empty=tidegate.when_empty(keys),
                curated={
                    "overlays": overlays,
                    "named": receipts_node and "curation_overlay_key" in receipts_node.columns,
                    "links": links,
                }
                if overlays
                else none,
            )
        -}}
    {%- endif -%}
{%- endtest -%}
