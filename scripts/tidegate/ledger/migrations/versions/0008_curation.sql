-- Ledger version 0008: what curators decided about links and facts.
-- Every closed vocabulary is an enum in tidegate.ledger.curation_words as well; a test compares them.

-- Curation is written in the role of the curator and in no other: not even a superuser's session that
-- builds models writes here by accident. A member's login has the role's rights and needs no `set role`.
create function curation.require_curator() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if current_user <> 'tidegate_curator' and (
        not pg_has_role(current_user, 'tidegate_curator', 'member')
        or (select rolsuper from pg_roles where rolname = current_user)
    ) then
        raise exception 'only the curator writes %.%', tg_table_schema, tg_table_name
            using errcode = 'insufficient_privilege',
                  hint = 'Decide with `tidegate curate`; what a pipeline rejects is quarantine.';
    end if;
    return null;
end
$$;

-- One proposal: what is to be said instead of the sources. `new_value` is a value: whoever reads it has
-- the right to. The subject of a link is the link's, of a published row `<model>|<row key>`.
create table curation.overlays (
    overlay_key text primary key check (overlay_key ~ '^ov:[0-9a-z_-]+$'),
    subject_kind text not null check (subject_kind in (
        'trial_arm_link', 'trial_intervention_drug', 'trial_condition_segment', 'trial_sponsor_org',
        'publication_trial_link', 'publication_endpoint', 'publication_intervention',
        'approval_drug', 'org_alias', 'product_drug', 'news_subject', 'assertion', 'published_row'
    )),
    subject_key text not null check (btrim(subject_key) <> ''),
    fact_path text not null check (btrim(fact_path) <> ''),
    overlay_kind text not null check (overlay_kind in (
        'override', 'suppression', 'link_correction', 'marker'
    )),
    new_value jsonb,
    impact text not null check (impact in ('high', 'low')),
    review_state text not null check (review_state in (
        'pending', 'human_approved', 'auto_reviewed', 'not_required', 'rejected'
    )),
    precedence integer not null default 10,
    created_at timestamptz not null default clock_timestamp(),
    constraint overlays_value_unless_suppressed
    check ((overlay_kind = 'suppression') = (new_value is null)),
    -- A subject is a link, an assertion or a published row; a link has one fact, its target.
    constraint overlays_link_has_a_target
    check ((subject_kind not in ('assertion', 'published_row')) = (fact_path = 'target_key')),
    constraint overlays_correction_of_a_link check (
        overlay_kind <> 'link_correction'
        or (subject_kind not in ('assertion', 'published_row')
            and jsonb_typeof(new_value) = 'string')
    ),
    constraint overlays_override_of_a_fact
    check (overlay_kind <> 'override' or fact_path not in ('target_key', '$row')),
    constraint overlays_marker_is_a_word check (
        overlay_kind <> 'marker'
        or (subject_kind = 'assertion' and jsonb_typeof(new_value) = 'string')
    ),
    -- Low impact is for subjects that decide no clinical, regulatory or commercial fact.
    constraint overlays_low_impact_kinds check (
        impact = 'high' or overlay_kind = 'marker' or subject_kind in (
            'trial_condition_segment', 'trial_sponsor_org', 'org_alias', 'news_subject'
        )
    ),
    constraint overlays_high_impact_is_reviewed
    check (impact = 'low' or review_state in ('pending', 'human_approved', 'rejected'))
);
create index on curation.overlays (subject_key, fact_path);

