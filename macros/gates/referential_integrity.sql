{#- Every reference of a row has to be a key of its owner model. Nulls are unresolved keys and pass;
    they warn where the contract expects one. `relation`: a relation or a subquery with an alias, as
    SQL. `references`: mappings of columns, owner, owner_relation (SQL, none where there is none),
    owner_columns, array (the last column holds keys), expected, deferred, owner_state. -#}
{%- macro referential_integrity(
    relation, subject, row_key, references, where=none, when_empty="block"
) -%}
    with
        checked as not materialized(
            select *
            from {{ tidegate.looked_at(relation) }}
            {%- if where %} where ({{ where }}) {%- endif %}
        )
        {%- for reference in references %}
            ,
            reference_{{ loop.index }} as not materialized(
                {{ tidegate.reference_members(reference, row_key) }}
            )
        {%- endfor %}
        {{ tidegate.not_evaluated("checked", subject, when_empty) }}
    {%- for reference in references %}
        union all
        {{ tidegate.reference_violations(reference, "reference_" ~ loop.index) }}
    {%- endfor %}
{%- endmacro -%}

{#- One line for each key that a row refers to; `present` is false where a part of it is null. -#}
{%- macro reference_members(reference, row_key) -%}
    {%- set columns = reference.columns -%}
    select
        {{ tidegate.row_key(row_key, "child") }} as row_key
        {%- for column in columns %}
            ,
            {% if reference.array and loop.last %} member.key
            {%- else %} child.{{ tidegate.identifier(column) }}
            {%- endif %} as part_{{ loop.index }}
        {%- endfor %}
    from checked as child
    {%- if reference.array %}
        left join
            lateral unnest(child.{{ tidegate.identifier(columns[-1]) }}) as member(key) on true
    {%- endif %}
{%- endmacro -%}

{%- macro reference_violations(reference, cte) -%}
    {%- set present = [] -%}
    {%- set matches = [] -%}
    {%- for column in reference.columns -%}
        {%- set _ = present.append("child.part_" ~ loop.index ~ " is not null") -%}
        {%- if reference.owner_columns -%}
            {%- set owner_key = tidegate.identifier(reference.owner_columns[loop.index0]) -%}
            {%- set _ = matches.append("owner." ~ owner_key ~ " = child.part_" ~ loop.index) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set present = present | join(" and ") -%}
    {%- set matches = matches | join(" and ") -%}
    {%- set about = tidegate.reference_metadata(reference) -%}
    {%- if reference.deferred or not reference.owner_relation -%}
        select
            {{ tidegate.literal(reference.columns | join("|")) }}::text as row_key,
            {{ tidegate.literal("warn" if reference.deferred else "block") }}::text as level,
            {{ tidegate.literal("owner_deferred" if reference.deferred else "owner_missing") }}
            ::text as reason,
            {{ about }} || jsonb_build_object(
                'unchecked_keys', (select count(*) from {{ cte }} as child where {{ present }})
            ) as metadata
    {%- else -%}
        select
            child.row_key,
            'block'::text as level,
            'key_dangling'::text as reason,
            {{ about }} || jsonb_build_object(
                'owner_empty', not exists (select 1 from {{ reference.owner_relation }} as owner)
            ) as metadata
        from {{ cte }} as child
        where
            {{ present }}
            and not exists (
                select 1 from {{ reference.owner_relation }} as owner where {{ matches }}
            )
        {%- if reference.expected %}
            union all
            select child.row_key, 'warn'::text, 'key_absent'::text, {{ about }}
            from {{ cte }} as child
            where not ({{ present }})
        {%- endif %}
        {%- if reference.owner_state %}
            union all
            select child.row_key, 'warn'::text, 'owner_' || owner.publication_state, {{ about }}
            from {{ cte }} as child
            inner join {{ reference.owner_relation }} as owner on {{ matches }}
            where owner.publication_state in ('provisional', 'superseded')
        {%- endif %}
    {%- endif -%}
{%- endmacro -%}

{%- macro reference_metadata(reference) -%}
    jsonb_build_object(
        'columns',
        {{ tidegate.text_array(reference.columns) }},
        'owner',
        {{ tidegate.literal(reference.owner) }}::text,
        'owner_columns',
        {{ tidegate.text_array(reference.owner_columns) }}
    )
{%- endmacro -%}
