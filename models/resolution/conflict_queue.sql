-- Terms that mean more than one thing, of all slices. Families read their own slice, so that none
-- waits for another's sources.
select *
from {{ ref("conflict_queue__clinical_trials") }}
union all
select *
from {{ ref("conflict_queue__publications") }}
union all
select *
from {{ ref("conflict_queue__approvals") }}
union all
select *
from {{ ref("conflict_queue__commercial") }}
