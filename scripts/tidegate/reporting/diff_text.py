"""A diff as text for people: tables, plain or in colour, and Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from tidegate.contracts.keys import ChangeKind, Classification
from tidegate.reporting.diff import DiffReport, SubjectDiff
from tidegate.shapes.mismatches import Mismatch

_COLOURS = {
    Classification.COMPATIBLE: "green",
    Classification.WARNING: "yellow",
    Classification.BREAKING: "red",
    None: "magenta",
}

FOR_READERS = {
    ChangeKind.FIELD_ADDED_NULLABLE: "Nothing; queries that name their columns go on.",
    ChangeKind.FIELD_ADDED_REQUIRED: "Nothing; queries that name their columns go on.",
    ChangeKind.FIELD_REMOVED: "Queries that name the column fail.",
    ChangeKind.TYPE_WIDENED: "Every value keeps its meaning; clients may see another type.",
    ChangeKind.TYPE_CHANGED: "Comparisons, joins and exports may fail or give other results.",
    ChangeKind.NULLABILITY_RELAXED: "Nulls may appear where there were none.",
    ChangeKind.NULLABILITY_TIGHTENED: "Nothing; nulls no longer appear.",
    ChangeKind.FIELD_ORDER_CHANGED: "`select *` gives the columns in another order.",
}
"""What readers of a model notice of a change of its shape."""

FOR_PARTNERS = {
    ChangeKind.FIELD_ADDED_NULLABLE: "Nothing; the column may be left out.",
    ChangeKind.FIELD_ADDED_REQUIRED: "Records without the column are quarantined.",
    ChangeKind.FIELD_REMOVED: "A file that still has the column drifts.",
    ChangeKind.TYPE_WIDENED: "Nothing; more values are taken.",
    ChangeKind.TYPE_CHANGED: "Values of the old type may be quarantined.",
    ChangeKind.NULLABILITY_RELAXED: "Nothing; the value may be missing.",
    ChangeKind.NULLABILITY_TIGHTENED: "Records without a value are quarantined.",
    ChangeKind.FIELD_ORDER_CHANGED: "A file in the old order drifts.",
}
"""What those who deliver a dataset notice of a change of its shape."""


def shown(text: str) -> str:
    """Text of a name or type with nothing in it that a terminal would act upon."""
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode() for ch in text)


def to_text(report: DiffReport, terminal: bool = False, width: int = 120) -> str:
    """The report as tables; colours and box lines only for a terminal."""
    parts = [_subject(report, subject, terminal, width) for subject in report.subjects]
    return "\n".join([*(part for part in parts if part), _summary(report)])


def _subject(report: DiffReport, subject: SubjectDiff, terminal: bool, width: int) -> str:
    if subject.agrees:
        return ""
    highest = subject.highest
    grade = highest.value if highest else "unknown"
    lines = [f"{subject.subject}: {grade}, compared with {shown(subject.compared_with)}"]
    grades = [*subject.classifications]
    rows = _rows(subject)
    old, new = ("was", "is") if report.against else ("contract", "found")
    head = ("column", old, new, "change kind", "reason code", "classification")
    lines.append(_rich(head, rows, grades, width) if terminal else plain_table(head, rows))
    lines += _hints(subject)
    return "\n".join(lines) + "\n"


def _rows(subject: SubjectDiff) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        (
            _place(mismatch.column),
            shown(mismatch.contract),
            shown(mismatch.found),
            mismatch.kind.value if mismatch.kind else "",
            mismatch.reason_code.value,
            mismatch.classification.value if mismatch.classification else "unknown",
        )
        for mismatch in subject.mismatches
    ]
    rows += [
        (
            _place(change.column),
            shown(change.old),
            shown(change.new),
            "",
            change.code.value,
            change.classification.value,
        )
        for change in subject.reader_changes
    ]
    return rows


def _place(column: str) -> str:
    return shown(column) if column else "(all)"


def _hints(subject: SubjectDiff) -> list[str]:
    return [
        f"  {_place(mismatch.column)}: {shown(mismatch.hint)}"
        for mismatch in subject.mismatches
        if mismatch.hint
    ]


def plain_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """An aligned table between bars, as dbt prints a contract error."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        return f"| {' | '.join(padded)} |"

    rule = line([("-" * width) for width in widths])
    return "\n".join([line(head), rule, *(line(row) for row in rows)])


