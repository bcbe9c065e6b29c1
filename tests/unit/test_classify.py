"""Schema changes: what they are, why, how risky, and what happens to them."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegate.contracts.keys import ChangeKind, Classification, Disposition, DriftPolicy
from tidegate.contracts.reasons import ReasonCode
from tidegate.contracts.types import LogicalType, parse_type
from tidegate.shapes.classify import DEFAULTS, classify
from tidegate.shapes.decide import decide
from tidegate.shapes.model import Change, Field, Origin, SchemaDiff, Shape
from tidegate.shapes.pairing import moved


def declared(*columns: str, origin: Origin = Origin.DECLARED) -> Shape:
    """A shape from `name type [not null]`; `?` at the end leaves nullability unknown."""
    fields = []
    for column in columns:
        name, _, kind = column.partition(" ")
        required = kind.endswith(" not null")
        nullable = None if kind.endswith("?") else not required
        text = kind.removesuffix(" not null").removesuffix("?")
        fields.append(Field(name, parse_type(text), nullable))
    return Shape(tuple(fields), origin)


def live(*columns: str) -> Shape:
    """The same for a live relation."""
    return declared(*columns, origin=Origin.LIVE)


def observed(**columns: LogicalType) -> Shape:
    """What a delivery held, without nulls unless the type is unknown."""
    return Shape(
        tuple(
            Field(name, observed=kind, nullable=kind is LogicalType.UNKNOWN, confidence=1.0)
            for name, kind in columns.items()
        ),
        Origin.OBSERVED,
    )


def told(diff: SchemaDiff) -> list[tuple[str, str, str, str]]:
    """Field, kind, reason and classification of each change, as plain words."""
    return [
        (c.field, c.kind.value, c.reason_code.value, c.classification.value) for c in diff.changes
    ]


SEED_TABLE = [
    (["a int"], ["a int", "b int"], "field_added_nullable", "compatible"),
    (["a int"], ["a int", "b int not null"], "field_added_required", "warning"),
    (["a int", "b int"], ["a int"], "field_removed", "breaking"),
    (["a int"], ["a numeric"], "type_widened", "compatible"),
    (["a int"], ["a text"], "type_changed", "breaking"),
    (["a int not null"], ["a int"], "nullability_relaxed", "breaking"),
    (["a int"], ["a int not null"], "nullability_tightened", "compatible"),
    (["a int", "b int"], ["b int", "a int"], "field_order_changed", "warning"),
]


@pytest.mark.parametrize(("old", "new", "kind", "classification"), SEED_TABLE)
def test_defaults_are_those_of_the_policy(
    old: list[str], new: list[str], kind: str, classification: str
) -> None:
    """The eight kinds and their defaults (policy seed, "Schema Classification")."""
    diff = classify(declared(*old), declared(*new))
    assert [(c.kind.value, c.classification.value) for c in diff.changes] == [
        (kind, classification)
    ]
    assert diff.highest is Classification(classification)


def test_every_kind_has_a_default() -> None:
    """The table is complete and the cases above cover it."""
    assert set(DEFAULTS) == set(ChangeKind) == {ChangeKind(case[2]) for case in SEED_TABLE}


@pytest.mark.parametrize(("old", "new", "kind", "classification"), SEED_TABLE)
def test_an_override_by_kind_replaces_the_default(
    old: list[str], new: list[str], kind: str, classification: str
) -> None:
    """Each key of schema_policy may be compatible, warning or breaking."""
    for wanted in Classification:
        diff = classify(declared(*old), declared(*new), {ChangeKind(kind): wanted})
        assert diff.highest is wanted, classification


def test_the_highest_classification_is_that_of_the_whole() -> None:
    """One breaking change among compatible ones makes the diff breaking; none is compatible."""
    diff = classify(declared("a int", "b int"), declared("a bigint", "c int not null"))
    assert told(diff) == [
        ("a", "type_widened", "widening_lossless", "compatible"),
        ("b", "field_removed", "possible_rename", "breaking"),
        ("c", "field_added_required", "possible_rename", "warning"),
    ]
    assert diff.highest is Classification.BREAKING
    assert classify(declared("a int"), declared("a int4")).highest is Classification.COMPATIBLE


@pytest.mark.parametrize(
    ("contract", "found", "kind", "reason", "classification"),
    [
        ("varchar(50)", "varchar(20)", "type_widened", "widening_lossless", "compatible"),
        ("varchar(10)", "varchar(20)", "type_changed", "length_changed", "breaking"),
        ("varchar(20)", "varchar", "type_changed", "length_changed", "breaking"),
        ("text", "varchar(20)", "type_widened", "widening_lossless", "compatible"),
        ("char(3)", "varchar(3)", "type_changed", "representation_changed", "breaking"),
    ],
)
def test_b07_lengths_are_compared(
    contract: str, found: str, kind: str, reason: str, classification: str
) -> None:
    """Live values have to fit the contract; both lengths are in the change."""
    diff = classify(declared(f"code {contract}"), live(f"code {found}"))
    assert told(diff) == [("code", kind, reason, classification)]
    assert (diff.changes[0].old, diff.changes[0].new) == (
        parse_type(contract).sql,
        parse_type(found).sql,
    )


def test_b08_text_and_varchar_without_length_hold_the_same_values() -> None:
    """text as varchar(20) breaks; text as varchar is compatible, both ways."""
    too_long = classify(declared("a varchar(20)"), live("a text"))
    assert told(too_long) == [("a", "type_changed", "length_changed", "breaking")]
    for contract, found in (("varchar", "text"), ("text", "varchar")):
        diff = classify(declared(f"a {contract}"), live(f"a {found}"))
        assert told(diff) == [("a", "type_widened", "widening_lossless", "compatible")]


@pytest.mark.parametrize(
    ("contract", "found"),
    [
        ("numeric(10,1)", "numeric(10,2)"),
        ("numeric(10)", "numeric(10,2)"),
        ("numeric(10,2)", "numeric"),
        ("numeric(10,2)", "double precision"),
        ("bigint", "numeric(10,2)"),
        ("real", "double precision"),
        ("double precision", "bigint"),
        ("real", "integer"),
        ("timestamp(0)", "timestamp"),
        ("timestamptz(3)", "timestamptz(6)"),
        ("interval(0)", "interval"),
        ("date", "timestamp"),
    ],
)
def test_b06_rounding_is_precision_loss(contract: str, found: str) -> None:
    """No digit is rounded away on the way to readers."""
    diff = classify(declared(f"a {contract}"), live(f"a {found}"))
    assert told(diff) == [("a", "type_changed", "precision_loss", "breaking")]


@pytest.mark.parametrize(
    ("contract", "found"),
    [
        ("integer", "bigint"),
        ("smallint", "integer"),
        ("numeric(10,2)", "numeric(12,2)"),
        ("numeric(5,0)", "integer"),
        ("integer", "numeric(9,0)"),
        ("integer", "text"),
        ("bit(3)", "bit varying(3)"),
    ],
)
def test_a_type_that_cannot_hold_every_value_is_a_narrowing(contract: str, found: str) -> None:
    """Digits before the point count as well as those behind it."""
    diff = classify(declared(f"a {contract}"), live(f"a {found}"))
    assert told(diff) == [("a", "type_changed", "narrowing", "breaking")]


@pytest.mark.parametrize(
    ("contract", "found"),
    [
        ("integer", "smallint"),
        ("bigint", "integer"),
        ("numeric", "bigint"),
        ("numeric(10,0)", "integer"),
        ("numeric(12,2)", "integer"),
        ("numeric(12,2)", "numeric(10,2)"),
        ("numeric(12,3)", "numeric(10,2)"),
        ("numeric(12,4)", "numeric(10,2)"),
        ("numeric", "numeric(10,2)"),
        ("double precision", "real"),
        ("double precision", "integer"),
        ("real", "smallint"),
        ("bit varying(5)", "bit(3)"),
        ("interval", "interval day to second"),
        ("bigint[]", "integer[]"),
    ],
)
def test_a_live_type_that_fits_the_contract_is_a_lossless_widening(
    contract: str, found: str
) -> None:
    """And the other way round it never is."""
    diff = classify(declared(f"a {contract}"), live(f"a {found}"))
    assert told(diff) == [("a", "type_widened", "widening_lossless", "compatible")]
    back = classify(declared(f"a {found}"), live(f"a {contract}"))
    assert back.highest is Classification.BREAKING


@pytest.mark.parametrize(
    ("contract", "found", "reason"),
    [
        ("timestamp", "timestamptz", "timezone_changed"),
        ("timestamptz", "timestamp", "timezone_changed"),
        ("time", "timetz", "timezone_changed"),
        ("timestamptz", "date", "timezone_changed"),
        ("timestamp", "date", "representation_changed"),
        ("boolean", "integer", "meaning_changed"),
        ("date", "integer", "meaning_changed"),
        ("text", "integer", "representation_changed"),
        ("json", "jsonb", "representation_changed"),
        ("jsonb", "json", "representation_changed"),
        ("uuid", "text", "narrowing"),
        ("text", "uuid", "representation_changed"),
        ("inet", "integer", "meaning_changed"),
        ("integer", "integer[]", "meaning_changed"),
        ("text[]", "integer[]", "representation_changed"),
        ("text", "s.mood", "representation_changed"),
        ("s.mood", "text", "narrowing"),
        ("s.mood", "r.mood", "meaning_changed"),
    ],
)
def test_b03_b11_b13_other_types_break_with_their_own_reason(
    contract: str, found: str, reason: str
) -> None:
    """Time zones, arrays, enums, json against jsonb: each is told apart and each breaks."""
    diff = classify(declared(f"a {contract}"), live(f"a {found}"))
    assert told(diff) == [("a", "type_changed", reason, "breaking")]


def test_b11_fractions_of_a_second() -> None:
    """Six digits are what no digits mean; fewer than the contract's is a warning, not silence."""
    for text in ("timestamp", "timestamptz", "time", "interval"):
        kind = f"{text}(6)"
        assert classify(declared(f"a {text}"), live(f"a {kind}")) == SchemaDiff()
    diff = classify(declared("a timestamp"), live("a timestamp(3)"))
    assert told(diff) == [("a", "type_widened", "fraction_widened", "warning")]
    evolved = classify(declared("a timestamp(3)"), declared("a timestamp"))
    assert told(evolved) == [("a", "type_widened", "fraction_widened", "compatible")]


