"""A diff of contracts: what was compared with what, and everything that differs."""

from __future__ import annotations

from dataclasses import dataclass

from tidegate.contracts.keys import Classification
from tidegate.contracts.reasons import ReasonCode
from tidegate.shapes.mismatches import Mismatch
from tidegate.shapes.model import SEVERITY
from tidegate.shapes.older import OlderContracts
from tidegate.shapes.reader_changes import ReaderChange


@dataclass(frozen=True)
class SubjectDiff:
    """One contract compared: `compared_with` is a relation, or the contract at a ref."""

    subject: str
    kind: str
    compared_with: str
    mismatches: tuple[Mismatch, ...] = ()
    reader_changes: tuple[ReaderChange, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the columns were compared at all."""
        nothing = (ReasonCode.RELATION_MISSING, ReasonCode.INTROSPECTION_INCOMPLETE)
        return not any(mismatch.reason_code in nothing for mismatch in self.mismatches)

    @property
    def agrees(self) -> bool:
        """Whether nothing differs."""
        return not (self.mismatches or self.reader_changes)

    @property
    def classifications(self) -> tuple[Classification | None, ...]:
        """Of each difference; None for what is not known."""
        return (
            *(mismatch.classification for mismatch in self.mismatches),
            *(change.classification for change in self.reader_changes),
        )

    @property
    def highest(self) -> Classification | None:
        """The highest classification; None where the role could not see everything."""
        known = [found for found in self.classifications if found is not None]
        if len(known) < len(self.classifications):
            return None
        return max(known, key=SEVERITY.__getitem__, default=Classification.COMPATIBLE)

    def document(self) -> dict[str, object]:
        """The comparison as JSON."""
        highest = self.highest
        return {
            "subject": self.subject,
            "kind": self.kind,
            "compared_with": self.compared_with,
            "classification": highest.value if highest else None,
            "mismatches": [mismatch.document() for mismatch in self.mismatches],
            "reader_changes": [change.document() for change in self.reader_changes],
        }


@dataclass(frozen=True)
class DiffReport:
    """Everything that was compared. `against` is None for live relations."""

    subjects: tuple[SubjectDiff, ...]
    against: OlderContracts | None = None

    @property
    def counts(self) -> dict[str, int]:
        """Differences by classification; `unknown` counts what could not be seen."""
        found = [c for subject in self.subjects for c in subject.classifications]
        counts = {grade.value: found.count(grade) for grade in reversed(Classification)}
        return {**counts, "unknown": found.count(None)}

    @property
    def unknown(self) -> tuple[SubjectDiff, ...]:
        """What the role could not see in full: neither passed nor drifted."""
        return tuple(subject for subject in self.subjects if subject.highest is None)

    @property
    def nothing_compared(self) -> bool:
        """Whether not one subject was there to be compared."""
        return not any(subject.known for subject in self.subjects)

    def reaches(self, grade: Classification) -> bool:
        """Whether any difference is classified as `grade` or worse."""
        return any(
            found is not None and SEVERITY[found] >= SEVERITY[grade]
            for subject in self.subjects
            for found in subject.classifications
        )

    def document(self) -> dict[str, object]:
        """The report as JSON."""
        against = self.against
        return {
            "against": {"ref": against.ref, "commit": against.commit} if against else None,
            "compared": len(self.subjects),
            "agree": sum(subject.agrees for subject in self.subjects),
            "counts": self.counts,
            "subjects": [subject.document() for subject in self.subjects],
        }
