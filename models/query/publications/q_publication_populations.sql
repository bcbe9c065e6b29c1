-- Populations as written, each with the number that was stated for it and no other.
with
    populations as (select * from {{ ref("stg_pubmed__populations") }}),

    names as (select * from {{ ref("int_spine_names") }}),

    final as (
        select
            populations.publication_population_key,
            populations.publication_key,
            populations.population_label,
            populations.population_kind,
            populations.parent_population_key,
            names.owner_key as segment_key,
            populations.n_total,
            populations.n_basis,
            populations.source_quote,
            {{ tidegate.publication_tail("populations.publication_population_key") }}
        from populations
        left join
            names
            on names.spine = 'segment'
            and names.normalized_name = {{ tidegate.normalized_name("populations.condition_text") }}
    )

select *
from final