def _rich(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    grades: Sequence[Classification | None],
    width: int,
) -> str:
    import io

    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in head:
        table.add_column(name, overflow="fold")
    for row, grade in zip(rows, grades, strict=True):
        cells = [Text(cell) for cell in row[:-1]]  # Text: `integer[]` is no markup
        table.add_row(*cells, Text(row[-1], style=_COLOURS[grade]))
    console = Console(file=io.StringIO(), force_terminal=True, width=width, legacy_windows=False)
    with console.capture() as capture:
        console.print(table)
    return capture.get().rstrip("\n")


def _summary(report: DiffReport) -> str:
    compared = len(report.subjects)
    agree = sum(subject.agrees for subject in report.subjects)
    counts = ", ".join(f"{n} {name}" for name, n in report.counts.items() if n)
    noun = "contract" if compared == 1 else "contracts"
    text = f"{compared} {noun} compared, {agree} agree"
    return f"{text}; differences: {counts}." if counts else f"{text}."


def to_markdown(report: DiffReport) -> str:
    """The report for a pull request: what the change breaks, for whom, most severe first."""
    against = report.against
    title = f"against {_code(against.ref)}" if against else "against the warehouse"
    lines = [f"### Contracts {title}", "", f"**{_summary(report)}**"]
    order = (Classification.BREAKING, None, Classification.WARNING, Classification.COMPATIBLE)
    for grade in order:
        for subject in report.subjects:
            if not subject.agrees and subject.highest is grade:
                lines += ["", *_markdown_subject(report, subject)]
    return "\n".join(lines) + "\n"


def _markdown_subject(report: DiffReport, subject: SubjectDiff) -> list[str]:
    grade = subject.highest.value if subject.highest else "unknown"
    who = "readers" if subject.kind == "model" else "partners"
    live = ("column", "contract", "found", "change", "what to know")
    against = ("column", "was", "is", "change", f"what {who} notice")
    rows = [
        (
            _column(mismatch.column),
            _code(mismatch.contract),
            _code(mismatch.found),
            f"{_code(mismatch.reason_code.value)} {_grade(mismatch)}",
            _sentence(_notice(subject, mismatch) if report.against else mismatch.hint),
        )
        for mismatch in subject.mismatches
    ]
    rows += [
        (
            _column(change.column),
            _code(change.old),
            _code(change.new),
            f"{_code(change.code.value)} {change.classification.value}",
            change.meaning,
        )
        for change in subject.reader_changes
    ]
    compared = f"compared with {_code(subject.compared_with)}"
    head = against if report.against else live
    title = f"#### {subject.kind.capitalize()} {_code(subject.subject)}: {grade}, {compared}"
    return [title, "", plain_table(head, rows)]


def _grade(mismatch: Mismatch) -> str:
    return mismatch.classification.value if mismatch.classification else "unknown"


def _notice(subject: SubjectDiff, mismatch: Mismatch) -> str:
    if mismatch.kind is None:
        return mismatch.hint
    words = FOR_READERS if subject.kind == "model" else FOR_PARTNERS
    return words[mismatch.kind]


def _column(name: str) -> str:
    return _code(name) if name else "(all)"


def _code(text: str) -> str:
    """A code span, in which nothing but a bar or a backtick has a meaning."""
    safe = shown(text).replace("`", "'").replace("|", "\\|")
    return f"`{safe}`" if safe else ""


def _sentence(text: str) -> str:
    return shown(text).replace("|", "\\|").replace("<", "&lt;")