-- What was decided about it, in order: never changed, never removed.
create table curation.decision_events (
    decision_event_key text primary key,
    overlay_key text not null references curation.overlays,
    event_no integer not null check (event_no > 0),
    event_kind text not null check (event_kind in (
        'proposed', 'human_approved', 'auto_reviewed', 'rejected', 'superseded', 'withdrawn'
    )),
    actor text not null check (btrim(actor) <> ''),
    actor_kind text not null check (actor_kind in ('human', 'curation_agent')),
    occurred_at timestamptz not null default clock_timestamp(),
    rationale text not null check (btrim(rationale) <> ''),
    rejection_reason text check (btrim(rejection_reason) <> ''),
    supersedes_event_key text,
    superseded_by_key text references curation.overlays,
    session_role text not null default session_user,
    unique (overlay_key, event_no),
    unique (decision_event_key, overlay_key),
    check (decision_event_key = overlay_key || ':' || event_no),
    foreign key (supersedes_event_key, overlay_key)
    references curation.decision_events (decision_event_key, overlay_key),
    constraint decision_events_rejection_has_a_reason
    check ((event_kind = 'rejected') = (rejection_reason is not null)),
    constraint decision_events_supersession_names_what check (
        (event_kind = 'superseded') = (supersedes_event_key is not null)
        and (event_kind = 'superseded') = (superseded_by_key is not null)
    ),
    constraint decision_events_approval_is_human
    check (event_kind <> 'human_approved' or actor_kind = 'human')
);
create index on curation.decision_events (superseded_by_key);
call governance.make_append_only('curation.decision_events');

-- The overlays that are in force: reviewed, neither rejected, withdrawn nor superseded, and of those of
-- one subject and fact the one of the highest precedence, the later reviewed where two have it.
create view curation.effective_overlays as
select distinct on (o.subject_key, o.fact_path)
    o.subject_key,
    o.fact_path,
    o.overlay_key,
    last.occurred_at as effective_since,
    true as is_active
from curation.overlays as o
inner join lateral (
    select e.event_kind, e.occurred_at
    from curation.decision_events as e
    where e.overlay_key = o.overlay_key
    order by e.event_no desc
    limit 1
) as last on true
where
    last.event_kind in ('proposed', 'human_approved', 'auto_reviewed')
    and (
        o.review_state = 'human_approved'
        or (o.impact = 'low' and o.review_state in ('auto_reviewed', 'not_required'))
    )
order by
    o.subject_key, o.fact_path, o.precedence desc, last.occurred_at desc, o.overlay_key desc;

-- Which decision may follow which; an overlay's row is locked, so that decisions have an order.
create function curation.check_decision() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    about curation.overlays;
    last curation.decision_events;
    heir curation.overlays;
begin
    select * into about from curation.overlays
    where overlay_key = new.overlay_key for no key update;
    select * into last from curation.decision_events
    where overlay_key = new.overlay_key order by event_no desc limit 1;
    new.event_no := coalesce(last.event_no, 0) + 1;
    new.decision_event_key := new.overlay_key || ':' || new.event_no;
    new.occurred_at := clock_timestamp();
    new.session_role := session_user;
    if (new.event_kind = 'proposed') <> (last.event_no is null) then
        raise exception 'the first decision about an overlay, and no other, is its proposal'
            using errcode = 'restrict_violation';
    elsif last.event_kind in ('rejected', 'superseded', 'withdrawn') then
        raise exception 'an overlay that was % is closed', last.event_kind
            using errcode = 'restrict_violation', hint = 'Propose another one.';
    elsif new.event_kind = 'auto_reviewed' and about.impact <> 'low' then
        raise exception 'an overlay of high impact is approved by a person'
            using errcode = 'restrict_violation';
    elsif new.event_kind in ('human_approved', 'auto_reviewed')
        and about.review_state = 'human_approved'
        or new.event_kind = 'auto_reviewed' and about.review_state <> 'pending' then
        raise exception 'the overlay is reviewed already' using errcode = 'restrict_violation';
    elsif new.event_kind = 'superseded' then
        select * into heir from curation.overlays where overlay_key = new.superseded_by_key;
        if heir.overlay_key = about.overlay_key
            or (heir.subject_key, heir.fact_path) <> (about.subject_key, about.fact_path) then
            raise exception 'an overlay is superseded by another of its subject and fact'
                using errcode = 'restrict_violation';
        elsif heir.review_state in ('pending', 'rejected') or exists (
            select from curation.decision_events e where e.overlay_key = heir.overlay_key
                and e.event_kind in ('rejected', 'superseded', 'withdrawn')
        ) then
            raise exception 'an overlay is superseded by one that is reviewed and not closed'
                using errcode = 'restrict_violation', hint = 'Approve that one first.';
        end if;
        new.supersedes_event_key := coalesce(new.supersedes_event_key, last.decision_event_key);
    end if;
    return new;
