-- Verdicts about candidates of all slices. Families read their own slice, so that none waits for
-- another's sources.
select *
from {{ ref("verifications__clinical_trials") }}
union all
select *
from {{ ref("verifications__publications") }}
union all
select *
from {{ ref("verifications__approvals") }}
union all
select *
from {{ ref("verifications__commercial") }}
