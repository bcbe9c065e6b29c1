"""How a file finds its dataset."""

from __future__ import annotations

from pathlib import Path

import pytest

from tidegate.deliveries.routing import SourceFile, Unrouted, list_files, route
from tidegate.errors import UsageError

PATTERNS = {
    "orders": ("orders/*.csv", "orders_*.csv"),
    "deep": ("deep/**/*.csv",),
    "twin": ("orders/b*.csv",),
}


@pytest.mark.parametrize(
    ("name", "dataset"),
    [
        ("orders/a.csv", "orders"),
        ("orders/a.csv.gz", "orders"),
        ("orders_2024.csv", "orders"),
        ("deep/x/y/z.csv", "deep"),
        ("deep/z.csv", "deep"),
        ("orders/x/a.csv", None),
        ("orders/a.csv.bak", None),
        ("Orders/a.csv", None),
        ("ordersXa.csv", None),
    ],
)
def test_patterns_are_globs_over_the_path_in_the_folder(name: str, dataset: str | None) -> None:
    """`*` stays inside a folder, `**/` does not, case counts, `.gz` does not."""
    found = route(SourceFile(Path("/in") / name, name), PATTERNS)
    assert found == dataset or (dataset is None and isinstance(found, Unrouted))


def test_a_file_that_two_datasets_want_is_an_error_that_names_both() -> None:
    """Nothing is guessed."""
    found = route(SourceFile(Path("/in/orders/b.csv"), "orders/b.csv"), PATTERNS)
    assert isinstance(found, Unrouted)
    assert found.message == (
        "orders/b.csv: matches the patterns of orders, twin. "
        "Name one with --dataset, or narrow delivery.match in their contracts."
    )


def test_a_subfolder_finds_what_its_parent_finds() -> None:
    """Where the name inside the folder matches nothing, the folders above it count."""
    assert route(SourceFile(Path("/in/orders/a.csv"), "a.csv"), PATTERNS) == "orders"


def test_a_folder_is_walked_in_order_without_hidden_files(tmp_path: Path) -> None:
    """Sorted by path; `.git` and editors' leftovers are nobody's delivery."""
    for name in ("b.csv", "a/z.csv", ".hidden/x.csv", "a/.x.csv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    assert [one.name for one in list_files([tmp_path])] == ["a/z.csv", "b.csv"]


def test_an_empty_folder_and_a_missing_path_are_errors(tmp_path: Path) -> None:
    """Not an empty delivery."""
    with pytest.raises(UsageError) as empty:
        list_files([tmp_path])
    assert str(empty.value) == (
        f"There is no file in {tmp_path}. "
        "Nothing was landed: an empty folder is an error, not an empty delivery."
    )
    with pytest.raises(UsageError) as missing:
        list_files([tmp_path / "no"])
    assert str(missing.value) == f"{tmp_path / 'no'} is not there. Check the path."
