{#- A claim says how much its source may say and what read it: a parser of a version, a model by an
    attempt whose prompt, schema and model are kept, or a person. Options: `tiers`, the authority
    tiers; `producers`, what each word for a producer means (parser, model, person). -#}
{%- macro claim_origin(gate) -%}
    {%- set metadata = tidegate.gate_metadata(gate, [
        "claim_type", "source_authority_tier", "produced_by", "parser_version", "attempt_id",
    ]) -%}
    {{ tidegate.gate_rows(gate, {
        "claim_type": "text", "source_authority_tier": "text", "produced_by": "text",
        "parser_version": "text", "attempt_id": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "attempts", {
        "attempt_id": "text", "request_key": "text", "profile_id": "text", "profile_revision": "integer",
    }) }}
    {{ tidegate.gate_relation(gate, "requests", {
        "request_key": "text", "task_id": "text", "contract_revision": "integer",
    }) }}
    {{ tidegate.gate_relation(gate, "contracts", {
        "task_id": "text", "contract_revision": "integer", "prompt_sha256": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "profiles", {
        "profile_id": "text", "profile_revision": "integer", "model_name": "text",
    }) }},
    producers(word, kind) as ({{ tidegate.pairs(gate.options.producers) }}),
    made as (
        select
            judged.*,
            producers.kind,
            attempts.attempt_id as known_attempt,
            profiles.model_name,
            contracts.prompt_sha256
        from judged
        left join producers on producers.word = judged.produced_by
        left join attempts on attempts.attempt_id = judged.attempt_id
        left join requests on requests.request_key = attempts.request_key
        left join contracts on {{ tidegate.is_pinned("contracts") }}
        left join profiles on {{ tidegate.is_pinned("profiles") }}
    )
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(tidegate.claim_origin_findings(gate), metadata, "made") }}
{%- endmacro -%}

{#- What is wrong with one claim. -#}
{%- macro claim_origin_findings(gate) -%}
    {%- set tier = "coalesce(btrim(judged.source_authority_tier), '')" -%}
    values
        ({{ tier }} = '', 'block', 'authority_tier_missing'),
        (
            {{ tier }} <> '' and {{ tier }} <> all({{ tidegate.text_array(gate.options.tiers) }}),
            'block',
            'authority_tier_unknown'
        ),
        (judged.kind is null, 'block', 'producer_unknown'),
        (
            judged.kind = 'parser' and coalesce(btrim(judged.parser_version), '') = '',
            'block',
            'parser_version_missing'
        ),
        (
            judged.kind = 'model' and coalesce(btrim(judged.attempt_id), '') = '',
            'block',
            'attempt_missing'
        )
        {%- if "attempts" in gate.relations %}
            ,
            (
                judged.kind = 'model' and judged.attempt_id <> '' and judged.known_attempt is null,
                'block',
                'attempt_unrecorded'
            ),
            (
                judged.kind = 'model'
                and judged.known_attempt is not null
                and judged.model_name is null,
                'block',
                'model_version_missing'
            ),
            (
                judged.kind = 'model'
                and judged.known_attempt is not null
                and judged.prompt_sha256 is null,
                'block',
                'prompt_version_missing'
            )
        {%- endif %}
{%- endmacro -%}

{%- macro claim_origin_arguments() -%}
    {{-
        {
            "relations": {"attempts": none, "requests": none, "contracts": none, "profiles": none},
            "options": {
                "tiers": [
                    "regulator_primary",
                    "registry_primary",
                    "official_statistics",
                    "peer_reviewed",
                    "company_filing",
                    "company_announcement",
                    "secondary_news",
                    "reference_list",
                    "model_inferred",
                ],
                "producers": {
                    "deterministic_parser": ["parser"],
                    "inference": ["model"],
                    "human": ["person"],
                },
            },
        }
        | tojson
    -}}
{%- endmacro -%}
