"""Contract files as text: written anew, or changed in the style of who wrote them."""

from __future__ import annotations

import io
from collections.abc import Callable
from difflib import SequenceMatcher
from typing import Any

from ruamel.yaml import YAML

_STYLES = ((2, 4, 2), (2, 2, 0), (4, 6, 4), (4, 4, 2), (4, 4, 0))
"""Indentation of mappings, of sequences, and of the dash in them; the first is ours."""


def written(document: Any) -> str:
    """A document as new text, in block style."""
    return _dumped(_writer(_STYLES[0]), document)


def changed(text: str, edit: Callable[[Any], None]) -> str:
    """`text` after `edit` changed its document; comments, quotes and indentation stay.

    The indentation is the one in which the text as it is comes out most like itself.
    """
    lines = text.splitlines()

    def unlike(style: tuple[int, int, int]) -> int:
        again = _dumped(_writer(style), _writer(style).load(text)).splitlines()
        same = SequenceMatcher(None, lines, again, autojunk=False).get_matching_blocks()
        return len(lines) - sum(block.size for block in same)

    writer = _writer(min(_STYLES, key=unlike))
    document = writer.load(text)
    edit(document)
    return _dumped(writer, document)


def _writer(style: tuple[int, int, int]) -> YAML:
    mapping, sequence, offset = style
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 4096
    yaml.indent(mapping=mapping, sequence=sequence, offset=offset)
    return yaml


def _dumped(yaml: YAML, document: Any) -> str:
    out = io.StringIO()
    yaml.dump(document, out)
    return out.getvalue()
