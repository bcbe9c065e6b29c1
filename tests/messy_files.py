"""Messy files: own literals of every kind, and those beside the checkout where they are.

Real ones are read from `../shared/corpora`, or from the folder that `TIDEGATE_CORPORA` names.
"""

from __future__ import annotations

import os
from pathlib import Path

CORPORA = Path(
    os.environ.get("TIDEGATE_CORPORA") or Path(__file__).resolve().parents[2] / "shared" / "corpora"
)


def files(folder: str, *suffixes: str) -> list[Path]:
    """The files of a corpus; none where it is absent."""
    found = (CORPORA / folder).rglob("*") if (CORPORA / folder).is_dir() else ()
    return sorted(path for path in found if path.is_file() and path.name.endswith(suffixes))


MESSY = {
    "quoted commas": (b'first,last,zip\nJohn,"Doe, Jr.",08123', 1, 0),
    "empty quoted": (b'a,b,c\r\n1,"",""\r\n2,3,4', 2, 0),
    "doubled quotes": (b'a,b\n1,"ha ""ha"" ha"\n3,4\n', 2, 0),
    "json inside": (b'key,val\n1,"{""type"": ""Point"", ""at"": [102.0, 0.5]}"\n', 1, 0),
    "newlines": (b'a,b\r\n"Once upon \r\na time",5\r\n7,8\r\n', 2, 0),
    "quotes and newlines": (b'a,b\n1,"ha \n""ha"" \nha"\n3,4\n', 2, 0),
    "bare quotes": (b"phone,at\n2095257564,37\xb036'37.8\"N 121\xb02'17.9\"W\n1,2\n", 1, 1),
    "blank rows": (b"id,name\n\n1,a\n\n\n2,b\n", 2, 0),
    "ragged rows": (b"id,name\n1\n2,b,x\n3,c\n", 1, 2),
    "cells of blanks": (b"id,name\n,\n , \n", 2, 0),
    "byte order mark": (b"\xef\xbb\xbfid,name\n1,\xe4\xb8\xad\n", 1, 0),
    "latin-1": (b"id,name\n1,\xf1\n2,ok\n", 1, 1),
    "old mac": (b"id,name\r1,a\r2,b\r", 2, 0),
    "nul": (b"id,name\n1,\0\n2,b\n", 1, 1),
    "wide": (",".join(f"c{i}" for i in range(2000)).encode() + b"\n" + b"," * 1999, 1, 0),
    "unterminated": (b'id,name\n1,"a\n2,b\n3,c', 2, 1),
    "duplicate header": (b"id,id\n1,2\n", 0, 1),
    "blank header": (b"id,\n1,2\n", 0, 1),
    "another delimiter": (b"id;name\n1;a\n2,5;b\n", 0, 2),
    "text, no table": (b"Report of 2024\n\nid,name\n1,a\n", 0, 2),
}
"""Bytes, how many records can be read, and how many are held."""
