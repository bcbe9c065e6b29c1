-- Ledger version 0009: what gates read from rows, for the operator alone (design §7).

-- Values and quotes that the seed asks gates to tell, of columns whose contract calls them public. They
-- stand nowhere else. An example belongs to the generation that was judged, or to the newest
-- `check --keep-examples` of its family (`generation` null); it goes with that and not before.
create table governance.gate_examples (
    example_id bigint generated always as identity primary key,
    family text not null check (family <> ''),
    generation integer,
    gate_id text not null check (gate_id <> ''),
    asset text not null check (asset <> ''),
    row_key text,
    level text not null check (level in ('block', 'warn')),
    reason text not null check (reason <> ''),
    "values" jsonb not null check (jsonb_typeof("values") = 'object' and "values" <> '{}'),
    kept_by text not null default session_user,
    kept_at timestamptz not null default clock_timestamp(),
    foreign key (family, generation) references governance.generations
);
create index on governance.gate_examples (gate_id, asset);
create index on governance.gate_examples (family, generation);

create function governance.gate_example_is_kept() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if tg_op = 'DELETE' and (
        old.generation is null
        or exists (
            select from governance.generations as g
            where (g.family, g.generation) = (old.family, old.generation) and g.state = 'pruned'
        )
    ) then
        return old;
    end if;
    raise exception 'an example is kept as it was while its generation is'
        using errcode = 'restrict_violation', hint = '`tidegate prune` removes both.';
end
$$;
create trigger gate_example_is_kept before update or delete on governance.gate_examples
    for each row execute function governance.gate_example_is_kept();
create trigger gate_examples_never_truncated before truncate on governance.gate_examples
    for each statement execute function governance.refuse_change();

-- The publisher writes them, removes those of a generation that it has pruned, and reads of them only
-- whose they are; the operator reads them.
update governance.role_rights set name_pattern = 'quarantine|enum_quarantine'
where (role, object, schema_pattern, name_pattern) = (
    'tidegate_operator', 'relation', 'governance', 'quarantine|enum_quarantine|gate_examples'
);
update governance.role_rights set privileges = '{insert,delete}'
where (role, object, schema_pattern, name_pattern) = (
    'tidegate_publisher', 'relation', 'governance', 'gate_examples'
);
insert into governance.role_rights
    (role, object, schema_pattern, name_pattern, privileges, columns_except)
values (
    'tidegate_publisher', 'relation', 'governance', '(gate_examples)', '{select}',
    '{example_id,gate_id,asset,row_key,level,reason,values,kept_by,kept_at}'
);
insert into governance.role_rights (role, object, schema_pattern, name_pattern, privileges)
values ('tidegate_operator', 'relation', 'governance', 'gate_examples', '{select,insert,delete}');
select governance.apply_grants();
