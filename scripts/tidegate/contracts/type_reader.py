"""Reading a type token by token: names, numbers, brackets, and refusals that quote the text."""

from __future__ import annotations

from tidegate.contracts.type_tokens import Token, tokens_of
from tidegate.names import MAX_IDENTIFIER_BYTES


class TypeReader:
    """A type's tokens and how far they are read; see `tidegate.contracts.type_parsing`."""

    def __init__(self, text: str) -> None:
        """Take `text` apart; raise ValueError where it cannot be part of a type."""
        self.text = text
        self.tokens = tokens_of(text)
        self.at = 0

    def next(self) -> Token:
        """The token that comes next, an empty mark at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else Token("mark", "")

    def end(self) -> None:
        """Nothing may follow."""
        if self.at < len(self.tokens):
            rest = self.tokens[self.at].text
            raise ValueError(
                f"`{self.text}` is not a type: nothing may stand at `{rest}`. Write the type "
                "alone; `not null`, `default` and `collate` have keys of their own."
            )

    def refusal(self, what: str, instead: str = "") -> ValueError:
        """A ValueError that quotes the text and names what to write."""
        remedy = f" Write {instead}." if instead else ""
        return ValueError(f"`{self.text}` {what}.{remedy}")

    def name(self) -> str:
        """A word or a quoted name, no longer than PostgreSQL keeps it."""
        token = self.next()
        if token.kind not in ("word", "quoted") or not token.text:
            raise self.refusal("is not a type: a name is missing")
        self.at += 1
        if len(token.text.encode()) > MAX_IDENTIFIER_BYTES:
            raise self.refusal(f"holds a name of more than {MAX_IDENTIFIER_BYTES} bytes")
        return token.text

    def numbers(self) -> tuple[int, ...]:
        """`(1, -2)` or nothing."""
        if not self.take("mark", "("):
            return ()
        numbers = []
        while True:
            minus = self.take("mark", "-")
            token = self.next()
            if token.kind != "number" or not (token.text.isascii() and token.text.isdigit()):
                raise self.refusal("is not a type: a whole number is missing in the brackets")
            self.at += 1
            numbers.append(-int(token.text) if minus else int(token.text))
            if self.take("mark", ")"):
                return tuple(numbers)
            if not self.take("mark", ","):
                raise self.refusal("is not a type: a bracket is not closed")

    def arguments(self) -> str:
        """What an extension's type takes in brackets: words and numbers, as they are written."""
        if not self.take("mark", "("):
            return ""
        parts: list[str] = []
        while not self.take("mark", ")"):
            token = self.next()
            if token.kind not in ("word", "number") and token.text not in (",", "-"):
                raise self.refusal("is not a type: a bracket is not closed")
            parts.append(token.text)
            self.at += 1
        return "".join(parts)

    def brackets(self) -> bool:
        """`[]`, `[3][4]` or `array[3]`; the bounds mean nothing to PostgreSQL."""
        found = self.take("word", "array")
        while self.take("mark", "["):
            if self.next().kind == "number":
                self.at += 1
            if not self.take("mark", "]"):
                raise self.refusal("is not a type: a bracket is not closed")
            found = True
        return found

    def take(self, kind: str, text: str) -> bool:
        """Pass over this token if it comes next."""
        if self.tokens[self.at : self.at + 1] == [Token(kind, text)]:
            self.at += 1
            return True
        return False

    def words(self, *words: str, keep: bool = False) -> bool:
        """Pass over these words if they come next; with `keep`, only look."""
        found = self.tokens[self.at : self.at + len(words)] == [Token("word", w) for w in words]
        if found and not keep:
            self.at += len(words)
        return found