@pytest.mark.parametrize("name", ["mood", "s.mood"])
def test_b13_own_types_match_by_name(name: str) -> None:
    """A contract may leave the schema of an enum or domain away."""
    assert classify(declared(f"a {name}"), live("a s.mood")) == SchemaDiff()
    assert classify(declared(f"a {name}[]"), live("a s.mood[]")) == SchemaDiff()


def test_b04_a_domain_over_the_declared_type_is_a_warning() -> None:
    """The domain is named with its base; a domain over something else is judged by its base."""
    postcode = Field("code", parse_type("s.pc"), True, base=parse_type("varchar(8)"))
    found = Shape((postcode,), Origin.LIVE)
    diff = classify(declared("code varchar(8)"), found)
    assert told(diff) == [("code", "type_widened", "domain_over_base", "warning")]
    assert diff.changes[0].new == "s.pc (domain over character varying(8))"
    assert told(classify(declared("code varchar(4)"), found)) == [
        ("code", "type_changed", "length_changed", "breaking")
    ]
    allowed = classify(
        declared("code varchar(8)"), found, {ChangeKind.TYPE_WIDENED: Classification.COMPATIBLE}
    )
    assert allowed.highest is Classification.COMPATIBLE
    assert classify(declared("code s.pc"), found) == SchemaDiff()


