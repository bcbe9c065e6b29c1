"""An independent judge of quality policies: plain Python over lists of texts, no SQL.

It shares nothing with `tidegate.rules` but the words of the seed. A table is a list of rows, a row
a mapping from column name to the text that PostgreSQL would read, or None.
"""

from __future__ import annotations

import json
import math
import struct
from collections import Counter
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any

Row = dict[str, str | None]
COLUMNS = {
    "t": "text",
    "i": "integer",
    "c": "numeric",
    "d": "double precision",
    "r": "real",
    "da": "date",
    "ts": "timestamp",
    "tz": "timestamptz",
    "bo": "boolean",
    "u": "uuid",
    "j": "jsonb",
    "js": "json",
}
LOGICAL = {
    "t": "string", "i": "integer", "c": "number", "d": "number", "r": "number", "da": "date",
    "ts": "timestamp", "tz": "timestamp", "bo": "boolean", "u": "string", "j": "json", "js": "json",
}  # fmt: skip
ENDLESS = {"infinity": math.inf, "-infinity": -math.inf}


def single(number: float) -> float:
    """The nearest number that four bytes can hold."""
    return float(struct.unpack("f", struct.pack("f", number))[0])


def plain(document: Any) -> Any:
    """A JSON document as something comparable: true is not 1, and 1.0 is 1."""
    if isinstance(document, dict):
        return ("object", tuple(sorted((key, plain(item)) for key, item in document.items())))
    if isinstance(document, list):
        return ("array", tuple(plain(item) for item in document))
    if isinstance(document, (int, float, Decimal)) and not isinstance(document, bool):
        return ("number", Decimal(str(document)))
    return (type(document).__name__, document)


def meaning(column: str, text: str) -> Any:
    """What the text means in this column, so that equal values are equal and order is order."""
    kind = COLUMNS[column]
    if kind in ("text", "uuid", "boolean"):
        return text
    if kind == "integer":
        return int(text)
    if kind in ("numeric", "double precision", "real"):
        if text == "NaN":
            return "NaN"
        if kind == "numeric":
            return Decimal(text)
        return single(float(text)) if kind == "real" else float(text)
    if kind in ("json", "jsonb"):
        return plain(json.loads(text, parse_float=Decimal))
    return moment(text)


def moment(text: str) -> float:
    """Days or seconds on one line; infinity at its ends."""
    if text in ENDLESS:
        return ENDLESS[text]
    if len(text) == 10:
        return datetime.combine(
            date.fromisoformat(text), datetime.min.time(), timezone.utc
        ).timestamp()
    stamp = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (stamp if stamp.tzinfo else stamp.replace(tzinfo=timezone.utc)).timestamp()


def written(column: str, value: Any) -> Any:
    """What a value of a policy means beside this column."""
    kind = COLUMNS[column]
    if kind == "numeric":
        return Decimal(str(value))
    if kind == "real":
        return single(value)
    if kind == "boolean":
        return "true" if value else "false"
    if kind in ("json", "jsonb"):
        return plain(value)
    return moment(value) if kind in ("date", "timestamp", "timestamptz") else value


def violations(rule: dict[str, Any], rows: list[Row]) -> tuple[list[int], dict[str, int]]:
    """One-based numbers of violating rows, and the counts that the rule reports besides."""
    kind = rule["type"]
    names = rule.get("fields") or [rule.get("field")]
    if kind in ("not_null", "field"):
        return [n for n, row in enumerate(rows, 1) if any(row[f] is None for f in names)], {}
    if kind == "unique":
        return repeated(rule.get("ignore_nulls", False), names, rows)
    name = rule["field"]
    hit, nulls, endless, distinct = [], 0, 0, set()
    for number, row in enumerate(rows, 1):
        text = row[name]
        if text is None:
            if not rule.get("allow_null", False):
                hit.append(number)
                nulls += 1
            continue
        value = meaning(name, text)
        if kind == "range":
            strange = value == "NaN" or value in (math.inf, -math.inf)
            endless += strange
            bad = strange or not inside(rule, name, value)
        else:
            bad = value not in [written(name, allowed) for allowed in rule["allowed_values"]]
        if bad:
            hit.append(number)
            distinct.add(value)
    extra = {"null_rows": nulls}
    extra |= {"non_finite_rows": endless} if kind == "range" else {"distinct": len(distinct)}
    return hit, extra


