"""How a file finds its dataset."""

from __future__ import annotations

import os
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
    assert [one.name for one in list_files([tmp_path]).files] == ["a/z.csv", "b.csv"]


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


def test_what_is_no_file_is_told_and_keeps_no_file_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link into nowhere, a pipe, a folder that may not be looked into: none is passed over."""
    (tmp_path / "a.csv").write_text("x")
    (tmp_path / "broken.csv").symlink_to(tmp_path / "nowhere")
    (tmp_path / "self.csv").symlink_to("self.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "locked").mkdir()
    scan = os.scandir

    def refuse(path: str) -> object:
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = list_files([tmp_path])
    assert [one.name for one in found.files] == ["a.csv"]
    mend = ". Mend it, or take it out of the folder."
    assert [one.message for one in found.unreadable] == [
        f"broken.csv: is a link that leads nowhere{mend}",
        f"locked: cannot be looked into: Permission denied{mend}",
        f"pipe.csv: is neither file nor folder{mend}",
        f"self.csv: cannot be read: Too many levels of symbolic links{mend}",
    ]


def test_links_are_followed_and_circles_end(tmp_path: Path) -> None:
    """A folder is walked once, under the first name that leads to it."""
    inside, beside = tmp_path / "in", tmp_path / "beside"
    for folder in (inside / "orders", beside):
        folder.mkdir(parents=True)
        (folder / "a.csv").write_text("x")
    (inside / "linked").symlink_to(beside)
    (inside / "orders" / "up").symlink_to(inside)
    (inside / "orders" / "again").symlink_to(beside)
    found = list_files([inside])
    assert [one.name for one in found.files] == ["linked/a.csv", "orders/a.csv"]
    assert found.unreadable == ()


def test_a_path_that_may_not_be_read_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not a bug, and not a file that is not there."""

    def refuse(path: Path, **_: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", refuse)
    with pytest.raises(UsageError) as locked:
        list_files([tmp_path / "a.csv"])
    assert str(locked.value) == (
        f"{tmp_path / 'a.csv'} cannot be read: Permission denied. Check its name and permissions."
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"caf\xe9.csv", "caf\\xe9.csv"),
        ("caf\u00e9.csv".encode(), "caf\u00e9.csv"),
        (b"a\nb\x1b[2J.csv", "a\\nb\\x1b[2J.csv"),
        ("a\u202eb\u2028.csv".encode(), "a\\u202eb\\u2028.csv"),
        (b"two words.csv", "two words.csv"),
    ],
)
def test_names_are_text_of_one_line(tmp_path: Path, name: bytes, shown: str) -> None:
    """What the ledger and a terminal cannot hold is escaped; everything else is as it is."""
    (tmp_path / os.fsdecode(name)).write_text("x")
    assert [one.name for one in list_files([tmp_path]).files] == [shown]
