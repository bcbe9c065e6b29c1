-- Ledger version 0007: what models were asked, what they answered, and who accepted it.

-- A revision, a request, a decision is never changed. Of some rows one thing may still happen: a
-- revision is retired, a policy ends, a route is switched, an attempt that is under way is completed.
-- The trigger's arguments are the columns that this writes, and how: `any` time, or `once` each,
-- from null, until the last of them is written.
create function provenance.refuse_inference_change() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    free text[] := string_to_array(tg_argv[1], ',');
    before jsonb := to_jsonb(old);
    after jsonb := to_jsonb(new);
begin
    if tg_op = 'UPDATE' and before - free = after - free and (
        tg_argv[0] = 'any'
        or (tg_argv[0] = 'once' and before -> free[cardinality(free)] = 'null'
            and not exists (
                select from unnest(free) as name
                where before -> name <> 'null' and before -> name <> after -> name
            ))
    ) then
        return new;
    end if;
    raise exception '%.% is kept as it was', tg_table_schema, tg_table_name
        using errcode = 'restrict_violation',
              hint = 'Record a new revision, attempt or decision; a recorded one is never changed.';
end
$$;

create procedure provenance.keep_inference(relation regclass, how text, free text)
language plpgsql set search_path = pg_catalog as $$
begin
    execute format(
        'create trigger kept before update or delete on %s'
        ' for each row execute function provenance.refuse_inference_change(%L, %L)',
        relation, how, free);
    execute format('alter table %s enable always trigger kept', relation);
    execute format(
        'create trigger never_truncated before truncate on %s'
        ' for each statement execute function governance.refuse_change()', relation);
    execute format('alter table %s enable always trigger never_truncated', relation);
end
$$;

-- One immutable revision of a task: what is asked, and the form of the answer.
create table provenance.inference_task_contracts (
    task_id text not null check (task_id ~ '^[a-z][a-z0-9_]*$'),
    contract_revision integer not null check (contract_revision > 0),
    prompt text not null check (prompt <> ''),
    prompt_sha256 text not null
        check (prompt_sha256 = encode(sha256(convert_to(prompt, 'UTF8')), 'hex')),
    output_json_schema jsonb not null check (jsonb_typeof(output_json_schema) = 'object'),
    high_impact boolean not null,
    owner text check (owner <> ''),
    published_at timestamptz not null default clock_timestamp(),
    retired_at timestamptz check (retired_at >= published_at),
    primary key (task_id, contract_revision)
);
call provenance.keep_inference('provenance.inference_task_contracts', 'any', 'retired_at');

-- One immutable revision of provider, model and parameters. A price is in US dollars for a million
-- tokens; `call_cap_usd` is what a call is booked at whose cost nobody knows.
create table provenance.inference_profiles (
    profile_id text not null check (profile_id ~ '^[a-z][a-z0-9_]*$'),
    profile_revision integer not null check (profile_revision > 0),
    provider_adapter text not null check (provider_adapter <> ''),
    model_name text not null check (model_name <> ''),
    parameters jsonb not null check (jsonb_typeof(parameters) = 'object'),
    input_usd numeric(14, 6) check (input_usd >= 0),
    output_usd numeric(14, 6) check (output_usd >= 0),
    call_cap_usd numeric(14, 6) check (call_cap_usd >= 0),
    primary key (profile_id, profile_revision)
);
call provenance.keep_inference('provenance.inference_profiles', 'never', '');

-- One pinned binding of a task's revision to a profile's. A binding without a revision floats: it is
-- recorded so that the gate can tell, and nothing can be asked on it.
create table provenance.inference_routes (
    route_id text not null check (route_id ~ '^[a-z][a-z0-9_]*$'),
    route_revision integer not null check (route_revision > 0),
    task_id text not null,
    contract_revision integer,
    profile_id text not null,
    profile_revision integer,
    is_active boolean not null,
    owner text check (owner <> ''),
    primary key (route_id, route_revision),
    unique (route_id, route_revision, profile_id, profile_revision),
    foreign key (task_id, contract_revision) references provenance.inference_task_contracts,
    foreign key (profile_id, profile_revision) references provenance.inference_profiles
);
create unique index inference_routes_one_active
    on provenance.inference_routes (route_id) where is_active;
create index on provenance.inference_routes (task_id, contract_revision);
create index on provenance.inference_routes (profile_id, profile_revision);
call provenance.keep_inference('provenance.inference_routes', 'any', 'is_active');

