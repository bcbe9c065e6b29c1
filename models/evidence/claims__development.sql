-- What a list tells of milestones, and when the registry says that a phase began. The registry's
-- statuses and the regulator's decisions are claims of their own slices.
{%- set told_of = {"type": "development_milestone", "key": "staged.milestone_key"} %}
with
    told as (select * from {{ ref("stg_development__milestones") }}),

    phases as (select * from {{ ref("int_development_trial_milestones") }} where axis = 'phase'),

    claims as (
        {{
            tidegate.claim_rows(
                [
                    dict(
                        told_of,
                        relation="told",
                        fact="milestone_type",
                        text="staged.source_milestone_type",
                        family="'reference_list'",
                        tier="staged.source_authority_tier",
                        parser="development/1",
                        shape="csv_cell",
                        locator="jsonb_build_object('row', staged.record_number, 'column', 'milestone_type')",
                        native="'development_milestones'",
                        version="'sha256:' || staged.content_sha256",
                        semantics="'weak'",
                        observed="staged.observed_at"
                    ),
                    dict(
                        told_of,
                        relation="phases",
                        fact="milestone_type",
                        text="staged.milestone_type",
                        family="'ctgov_v2'",
                        tier="staged.source_authority_tier",
                        parser="ctgov/1",
                        shape="json_pointer",
                        locator="jsonb_build_object('record', staged.record_number, 'pointer', staged.pointer)",
                        native="substr(staged.source_trial_key, length('trial:') + 1)",
                        version="staged.source_version_id",
                        semantics="'strong'",
                        observed="staged.observed_at"
                    ),
                ]
            )
        }}
    )

select *
from claims
