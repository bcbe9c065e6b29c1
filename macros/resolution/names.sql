{#- Candidates by name, of the subjects of the common table `subjects`: an entry of the spine that has
    exactly this name, its own or a curated one; of a phrase that is no name itself also the entries
    whose names it begins with (`cross_reference`: two names of one entry, "Overall Survival (OS) …"),
    holds as whole words, or resembles. The last two are for verifiers and curators alone. -#}
{%- macro named_candidates(names) -%}
    with
        exactly as (
            select
                subjects.subject_kind,
                subjects.subject_key,
                names.owner_key as target_key,
                names.match_method,
                1.0 as match_score
            from subjects
            inner join
                {{ names }} as names
                on names.spine = subjects.spine
                and names.normalized_name = {{ tidegate.normalized_name("subjects.source_term") }}
        ),

        {{ tidegate.names_within_phrases(names) }},

        read as (
            {{ tidegate.names_said() }}
            union all
            {{ tidegate.similar_names(names) }}
        )

    select exactly.*
    from exactly
    union all
    (
        select distinct
            on (phrases.subject_kind, phrases.subject_key, read.target_key)
            phrases.subject_kind,
            phrases.subject_key,
            read.target_key,
            read.match_method,
            read.match_score
        from phrases
        inner join read on read.spine = phrases.spine and read.phrase = phrases.phrase
        order by phrases.subject_kind, phrases.subject_key, read.target_key, read.match_score desc
    )
{%- endmacro -%}

{#- Common tables: the subjects that are phrases and no name (`phrases`), and the names that stand in them as
    whole words (`held`), looked up by their first word and not tried one by one. -#}
{%- macro names_within_phrases(names) -%}
    phrases as (
        select
            subjects.subject_kind,
            subjects.subject_key,
            subjects.spine,
            subjects.source_term,
            {{ tidegate.normalized_name("subjects.source_term") }} as phrase
        from subjects
        where
            subjects.is_phrase
            and not exists (
                select
                from exactly
                where
                    exactly.subject_kind = subjects.subject_kind
                    and exactly.subject_key = subjects.subject_key
            )
    ),

    held as (
        select distinct
            phrases.spine, phrases.phrase, names.owner_key, names.normalized_name as name
        from phrases
        cross join lateral regexp_split_to_table(phrases.phrase, ' ') as spoken(word)
        inner join
            {{ names }} as names
            on names.spine = phrases.spine
            and split_part(names.normalized_name, ' ', 1) = spoken.word
        where {{ tidegate.holds_words("phrases.phrase", "names.normalized_name") }}
    )
{%- endmacro -%}

{#- Whether a normalized text holds another one as whole words. -#}
{%- macro holds_words(text, words) -%}
    position(' ' || {{ words }} || ' ' in ' ' || {{ text }} || ' ') > 0
{%- endmacro -%}

{#- What a phrase says by the names that it holds. Two names of one entry at its beginning tell which it
    is; one name is a hint. A word of two letters ("per os") is not even that, and a name inside a
    longer one is not said: "squamous lung cancer" does not say "lung cancer". -#}
{%- macro names_said() -%}
    select
        held.spine,
        held.phrase,
        held.owner_key as target_key,
        'cross_reference' as match_method,
        1.0 as match_score
    from held
    inner join
        held as again
        on again.spine = held.spine
        and again.phrase = held.phrase
        and again.owner_key = held.owner_key
    where starts_with(held.phrase || ' ', held.name || ' ' || again.name || ' ')
    union all
    select held.spine, held.phrase, held.owner_key, 'fuzzy_string', 0.95
    from held
    where
        length(held.name) > 2
        and not exists (
            select
            from held as longer
            where
                longer.spine = held.spine
                and longer.phrase = held.phrase
                and longer.name <> held.name
                and {{ tidegate.holds_words("longer.name", "held.name") }}
        )
{%- endmacro -%}

{#- Entries with a name that shares most of its telling words with a phrase which holds no name. -#}
{%- macro similar_names(names) -%}
    select
        pairs.spine,
        pairs.phrase,
        pairs.owner_key,
        'fuzzy_string',
        0.9 * {{ tidegate.word_likeness("pairs.said", "pairs.known") }}
    from
        (
            select distinct
                said.spine, said.phrase, names.owner_key, said.words as said, names.words as known
            from
                (
                    select
                        phrases.spine,
                        phrases.phrase,
                        {{ tidegate.telling_words("min(phrases.source_term)") }} as words
                    from phrases
                    where
                        not exists (
                            select
                            from held
                            where
                                held.spine = phrases.spine
                                and held.phrase = phrases.phrase
                                and length(held.name) > 2
                        )
                    group by phrases.spine, phrases.phrase
                ) as said
            cross join lateral unnest(said.words) as spoken(word)
            inner join
                (
                    select known.spine, known.owner_key, known.words, unnest(known.words) as word
                    from
                        (
                            select
                                named.spine,
                                named.owner_key,
                                {{ tidegate.telling_words("named.name") }} as words
                            from {{ names }} as named
                        ) as known
                ) as names
                on names.spine = said.spine
                and names.word = spoken.word
        ) as pairs
    where {{ tidegate.word_likeness("pairs.said", "pairs.known") }} >= 0.75
{%- endmacro -%}
