{#- A publication is one record: no two that are not marked share DOI, PMID or conference id, or the
    title where one has neither DOI nor PMID. Counted twice (both have results) it blocks, else it
    warns. Relation `outcomes`: results; `indexed` (the contract names it): papers that must be there. -#}
{%- macro publication_corpus_identity(gate) -%}
    {{ tidegate.gate_rows(gate, {
        "publication_key": "text", "pmid": "text", "doi": "text", "conference_id": "text",
        "title_hash": "text", "publication_kind": "text", "duplicate_of_publication_key": "text",
    }) }}
    {{ tidegate.gate_relation(gate, "outcomes", {"publication_key": "text"}) }}
    {{ tidegate.gate_relation(gate, "indexed", {"pmid": "text", "is_target_slice": "boolean"}) }},
    records as (
        select
            judged.*,
            nullif(
                regexp_replace(
                    lower(btrim(judged.doi)), '^(https?://(dx[.])?doi[.]org/|doi:\s*)', ''
                ),
                ''
            ) as plain_doi,
            exists (
                select 1 from outcomes where outcomes.publication_key = judged.publication_key
            ) as has_results
        from judged
    ),
    identified as ({{ tidegate.corpus_identity_duplicates() }})
    {{ tidegate.gate_not_evaluated(gate) }}
    {{ tidegate.gate_findings(
        tidegate.corpus_identity_findings(), tidegate.corpus_identity_metadata(gate), "identified"
    ) }}
    {{ tidegate.corpus_identity_missing() }}
{%- endmacro -%}

{%- macro corpus_identity_findings() -%}
    {%- set unmarked = "judged.same is not null and judged.duplicate_of_publication_key is null" -%}
    values
        ({{ unmarked }} and judged.has_results, 'block', 'publication_duplicated'),
        ({{ unmarked }} and not judged.has_results, 'warn', 'publication_duplicated'),
        (
            judged.duplicate_of_publication_key is not null and judged.has_results,
            'block',
            'duplicate_has_results'
        ),
        (
            judged.duplicate_of_publication_key is not null
            and not exists (
                select 1
                from judged as original
                where
                    original.publication_key = judged.duplicate_of_publication_key
                    and original.duplicate_of_publication_key is null
            ),
            'block',
            'original_missing'
        )
{%- endmacro -%}

{%- macro corpus_identity_metadata(gate) -%}
    {{ tidegate.gate_metadata(gate, ["doi", "pmid", "conference_id", "title_hash", "publication_kind", "duplicate_of_publication_key"]) }}
    || jsonb_build_object(
        'taxonomy_id', 'pub_corpus_identity_uniqueness', 'classified_by', judged.same
    )
{%- endmacro -%}

{#- Papers that an index lists and the corpus lacks. -#}
{%- macro corpus_identity_missing() -%}
    union all
    select
        indexed.pmid,
        found.level,
        found.reason,
        jsonb_build_object('taxonomy_id', 'pub_corpus_identity_uniqueness', 'classified_by', 'pmid')
    from indexed
    cross join
        lateral(
            values
                (indexed.is_target_slice is true, 'block', 'publication_missing'),
                (indexed.is_target_slice is not true, 'warn', 'publication_missing')
        ) as found(applies, level, reason)
    where found.applies and not exists (select 1 from judged where judged.pmid = indexed.pmid)
{%- endmacro -%}

{%- macro publication_corpus_identity_arguments() -%}
    {{- {"relations": {"outcomes": "q_publication_outcomes", "indexed": none}, "columns": {}, "options": {}} | tojson -}}
{%- endmacro -%}

{#- Records, and by what each is the same as one that comes before it. -#}
{%- macro corpus_identity_duplicates() -%}
    select
        records.*,
        case
            when records.plain_doi is not null and row_number() over by_doi > 1
            then 'doi'
            when records.pmid is not null and row_number() over by_pmid > 1
            then 'pmid'
            when records.conference_id is not null and row_number() over by_conference > 1
            then 'conference_id'
            when
                records.title_hash is not null
                and num_nonnulls(records.plain_doi, records.pmid) = 0
                and row_number() over by_title > 1
            then 'title_hash'
        end as same
    from records
    window
        by_doi as (
            partition by records.plain_doi, records.duplicate_of_publication_key is null
            order by records.publication_key
        ),
        by_pmid as (
            partition by records.pmid, records.duplicate_of_publication_key is null
            order by records.publication_key
        ),
        by_conference as (
            partition by records.conference_id, records.duplicate_of_publication_key is null
            order by records.publication_key
        ),
        by_title as (
            partition by records.title_hash, records.duplicate_of_publication_key is null
            order by num_nonnulls(records.plain_doi, records.pmid) = 0, records.publication_key
        )
{%- endmacro -%}
