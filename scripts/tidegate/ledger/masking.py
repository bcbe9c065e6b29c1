"""How a masked column stands in a view of `query` (design §7).

The view decides by role when it is read. NULL stays NULL; a masked column is of type text for
everybody, members of `tidegate_unmasked` included, since a view's column has one type.
"""

from __future__ import annotations

from psycopg import sql

from tidegate.contracts.keys import Mask

_FUNCTIONS = {Mask.HASH: "hashed", Mask.REDACT: "redacted", Mask.PARTIAL: "partial"}


def masked_expression(column: str | sql.Composable, mask: Mask) -> sql.Composed:
    """The select expression (without alias) of a masked column.

    `column` is a column name or a composed reference such as `t."name"`. Whether to mask is asked
    once a statement, in a subquery without references to the row.
    """
    reference = sql.Identifier(column) if isinstance(column, str) else column
    text = sql.SQL("{}({})").format(sql.Identifier("masking", "as_text"), reference)
    masked = sql.SQL("{}({})").format(sql.Identifier("masking", _FUNCTIONS[mask]), text)
    return sql.SQL("case when (select {}()) then {}::text else {} end").format(
        sql.Identifier("masking", "may_unmask"), reference, masked
    )
