-- English is published as it stands; a text in another language has a versioned translation.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "approvals"}}) }}
with indications as (select * from {{ ref("q_approval_indications") }})

select
    indications.approval_indication_key as row_key,
    'block' as level,
    case
        when indications.original_language_code <> 'en'
        then 'translation_without_version'
        when indications.translation_version is not null
        then 'version_without_translation'
        else 'english_text_changed'
    end as reason,
    '{}'::jsonb as metadata
from indications
where
    (indications.original_language_code <> 'en' and indications.translation_version is null)
    or (
        indications.original_language_code = 'en'
        and (
            indications.translation_version is not null
            or indications.indication_text <> indications.original_language_text
        )
    )
