"""source_artifact_immutability: bytes that are kept, hashed, versioned, and never replaced.

NCT00513591 was fetched twice with different bytes under one version; NCT02210780 is whole.
"""

from __future__ import annotations

from typing import Any

import pytest

from integration.gating import spec
from integration.semantic_gating import (
    Connection,
    about,
    alone,
    by_row,
    judge,
    rejected,
    survivors,
    table,
)
from tidegate.gates.model import Status
from tidegate.gates.result import GateResult

COLUMNS = (
    "source_artifact_key text!, source_family text, source_native_id text, source_version_id text,"
    " immutable_uri text, live_url text, content_hash text, content_hash_algorithm text,"
    " observed_at timestamptz, fetched_at timestamptz, supersedes_artifact_key text"
)
A, B, C = "a" * 64, "b" * 64, "c" * 64
CLAIMS = "claim_id text!, source_artifact_key text"


def artifact(key: str, **changes: Any) -> tuple[Any, ...]:
    """An archived registry record; `changes` are what is different about it."""
    row = {
        "key": key, "family": "ctgov_v2", "native": key, "version": "2023-11-15",
        "uri": f"s3://raw/{key}.json", "live": "https://clinicaltrials.gov/x", "hash": A,
        "algorithm": "sha256", "observed": "2024-01-02", "fetched": "2024-01-02",
        "supersedes": None, **changes,
    }  # fmt: skip
    return tuple(row.values())


VALID = artifact("NCT02210780")
NO_HASH = artifact("no_hash", hash=None)
LIVE_ONLY = artifact("live_only", family="news", uri=None)
FIRST = artifact("first", native="NCT00513591", fetched="2018-05-11")
REFETCH = artifact("refetch", native="NCT00513591", hash=B, fetched="2018-06-01")
FAILING = [
    (NO_HASH, {"artifact_incomplete"}, ["content_hash"]),
    (artifact("c", hash=" "), {"artifact_incomplete"}, ["content_hash"]),
    (artifact("c", algorithm=None), {"artifact_incomplete"}, ["content_hash_algorithm"]),
    (artifact("c", version=None), {"artifact_incomplete"}, ["source_version_id"]),
    (LIVE_ONLY, {"artifact_incomplete", "live_url_only"}, ["immutable_uri"]),
    (artifact("c", uri=None, live=None), {"artifact_incomplete"}, ["immutable_uri"]),
    (artifact("c", uri="https://clinicaltrials.gov/x"), {"live_url_only"}, []),
    (artifact("c", hash="9d1e"), {"hash_malformed"}, []),
    (artifact("c", hash="x" * 64), {"hash_malformed"}, []),
    (artifact("c", algorithm="md5"), {"hash_malformed"}, []),
]

# Artefacts without a live address, of which only one thing is wrong, or nothing.
RECORD = {"native": "NCT00513591", "live": None}
BRANCHES = [
    (artifact("kept", **RECORD, fetched="2018-05-11"), set()),
    (artifact("again", **RECORD, hash=B, fetched="2018-06-01"), {"content_changed"}),
    (artifact("said", **RECORD, hash=A, fetched="2018-07-01", supersedes="again"), set()),
    (artifact("other_family", **RECORD, family="ema_epar", hash=B), set()),
    (artifact("other_version", **RECORD, version="2024-01-01", hash=B), set()),
    (artifact("unversioned", native="x", live=None, version=None), {"artifact_incomplete"}),
    (artifact("unversioned_too", native="x", live=None, version=None, hash=B),
     {"artifact_incomplete"}),
    (artifact("no_hash_at_all", live=None, hash="9d1e"), {"hash_malformed"}),
    (artifact("unfetched", live=None, fetched=None), {"~artifact_metadata_incomplete"}),
]  # fmt: skip


def judged(conn: Connection, *rows: Any, public: bool = True, **options: Any) -> GateResult:
    found = table(
        conn, "source_artifacts", COLUMNS, rows, row_key=["source_artifact_key"], public=public
    )
    return judge(conn, "source_artifact_immutability", found, **options)


def test_a_valid_archived_artifact_passes(conn: Connection) -> None:
    """Immutable place, hash with algorithm, version, both times; upper case and sha512 as well."""
    other = artifact("other", hash="A" * 128, algorithm="sha512")
    result = judged(conn, VALID, other)
    assert (result.status, result.rows_checked) == (Status.PASS, 2)


