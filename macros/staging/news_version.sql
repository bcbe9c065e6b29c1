{#- The version of an article: its publisher's number, or the moment of publication where it has none. -#}
{%- macro news_version(landed) -%}
    coalesce(
        {{ landed }}.revision,
        to_char({{ landed }}.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')
    )
{%- endmacro -%}

{#- What that version is worth. -#}
{%- macro news_version_semantics(landed) -%}
    case when {{ landed }}.revision is null then 'weak' else 'strong' end
{%- endmacro -%}
