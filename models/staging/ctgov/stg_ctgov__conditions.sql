-- The conditions and keywords of each trial, and the MeSH terms that the registry derived.
with
    studies as (select * from {{ ref("stg_ctgov__studies") }}),

    terms as (
        {%- for term_source, module, path, name, identifier in [
            ("sponsor", "conditions", "/protocolSection/conditionsModule/conditions/", "", none),
            ("keyword", "conditions", "/protocolSection/conditionsModule/keywords/", "", none),
            ("mesh-list", "condition_browse", "/derivedSection/conditionBrowseModule/meshes/", "term", "id"),
            ("mesh-ancestor", "condition_browse", "/derivedSection/conditionBrowseModule/ancestors/", "term", "id"),
        ] %}
            select
                studies.trial_key,
                studies.nct_id,
                {{ tidegate.literal(term_source) }} as term_source,
                {{ tidegate.json_text("term.document", name) }} as condition_name,
                {% if identifier %} {{ tidegate.json_text("term.document", identifier) }}
                {% else %} null::text
                {% endif %} as mesh_id,
                term.position,
                {{ tidegate.literal(path) }} || (term.position - 1) as pointer
            from studies
            cross join lateral {{ tidegate.json_elements("studies." ~ module, path.split("/")[3]) }}
            with ordinality as term(document, position)
            {% if not loop.last %}
                union all
            {% endif %}
        {%- endfor %}
    ),

    final as (
        select distinct
            on (terms.trial_key, terms.term_source, terms.condition_name)
            'condition:'
            || terms.nct_id
            || ':'
            || terms.term_source
            || ':'
            || terms.condition_name as trial_condition_key,
            terms.trial_key,
            terms.condition_name,
            terms.term_source,
            -- The registry pads MeSH identifiers to nine digits; MeSH itself writes older ones
            -- with six.
            regexp_replace(terms.mesh_id, '^D000([0-9]{6})$', 'D\1') as mesh_ui,
            terms.pointer
        from terms
        where terms.condition_name is not null
        order by terms.trial_key, terms.term_source, terms.condition_name, terms.position
    )

select *
from final