def test_b14_unknown_nullability_is_never_a_difference() -> None:
    """A view cannot tell; the backing table and the data can."""
    assert classify(declared("a int not null"), live("a int?")) == SchemaDiff()
    assert told(classify(declared("a int not null"), live("a int"))) == [
        ("a", "nullability_relaxed", "nullability_relaxed", "breaking")
    ]


def test_b17_a_possible_rename_is_a_hint_and_never_automatic() -> None:
    """Drop and add stay what they are; no policy lets a guess through."""
    diff = classify(declared("id int", "active bool"), declared("id int", "is_active bool"))
    assert [(c.field, c.reason_code.value, c.hint) for c in diff.changes] == [
        ("active", "possible_rename", "`is_active` may be this column under another name."),
        ("is_active", "possible_rename", "It may be `active` under another name."),
    ]
    assert diff.highest is Classification.BREAKING
    decision = decide(diff, DriftPolicy(default=Disposition.AUTO))
    assert [d.disposition for d in decision.changes] == [Disposition.REVIEW, Disposition.REVIEW]
    other_type = classify(declared("id int", "active bool"), declared("id int", "is_active date"))
    assert [c.reason_code.value for c in other_type.changes] == ["removed", "nullable_added"]
    far = classify(declared("id int", "a1 bool"), declared("zz bool", "yy int", "id int"))
    assert far.changes[0].reason_code is ReasonCode.REMOVED


