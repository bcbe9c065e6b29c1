"""Why a record is held, or a whole delivery refused: one closed vocabulary.

The database holds the same codes in a table with a foreign key to it; a test compares the two.
Structural: it cannot be read as a record. Semantic: it is a record, but not a valid one
(governance seed, "What causes a record to be quarantined").
"""

from __future__ import annotations

from enum import Enum


class ReasonKind(str, Enum):
    """The distinction that the governance seed draws."""

    STRUCTURAL = "structural"
    SEMANTIC = "semantic"


class ReasonScope(str, Enum):
    """What the reason is about."""

    DELIVERY = "delivery"
    """The whole delivery is refused; its records are held under this reason."""
    RECORD = "record"
    FIELD = "field"
    """One field of a record; the reason comes with the field's name."""


_DELIVERY = ReasonKind.STRUCTURAL, ReasonScope.DELIVERY
_RECORD = ReasonKind.STRUCTURAL, ReasonScope.RECORD
_FIELD = ReasonKind.SEMANTIC, ReasonScope.FIELD


class Reason(str, Enum):
    """A code, with its kind, scope and meaning in one sentence."""

    kind: ReasonKind
    scope: ReasonScope
    meaning: str

    def __new__(cls, code: str, kind: ReasonKind, scope: ReasonScope, meaning: str) -> Reason:
        """The code is the value; the rest hangs on the member."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.kind = kind
        member.scope = scope
        member.meaning = meaning
        return member

    # The whole delivery.
    EMPTY_FILE = "empty_file", *_DELIVERY, "The file has no bytes."
    ENCODING_MISMATCH = (
        "encoding_mismatch",
        *_DELIVERY,
        "The file as a whole is not in the encoding that the contract declares.",
    )
    COMPRESSED_UNEXPECTEDLY = (
        "compressed_unexpectedly",
        *_DELIVERY,
        "The bytes are an archive, and the file's name does not say so.",
    )
    ARCHIVE_EXPECTED = (
        "archive_expected",
        *_DELIVERY,
        "The file's name says gzip, and its bytes are not.",
    )
    TRUNCATED_ARCHIVE = "truncated_archive", *_DELIVERY, "The archive ends before its end."
    CORRUPT_ARCHIVE = "corrupt_archive", *_DELIVERY, "The archive's bytes or checksum are wrong."
    EXPANSION_CAP = (
        "expansion_cap",
        *_DELIVERY,
        "The archive expands to more than the contract allows.",
    )
    MALFORMED_HEADER = "malformed_header", *_DELIVERY, "The header line cannot be read as a record."
    DUPLICATE_HEADER = (
        "duplicate_header",
        *_DELIVERY,
        "Two columns of the header have the same name.",
    )
    HEADER_COLLISION = (
        "header_collision",
        *_DELIVERY,
        "Two names of the header differ only in case, spaces or Unicode form.",
    )
    BLANK_HEADER = "blank_header", *_DELIVERY, "A column of the header has no name."
    HEADER_MISMATCH = (
        "header_mismatch",
        *_DELIVERY,
        "No name of the header is a column of the contract.",
    )
    RECORDS_NOT_FOUND = (
        "records_not_found",
        *_DELIVERY,
        "The document has no array of records where the contract says.",
    )
    INVALID_DOCUMENT = "invalid_document", *_DELIVERY, "The document as a whole is not JSON."
    # One record cannot be read.
    TOO_FEW_FIELDS = (
        "too_few_fields",
        *_RECORD,
        "The record has fewer fields than the header or the contract.",
    )
    TOO_MANY_FIELDS = (
        "too_many_fields",
        *_RECORD,
        "The record has more fields than the header or the contract.",
    )
    UNTERMINATED_QUOTE = (
        "unterminated_quote",
        *_RECORD,
        "A quote is opened and not closed within the record.",
    )
    TEXT_AFTER_QUOTE = (
        "text_after_quote",
        *_RECORD,
        "Text stands between a closing quote and the next delimiter.",
    )
    QUOTE_IN_FIELD = (
        "quote_in_field",
        *_RECORD,
        "A quote stands inside a field that does not begin with one.",
    )
    DANGLING_ESCAPE = "dangling_escape", *_RECORD, "The escape character is the last of the record."
    INVALID_ENCODING = (
        "invalid_encoding",
        *_RECORD,
        "Bytes of the record are not text in the declared encoding.",
    )
    NUL_BYTE = "nul_byte", *_RECORD, "The record holds U+0000, which no text can hold."
    FIELD_TOO_LARGE = (
        "field_too_large",
        *_RECORD,
        "A field or the whole record is larger than the limit.",
    )
    INVALID_JSON = "invalid_json", *_RECORD, "The record is not strict JSON."
    DUPLICATE_KEY = "duplicate_key", *_RECORD, "An object has the same member twice."
    LONE_SURROGATE = (
        "lone_surrogate",
        *_RECORD,
        "A string holds half of a surrogate pair, which is not text.",
    )
    NESTED_TOO_DEEPLY = (
        "nested_too_deeply",
        *_RECORD,
        "The record's JSON is nested deeper than the limit.",
    )
    NOT_AN_OBJECT = "not_an_object", *_RECORD, "The record is JSON, but not an object with members."
    # The record is read, and not valid.
    MISSING_REQUIRED = (
        "missing_required",
        *_FIELD,
        "A required field is null, absent or empty by the null tokens.",
    )
    INVALID_INTEGER = "invalid_integer", *_FIELD, "The value is not an integer."
    INVALID_NUMBER = (
        "invalid_number",
        *_FIELD,
        "The value is not a number as the contract writes them.",
    )
    NON_FINITE = (
        "non_finite",
        *_FIELD,
        "The value is NaN or infinite, and the contract does not allow it.",
    )
    LEADING_ZERO = (
        "leading_zero",
        *_FIELD,
        "A leading zero would be lost: the value is an identifier, not a number.",
    )
    OUT_OF_RANGE = (
        "out_of_range",
        *_FIELD,
        "The value does not fit the type without loss: size, digits or date.",
    )
    TOO_LONG = "too_long", *_FIELD, "The text is longer than its type."
    INVALID_BOOLEAN = (
        "invalid_boolean",
        *_FIELD,
        "The value is none of the declared boolean tokens.",
    )
    INVALID_DATE = "invalid_date", *_FIELD, "The value is not a date in the declared format."
    INVALID_TIMESTAMP = (
        "invalid_timestamp",
        *_FIELD,
        "The value is not a timestamp in the declared format.",
    )
    MISSING_TIMEZONE = (
        "missing_timezone",
        *_FIELD,
        "The timestamp has no zone, and the contract declares none.",
    )
    UNEXPECTED_TIMEZONE = (
        "unexpected_timezone",
        *_FIELD,
        "The timestamp has a zone that its type would drop.",
    )
    INVALID_TIME = "invalid_time", *_FIELD, "The value is not a time of day."
    INVALID_VALUE = (
        "invalid_value",
        *_FIELD,
        "The server does not take the text as a value of the declared type.",
    )
    INVALID_UUID = "invalid_uuid", *_FIELD, "The value is not a UUID."
    INVALID_BYTES = "invalid_bytes", *_FIELD, "The value is not hexadecimal bytes."
    INVALID_JSON_VALUE = (
        "invalid_json_value",
        *_FIELD,
        "The value of a json column is not strict JSON.",
    )
    PATTERN_MISMATCH = "pattern_mismatch", *_FIELD, "The text is not of the declared pattern."
    EXCEL_DATE = (
        "excel_date",
        *_FIELD,
        "The text is not of the declared pattern, and looks like a spreadsheet's date.",
    )
    EXCEL_EXPONENT = (
        "excel_exponent",
        *_FIELD,
        "The text is not of the declared pattern, and looks like a spreadsheet's long number.",
    )
    INVISIBLE_CHARACTER = (
        "invisible_character",
        *_FIELD,
        "The text is not of the declared pattern, with invisible characters or outer blanks.",
    )
    NOT_IN_ENUM = (
        "not_in_enum",
        *_FIELD,
        "The value is outside the closed set; the row stays, the field becomes null.",
    )
