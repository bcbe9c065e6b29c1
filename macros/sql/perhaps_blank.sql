{#- Whether a text may be null or blank: true of every one that is, and of few others. Text that begins
    with more than a space is not blank, which is seen sooner than what trimming it leaves. -#}
{%- macro perhaps_blank(value) -%} (({{ value }} >= '!' collate "C") is not true) {%- endmacro -%}
