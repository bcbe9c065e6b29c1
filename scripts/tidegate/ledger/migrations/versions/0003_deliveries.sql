-- Ledger version 0003: artefacts, deliveries, runs, schema versions, drift, quarantine,
-- materializations. Every closed vocabulary here is an enum in tidegate.deliveries.vocabulary (or
-- beside it) as well; a test compares the two.

-- Typed rows of accepted deliveries, one table per dataset and layout of its contract.
create schema if not exists landing_rows;
-- What a run staged and did not accept yet: unlogged, made again from the artefact when lost.
create schema if not exists landing_stage;

-- Guards against changing what is append-only.
create function governance.deliveries_append_only() returns trigger
language plpgsql
as $$
begin
    raise exception '%.% is append-only', tg_table_schema, tg_table_name
        using errcode = 'restrict_violation';
end
$$;

create table governance.artifacts (
    sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
    bytes bigint not null check (bytes >= 0),
    compression text not null check (compression in ('none', 'gzip')),
    stored_path text not null,
    first_seen timestamptz not null default clock_timestamp(),
    pruned_at timestamptz
);
comment on table governance.artifacts is
'one stored file, by the SHA-256 of its bytes; stored_path is relative to the artefact store';

-- A delivery is made once per receipt of content that is neither accepted nor waiting already.
create table governance.deliveries (
    delivery_id bigint generated always as identity primary key,
    dataset text not null,
    artifact_sha256 text not null references governance.artifacts,
    source_name text not null,
    producer text,
    tenant text,
    idempotency_key text,
    received_by text not null default session_user,
    received_at timestamptz not null default clock_timestamp(),
    check (num_nonnulls(producer, tenant, idempotency_key) in (0, 3))
);
create index on governance.deliveries (dataset, artifact_sha256);

create table governance.schema_versions (
    schema_version_id bigint generated always as identity primary key,
    dataset text not null,
    origin text not null check (origin in ('observed', 'contract')),
    shape jsonb not null,
    shape_sha256 text not null check (shape_sha256 ~ '^[0-9a-f]{64}$'),
    contract_version text,
    contract_sha256 text check (contract_sha256 ~ '^[0-9a-f]{64}$'),
    is_current boolean not null default false,
    is_contract boolean not null default false,
    promoted_by text,
    promoted_at timestamptz,
    promotion_reason text check (promotion_reason <> ''),
    recorded_at timestamptz not null default clock_timestamp(),
    check ((origin = 'contract') = (contract_sha256 is not null)),
    check (not is_contract or origin = 'contract'),
    check (not is_current or origin = 'observed'),
    check (num_nonnulls(promoted_by, promoted_at, promotion_reason) in (0, 3)),
    check (not is_contract or promoted_by is not null)
);
comment on table governance.schema_versions is
'append-only history of shapes; the two markers move, each held by a partial unique index';
create unique index schema_versions_one_current
on governance.schema_versions (dataset) where is_current;
create unique index schema_versions_one_contract
on governance.schema_versions (dataset) where is_contract;
create index on governance.schema_versions (dataset, schema_version_id desc);

create function governance.schema_versions_append_only() returns trigger
language plpgsql
as $$
begin
    -- Only the markers may change; everything else of the row stays as it was recorded.
    if to_jsonb(new) - array['is_current', 'is_contract']
        is distinct from to_jsonb(old) - array['is_current', 'is_contract'] then
        raise exception 'governance.schema_versions is append-only'
            using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;
create trigger schema_versions_append_only before update on governance.schema_versions
for each row execute function governance.schema_versions_append_only();
create trigger schema_versions_never_deleted before delete on governance.schema_versions
for each row execute function governance.deliveries_append_only();

-- Why a record was held. Structural: no record at all. Semantic: a record, but not a valid one.
create table governance.quarantine_reasons (
    reason text primary key,
    category text not null check (category in ('structural', 'semantic')),
    description text not null
);

-- Why a whole delivery was rejected or failed.
create table governance.run_reasons (
    reason text primary key,
    description text not null
);

