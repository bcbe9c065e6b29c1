-- Ledger version 0002: generations, the serving head, gate results and the publication record.

-- One row for everything that was published, by whichever producer: a family's generation, or a
-- delivery that a producer handed over. Attempts are serialised before the replay look-up, so the
-- unique key is the last line of defence, not the mechanism. Families that refer to each other in
-- a cycle are published under one key, a row each.
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
    unique (tenant, producer, idempotency_key, subject),
    check ((kind = 'family') = (generation is not null)),
    check ((kind = 'dataset') = (delivery_id is not null))
);

-- The states of a generation are those of the seed ("Publication-state behavior") and the two ways
-- a generation ends. That the previous good generation is served is a state of the family.
create table governance.generations (
    family text not null,
    generation integer not null check (generation > 0),
    state text not null check (state in (
        'candidate_materialized', 'checks_passing', 'published', 'held_back', 'discarded', 'pruned'
    )),
    prior_generation integer,
    attached boolean not null,
    content_sha256 text check (content_sha256 ~ '^[0-9a-f]{64}$'),
    code_sha256 text not null,
    inputs jsonb not null,
    contracts jsonb not null,
    reason text,
    built_at timestamptz not null default clock_timestamp(),
    state_changed_at timestamptz not null default clock_timestamp(),
    built_by text not null default session_user,
    primary key (family, generation),
    check ((state in ('held_back', 'discarded', 'pruned')) = (reason is not null))
);

create function governance.check_generation_state() returns trigger
language plpgsql set search_path = '' as $$
begin
    if old.state is distinct from new.state and not (
        (old.state = 'candidate_materialized'
            and new.state in ('checks_passing', 'held_back', 'discarded'))
        or (old.state = 'checks_passing' and new.state in ('published', 'held_back', 'discarded'))
        or (old.state in ('published', 'held_back', 'discarded') and new.state = 'pruned')
    ) then
        raise exception 'generation state % cannot become %', old.state, new.state
            using errcode = 'check_violation';
    end if;
    if old.state is distinct from new.state then
        new.state_changed_at := clock_timestamp();
    end if;
    return new;
end
$$;

create trigger generation_state before update on governance.generations
for each row execute function governance.check_generation_state();

-- Which serving parent shows which model of which generation. A parent is never renamed or
-- rebuilt: a changed shape is a new parent, and an old generation stays where it was attached.
create table governance.serving_parents (
    family text not null,
    model text not null,
    shape integer not null check (shape > 0),
    relation text not null,
    columns jsonb not null,
    first_generation integer not null,
    primary key (family, model, shape),
    unique (family, relation)
);

create table governance.generation_models (
    family text not null,
    generation integer not null,
    model text not null,
    shape integer not null,
    row_count bigint not null,
    content_hash numeric not null,
    contract_version text not null,
    contract_sha256 text not null,
    served jsonb not null,
    primary key (family, generation, model),
    foreign key (family, generation) references governance.generations,
    foreign key (family, model, shape) references governance.serving_parents
);

-- The one row that a publication changes.
create table governance.serving_heads (
    family text primary key,
    generation integer not null,
    foreign key (family, generation) references governance.generations
);

create table governance.head_moves (
    move_id bigint generated always as identity primary key,
    family text not null,
    from_generation integer,
    to_generation integer not null,
    kind text not null check (kind in ('publish', 'rollback')),
    moved_by text not null,
    reason text,
    moved_at timestamptz not null default clock_timestamp(),
    transaction_id xid8 not null default pg_current_xact_id(),
    check (kind = 'publish' or reason is not null)
);

-- Immutable on purpose: the planner folds it to a constant under the statement's own planning
-- snapshot and prunes to one partition. Read at run time instead, a statement planned before and
-- executed after a promotion sees the new head and a plan without the new partition: zero rows.
create function governance.head(family text) returns integer
language sql immutable strict parallel safe security definer set search_path = '' as $$
    select heads.generation from governance.serving_heads as heads where heads.family = $1
$$;

-- The same for a model that has had more than one shape: a snapshot from before the change has no
-- rows in the present parent, and an error that says so is right where an empty table would lie.
create function governance.head_of(family text, model text, shape integer) returns integer
language plpgsql immutable strict parallel safe security definer set search_path = '' as $$
declare
    head integer;
