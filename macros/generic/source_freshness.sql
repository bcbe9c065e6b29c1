{#- dbt's side of the gate: the bounds and the column are those of the source's own `freshness`, unless
    the test has its own. -#}
{%- test source_freshness(model) -%}
    {%- set gate = tidegate.delivered(model, kwargs, tidegate.source_freshness_arguments()) -%}
    {%- if execute -%}
        {%- set source = tidegate.tested_source() -%}
        {%- set declared = (source.freshness if source else none) or {} -%}
        {%- for bound in ("warn_after", "error_after") if bound not in kwargs and declared.get(bound) -%}
            {%- if declared[bound].get("count") -%}
                {%- do gate.options.update({bound: {
                    "count": declared[bound].count, "period": declared[bound].period | string,
                }}) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if source and source.loaded_at_field and "loaded_at" not in kwargs -%}
            {%- do gate.options.update({"loaded_at": source.loaded_at_field}) -%}
        {%- endif -%}
        {{- tidegate.source_freshness(gate) -}}
    {%- endif -%}
{%- endtest -%}
