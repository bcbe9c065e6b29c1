-- Every stored artefact that is served from, of all slices; one that was delivered for several is
-- one.
with
    gathered as (
        {%- for slice in tidegate.artifact_slices() %}
            select *
            from {{ ref("source_artifacts__" ~ slice) }}
            {% if not loop.last %}
                union all
            {% endif %}
        {%- endfor %}
    ),

    final as (
        select distinct on (gathered.source_artifact_key) gathered.*
        from gathered
        order by gathered.source_artifact_key, gathered.fetched_at desc
    )

select *
from final