begin
    select heads.generation into head
    from governance.serving_heads as heads where heads.family = $1;
    if not exists (
        select from governance.generation_models as models
        where models.family = $1 and models.generation = head
            and models.model = $2 and models.shape = $3
    ) then
        raise exception 'this snapshot is older than the present shape of %', $2
            using errcode = 'serialization_failure',
                hint = 'Begin a new transaction and run the statement again.';
    end if;
    return head;
end
$$;

-- The stable views as Tidegate wrote them: what a later change of shape is compared with.
create table governance.serving_views (
    family text not null,
    model text not null,
    columns jsonb not null,
    definition text not null,
    shape integer,
    primary key (family, model)
);

-- Gates of a family's generation, and (family and generation null) of the layers below.
create table governance.gate_results (
    result_id bigint generated always as identity primary key,
    family text,
    generation integer,
    gate_id text not null,
    asset text not null,
    severity text not null check (severity in ('blocking', 'warning')),
    status text not null check (status in ('pass', 'warn', 'fail', 'error', 'not_evaluated')),
    rows_checked bigint,
    rows_failing bigint,
    publication_protected boolean not null,
    result jsonb not null,
    evaluated_at timestamptz not null default clock_timestamp(),
    foreign key (family, generation) references governance.generations,
    check ((family is null) = (generation is null))
);

create index gate_results_by_generation on governance.gate_results (family, generation);

-- What was held back: prior run, blocked run, model, affected rows and reason (gate seed,
-- "Comparative gate metadata contract", previous good retained).
create table governance.held_back (
    held_back_id bigint generated always as identity primary key,
    family text not null,
    prior_generation integer,
    blocked_generation integer,
    model text not null,
    gate_id text not null,
    affected_rows bigint,
    reason text not null,
    held_back_at timestamptz not null default clock_timestamp(),
    -- Set when a later run gets past what had kept a generation from being made at all.
    settled_at timestamptz
);

-- A generation that somebody referenced, or that is under legal hold, is never pruned.
create table governance.generation_holds (
    hold_id bigint generated always as identity primary key,
    family text not null,
    generation integer not null,
    kind text not null check (kind in ('reference', 'legal')),
    holder text not null,
    reason text not null,
    placed_at timestamptz not null default clock_timestamp(),
    released_at timestamptz,
    released_by text,
    release_reason text,
    foreign key (family, generation) references governance.generations,
    check ((released_at is null) = (released_by is null)),
    check ((released_at is null) = (release_reason is null))
);

-- The contract marker of a model: which hash was promoted, by whom and when. The document is the
-- contract as it was, so that a later one can be compared with it.
create table governance.model_contracts (
    contract_id bigint generated always as identity primary key,
    family text not null,
    model text not null,
    contract_version text not null,
    contract_sha256 text not null check (contract_sha256 ~ '^[0-9a-f]{64}$'),
    document jsonb not null,
    is_contract boolean not null,
    promoted_by text not null,
    reason text not null,
    promoted_at timestamptz not null default clock_timestamp()
);

create unique index model_contracts_one_contract
on governance.model_contracts (family, model) where is_contract;

-- What readers see, and how each family stands in the words of the seed's state machine.
create view governance.family_states as
select
    families.family,
    heads.generation as served_generation,
    latest.generation as latest_generation,
    latest.state as latest_state,
    case
        when pending.exists and heads.generation is not null then 'previous_published_served'
        when pending.exists then 'held_back'
        when latest.state in ('candidate_materialized', 'checks_passing') then latest.state
        when latest.state = 'held_back' and heads.generation is not null
            then 'previous_published_served'
        when latest.state = 'held_back' then 'held_back'
        when heads.generation is not null then 'published'
        else 'nothing_published'
    end as state,
    latest.reason,
    latest.state_changed_at
from (
    select family from governance.generations
    union
    select family from governance.held_back
) as families
cross join lateral (
    select exists (
        select from governance.held_back
        where held_back.family = families.family
            and held_back.blocked_generation is null and held_back.settled_at is null
    )
) as pending
left join governance.serving_heads as heads on heads.family = families.family
left join lateral (
    select generations.generation, generations.state, generations.reason,
        generations.state_changed_at
    from governance.generations
    where generations.family = families.family and generations.state <> 'discarded'
    order by generations.generation desc
    limit 1
) as latest on true;
