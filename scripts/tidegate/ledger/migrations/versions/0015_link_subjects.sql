-- Ledger version 0015: further subjects of links that curators decide about: drugs and diseases of the
-- lists of development programs, diseases of statistics. All of them decide facts, so none is of low
-- impact. The closed vocabulary is an enum in tidegate.ledger.curation_words as well; a test compares them.

alter table curation.overlays
    drop constraint overlays_subject_kind_check,
    add constraint overlays_subject_kind_check check (subject_kind in (
        'trial_arm_link', 'trial_intervention_drug', 'trial_condition_segment', 'trial_sponsor_org',
        'trial_country', 'trial_endpoint', 'publication_trial_link', 'publication_endpoint',
        'publication_intervention', 'publication_segment', 'approval_drug', 'approval_segment',
        'org_alias', 'product_drug', 'news_subject', 'development_drug', 'development_segment',
        'epidemiology_segment', 'assertion', 'published_row'
    ));
