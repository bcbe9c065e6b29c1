-- Links that rows of development programs rest on: of their own lists, and of the slices whose
-- values
-- are evidence.
{%- for slice, kinds in [
    ("development", ["development_drug", "development_segment", "org_alias"]),
    ("clinical_trials", ["trial_endpoint", "trial_arm_link"]),
    ("publications", ["publication_endpoint"]),
    ("news", ["publication_endpoint"]),
] %}
    select links.link_key, links.subject_kind, links.subject_key, links.attempt_id
    from {{ ref("links__" ~ slice) }} as links
    where links.subject_kind = any({{ tidegate.text_array(kinds) }})
    {% if not loop.last %}
        union all
    {% endif %}
{%- endfor %}
