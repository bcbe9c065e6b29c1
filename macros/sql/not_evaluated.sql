{#- The violation of a gate that had nothing to judge: what was not evaluated has not passed.
    `when_empty`: block, warn, or ignore where the contract says `may_be_empty`. -#}
{%- macro not_evaluated(cte, subject, when_empty) -%}
    select
        {{ tidegate.literal(subject) }}::text as row_key,
        {{ tidegate.literal("warn" if when_empty == "warn" else "block") }}::text as level,
        'not_evaluated'::text as reason,
        jsonb_build_object('cause', 'relation_empty') as metadata
    where
        {{ "false" if when_empty == "ignore" else "true" }} and not exists (select 1 from {{ cte }})
{%- endmacro -%}
