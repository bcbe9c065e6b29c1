"""Declared date formats as SQL: a text becomes ISO 8601, and is then judged like any other."""

from __future__ import annotations

from psycopg import sql

from tidegate.contracts.time_formats import FULL_MONTH, MONTHS, time_format


def rewritten(column: sql.Composable, declared: str) -> sql.Composed:
    """A text in a declared format as ISO 8601, ranges unchecked; null if it is none."""
    form = time_format(declared)

    def part(name: str, default: str = "00") -> sql.Composable:
        place = form.group(name)
        return sql.SQL("p[{}]").format(sql.Literal(place)) if place else sql.Literal(default)

    def padded(piece: sql.Composable) -> sql.Composable:
        return sql.SQL("lpad({}, 2, '0')").format(piece)

    year = part("year")
    if form.group("short_year"):
        year = sql.SQL("(case when {0} < '69' then '20' else '19' end || {0})").format(
            part("short_year")
        )
    month = part("month")
    if form.group("month_name"):
        month = _month(part("month_name"))
    hour = part("hour")
    if form.group("hour12"):
        hour = _hour24(part("hour12"), part("half"))
    fraction: sql.Composable = sql.SQL("''")
    if form.group("fraction"):
        fraction = sql.SQL("'.' || {}").format(part("fraction"))
    return sql.SQL(
        "(select {year} || '-' || {month} || '-' || {day} || ' ' || {hour} || ':' || {minute}"
        " || ':' || {second} || {fraction} || {zone} from regexp_match({column}, {pattern}) r (p)"
        " where p is not null)"
    ).format(
        year=year,
        month=padded(month),
        day=padded(part("day")),
        hour=padded(hour),
        minute=padded(part("minute")),
        second=padded(part("second")),
        fraction=fraction,
        zone=part("zone", ""),
        column=column,
        pattern=sql.Literal(f"^{form.pattern}$"),
    )


def _month(name: sql.Composable) -> sql.Composed:
    return sql.SQL(
        "coalesce((case when char_length({0}) = 3 or lower({0}) ~ {1}"
        " then array_position({2}::text[], left(lower({0}), 3)) end)::text, '00')"
    ).format(name, sql.Literal(f"^{FULL_MONTH}$"), sql.Literal(list(MONTHS)))


def _hour24(hour: sql.Composable, half: sql.Composable) -> sql.Composed:
    return sql.SQL(
        "(case when ({0})::integer between 1 and 12"
        " then (({0})::integer % 12 + case lower({1}) when 'pm' then 12 else 0 end)::text"
        " else '99' end)"
    ).format(hour, half)
