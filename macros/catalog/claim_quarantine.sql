{#- Claims of slices that a gate of evidence rejects, with the gate, the reason and, of what a model made,
    the attempt. A gate blocks where a parser made the claim; what gets as far as this is what a
    contract only warns of, or a model produced. -#}
{%- macro quarantined_claims(slices) -%}
    {%- set gates = ["source_locator", "claim_origin", "document_version", "source_artifact_immutability"] %}
    select distinct
        'quarantine:evidence.claims:'
        || rejected.row_key
        || ':'
        || rejected.gate_id
        || ':'
        || rejected.reason as quarantine_id,
        'evidence.claims'::text as relation_name,
        rejected.row_key,
        rejected.gate_id,
        rejected.reason,
        {{ "made.attempt_id" if "inference" in slices else "null::text as attempt_id" }},
        now() as quarantined_at
    from
        (
            {%- for slice in slices %}
                {%- set slice_loop = loop %}
                {%- for gate_id in gates %}
                    select
                        {{ tidegate.literal(gate_id) }}::text as gate_id,
                        found.row_key,
                        found.reason
                    from ({{ tidegate.claim_gate(gate_id, ref("claims__" ~ slice)) }}) as found
                    where found.level = 'block'
                    {% if not (loop.last and slice_loop.last) %}
                        union all
                    {% endif %}
                {%- endfor %}
            {%- endfor %}
        ) as rejected
    {%- if "inference" in slices %}
        left join {{ ref("claims__inference") }} as made on made.claim_id = rejected.row_key
    {%- endif %}
{%- endmacro -%}

{#- Outputs of models that were not accepted, by the newest decision on each: an output that breaks its
    task's contract is told even where nobody decided. A call without an output is none. -#}
{%- macro quarantined_outputs(attempts, decisions) -%}
    select
        'quarantine:provenance.inference_attempts:'
        || judged.attempt_id
        || ':llm_schema_contract:'
        || judged.reason as quarantine_id,
        'provenance.inference_attempts'::text as relation_name,
        judged.attempt_id as row_key,
        'llm_schema_contract'::text as gate_id,
        judged.reason,
        judged.attempt_id,
        judged.quarantined_at
    from
        (
            select
                attempts.attempt_id,
                case
                    when newest.decision = 'rejected'
                    then newest.reason
                    when newest.decision is null and attempts.schema_valid is false
                    then 'output_invalid'
                end as reason,
                coalesce(newest.decided_at, attempts.completed_at) as quarantined_at
            from {{ attempts }} as attempts
            left join
                lateral(
                    select decisions.decision, decisions.reason, decisions.decided_at
                    from {{ decisions }} as decisions
                    where decisions.attempt_id = attempts.attempt_id
                    order by decisions.decided_at desc, decisions.decision
                    limit 1
                ) as newest
                on true
            where attempts.output_sha256 is not null
        ) as judged
    where judged.reason is not null
{%- endmacro -%}