def test_a_file_of_many_new_names_is_compared_place_by_place() -> None:
    """1,600 columns that are all called otherwise: hints by place, and no minutes of comparing."""
    old = Shape(tuple(Field(f"old_{n}", observed=LogicalType.STRING) for n in range(1600)))
    new = Shape(
        tuple(Field(f"new_{n}", observed=LogicalType.STRING) for n in range(1600)), Origin.OBSERVED
    )
    hints = [change.hint for change in classify(old, new).changes]
    assert hints[7] == "`new_7` may be this column under another name."
    assert hints[1607] == "It may be `old_7` under another name."
    assert len(hints) == 3200
    turned = Shape((new.fields[-1], *new.fields[:-1]), Origin.OBSERVED)
    similar = Shape((*old.fields[:-1], Field("ne_1599", observed=LogicalType.STRING)))
    change = classify(similar, turned).changes[1599]
    assert change.hint == "`new_1598` may be this column under another name."


def test_b18_a_moved_column_is_found_by_name() -> None:
    """Two columns of one type that changed places are seen; each move is told once."""
    diff = classify(declared("b int", "a int"), live("a int", "b int"))
    assert told(diff) == [("b", "field_order_changed", "order_changed", "warning")]
    assert diff.changes[0].hint == "Position 1 became 2; columns are matched by name."
    one_moved = classify(
        declared("a int", "b int", "c int", "d int"), declared("d int", "a int", "b int", "c int")
    )
    assert [change.field for change in one_moved.changes] == ["d"]


def test_b18_a_new_column_in_front_moves_nothing() -> None:
    """Positions shift, the order of the others does not."""
    diff = classify(declared("a int", "b int"), declared("x date", "a int", "b int"))
    assert [change.kind for change in diff.changes] == [ChangeKind.FIELD_ADDED_NULLABLE]


def test_b19_upper_and_lower_case_is_one_difference() -> None:
    """`countryId` against `countryid` is one removed name with its reason, not drop and add."""
    diff = classify(
        Shape((Field("countryId", parse_type("text"), True), Field("from", parse_type("int")))),
        Shape(
            (Field("countryid", parse_type("text"), True), Field("from", parse_type("int"))),
            Origin.LIVE,
        ),
    )
    assert told(diff) == [("countryId", "field_removed", "name_case_differs", "breaking")]
    assert diff.changes[0].hint == (
        "There is `countryid`: names are exact, upper and lower case included."
    )


def test_b20_a_delivery_narrower_than_the_contract_is_no_change() -> None:
    """Nothing is ever narrowed because of what one delivery happened to hold."""
    contract = declared("a numeric(2)", "b text", "c timestamp", "d jsonb", "e inet", "f bigint")
    found = observed(
        a=LogicalType.INTEGER,
        b=LogicalType.INTEGER,
        c=LogicalType.DATE,
        d=LogicalType.STRING,
        e=LogicalType.STRING,
        f=LogicalType.UNKNOWN,
    )
    assert classify(contract, found) == SchemaDiff()


def test_b23_no_columns_are_unknown_not_removed() -> None:
    """A relation that is not there has not lost five columns."""
    diff = classify(declared("a int", "b int", "c int", "d int", "e int"), live())
    assert diff == SchemaDiff(unknown=ReasonCode.RELATION_MISSING)
    assert diff.highest is None
    assert decide(diff, DriftPolicy(default=Disposition.AUTO)).overall is Disposition.BLOCK


def test_b24_a_reverted_change_is_clean_again() -> None:
    """The baseline is the contract, never the last run."""
    contract = declared("a int", "b int")
    runs = [observed(a=LogicalType.INTEGER, b=LogicalType.INTEGER), observed(a=LogicalType.INTEGER)]
    results = [classify(contract, run).highest for run in (runs[0], runs[1], runs[0])]
    assert results == [
        Classification.COMPATIBLE,
        Classification.BREAKING,
        Classification.COMPATIBLE,
    ]


