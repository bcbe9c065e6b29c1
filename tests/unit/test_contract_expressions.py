"""Conditions in contracts are read, never pasted: one harmless condition or a clear refusal."""

from __future__ import annotations

import pytest

from expression_texts import ACCEPTED
from tidegate.contracts.expressions import ExpressionError, canonical_condition

COLUMNS = ("a", "b", "t", "u", "d", "j", "list", "flag", "A b")


@pytest.mark.parametrize(("text", "canonical"), ACCEPTED)
def test_a_harmless_condition_becomes_canonical_sql(text: str, canonical: str) -> None:
    """What goes on is what the parser printed, and reading it again changes nothing."""
    assert canonical_condition(text, COLUMNS) == canonical
    assert canonical_condition(canonical, COLUMNS) == canonical


SUBQUERY = "a condition looks at one row; it has a subquery. Remove it."
LISTED = "docs/contracts.md lists those that may be called."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "`` is not one condition. Write exactly one, without `;`."),
        ("a and", "`a and` is not a SQL condition. Correct it."),
        ("a > 0;", "`a > 0;` is not one condition. Write exactly one, without `;`."),
        ("a > 0; drop table x", "`a > 0; drop table x` is not one condition. "
         "Write exactly one, without `;`."),
        ("drop table x", "`drop table x` is not a condition. "
         "Write a comparison that is true or false."),
        ("select 1", "`select 1` is not a condition. Write a comparison that is true or false."),
        ("vacuum x", "`vacuum x` is not a condition. Write a comparison that is true or false."),
        ("a + 1", "`a + 1` is not a condition. Write a comparison that is true or false."),
        ("'x'", "`'x'` is not a condition. Write a comparison that is true or false."),
        ("a > 0 -- x", "`a > 0 -- x` holds a comment. Say it in the description."),
        ("a > 0 /* x */", "`a > 0 /* x */` holds a comment. Say it in the description."),
        ("a = (select 1)", SUBQUERY),
        ("a in (select 1)", SUBQUERY),
        ("a > 0 and exists (select 1)", SUBQUERY),
        ("sum(a) over () > 1", "a condition looks at one row; it has a window. Remove it."),
        ("sum(a) > 1", f"`sum` is not a function that conditions may call. {LISTED}"),
        ("pg_sleep(9) is null", f"`pg_sleep` is not a function that conditions may call. {LISTED}"),
        ("pg_catalog.pg_sleep(9) is null", "the condition holds Dot, which conditions may not. "
         "Remove it."),
        ("nextval('s') > 0", f"`nextval` is not a function that conditions may call. {LISTED}"),
        ("lo_import('/etc/passwd') > 0", f"`lo_import` is not a function that conditions may call. "
         f"{LISTED}"),
        ("current_setting('x') = 'y'", "`current_setting` is not a function that conditions may "
         f"call. {LISTED}"),
        ("random() > 0.5", "`rand` is not a function that conditions may call. "
         "Did you mean `round`?"),
        ("lenght(t) > 1", "`lenght` is not a function that conditions may call. "
         "Did you mean `length`?"),
        ("session_user = t", "`session_user` is not a function that conditions "
         f"may call. {LISTED}"),
        ("user = t", "`user` is a reserved word. Put a column's name in quotes."),
        ("x.a = 1", "`x.a` has a qualifier. Write the column's name alone."),
        ("c = 1", "`c` is not a column of this contract. "
         "Use a column that stands under `columns`."),
        ('"A B" = 1', "`A B` is not a column of this contract. Did you mean `A b`?"),
        ("a = $1", "the condition holds Parameter, which conditions may not. Remove it."),
        ("a = :x", "the condition holds Placeholder, which conditions may not. Remove it."),
        ("a = %s", "the condition holds Placeholder, which conditions may not. Remove it."),
        ("t = $$x$$", "the condition holds RawString, which conditions may not. Remove it."),
        ("t = E'\\n'", "the condition holds ByteString, which conditions may not. Remove it."),
        ("t::regclass is null", "`REGCLASS` is not a type to cast to. Use another type."),
        ("t::evil is null", "`evil` is not a type to cast to. Use another type."),
        ("t = '\\' or pg_sleep(9) is null or t = '\\'", "`pg_sleep` is not a function that "
         f"conditions may call. {LISTED}"),
        ("(" * 5000 + "a", "the condition is too long. Use at most 4096 bytes."),
        ("(" * 2000 + "a = 1" + ")" * 2000, "`" + "(" * 2000 + "a = 1" + ")" * 2000 +
         "` is not a SQL condition. Correct it."),
    ],
)  # fmt: skip
def test_what_is_not_one_harmless_condition_is_refused(text: str, message: str) -> None:
    """Nothing that writes, waits, reads elsewhere or ends the statement gets through."""
    with pytest.raises(ExpressionError) as caught:
        canonical_condition(text, COLUMNS)
    assert str(caught.value) == message


def test_a_check_depends_on_its_row_only() -> None:
    """A gate may look at the clock; a constraint that does would come to differ from its rows."""
    assert canonical_condition("u > now()") == "u > CURRENT_TIMESTAMP"
    with pytest.raises(ExpressionError) as caught:
        canonical_condition("u > now()", fixed=True)
    assert str(caught.value) == (
        "the condition depends on the time. A check depends on the row only."
    )
