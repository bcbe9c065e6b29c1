-- Translations of what labels say in another language than English. One whose translator is not
-- named counts as a machine's.
with
    claims as (select * from {{ ref("claims__approvals") }}),

    indications as (select * from {{ ref("stg_labels__indications") }}),

    final as (
        select
            'translation:' || claims.claim_id || ':en' as translation_key,
            claims.claim_id,
            indications.original_language_code::character(2) as source_language,
            'en'::character(2) as target_language,
            indications.original_language_text as original_text,
            indications.translated_text,
            indications.translation_version,
            indications.translator_kind
        from claims
        inner join indications on indications.approval_indication_key = claims.subject_key
        where
            claims.claim_type = 'approved_indication_text'
            and indications.original_language_code <> 'en'
            and indications.translated_text is not null
    )

select *
from final
