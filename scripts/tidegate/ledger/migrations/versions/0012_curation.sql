-- Ledger version 0012: two people for an overlay, whose approvals count, what overlays found.

-- Who proposed an overlay does not approve it, nor does the login that did, whatever name it gives or
-- was given since. A superuser is asked for the name alone: the embedded server has that one login,
-- and no rule of a database binds a superuser. Decisions from before this version have no number.
alter table curation.decision_events add column session_role_oid oid;
comment on column curation.decision_events.session_role_oid is
'the login that decided, which keeps its number when it is renamed';

create function curation.same_name(a text, b text) returns boolean
language sql immutable set search_path = pg_catalog as $$
    select lower(regexp_replace(btrim(a), '\s+', ' ', 'g'))
        = lower(regexp_replace(btrim(b), '\s+', ' ', 'g'))
$$;

create function curation.require_second_person() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    proposal curation.decision_events;
    is_superuser boolean;
begin
    select r.oid, r.rolsuper into new.session_role_oid, is_superuser
    from pg_roles r where r.rolname = session_user;
    if new.event_kind not in ('human_approved', 'auto_reviewed') then
        return new;
    end if;
    select * into proposal from curation.decision_events e
    where e.overlay_key = new.overlay_key and e.event_kind = 'proposed';
    if curation.same_name(proposal.actor, new.actor) then
        raise exception 'who proposed an overlay does not approve it'
            using errcode = 'restrict_violation',
                hint = 'Have somebody else run `tidegate curate approve`, as themselves.';
    elsif not is_superuser and (
        proposal.session_role = session_user or proposal.session_role_oid = new.session_role_oid
    ) then
        raise exception 'the login that proposed an overlay does not approve it, whatever --by says'
            using errcode = 'restrict_violation',
                hint = 'Have somebody else run `tidegate curate approve` with a login of their own.';
    end if;
    return new;
end
$$;
create trigger second_person before insert on curation.decision_events
    for each row execute function curation.require_second_person();
alter table curation.decision_events enable always trigger second_person;

-- Who may answer for a contract: roles of the contract that stands, not of the one that is to replace
-- it. Null: the contract was promoted before this version, and only the program asks.
alter table governance.schema_versions add column approvers text[];
comment on column governance.schema_versions.approvers is
'roles whose members may replace this contract and answer for drift from it';

create function governance.require_member(roles text[], what text) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    if not exists (select from pg_roles where rolname = session_user and rolsuper)
        and not exists (select from pg_roles r where r.rolname = any (roles)
            and pg_has_role(session_user, r.oid, 'member')) then
        raise exception '% takes a member of %', what, array_to_string(roles, ' or ')
            using errcode = 'insufficient_privilege',
                hint = 'Ask a member of it. docs/operations.md, "Approvals".';
    end if;
end
$$;

create function governance.require_approver(about text, what text) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    roles text[];
begin
    select approvers into roles from governance.schema_versions
    where dataset = about and is_contract;
    if roles is not null then
        perform governance.require_member(roles, what);
    end if;
end
$$;

-- A schema change is answered by an approver; the pipeline parks it, or applies it as the policy says.
create function governance.drift_is_answered() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    perform governance.require_approver(new.dataset, 'answering for a schema change');
    return new;
end
$$;
create trigger answered before update on governance.drift_changes
    for each row when (
        new.resolution in ('approved', 'rejected') and new.resolution <> old.resolution
    ) execute function governance.drift_is_answered();
create trigger not_answered_at_once before insert on governance.drift_changes
    for each row when (new.resolution = 'approved') execute function governance.drift_is_answered();

create function governance.contract_is_approved() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if not exists (
        select from governance.drift_changes c
        where c.run_id = new.run_id and c.dataset = new.dataset
            and c.resulting_contract_sha256 = new.contract_sha256
    ) then
        raise exception 'a contract is approved by the answer to a schema change'
            using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;
create trigger approved before insert on governance.contract_approvals
    for each row execute function governance.contract_is_approved();