create table governance.runs (
    run_id bigint generated always as identity primary key,
    delivery_id bigint not null references governance.deliveries,
    dataset text not null,
    source_name text not null,
    -- Of a delivery as it arrived, or of its quarantined records once more.
    origin text not null default 'delivery' check (origin in ('delivery', 'reprocess')),
    status text not null check (status in (
        'received', 'landed', 'parsed', 'staged', 'parked', 'accepted', 'duplicate', 'rejected',
        'failed'
    )),
    halted_in text check (halted_in in ('receipt', 'landing', 'parsing', 'governance', 'loading')),
    reason text references governance.run_reasons,
    detail text,
    contract_version text,
    contract_sha256 text,
    schema_version_id bigint references governance.schema_versions,
    observed jsonb,
    rows_read bigint check (rows_read >= 0),
    rows_accepted bigint check (rows_accepted >= 0),
    rows_quarantined bigint check (rows_quarantined >= 0),
    rows_withheld bigint check (rows_withheld >= 0),
    policy_version text,
    policy_sha256 text,
    validation jsonb,
    actor text not null default session_user,
    started_at timestamptz not null default clock_timestamp(),
    finished_at timestamptz,
    constraint runs_halted_in_iff_rejected_or_failed
    check ((status in ('rejected', 'failed')) = (halted_in is not null)),
    constraint runs_reason_where_withheld
    check ((status in ('parked', 'rejected', 'failed')) = (reason is not null)),
    constraint runs_finished_iff_terminal
    check ((status in ('accepted', 'duplicate', 'rejected', 'failed')) = (finished_at is not null)),
    constraint runs_counts_together
    check (num_nonnulls(rows_read, rows_accepted, rows_quarantined, rows_withheld) in (0, 4)),
    -- Withheld rows are good rows of a run that as a whole was not accepted.
    constraint runs_read_is_accepted_plus_quarantined
    check (rows_read = rows_accepted + rows_quarantined + rows_withheld),
    constraint runs_nothing_withheld_where_accepted
    check (status <> 'accepted' or (rows_read is not null and rows_withheld = 0)),
    constraint runs_nothing_accepted_elsewhere
    check (status = 'accepted' or coalesce(rows_accepted, 0) = 0)
);
comment on table governance.runs is 'one attempt at a delivery, and how far it came';
create index on governance.runs (dataset, run_id desc);
create index on governance.runs (delivery_id, run_id desc);
-- A delivery has one run that is not over.
create unique index runs_one_open on governance.runs (delivery_id) where finished_at is null;

create function governance.runs_terminal_is_final() returns trigger
language plpgsql
as $$
begin
    if old.finished_at is not null then
        raise exception 'run % is over', old.run_id using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;
create trigger runs_terminal_is_final before update on governance.runs
for each row execute function governance.runs_terminal_is_final();
create trigger runs_never_deleted before delete on governance.runs
for each row execute function governance.deliveries_append_only();

create table governance.drift_reasons (
    reason text primary key,
    description text not null
);

create table governance.drift_changes (
    drift_id bigint generated always as identity primary key,
    run_id bigint not null references governance.runs,
    delivery_id bigint not null references governance.deliveries,
    dataset text not null,
    kind text not null check (kind in (
        'field_added_nullable', 'field_added_required', 'field_removed', 'type_widened',
        'type_changed', 'nullability_relaxed', 'nullability_tightened', 'field_order_changed'
    )),
    field text not null,
    reason_code text not null references governance.drift_reasons,
    classification text not null check (classification in ('compatible', 'warning', 'breaking')),
    disposition text not null check (disposition in ('auto', 'review', 'block')),
    resolution text not null check (resolution in (
        'applied_automatically', 'parked', 'approved', 'rejected'
    )),
    details jsonb not null default '{}',
    contract_sha256 text not null,
    resulting_contract_sha256 text,
    -- Approved for this delivery alone: what the contract lacks is left out, what it has stays.
    keeps_contract boolean not null default false,
    patch_path text,
    resolved_by text,
    resolved_reason text check (resolved_reason <> ''),
    resolved_at timestamptz,
    expires_at timestamptz,
    recorded_at timestamptz not null default clock_timestamp(),
    unique (run_id, kind, field),
    check (
        (resolution in ('approved', 'rejected')) <= (
            num_nonnulls(resolved_by, resolved_reason, resolved_at) = 3
        )
    )
);
create index on governance.drift_changes (dataset, drift_id desc);

