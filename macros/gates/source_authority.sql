{#- A statement is made on an authority that its claim type accepts: as a fact, or with the marker that
    the policy asks of a lower one; a reviewed overlay stands in for either. Options: `policy`, by
    claim type the tiers and the marker each needs (`none`: a fact); `requires`, columns that may not
    be blank, such as region and regulator. Relation `compared`, where the contract names it: what
    other sources say of the same. -#}
{%- macro source_authority(gate) -%}
    {%- set types = {
        "claim_type": "text", "source_authority_tier": "text", "lower_authority_marker": "text",
        "curation_overlay_key": "text", "high_impact": "boolean",
    } -%}
    {%- set optional = ["source_family", "source_record_key", "locator"] -%}
    {%- for name in gate.options.requires + optional if name in gate.columns or name not in optional -%}
        {%- set _ = types.update({name: "text"}) -%}
    {%- endfor -%}
    {%- set names = ["claim_type", "source_authority_tier", "lower_authority_marker"] -%}
    {%- set names = names + (optional | select("in", types) | list) -%}
    {{ tidegate.gate_rows(gate, types) }}
    {%- if "overlays" in gate.relations %}
        {{
            tidegate.gate_relation(
                gate, "overlays", {"overlay_key": "text", "review_state": "text"}
            )
        }}
    {%- endif %},
    policy(claim_type, tier, marker) as ({{ tidegate.authority_policy(gate.options.policy) }})
    {{- tidegate.authority_compared(gate) }}
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.authority_conflicts(gate) }}
    union all
    select
        judged.row_key,
        found.level,
        found.reason,
        {{ tidegate.gate_metadata(gate, names) }} || jsonb_build_object(
            'model',
            {{ tidegate.literal(gate.subject) }}::text,
            'required_tiers',
            rule.tiers,
            'missing',
            lacking.names,
            'overlay_state',
            overlay.state,
            'downstream_risk',
            'readers would take it for what a sufficient source says'
        )
    from judged
    left join
        policy
        on policy.claim_type = judged.claim_type
        and policy.tier = judged.source_authority_tier
    cross join
        lateral(
            select
                (
                    select array_agg(accepted.tier order by accepted.tier)
                    from policy as accepted
                    where accepted.claim_type = judged.claim_type and accepted.marker = 'none'
                ) as tiers
        ) as rule
    cross join lateral(select {{ tidegate.overlay_state(gate) }} as state) as overlay
    cross join
        lateral(
            select {{ tidegate.blank_names("judged", gate.options.requires) }} as names
        ) as lacking
    cross join lateral({{ tidegate.source_authority_findings() }}) as found(applies, level, reason)
    where found.applies and ({{ tidegate.source_authority_doubtful(gate) }})
{%- endmacro -%}

{#- Whether anything can be wrong with a statement, or be told of it: one look that spares most
    statements, facts on a sufficient authority, all that is asked besides. -#}
{%- macro source_authority_doubtful(gate) -%}
    policy.marker is distinct from 'none' or judged.lower_authority_marker <> 'none'
    {%- for name in gate.options.requires %}
        or {{ tidegate.perhaps_blank("judged." ~ name) }}
    {%- endfor %}
{%- endmacro -%}

{#- What is wrong with one statement. -#}
{%- macro source_authority_findings() -%}
    {%- set own = "overlay.state is distinct from 'human_approved'" -%}
    {%- set marked = "coalesce(judged.lower_authority_marker, 'none')" -%}
    values
        (
            policy.tier is null and judged.high_impact is not false and {{ own }},
            'block',
            'authority_insufficient'
        ),
        (
            policy.tier is null and judged.high_impact is false and {{ own }},
            'warn',
            'authority_insufficient'
        ),
        (
            policy.marker <> {{ marked }} and judged.high_impact is not false and {{ own }},
            'block',
            'authority_marker_differs'
        ),
        (
            policy.marker <> {{ marked }} and judged.high_impact is false and {{ own }},
            'warn',
            'authority_marker_differs'
        ),
        (policy.marker <> 'none' and policy.marker = {{ marked }}, 'warn', 'authority_lower'),
        (cardinality(lacking.names) > 0, 'block', 'required_column_blank')
{%- endmacro -%}

{#- The review state of the overlay that a statement rests on; null where there is none. -#}
{%- macro overlay_state(gate) -%}
    {%- if "overlays" in gate.relations -%}
        (
            select max(overlays.review_state)
            from overlays
            where overlays.overlay_key = judged.curation_overlay_key
            having count(distinct overlays.review_state) = 1
        )
    {%- else -%} null::text
    {%- endif -%}
{%- endmacro -%}

{#- The policy as rows: claim type, tier, the marker it needs. The first is of nulls, which nothing
    equals: an empty policy is one too. -#}
{%- macro authority_policy(policy) -%}
    values
        (null::text, null::text, null::text)
        {%- for claim_type, tiers in policy.items() %}
            {%- for tier, marker in tiers.items() %}
                ,
                (
                    {{ tidegate.literal(claim_type) }},
                    {{ tidegate.literal(tier) }},
                    {{ tidegate.literal(marker) }}
                )
            {%- endfor %}
        {%- endfor %}
{%- endmacro -%}

{%- macro source_authority_arguments() -%}
    {%- set second = "secondary_source" -%}
    {%- set announced = "announced_not_confirmed" -%}
    {{-
        {
            "relations": {"overlays": "overlays", "compared": none},
            "options": {
                "requires": [],
                "policy": {
                    "approved_indication_text": {"regulator_primary": "none"},
                    "regulatory_event": {
                        "regulator_primary": "none",
                        "company_filing": announced,
                        "company_announcement": announced,
                        "secondary_news": announced,
                    },
                    "registry_outcome_value": {
                        "registry_primary": "none",
                        "company_announcement": second,
                    },
                    "trial_status": {"registry_primary": "none", "company_announcement": second},
                    "publication_outcome_value": {
                        "peer_reviewed": "none",
                        "company_announcement": second,
                    },
                    "epidemiology_value": {
                        "official_statistics": "none",
                        "peer_reviewed": "none",
                        "secondary_news": second,
                    },
                    "product_sales_value": {
                        "company_filing": "none",
                        "company_announcement": "none",
                        "secondary_news": second,
                    },
                    "ownership_relationship": {
                        "company_filing": "none",
                        "regulator_primary": "none",
                        "company_announcement": second,
                        "secondary_news": second,
                    },
                },
            },
        }
        | tojson
    -}}
{%- endmacro -%}
