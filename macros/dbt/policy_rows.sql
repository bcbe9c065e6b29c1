{#- What a policy finds on a relation, as rows for a dbt test: one for each rule that did not pass,
    with its `level` (block or warn) and its counts, never a value. One scan for all rules, one more
    for uniqueness. `when_empty` says what no rows mean for rules about rows. -#}
{%- macro policy_rows(relation, rules, when_empty) -%}
    {%- set facts = tidegate.policy_facts(relation) -%}
    {%- set sorted = tidegate.sorted_rules(rules, facts) -%}
    with
        scan as materialized(
            {{ tidegate.rule_scan(relation, sorted.scanned, facts.columns, facts.columns) }}
        ),
        keys as materialized(
            {{
                tidegate.rule_unique_scan(
                    relation, sorted.unique, facts.columns, "null::bigint", 0
                )
            }}
        ),
        counted(rule, type, severity, asks_rows, row_count, counts) as (
            {%- for rule in sorted.all %}
                {{ tidegate.policy_row(rule) }}
                {%- if not loop.last %}
                    union all
                {% endif -%}
            {%- endfor %}
        ),
        judged as ({{ tidegate.policy_statuses() }})
    select
        case
            when status = 'error'
            then 'block'
            when status = 'unseen' or severity = 'warning'
            then 'warn'
            when status = 'not_evaluated'
            then {{ tidegate.literal(when_empty) }}
            {%- if when_empty == "warn" %}
                when type = 'row_count' and row_count = 0 then 'warn'
            {%- endif %}
            else 'block'
        end as level,
        rule,
        type,
        severity,
        status,
        violating_rows,
        groups
    from judged
    where
        status <> 'passed'
        {%- if when_empty == "ignore" %} and status <> 'not_evaluated' {%- endif %}
{%- endmacro -%}

{#- What the database says of the judged relation (see `rule_facts`); dbt stops where there is none,
    where `where` of the test has made a query of it, or where rows of it are hidden. -#}
{%- macro policy_facts(relation) -%}
    {%- if relation is string -%}
        {{-
            exceptions.raise_compiler_error(
                "A quality policy judges whole relations: remove `where` from the test "
                ~ model.name
                ~ "."
            )
        -}}
    {%- endif -%}
    {%- set found = run_query(tidegate.rule_facts(relation.schema, relation.identifier)) -%}
    {%- if not found.rows -%}
        {{- exceptions.raise_compiler_error("There is no relation " ~ relation ~ ".") -}}
    {%- endif -%}
    {%- set facts = fromjson(found.rows[0][0]) -%}
    {%- if facts.hides_rows -%}
        {{-
            exceptions.raise_compiler_error(
                tidegate.rule_hidden_rows(relation.schema, relation.identifier)
                ~ " "
                ~ tidegate.rule_hidden_rows_remedy()
            )
        -}}
    {%- endif -%}
    {#- Where a view reads a table that hides rows, the scan is refused instead of being short. -#}
    {%- do run_query("set local row_security to off") -%}
    {{- return(facts) -}}
{%- endmacro -%}

{#- What the counts of each rule mean. -#}
{%- macro policy_statuses() -%}
    select
        rule,
        type,
        severity,
        case
            when counts is null
            then 'error'
            when counts ->> 'unseen' is not null
            then 'unseen'
            when
                coalesce((counts ->> 'violated')::boolean, false)
                or coalesce((counts ->> 'violating_rows')::bigint, 0) > 0
            then 'failed'
            when asks_rows and row_count = 0
            then 'not_evaluated'
            else 'passed'
        end as status,
        coalesce((counts ->> 'violating_rows')::bigint, 0) as violating_rows,
        (counts ->> 'groups')::bigint as groups,
        row_count
    from counted
{%- endmacro -%}

{#- One rule's counts, wherever they come from: the scan, the keys, a constraint, or nowhere. -#}
{%- macro policy_row(rule) -%}
    select
        {{ tidegate.literal(rule.id) }},
        {{ tidegate.literal(rule.rule.type) }},
        {{ tidegate.literal(rule.rule.get("severity", "error")) }},
        {{ "true" if rule.asks_rows else "false" }},
        scan.row_count,
        {{ rule.counts }}
    from scan, keys
{%- endmacro -%}

{#- Rules by how they are judged, and where the counts of each will stand. A reference rule needs a
    frozen materialization, which only the harness has: here it is unseen, which warns. -#}
{%- macro sorted_rules(rules, facts) -%}
    {%- set sorted = {"scanned": [], "unique": [], "all": []} -%}
    {%- for rule in rules -%}
        {%- if rule.type == "reference" -%}
            {%- set counts = "jsonb_build_object('unseen', true)" -%}
        {%- elif not tidegate.rule_applies(rule, facts.columns) -%}
            {%- set counts = "null::jsonb" -%}
        {%- elif tidegate.rule_proved(rule, facts) -%}
            {%- set counts = "jsonb_build_object('violating_rows', 0)" -%}
        {%- elif rule.type == "unique" -%}
            {%- set counts = "keys.r" ~ (sorted.unique | length) -%}
            {%- do sorted.unique.append(rule) -%}
        {%- else -%}
            {%- set counts = "scan.r" ~ (sorted.scanned | length) -%}
            {%- do sorted.scanned.append(rule) -%}
        {%- endif -%}
        {%- do sorted["all"].append(
            {
                "id": rule.get("id", rule.type),
                "rule": rule,
                "asks_rows": rule.type not in ("row_count", "required_fields", "field")
                or (rule.type == "field" and rule.get("nullable") is sameas false),
                "counts": counts,
            }
        ) -%}
    {%- endfor -%}
    {{- return(sorted) -}}
{%- endmacro -%}