def test_b25_a_change_carries_record_numbers_and_no_values() -> None:
    """An operator sees which records, at most 25 of them."""
    field = Field("n", observed=LogicalType.STRING, confidence=1.0, examples=tuple(range(1, 99)))
    diff = classify(declared("n bigint"), Shape((field,), Origin.OBSERVED))
    assert diff.document() == {
        "classification": "breaking",
        "unknown": None,
        "changes": [
            {
                "field": "n",
                "kind": "type_changed",
                "reason_code": "representation_changed",
                "classification": "breaking",
                "old": "bigint",
                "new": "string",
                "example_records": list(range(1, 26)),
            }
        ],
    }


def test_b30_a_lost_length_is_told_with_its_remedy() -> None:
    """`coalesce` and arithmetic drop lengths and scales."""
    diff = classify(declared("code varchar(20)"), live("code varchar"))
    assert diff.changes[0].hint == (
        "Expressions lose length, precision and scale: cast the column to character varying(20)."
    )


@pytest.mark.parametrize(
    ("contract", "seen", "reason", "kind"),
    [
        ("int", LogicalType.NUMBER, "widening_lossless", "type_widened"),
        ("int", LogicalType.STRING, "representation_changed", "type_changed"),
        ("date", LogicalType.TIMESTAMP, "representation_changed", "type_changed"),
        ("bool", LogicalType.INTEGER, "meaning_changed", "type_changed"),
        ("timestamp", LogicalType.NUMBER, "meaning_changed", "type_changed"),
    ],
)
def test_a_delivery_that_outgrows_the_contract_is_drift(
    contract: str, seen: LogicalType, reason: str, kind: str
) -> None:
    """The contract would have to change to take it."""
    diff = classify(declared(f"a {contract}"), observed(a=seen))
    assert [(c.reason_code.value, c.kind.value) for c in diff.changes] == [(reason, kind)]


def test_an_unknown_type_that_is_resolved_is_compatible() -> None:
    """Policy seed: unknown resolved is compatible."""
    old = Shape((Field("a", observed=LogicalType.UNKNOWN),))
    diff = classify(old, observed(a=LogicalType.DATE))
    assert told(diff) == [("a", "type_widened", "unknown_resolved", "compatible")]


def test_leading_zeros_block_coercion() -> None:
    """00123 is an account code: a number contract never takes it, and the reason says why."""
    field = Field("a", observed=LogicalType.STRING, leading_zeros=True, confidence=0.5)
    diff = classify(declared("a int"), Shape((field,), Origin.OBSERVED))
    assert told(diff) == [("a", "type_changed", "leading_zero_coercion_blocked", "breaking")]
    assert classify(declared("a text"), Shape((field,), Origin.OBSERVED)) == SchemaDiff()


@pytest.mark.parametrize(
    ("seen", "kind"), [(LogicalType.NUMBER, "type_widened"), (LogicalType.STRING, "type_changed")]
)
def test_a_conclusion_with_low_confidence_says_so_and_is_never_automatic(
    seen: LogicalType, kind: str
) -> None:
    """A widening that few values support waits for a person."""
    field = Field("a", observed=seen, confidence=0.94)
    diff = classify(declared("a int"), Shape((field,), Origin.OBSERVED))
    assert [(c.kind.value, c.reason_code.value) for c in diff.changes] == [(kind, "low_confidence")]
    decision = decide(diff, DriftPolicy(default=Disposition.AUTO))
    assert decision.overall is Disposition.REVIEW
    enough = Field("a", observed=seen, confidence=0.95)
    (change,) = classify(declared("a int"), Shape((enough,), Origin.OBSERVED)).changes
    assert change.reason_code is not ReasonCode.LOW_CONFIDENCE


@pytest.mark.parametrize(
    ("confidence", "reason"),
    [(0.94, "low_confidence"), (0.95, "nullable_added"), (None, "nullable_added")],
)
def test_a_new_column_of_doubtful_type_is_never_automatic(
    confidence: float | None, reason: str
) -> None:
    """A column that may be null is safe to add only where its type is sure."""
    new = Field("a", observed=LogicalType.DATE, nullable=True, confidence=confidence)
    id_ = Field("id", observed=LogicalType.INTEGER)
    diff = classify(declared("id int"), Shape((id_, new), Origin.OBSERVED))
    assert told(diff) == [("a", "field_added_nullable", reason, "compatible")]
    automatic = decide(diff, DriftPolicy(default=Disposition.AUTO)).overall is Disposition.AUTO
    assert automatic == (reason == "nullable_added")


