-- Ledger version 0013: further subjects of links that curators decide about: the country of a site, the
-- endpoint of a registered measure, the segments of published populations and of indications.
-- The closed vocabulary is an enum in tidegate.ledger.curation_words as well; a test compares them.

alter table curation.overlays
    drop constraint overlays_subject_kind_check,
    add constraint overlays_subject_kind_check check (subject_kind in (
        'trial_arm_link', 'trial_intervention_drug', 'trial_condition_segment', 'trial_sponsor_org',
        'trial_country', 'trial_endpoint', 'publication_trial_link', 'publication_endpoint',
        'publication_intervention', 'publication_segment', 'approval_drug', 'approval_segment',
        'org_alias', 'product_drug', 'news_subject', 'assertion', 'published_row'
    )),
    drop constraint overlays_low_impact_kinds,
    add constraint overlays_low_impact_kinds check (
        impact = 'high' or overlay_kind = 'marker' or subject_kind in (
            'trial_condition_segment', 'trial_sponsor_org', 'trial_country', 'publication_segment',
            'org_alias', 'news_subject'
        )
    );
