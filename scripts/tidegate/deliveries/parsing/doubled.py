"""JSON inside CSV fields: an object with the same member twice is held, as in a file of JSON.

PostgreSQL keeps the last of them and says nothing. What is no JSON at all is left to the server.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tidegate.deliveries.copytext import unescape
from tidegate.deliveries.parsing.dialect import Dialect
from tidegate.deliveries.parsing.json_strict import JsonProblem, StrictDecoder
from tidegate.deliveries.parsing.records import Layout, Limits, SourceColumn
from tidegate.deliveries.reasons import Reason


class DoubledMembers:
    """Looks into the fields of the contract's JSON columns."""

    def __init__(
        self, dialect: Dialect, limits: Limits, layout: Layout, columns: Sequence[SourceColumn]
    ) -> None:
        self._dialect = dialect
        self._decoder = StrictDecoder(limits.json_depth)
        self._places = [
            place
            for place, column in zip(layout.positions, columns, strict=True)
            if column.is_json and place is not None
        ]

    @property
    def looks(self) -> bool:
        """Whether there are such columns."""
        return bool(self._places)

    def anywhere(self, columns: Sequence[Sequence[bytes]], *, hidden: bool) -> bool:
        """Whether a record may have a member twice: one has, or marks are hidden in the fields."""
        if hidden:
            return self.looks
        return any(self.within(columns[place]) for place in self._places)

    def fields(self, tokens: Sequence[bytes]) -> list[bytes]:
        """The JSON fields of one record."""
        return [tokens[place] for place in self._places]

    def within(self, fields: Iterable[bytes]) -> bool:
        """Whether one of the raw fields (UTF-8, with its quotes) has a member twice."""
        return any(map(self._doubled, fields))

    def _doubled(self, token: bytes) -> bool:
        if token.count(b":") < 2:
            return False
        try:
            self._decoder.whole(unescape(self._dialect.text(token)) or "")
        except JsonProblem as problem:
            return problem.reason is Reason.DUPLICATE_KEY
        return False
