-- What is written about one relation: its comment, its columns' comments, the columns of its key
-- (the primary key, else the first unique index over plain columns that are never null).
-- Parameters: schema, relation (names, at most 63 bytes each).
with
    relation as (
        select pg_class.oid
        from pg_catalog.pg_class
        inner join pg_catalog.pg_namespace on pg_namespace.oid = pg_class.relnamespace
        where pg_namespace.nspname = %(schema)s and pg_class.relname = %(relation)s
    ),
    keys as (
        select pg_index.indkey::pg_catalog.int2[] as columns
        from pg_catalog.pg_index
        inner join relation on relation.oid = pg_index.indrelid
        where
            pg_index.indisunique
            and pg_index.indisvalid
            and pg_index.indpred is null
            and pg_index.indexprs is null
            and pg_index.indnkeyatts = pg_index.indnatts
            and not exists (
                select 1
                from pg_catalog.pg_attribute
                where
                    pg_attribute.attrelid = pg_index.indrelid
                    and pg_attribute.attnum = any(pg_index.indkey)
                    and not pg_attribute.attnotnull
            )
        order by pg_index.indisprimary desc, pg_index.indexrelid
        limit 1
    )
select
    pg_catalog.obj_description(relation.oid, 'pg_class') as comment,
    array(
        select pg_attribute.attname::pg_catalog.text
        from keys
        cross join unnest(keys.columns)
        with ordinality as part(number, place)
        inner join
            pg_catalog.pg_attribute
            on pg_attribute.attrelid = relation.oid
            and pg_attribute.attnum = part.number
        order by part.place
    ) as key,
    (
        select pg_catalog.jsonb_object_agg(pg_attribute.attname, pg_description.description)
        from pg_catalog.pg_description
        inner join
            pg_catalog.pg_attribute
            on pg_attribute.attrelid = pg_description.objoid
            and pg_attribute.attnum = pg_description.objsubid
        where
            pg_description.objoid = relation.oid
            and pg_description.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
            and pg_description.objsubid > 0
    ) as columns
from relation
