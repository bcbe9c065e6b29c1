"""Reading one YAML file as dbt reads it, but with line numbers and without its silent surprises.

dbt reads property files with PyYAML (YAML 1.1: `no` is false, `010` is eight). The harness must
understand the same bytes in the same way, so it uses the same C parser and scalar rules, and keeps
the line of every key. What YAML would decide silently is a problem here: a key written twice, an
unquoted date, a second document, an alias that expands to millions of nodes, text that dbt would
render with Jinja.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from tidegate.contracts.document import Document, KeyPath

MAX_FILE_BYTES = 1 << 20
"""A contract is written by people; a larger file is a mistake or an attack."""
MAX_NODES = 100_000
"""How many values a file may expand to once its aliases are followed."""
MAX_DEPTH = 64

_JINJA = re.compile(r"{[{%#]|[#}%]}")
_CALL = re.compile(r"^\s*(env_var|var|doc)\s*\(.*\)\s*$", re.DOTALL)
_DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN = "tag:yaml.org,2002:"
_SCALARS = {_PLAIN + name for name in ("null", "bool", "int", "float", "str", "timestamp")}


class _Refused(Exception):
    """The file as a whole cannot be used; the problem is already recorded."""


def read_document(path: Path, file: str, *, for_dbt: bool = True) -> Document:
    """Read one file; what is wrong is in `problems`, and `data` is None where nothing is usable.

    In a file that dbt never reads (`for_dbt` false) braces mean nothing and are no problem.
    """
    document = Document(file)
    try:
        text = _text(path, document)
        document.data = _Builder(document, for_dbt).build(text)
    except _Refused:
        document.data = None
    return document


def _text(path: Path, document: Document) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        document.report_line(0, f"cannot be read: {error.strerror}.", "Check its permissions.")
        raise _Refused from error
    if len(raw) > MAX_FILE_BYTES:
        document.report_line(
            0, f"has {len(raw):,} bytes; at most {MAX_FILE_BYTES:,} are read.", "Split the file."
        )
        raise _Refused
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        document.report_line(0, "is UTF-16.", "Save it as UTF-8.")
        raise _Refused
    try:
        # dbt reads with plain utf-8 and stumbles over the mark; here it is one clear message.
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        document.report_line(line, "is not UTF-8 text.", "Save the file as UTF-8.")
        raise _Refused from error
    if text.startswith("\ufeff"):
        document.report_line(1, "starts with a byte order mark.", "Save it as UTF-8 without BOM.")
        raise _Refused
    return text


def holds_jinja(text: str) -> bool:
    """Whether dbt would render `text` instead of taking it as it stands."""
    return bool(_JINJA.search(text))


class _Builder:
    """Walks the composed nodes once: values, lines and problems."""

    def __init__(self, document: Document, for_dbt: bool) -> None:
        self.document = document
        self.for_dbt = for_dbt
        self.count = 0
        self.scalars = _LOADER("")

    def build(self, text: str) -> Any:
        node = self._compose(text)
        value = None if node is None else self._value(node, ())
        if value is None and not self.document.findings:
            self.document.report_line(0, "is empty.", "Write a contract, or delete the file.")
            raise _Refused
        return value

    def _compose(self, text: str) -> yaml.Node | None:
        loader = _LOADER(text)
        try:
            node: yaml.Node | None = loader.get_single_node()
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            # The end of the file is the line after the last one.
            line = min(mark.line + 1, len(text.splitlines())) if mark else 0
            self.document.report_line(line, _syntax(text, line, error.problem), _SYNTAX_REMEDY)
            raise _Refused from error
        except (yaml.YAMLError, RecursionError) as error:
            self.document.report_line(
                0,
                "is not YAML: it holds a character YAML does not allow or nests too deeply.",
                _SYNTAX_REMEDY,
            )
            raise _Refused from error
        finally:
            loader.dispose()
        return node

    def _value(self, node: yaml.Node, path: KeyPath) -> Any:
        self.count += 1
        if self.count > MAX_NODES or len(path) > MAX_DEPTH:
            self.document.report_line(
                node.start_mark.line + 1,
                f"expands to more than {MAX_NODES:,} values or {MAX_DEPTH} levels.",
                "Remove the aliases that repeat each other.",
            )
            raise _Refused
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return self._sequence(node, path)
        return self._scalar(node, path)

    def _sequence(self, node: yaml.SequenceNode, path: KeyPath) -> list[Any]:
        values = []
        for index, item in enumerate(node.value):
            self.document.lines[(*path, index)] = item.start_mark.line + 1
            values.append(self._value(item, (*path, index)))
        return values

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, Any]:
        result: dict[str, Any] = {}
        merged: list[yaml.Node] = []
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if key_node.tag == _PLAIN + "merge":
                merged.append(value_node)
                continue
            key = self._key(key_node, line)
            if key is None:
                continue
            here = (*path, key)
            if key in result:
                first = self.document.lines[here]
                self._problem(
                    here, line, f"is written twice (first in line {first}).", "Keep one of them."
                )
                continue
            self.document.lines[here] = line
            result[key] = None
            result[key] = self._value(value_node, here)
        for value_node in merged:
            self._merge(value_node, path, result)
        return result

    def _merge(self, node: yaml.Node, path: KeyPath, result: dict[str, Any]) -> None:
        """`<<: *anchor`: keys that are not written out here, as YAML 1.1 and dbt have it."""
        sources = node.value if isinstance(node, yaml.SequenceNode) else [node]
        for source in sources:
            if not isinstance(source, yaml.MappingNode):
                line = node.start_mark.line + 1
                self._problem(path, line, "merges something that is not a mapping.", "Remove <<.")
                continue
            before = dict(self.document.lines)
            for key, value in self._mapping(source, path).items():
                result.setdefault(key, value)
            self.document.lines.update(before)

    def _key(self, node: yaml.Node, line: int) -> str | None:
        if isinstance(node, yaml.ScalarNode) and node.tag == _PLAIN + "str":
            self._check_text(node.value, (), line)
            return str(node.value)
        self.document.report_line(line, "has a key that is not text.", "Put the key in quotes.")
        return None

    def _scalar(self, node: yaml.Node, path: KeyPath) -> Any:
        line = node.start_mark.line + 1
        if node.tag not in _SCALARS:
            self._problem(path, line, f"has the YAML tag {node.tag!r}.", "Remove the tag.")
            return None
        if node.tag == _PLAIN + "timestamp":
            self._problem(
                path,
                line,
                "is an unquoted date, which YAML turns into something else.",
                "Put it in quotes.",
            )
            return None
        try:
            value = self.scalars.construct_object(node)
        except (yaml.YAMLError, ValueError):
            self._problem(path, line, "is not a value YAML can read.", "Put it in quotes.")
            return None
        if isinstance(value, str):
            self._check_text(value, path, line)
        elif type(value) is int and not _DECIMAL.match(node.value):
            self._problem(
                path,
                line,
                f"is a number that YAML reads as {value}.",
                "Put it in quotes, or write it in plain decimal digits.",
            )
        elif isinstance(value, float) and (
            value != value or value in (float("inf"), -float("inf"))
        ):
            self._problem(path, line, "is not a finite number.", "Put it in quotes.")
            return None
        return value

    def _check_text(self, text: str, path: KeyPath, line: int) -> None:
        if self.for_dbt and holds_jinja(text):
            self._problem(
                path,
                line,
                "holds Jinja, which dbt would run.",
                "Contracts are plain text: remove {{ }}, {% %} and {# #}.",
            )
        elif "data_tests" in path and _CALL.match(text):
            self._problem(
                path,
                line,
                "looks like a call that dbt would run.",
                "Contracts are plain text: write the value itself.",
            )
        if "\x00" in text:
            self._problem(path, line, "holds a NUL, which PostgreSQL cannot store.", "Remove it.")

    def _problem(self, path: KeyPath, line: int, message: str, remedy: str) -> None:
        self.document.findings.append((path, line, message, remedy))


_SYNTAX_REMEDY = "Correct the YAML; an editor with the schema shows the place."


def _syntax(text: str, line: int, problem: str | None) -> str:
    lines = text.splitlines()
    if 0 < line <= len(lines) and "\t" in lines[line - 1]:
        return "is not YAML: a tab; YAML is indented with spaces."
    if problem and "but found another document" in problem:
        return "holds a second document (`---`); a contract file is one document."
    if problem and "undefined alias" in problem:
        return "uses an alias (*) that no anchor (&) defines."
    return f"is not YAML: {problem or 'unreadable'}."
