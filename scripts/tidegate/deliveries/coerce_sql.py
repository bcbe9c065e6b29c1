"""Text to a value of a declared type, a whole column at once: the rules as SQL expressions.

Nothing here raises for any text: a cast stands only behind the expression that makes it safe. The
forms are those of `coerce_rules`; a property test holds these expressions to `coerce.judge`.
"""

from __future__ import annotations

from dataclasses import dataclass

from psycopg import sql

from tidegate.contracts.keys import ParseOptions
from tidegate.contracts.types import PgType
from tidegate.deliveries import coerce_rules as rules
from tidegate.deliveries.coerce import MAX_DOUBLE, MAX_REAL, MIN_DOUBLE, MIN_REAL, NUMBERS, TEXTS
from tidegate.deliveries.coerce_formats import rewritten
from tidegate.deliveries.reasons import Reason


@dataclass(frozen=True)
class Conversion:
    """How the text of a column is judged and converted.

    `valid` is true or false for any text that is not null. `value` is evaluated only where `valid`
    is true (and gives null for null), `reason`, the code of a failure, only where it is false.
    """

    valid: sql.Composable
    value: sql.Composable
    reason: sql.Composable


def conversion(column: sql.Composable, type_: PgType, options: ParseOptions) -> Conversion:
    """The expressions of one text column."""
    name = type_.name
    if type_.array or not type_.builtin:
        return _by_server(column, type_)
    if name in rules.INTEGER_BITS:
        return _integer(column, type_, options)
    if name in NUMBERS:
        return _number(column, type_, options)
    if name in TEXTS:
        return _text(column, type_, options)
    if name == "boolean":
        return _boolean(column, options)
    if name == "date":
        return _date(column, options)
    if name.startswith("timestamp"):
        return _timestamp(column, type_, options)
    if name == "time without time zone":
        digits = type_.modifiers[0] if type_.modifiers else 6
        return _by_form(column, type_, f"{rules.CLOCK}{rules.seconds(digits)}", Reason.INVALID_TIME)
    if name == "uuid":
        return _by_form(column, type_, rules.UUID, Reason.INVALID_UUID)
    if name == "bytea":
        return _by_form(column, type_, rules.BYTES, Reason.INVALID_BYTES)
    return _by_server(column, type_)


def _is(column: sql.Composable, pattern: str) -> sql.Composed:
    return sql.SQL("({} ~ {})").format(column, sql.Literal(f"^({pattern})$"))


def _code(reason: Reason) -> sql.Literal:
    return sql.Literal(reason.value)


def _cast(column: sql.Composable, type_: PgType) -> sql.Composed:
    # The text of a type comes from parse_type, which prints what format_type prints.
    return sql.SQL("({})::{}").format(column, sql.SQL(type_.sql))


def _case(*arms: tuple[sql.Composable, sql.Composable], otherwise: sql.Composable) -> sql.Composed:
    whens = [sql.SQL("when {} then {} ").format(test, result) for test, result in arms]
    return sql.SQL("(case {}else {} end)").format(sql.SQL("").join(whens), otherwise)


_TRUE, _FALSE = sql.SQL("true"), sql.SQL("false")


def _by_form(column: sql.Composable, type_: PgType, pattern: str, reason: Reason) -> Conversion:
    return Conversion(_is(column, pattern), _cast(column, type_), _code(reason))


def _by_server(column: sql.Composable, type_: PgType) -> Conversion:
    """Types without a rule of their own: the server tries, and its refusal is caught."""
    json = type_.name in ("json", "jsonb") and not type_.array
    valid = sql.SQL("governance.is_value({}, {})").format(column, sql.Literal(type_.sql))
    reason = Reason.INVALID_JSON_VALUE if json else Reason.INVALID_VALUE
    return Conversion(valid, _cast(column, type_), _code(reason))


