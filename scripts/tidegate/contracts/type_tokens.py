"""The words, names, numbers and marks of a type, by sqlglot's tokenizer for PostgreSQL."""

from __future__ import annotations

from dataclasses import dataclass

from tidegate.contracts import type_names as names


@dataclass(frozen=True)
class Token:
    """A word (lower case), a quoted name (exact), a number or a mark."""

    kind: str
    text: str


def tokens_of(text: str) -> list[Token]:
    """Take `text` apart; raise ValueError where it cannot be part of a type."""
    from sqlglot.dialects.postgres import Postgres
    from sqlglot.errors import TokenError

    if not text.strip():
        raise ValueError("No type is given. Write a PostgreSQL type, such as `text`.")
    if names.has_invisible_character(text):
        raise ValueError(f"{text!r} holds an invisible character. Write the type without it.")
    try:
        raw = Postgres().tokenize(text)
    except TokenError:
        raise ValueError(f"`{text}` is not a type: a quote is not closed.") from None
    if not raw:
        raise ValueError(f"`{text}` holds a comment only. Write a PostgreSQL type, such as `text`.")
    found = []
    for token in raw:
        if token.comments:
            raise ValueError(f"`{text}` holds a comment. Write the type alone.")
        if token.token_type.name == "IDENTIFIER":
            found.append(Token("quoted", token.text))
        elif token.token_type.name == "NUMBER":
            found.append(Token("number", token.text))
        elif token.text[:1].isalpha() or token.text[:1] == "_":
            if token.token_type.name.endswith("STRING"):
                raise ValueError(f"`{text}` is not a type: it holds a text constant.")
            # PostgreSQL folds only ASCII letters; sqlglot joins `double precision` in one token.
            found += [Token("word", _folded(word)) for word in token.text.split()]
        else:
            found.append(Token("mark", token.text))
    return found


def _folded(word: str) -> str:
    return "".join(ch.lower() if ch.isascii() else ch for ch in word)