-- The marker moves to a contract that was approved, or by an approver; the first one is nobody's.
create function governance.marker_is_promoted() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    roles text[];
begin
    select v.approvers into roles from governance.schema_versions v
    where v.dataset = new.dataset and v.origin = 'contract' order by v.schema_version_id desc limit 1;
    if roles is not null and not exists (
        select from governance.contract_approvals a
        where a.dataset = new.dataset and a.contract_sha256 = new.contract_sha256
            and (a.expires_at is null or a.expires_at > clock_timestamp())
    ) then
        perform governance.require_member(roles, 'promoting a contract');
    end if;
    return new;
end
$$;
create trigger promoted before insert on governance.schema_versions
    for each row when (new.origin = 'contract') execute function governance.marker_is_promoted();

-- A contract that readers depend on is replaced by an operator; the first one is nobody's.
create function governance.model_marker_is_promoted() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if exists (select from governance.model_contracts c
        where c.family = new.family and c.model = new.model)
        and exists (select from governance.serving_heads h where h.family = new.family) then
        perform governance.require_member('{tidegate_operator}', 'promoting a contract');
    end if;
    return new;
end
$$;
create trigger promoted before insert on governance.model_contracts
    for each row execute function governance.model_marker_is_promoted();

-- Operators acknowledge, give records up and decide for a person; a pipeline does none of it, though
-- it writes the same tables (design §1, "an operator").
create function governance.require_operator() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    perform governance.require_member('{tidegate_operator}', tg_argv[0]);
    return new;
end
$$;
create trigger acknowledged before update on governance.review_items
    for each row when (new.state = 'acknowledged' and old.state <> 'acknowledged')
    execute function governance.require_operator('acknowledging a warning');
create trigger given_up before update on governance.quarantine
    for each row when (new.state = 'discarded' and old.state <> 'discarded')
    execute function governance.require_operator('discarding quarantined records');
create trigger decided_by_a_person before insert on provenance.inference_decisions
    for each row when (new.decided_by = 'human')
    execute function governance.require_operator('deciding for a person about an answer');

-- What the sources said of the subject when an overlay was proposed: of a row's fact its value, of a
-- row its facts that are not masked, of an assertion what its claims say, of a link the targets they
-- offer. JSON null: they said nothing of it. SQL null: the curator could not see it.
alter table curation.overlays add column previous_value jsonb;

-- What the newest build found for each overlay in force: a build writes here and never in `curation`.
create table governance.overlay_effects (
    overlay_key text primary key references curation.overlays,
    relation text not null check (relation <> ''),
    effect text not null check (effect in (
        'applied', 'subject_missing', 'subject_ambiguous', 'source_changed'
    )),
    looked_at timestamptz not null default clock_timestamp()
);

-- Overlays in force that are not what was approved any more. A model that no contract has is built by
-- nothing that could look for its rows.
create view governance.overlay_doubts as
select o.overlay_key, o.subject_kind, o.subject_key, o.fact_path, doubt.effect, found.looked_at
from curation.effective_overlays as in_force
inner join curation.overlays as o on o.overlay_key = in_force.overlay_key
left join governance.overlay_effects as found on found.overlay_key = o.overlay_key
cross join lateral (
    select case
        when o.subject_kind = 'published_row' and not exists (
            select from governance.model_contracts as c
            where c.is_contract and c.model = split_part(o.subject_key, '|', 1)
        ) then 'subject_missing'
        else found.effect
    end as effect
) as doubt
where in_force.is_active and doubt.effect <> 'applied';

alter table governance.review_items drop constraint review_items_kind_check;
alter table governance.review_items add constraint review_items_kind_check
    check (kind in ('gate', 'rule', 'schema', 'anomaly', 'delivery', 'curation'));

insert into governance.role_rights (role, object, schema_pattern, name_pattern, privileges) values
    ('tidegate_transformer', 'relation', 'governance', 'overlay_effects', '{insert,update}'),
    -- A curator sees what an overlay is to replace: published columns, candidates, assertions.
    ('tidegate_curator', 'schema', 'canonical', '.*', '{usage}'),
    ('tidegate_curator', 'relation', 'canonical', 'assertions', '{select}'),
    ('tidegate_curator', 'relation', 'governance',
        'generation_models|serving_heads|overlay_(effects|doubts)', '{select}');
select governance.apply_grants();
