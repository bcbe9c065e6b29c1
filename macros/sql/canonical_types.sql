{#- Types as a contract spells them, as `format_type` prints them: aliases resolved, modifiers kept.
    Needs a materialized CTE with `data_type`; adds `canonical_type`, null where the type is unknown.
    PostgreSQL 15 has no to_regtypemod, so modifiers go through each type's own input function; the
    CTE has to stay materialized, or the planner would fold a call of the wrong one. -#}
{%- macro canonical_types(cte) -%}
    select
        spelled.*,
        case
            when resolved.type is null
            then null
            when spelled.modifiers is not null and modifier.typmod is null
            then regexp_replace(btrim(spelled.data_type), '\s+', ' ', 'g')
            else format_type(resolved.type, coalesce(modifier.typmod, -1))
        end as canonical_type
    from
        (
            select
                {{ cte }}.*,
                regexp_replace({{ cte }}.data_type, '\s*\([^()]*\)', '') as base_type,
                case
                    when {{ cte }}.data_type ~ '\('
                    then
                        string_to_array(
                            regexp_replace(
                                substring({{ cte }}.data_type from '\(([^()]*)\)'), '\s+', '', 'g'
                            ),
                            ','
                        )
                    when
                        {{ cte }}.data_type
                        ~* '^\s*(char|character|nchar|national char(acter)?|bit)\s*(\[.*)?$'
                    then array['1']
                end as modifiers
            from {{ cte }}
        ) as spelled
    cross join
        lateral(
            select
                to_regtype(
                    case
                        when
                            spelled.modifiers is null
                            or spelled.base_type !~* '^\s*float\s*(\[.*)?$'
                        then spelled.base_type
                        when spelled.modifiers[1]::integer <= 24
                        then regexp_replace(spelled.base_type, 'float', 'real', 'i')
                        else spelled.base_type
                    end
                )::oid as type
        ) as resolved
    left join pg_catalog.pg_type on pg_type.oid = resolved.type
    cross join lateral({{ tidegate.type_modifier() }}) as modifier
{%- endmacro -%}

{#- The typmod of `spelled.modifiers` for a type or the members of an array type. -#}
{%- macro type_modifier() -%}
    select
        case
            when spelled.modifiers is null
            then -1
            else
                case
                    case when pg_type.typcategory = 'A' then pg_type.typelem else pg_type.oid end
                    {%- for type, function in [
                        ("numeric", "numerictypmodin"),
                        ("varchar", "varchartypmodin"),
                        ("bpchar", "bpchartypmodin"),
                        ("bit", "bittypmodin"),
                        ("varbit", "varbittypmodin"),
                        ("timestamp", "timestamptypmodin"),
                        ("timestamptz", "timestamptztypmodin"),
                        ("time", "timetypmodin"),
                        ("timetz", "timetztypmodin"),
                    ] %}
                        when {{ tidegate.literal("pg_catalog." ~ type) }}::regtype
                        then {{ function }} (spelled.modifiers::pg_catalog._cstring)
                    {%- endfor %}
                    when 'pg_catalog.float4'::regtype
                    then -1
                    when 'pg_catalog.float8'::regtype
                    then -1
                end
        end as typmod
{%- endmacro -%}
