-- Every posted value: outcome measure by class by category by group.
with
    measures as (select * from {{ ref("stg_ctgov__outcome_measures") }}),

    groups as (select * from {{ ref("stg_ctgov__result_groups") }}),

    classes as (
        select
            measures.*,
            outcome_class.document as class_document,
            outcome_class.position as class_position,
            measures.pointer || '/classes/' || (outcome_class.position - 1) as class_pointer
        from measures
        cross join lateral {{ tidegate.json_elements("measures.document", "classes") }}
        with ordinality as outcome_class(document, position)
    ),

    categories as (
        select
            classes.*,
            category.document as category_document,
            category.position as category_position,
            classes.class_pointer || '/categories/' || (category.position - 1) as category_pointer
        from classes
        cross join lateral {{ tidegate.json_elements("classes.class_document", "categories") }}
        with ordinality as category(document, position)
    ),

    measurements as (
        select
            categories.*,
            measurement.document as value_document,
            {{ tidegate.json_text("measurement.document", "groupId") }} as group_code,
            {{ tidegate.json_text("measurement.document", "value") }} as value_text,
            {{ tidegate.json_text("measurement.document", "spread") }} as spread_text,
            {{ tidegate.json_text("measurement.document", "lowerLimit") }} as lower_text,
            {{ tidegate.json_text("measurement.document", "upperLimit") }} as upper_text,
            categories.category_pointer
            || '/measurements/'
            || (measurement.position - 1) as value_pointer
        from categories
        cross join
            lateral {{ tidegate.json_elements("categories.category_document", "measurements") }}
        with ordinality as measurement(document, position)
    ),

    keyed as (
        select
            measurements.*,
            {{ tidegate.result_group_key("measurements.nct_id", "'Outcome'", "measurements.group_code", "measurements.outcome_ordinal") }}
            as result_group_key,
            {{ tidegate.json_text("measurements.class_document", "title") }} as class_title,
            {{ tidegate.json_text("measurements.category_document", "title") }} as category_title
        from measurements
    ),

    -- A class may post its own denominators; else its title may ("(n=42,39)", one number for each
    -- group in order); else those of the measure hold.
    denominated as (
        select
            keyed.*,
            {{ tidegate.posted_denominator("keyed.class_document", "keyed.group_code") }}
            as class_denominator,
            {{ tidegate.posted_denominator("keyed.document", "keyed.group_code") }}
            as measure_denominator,
            string_to_array(
                substring(keyed.class_title from '[(] *[nN] *= *([0-9]+( *, *[0-9]+)*) *[)]'), ','
            ) as title_counts,
            (
                select count(*) from {{ tidegate.json_elements("keyed.document", "groups") }}
            ) as group_count,
            groups.group_position
        from keyed
        left join groups on groups.result_group_key = keyed.result_group_key
    ),

    scoped as (
        select
            denominated.*,
            case
                when denominated.class_denominator is not null
                then 'class'
                when cardinality(denominated.title_counts) = denominated.group_count
                then 'title_text'
                when denominated.measure_denominator is not null
                then 'measure'
                else 'not_posted'
            end as denominator_scope,
            btrim(denominated.title_counts[denominated.group_position]) as title_denominator
        from denominated
    ),

    final as (
        select
            'outcome:'
            || scoped.nct_id
            || ':'
            || scoped.outcome_ordinal
            || ':'
            || scoped.class_position
            || ':'
            || scoped.category_position
            || ':'
            || scoped.group_code as trial_outcome_key,
            scoped.trial_key,
            scoped.result_group_key,
            scoped.outcome_ordinal,
            scoped.source_outcome_type,
            {{ tidegate.mapped("scoped.source_outcome_type", "q_trial_outcomes", "outcome_type") }}
            as outcome_type,
            scoped.outcome_title,
            scoped.time_frame,
            scoped.population_description,
            scoped.class_title,
            scoped.category_title,
            scoped.source_param_type,
            {{ tidegate.mapped("scoped.source_param_type", "q_trial_outcomes", "param_type") }}
            as param_type,
            scoped.value_text,
            {{ tidegate.to_number("scoped.value_text") }} as value_num,
            case
                when {{ tidegate.to_number("scoped.value_text") }} is null
                then 'not_available'
                else 'reported'
            end as value_state,
            case
                when {{ tidegate.to_number("scoped.value_text") }} is null
                then {{ tidegate.json_text("scoped.value_document", "comment") }}
            end as explanation_of_na,
            scoped.unit_of_measure,
            scoped.dispersion_type,
            {{ tidegate.to_number("scoped.spread_text") }} as dispersion_value,
            {{ tidegate.to_number("scoped.lower_text") }} as dispersion_lower,
            {{ tidegate.to_number("scoped.upper_text") }} as dispersion_upper,
            {{ tidegate.json_text("scoped.document", "denoms/0/units") }} as denominator_units,
            case
                scoped.denominator_scope
                when 'class'
                then {{ tidegate.to_integer("scoped.class_denominator") }}
                when 'title_text'
                then {{ tidegate.to_integer("scoped.title_denominator") }}
                when 'measure'
                then {{ tidegate.to_integer("scoped.measure_denominator") }}
            end as denominator_count,
            scoped.denominator_scope,
            scoped.source_artifact_key,
            scoped.content_sha256,
            scoped.immutable_uri,
            scoped.value_pointer as pointer
        from scoped
        where scoped.group_code is not null
    )

select *
from final
