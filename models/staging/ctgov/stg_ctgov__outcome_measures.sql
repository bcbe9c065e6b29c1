-- The outcome measures that each trial posted.
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    final as (
        select
            studies.trial_key,
            studies.nct_id,
            studies.source_artifact_key,
            studies.content_sha256,
            studies.immutable_uri,
            measure.position::integer as outcome_ordinal,
            {{ tidegate.json_text("measure.document", "type") }} as source_outcome_type,
            {{ tidegate.json_text("measure.document", "title") }} as outcome_title,
            {{ tidegate.json_text("measure.document", "timeFrame") }} as time_frame,
            {{ tidegate.json_text("measure.document", "populationDescription") }}
            as population_description,
            {{ tidegate.json_text("measure.document", "paramType") }} as source_param_type,
            {{ tidegate.json_text("measure.document", "dispersionType") }} as dispersion_type,
            {{ tidegate.json_text("measure.document", "unitOfMeasure") }} as unit_of_measure,
            measure.document,
            '/resultsSection/outcomeMeasuresModule/outcomeMeasures/'
            || (measure.position - 1) as pointer
        from studies
        cross join
            lateral {{ tidegate.json_elements("studies.outcome_measures", "outcomeMeasures") }}
        with ordinality as measure(document, position)
    )

select *
from final