def _plain(column: sql.Composable, options: ParseOptions) -> sql.Composable:
    if options.thousands is not None:
        column = sql.SQL("replace({}, {}, '')").format(column, sql.Literal(options.thousands))
    if options.decimal != ".":
        column = sql.SQL("replace({}, {}, '.')").format(column, sql.Literal(options.decimal))
    return column


def _integer(column: sql.Composable, type_: PgType, options: ParseOptions) -> Conversion:
    bits = rules.INTEGER_BITS[type_.name]
    digits = {16: 4, 32: 9, 64: 18}[bits]
    thousands = options.thousands
    plain = (
        column
        if thousands is None
        else sql.SQL("replace({}, {}, '')").format(column, sql.Literal(thousands))
    )
    low, high = sql.Literal(-(1 << (bits - 1))), sql.Literal((1 << (bits - 1)) - 1)
    within = sql.SQL("(({})::numeric between {} and {})").format(plain, low, high)
    form = _is(column, rules.integer(options))
    valid = _case(
        (_is(column, f"0|-?[1-9][0-9]{{0,{digits - 1}}}"), _TRUE),
        (_too_long(column), _FALSE),
        (form, within),
        otherwise=_FALSE,
    )
    reason = _case(
        (form, _code(Reason.OUT_OF_RANGE)),
        (_is(column, rules.LEADING_ZERO), _code(Reason.LEADING_ZERO)),
        otherwise=_code(Reason.INVALID_INTEGER),
    )
    return Conversion(valid, _cast(plain, type_), reason)


def _number(column: sql.Composable, type_: PgType, options: ParseOptions) -> Conversion:
    form = _is(column, rules.number(options))
    plain = _plain(column, options)
    known = rules.NON_FINITE_TOKENS[: 1 if type_.modifiers else 3]
    arms: list[tuple[sql.Composable, sql.Composable]] = []
    if not type_.modifiers:
        arms.append((_is(column, rules.short_number(options)), _TRUE))
    arms.append((_too_long(column), _FALSE))
    arms.append((form, _fits(sql.SQL("({})::numeric").format(plain), type_)))
    value: sql.Composable = _cast(plain, type_)
    if options.allow_nan:
        special = sql.SQL("({} = any({}::text[]))").format(column, sql.Literal(list(known)))
        arms.append((special, _TRUE))
        value = _case((special, _cast(column, type_)), otherwise=value)
    reason = _case(
        (form, _code(Reason.OUT_OF_RANGE)),
        (_is(column, rules.NON_FINITE), _code(Reason.NON_FINITE)),
        (_is(column, rules.LEADING_ZERO), _code(Reason.LEADING_ZERO)),
        otherwise=_code(Reason.INVALID_NUMBER),
    )
    return Conversion(_case(*arms, otherwise=_FALSE), value, reason)


def _too_long(column: sql.Composable) -> sql.Composed:
    return sql.SQL("(char_length({}) > {})").format(column, sql.Literal(rules.LONGEST_NUMBER))


def _fits(number: sql.Composable, type_: PgType) -> sql.Composable:
    if type_.name != "numeric":
        real = type_.name == "real"
        low, high = (MIN_REAL, MAX_REAL) if real else (MIN_DOUBLE, MAX_DOUBLE)
        return sql.SQL("({0} = 0 or abs({0}) between {1}::numeric and {2}::numeric)").format(
            number, sql.Literal(str(low)), sql.Literal(str(high))
        )
    if not type_.modifiers:
        return _TRUE
    precision, scale = type_.modifiers[0], (*type_.modifiers, 0)[1]
    return sql.SQL("({0} = trunc({0}, {1}) and abs({0}) < {2}::numeric)").format(
        number, sql.Literal(scale), sql.Literal(f"1E{precision - scale}")
    )


