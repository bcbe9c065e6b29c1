{#- The configuration every gate needs: rows that block fail, rows that warn only warn. A sample never
    stands in for a blocking check. -#}
{%- macro gate_config() -%}
    {%- set given = (model.get("test_metadata") or {}).get("kwargs") or {} -%}
    {%- set severity = (model.config.severity or "error") | lower -%}
    {%- if execute and given.get("sample_strategy") not in [none, "all"] and severity == "error" -%}
        {{-
            exceptions.raise_compiler_error(
                "The gate "
                ~ model.test_metadata.name
                ~ " is sampled and blocks: write `severity: warn`, and the same gate on all rows beside it."
            )
        -}}
    {%- endif -%}
    {{-
        config(
            fail_calc="count(*)",
            warn_if="> 0",
            error_if="> 0 and count(*) filter (where level = 'block') > 0",
        )
    -}}
{%- endmacro -%}

{#- What an empty relation means: in target `ci` landing tables are empty, so it warns there, unless
    the variable `tidegate_when_empty` says that everything has to be evaluated (`block`). -#}
{%- macro when_empty(keys) -%}
    {%- if keys.get("may_be_empty") -%} {{- return("ignore") -}} {%- endif -%}
    {{- return(tidegate.empty_means()) -}}
{%- endmacro -%}

{%- macro empty_means() -%}
    {{- return(var("tidegate_when_empty", "warn" if target.name == "ci" else "block")) -}}
{%- endmacro -%}
