{#- The slices whose claims `evidence.claims` gathers, one model `claims__<slice>` each. -#}
{%- macro claim_slices() -%}
    {{-
        return(
            [
                "clinical_trials",
                "approvals",
                "publications",
                "news",
                "epidemiology",
                "commercial",
                "development",
                "spines",
                "inference",
            ]
        )
    -}}
{%- endmacro -%}

{#- A gate on a relation of claims as SQL, with the defaults of its test in the slices. -#}
{%- macro claim_gate(gate_id, relation) -%}
    {%- set known = fromjson(tidegate[gate_id ~ "_arguments"]()) -%}
    {%- set gate = {
        "relation": relation,
        "subject": "claims",
        "row_key": ["claim_id"],
        "columns": {},
        "public": [],
        "relations": {},
        "options": known.options,
        "where": "canonical_bound",
        "when_empty": "ignore",
    } -%}
    {{- tidegate[gate_id](gate) -}}
{%- endmacro -%}