def _text(column: sql.Composable, type_: PgType, options: ParseOptions) -> Conversion:
    fits: sql.Composable = _TRUE
    if type_.modifiers:
        fits = sql.SQL("(char_length({}) <= {})").format(column, sql.Literal(type_.modifiers[0]))
    if options.pattern is None:
        return Conversion(fits, _cast(column, type_), _code(Reason.TOO_LONG))
    reason = _case(
        (sql.SQL("not {}").format(fits), _code(Reason.TOO_LONG)),
        (_is(column, rules.EXCEL_DATE), _code(Reason.EXCEL_DATE)),
        (_is(column, rules.EXCEL_EXPONENT), _code(Reason.EXCEL_EXPONENT)),
        (_is(column, rules.INVISIBLE), _code(Reason.INVISIBLE_CHARACTER)),
        otherwise=_code(Reason.PATTERN_MISMATCH),
    )
    valid = sql.SQL("({} and {})").format(fits, _is(column, options.pattern))
    return Conversion(valid, _cast(column, type_), reason)


def _boolean(column: sql.Composable, options: ParseOptions) -> Conversion:
    true = sql.Literal(list(options.true_tokens))
    every = sql.Literal([*options.true_tokens, *options.false_tokens])
    return Conversion(
        sql.SQL("({} = any({}::text[]))").format(column, every),
        sql.SQL("({} = any({}::text[]))").format(column, true),
        _code(Reason.INVALID_BOOLEAN),
    )


def _date(column: sql.Composable, options: ParseOptions) -> Conversion:
    day = column
    if options.date_format is not None:
        day = sql.SQL("left({}, 10)").format(rewritten(column, options.date_format))
    valid = _case(
        (_is(day, rules.USUAL_DATE), _TRUE), (_is(day, rules.DATE), _TRUE), otherwise=_FALSE
    )
    return Conversion(valid, _cast(day, PgType("date")), _code(Reason.INVALID_DATE))


def _timestamp(column: sql.Composable, type_: PgType, options: ParseOptions) -> Conversion:
    iso = column
    if options.timestamp_format is not None:
        iso = rewritten(column, options.timestamp_format)
    digits = type_.modifiers[0] if type_.modifiers else 6
    stem = f"{rules.DATE}([T ]{rules.CLOCK}{rules.seconds(digits)})?"
    zoned = f"{rules.DATE}[T ]{rules.CLOCK}{rules.seconds(digits)}{rules.ZONE}"
    loose = f"{rules.DATE}([T ]{rules.CLOCK}{rules.ANY_FRACTION}({rules.ZONE})?)?"
    keeps_zone = type_.name == "timestamp with time zone"
    local = sql.SQL("({})::timestamp without time zone").format(iso)
    value: sql.Composable = _cast(iso, type_)
    held: sql.Composable = _TRUE
    if not keeps_zone:
        accepted, other = stem, Reason.UNEXPECTED_TIMEZONE
    elif options.timezone is None:
        accepted, other = zoned, Reason.MISSING_TIMEZONE
    else:
        accepted, other = f"{stem}|{zoned}", Reason.INVALID_TIMESTAMP
        zone = sql.Literal(options.timezone)
        at_zone = sql.SQL("({} at time zone {})").format(local, zone)
        value = _case((_is(iso, stem), _cast(at_zone, type_)), otherwise=value)
        # The server moves a time that a clock change skips to another one, and says nothing.
        there = sql.SQL("({} at time zone {} = {})").format(at_zone, zone, local)
        held = _case((_is(iso, stem), there), otherwise=_TRUE)
    reason = _case(
        (_is(iso, f"{stem}|{zoned}"), _code(other)),
        (_is(iso, loose), _code(Reason.OUT_OF_RANGE)),
        otherwise=_code(Reason.INVALID_TIMESTAMP),
    )
    usual = _usual_moment(keeps_zone, digits)
    valid = _case((_is(iso, usual), _TRUE), (_is(iso, accepted), held), otherwise=_FALSE)
    return Conversion(valid, value, reason)


def _usual_moment(keeps_zone: bool, digits: int) -> str:
    fraction = r"(\.[0-9]{1,6})?" if digits == 6 else ""
    zone = "Z" if keeps_zone else ""
    return f"{rules.USUAL_DATE}[T ]{rules.CLOCK}:[0-5][0-9]{fraction}{zone}"