def test_an_artifact_with_missing_hash_blocks(conn: Connection) -> None:
    """The metadata says which artefact of which family lacks what."""
    result = judged(conn, VALID, NO_HASH)
    assert (result.status, result.rows_failing, result.blocks) == (Status.FAIL, 1, True)
    assert by_row(result) == {"no_hash": {"artifact_incomplete"}}
    assert about(result, "no_hash") == (
        {"model": "source_artifacts", "missing": ["content_hash"], "withheld": []},
        {"source_artifact_key": "no_hash", "source_family": "ctgov_v2",
         "source_version_id": "2023-11-15"},
    )  # fmt: skip
    assert result.remediation_hint.startswith("Archive the bytes with hash")


def test_a_live_url_only_artifact_blocks(conn: Connection) -> None:
    """A page that can change tomorrow is no artefact; nor is its address an immutable place."""
    result = judged(conn, VALID, LIVE_ONLY)
    assert by_row(result) == {"live_only": {"artifact_incomplete", "live_url_only"}}


def test_a_stale_refetch_with_changed_hash_blocks(conn: Connection) -> None:
    """Other bytes under the same version, which do not say what they supersede."""
    result = judged(conn, FIRST, REFETCH)
    assert by_row(result) == {"refetch": {"content_changed"}}


def test_a_refetch_that_says_so_or_brings_the_same_bytes_passes(conn: Connection) -> None:
    """Superseding is recorded; the same bytes, another version and another record are no change."""
    native = {"native": "NCT00513591"}
    said = artifact("said", **native, hash=B, fetched="2018-06-01", supersedes="first")
    then = artifact("then", **native, hash=C, fetched="2018-07-01", supersedes="said")
    again = artifact("again", **native, hash=C, fetched="2018-08-01")
    other = artifact("other", **native, hash=B, version="2018-09-01")
    assert judged(conn, FIRST, said, then, again, other, VALID).status is Status.PASS


def test_superseding_something_else_is_no_leave(conn: Connection) -> None:
    """What it supersedes has to be an earlier artefact of the same version."""
    wrong = artifact("wrong", native="NCT00513591", hash=B, fetched="2018-06-01",
                     supersedes="NCT02210780")  # fmt: skip
    assert by_row(judged(conn, VALID, FIRST, wrong)) == {"wrong": {"content_changed"}}


@pytest.mark.parametrize(("row", "reasons", "missing"), FAILING)
def test_each_way_not_to_be_immutable_blocks(
    conn: Connection, row: Any, reasons: set[str], missing: list[str]
) -> None:
    """Anything missing, a live address, a hash that cannot be one of its algorithm."""
    result = judged(conn, row)
    assert by_row(result) == {row[0]: reasons}
    assert about(result, row[0])[0]["missing"] == missing


@pytest.mark.parametrize("changes", [{"observed": None}, {"fetched": None}])
def test_archived_with_incomplete_metadata_warns(
    conn: Connection, changes: dict[str, None]
) -> None:
    """Where the bytes are kept but nobody knows when they were fetched or observed."""
    result = judged(conn, artifact("w", **changes))
    assert (result.status, by_row(result)) == (
        Status.WARN,
        {"w": {"~artifact_metadata_incomplete"}},
    )


def test_claims_are_judged_by_the_artefact_they_rest_on(conn: Connection) -> None:
    """The claim is named, and which artefact it expected."""
    others = table(conn, "source_artifacts", COLUMNS, [VALID, NO_HASH],
                   row_key=["source_artifact_key"])  # fmt: skip
    rows = [("c1", "NCT02210780"), ("c2", "no_hash"), ("c3", "gone"), ("c4", None)]
    claims = table(conn, "claims", CLAIMS, rows, row_key=["claim_id"])
    result = judge(conn, "source_artifact_immutability", claims, others,
                   arguments={"relations": {"artifacts": "source_artifacts"}})  # fmt: skip
    assert by_row(result) == {
        "c2": {"artifact_incomplete"}, "c3": {"artifact_missing"}, "c4": {"artifact_missing"},
    }  # fmt: skip
    assert about(result, "c2") == (
        {"model": "claims", "missing": ["content_hash"], "withheld": []},
        {"source_artifact_key": "no_hash", "artifacts.source_family": "ctgov_v2",
         "artifacts.source_version_id": "2023-11-15"},
    )  # fmt: skip
    assert about(result, "c3")[1]["source_artifact_key"] == "gone"
    assert result.asset_keys == ("claims", "source_artifacts")