-- One question: a task's revision and an input. The key is made of both, so that it cannot mean two;
-- the input itself is not kept, it stands where it came from.
create table provenance.inference_requests (
    request_key text primary key,
    task_id text not null,
    contract_revision integer not null,
    input_sha256 text not null check (input_sha256 ~ '^[0-9a-f]{64}$'),
    input_artifact_keys text[] not null default '{}',
    created_at timestamptz not null default clock_timestamp(),
    foreign key (task_id, contract_revision) references provenance.inference_task_contracts,
    check (request_key = encode(sha256(convert_to(
        task_id || '|' || contract_revision || '|' || input_sha256, 'UTF8')), 'hex'))
);
create index on provenance.inference_requests (task_id, contract_revision);
call provenance.keep_inference('provenance.inference_requests', 'never', '');

-- Attempts that were handed over together; `provider_reference` is what the provider calls them.
create table provenance.inference_batches (
    batch_id text primary key default gen_random_uuid()::text,
    profile_id text not null,
    profile_revision integer not null,
    provider_reference text check (provider_reference <> ''),
    submitted_at timestamptz,
    collected_at timestamptz,
    foreign key (profile_id, profile_revision) references provenance.inference_profiles,
    check ((provider_reference is null) = (submitted_at is null)),
    check (collected_at is null or submitted_at is not null)
);
create index on provenance.inference_batches (profile_id, profile_revision);
create index on provenance.inference_batches (batch_id) where collected_at is null;
call provenance.keep_inference(
    'provenance.inference_batches', 'once', 'provider_reference,submitted_at,collected_at');

-- One call of a provider. While it is under way it has no status and no end; a crash leaves it so,
-- for everybody to see. Attempts of one request may disagree. `parsed_output` is the one column of
-- inference that holds values of records; what did not parse is kept as its hash only. A cost that
-- is null once the attempt is completed is one that nobody knows.
create table provenance.inference_attempts (
    attempt_id text primary key default gen_random_uuid()::text,
    request_key text not null references provenance.inference_requests,
    profile_id text not null,
    profile_revision integer not null,
    route_id text not null,
    route_revision integer not null,
    transport text not null check (transport in ('sync', 'native_batch')),
    batch_id text references provenance.inference_batches,
    status text check (status in ('succeeded', 'failed', 'timed_out', 'refused')),
    output_sha256 text check (output_sha256 ~ '^[0-9a-f]{64}$'),
    parsed_output jsonb,
    schema_valid boolean,
    input_tokens bigint check (input_tokens >= 0),
    output_tokens bigint check (output_tokens >= 0),
    cost_usd numeric(14, 6) check (cost_usd >= 0),
    started_at timestamptz not null default clock_timestamp(),
    completed_at timestamptz check (completed_at >= started_at),
    unique (attempt_id, request_key),
    foreign key (profile_id, profile_revision) references provenance.inference_profiles,
    foreign key (route_id, route_revision, profile_id, profile_revision)
        references provenance.inference_routes
            (route_id, route_revision, profile_id, profile_revision),
    check ((transport = 'native_batch') = (batch_id is not null)),
    check ((status is null) = (completed_at is null)),
    check (completed_at is not null or num_nonnulls(
        output_sha256, parsed_output, schema_valid, input_tokens, output_tokens, cost_usd) = 0),
    check (status is null or (status = 'succeeded') = (output_sha256 is not null)),
    check ((output_sha256 is null) = (schema_valid is null)),
    check (parsed_output is not null or schema_valid is not true),
    check (parsed_output is null or output_sha256 is not null)
);
create index on provenance.inference_attempts (request_key);
create index on provenance.inference_attempts (route_id, route_revision);
create index on provenance.inference_attempts (profile_id, profile_revision);
create index on provenance.inference_attempts (batch_id);
create index on provenance.inference_attempts (attempt_id) where completed_at is null;
call provenance.keep_inference('provenance.inference_attempts', 'once',
    'status,output_sha256,parsed_output,schema_valid,input_tokens,output_tokens,cost_usd,completed_at');

