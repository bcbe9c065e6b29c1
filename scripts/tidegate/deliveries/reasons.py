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


class Reason(str, Enum):
    """A code, with its kind, scope and meaning in one sentence."""

    kind: ReasonKind
    scope: ReasonScope
    meaning: str

    def __new__(cls, code: str, kind: str, scope: str, meaning: str) -> Reason:
        """The code is the value; the rest hangs on the member."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.kind = ReasonKind(kind)
        member.scope = ReasonScope(scope)
        member.meaning = meaning
        return member

    # The whole delivery.
    EMPTY_FILE = "empty_file", "structural", "delivery", "The file has no bytes."
    ENCODING_MISMATCH = (
        "encoding_mismatch",
        "structural",
        "delivery",
        "The file as a whole is not in the encoding that the contract declares.",
    )
    COMPRESSED_UNEXPECTEDLY = (
        "compressed_unexpectedly",
        "structural",
        "delivery",
        "The bytes are an archive, and the file's name does not say so.",
    )
    ARCHIVE_EXPECTED = (
        "archive_expected",
        "structural",
        "delivery",
        "The file's name says gzip, and its bytes are not.",
    )
    TRUNCATED_ARCHIVE = (
        "truncated_archive",
        "structural",
        "delivery",
        "The archive ends before its end.",
    )
    CORRUPT_ARCHIVE = (
        "corrupt_archive",
        "structural",
        "delivery",
        "The archive's bytes or checksum are wrong.",
    )
    EXPANSION_CAP = (
        "expansion_cap",
        "structural",
        "delivery",
        "The archive expands to more than the contract allows.",
    )
    MALFORMED_HEADER = (
        "malformed_header",
        "structural",
        "delivery",
        "The header line cannot be read as a record.",
    )
    DUPLICATE_HEADER = (
        "duplicate_header",
        "structural",
        "delivery",
        "Two columns of the header have the same name.",
    )
    HEADER_COLLISION = (
        "header_collision",
        "structural",
        "delivery",
        "Two names of the header differ only in case, spaces or Unicode form.",
    )
    BLANK_HEADER = "blank_header", "structural", "delivery", "A column of the header has no name."
    HEADER_MISMATCH = (
        "header_mismatch",
        "structural",
        "delivery",
        "No name of the header is a column of the contract.",
    )
    RECORDS_NOT_FOUND = (
        "records_not_found",
        "structural",
        "delivery",
        "The document has no array of records where the contract says.",
    )
    INVALID_DOCUMENT = (
        "invalid_document",
        "structural",
        "delivery",
        "The document as a whole is not JSON.",
    )
    # One record cannot be read.
    TOO_FEW_FIELDS = (
        "too_few_fields",
        "structural",
        "record",
        "The record has fewer fields than the header or the contract.",
    )
    TOO_MANY_FIELDS = (
        "too_many_fields",
        "structural",
        "record",
        "The record has more fields than the header or the contract.",
    )
    UNTERMINATED_QUOTE = (
        "unterminated_quote",
        "structural",
        "record",
        "A quote is opened and not closed within the record.",
    )
    TEXT_AFTER_QUOTE = (
        "text_after_quote",
        "structural",
        "record",
        "Text stands between a closing quote and the next delimiter.",
    )
    QUOTE_IN_FIELD = (
        "quote_in_field",
        "structural",
        "record",
        "A quote stands inside a field that does not begin with one.",
    )
    DANGLING_ESCAPE = (
        "dangling_escape",
        "structural",
        "record",
        "The escape character is the last of the record.",
    )
    INVALID_ENCODING = (
        "invalid_encoding",
        "structural",
        "record",
        "Bytes of the record are not text in the declared encoding.",
    )
    NUL_BYTE = (
        "nul_byte",
        "structural",
        "record",
        "The record holds U+0000, which no text can hold.",
    )
    FIELD_TOO_LARGE = (
        "field_too_large",
        "structural",
        "record",
        "A field or the whole record is larger than the limit.",
    )
    INVALID_JSON = "invalid_json", "structural", "record", "The record is not strict JSON."
    DUPLICATE_KEY = "duplicate_key", "structural", "record", "An object has the same member twice."
    LONE_SURROGATE = (
        "lone_surrogate",
        "structural",
        "record",
        "A string holds half of a surrogate pair, which is not text.",
    )
    NESTED_TOO_DEEPLY = (
        "nested_too_deeply",
        "structural",
        "record",
        "The record's JSON is nested deeper than the limit.",
    )
    NOT_AN_OBJECT = (
        "not_an_object",
        "structural",
        "record",
        "The record is JSON, but not an object with members.",
    )
    # The record is read, and not valid.
    MISSING_REQUIRED = (
        "missing_required",
        "semantic",
        "field",
        "A required field is null, absent or empty by the null tokens.",
    )
    INVALID_INTEGER = "invalid_integer", "semantic", "field", "The value is not an integer."
    INVALID_NUMBER = (
        "invalid_number",
        "semantic",
        "field",
        "The value is not a number as the contract writes them.",
    )
    NON_FINITE = (
        "non_finite",
        "semantic",
        "field",
        "The value is NaN or infinite, and the contract does not allow it.",
    )
    LEADING_ZERO = (
        "leading_zero",
        "semantic",
        "field",
        "A leading zero would be lost: the value is an identifier, not a number.",
    )
    OUT_OF_RANGE = (
        "out_of_range",
        "semantic",
        "field",
        "The value does not fit the type without loss: size, digits or date.",
    )
    TOO_LONG = "too_long", "semantic", "field", "The text is longer than its type."
    INVALID_BOOLEAN = (
        "invalid_boolean",
        "semantic",
        "field",
        "The value is none of the declared boolean tokens.",
    )
    INVALID_DATE = (
        "invalid_date",
        "semantic",
        "field",
        "The value is not a date in the declared format.",
    )
    INVALID_TIMESTAMP = (
        "invalid_timestamp",
        "semantic",
        "field",
        "The value is not a timestamp in the declared format.",
    )
    MISSING_TIMEZONE = (
        "missing_timezone",
        "semantic",
        "field",
        "The timestamp has no zone, and the contract declares none.",
    )
    UNEXPECTED_TIMEZONE = (
        "unexpected_timezone",
        "semantic",
        "field",
        "The timestamp has a zone that its type would drop.",
    )
    INVALID_TIME = "invalid_time", "semantic", "field", "The value is not a time of day."
    INVALID_VALUE = (
        "invalid_value",
        "semantic",
        "field",
        "The server does not take the text as a value of the declared type.",
    )
    INVALID_UUID = "invalid_uuid", "semantic", "field", "The value is not a UUID."
    INVALID_BYTES = "invalid_bytes", "semantic", "field", "The value is not hexadecimal bytes."
    INVALID_JSON_VALUE = (
        "invalid_json_value",
        "semantic",
        "field",
        "The value of a json column is not strict JSON.",
    )
    PATTERN_MISMATCH = (
        "pattern_mismatch",
        "semantic",
        "field",
        "The text is not of the declared pattern.",
    )
    EXCEL_DATE = (
        "excel_date",
        "semantic",
        "field",
        "The text is not of the declared pattern, and looks like a spreadsheet's date.",
    )
    EXCEL_EXPONENT = (
        "excel_exponent",
        "semantic",
        "field",
        "The text is not of the declared pattern, and looks like a spreadsheet's long number.",
    )
    INVISIBLE_CHARACTER = (
        "invisible_character",
        "semantic",
        "field",
        "The text is not of the declared pattern, with invisible characters or outer blanks.",
    )
    NOT_IN_ENUM = (
        "not_in_enum",
        "semantic",
        "field",
        "The value is outside the closed set; the row stays, the field becomes null.",
    )
