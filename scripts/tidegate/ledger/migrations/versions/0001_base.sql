-- Ledger version 0001: the schemas of every layer, and the roles of design §7.
-- Roles belong to the whole server: two databases may be upgraded at once, hence the exceptions.
do $$
declare
    role_name text;
begin
    foreach role_name in array array[
        'tidegate_loader', 'tidegate_transformer', 'tidegate_publisher', 'tidegate_operator',
        'tidegate_reader', 'tidegate_curator', 'tidegate_unmasked'
    ] loop
        begin
            if not exists (select from pg_catalog.pg_roles where rolname = role_name) then
                execute format('create role %I nologin', role_name);
            end if;
        exception when duplicate_object or unique_violation then
            null;
        end;
    end loop;
end
$$;

create schema if not exists landing;
create schema if not exists staging;
create schema if not exists evidence;
create schema if not exists resolution;
create schema if not exists curation;
create schema if not exists canonical;
create schema if not exists query;
create schema if not exists provenance;