-- What makes an output acceptable, by the hash of its canonical JSON; one is in force for a task.
create table provenance.inference_acceptance_policies (
    policy_hash text primary key check (policy_hash ~ '^[0-9a-f]{64}$'),
    task_id text not null check (task_id ~ '^[a-z][a-z0-9_]*$'),
    policy jsonb not null check (jsonb_typeof(policy) = 'object'),
    active_from timestamptz not null default clock_timestamp(),
    active_to timestamptz check (active_to >= active_from)
);
create unique index inference_acceptance_policies_one_open
    on provenance.inference_acceptance_policies (task_id) where active_to is null;
call provenance.keep_inference('provenance.inference_acceptance_policies', 'once', 'active_to');

-- One decision about one attempt under one policy; of a request, one attempt is accepted under it.
create table provenance.inference_decisions (
    decision_id text primary key default gen_random_uuid()::text,
    attempt_id text not null,
    request_key text not null,
    policy_hash text not null references provenance.inference_acceptance_policies,
    decision text not null check (decision in ('accepted', 'rejected')),
    decided_by text not null
        check (decided_by in ('deterministic_validator', 'verifier_model', 'human')),
    actor text check (actor <> ''),
    reason text not null check (reason in (
        'meets_policy', 'not_answered', 'output_invalid', 'value_not_allowed',
        'verifier_passed', 'verifier_failed', 'reviewed')),
    verifier_attempt_id text references provenance.inference_attempts,
    decided_at timestamptz not null default clock_timestamp(),
    unique (attempt_id, policy_hash),
    unique (decision_id, attempt_id),
    foreign key (attempt_id, request_key)
        references provenance.inference_attempts (attempt_id, request_key),
    check ((decided_by = 'human') = (actor is not null)),
    check ((decided_by = 'verifier_model') = (verifier_attempt_id is not null))
);
create unique index inference_decisions_one_accepted
    on provenance.inference_decisions (request_key, policy_hash) where decision = 'accepted';
create index on provenance.inference_decisions (policy_hash);
create index on provenance.inference_decisions (verifier_attempt_id);
call provenance.keep_inference('provenance.inference_decisions', 'never', '');

-- Where an accepted output is used. A use moves to a newer decision or is withdrawn, never made of
-- anything that was not accepted.
create table provenance.inference_projections (
    target_relation text not null check (target_relation ~ '^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$'),
    target_key text not null check (target_key <> ''),
    request_key text not null,
    attempt_id text not null,
    decision_id text not null,
    projected_at timestamptz not null default clock_timestamp(),
    primary key (target_relation, target_key),
    foreign key (attempt_id, request_key)
        references provenance.inference_attempts (attempt_id, request_key),
    foreign key (decision_id, attempt_id)
        references provenance.inference_decisions (decision_id, attempt_id)
);
create index on provenance.inference_projections (attempt_id);
create index on provenance.inference_projections (decision_id);

create function provenance.require_accepted() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if not exists (
        select from provenance.inference_decisions d
        where d.decision_id = new.decision_id and d.decision = 'accepted'
    ) then
        raise exception 'only an accepted output is used'
            using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;
create trigger accepted before insert or update on provenance.inference_projections
    for each row execute function provenance.require_accepted();
alter table provenance.inference_projections enable always trigger accepted;

-- Outputs are values: the transformer, who asks, the publisher, who judges, and the operator read
-- them. Loaders have nothing to do with inference, and nobody writes records but who asks.
update governance.role_rights set name_pattern = '(?!inference_).*'
where (role, object, schema_pattern, name_pattern) in (
    ('tidegate_loader', 'relation', 'provenance', '.*'),
    ('tidegate_publisher', 'relation', 'provenance', '.*')
);
insert into governance.role_rights (role, object, schema_pattern, name_pattern, privileges) values
    ('tidegate_publisher', 'relation', 'provenance', 'inference_.*', '{select}'),
    ('tidegate_transformer', 'relation', 'provenance',
        'inference_(task_contracts|routes|batches|attempts|acceptance_policies)',
        '{insert,update}'),
    ('tidegate_transformer', 'relation', 'provenance',
        'inference_(profiles|requests|decisions)', '{insert}'),
    ('tidegate_transformer', 'relation', 'provenance', 'inference_projections',
        '{insert,update,delete}'),
    ('tidegate_transformer', 'relation', 'governance', 'audit_events', '{insert}'),
    ('tidegate_operator', 'relation', 'provenance', 'inference_decisions', '{insert}'),
    ('tidegate_operator', 'relation', 'provenance', 'inference_projections',
        '{insert,update,delete}');
select governance.apply_grants();
