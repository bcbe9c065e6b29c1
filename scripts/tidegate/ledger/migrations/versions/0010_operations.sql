-- Ledger version 0010: operations.

insert into governance.run_reasons (reason, description) values
    ('key_used', 'Another request was published under the producer''s idempotency key meanwhile.'),
    ('still_hidden', 'None of the rows that the contract hides conforms to it.');

-- Rows of an older layout that were read again into another one: views show the newer of the two.
create table governance.rematerializations (
    materialization_id bigint not null references governance.materializations,
    dataset text not null,
    from_layout integer not null,
    layout integer not null,
    rows bigint not null check (rows > 0),
    taken_up_by text not null,
    taken_up_at timestamptz not null default clock_timestamp(),
    primary key (materialization_id, from_layout),
    foreign key (dataset, from_layout) references governance.landing_layouts (dataset, layout),
    foreign key (dataset, layout) references governance.landing_layouts (dataset, layout),
    check (from_layout <> layout)
);
create index on governance.rematerializations (dataset, from_layout);
call governance.make_append_only('governance.rematerializations');

-- Stages belong to the loader that made them: an operator who prunes empties them.
delete from governance.role_rights
where role = 'tidegate_operator' and object = 'relation' and schema_pattern = 'landing_rows|landing_stage';
insert into governance.role_rights (role, object, schema_pattern, privileges) values
    ('tidegate_operator', 'relation', 'landing_rows', '{select,insert,update,delete}'),
    ('tidegate_operator', 'relation', 'landing_stage', '{select,insert,update,delete,truncate}');

-- At which of an owner's several sinks an event has arrived, while it waits for the others.
create table governance.outbox_arrivals (
    event_id uuid not null references governance.outbox_events,
    sink text not null check (sink <> ''),
    arrived_at timestamptz not null default clock_timestamp(),
    primary key (event_id, sink)
);
comment on column governance.outbox_arrivals.sink is
'the name of the sink in tidegate.yml, or its kind and a hash of its target';
call governance.make_append_only('governance.outbox_arrivals');