create function governance.drift_changes_classified_once() returns trigger
language plpgsql
as $$
begin
    -- What was classified stays as recorded, whatever the policy says later.
    if (new.run_id, new.dataset, new.kind, new.field, new.reason_code, new.classification,
        new.disposition, new.recorded_at)
        is distinct from (old.run_id, old.dataset, old.kind, old.field, old.reason_code,
        old.classification, old.disposition, old.recorded_at) then
        raise exception 'a recorded classification never changes'
            using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;
create trigger drift_changes_classified_once before update on governance.drift_changes
for each row execute function governance.drift_changes_classified_once();
create trigger drift_changes_never_deleted before delete on governance.drift_changes
for each row execute function governance.deliveries_append_only();

-- Which contract hashes somebody with the right to do so has allowed.
create table governance.contract_approvals (
    approval_id bigint generated always as identity primary key,
    dataset text not null,
    contract_sha256 text not null check (contract_sha256 ~ '^[0-9a-f]{64}$'),
    run_id bigint references governance.runs,
    approved_by text not null,
    reason text not null check (reason <> ''),
    approved_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz
);
create index on governance.contract_approvals (dataset, contract_sha256);
create trigger contract_approvals_append_only before update or delete
on governance.contract_approvals for each row execute function governance.deliveries_append_only();