def inside(rule: dict[str, Any], name: str, value: Any) -> bool:
    """Whether a finite value lies between the bounds."""
    low, high = rule.get("minimum"), rule.get("maximum")
    if low is not None and value < written(name, low):
        return False
    return high is None or value <= written(name, high)


def repeated(
    ignore: bool | str, names: list[str], rows: list[Row]
) -> tuple[list[int], dict[str, int]]:
    """Rows whose key occurs again, and how many keys do."""
    keys = {}
    for number, row in enumerate(rows, 1):
        key = tuple(None if row[f] is None else meaning(f, row[f]) for f in names)  # type: ignore[arg-type]
        empty = [part is None for part in key]
        if (ignore in (True, "any") and any(empty)) or (ignore == "all" and all(empty)):
            continue
        keys[number] = key
    seen = Counter(keys.values())
    hit = [number for number, key in keys.items() if seen[key] > 1]
    return hit, {"groups": sum(1 for count in seen.values() if count > 1)}


def judge(rule: dict[str, Any], rows: list[Row]) -> dict[str, Any]:
    """Status, counts and at most 25 row numbers of one rule."""
    kind = rule["type"]
    bad_status = "failed" if rule.get("severity", "error") == "error" else "warning"
    if kind == "row_count":
        bad = not rule.get("minimum", 0) <= len(rows) <= rule.get("maximum", math.inf)
        return {"status": bad_status if bad else "passed"}
    if kind == "required_fields":
        absent = [name for name in rule["fields"] if name not in COLUMNS]
        return {"status": bad_status, "reason": "field_absent"} if absent else {"status": "passed"}
    if kind == "field":
        return shape(rule, rows, bad_status)
    names = rule.get("fields") or [rule["field"]]
    orderless = ("t", "bo", "u", "j", "js")
    if any(name not in COLUMNS for name in names) or (kind == "range" and names[0] in orderless):
        return {"status": "error", "reason": "not_applicable"}
    if not rows:
        return {"status": "not_evaluated", "reason": "empty_relation", "violating_rows": 0}
    hit, extra = violations(rule, rows)
    if not hit:
        kept = {"groups": 0} if kind == "unique" else {}
        return {"status": "passed", "violating_rows": 0, **kept}
    return {
        "status": bad_status, "violating_rows": len(hit), "row_numbers": hit[:25], **extra
    }  # fmt: skip


def shape(rule: dict[str, Any], rows: list[Row], bad_status: str) -> dict[str, Any]:
    """The `field` rule: existence, type, and nulls where none may be."""
    name = rule["field"]
    if name not in COLUMNS:
        return {"status": bad_status, "reason": "field_absent"}
    told: dict[str, Any] = {}
    wrong = rule.get("data_type") not in (None, LOGICAL[name])
    if wrong:
        told["reason"] = "type_differs"
    hit: list[int] = []
    if rule.get("nullable") is False:
        hit, _ = violations(rule, rows)
        told["violating_rows"] = len(hit)
    if hit:
        told["row_numbers"] = hit[:25]
    if not wrong and not rows and rule.get("nullable") is False:
        return {"status": "not_evaluated", "reason": "empty_relation", "violating_rows": 0}
    return {"status": bad_status if wrong or hit else "passed", **told}


def verdict(rules: list[dict[str, Any]], found: list[dict[str, Any]], allow_empty: bool) -> str:
    """What all rules say together."""
    blocks = warns = False
    for rule, one in zip(rules, found, strict=True):
        strict = rule.get("severity", "error") == "error"
        unseen = one["status"] == "not_evaluated" and not allow_empty
        blocks |= one["status"] in ("failed", "error") or (unseen and strict)
        warns |= one["status"] == "warning" or (unseen and not strict)
    return "failed" if blocks else "ready_with_warnings" if warns else "passed"
