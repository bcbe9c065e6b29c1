{#- A single rule as a dbt test: its number of failures is the number of violating rows. dbt's own
    `severity` says whether it fails or warns. -#}
{%- macro rule_test(relation, type, keys, column_name, may_be_empty) -%}
    {{-
        config(
            fail_calc="coalesce(sum(greatest(violating_rows, 1)), 0)",
            warn_if="> 0",
            error_if="> 0 and count(*) filter (where level = 'block') > 0",
        )
    -}}
    {%- if execute -%}
        {%- set rule = {"id": type, "type": type} -%}
        {%- for key, value in keys.items() if value is not none -%}
            {%- do rule.update({key: value}) -%}
        {%- endfor -%}
        {%- if column_name and "fields" not in rule and type not in ("row_count", "required_fields") -%}
            {%- do rule.update({"field": column_name}) -%}
        {%- endif -%}
        {%- set named = rule.get("field") or rule.get("fields") or type == "row_count" -%}
        {%- if not named -%}
            {{-
                exceptions.raise_compiler_error(
                    "The test rule_"
                    ~ type
                    ~ " names no field. Put it under a column, or give it `field` or `fields`."
                )
            -}}
        {%- endif -%}
        {%- set keys_of_contract = {"may_be_empty": may_be_empty} -%}
        {{- tidegate.policy_rows(relation, [rule], tidegate.when_empty(keys_of_contract)) -}}
    {%- endif -%}
{%- endmacro -%}
