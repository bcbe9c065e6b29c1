-- Candidates of all slices. Families read their own slice, so that none waits for another's
-- sources.
select *
from {{ ref("candidates__clinical_trials") }}
union all
select *
from {{ ref("candidates__publications") }}
union all
select *
from {{ ref("candidates__approvals") }}
union all
select *
from {{ ref("candidates__commercial") }}
