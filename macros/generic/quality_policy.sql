{#- The whole policy of a contract in one scan: a rule of severity error fails, one of severity
    warning warns. The policy stands under `config.meta.tidegate.quality_policy` of the model or of
    the source table. -#}
{%- test quality_policy(model) -%}
    {{- tidegate.gate_config() -}}
    {%- if execute -%}
        {%- set keys = tidegate.contract_of(tidegate.tested_model() or tidegate.tested_source()) -%}
        {%- set policy = keys.get("quality_policy") -%}
        {%- if policy is not mapping or not policy.get("rules") -%}
            {{-
                exceptions.raise_compiler_error(
                    "The test quality_policy finds no rules under"
                    ~ " config.meta.tidegate.quality_policy. Write the policy into the contract:"
                    ~ " dbt cannot read it from a JSON file."
                )
            -}}
        {%- endif -%}
        {{- tidegate.policy_rows(model, policy.rules, tidegate.when_empty(keys)) -}}
    {%- endif -%}
{%- endtest -%}

{#- The source table a generic test is attached to, none where it is attached to a model. -#}
{%- macro tested_source() -%}
    {%- for id in model.depends_on.nodes if id in graph.sources -%}
        {{- return(graph.sources[id]) -}}
    {%- endfor -%}
    {{- return(none) -}}
{%- endmacro -%}
