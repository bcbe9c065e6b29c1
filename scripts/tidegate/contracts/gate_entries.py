"""Entries of `data_tests:`: their form is checked here, their arguments by the gates themselves."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tidegate.contracts.document import Document, KeyPath
from tidegate.contracts.expressions import ExpressionError, canonical_condition
from tidegate.contracts.identifiers import TECHNICAL, column_problem
from tidegate.contracts.surroundings import PACKAGE, Surroundings, package_tests
from tidegate.contracts.wording import suggestion

CONFIG_KEYS = frozenset(("severity", "where", "tags", "meta"))
NOT_USED = {
    "warn_if": "Severity alone decides: `error` blocks, `warn` does not.",
    "error_if": "Severity alone decides: `error` blocks, `warn` does not.",
    "fail_calc": "Every row that a test returns is a failure.",
    "limit": "Every failure is counted.",
    "store_failures": "It would keep field values in a table.",
    "store_failures_as": "It would keep field values in a table.",
    "enabled": "Remove the test instead.",
}
"""Keys of dbt that would make it judge otherwise than the harness, and what to do instead."""
PASTES = {
    "relationships": "Use `references` under `config.meta.tidegate`.",
}
"""Tests of dbt's own that contracts do not use, and what to do instead."""
SEVERITIES = ("error", "warn")


def check_tests(
    document: Document, path: KeyPath, around: Surroundings, columns: Collection[str]
) -> None:
    """Report what is wrong with the `data_tests` of a relation or column.

    `around` knows the names of tests that dbt has; `columns` are those of the relation, which
    `config.where` may use.
    """
    tests = document.value((*path, "data_tests"))
    if tests is None:
        return
    if not isinstance(tests, list):
        return  # reported with the other keys of the piece
    seen: list[Any] = []
    for index, entry in enumerate(tests):
        place = (*path, "data_tests", index)
        if entry in seen:
            document.report(place, "is written twice.", "Remove one of them.")
        seen.append(entry)
        if isinstance(entry, dict):
            _check_entry(document, place, entry, {*columns, *TECHNICAL})
        name = entry_name(entry)
        if name in PASTES:
            document.report(place, f"{name!r} pastes its arguments into SQL.", PASTES[name])
        elif name in ("unique", "not_null", "accepted_values"):
            _check_pasted(document, place, columns)
        if name is not None:
            _check_name(document, place, name, around)


def _check_name(document: Document, place: KeyPath, name: str, around: Surroundings) -> None:
    """A test of the project by its name, one of a package by `<package>.<name>`."""
    package, _, bare = name.rpartition(".")
    ours = package == PACKAGE
    if package and not ours and around.installs_packages:
        return  # what other packages bring, only dbt knows
    known = package_tests() if ours else around.tests
    if known is not None and bare in known:
        return
    if not package and around.installs_packages and bare in package_tests():
        document.report(place, f"{name!r} is a test of Tidegate.", f"Write `{PACKAGE}.{bare}`.")
    elif known is not None:
        names = {f"{PACKAGE}.{one}" for one in known} if ours else known
        document.report(
            place,
            f"{name!r} is not a test.",
            suggestion(name, names) or "docs/gates.md lists the gates.",
        )


def bare_name(entry: Any) -> str | None:
    """The name of an entry's test without its package."""
    name = entry_name(entry)
    return name.rpartition(".")[2] if name is not None else None


def entry_name(entry: Any) -> str | None:
    """The name of the test that an entry runs; None where the entry has no right form."""
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict):
        return None
    name = entry.get("test_name", next(iter(entry)) if len(entry) == 1 else None)
    return name if isinstance(name, str) else None


def normal_entry(entry: Any) -> dict[str, Any]:
    """One entry in the one form that means the same: name, arguments, config."""
    if isinstance(entry, str):
        return {"test": entry, "arguments": {}, "config": {"severity": "error"}}
    name = entry_name(entry)
    inner = entry if "test_name" in entry else entry[name] or {}
    inner = {k: v for k, v in inner.items() if k not in ("test_name", "name", "description")}
    config = dict(inner.pop("config", None) or {})
    config["severity"] = str(config.get("severity", "error")).lower()
    arguments = {**(inner.pop("arguments", None) or {}), **inner}
    return {"test": name, "arguments": arguments, "config": config}


def _check_entry(
    document: Document, place: KeyPath, entry: dict[str, Any], columns: Collection[str]
) -> None:
    body: Any
    inside: KeyPath
    if "test_name" in entry:
        body, inside = entry, place
    elif len(entry) == 1:
        name = next(iter(entry))
        body, inside = entry[name], (*place, name)
    else:
        document.report(
            place, "is not one test.", "Write each test as its own `- name: {arguments}`."
        )
        return
    if body is None:
        return
    if not isinstance(body, dict):
        document.report(inside, "expected a mapping of arguments.", "Write `arguments: {…}`.")
        return
    if "severity" in body:
        document.report(
            (*inside, "severity"), "stands in the wrong place.", "Move it under `config`."
        )
    config = body.get("config")
    if isinstance(config, dict):
        _check_config(document, (*inside, "config"), config, columns)
    elif config is not None:
        document.report((*inside, "config"), "expected a mapping.")
    arguments = body.get("arguments")
    if arguments is not None and not isinstance(arguments, dict):
        document.report((*inside, "arguments"), "expected a mapping.")
    for at in (inside, (*inside, "arguments")):
        # It may be about another relation, whose columns are not known here.
        _check_where(document, (*at, "where"), None)


def _check_pasted(document: Document, place: KeyPath, columns: Collection[str]) -> None:
    """dbt puts the arguments of its own tests into SQL as they stand."""
    for at in document.under(place):
        if "values" in at and isinstance(document.value(at), str) and "'" in document.value(at):
            document.report(
                at, "holds a quote, which dbt does not escape.", "Write it in `enum` alone."
            )
        elif at[-1] == "quote" and document.value(at) is not True:
            document.report(at, "lets dbt run its values as SQL.", "Remove it.")
        elif at[-1] == "column_name":
            name = document.value(at)
            if name not in columns or column_problem(str(name), quoted=False):
                document.report(
                    at,
                    f"{name!r} is not a plain column of this contract.",
                    "Write the test at the column itself.",
                )


def _check_config(
    document: Document, place: KeyPath, config: dict[str, Any], columns: Collection[str]
) -> None:
    for key in config:
        if key in NOT_USED:
            document.report((*place, key), "is not used in contracts.", NOT_USED[key])
        elif key not in CONFIG_KEYS:
            document.report(
                (*place, key),
                "is not a known key.",
                suggestion(key, CONFIG_KEYS) or f"Known: {', '.join(sorted(CONFIG_KEYS))}.",
            )
    severity = config.get("severity", "error")
    if not isinstance(severity, str) or severity.lower() not in SEVERITIES:
        document.report(
            (*place, "severity"),
            f"{severity!r} is not a severity.",
            "Use `error` (blocks) or `warn`.",
        )
    _check_where(document, (*place, "where"), columns)


def _check_where(document: Document, place: KeyPath, columns: Collection[str] | None) -> None:
    text = document.value(place)
    if not isinstance(text, str):
        return
    try:
        canonical_condition(text, columns)
    except ExpressionError as error:
        document.report(place, error.message, error.remedy)
