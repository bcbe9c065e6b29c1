-- Ledger version 0005: events for the world outside, the roles' rights, and masking.

-- An event is written in the transaction it tells of, and sent later. `position` is drawn under a
-- lock on the subject that lasts until commit, so the events of one subject are numbered in the
-- order of their commits; `written_by` tells a reader of the outbox which events could still get
-- an earlier one beside them (their transaction is not older than every running one).
create table governance.outbox_events (
    event_id uuid primary key default gen_random_uuid(),
    position bigint generated always as identity unique,
    written_by xid8 not null default pg_current_xact_id(),
    topic text not null check (topic ~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$'),
    subject text not null check (subject <> ''),
    owner text not null check (owner <> ''),
    source text,
    publication_id bigint references governance.publications,
    payload jsonb not null,
    created_at timestamptz not null default clock_timestamp(),
    state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
    attempts integer not null default 0 check (attempts >= 0),
    next_attempt_at timestamptz not null default '-infinity',
    last_error text,
    delivered_at timestamptz,
    check ((state = 'delivered') = (delivered_at is not null))
);
create index on governance.outbox_events (position) where state = 'waiting';
create index on governance.outbox_events (subject, position) where state = 'waiting';
create index on governance.outbox_events (publication_id);
