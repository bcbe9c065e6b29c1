-- Links of all slices. Families read their own slice, so that none waits for another's sources.
select *
from {{ ref("links__clinical_trials") }}
union all
select *
from {{ ref("links__publications") }}
union all
select *
from {{ ref("links__approvals") }}
union all
select *
from {{ ref("links__commercial") }}
