-- For each dataset, the files whose last run could not be received, stored or parsed, each with
-- whether no other file came after it: what the gates that judge deliveries (`delivery_runs` in
-- macros/gates) find there. No row for a dataset without such a file.
-- Columns: dataset, state.
with last_of_file as (
    select distinct on (runs.dataset, runs.source_name)
        runs.dataset,
        runs.run_id,
        runs.halted_in
    from governance.runs as runs
    where runs.origin = 'delivery' and (runs.finished_at is not null or runs.status = 'parked')
    order by runs.dataset, runs.source_name, runs.run_id desc
),

newest as (
    select
        last_of_file.*,
        last_of_file.run_id = max(last_of_file.run_id) over (partition by last_of_file.dataset)
            as is_newest
    from last_of_file
)

select
    newest.dataset,
    string_agg(
        newest.run_id || case when newest.is_newest then ' newest' else '' end,
        ', '
        order by newest.run_id
    ) as state
from newest
where newest.halted_in in ('receipt', 'landing', 'parsing')
group by newest.dataset
