-- Claims that a gate of evidence rejects, with the gate and why; a claim may be rejected by
-- several.
-- The gates block where a parser made the claim; what gets as far as this is what a contract only
-- warns of, or what a model produced. Nothing here writes to curation.
{%- set gates = ["source_locator", "claim_origin", "document_version", "source_artifact_immutability"] %}
with
    rejected as (
        {%- for slice in tidegate.claim_slices() %}
            {%- set slice_loop = loop %}
            {%- for gate_id in gates %}
                select {{ tidegate.literal(gate_id) }}::text as gate_id, found.row_key, found.reason
                from ({{ tidegate.claim_gate(gate_id, ref("claims__" ~ slice)) }}) as found
                where found.level = 'block'
                {% if not (loop.last and slice_loop.last) %}
                    union all
                {% endif %}
            {%- endfor %}
        {%- endfor %}
    ),

    final as (
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
            null::text as attempt_id,
            now() as quarantined_at
        from rejected
    )

select *
from final
