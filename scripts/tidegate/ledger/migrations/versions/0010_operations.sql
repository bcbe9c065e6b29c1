-- Ledger version 0010: operations.

insert into governance.run_reasons (reason, description) values
    ('key_used', 'Another request was published under the producer''s idempotency key meanwhile.');

-- Stages belong to the loader that made them: an operator who prunes empties them.
delete from governance.role_rights
where role = 'tidegate_operator' and object = 'relation' and schema_pattern = 'landing_rows|landing_stage';
insert into governance.role_rights (role, object, schema_pattern, privileges) values
    ('tidegate_operator', 'relation', 'landing_rows', '{select,insert,update,delete}'),
    ('tidegate_operator', 'relation', 'landing_stage', '{select,insert,update,delete,truncate}');
