"""The table of 20 mixed columns that several benchmarks share, and 24 checks of it.

11 not null, 4 sets, 6 ranges, 2 unique, 1 row count.
"""

from __future__ import annotations

from typing import Any

TABLE = """
create table public.src as
select
    i as id,
    md5(i::text) as code,
    (array['new', 'open', 'closed', 'void'])[1 + i % 4] as status,
    (array['DE', 'FR', 'IT', 'ES', 'PL'])[1 + i % 5] as country,
    (array['a', 'b', 'c'])[1 + i % 3] as kind,
    (array['web', 'shop'])[1 + i % 2] as channel,
    (i % 1000)::numeric(10, 2) as amount,
    (i % 100)::numeric(10, 2) as tax,
    (i % 977)::double precision as score,
    (i % 31)::int as age,
    (i % 12 + 1)::int as month,
    i * 2::bigint as big,
    date '2020-01-01' + (i % 1500)::int as day,
    timestamptz '2020-01-01 00:00Z' + (i % 86400) * interval '1 second' as seen,
    i % 2 = 0 as flag,
    gen_random_uuid() as token,
    'name ' || i % 5000 as name,
    'city ' || i % 700 as city,
    repeat('x', (i % 40)::int) as note,
    case when i % 10 > 0 then i % 7 end as maybe
from generate_series(1, {rows}) as i
"""
NOT_NULL = ["id", "code", "status", "country", "kind", "amount", "tax", "score", "day", "seen",
            "name"]  # fmt: skip
SETS = {
    "status": ["new", "open", "closed", "void"],
    "country": ["DE", "FR", "IT", "ES", "PL"],
    "kind": ["a", "b", "c"],
    "channel": ["web", "shop"],
}
RANGES = {
    "amount": (0, 1000), "tax": (0, 100), "score": (0, 1000), "age": (0, 31), "month": (1, 12),
    "big": (0, 10**12),
}  # fmt: skip
UNIQUE = ["id", "code"]


def policy(rows: int) -> dict[str, Any]:
    """The 24 checks as a policy."""
    rules: list[dict[str, Any]] = [{"type": "row_count", "minimum": rows, "maximum": rows}]
    rules += [{"type": "not_null", "field": name} for name in NOT_NULL]
    rules += [
        {"type": "referential", "field": name, "allowed_values": values, "allow_null": True}
        for name, values in SETS.items()
    ]
    rules += [
        {"type": "range", "field": name, "minimum": low, "maximum": high, "allow_null": True}
        for name, (low, high) in RANGES.items()
    ]
    rules += [{"type": "unique", "field": name} for name in UNIQUE]
    return {"version": "1", "rules": [{"id": f"r{i}", **rule} for i, rule in enumerate(rules)]}


def filters() -> list[str]:
    """The violations that one scan can count, written by hand."""
    found = [f"{name} is null" for name in NOT_NULL]
    found += [
        f"{name} not in ({', '.join(repr(value) for value in values)})"
        for name, values in SETS.items()
    ]
    return found + [f"{name} < {low} or {name} > {high}" for name, (low, high) in RANGES.items()]
