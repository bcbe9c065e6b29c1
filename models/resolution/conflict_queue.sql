-- Terms that mean more than one thing, of all slices. Families read their own slice, so that none
-- waits for another's sources.
{{ tidegate.of_all_slices("conflict_queue") }}
