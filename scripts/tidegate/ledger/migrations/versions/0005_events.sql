-- Ledger version 0005: events for the world outside, the roles' rights, and masking.

-- An event is written in the transaction it tells of, and sent later. `position` is drawn at the
-- very end of that transaction, under a lock that lasts until it is committed: positions are in the
-- order of the commits, and whoever sees an event sees every earlier one. (Drawn at the insert, two
-- overlapping transactions could commit the other way round; held from the insert on, the lock
-- would make publications wait for each other's work.)
create table governance.outbox_events (
    event_id uuid primary key default gen_random_uuid(),
    position bigint unique,
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

create sequence governance.outbox_position owned by governance.outbox_events.position;

-- With its owner's rights: who may write an event need not be allowed to number it otherwise.
create function governance.number_outbox_event() returns trigger
language plpgsql security definer set search_path = pg_catalog as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('tidegate outbox order', 0));
    update governance.outbox_events set position = nextval('governance.outbox_position')
    where event_id = new.event_id and position is null;
    return null;
end
$$;
create constraint trigger number_outbox_event after insert on governance.outbox_events
    deferrable initially deferred
    for each row execute function governance.number_outbox_event();

-- What exhausted its attempts: kept, joined to its publication or run through the event, and sent
-- again on demand. An event can die more than once; each death is a row.
create table governance.dead_letters (
    dead_letter_id bigint generated always as identity primary key,
    event_id uuid not null references governance.outbox_events,
    attempts integer not null check (attempts > 0),
    last_error text not null,
    died_at timestamptz not null default clock_timestamp(),
    resent_at timestamptz,
    resent_by text check (resent_by <> ''),
    resent_reason text check (resent_reason <> ''),
    check (num_nonnulls(resent_at, resent_by, resent_reason) in (0, 3))
);
create unique index dead_letters_one_unresent
    on governance.dead_letters (event_id) where resent_at is null;

create function governance.dead_letter_is_kept() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if tg_op = 'UPDATE' and old.resent_at is null
        and (new.dead_letter_id, new.event_id, new.attempts, new.last_error, new.died_at)
        is not distinct from
        (old.dead_letter_id, old.event_id, old.attempts, old.last_error, old.died_at) then
        return new;
    end if;
    raise exception 'a dead letter is kept as it was'
        using errcode = 'restrict_violation', hint = 'It can be sent again, once.';
end
$$;
create trigger dead_letter_is_kept before update or delete on governance.dead_letters
    for each row execute function governance.dead_letter_is_kept();
create trigger dead_letters_never_truncated before truncate on governance.dead_letters
    for each statement execute function governance.refuse_change();

create view governance.dead_letter_index as
select
    d.dead_letter_id, d.event_id, e.topic, e.subject, e.owner, e.source, e.publication_id,
    p.reference, d.attempts, d.last_error, d.died_at, d.resent_at, d.resent_by, d.resent_reason
from governance.dead_letters d
join governance.outbox_events e using (event_id)
left join governance.publications p using (publication_id);

-- Masking. A schema of its own: everybody executes these functions through the views of `query`,
-- but only the publisher, who makes the views, has USAGE of the schema: no reader can name them,
-- hash guesses and compare. The key never leaves the table: only
-- `hashed` reads it, with its owner's rights, and its body shows nothing of it.
create schema masking;

create table masking.keys (
    only_one boolean primary key default true check (only_one),
    inner_pad bytea not null check (octet_length(inner_pad) = 64),
    outer_pad bytea not null check (octet_length(outer_pad) = 64)
);
revoke all on masking.keys from public;

-- The two padded keys of HMAC (RFC 2104) from 32 random bytes. gen_random_uuid draws from the
-- server's strong random source (122 bits a call); the key itself is not kept.
do $$
declare
    secret bytea := sha256(
        uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    );
    inner_pad bytea := decode(repeat('36', 64), 'hex');
    outer_pad bytea := decode(repeat('5c', 64), 'hex');
begin
    for place in 0..31 loop
        inner_pad := set_byte(inner_pad, place, get_byte(inner_pad, place) # get_byte(secret, place));
        outer_pad := set_byte(outer_pad, place, get_byte(outer_pad, place) # get_byte(secret, place));
    end loop;
    insert into masking.keys (inner_pad, outer_pad) values (inner_pad, outer_pad);
end
$$;

-- The text of a value, the same in every session. It runs with the reader's rights: a type's own
-- output function gets no one else's.
create function masking.as_text(value anyelement) returns text
language plpgsql stable strict parallel safe
set search_path = pg_catalog
set timezone = 'UTC' set datestyle = 'ISO, YMD' set intervalstyle = 'postgres'
set extra_float_digits = 1 set bytea_output = 'hex' as $$
begin
    return value::text;
end
$$;

create function masking.hashed(value text) returns text
language plpgsql stable strict parallel safe security definer
set search_path = pg_catalog as $$
begin
    return (
        select encode(
            sha256(k.outer_pad || sha256(k.inner_pad || convert_to(value, 'UTF8'))), 'hex')
        from masking.keys k
    );
end
$$;

create function masking.redacted(value text) returns text
language sql immutable strict parallel safe as $$ select 'REDACTED' $$;

-- The last quarter of the text, four characters at most; nothing of a text of fewer than eight, and
-- nothing of its length.
create function masking.partial(value text) returns text
language sql immutable strict parallel safe
return '***' || case when char_length(value) < 8 then ''
    else right(value, least(4, char_length(value) / 4)) end;

-- Whether the reader sees masked columns in clear. The session's own login has to be a member of
-- the unmasking role, and the role in effect has to have its rights: neither SET ROLE nor a
-- SECURITY DEFINER function of somebody else unmasks, and SET ROLE to an ordinary reader masks.
create function masking.may_unmask() returns boolean
language sql stable parallel restricted
return pg_has_role(session_user, 'tidegate_unmasked', 'member')
    and pg_has_role(current_user, 'tidegate_unmasked', 'usage');

-- The rights of the roles, as data: what a role may do with the objects whose schema and name match.
-- `columns_except` are the columns that hold values of records. With the object `role`, the role is a
-- member of the one that `schema_pattern` names: whoever works here reads the published views as readers
-- do, so that a view's own grants name the reader and nobody else.
create table governance.role_rights (
    role text not null,
    object text not null check (object in ('database', 'schema', 'relation', 'role')),
    schema_pattern text not null default '',
    name_pattern text not null default '.*',
    privileges text[] not null check (cardinality(privileges) > 0),
    columns_except text[] not null default '{}',
    primary key (role, object, schema_pattern, name_pattern)
);

insert into governance.role_rights (role, object, schema_pattern, privileges) values
    ('tidegate_loader', 'schema', 'landing|landing_rows|landing_stage', '{usage,create}'),
    ('tidegate_loader', 'relation', 'landing|landing_rows|landing_stage', '{select,insert,update}'),
    ('tidegate_loader', 'schema', 'governance|provenance', '{usage}'),
    ('tidegate_loader', 'relation', 'provenance', '{select,insert}'),

    ('tidegate_transformer', 'database', '', '{create}'),
    ('tidegate_transformer', 'schema', 'staging|evidence|resolution|canonical|provenance', '{usage,create}'),
    ('tidegate_transformer', 'schema', 'landing|curation|governance', '{usage}'),
    ('tidegate_transformer', 'relation',
        'landing|staging|evidence|resolution|curation|canonical|provenance', '{select}'),
    ('tidegate_transformer', 'role', 'tidegate_reader', '{member}'),

    ('tidegate_publisher', 'database', '', '{create}'),
    ('tidegate_publisher', 'schema', 'query', '{usage,create}'),
    ('tidegate_publisher', 'schema',
        'landing|staging|evidence|resolution|curation|canonical|provenance|governance'
        '|masking|.*__(candidate|serving|g[0-9]+)', '{usage}'),
    ('tidegate_publisher', 'relation',
        'landing|staging|evidence|resolution|curation|canonical'
        '|.*__(candidate|serving|g[0-9]+)', '{select}'),
    ('tidegate_publisher', 'relation', 'provenance', '{select,insert}'),
    ('tidegate_publisher', 'role', 'tidegate_reader', '{member}'),

    ('tidegate_operator', 'schema',
        'landing|landing_rows|landing_stage|staging|evidence|resolution|curation|canonical'
        '|provenance|governance|.*__(candidate|serving|g[0-9]+)', '{usage}'),
    ('tidegate_operator', 'relation',
        'landing|staging|evidence|resolution|curation|canonical|provenance'
        '|.*__(candidate|serving|g[0-9]+)', '{select}'),
    ('tidegate_operator', 'relation', 'landing_rows|landing_stage', '{select,insert,update,delete}'),
    ('tidegate_operator', 'role', 'tidegate_reader', '{member}'),

    ('tidegate_curator', 'schema', 'curation', '{usage,create}'),
    ('tidegate_curator', 'relation', 'curation', '{select,insert,update,delete}'),
    ('tidegate_curator', 'role', 'tidegate_reader', '{member}'),

    ('tidegate_reader', 'schema', 'query|governance', '{usage}'),
    ('tidegate_reader', 'relation', 'query', '{select}');

-- The ledger's own tables: records' values stand in three of them, for the operator alone; policies
-- are everybody's; the rights themselves are nobody's to change.
insert into governance.role_rights (role, object, schema_pattern, name_pattern, privileges)
select role, 'relation', 'governance',
    '(?!(quarantine|enum_quarantine|gate_examples|role_rights|ledger_version)$).*', privileges
from (values
    ('tidegate_loader', '{select,insert,update}'::text[]),
    ('tidegate_publisher', '{select,insert,update}'),
    ('tidegate_operator', '{select,insert,update}'),
    ('tidegate_transformer', '{select}')
) as ledger (role, privileges)
union all
select role, 'relation', 'governance', 'role_rights|ledger_version', '{select}'
from unnest(array[
    'tidegate_loader', 'tidegate_publisher', 'tidegate_operator', 'tidegate_transformer'
]) as role
union all
select 'tidegate_operator', 'relation', 'governance', 'quarantine|enum_quarantine|gate_examples',
    '{select,insert,update}'
union all
select role, 'relation', 'governance', 'quality_policies', '{select}'
from unnest(array['tidegate_reader']) as role
union all
select 'tidegate_publisher', 'relation', 'governance', 'gate_examples', '{insert}';

insert into governance.role_rights
    (role, object, schema_pattern, name_pattern, privileges, columns_except)
values
    ('tidegate_publisher', 'relation', 'governance', 'serving_views', '{delete}', '{}'),
    ('tidegate_loader', 'relation', 'governance', 'quarantine|enum_quarantine',
        '{insert,update}', '{}'),
    ('tidegate_loader', 'relation', 'governance', '(quarantine|enum_quarantine)',
        '{select}', '{raw,source_value}');

-- What is declared and not there yet, one statement for each; `possible` says whether the connected
-- role may run it. Effective rights count: what PUBLIC or an outer role has needs no grant.
create view governance.missing_grants as
with wanted as (
    select r.role, r.object, r.privileges, r.columns_except, n.oid as schema_oid, n.nspname,
        n.nspowner, c.oid as relation_oid, c.relname, c.relowner
    from governance.role_rights r
    join pg_catalog.pg_roles known on known.rolname = r.role
    left join pg_catalog.pg_namespace n
        on r.object <> 'database' and n.nspname ~ ('^(' || r.schema_pattern || ')$')
    left join pg_catalog.pg_class c
        on r.object = 'relation' and c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and c.relname ~ ('^(' || r.name_pattern || ')$')
    where r.object = 'database' or (n.oid is not null and r.object = 'schema') or c.oid is not null
),
lacking as (
    select w.*, wish.privilege, wish.names as column_names
    from wanted w
    cross join lateral (
        select p as privilege, null::text as names, case w.object
            when 'database' then has_database_privilege(w.role, current_database(), p)
            when 'schema' then has_schema_privilege(w.role, w.schema_oid, p)
            else has_table_privilege(w.role, w.relation_oid, p) end as had
        from unnest(w.privileges) as p
        where w.columns_except = '{}'
        union all
        select p, string_agg(quote_ident(a.attname), ', ' order by a.attnum),
            bool_and(has_column_privilege(w.role, w.relation_oid, a.attnum, p))
        from unnest(w.privileges) as p
        join pg_catalog.pg_attribute a on a.attrelid = w.relation_oid
            and a.attnum > 0 and not a.attisdropped and a.attname <> all (w.columns_except)
        where w.columns_except <> '{}'
        group by p
    ) as wish
    where not wish.had
)
select
    role,
    nspname as schema_name,
    named.object,
    string_agg(privilege, ', ' order by privilege) as privileges,
    format('grant %s on %s to %I',
        string_agg(privilege || coalesce(' (' || column_names || ')', ''), ', ' order by privilege),
        named.object, role) as statement,
    pg_has_role(current_user, case lacking.object
        when 'database' then
            (select datdba from pg_catalog.pg_database where datname = current_database())
        when 'schema' then nspowner
        else relowner end, 'usage') as possible
from lacking
cross join lateral (
    select case lacking.object
        when 'database' then format('database %I', current_database())
        when 'schema' then format('schema %I', nspname)
        else format('%I.%I', nspname, relname) end as object
) as named
group by role, lacking.object, named.object, nspname, nspowner, relowner
union all
select r.role, null, format('role %I', g.rolname), 'member',
    format('grant %I to %I', g.rolname, r.role),
    -- Until PostgreSQL 15 CREATEROLE is enough; since 16 it gives the option on what one created.
    pg_has_role(current_user, g.oid, 'member with admin option')
        or (current_setting('server_version_num')::integer < 160000 and exists (
            select from pg_catalog.pg_roles me where me.rolname = current_user and me.rolcreaterole))
from governance.role_rights r
join pg_catalog.pg_roles known on known.rolname = r.role
join pg_catalog.pg_roles g on g.rolname = r.schema_pattern
where r.object = 'role' and not pg_has_role(known.oid, g.oid, 'member');

-- What refuses deletes row by row refuses to be emptied as well.
do $$
declare
    kept regclass;
begin
    for kept in
        select distinct t.tgrelid::regclass from pg_trigger t
        join pg_class c on c.oid = t.tgrelid
        where c.relnamespace in ('governance'::regnamespace, 'provenance'::regnamespace)
            and not t.tgisinternal and t.tgtype & 8 <> 0
            and not exists (
                select from pg_trigger u where u.tgrelid = t.tgrelid and u.tgtype & 32 <> 0
            )
    loop
        execute format('create trigger never_truncated before truncate on %s'
            ' for each statement execute function governance.refuse_change()', kept);
    end loop;
end
$$;

-- Give what is missing and possible, in one schema or everywhere; returns how many statements that
-- took. Grants of several sessions at once fail with "tuple concurrently updated", so they wait for
-- each other; where nothing is missing nothing is locked. An object that somebody drops or alters
-- meanwhile is left for the next call.
create function governance.apply_grants(only_schema text default null) returns integer
language plpgsql set search_path = pg_catalog as $$
declare
    missing record;
    given integer := 0;
begin
    if not exists (
        select from governance.missing_grants
        where possible and (only_schema is null or schema_name = only_schema)
    ) then
        return 0;
    end if;
    perform pg_advisory_xact_lock(hashtextextended('tidegate grants', 0));
    for missing in
        select statement from governance.missing_grants
        where possible and (only_schema is null or schema_name = only_schema)
        order by statement
    loop
        begin
            execute missing.statement;
            given := given + 1;
        exception
            when undefined_table or undefined_column or invalid_schema_name
                or insufficient_privilege or lock_not_available or unique_violation or internal_error
            then
                null;
        end;
    end loop;
    return given;
end
$$;
select governance.apply_grants();
