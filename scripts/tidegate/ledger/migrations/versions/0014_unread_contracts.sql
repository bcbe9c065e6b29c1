-- Ledger version 0014: a contract that no reader has seen is nobody's to allow.

-- A contract that readers depend on is replaced by an operator: that of a model with a view, or with a
-- part in a view over all families. In a served family too a model may never have been published.
create or replace function governance.model_marker_is_promoted() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if exists (
        select from governance.serving_views v where v.family = new.family and v.model = new.model
    ) or exists (
        select from governance.generation_models m
        inner join governance.serving_heads h
            on h.family = m.family and h.generation = m.generation
        where m.family = new.family and m.model = new.model
    ) then
        perform governance.require_member('{tidegate_operator}', 'promoting a contract');
    end if;
    return new;
end
$$;
