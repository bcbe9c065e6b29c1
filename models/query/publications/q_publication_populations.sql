-- Populations as written, each with the number that was stated for it and no other.
with
    populations as (select * from {{ ref("stg_pubmed__populations") }}),

    segments as (
        select *
        from {{ ref("links__publications") }}
        where subject_kind = 'publication_segment' and publishable
    ),

    final as (
        select
            populations.publication_population_key,
            populations.publication_key,
            populations.population_label,
            populations.population_kind,
            populations.parent_population_key,
            segments.target_key as segment_key,
            populations.n_total,
            populations.n_basis,
            populations.source_quote,
            {{ tidegate.publication_tail("populations.publication_population_key") }}
        from populations
        left join segments on segments.subject_key = populations.publication_population_key
    )

select *
from final
