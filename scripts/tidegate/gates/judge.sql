-- Judge one gate in one statement: totals, reasons, and at most `cap` samples of its violations.
-- Parameter: `violations`, the gate's own select.
with violations as materialized (
{violations}
),
sampled as (
    select row_key, level, reason, metadata
    from violations
    order by level, row_key collate "C", reason, metadata::text collate "C"
    limit {cap}
)
select
    (select count(*) from violations where level = 'block') as blocking,
    (
        select count(*) from violations
        where level not in ('block', 'warn') or level is null or reason is null
    ) as malformed,
    (select count(distinct coalesce(row_key, '')) from violations where level = 'block') as rows_failing,
    (select count(distinct coalesce(row_key, '')) from violations where level = 'warn') as rows_warning,
    (
        select coalesce(jsonb_object_agg(reason, violations), '{{}}'::jsonb)
        from (
            select reason, count(*) as violations
            from violations
            where reason is not null
            group by reason
        ) as by_reason
    ) as reasons,
    (
        select coalesce(
            jsonb_agg(
                jsonb_build_array(row_key, level, reason, metadata)
                order by level, row_key collate "C", reason, metadata::text collate "C"
            ),
            '[]'::jsonb
        )
        from sampled
    ) as samples