@pytest.mark.parametrize(
    "name",
    ["email", "e_mail", "customerEmail", "PHONE2", "ssn", "patient_DOB", "PatientDOB", "full_name",
     "ip", "ip_address", "ipAddress", "iban", "apiKey", "street_address", "date_of_birth"],
)  # fmt: skip
def test_new_columns_that_look_sensitive_wait_for_a_person(name: str) -> None:
    """Compatible by the seed's table, and yet never applied automatically."""
    diff = classify(declared("id int"), declared("id int", f"{name} text"))
    assert told(diff) == [(name, "field_added_nullable", "sensitive_looking_added", "compatible")]
    decision = decide(diff, DriftPolicy(default=Disposition.AUTO))
    assert (decision.overall, decision.changes[0].because) == (
        Disposition.REVIEW,
        "sensitive_looking_added is not provably safe",
    )


@pytest.mark.parametrize(
    "name", ["amount", "shipped_at", "description", "zipper", "clip", "emailed"]
)
def test_other_new_columns_do_not_look_sensitive(name: str) -> None:
    """Words are compared whole."""
    diff = classify(declared("id int"), declared("id int", f"{name} text"))
    assert diff.changes[0].reason_code is ReasonCode.NULLABLE_ADDED


@pytest.mark.parametrize(
    ("old", "new", "overall"),
    [
        (["a int"], ["a bigint"], "auto"),
        (["a int"], ["a int", "b text"], "auto"),
        (["a int"], ["a int", "b text not null"], "review"),
        (["a int"], ["a smallint"], "review"),
        (["a int", "b int"], ["b int", "a int"], "auto"),
        (["a int", "b date"], ["a int"], "review"),
        (["a int"], ["a int"], "auto"),
    ],
)
def test_auto_covers_only_what_is_provably_safe(
    old: list[str], new: list[str], overall: str
) -> None:
    """The most permissive policy still parks everything else."""
    policy = DriftPolicy(default=Disposition.AUTO)
    assert decide(classify(declared(*old), declared(*new)), policy).overall.value == overall


def test_auto_never_covers_breaking_even_if_the_policy_names_it() -> None:
    """By kind, by reason, by default: a breaking change waits for a person."""
    diff = classify(declared("a int"), declared("a text"))
    policy = DriftPolicy(
        default=Disposition.AUTO,
        by_kind={ChangeKind.TYPE_CHANGED: Disposition.AUTO},
        by_reason={ReasonCode.REPRESENTATION_CHANGED: Disposition.AUTO},
    )
    decision = decide(diff, policy)
    assert decision.document() == {
        "disposition": "review",
        "changes": [
            {
                **diff.changes[0].document(),
                "disposition": "review",
                "because": "classified breaking",
            }
        ],
    }


def test_the_policy_is_stricter_where_it_says_so() -> None:
    """Reason before kind before default, and the strictest change decides."""
    diff = classify(declared("a int"), declared("a bigint", "b text"))
    by_reason = DriftPolicy(
        default=Disposition.REVIEW,
        by_kind={ChangeKind.TYPE_WIDENED: Disposition.REVIEW},
        by_reason={
            ReasonCode.WIDENING_LOSSLESS: Disposition.AUTO,
            ReasonCode.NULLABLE_ADDED: Disposition.BLOCK,
        },
    )
    decision = decide(diff, by_reason)
    assert [(d.disposition.value, d.because) for d in decision.changes] == [
        ("auto", "policy for widening_lossless"),
        ("block", "policy for nullable_added"),
    ]
    assert decision.overall is Disposition.BLOCK


@pytest.mark.parametrize(
    ("policy", "classified", "disposition", "because"),
    [
        (DriftPolicy(), None, "auto", "columns are matched by name"),
        (DriftPolicy(default=Disposition.AUTO), None, "auto", "columns are matched by name"),
        (DriftPolicy(default=Disposition.BLOCK), None, "block", "policy default"),
        (
            DriftPolicy(by_kind={ChangeKind.FIELD_ORDER_CHANGED: Disposition.REVIEW}),
            None,
            "review",
            "policy for field_order_changed",
        ),
        (
            DriftPolicy(by_reason={ReasonCode.ORDER_CHANGED: Disposition.AUTO}),
            Classification.BREAKING,
            "review",
            "classified breaking",
        ),
    ],
)
def test_b18_another_order_goes_on_unless_somebody_says_otherwise(
    policy: DriftPolicy, classified: Classification | None, disposition: str, because: str
) -> None:
    """Columns are matched by name: a warning that waits for nobody, unless a policy names it."""
    overrides = {ChangeKind.FIELD_ORDER_CHANGED: classified} if classified else {}
    diff = classify(declared("a int", "b int"), declared("b int", "a int"), overrides)
    (decided,) = decide(diff, policy).changes
    assert (decided.disposition.value, decided.because) == (disposition, because)
    assert decided.change.classification is (classified or Classification.WARNING)


