-- What in this warehouse rests on the answer of a model.
with
    uses as (select * from {{ ref("inference_uses") }}),

    final as (
        select
            uses.target_relation,
            uses.target_key,
            uses.task_id,
            uses.contract_revision,
            uses.high_impact,
            uses.owner,
            uses.model_name,
            uses.transport,
            uses.request_key,
            uses.decided_by,
            uses.decided_at,
            uses.policy_hash,
            {{ tidegate.publication_tail("uses.target_relation || '|' || uses.target_key") }}
        from uses
    )

select *
from final