end
$$;
create trigger check_decision before insert on curation.decision_events
    for each row execute function curation.check_decision();

-- The review state is what the decisions say, and is written here alone.
create function curation.follow_decision() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if new.event_kind in ('human_approved', 'auto_reviewed', 'rejected') then
        update curation.overlays set review_state = new.event_kind
        where overlay_key = new.overlay_key;
    end if;
    return null;
end
$$;
create trigger follow_decision after insert on curation.decision_events
    for each row execute function curation.follow_decision();

create function curation.keep_overlay() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if tg_op = 'INSERT' then
        if new.review_state not in ('pending', 'not_required') then
            raise exception 'a proposal is not reviewed yet' using errcode = 'restrict_violation';
        end if;
        new.created_at := clock_timestamp();
        return new;
    elsif tg_op = 'UPDATE'
        and to_jsonb(old) - 'review_state' = to_jsonb(new) - 'review_state'
        and new.review_state = (
            select e.event_kind from curation.decision_events e
            where e.overlay_key = new.overlay_key order by e.event_no desc limit 1
        ) then
        return new;
    end if;
    raise exception 'an overlay is kept as it was'
        using errcode = 'restrict_violation', hint = 'Propose another one, which supersedes it.';
end
$$;
create trigger keep_overlay before insert or update or delete on curation.overlays
    for each row execute function curation.keep_overlay();
create trigger never_truncated before truncate on curation.overlays
    for each statement execute function governance.refuse_change();

-- No proposal without actor, time and rationale.
create function curation.require_proposal() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if not exists (select from curation.decision_events e where e.overlay_key = new.overlay_key) then
        raise exception 'an overlay says who proposed it, when and why'
            using errcode = 'restrict_violation';
    end if;
    return null;
end
$$;
create constraint trigger require_proposal after insert on curation.overlays
    deferrable initially deferred for each row execute function curation.require_proposal();

-- Whatever is decided is audited, with its owner's rights: a curator reads and writes nothing else there.
create function curation.audit_decision() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
    insert into governance.audit_events (event, subject, actor, details)
    select 'curation.overlay.' || new.event_kind, new.overlay_key, new.actor, jsonb_build_object(
        'decision_event_key', new.decision_event_key, 'actor_kind', new.actor_kind,
        'overlay_kind', o.overlay_kind, 'subject_kind', o.subject_kind, 'impact', o.impact)
    from curation.overlays o where o.overlay_key = new.overlay_key;
    return null;
end
$$;
create trigger audit_decision after insert on curation.decision_events
    for each row execute function curation.audit_decision();

do $$
declare
    relation regclass;
begin
    foreach relation in array array[
        'curation.overlays', 'curation.decision_events'
    ]::regclass[] loop
        execute format('create trigger a_curator_writes before insert or update or delete or truncate'
            ' on %s for each statement execute function curation.require_curator()', relation);
        execute format('alter table %s enable always trigger a_curator_writes', relation);
    end loop;
end
$$;
alter table curation.overlays enable always trigger keep_overlay;
alter table curation.overlays enable always trigger never_truncated;
alter table curation.decision_events enable always trigger check_decision;

-- A curator looks up candidates and conflicts, and finds the ledger at its version.
insert into governance.role_rights (role, object, schema_pattern, name_pattern, privileges) values
    ('tidegate_curator', 'schema', 'resolution', '.*', '{usage}'),
    ('tidegate_curator', 'relation', 'resolution', '.*', '{select}'),
    ('tidegate_curator', 'relation', 'governance', 'ledger_version', '{select}');
select governance.apply_grants();
