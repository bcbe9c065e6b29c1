"""Shapes: canonical types compared, relations introspected, the one classifier of schema changes.

`classify(old, new, overrides)` compares two shapes, `decide(diff, policy)` says what happens to the
changes, `introspect(conn, schema, relation)` reads a live relation
(`introspect_all` many of one schema at once), and `diff_relation(contract,
live)` lists every mismatch of the two.
"""
