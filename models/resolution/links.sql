-- Links of all slices. Families read their own slice, so that none waits for another's sources.
{{ tidegate.of_all_slices("links") }}
