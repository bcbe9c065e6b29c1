{#- The canonical endpoint is the one that the phrase of the source names: by the longest phrase of
    option `phrases` (phrase: endpoint and, where it implies one, statistic) or label of the spine that
    stands in it as whole words, or by a code written as the spine writes it. -#}
{%- macro endpoint_semantic_consistency(gate) -%}
    {{ tidegate.gate_rows(gate, {
        "raw_endpoint_phrase": "text", "canonical_endpoint_key": "text", "statistic": "text",
        "confirmation_state": "text", "source_quote": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "spine", {
        "canonical_endpoint_key": "text", "code": "text", "label": "text", "must_not_merge_with": "text[]",
    }) }},
    phrases(words, endpoint, statistic) as ({{ tidegate.endpoint_phrases(gate) }}),
    read as (
        select
            judged.*,
            coalesce(named.endpoint, coded.endpoint) as expected_endpoint,
            case
                when phrase.words ~ ' mean '
                then 'mean'
                when phrase.words ~ ' median '
                then 'median'
                else named.statistic
            end as expected_statistic,
            phrase.words
        from judged
        cross join
            lateral(
                select
                    ' ' || {{ tidegate.plain_words("judged.raw_endpoint_phrase") }} || ' ' as words
            ) as phrase
        left join
            lateral(
                select phrases.endpoint, phrases.statistic
                from phrases
                where position(phrases.words in phrase.words) > 0
                order by length(phrases.words) desc, phrases.endpoint
                limit 1
            ) as named
            on true
        left join
            lateral(
                select spine.canonical_endpoint_key as endpoint
                from spine
                where
                    spine.code
                    = any(regexp_split_to_array(judged.raw_endpoint_phrase, '[^A-Za-z0-9-]+'))
                order by length(spine.code) desc, spine.code
                limit 1
            ) as coded
            on true
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.endpoint_violations(gate) }}
{%- endmacro -%}

{%- macro endpoint_violations(gate) -%}
    union all
    select
        judged.row_key,
        found.level,
        found.reason,
        {{ tidegate.gate_metadata(gate, [
            "raw_endpoint_phrase", "canonical_endpoint_key", "statistic", "source_quote",
        ]) }} || jsonb_build_object(
            'taxonomy_id',
            'pub_endpoint_semantic_confusion',
            'expected_endpoint',
            judged.expected_endpoint,
            'expected_statistic',
            judged.expected_statistic,
            'kept_apart',
            judged.canonical_endpoint_key = any(owner.must_not_merge_with)
        )
    from read as judged
    left join spine as owner on owner.canonical_endpoint_key = judged.expected_endpoint
    cross join
        lateral(
            values
                (
                    judged.canonical_endpoint_key is distinct from judged.expected_endpoint
                    and judged.expected_endpoint is not null,
                    'block',
                    'endpoint_differs'
                ),
                (
                    judged.statistic is distinct from judged.expected_statistic
                    and judged.expected_statistic is not null,
                    'block',
                    'statistic_differs'
                ),
                (
                    judged.words ~ ' confirmed '
                    and judged.confirmation_state = 'unconfirmed'
                    or judged.words ~ ' unconfirmed '
                    and judged.confirmation_state = 'confirmed',
                    'block',
                    'confirmation_differs'
                ),
                (judged.expected_endpoint is null, 'warn', 'phrase_unknown')
        ) as found(applies, level, reason)
    where found.applies
{%- endmacro -%}

{#- A text as its words in lower case, one blank between them. -#}
{%- macro plain_words(text) -%}
    btrim(regexp_replace(lower({{ text }}), '[^a-z0-9]+', ' ', 'g'))
{%- endmacro -%}

{%- macro endpoint_semantic_consistency_arguments() -%}
    {{- {"relations": {"spine": "q_endpoints"}, "columns": {}, "options": {"phrases": {"time to progression": ["endpoint:TTP", none], "progression-free survival": ["endpoint:PFS", none], "overall survival": ["endpoint:OS", none], "objective response": ["endpoint:ORR", "proportion"], "overall response": ["endpoint:ORR", "proportion"], "confirmed objective response": ["endpoint:cORR", "proportion"], "confirmed overall response": ["endpoint:cORR", "proportion"], "duration of response": ["endpoint:DOR", none], "time to response": ["endpoint:TTR", none], "tumour shrinkage": ["endpoint:TUMOUR-SHRINKAGE", "proportion"], "tumor shrinkage": ["endpoint:TUMOUR-SHRINKAGE", "proportion"], "change in tumour size": ["endpoint:TUMOUR-CHANGE", none], "change in tumor size": ["endpoint:TUMOUR-CHANGE", none]}}} | tojson -}}
{%- endmacro -%}

{#- What phrases name: the labels of the spine and those of the contract. -#}
{%- macro endpoint_phrases(gate) -%}
    select
        ' ' || {{ tidegate.plain_words("spine.label") }} || ' ',
        spine.canonical_endpoint_key,
        null::text
    from spine
    {%- for phrase, meaning in gate.options.phrases.items() %}
        union all
        select
            ' ' || {{ tidegate.plain_words(tidegate.literal(phrase)) }} || ' ',
            {{ tidegate.literal(meaning[0]) }},
            {{ tidegate.literal(meaning[1]) }}
    {%- endfor %}
{%- endmacro -%}
