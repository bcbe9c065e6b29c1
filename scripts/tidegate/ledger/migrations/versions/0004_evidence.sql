-- Ledger version 0004: what is kept for ever (audit, validation evidence) and what waits for a
-- person (review items).

-- Rows of an append-only table are never changed: not by the publisher, not by the table's owner,
-- not under session_replication_role = replica. Whoever may drop the trigger may drop the table:
-- that is the owner's DDL, and DDL is no slip of a program.
create or replace function governance.refuse_change() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    raise exception '%.% is append-only', tg_table_schema, tg_table_name
        using errcode = 'restrict_violation',
              hint = 'Record a new row; a recorded one is never changed or removed.';
end
$$;

create procedure governance.make_append_only(relation regclass)
language plpgsql set search_path = pg_catalog as $$
begin
    execute format(
        'create or replace trigger append_only before update or delete or truncate on %s'
        ' for each statement execute function governance.refuse_change()', relation);
    execute format('alter table %s enable always trigger append_only', relation);
end
$$;

-- Who did what to what, when, under which policy. `actor` is the person or service that was named
-- (`--by`), `session_role` who was really connected.
create table governance.audit_events (
    audit_id bigint generated always as identity primary key,
    event text not null check (event ~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$'),
    subject text not null check (subject <> ''),
    actor text not null check (actor <> ''),
    session_role text not null default session_user,
    at timestamptz not null default clock_timestamp(),
    policy_sha256 text check (policy_sha256 ~ '^[0-9a-f]{64}$'),
    details jsonb not null default '{}'
);
create index on governance.audit_events (subject, audit_id);
create index on governance.audit_events (event, audit_id);
call governance.make_append_only('governance.audit_events');

-- Every policy that was ever applied, by the hash that evidence and audit name. Policies are
-- catalogue metadata: every role may read them, and they hold no values of sensitive columns.
create table governance.quality_policies (
    policy_sha256 text primary key check (policy_sha256 ~ '^[0-9a-f]{64}$'),
    version text not null,
    policy jsonb not null,
    first_applied_at timestamptz not null default clock_timestamp()
);
call governance.make_append_only('governance.quality_policies');

-- A publication is an immutable reference: its record is never changed either.
call governance.make_append_only('governance.publications');

-- The exact validation that let a publication pass, one row for each validated relation of it: a
-- dataset's materialization is one relation, a family's generation has one for each model.
create table provenance.publication_validation (
    publication_id bigint not null references governance.publications,
    relation text not null check (relation <> ''),
    policy_version text,
    policy_sha256 text check (policy_sha256 ~ '^[0-9a-f]{64}$'),
    classification text not null check (classification in ('compatible', 'warning', 'breaking')),
    validation_sha256 text not null check (validation_sha256 ~ '^[0-9a-f]{64}$'),
    validation jsonb not null,
    recorded_at timestamptz not null default clock_timestamp(),
    primary key (publication_id, relation),
    check ((policy_version is null) = (policy_sha256 is null))
);
create index on provenance.publication_validation (policy_sha256);
call governance.make_append_only('provenance.publication_validation');

-- One item for each warning that somebody has to look at. While an item is open, the same warning
-- seen again is one more sighting of it, not one more item.
create table governance.review_items (
    review_id bigint generated always as identity primary key,
    kind text not null check (kind in ('gate', 'rule', 'schema', 'anomaly', 'delivery')),
    subject text not null check (subject <> ''),
    check_id text not null check (check_id <> ''),
    severity text not null check (severity in ('warning', 'error')),
    details jsonb not null default '{}',
    opened_at timestamptz not null default clock_timestamp(),
    state text not null default 'open' check (state in ('open', 'acknowledged')),
    acknowledged_by text check (acknowledged_by <> ''),
    acknowledged_reason text check (acknowledged_reason <> ''),
    acknowledged_at timestamptz,
    check ((state = 'acknowledged') = (acknowledged_by is not null)),
    check ((state = 'acknowledged') = (acknowledged_reason is not null)),
    check ((state = 'acknowledged') = (acknowledged_at is not null))
);
create unique index review_items_one_open
    on governance.review_items (kind, subject, check_id) where state = 'open';

-- `source` is the run or publication in which the warning was seen (a publication reference, or
-- `delivery:42`).
create table governance.review_sightings (
    review_id bigint not null references governance.review_items,
    source text not null check (source <> ''),
    seen_at timestamptz not null default clock_timestamp(),
    primary key (review_id, source)
);
create index on governance.review_sightings (source);
