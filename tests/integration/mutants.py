"""Mutants of a gate: its own SQL, wrong in one place.

A fixture that judges a mutant like the gate itself would not notice if that place were wrong. The
places are the conditions of findings (emptied, negated) and, wherever a condition stands, each
branch of an `and` or `or` (dropped), each bound (`<` for `<=`), each member of a list (dropped),
each filter (lifted), each column that rows are counted by (dropped), and each `is not true` and
`is distinct from`, which is what makes an unknown block. A bound that moves with the clock is left
alone: no row can hit it. What a gate only tells, its metadata, is not mutated: tests read it as it
is.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

Change = tuple[str, exp.Expression]
LEVELS = ("block", "warn")
BOUNDS = {exp.LT: exp.LTE, exp.LTE: exp.LT, exp.GT: exp.GTE, exp.GTE: exp.GT}


def mutants(tree: exp.Expression, apart: str = "") -> Iterator[tuple[str, str]]:
    """What was done, and the SQL that came of it.

    Common tables whose name begins with `apart` are left as they are: other tests prove them.
    """
    for node in [found for found in tree.walk() if not _left_alone(found, apart)]:
        text = node.sql("postgres")
        for name, changed in _changes(node):
            if _only_widens(node, changed):
                continue
            node.replace(changed)
            yield f"{name}: {text}", tree.sql("postgres")
            changed.replace(node)


def _left_alone(node: exp.Expression, apart: str) -> bool:
    """Whether it is part of metadata, or of a common table that is proved elsewhere."""
    while node.parent is not None:
        if isinstance(node, exp.Anonymous) and node.name.lower() == "jsonb_build_object":
            return True
        if isinstance(node, exp.CTE) and apart and node.alias.startswith(apart):
            return True
        node = node.parent
    return False


def _only_widens(node: exp.Expression, changed: exp.Expression) -> bool:
    """Whether it lets more rows pass a look that only spares most of them the findings.

    Such a look stands as `found.applies and (…)`: of what it lets through, `applies` decides.
    """
    if isinstance(node, exp.And) and node.this.sql() == changed.sql() == "found.applies":
        return isinstance(node.expression, exp.Paren)
    if isinstance(node, exp.Or):
        return False
    while node.parent is not None:
        if isinstance(node, exp.Paren) and isinstance(node.parent, exp.And):
            return bool(node.parent.this.sql() == "found.applies")
        node = node.parent
    return False


def _changes(node: exp.Expression) -> Iterator[Change]:
    """All that can be wrong with one node itself; its parts have their own turn."""
    if _is_condition_of_a_finding(node):
        yield "emptied", exp.false()
        yield "negated", exp.not_(exp.func("coalesce", node.copy(), exp.false()))
    if isinstance(node, (exp.And, exp.Or)):
        branches = (node.this, node.expression)
        if not any(isinstance(branch, exp.Boolean) for branch in branches):
            for kept in branches:
                yield f"only {kept.sql('postgres')}", kept.copy()
    elif isinstance(node, exp.NullSafeNEQ):
        yield (
            "unknown passes",
            exp.NEQ(this=node.this.copy(), expression=node.expression.copy()),
        )
    elif type(node) in BOUNDS and not node.find(exp.CurrentTimestamp):
        yield "bound", BOUNDS[type(node)](this=node.this.copy(), expression=node.expression.copy())
    elif isinstance(node, exp.Filter):
        yield "unfiltered", node.this.copy()
    elif isinstance(node, (exp.Where, exp.Having)) and not isinstance(node.parent, exp.Filter):
        yield "lifted", type(node)(this=exp.true())
    elif isinstance(node, exp.Not) and isinstance(node.this, exp.Is):
        if isinstance(node.this.expression, exp.Boolean):
            yield "unknown passes", exp.not_(node.this.this.copy())
    else:
        yield from _shorter(node)


def _shorter(node: exp.Expression) -> Iterator[Change]:
    """Lists of values and of columns, each without one member."""
    place = "partition_by" if isinstance(node, (exp.Window, exp.WindowSpec)) else "expressions"
    listed = node.args.get(place) or []
    counted = isinstance(node, exp.Anonymous) and node.name.lower() == "num_nulls"
    if not (place == "partition_by" or counted or isinstance(node, (exp.In, exp.Array))):
        return
    for number, member in enumerate(listed if len(listed) > 1 else ()):
        shorter = node.copy()
        members = shorter.args[place]
        shorter.set(place, [*members[:number], *members[number + 1 :]])
        yield f"without {member.sql('postgres')}", shorter


def _is_condition_of_a_finding(node: exp.Expression) -> bool:
    """First members of `(condition, 'block', 'reason')`."""
    found = node.parent
    return (
        isinstance(found, exp.Tuple)
        and len(found.expressions) == 3
        and found.expressions[0] is node
        and found.expressions[1].name in LEVELS
    )
