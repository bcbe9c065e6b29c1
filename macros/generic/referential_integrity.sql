{#- dbt's side of the gate; everything it needs stands in the contract, arguments override it. -#}
{%- test referential_integrity(
    model,
    references=none,
    row_key=none,
    slice=none,
    owner=none,
    contract_ref=none,
    partition_key=none,
    sample_strategy=none
) -%}
    {{- tidegate.gate_config() -}}
    {%- set tested = tidegate.tested_model() -%}
    {%- set keys = tidegate.contract_of(tested) -%}
    {%- set declared = keys.get("references", []) if references is none else references -%}
    {%- do tidegate.reads(declared | map(attribute="to") | list) -%}
    {%- if execute -%}
        {{-
            tidegate.referential_integrity(
                model,
                tested.name,
                row_key or keys.row_key,
                tidegate.reference_arguments(declared),
                when_empty=tidegate.when_empty(keys),
            )
        -}}
    {%- endif -%}
{%- endtest -%}

{#- References of a contract as the gate takes them, each with its owner's relation. -#}
{%- macro reference_arguments(references) -%}
    {%- set arguments = [] -%}
    {%- for reference in references -%}
        {%- set owner = tidegate.model_named(reference.to) or tidegate.source_named(reference.to) -%}
        {%- set given = reference.get("to_columns") -%}
        {#- What lies below the families has no contract, so the test names the columns. -#}
        {%- set owner_keys = tidegate.contract_of(owner) if owner and not given else {} -%}
        {%- set owner_columns = given or owner_keys.get("row_key", []) -%}
        {%- set usable = owner_columns | length == reference.columns | length -%}
        {%- do arguments.append(
            {
                "columns": reference.columns,
                "owner": reference.to,
                "owner_relation": tidegate.relation_of(owner) if usable else none,
                "owner_columns": owner_columns,
                "array": reference.get("array", false),
                "expected": reference.get("expected", false),
                "deferred": reference.get("deferred", false),
                "owner_state": owner and "publication_state" in owner.columns,
            }
        ) -%}
    {%- endfor -%}
    {{- return(arguments) -}}
{%- endmacro -%}
