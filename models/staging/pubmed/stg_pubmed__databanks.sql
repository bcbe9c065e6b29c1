-- Registry numbers that the index gives for each publication.
with
    parts as ({{ tidegate.publication_parts(ref("stg_pubmed__publications"), "dataBanks") }}),

    final as (select parts.*, nullif(btrim(parts.part #>> '{}'), '') as registry_number from parts)

select *
from final
where final.registry_number is not null
