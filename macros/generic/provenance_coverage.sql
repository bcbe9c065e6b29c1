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
    {%- set read = links | selectattr("rows", "defined") | map(attribute="rows") | list -%}
    {%- do tidegate.reads([receipts, "int_curation_overlays"] + read) -%}
    {%- if execute -%}
        {%- set found = [] -%}
        {%- for link in links -%}
            {%- set rows = {"rows": tidegate.relation_of(tidegate.model_named(link.rows))} if link.get("rows") else {} -%}
            {%- do found.append(dict(link, **rows)) -%}
        {%- endfor -%}
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
                told=receipts_node and "role" in receipts_node.columns,
                claimed=receipts_node
                and "claim_id" in receipts_node.columns
                and "attempt_id" in receipts_node.columns
                and "source_authority_tier" in receipts_node.columns,
                curated={
                    "overlays": overlays,
                    "named": receipts_node and "curation_overlay_key" in receipts_node.columns,
                    "links": found,
                }
                if overlays
                else none,
            )
        -}}
    {%- endif -%}
{%- endtest -%}
