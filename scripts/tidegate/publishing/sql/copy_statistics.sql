-- What the planner knows of the tables of a generation, as what it knows of their serving parents:
-- a join through a stable view is estimated by the parent, which nobody analyses.
-- Parameters: %(source)s schema of the generation, %(models)s its tables, %(target)s schema of the
-- parents, %(parents)s their names in the same order. Needs PostgreSQL 18.
select count(*) filter (
    where not pg_catalog.pg_restore_attribute_stats(
        'schemaname', %(target)s::text,
        'relname', pairs.parent,
        'attname', known.attname::text,
        'inherited', true,
        'version', pg_catalog.current_setting('server_version_num')::integer,
        'null_frac', known.null_frac,
        'avg_width', known.avg_width,
        'n_distinct', known.n_distinct,
        'most_common_vals', known.most_common_vals::text,
        'most_common_freqs', known.most_common_freqs,
        'histogram_bounds', known.histogram_bounds::text,
        'correlation', known.correlation,
        'most_common_elems', known.most_common_elems::text,
        'most_common_elem_freqs', known.most_common_elem_freqs,
        'elem_count_histogram', known.elem_count_histogram
    )
)
from unnest(%(models)s::text[], %(parents)s::text[]) as pairs (model, parent)
inner join pg_catalog.pg_stats as known
    on known.schemaname = %(source)s
    and known.tablename = pairs.model
    and not known.inherited
    and known.attname <> '_generation'
