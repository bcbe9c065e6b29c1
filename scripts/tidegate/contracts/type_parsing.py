"""The grammar of a type name, over sqlglot's tokens; see `tidegate.contracts.types`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tidegate.contracts import type_names as names
from tidegate.contracts.pg_type import PgType
from tidegate.contracts.type_reader import TypeReader
from tidegate.contracts.type_tokens import Token
from tidegate.names import MAX_IDENTIFIER_BYTES

MAX_PRECISION = 1000
MAX_SCALE = 1000
MAX_LENGTH = 10_485_760
MAX_FRACTION = 6
_INTERVAL_FIELDS = (
    "year", "month", "day", "hour", "minute", "second", "year to month", "day to hour",
    "day to minute", "day to second", "hour to minute", "hour to second", "minute to second",
)  # fmt: skip


def read_type(text: str) -> PgType:
    """Read `text`; raise ValueError with a sentence that quotes it and says what to write."""
    reader = _Grammar(text)
    found = reader.type()
    reader.end()
    return found


class _Grammar(TypeReader):
    """Recursive descent; one method a production of PostgreSQL's grammar."""

    def type(self) -> PgType:
        """`name [(modifiers)] [suffix] [brackets]`."""
        found = self._qualified() if self._names_a_schema() else self._simple()
        brackets = self.brackets()
        if brackets and found.array:
            raise self.refusal("is an array of an array type", f"`{found.sql}`")
        return replace(found, array=found.array or brackets)

    def _names_a_schema(self) -> bool:
        following = self.tokens[1:2]
        return self.tokens[0].kind == "quoted" or following == [Token("mark", ".")]

    def _simple(self) -> PgType:
        token = self.tokens[0]
        if token.kind != "word":
            raise self.refusal("is not a type", "a PostgreSQL type, such as `text`")
        self.at = 1
        production = _PRODUCTIONS.get(token.text)
        if production:
            return production(self)
        if token.text in names.KEYWORDS:
            return self._builtin(names.KEYWORDS[token.text])
        return self._named(token.text)

    def _named(self, name: str) -> PgType:
        if name in names.ELSEWHERE:
            raise self.refusal("is not a PostgreSQL type", names.ELSEWHERE[name])
        known = self._catalogue(name)
        if known:
            return known
        meant = None if name in names.EXTENSIONS else names.suggestion(name)
        if meant:
            raise self.refusal(
                "is not a type that PostgreSQL brings",
                f"`{meant}`, or the schema too if it is a type of your own (`my_schema.{name}`)",
            )
        return self._own(None, name)

    def _catalogue(self, name: str) -> PgType | None:
        """A type of pg_catalog by its internal name; `_int4` is an array of `int4`."""
        if name.startswith("_") and name[1:] in names.PLAIN | names.INTERNAL.keys():
            element = self._catalogue(name[1:])
            return replace(element, array=True) if element else None
        if name in names.INTERNAL:
            return self._builtin(names.INTERNAL[name])
        if name in names.PLAIN:
            return self._builtin(name)
        return None

    def _qualified(self) -> PgType:
        parts = [self.name()]
        while self.take("mark", "."):
            parts.append(self.name())
        if len(parts) > 2:
            raise self.refusal("names a database", "schema and type only")
        schema, name = parts if len(parts) == 2 else (None, parts[0])
        if schema in (None, "pg_catalog"):
            known = self._catalogue(name)
            if known:
                return known
        if schema == "pg_catalog":
            raise self.refusal("is not a type of pg_catalog", "a PostgreSQL type, such as `text`")
        return self._own(schema, name)

    def _own(self, schema: str | None, name: str) -> PgType:
        if len(name.encode()) > MAX_IDENTIFIER_BYTES:
            raise self.refusal(f"holds a name of more than {MAX_IDENTIFIER_BYTES} bytes")
        return PgType(name, schema=schema, builtin=False, detail=self.arguments())

    def _builtin(self, name: str) -> PgType:
        """A type of PostgreSQL's own, its modifiers checked against what it takes."""
        numbers = self.numbers()
        if name in _TIMES:
            return self._fraction(name, numbers)
        if name == "numeric":
            return self._numeric(numbers)
        if name in ("character varying", "bpchar", "character", "bit", "bit varying", '"bit"'):
            return self._sized(
                {"bpchar": "character", '"bit"': "bit"}.get(name, name), name, numbers
            )
        if numbers:  # among them "interval"(2), which PostgreSQL takes for a set of fields
            raise self.refusal(f"gives `{name}` a modifier, which it does not take", f"`{name}`")
        return PgType(name)

    def _numeric(self, numbers: tuple[int, ...]) -> PgType:
        if not numbers:
            return PgType("numeric")
        precision, scale = (*numbers, 0)[:2]
        if len(numbers) > 2 or not 1 <= precision <= MAX_PRECISION or abs(scale) > MAX_SCALE:
            raise self.refusal(
                "is out of bounds",
                f"a precision of 1 to {MAX_PRECISION} and a scale of -{MAX_SCALE} to {MAX_SCALE}",
            )
        return PgType("numeric", (precision, scale))

    def _sized(self, sized: str, bare: str, numbers: tuple[int, ...]) -> PgType:
        if not numbers:
            return PgType(bare)
        if len(numbers) > 1 or not 1 <= numbers[0] <= MAX_LENGTH:
            raise self.refusal("is out of bounds", f"one length, of 1 to {MAX_LENGTH}")
        return PgType(sized, numbers)

    def _fraction(self, name: str, numbers: tuple[int, ...], detail: str = "") -> PgType:
        if len(numbers) > 1 or (numbers and not 0 <= numbers[0] <= MAX_FRACTION):
            raise self.refusal("is out of bounds", f"one precision, of 0 to {MAX_FRACTION}")
        return PgType(name, numbers, detail=detail)

    def time(self) -> PgType:
        """`timestamp | time [(p)] [with|without time zone]`."""
        base = self.tokens[0].text
        numbers = self.numbers()
        with_zone = self.words("with", "time", "zone")
        if not with_zone:
            self.words("without", "time", "zone")
        word = "with" if with_zone else "without"
        return self._fraction(f"{base} {word} time zone", numbers)

    def interval(self) -> PgType:
        """`interval [fields] [(p)]`."""
        fields = max((f for f in _INTERVAL_FIELDS if self.words(*f.split(), keep=True)),
                     key=len, default="")  # fmt: skip
        self.at += len(fields.split())
        numbers = self.numbers()
        if fields and numbers and not fields.endswith("second"):
            raise self.refusal("gives a precision to an interval without seconds")
        return self._fraction("interval", numbers, fields)

    def character(self) -> PgType:
        """`character | char | nchar`, optionally `varying`; no length means one character."""
        if self.words("varying"):
            return self._builtin("character varying")
        found = self._builtin("character")
        return found if found.modifiers else PgType("character", (1,))

    def national(self) -> PgType:
        """`national character | char`, optionally `varying`."""
        if not (self.words("character") or self.words("char")):
            raise self.refusal("is not a PostgreSQL type", "`character varying(n)` or `text`")
        return self.character()

    def bit(self) -> PgType:
        """`bit`, optionally `varying`; no length means one bit."""
        if self.words("varying"):
            return self._builtin("bit varying")
        found = self._builtin("bit")
        return found if found.modifiers else PgType("bit", (1,))

    def double(self) -> PgType:
        """`double precision`, both words."""
        if not self.words("precision"):
            raise self.refusal("is not a PostgreSQL type", names.ELSEWHERE["double"])
        return self._builtin("double precision")

    def float(self) -> PgType:
        """`float`, `float(1..24)` and `float(25..53)`: binary digits choose the width."""
        numbers = self.numbers()
        if len(numbers) > 1 or (numbers and not 1 <= numbers[0] <= 53):
            raise self.refusal("is out of bounds", "1 to 53 binary digits")
        return PgType("real" if numbers and numbers[0] <= 24 else "double precision")

    def setof(self) -> PgType:
        """Refused: a column holds one value."""
        raise self.refusal("is not a type of a column", "the type alone, or an array of it")


_TIMES = frozenset(
    f"{base} {word} time zone" for base in ("timestamp", "time") for word in ("with", "without")
)
_PRODUCTIONS: dict[str, Callable[[_Grammar], PgType]] = {
    "bit": _Grammar.bit,
    "char": _Grammar.character,
    "character": _Grammar.character,
    "double": _Grammar.double,
    "float": _Grammar.float,
    "interval": _Grammar.interval,
    "national": _Grammar.national,
    "nchar": _Grammar.character,
    "setof": _Grammar.setof,
    "time": _Grammar.time,
    "timestamp": _Grammar.time,
}
