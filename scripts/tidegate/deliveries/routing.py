"""Which dataset a file belongs to: the `delivery.match` patterns of contracts, or `--dataset`.

A pattern is matched against the path inside the landed folder, with forward slashes, and, where
that finds nothing, against the ends of the whole path, so that `tidegate land samples/ctgov/a.json`
and `tidegate land samples` find the same dataset. `.gz` at the end is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tidegate.errors import UsageError

_TOKENS = (("**/", "(?:.*/)?"), ("**", ".*"), ("*", "[^/]*"), ("?", "[^/]"))


@dataclass(frozen=True)
class SourceFile:
    """One file to land: where it is, and its name as the ledger records it."""

    path: Path
    name: str


@dataclass(frozen=True)
class Unrouted:
    """A file that no dataset, or more than one, wants; `datasets` are the ones that do."""

    source: SourceFile
    datasets: tuple[str, ...]

    @property
    def message(self) -> str:
        """Why it was not landed, and what to do."""
        if self.datasets:
            names = ", ".join(self.datasets)
            return (
                f"{self.source.name}: matches the patterns of {names}. "
                "Name one with --dataset, or narrow delivery.match in their contracts."
            )
        return (
            f"{self.source.name}: matches no dataset's delivery.match. "
            "Name its dataset with --dataset, or add a pattern to its contract."
        )


def list_files(paths: Sequence[Path]) -> tuple[SourceFile, ...]:
    """The files of `paths`, folders walked and sorted; hidden files are left out.

    Raises UsageError for a path that is not there, and where nothing is left to land.
    """
    found: list[SourceFile] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(
                (item for item in path.rglob("*") if item.is_file()),
                key=lambda item: item.relative_to(path).as_posix(),
            )
            for item in inside:
                relative = item.relative_to(path)
                if not any(part.startswith(".") for part in relative.parts):
                    found.append(SourceFile(item, relative.as_posix()))
        elif path.exists():
            found.append(SourceFile(path, path.name))
        else:
            raise UsageError(f"{path} is not there.", remedy="Check the path.")
    if not found:
        raise UsageError(
            "There is no file in " + ", ".join(str(path) for path in paths) + ".",
            remedy="Nothing was landed: an empty folder is an error, not an empty delivery.",
        )
    return tuple(found)


def route(source: SourceFile, patterns: Mapping[str, Sequence[str]]) -> str | Unrouted:
    """The one dataset whose patterns match, or why there is none.

    The name inside the landed folder decides; only where it matches nothing do the folders above
    it count too.
    """
    for candidates in (_names(source.name), _ends(source.path)):
        found = [name for name, globs in patterns.items() if _matches(candidates, globs)]
        if len(found) == 1:
            return found[0]
        if found:
            return Unrouted(source, tuple(sorted(found)))
    return Unrouted(source, ())


def _matches(candidates: Sequence[str], globs: Sequence[str]) -> bool:
    return any(_regex(pattern).match(name) for pattern in globs for name in candidates)


def _ends(path: Path) -> list[str]:
    """The path from each of its folders on, such as `samples/a/b.csv`, `a/b.csv`, `b.csv`."""
    parts = PurePosixPath(path.resolve().as_posix()).parts[1:]
    return [name for start in range(len(parts)) for name in _names("/".join(parts[start:]))]


def _names(name: str) -> list[str]:
    return [name, name.removesuffix(".gz")] if name.endswith(".gz") else [name]


def _regex(pattern: str) -> re.Pattern[str]:
    """`*` and `?` stay inside a folder, `**/` is any folders, everything else is itself."""
    out, rest = "", pattern
    while rest:
        for token, meaning in _TOKENS:
            if rest.startswith(token):
                out, rest = out + meaning, rest[len(token) :]
                break
        else:
            out, rest = out + re.escape(rest[0]), rest[1:]
    return re.compile(out + r"\Z")
