{#- The words of a text that tell it from others, as an array: without what arms, measures and readers
    of a registry are called ("the primary endpoint" tells nothing). A number is one word with its
    unit, so that "3 mg" shares nothing with "every 3 weeks"; a bare number is a word of its own. -#}
{%- macro telling_words(value) -%}
    array(
        select distinct regexp_replace(found.word[1], '[[:space:]]+', '', 'g')
        from
            regexp_matches(
                lower({{ value }}), {{ tidegate.literal(tidegate.word_pattern()) }}, 'g'
            ) as found(word)
        where found.word[1] <> all({{ tidegate.text_array(tidegate.idle_words()) }})
    )
{%- endmacro -%}

{#- A number with what it is a number of, a bare number, or a word; of what begins at one place the longest. -#}
{%- macro word_pattern() -%}
    {%- set number = "[0-9]+(?:[.,][0-9]+)?" -%}
    {%- set units = "mg|g|kg|µg|mcg|ug|ng|ml|l|iu|weeks?|days?|months?|years?|hours?|cycles?|doses?" -%}
    {%- set unit = "(?:%|(?:" ~ units ~ ")\\M(?:/(?:kg|m2|m²|ml|day|week)\\M)?)" -%}
    {{- return("(" ~ number ~ "[[:space:]]*" ~ unit ~ "|" ~ number ~ "|[[:alnum:]]+)") -}}
{%- endmacro -%}

{#- Words that nearly every label or title has. -#}
{%- macro idle_words() -%}
    {{-
        return(
            [
                "a", "all", "an", "and", "arm", "at", "b", "by", "c", "cohort", "d", "e", "endpoint",
                "endpoints", "for", "from", "group", "in", "measure", "of", "on", "or", "outcome",
                "outcomes", "part", "participants", "patients", "plus", "primary", "secondary",
                "subjects", "the", "to", "treatment", "with",
            ]
        )
    -}}
{%- endmacro -%}

{#- How alike two arrays of words are, between 0 and 1: twice what they share over all they have.
    Nothing where both have numbers and neither has all of the other's: 50 % is not 75 %. -#}
{%- macro word_likeness(left_words, right_words) -%}
    case
        when
            {{ tidegate.numbers_of(left_words) }} <@ {{ tidegate.numbers_of(right_words) }}
            or {{ tidegate.numbers_of(right_words) }} <@ {{ tidegate.numbers_of(left_words) }}
        then
            2.0 * cardinality(
                array(
                    select word
                    from unnest({{ left_words }}) as word
                    where word = any({{ right_words }})
                )
            )
            / nullif(cardinality({{ left_words }}) + cardinality({{ right_words }}), 0)
        else 0
    end
{%- endmacro -%}

{#- The words of an array that begin with a digit. -#}
{%- macro numbers_of(words) -%}
    array(select number from unnest({{ words }}) as number where number ~ '^[0-9]')
{%- endmacro -%}