create table governance.landing_layouts (
    dataset text not null,
    layout integer not null check (layout > 0),
    relation text not null unique,
    columns jsonb not null,
    columns_sha256 text not null check (columns_sha256 ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null default clock_timestamp(),
    primary key (dataset, layout),
    unique (dataset, columns_sha256)
);
comment on table governance.landing_layouts is
'one typed table of landing_rows: the columns and types that contracts of a dataset had';

create table governance.materializations (
    materialization_id bigint generated always as identity primary key,
    dataset text not null,
    delivery_id bigint not null references governance.deliveries,
    run_id bigint not null references governance.runs,
    origin text not null check (origin in ('delivery', 'reprocess')),
    artifact_sha256 text not null references governance.artifacts,
    layout integer not null,
    contract_sha256 text not null,
    schema_version_id bigint references governance.schema_versions,
    rows bigint not null check (rows >= 0),
    provenance jsonb not null,
    accepted_by text not null default session_user,
    accepted_at timestamptz not null default clock_timestamp(),
    foreign key (dataset, layout) references governance.landing_layouts (dataset, layout)
);
comment on table governance.materializations is
'one immutable set of accepted rows: of a delivery, or of quarantined records reprocessed';
-- The same bytes are accepted once for a dataset, whoever races.
create unique index materializations_one_per_artifact
on governance.materializations (dataset, artifact_sha256) where origin = 'delivery';
create index on governance.materializations (dataset, delivery_id desc);
create trigger materializations_immutable before update or delete
on governance.materializations for each row execute function governance.deliveries_append_only();

create table governance.quarantine (
    quarantine_id bigint generated always as identity primary key,
    dataset text not null,
    delivery_id bigint not null references governance.deliveries,
    run_id bigint not null references governance.runs,
    record_number bigint not null check (record_number > 0),
    line_from bigint,
    line_to bigint,
    reason text not null references governance.quarantine_reasons,
    field text,
    raw bytea not null,
    -- Cut at the parser's limit: the whole record is in the artefact.
    raw_truncated boolean not null default false,
    context jsonb not null default '{}',
    state text not null default 'held' check (state in ('held', 'reprocessed', 'discarded')),
    attempts integer not null default 1 check (attempts > 0),
    first_seen timestamptz not null default clock_timestamp(),
    last_seen timestamptz not null default clock_timestamp(),
    materialization_id bigint references governance.materializations,
    pruned_at timestamptz,
    unique (delivery_id, record_number),
    check ((state = 'reprocessed') = (materialization_id is not null)),
    -- Bytes that retention removed cannot be read again.
    check (pruned_at is null or (raw = '' and state <> 'held'))
);
comment on column governance.quarantine.raw is
'the bytes of the record as delivered; readable by tidegate_operator only';
comment on column governance.quarantine.context is
'what reading the record again needs (the header of its file as column names); never a value';
create index on governance.quarantine (dataset, state, quarantine_id);
create index on governance.quarantine (run_id);
create trigger quarantine_never_deleted before delete on governance.quarantine
for each row execute function governance.deliveries_append_only();

-- Every failure of a record at every attempt, and what people did about it.
create table governance.quarantine_events (
    quarantine_event_id bigint generated always as identity primary key,
    quarantine_id bigint not null references governance.quarantine,
    event text not null check (
        event in ('held', 'held_again', 'reprocessed', 'discarded', 'pruned')
    ),
    run_id bigint references governance.runs,
    reason text references governance.quarantine_reasons,
    field text,
    actor text not null default session_user,
    note text,
    contract_sha256 text,
    happened_at timestamptz not null default clock_timestamp(),
    check (event not in ('held', 'held_again') or reason is not null),
    check (event not in ('discarded', 'pruned') or note <> '')
);
create index on governance.quarantine_events (quarantine_id);
create trigger quarantine_events_append_only before update or delete
on governance.quarantine_events for each row execute function governance.deliveries_append_only();

-- A value outside a closed enum of the source: the cell is null, the row stays.
create table governance.enum_quarantine (
    dataset text not null,
    delivery_id bigint not null references governance.deliveries,
    record_number bigint not null,
    field text not null,
    reason text not null default 'not_in_enum' references governance.quarantine_reasons,
    source_value text,
    run_id bigint not null references governance.runs,
    quarantined_at timestamptz not null default clock_timestamp(),
    pruned_at timestamptz,
    check ((source_value is null) = (pruned_at is not null)),
    primary key (dataset, delivery_id, record_number, field)
);

-- Nothing of a held dataset (delivery_id null: all of it) or delivery is ever pruned.
create table governance.delivery_holds (
    hold_id bigint generated always as identity primary key,
    dataset text not null,
    delivery_id bigint references governance.deliveries,
    holder text not null,
    reason text not null check (reason <> ''),
    placed_at timestamptz not null default clock_timestamp(),
    released_at timestamptz,
    released_by text,
    release_reason text check (release_reason <> ''),
    check (num_nonnulls(released_at, released_by, release_reason) in (0, 3))
);
create index on governance.delivery_holds (dataset) where released_at is null;

-- What retention removed, from which delivery, who decided and why.
create table governance.delivery_prunings (
    pruning_id bigint generated always as identity primary key,
    kind text not null check (kind in ('stage', 'quarantine', 'rows', 'artifact')),
    dataset text not null,
    delivery_id bigint not null references governance.deliveries,
    run_id bigint references governance.runs,
    artifact_sha256 text references governance.artifacts,
    records bigint not null check (records >= 0),
    bytes bigint not null check (bytes >= 0),
    pruned_by text not null,
    reason text not null check (reason <> ''),
    pruned_at timestamptz not null default clock_timestamp(),
    check ((kind = 'artifact') = (artifact_sha256 is not null)),
    check ((kind = 'stage') = (run_id is not null))
);
create index on governance.delivery_prunings (delivery_id);
create trigger delivery_prunings_append_only before update or delete
on governance.delivery_prunings for each row execute function governance.deliveries_append_only();

-- The quarantine without values, for everybody who may look at the ledger.
create view governance.quarantine_index as
select
    q.quarantine_id,
    q.dataset,
    q.delivery_id,
    q.run_id,
    q.record_number,
    q.line_from,
    q.line_to,
    q.reason,
    r.category,
    q.field,
    q.state,
    q.attempts,
    q.first_seen,
    q.last_seen,
    q.materialization_id,
    octet_length(q.raw) as raw_bytes
from governance.quarantine as q
inner join governance.quarantine_reasons as r on r.reason = q.reason;

create view governance.enum_quarantine_index as
select dataset, delivery_id, record_number, field, reason, run_id, quarantined_at
from governance.enum_quarantine;

-- The quarantine rate of every run whose records were counted; null where nothing was read.
create view governance.quarantine_rates as
select
    run_id,
    dataset,
    delivery_id,
    status,
    started_at,
    rows_read,
    rows_quarantined,
    round(rows_quarantined::numeric / nullif(rows_read, 0), 6) as quarantine_rate
from governance.runs
where rows_read is not null and origin = 'delivery';

-- Whether the server takes a text as a value of a type. pg_input_is_valid exists from 16 on only.
create function governance.is_value(given text, type_name text) returns boolean
language plpgsql stable
as $$
begin
    if given is not null then
        execute format('select ($1)::%s', type_name) using given;
    end if;
    return true;
exception when others then
    return false;
end
$$;

create table governance.landing_views (
    dataset text primary key,
    definition_sha256 text not null,
    made_at timestamptz not null default clock_timestamp()
);

-- The reasons of tidegate.deliveries.reasons and tidegate.deliveries.vocabulary.
insert into governance.quarantine_reasons (reason, category, description) values
    ('empty_file', 'structural', 'The file has no bytes.'),
    ('encoding_mismatch', 'structural', 'The file as a whole is not in the encoding that the contract declares.'),
    ('compressed_unexpectedly', 'structural', 'The bytes are an archive, and the file''s name does not say so.'),
    ('archive_expected', 'structural', 'The file''s name says gzip, and its bytes are not.'),
    ('truncated_archive', 'structural', 'The archive ends before its end.'),
    ('corrupt_archive', 'structural', 'The archive''s bytes or checksum are wrong.'),
    ('expansion_cap', 'structural', 'The archive expands to more than the contract allows.'),
    ('malformed_header', 'structural', 'The header line cannot be read as a record.'),
    ('duplicate_header', 'structural', 'Two columns of the header have the same name.'),
    ('header_collision', 'structural', 'Two names of the header differ only in case, spaces or Unicode form.'),
    ('blank_header', 'structural', 'A column of the header has no name.'),
    ('header_mismatch', 'structural', 'No name of the header is a column of the contract.'),
    ('records_not_found', 'structural', 'The document has no array of records where the contract says.'),
    ('invalid_document', 'structural', 'The document as a whole is not JSON.'),
    ('too_few_fields', 'structural', 'The record has fewer fields than the header or the contract.'),
    ('too_many_fields', 'structural', 'The record has more fields than the header or the contract.'),
    ('unterminated_quote', 'structural', 'A quote is opened and not closed within the record.'),
    ('text_after_quote', 'structural', 'Text stands between a closing quote and the next delimiter.'),
    ('quote_in_field', 'structural', 'A quote stands inside a field that does not begin with one.'),
    ('dangling_escape', 'structural', 'The escape character is the last of the record.'),
    ('invalid_encoding', 'structural', 'Bytes of the record are not text in the declared encoding.'),
    ('nul_byte', 'structural', 'The record holds U+0000, which no text can hold.'),
    ('field_too_large', 'structural', 'A field or the whole record is larger than the limit.'),
    ('invalid_json', 'structural', 'The record is not strict JSON.'),
    ('duplicate_key', 'structural', 'An object has the same member twice.'),
    ('lone_surrogate', 'structural', 'A string holds half of a surrogate pair, which is not text.'),
    ('nested_too_deeply', 'structural', 'The record''s JSON is nested deeper than the limit.'),
    ('not_an_object', 'structural', 'The record is JSON, but not an object with members.'),
    ('missing_required', 'semantic', 'A required field is null, absent or empty by the null tokens.'),
    ('invalid_integer', 'semantic', 'The value is not an integer.'),
    ('invalid_number', 'semantic', 'The value is not a number as the contract writes them.'),
    ('non_finite', 'semantic', 'The value is NaN or infinite, and the contract does not allow it.'),
    ('leading_zero', 'semantic', 'A leading zero would be lost: the value is an identifier, not a number.'),
    ('out_of_range', 'semantic', 'The value does not fit the type without loss: size, digits or date.'),
    ('too_long', 'semantic', 'The text is longer than its type.'),
    ('invalid_boolean', 'semantic', 'The value is none of the declared boolean tokens.'),
    ('invalid_date', 'semantic', 'The value is not a date in the declared format.'),
    ('invalid_timestamp', 'semantic', 'The value is not a timestamp in the declared format.'),
    ('missing_timezone', 'semantic', 'The timestamp has no zone, and the contract declares none.'),
    ('unexpected_timezone', 'semantic', 'The timestamp has a zone that its type would drop.'),
    ('invalid_time', 'semantic', 'The value is not a time of day.'),
    ('invalid_value', 'semantic', 'The server does not take the text as a value of the declared type.'),
    ('invalid_uuid', 'semantic', 'The value is not a UUID.'),
    ('invalid_bytes', 'semantic', 'The value is not hexadecimal bytes.'),
    ('invalid_json_value', 'semantic', 'The value of a json column is not strict JSON.'),
    ('pattern_mismatch', 'semantic', 'The text is not of the declared pattern.'),
    ('excel_date', 'semantic', 'The text is not of the declared pattern, and looks like a spreadsheet''s date.'),
    ('excel_exponent', 'semantic', 'The text is not of the declared pattern, and looks like a spreadsheet''s long number.'),
    ('invisible_character', 'semantic', 'The text is not of the declared pattern, with invisible characters or outer blanks.'),
    ('not_in_enum', 'semantic', 'The value is outside the closed set; the row stays, the field becomes null.');

insert into governance.run_reasons (reason, description) values
    ('empty_file', 'The file has no bytes.'),
    ('encoding_mismatch', 'The file as a whole is not in the encoding that the contract declares.'),
    ('compressed_unexpectedly', 'The bytes are an archive, and the file''s name does not say so.'),
    ('archive_expected', 'The file''s name says gzip, and its bytes are not.'),
    ('truncated_archive', 'The archive ends before its end.'),
    ('corrupt_archive', 'The archive''s bytes or checksum are wrong.'),
    ('expansion_cap', 'The archive expands to more than the contract allows.'),
    ('malformed_header', 'The header line cannot be read as a record.'),
    ('duplicate_header', 'Two columns of the header have the same name.'),
    ('header_collision', 'Two names of the header differ only in case, spaces or Unicode form.'),
    ('blank_header', 'A column of the header has no name.'),
    ('header_mismatch', 'No name of the header is a column of the contract.'),
    ('records_not_found', 'The document has no array of records where the contract says.'),
    ('invalid_document', 'The document as a whole is not JSON.'),
    ('interrupted', 'The process that ran it ended before the run did.'),
    ('contract_unpromoted', 'Nobody promoted the contract that the checked-in YAML declares.'),
    ('drift_parked', 'A schema change of the delivery waits for approve or reject.'),
    ('drift_blocked', 'The drift policy refuses a schema change of the delivery.'),
    ('drift_rejected', 'Somebody rejected a schema change of the delivery.'),
    ('still_held', 'None of the quarantined records conforms yet.'),
    ('policy_failed', 'A rule of the quality policy with severity error failed.'),
    ('policy_not_evaluated', 'A rule of the quality policy could not be evaluated.'),
    ('empty_snapshot', 'No record of a snapshot conforms, and no rule allows an empty one.'),
    ('view_has_dependents', 'The columns of the landing view change, and other relations are built on it.'),
    ('server_error', 'The server refused a statement.'),
    ('storage_error', 'The artefact could not be stored or read.');

-- The reasons of tidegate.contracts.reasons.
insert into governance.drift_reasons (reason, description) values
    ('widening_lossless', 'Every value keeps its meaning and its text under the other type.'),
    ('unknown_resolved', 'A column of unknown type has one now.'),
    ('narrowing', 'There are values that the other type cannot hold.'),
    ('precision_loss', 'Digits would be rounded away: scale, fraction of a second, binary floats.'),
    ('length_changed', 'There are texts that are too long for the other type.'),
    ('fraction_widened', 'Only the digits after the second differ, and none is lost.'),
    ('representation_changed', 'The same fact, written differently: a number as text, json as jsonb, padded text.'),
    ('meaning_changed', 'The values would say something else: a truth value as a number, a number as a date.'),
    ('timezone_changed', 'A moment against a reading of a clock.'),
    ('leading_zero_coercion_blocked', 'Values such as 00123 arrived where the contract says a number.'),
    ('low_confidence', 'Too few values support the observed type.'),
    ('domain_over_base', 'A domain over the very type that the contract declares.'),
    ('nullable_added', 'A column that may be null was added.'),
    ('required_added', 'A column without nulls was added.'),
    ('sensitive_looking_added', 'A new column whose name looks like data about persons or a secret.'),
    ('undocumented_column', 'The relation has a column that its contract does not mention.'),
    ('removed', 'The contract''s column is not there.'),
    ('possible_rename', 'A column went and one like it came: a hint, never acted upon.'),
    ('name_case_differs', 'The names differ in upper and lower case only; names are exact.'),
    ('nullability_relaxed', 'Nulls are possible where the contract has none.'),
    ('nullability_tightened', 'Nulls are not possible where the contract allows them.'),
    ('order_changed', 'The same columns stand in another order.'),
    ('relation_missing', 'There is no such relation, or it has no columns: nothing was compared.'),
    ('introspection_incomplete', 'The role cannot see everything: nothing was compared, nothing is known to have drifted.');