def repeating(conn: Connection, rows: list[Any]) -> tuple[Any, Any, dict[str, Any]]:
    """Claims that repeat hash and place of their artefact, the artefacts, and the arguments."""
    others = table(conn, "source_artifacts", COLUMNS, [VALID], row_key=["source_artifact_key"])
    columns = f"{CLAIMS}, claimed_hash text, source_immutable_uri text"
    claims = table(conn, "claims", columns, rows, row_key=["claim_id"])
    arguments = {
        "relations": {"artifacts": "source_artifacts"},
        "columns": {
            "source_content_hash": "claimed_hash",
            "source_immutable_uri": "source_immutable_uri",
        },
    }
    return claims, others, arguments


REPEATED = [
    ("same", "NCT02210780", A, "s3://raw/NCT02210780.json"),
    ("no_hash", "NCT02210780", " ", "s3://raw/NCT02210780.json"),
    ("no_place", "NCT02210780", A, None),
    ("other_hash", "NCT02210780", B, "s3://raw/NCT02210780.json"),
    ("live", "NCT02210780", A, "https://clinicaltrials.gov/x"),
]


def test_what_a_claim_repeats_of_its_artefact_is_there_and_the_same(conn: Connection) -> None:
    """Hash and immutable place, where the contract says that the claim has them."""
    claims, others, arguments = repeating(conn, REPEATED)
    result = judge(conn, "source_artifact_immutability", claims, others, arguments=arguments)
    assert by_row(result) == {
        "no_hash": {"artifact_incomplete"}, "no_place": {"artifact_incomplete"},
        "other_hash": {"artifact_differs"}, "live": {"artifact_differs"},
    }  # fmt: skip
    assert about(result, "no_hash")[0]["missing"] == ["source_content_hash"]
    assert about(result, "no_place")[0]["missing"] == ["source_immutable_uri"]


def test_a_relation_that_is_missing_is_not_evaluated(conn: Connection) -> None:
    """Claims cannot be judged without the artefacts."""
    claims = table(conn, "claims", CLAIMS, [("c1", "x")], row_key=["claim_id"])
    result = judge(conn, "source_artifact_immutability", claims, missing=["source_artifacts"],
                   arguments={"relations": {"artifacts": "source_artifacts"}})  # fmt: skip
    assert result.reasons["not_evaluated"] == 1
    assert result.blocks


def test_values_are_kept_only_of_public_columns(conn: Connection) -> None:
    """Without leave: names only."""
    result = judged(conn, NO_HASH, public=False)
    (sample,) = result.samples
    assert (sample.row_key, sample.values) == (None, {})
    assert sample.metadata["withheld"] == [
        "source_artifact_key", "source_family", "source_version_id",
    ]  # fmt: skip


def test_each_branch_of_a_condition_counts(conn: Connection) -> None:
    """Dropped, each of them would let one of these rows pass, or reject one."""
    assert by_row(judged(conn, *alone(BRANCHES))) == rejected(BRANCHES)


def test_each_condition_counts(conn: Connection) -> None:
    """No condition of the gate can be emptied or negated unnoticed."""
    rows = [(f"c{n}", *row[1:]) for n, (row, _, _) in enumerate(FAILING)]
    others = table(conn, "source_artifacts", COLUMNS,
                   [VALID, FIRST, REFETCH, artifact("w", observed=None), *rows,
                    *alone(BRANCHES)],
                   row_key=["source_artifact_key"])  # fmt: skip
    claims = table(conn, "claims", CLAIMS, [(row[0], row[0]) for row in (*rows, *alone(BRANCHES))]
                   + [("v", "NCT02210780"), ("f", "refetch"), ("w", "w"), ("g", "gone")],
                   row_key=["claim_id"])  # fmt: skip
    checked = spec("source_artifact_immutability", claims, others,
                   arguments={"relations": {"artifacts": "source_artifacts"}})  # fmt: skip
    assert survivors(conn, checked) == []
