-- Ledger version 0002: families, generations, the serving head, and the publication record.

-- One row for everything that was published, by whichever producer: a family's generation, or a
-- delivery that a producer handed over. Attempts are serialised before the replay look-up, so the
-- unique key is the last line of defence, not the mechanism.
create table governance.publications (
    publication_id bigint generated always as identity primary key,
    kind text not null check (kind in ('family', 'dataset')),
    subject text not null,
    generation integer,
    delivery_id bigint,
    tenant text not null,
    producer text not null,
    idempotency_key text not null,
    request_sha256 text not null check (request_sha256 ~ '^[0-9a-f]{64}$'),
    content_sha256 text not null check (content_sha256 ~ '^[0-9a-f]{64}$'),
    reference text not null unique,
    validation jsonb not null,
    published_by text not null default session_user,
    published_at timestamptz not null default clock_timestamp(),
    unique (tenant, producer, idempotency_key),
    check ((kind = 'family') = (generation is not null)),
    check ((kind = 'dataset') = (delivery_id is not null))
);
