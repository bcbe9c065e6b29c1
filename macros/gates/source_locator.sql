{#- Every claim that facts may stand on says where in which artefact it was read, in a shape that its
    source family allows. Where the contract names the relation `artifacts`, the family is that of
    the artefact. Options: `shapes`, the shapes by source family; `members`, what a locator
    of a shape has to hold; `partial`, the text coverages that warn. -#}
{%- macro source_locator(gate) -%}
    {%- set joined = "artifacts" in gate.relations -%}
    {%- set family = "artifacts.source_family" if joined else "source_family" -%}
    {%- set types = {
        "source_artifact_key": "text", "locator_shape": "text", "locator": "jsonb",
        "source_text_coverage": "text", "canonical_bound": "boolean", "fact_path": "text",
        "subject_key": "text",
    } -%}
    {%- set metadata = tidegate.gate_metadata(gate, [
        "fact_path", "source_artifact_key", family, "locator_shape", "subject_key",
    ]) -%}
    {{ tidegate.gate_rows(gate, types if joined else dict(types, source_family="text")) }}
    {%- if joined %}
        {{
            tidegate.gate_relation(
                gate, "artifacts", {"source_artifact_key": "text", "source_family": "text"}
            )
        }}
    {%- endif %},
    allowed(family, shape) as ({{ tidegate.pairs(gate.options.shapes) }}),
    needed(shape, member) as ({{ tidegate.pairs(gate.options.members) }}),
    expected as not materialized(
        select allowed.family, array_agg(allowed.shape order by allowed.shape) as shapes
        from allowed
        group by allowed.family
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    union all
    select
        judged.row_key,
        found.level,
        found.reason,
        {{ metadata }}
        || jsonb_build_object('expected_shapes', expected.shapes, 'missing', lacking.members)
    from judged
    {%- if joined %}
        left join artifacts on artifacts.source_artifact_key = judged.source_artifact_key
    {%- endif %}
    left join expected on expected.family = {{ family if joined else "judged.source_family" }}
    cross join
        lateral(
            select
                (
                    select array_agg(needed.member order by needed.member)
                    from needed
                    where
                        needed.shape = judged.locator_shape
                        and coalesce(btrim(judged.locator ->> needed.member), '') = ''
                        -- An empty JSON pointer is a place: the whole record (RFC 6901).
                        and (needed.member <> 'pointer' or judged.locator ->> needed.member is null)
                ) as members
        ) as lacking
    cross join
        lateral({{ tidegate.source_locator_findings(gate) }}) as found(applies, level, reason)
    where
        found.applies
        and ({{ tidegate.source_locator_doubtful(gate) }})
        and judged.canonical_bound is not false
{%- endmacro -%}

{#- Whether anything can be wrong with a claim: one look that spares most claims the list of what their
    locators lack. Only an object has members. -#}
{%- macro source_locator_doubtful(gate) -%}
    {{ tidegate.perhaps_blank("judged.source_artifact_key") }}
    or (judged.locator_shape = any(expected.shapes)) is not true
    or case
        {%- for shape, members in gate.options.members.items() if members %}
            when judged.locator_shape = {{ tidegate.literal(shape) }}
            then
                {%- for member in members %}
                    {%- set found = "(judged.locator ->> " ~ tidegate.literal(member) ~ ")" %}
                    {{- " or " if not loop.first }} {{ tidegate.perhaps_blank(found) }}
                {%- endfor %}
        {%- else %} when false then null
        {%- endfor %}
        else (jsonb_typeof(judged.locator) = 'object') is not true
    end
    or judged.source_text_coverage = any({{ tidegate.text_array(gate.options.partial) }})
{%- endmacro -%}

{#- What is wrong with one claim. -#}
{%- macro source_locator_findings(gate) -%}
    {%- set there = "coalesce(jsonb_typeof(judged.locator), 'null') <> 'null'" -%}
    values
        (coalesce(btrim(judged.source_artifact_key), '') = '', 'block', 'artifact_missing'),
        (judged.locator_shape is null or not ({{ there }}), 'block', 'locator_missing'),
        (
            judged.locator_shape <> all(coalesce(expected.shapes, array[]::text[])),
            'block',
            'locator_shape_differs'
        ),
        (
            {{ there }}
            and (jsonb_typeof(judged.locator) <> 'object' or lacking.members is not null),
            'block',
            'locator_incomplete'
        ),
        (
            judged.source_text_coverage = any({{ tidegate.text_array(gate.options.partial) }}),
            'warn',
            'text_coverage_partial'
        )
{%- endmacro -%}

{%- macro source_locator_arguments() -%}
    {{-
        {
            "relations": {"artifacts": none},
            "options": {
                "shapes": {
                    "ctgov_v2": ["json_pointer", "xml_xpath"],
                    "aact_snapshot": ["api_row"],
                    "drugs_at_fda": ["csv_cell"],
                    "spl_label": ["label_section"],
                    "openfda_label": ["json_pointer"],
                    "ema_medicines": ["csv_cell"],
                    "ema_epar": ["pdf_page_span", "text_quote"],
                    "cde_listing": ["json_pointer", "text_quote"],
                    "pubmed": ["table_cell", "text_quote"],
                    "europe_pmc": ["table_cell", "text_quote", "xml_xpath"],
                    "conference": ["table_cell", "text_quote"],
                    "press_release": ["text_quote"],
                    "news": ["text_quote"],
                    "company_filing": ["table_cell", "text_quote"],
                    "official_statistics": ["csv_cell"],
                    "fx_rates": ["csv_cell"],
                    "terminology": ["csv_cell"],
                    "reference_list": ["csv_cell"],
                },
                "members": {
                    "api_row": ["table", "id"],
                    "json_pointer": ["pointer"],
                    "xml_xpath": ["xpath"],
                    "csv_cell": ["row", "column"],
                    "table_cell": ["table", "row", "column"],
                    "pdf_page_span": ["page", "start", "end"],
                    "text_quote": ["exact"],
                    "label_section": ["set_id", "version", "loinc"],
                },
                "partial": ["partial_span"],
            },
        }
        | tojson
    -}}
{%- endmacro -%}
