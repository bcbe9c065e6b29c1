{#- What a source says happened keeps its status (announced, submitted, accepted, approved, published, …)
    and its truth. Options: `vocabulary`, source family to the source's words (compared without case
    and outer space) to status and truth; `generic`, the statuses that words outside it may have. -#}
{%- macro announcement_semantics(gate) -%}
    {%- set metadata = tidegate.gate_metadata(gate, [
        "source_family", "source_status_text", "event_status", "truth_mode",
    ]) -%}
    {{ tidegate.gate_rows(gate, {
        "source_family": "text", "source_status_text": "text", "event_status": "text", "truth_mode": "text",
    }) }},
    vocabulary(source_family, words, event_status, truth_mode) as (
        values
            (null::text, null::text, null::text, null::text)
            {%- for family, phrases in gate.options.vocabulary.items() %}
                {%- for words, meaning in phrases.items() %}
                    ,
                    (
                        {{ tidegate.literal(family) }},
                        {{ tidegate.literal(words) }},
                        {{ tidegate.literal(meaning[0]) }},
                        {{ tidegate.literal(meaning[1]) }}
                    )
                {%- endfor %}
            {%- endfor %}
    ),
    read as (
        select
            judged.*,
            vocabulary.event_status as expected_status,
            coalesce(vocabulary.truth_mode, 'announced') as expected_truth
        from judged
        left join
            vocabulary
            on vocabulary.source_family = judged.source_family
            and lower(vocabulary.words) = lower(btrim(judged.source_status_text))
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(
        tidegate.announcement_semantics_findings(gate),
        metadata ~ " || jsonb_build_object('expected_status', judged.expected_status, 'expected_truth', judged.expected_truth)",
        "read",
    ) }}
{%- endmacro -%}

{%- macro announcement_semantics_findings(gate) -%}
    {%- set generic = tidegate.text_array(gate.options.generic) -%}
    values
        (
            judged.expected_status is not null
            and judged.event_status is distinct from judged.expected_status,
            'block',
            'status_collapsed'
        ),
        (
            judged.expected_status is null
            and (judged.event_status = any({{ generic }})) is not true,
            'block',
            'status_unmapped'
        ),
        (judged.truth_mode is distinct from judged.expected_truth, 'block', 'truth_promoted'),
        (
            judged.expected_status is null and judged.event_status = any({{ generic }}),
            'warn',
            'status_generic'
        )
{%- endmacro -%}

{%- macro announcement_semantics_arguments() -%}
    {{- {
        "relations": {},
        "options": {
            "generic": ["mentioned", "announced"],
            "vocabulary": {
                "drugs_at_fda": {"AP": ["approved", "confirmed"]},
                "ema_medicines": {"Authorised": ["approved", "confirmed"], "Refused": ["refused", "confirmed"], "Withdrawn": ["withdrawn", "confirmed"]},
                "press_release": {
                    "FDA has accepted for filing": ["accepted_for_review", "announced"],
                    "FDA has approved": ["approved", "announced"],
                    "application has been submitted": ["submitted", "announced"],
                    "complete response letter": ["refused", "announced"],
                },
                "pubmed": {"epublish": ["published", "confirmed"], "ppublish": ["published", "confirmed"], "aheadofprint": ["published", "confirmed"]},
            },
        },
    } | tojson -}}
{%- endmacro -%}
