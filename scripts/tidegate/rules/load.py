"""Read a quality policy: every problem at once, each with its place and its remedy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tidegate.contracts.keys import ChangeKind, Classification
from tidegate.errors import ContractError, Problem
from tidegate.rules.columns import Column, ContractColumn, as_columns
from tidegate.rules.jsontext import Found, JsonText, pointer, read_json, unholdable
from tidegate.rules.model import RULE_TYPES, Rule
from tidegate.rules.policy import Policy
from tidegate.rules.typecheck import check_rule
from tidegate.rules.words import MAX_ALLOWED_VALUES, has_controls

_TOP = ("version", "rules", "schema_policy")


def load_policy(
    raw: Mapping[str, Any] | str | Path,
    columns: Iterable[ContractColumn | Column] | None = None,
    *,
    file: str = "quality_policy",
    line: int = 0,
    key: str = "",
    base: Path | None = None,
) -> Policy:
    """Read a policy given as JSON-like data, or as the path of a JSON file.

    `columns` are those of the contract: with them, types and absent fields are checked too. `file`
    and `line` say where data came from, `key` what its pointers start with; a relative path is
    taken from `base`. Raises ContractError with all problems.
    """
    if isinstance(raw, (str, Path)):
        path = (base or Path()) / raw
        text = _read_file(path)
        file, key = str(raw), ""
    else:
        text = JsonText(value=raw)
    told = [Problem(file, number or line, key + at, said) for number, at, said in text.problems]
    reader = _Reader(None if columns is None else as_columns(columns))
    policy = None
    if all(problem.key != key for problem in told):
        policy = reader.read(text.value)
    known = {at for _, at, _ in text.problems}
    told += [
        Problem(file, _line_of(text.lines, at) or line, key + at, message, remedy)
        for at, message, remedy in ((pointer(*path), *rest) for path, *rest in reader.found)
        if at not in known
    ]
    if policy is None or told:
        raise ContractError(told)
    return policy


def _read_file(path: Path) -> JsonText:
    try:
        return read_json(path.read_bytes().decode("utf-8"))
    except UnicodeDecodeError:
        return JsonText(problems=[(0, "", "is not UTF-8 text.")])
    except OSError as error:
        return JsonText(problems=[(0, "", f"cannot be read: {error.strerror}.")])


def _line_of(lines: Mapping[str, int], at: str) -> int:
    """The line of the value, or of the nearest one around it."""
    while at not in lines and at:
        at = at.rpartition("/")[0]
    return lines.get(at, 0)


class _Reader:
    """Collects what is wrong while it builds the policy."""

    def __init__(self, columns: Mapping[str, Column] | None) -> None:
        self.columns = columns
        self.found: list[Found] = []

    def read(self, raw: Any) -> Policy | None:
        if not isinstance(raw, Mapping):
            self.found.append(((), "must be an object with version and rules.", ""))
            return None
        for name in raw:
            if name not in _TOP:
                self._add((str(name),), "is not a key of a policy.", _keys("a policy", _TOP))
        # Types make no sense of what is not JSON; everything else is still looked at.
        self.found += unholdable((), raw)
        version = self._version(raw)
        rules = self._rules(raw)
        schema_policy = self._schema_policy(raw)
        if self.found:
            return None
        return Policy(version, tuple(rules), schema_policy)

    def _add(self, path: tuple[str | int, ...], message: str, remedy: str = "") -> None:
        self.found.append((path, message, remedy))

    def _version(self, raw: Mapping[str, Any]) -> str:
        version = raw.get("version")
        if "version" not in raw:
            self._add((), "has no version.", 'Give it one, such as "v1".')
        elif not isinstance(version, str) or not version:
            self._add(("version",), "must be text that is not empty.")
        elif has_controls(version):
            self._add(("version",), "must not hold control characters.")
        return str(version)

    def _rules(self, raw: Mapping[str, Any]) -> list[Rule]:
        listed = raw.get("rules")
        if not isinstance(listed, Sequence) or isinstance(listed, str) or not listed:
            where: tuple[str, ...] = ("rules",) if "rules" in raw else ()
            self._add(where, "has no rules: what judges nothing is never a pass.",
                      "List at least one rule under 'rules'.")  # fmt: skip
            return []
        rules = [rule for i, item in enumerate(listed) if (rule := self._rule(i, item))]
        seen: dict[str, int] = {}
        for index, item in enumerate(listed):
            name = item.get("id") if isinstance(item, Mapping) else None
            if isinstance(name, str) and name in seen:
                self._add(("rules", index, "id"), f"is the id of rule {seen[name]} already.",
                          "Give every rule an id of its own.")  # fmt: skip
            elif isinstance(name, str):
                seen[name] = index
        return rules

    def _rule(self, index: int, raw: Any) -> Rule | None:
        here = ("rules", index)
        if not isinstance(raw, Mapping):
            self._add(here, "must be an object.")
            return None
        kind = raw.get("type")
        model = RULE_TYPES.get(kind) if isinstance(kind, str) else None
        if model is None:
            what = "is not a rule type." if "type" in raw else "has no type."
            self._add((*here, "type") if "type" in raw else here, what,
                      f"Use one of {', '.join(RULE_TYPES)}.")  # fmt: skip
            return None
        nulls = [name for name, value in raw.items() if value is None]
        for name in nulls:
            self._add((*here, name), "is null.", "Leave the key out.")
        given = {name: value for name, value in raw.items() if value is not None}
        values = given.get("allowed_values")
        if isinstance(values, (list, tuple)) and self._values(here, values):
            return None
        try:
            rule = model.model_validate(given)
        except ValidationError as error:
            self.found += _told(error, here, model, raw)
            return None
        if self.columns is not None:
            for problem in check_rule(rule, self.columns):
                self._add((*here, *problem.key), problem.message, problem.remedy)
        return rule

    def _values(self, here: tuple[str | int, ...], values: Sequence[Any]) -> bool:
        """Whether an allowed set holds a null (cases D02, D20)."""
        before = len(self.found)
        for index, value in enumerate(values):
            if value is None:
                self._add((*here, "allowed_values", index), "is null.",
                          "Leave it out and say \"allow_null\": true.")  # fmt: skip
        return len(self.found) > before

    def _schema_policy(self, raw: Mapping[str, Any]) -> dict[ChangeKind, Classification]:
        given = raw.get("schema_policy", {})
        kinds = [kind.value for kind in ChangeKind]
        grades = [grade.value for grade in Classification]
        if not isinstance(given, Mapping):
            self._add(("schema_policy",), "must be an object.")
            return {}
        read = {}
        for name, grade in given.items():
            if name not in kinds:
                self._add(("schema_policy", name), "is not a kind of schema change.",
                          f"Use one of {', '.join(kinds)}.")  # fmt: skip
            elif grade not in grades:
                self._add(("schema_policy", name), "is not a classification.",
                          f"Use one of {', '.join(grades)}.")  # fmt: skip
            else:
                read[ChangeKind(name)] = Classification(grade)
        return read


def _keys(of: str, names: Iterable[str]) -> str:
    return f"The keys of {of} are {', '.join(names)}."


_SENTENCES = {
    "string_type": "must be text.",
    "string_too_short": "must not be empty.",
    "string_too_long": "must not be longer than 200 characters.",
    "bool_type": "must be true or false.",
    "tuple_type": "must be a list.",
    "too_short": "must not be empty.",
    "too_long": f"holds more than {MAX_ALLOWED_VALUES:,} values.",
    "model_type": "must be an object.",
    "missing": "is missing.",
}


def _told(
    error: ValidationError, here: tuple[str | int, ...], model: type[Rule], raw: Mapping[str, Any]
) -> Iterator[Found]:
    """Pydantic's findings in our words; it would repeat the values it was given."""
    for item in error.errors(include_url=False, include_input=False, include_context=True):
        path = (*here, *item["loc"])
        if item["type"] == "string_unicode":
            continue  # told by unholdable, where it stands
        if item["type"] == "extra_forbidden":
            of = f"a {raw['type']} rule" if len(item["loc"]) == 1 else str(item["loc"][0])
            owner = (
                model
                if len(item["loc"]) == 1
                else model.model_fields[str(item["loc"][0])].annotation
            )
            yield path, f"is not a key of {of}.", _keys(of, getattr(owner, "model_fields", {}))
        elif item["type"] in ("literal_error", "enum"):
            yield path, f"must be {item['ctx']['expected']}.", ""
        else:
            yield path, _SENTENCES.get(item["type"]) or f"{item['msg']}.", ""