def test_a_name_that_stands_twice_is_no_shape() -> None:
    """Comparing by name needs names that are unique."""
    with pytest.raises(ValueError) as refused:
        Shape((Field("a"), Field("b"), Field("a")))
    assert str(refused.value) == "The shape names a more than once."


_TYPE_NAMES = """
    int2 int4 int8 numeric numeric(5,2) real float8 text varchar varchar(3) char(2) date timestamp
    timestamptz timestamp(3) time boolean json jsonb uuid int[] text[] s.mood inet
"""
_TYPES = st.sampled_from(_TYPE_NAMES.split())
_SHAPES = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), _TYPES, st.sampled_from([True, False, None])),
    unique_by=lambda column: column[0],
    max_size=8,
)


def _shape(columns: list[tuple[str, str, bool | None]], origin: Origin) -> Shape:
    return Shape(tuple(Field(n, parse_type(t), nullable) for n, t, nullable in columns), origin)


@given(_SHAPES, st.sampled_from(list(Origin)))
def test_equal_shapes_never_differ(
    columns: list[tuple[str, str, bool | None]], origin: Origin
) -> None:
    """Nothing is reported for a shape compared with itself, whatever side it stands on."""
    assert classify(_shape(columns, Origin.DECLARED), _shape(columns, origin)) == SchemaDiff()


@given(_SHAPES, _SHAPES)
def test_what_one_direction_adds_the_other_removes(
    one: list[tuple[str, str, bool | None]], other: list[tuple[str, str, bool | None]]
) -> None:
    """Added and removed, relaxed and tightened, changed types and moves are symmetric."""
    left, right = _shape(one, Origin.DECLARED), _shape(other, Origin.DECLARED)
    there, back = classify(left, right), classify(right, left)
    if there.unknown or back.unknown:
        assert not one or not other
        return
    opposite = {
        ChangeKind.FIELD_ADDED_NULLABLE: "gone",
        ChangeKind.FIELD_ADDED_REQUIRED: "gone",
        ChangeKind.FIELD_REMOVED: "come",
        ChangeKind.NULLABILITY_RELAXED: "tight",
        ChangeKind.NULLABILITY_TIGHTENED: "relaxed",
        ChangeKind.TYPE_CHANGED: "type",
        ChangeKind.TYPE_WIDENED: "type",
    }
    same = {"gone": "come", "come": "gone", "tight": "relaxed", "relaxed": "tight", "type": "type"}

    def marks(changes: tuple[Change, ...]) -> set[tuple[str, str]]:
        return {(c.field, opposite[c.kind]) for c in changes if c.kind in opposite}

    assert marks(there.changes) == {(field, same[mark]) for field, mark in marks(back.changes)}
    moves = [
        sum(c.kind is ChangeKind.FIELD_ORDER_CHANGED for c in diff.changes)
        for diff in (there, back)
    ]
    assert moves[0] == moves[1]


@given(st.permutations("abcdef"), st.permutations("abcdef"))
def test_moves_are_the_fewest_that_explain_the_new_order(one: list[str], other: list[str]) -> None:
    """What did not move stands in the same order on both sides, and no larger part does."""
    out = moved(one, other)
    kept = [name for name in one if name not in out]
    assert kept == [name for name in other if name not in out]
    larger = combinations(one, len(kept) + 1)
    assert not any(list(part) == [name for name in other if name in part] for part in larger)


@given(_TYPES, _TYPES)
def test_no_two_types_are_each_others_widening_unless_they_hold_the_same_values(
    one: str, other: str
) -> None:
    """Only text and varchar without a length are equal under different names."""
    there = classify(declared(f"a {one}"), declared(f"a {other}")).changes
    back = classify(declared(f"a {other}"), declared(f"a {one}")).changes
    assert bool(there) == bool(back)
    kinds = {change.kind for change in (*there, *back)}
    if kinds == {ChangeKind.TYPE_WIDENED}:
        assert {one, other} == {"text", "varchar"}
