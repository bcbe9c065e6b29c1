{#- The slices of resolution. Each has its candidates, verifications, conflicts and links, so that what
    fails in one stops the families that read it and no other. -#}
{%- macro resolution_slices() -%}
    {{-
        return(
            [
                "clinical_trials",
                "publications",
                "approvals",
                "commercial",
                "news",
                "development",
                "epidemiology",
            ]
        )
    -}}
{%- endmacro -%}

{#- A relation of all slices: `<name>__<slice>` of each. -#}
{%- macro of_all_slices(name) -%}
    {%- for slice in tidegate.resolution_slices() %}
        select *
        from {{ ref(name ~ "__" ~ slice) }}
        {% if not loop.last %}
            union all
        {% endif %}
    {%- endfor %}
{%- endmacro -%}
