"""From an artefact's bytes to blocks a reader can split: gzip, byte order mark, wide encodings.

Nothing is guessed: the first bytes are only compared with what is declared, and a contradiction
refuses the delivery.
"""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from tidegate.deliveries.parsing.records import DeliveryRefused, Refusal
from tidegate.deliveries.reasons import Reason
from tidegate.errors import UsageError

_ARCHIVES = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip (or a spreadsheet)",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstandard",
}
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BYTEWISE = ("iso8859-", "cp125", "koi8-", "mac-")
_SNIFFED = 8


def codec_name(encoding: str) -> str:
    """Python's own name of a text encoding; raise UsageError where there is none."""
    try:
        info = codecs.lookup(encoding)
    except LookupError:
        info = None
    if info is None or not getattr(info, "_is_text_encoding", True):
        raise UsageError(
            f"{encoding!r} is not a text encoding.",
            remedy="Name one that Python knows, such as utf-8, utf-16, cp1252 or iso-8859-15.",
        )
    return "utf-8" if info.name == "utf-8-sig" else info.name


def is_bytewise(codec: str) -> bool:
    """Whether line ends, delimiters and quotes can be found in the bytes themselves.

    True for UTF-8 and for the one-byte supersets of ASCII. In others an ASCII byte may be half of
    a character, so they are decoded first.
    """
    return codec in ("utf-8", "ascii") or codec.startswith(_BYTEWISE)


class Source:
    """The artefact's text as blocks of bytes in `codec`, without byte order mark.

    Raises DeliveryRefused on opening and on reading. `bom` says whether a mark was removed.
    """

    def __init__(
        self,
        stream: BinaryIO,
        encoding: str,
        *,
        compressed: bool = False,
        max_expanded_bytes: int = 4 << 30,
        block_bytes: int = 1 << 20,
    ) -> None:
        self._declared = codec_name(encoding)
        self.codec = self._declared if is_bytewise(self._declared) else "utf-8"
        blocks = _raw_blocks(stream, block_bytes)
        first = next(blocks, b"")
        if not first:
            raise _refused(Reason.EMPTY_FILE, "the artefact has 0 bytes")
        check_archive(first, compressed)
        blocks = _again(first, blocks)
        if compressed:
            blocks = _gunzip(blocks, max_expanded_bytes, block_bytes)
            first = next(blocks, b"")
            if not first:
                raise _refused(Reason.EMPTY_FILE, "the archive expands to 0 bytes")
            blocks = _again(first, blocks)
        self.bom = False
        self._blocks = self._without_bom(blocks)

    def __iter__(self) -> Iterator[bytes]:
        return self._blocks

    def _without_bom(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        head = b""
        for block in blocks:
            head += block
            if len(head) >= _SNIFFED:
                break
        found, mark = next(((name, bom) for bom, name in _BOMS if head.startswith(bom)), ("", b""))
        family = self._declared[:6] if self._declared[:6] in ("utf-16", "utf-32") else "utf-8"
        if found and (found != family or not self._declared.startswith("utf")):
            raise _refused(
                Reason.ENCODING_MISMATCH,
                f"the contract declares {self._declared}, the file begins with the byte order "
                f"mark of {found}",
            )
        if self._declared in ("utf-16", "utf-32") and not found:
            raise _refused(
                Reason.ENCODING_MISMATCH,
                f"the contract declares {self._declared}, and the file has no byte order mark to "
                f"say in which order; declare {self._declared}-le or {self._declared}-be",
            )
        self.bom = bool(found)
        keeps_mark = self._declared in ("utf-16", "utf-32")
        blocks = _again(head if keeps_mark else head[len(mark) :], blocks)
        if not is_bytewise(self._declared):
            blocks = _transcoded(blocks, self._declared)
        return blocks


def _refused(reason: Reason, detail: str) -> DeliveryRefused:
    return DeliveryRefused(Refusal(reason, detail))


def _raw_blocks(stream: BinaryIO, size: int) -> Iterator[bytes]:
    while block := stream.read(size):
        yield block


def _again(first: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from blocks


def check_archive(first: bytes, compressed: bool) -> None:
    """Raise DeliveryRefused where the first bytes are an archive against what was said."""
    found = next((name for magic, name in _ARCHIVES.items() if first.startswith(magic)), None)
    if compressed and found != "gzip":
        raise _refused(
            Reason.ARCHIVE_EXPECTED, f"the file should be gzip and is {found or 'no archive'}"
        )
    if not compressed and found:
        raise _refused(Reason.COMPRESSED_UNEXPECTEDLY, f"the bytes are {found}")


def _gunzip(blocks: Iterator[bytes], cap: int, size: int) -> Iterator[bytes]:
    """Every member of the archive, one after the other; zero padding after the last is allowed."""
    member: zlib._Decompress | None = None
    expanded = 0
    for block in blocks:
        rest = block
        while rest:
            if member is None:
                # Between members only zeros may stand (tape padding), as gzip itself has it.
                rest = rest.lstrip(b"\0") if expanded else rest
                if not rest:
                    break
                member = zlib.decompressobj(wbits=31)
            try:
                out = member.decompress(rest, size)
            except zlib.error:
                raise _refused(Reason.CORRUPT_ARCHIVE, f"after {expanded} expanded bytes") from None
            expanded += len(out)
            if expanded > cap:
                raise _refused(
                    Reason.EXPANSION_CAP, f"the archive expands to more than {cap} bytes"
                )
            if out:
                yield out
            if member.eof:
                rest, member = member.unused_data, None
            else:
                rest = member.unconsumed_tail
    if member is not None:
        raise _refused(Reason.TRUNCATED_ARCHIVE, f"after {expanded} expanded bytes")


def _transcoded(blocks: Iterator[bytes], codec: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(codec)("strict")
    offset = 0
    try:
        for block in blocks:
            yield decoder.decode(block).encode()
            offset += len(block)
        yield decoder.decode(b"", final=True).encode()
    except UnicodeError:
        raise _refused(
            Reason.ENCODING_MISMATCH,
            f"the bytes are not {codec}, in the block that starts at byte {offset}",
        ) from None
