-- Publications; of two records of one publication, the one with the better identity stands for
-- both.
with
    publications as (select * from {{ ref("stg_pubmed__publications") }}),

    -- The same DOI, or the same title where one of the two has no DOI.
    pairs as (
        select distinct
            on (later.publication_key)
            later.publication_key,
            earlier.publication_key as duplicate_of_publication_key
        from publications as later
        inner join
            publications as earlier
            on earlier.publication_key <> later.publication_key
            and (
                earlier.doi = later.doi
                or (earlier.title_hash = later.title_hash and later.doi is null)
            )
            and (earlier.pmid is null, earlier.doi is null, earlier.publication_key)
            < (later.pmid is null, later.doi is null, later.publication_key)
        order by
            later.publication_key,
            earlier.pmid is null,
            earlier.doi is null,
            earlier.publication_key
    ),

    final as (
        select
            publications.publication_key,
            publications.pmid,
            publications.doi,
            publications.pmcid,
            publications.conference_id,
            publications.title,
            publications.title_hash::character(64) as title_hash,
            publications.venue,
            publications.publication_date,
            publications.publication_date_precision,
            publications.publication_kind,
            publications.text_coverage,
            pairs.duplicate_of_publication_key,
            publications.identity_basis,
            publications.source_version_id,
            publications.is_retracted,
            {{ tidegate.publication_tail("publications.publication_key") }}
        from publications
        left join pairs on pairs.publication_key = publications.publication_key
    )

select *
from final
