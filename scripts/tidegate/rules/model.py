"""The rule types of a quality policy, as typed models (policy seed, "Contract").

A model refuses what can be refused without knowing any column; `typecheck` does the rest. Every
optional key that is left out has its default here, and `complete` writes the defaults out: the
hash of a policy is that of its complete form.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, StrictBool, model_validator
from pydantic_core import PydanticCustomError

from tidegate.contracts.key_base import Keys
from tidegate.rules.words import (
    MAX_ALLOWED_VALUES,
    Bound,
    Count,
    DataType,
    IgnoreNulls,
    IgnoreWhich,
    JsonValue,
    Name,
    Names,
    RuleId,
    Severity,
)


class BaseRule(Keys):
    """What every rule has."""

    about_rows: ClassVar[bool] = True
    """Whether the rule says something about each row; such a rule judges nothing on no rows."""

    id: RuleId
    severity: Severity = Severity.ERROR

    @property
    def columns(self) -> tuple[str, ...]:
        """The fields that the rule names."""
        return ()

    def complete(self) -> dict[str, Any]:
        """The rule with every default written out, as JSON."""
        return {
            key: value
            for key, value in self.model_dump(mode="json", exclude={"field", "fields"}).items()
            if value is not None
        }


class _FieldRule(BaseRule):
    field: Name

    @property
    def columns(self) -> tuple[str, ...]:
        """The fields that the rule names."""
        return (self.field,)

    def complete(self) -> dict[str, Any]:
        """The rule with every default written out, as JSON."""
        return {**super().complete(), "field": self.field}


class _FieldsRule(BaseRule):
    field: Name | None = None
    fields: Names | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> _FieldsRule:
        if (self.field is None) == (self.fields is None):
            raise PydanticCustomError("one_of", "needs either 'field' or 'fields'")
        return self

    @property
    def columns(self) -> tuple[str, ...]:
        """The fields that the rule names."""
        return self.fields or (self.field or "",)

    def complete(self) -> dict[str, Any]:
        """The rule with every default written out, as JSON."""
        return {**super().complete(), "fields": list(self.columns)}


class RowCount(BaseRule):
    """The relation has at least `minimum` and at most `maximum` rows."""

    about_rows: ClassVar[bool] = False
    type: Literal["row_count"]
    minimum: Count | None = None
    maximum: Count | None = None

    @model_validator(mode="after")
    def _bounds(self) -> RowCount:
        _ordered(self.minimum, self.maximum)
        return self


class RequiredFields(BaseRule):
    """The detected schema has these fields."""

    about_rows: ClassVar[bool] = False
    type: Literal["required_fields"]
    fields: Names

    @property
    def columns(self) -> tuple[str, ...]:
        """The fields that the rule names."""
        return self.fields

    def complete(self) -> dict[str, Any]:
        """The rule with every default written out, as JSON."""
        return {**super().complete(), "fields": list(self.fields)}


class FieldShape(_FieldRule):
    """The field has this type, and no nulls where `nullable` is false."""

    about_rows: ClassVar[bool] = False
    type: Literal["field"]
    data_type: DataType | None = None
    nullable: StrictBool | None = None

    @model_validator(mode="after")
    def _says_something(self) -> FieldShape:
        if self.data_type is None and self.nullable is None:
            raise PydanticCustomError("one_of", "needs 'data_type', 'nullable' or both")
        return self


class NotNull(_FieldsRule):
    """None of the fields is null in any row."""

    type: Literal["not_null"]


class Unique(_FieldsRule):
    """No two rows have the same key; nulls are equal to each other unless they are ignored."""

    type: Literal["unique"]
    ignore_nulls: IgnoreWhich = IgnoreNulls.NEVER


class Range(_FieldRule):
    """Every value lies between the bounds, both included; NaN and infinity never do."""

    type: Literal["range"]
    minimum: Bound | None = None
    maximum: Bound | None = None
    allow_null: StrictBool = False

    @model_validator(mode="after")
    def _bounds(self) -> Range:
        _ordered(self.minimum, self.maximum)
        return self


class Referential(_FieldRule):
    """Every value is one of the allowed ones, compared exactly."""

    type: Literal["referential"]
    allowed_values: Annotated[
        tuple[JsonValue, ...], Field(min_length=1, max_length=MAX_ALLOWED_VALUES)
    ]
    allow_null: StrictBool = False


class Target(Keys):
    """The frozen materialization that a `reference` rule looks into."""

    dataset: Name
    materialization: Name
    """An immutable reference, or `latest`: the newest accepted one when validation starts, frozen
    then and recorded in the evidence."""
    fields: Names


class Reference(_FieldsRule):
    """Every key exists in a frozen materialization of another dataset."""

    type: Literal["reference"]
    references: Target
    allow_null: StrictBool = False

    @model_validator(mode="after")
    def _same_length(self) -> Reference:
        if len(self.references.fields) != len(self.columns):
            raise PydanticCustomError("length", "names more fields on one side than on the other")
        return self


Rule = RowCount | RequiredFields | FieldShape | NotNull | Unique | Range | Referential | Reference
RULE_TYPES: dict[str, type[Rule]] = {
    "row_count": RowCount,
    "required_fields": RequiredFields,
    "field": FieldShape,
    "not_null": NotNull,
    "unique": Unique,
    "range": Range,
    "referential": Referential,
    "reference": Reference,
}


def _ordered(minimum: Any, maximum: Any) -> None:
    """Refuse a minimum above its maximum; texts are compared by `typecheck`, as what they mean."""
    if minimum is None and maximum is None:
        raise PydanticCustomError("one_of", "needs 'minimum', 'maximum' or both")
    if minimum is None or maximum is None:
        return
    if isinstance(minimum, str) != isinstance(maximum, str):
        raise PydanticCustomError("mixed", "has one bound as a number and one as text")
    if not isinstance(minimum, str) and minimum > maximum:
        raise PydanticCustomError("order", "has a minimum above its maximum")
