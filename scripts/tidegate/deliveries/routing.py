"""Which dataset a file belongs to: the `delivery.match` patterns of contracts, or `--dataset`.

A pattern is matched against the path inside the landed folder, with forward slashes, and, where
that finds nothing, against the ends of the whole path, so that `tidegate land samples/ctgov/a.json`
and `tidegate land samples` find the same dataset. `.gz` at the end is ignored.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from tidegate.errors import UsageError
from tidegate.names import printable

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


@dataclass(frozen=True)
class Unreadable:
    """What stands in a folder and can be no delivery: a broken link, a pipe, a locked folder."""

    name: str
    why: str

    @property
    def message(self) -> str:
        """What it is, and what to do."""
        return f"{self.name}: {self.why}. Mend it, or take it out of the folder."


@dataclass(frozen=True)
class Found:
    """Everything that is to be landed, in order, and what could not even be listed as a file."""

    files: tuple[SourceFile, ...]
    unreadable: tuple[Unreadable, ...]


def list_files(paths: Sequence[Path]) -> Found:
    """The files of `paths`, folders walked and sorted; hidden files are left out.

    Links are followed, each folder is walked once. Raises UsageError for a path that is not there,
    and where nothing is left to land.
    """
    files: list[SourceFile] = []
    unreadable: list[Unreadable] = []
    for path in paths:
        if _is_folder(path):
            inside = _Walk(path)
            files += inside.files
            unreadable += inside.unreadable
        else:
            files.append(SourceFile(path, _text(path.name)))
    if not files and not unreadable:
        raise UsageError(
            "There is no file in " + ", ".join(str(path) for path in paths) + ".",
            remedy="Nothing was landed: an empty folder is an error, not an empty delivery.",
        )
    return Found(tuple(files), tuple(unreadable))


def _is_folder(path: Path) -> bool:
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except FileNotFoundError:
        raise UsageError(f"{path} is not there.", remedy="Check the path.") from None
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {error.strerror}.", remedy="Check its name and permissions."
        ) from None


class _Walk:
    """The files below one folder, sorted by their path in it, and what is none."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._walked = {os.path.realpath(root)}
        self.unreadable: list[Unreadable] = []
        found: list[SourceFile] = []
        for folder, below, names in os.walk(root, onerror=self._locked, followlinks=True):
            here = Path(folder)
            below[:] = [name for name in below if self._goes_into(here / name)]
            paths = [here / name for name in names if not name.startswith(".")]
            found += [SourceFile(path, self._name(path)) for path in paths if self._is_file(path)]
        self.files = sorted(found, key=lambda one: one.path.relative_to(root).as_posix())
        self.unreadable.sort(key=lambda one: one.name)

    def _goes_into(self, folder: Path) -> bool:
        """Links may lead in circles: a folder that was walked is not walked again."""
        real = os.path.realpath(folder)
        new = not folder.name.startswith(".") and real not in self._walked
        self._walked.add(real)
        return new

    def _is_file(self, path: Path) -> bool:
        try:
            if stat.S_ISREG(path.stat().st_mode):
                return True
            why = "is neither file nor folder"
        except FileNotFoundError:
            why = "is a link that leads nowhere"
        except OSError as error:
            why = f"cannot be read: {error.strerror}"
        self.unreadable.append(Unreadable(self._name(path), why))
        return False

    def _locked(self, error: OSError) -> None:
        name = self._name(Path(os.fsdecode(error.filename)))
        self.unreadable.append(Unreadable(name, f"cannot be looked into: {error.strerror}"))

    def _name(self, path: Path) -> str:
        return _text(path.relative_to(self._root).as_posix())


def _text(name: str) -> str:
    """A file's name as ledger and screen can hold it: bytes that are no text are escaped, too."""
    return printable(os.fsencode(name).decode("utf-8", "backslashreplace"))


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


@lru_cache(maxsize=1024)
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
