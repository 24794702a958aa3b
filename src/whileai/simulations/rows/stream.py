"""Bytes read forwards: counted, decompressed by their magic bytes, made UTF-8, and cut into whole lines."""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Callable, Iterator

from whileai.simulations import defaults
from whileai.simulations.errors import ReadError

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"

_ZSTD_PIECE = 2048  # compressed bytes at a time; a zstd block of 4 bytes can stand for 128 KiB
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class CutShortError(ReadError):
    """Compressed data that ends too early, or is damaged; `rest` is the unfinished line before that."""

    rest: bytes = b""


class Chunks(Iterator[bytes]):
    """Chunks of bytes whose beginning can be looked at before they are read.

    >>> chunks = Chunks(iter([b"PAR", b"1..."]))
    >>> chunks.head(4), next(chunks), next(chunks, None)
    (b'PAR1', b'PAR1...', None)
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._kept = b""

    def head(self, size: int) -> bytes:
        """The first `size` bytes, fewer at the end; they are still there to be read."""
        while len(self._kept) < size and (chunk := next(self._chunks, b"")):
            self._kept += chunk
        return self._kept[:size]

    def __next__(self) -> bytes:
        if self._kept:
            kept, self._kept = self._kept, b""
            return kept
        return next(self._chunks)


def chunks_of(read: Callable[[int], bytes | str]) -> Chunks:
    """What a `read` function gives, as chunks of bytes; text is encoded as UTF-8."""
    return Chunks(_read_all(read))


def _read_all(read: Callable[[int], bytes | str]) -> Iterator[bytes]:
    while data := read(defaults.READ_BLOCK_BYTES):
        yield data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data


def unpacked(chunks: Chunks) -> Chunks:
    """The chunks, decompressed when they are gzip or zstd data (several members or frames in a row count as one).

    >>> import gzip
    >>> b"".join(unpacked(Chunks(iter([gzip.compress(b"a") + gzip.compress(b"b")]))))
    b'ab'
    """
    head = chunks.head(4)
    if head.startswith(GZIP):
        return Chunks(_gunzipped(chunks))
    if head.startswith(ZSTD) or (head[1:] == b"\x2a\x4d\x18" and head[0] & 0xF0 == 0x50):
        return Chunks(_unzstd(chunks))
    return chunks


def _gunzipped(chunks: Iterator[bytes]) -> Iterator[bytes]:
    member = zlib.decompressobj(zlib.MAX_WBITS | 16)
    began = False
    for chunk in chunks:
        while chunk:
            if not began:
                chunk = chunk.lstrip(b"\0")  # padding between members
                if not chunk:
                    break
            began = True
            try:
                out = member.decompress(chunk, defaults.READ_BLOCK_BYTES)
            except zlib.error as error:
                raise CutShortError(f"the gzip data is damaged: {error}") from None
            if out:
                yield out
            chunk = member.unconsumed_tail
            if member.eof:
                chunk, member, began = member.unused_data, zlib.decompressobj(zlib.MAX_WBITS | 16), False
    if began:
        raise CutShortError("the gzip data is cut short (perhaps it is still being written)")


def _unzstd(chunks: Iterator[bytes]) -> Iterator[bytes]:
    import zstandard

    frames = zstandard.ZstdDecompressor()
    frame = frames.decompressobj()
    began = False
    for chunk in chunks:
        out: list[bytes] = []
        pieces = [chunk[start : start + _ZSTD_PIECE] for start in range(0, len(chunk), _ZSTD_PIECE)][::-1]
        while pieces:
            began = True
            try:
                out.append(frame.decompress(pieces.pop()))
            except zstandard.ZstdError as error:
                yield from _joined(out)
                raise CutShortError(f"the zstd data is damaged: {error}") from None
            if frame.eof:
                pieces += [frame.unused_data] if frame.unused_data else []
                frame, began = frames.decompressobj(), False
            if sum(map(len, out)) >= defaults.READ_BLOCK_BYTES:
                yield from _joined(out)
                out = []
        yield from _joined(out)
    if began:
        raise CutShortError("the zstd data is cut short (perhaps it is still being written)")


def _joined(parts: list[bytes]) -> Iterator[bytes]:
    if whole := b"".join(parts):
        yield whole


def utf8(chunks: Chunks) -> Iterator[bytes]:
    """The chunks as UTF-8 without a byte order mark; UTF-16 and UTF-32 are known by their mark.

    >>> b"".join(utf8(Chunks(iter(["{}".encode("utf-16")]))))
    b'{}'
    """
    head = chunks.head(4)
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            rest = Chunks(_without(len(mark), chunks))
            return rest if encoding == "utf-8" else _recoded(rest, encoding)
    return chunks


def _without(size: int, chunks: Iterator[bytes]) -> Iterator[bytes]:
    yield next(chunks)[size:]
    yield from chunks


def _recoded(chunks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
    try:
        for chunk in chunks:
            yield decoder.decode(chunk).encode("utf-8", "surrogatepass")
        yield decoder.decode(b"", final=True).encode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise CutShortError(f"the {encoding} text is cut short or damaged: {error.reason}") from None


def line_blocks(chunks: Iterator[bytes]) -> Iterator[bytes]:
    r"""The chunks cut anew so that each holds whole lines; only the last may lack its line end.

    >>> list(line_blocks(iter([b"ab", b"c\nd", b"e"])))
    [b'abc\n', b'de']
    """
    parts: list[bytes] = []
    size = 0
    try:
        for chunk in chunks:
            end = chunk.rfind(b"\n") + 1
            if end:
                yield _within_limit(b"".join((*parts, chunk[:end])))
                parts, size = [], 0
            if end < len(chunk):
                parts.append(chunk[end:])
                size += len(chunk) - end
                check_size(size, "a line")
    except CutShortError as cut:
        cut.rest = b"".join(parts)
        raise
    if parts:
        yield b"".join(parts)


def _within_limit(block: bytes) -> bytes:
    if len(block) > defaults.MAX_RECORD_BYTES:
        check_size(max(map(len, block.split(b"\n"))), "a line")
    return block


def check_size(size: int, what: str) -> None:
    """Refuse what is larger than one record may be."""
    if size > defaults.MAX_RECORD_BYTES:
        raise ReadError(
            f"{what} is longer than the limit of {defaults.MAX_RECORD_BYTES} bytes (raise "
            "whileai.simulations.defaults.MAX_RECORD_BYTES to read it)"
        )
