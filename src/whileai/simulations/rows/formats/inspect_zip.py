"""The zip that Inspect AI writes as `.eval`: a header and a member a sample, read one sample at a time."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import orjson

from whileai.simulations import defaults
from whileai.simulations.errors import TOO_DEEP, ReadError, keys_found
from whileai.simulations.rows.formats.common import reward_of

UNREADABLE = "unreadable_sample"
_HEADER, _START, _SUMMARIES, _REDUCTIONS = "header.json", "_journal/start.json", "summaries.json", "reductions.json"
_ZSTANDARD = 93
_DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)
Place = tuple[float, bool, int, str]


def records_of_zip(path: str | Path) -> Iterator[dict[str, Any]]:
    """The log in an `.eval` zip, a record a sample (each with the whole header), by epoch and id; at least one record.

    Samples are read one at a time; one that cannot be read is a record that `to_rows` refuses with the reason. A log
    that was not finished has no `header.json`: what its journal says at the start stands for it, with the status
    `started`.
    """
    path = Path(path)
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            yield from _records(_Members(file, archive))
    except zipfile.BadZipFile as error:
        raise ReadError(f"the zip is damaged: {error}", source=path.name) from None
    except ValueError as error:
        raise ReadError(str(error), source=path.name) from None


def place(epoch: Any, name: Any) -> Place:
    """Where a sample comes: by epoch, then id; ids that are ints by number, before texts.

    >>> sorted([(1, "b"), (2, 1), (1, 10), (1, 9)], key=lambda sample: place(*sample))
    [(1, 9), (1, 10), (1, 'b'), (2, 1)]
    """
    counted = isinstance(name, int)
    return reward_of(epoch) or 0, not counted, name if counted else 0, "" if counted else str(name)


class _Members:
    """The JSON members of a zip by name; also those in Zstandard, which `zipfile` cannot inflate before Python 3.14."""

    def __init__(self, file: IO[bytes], archive: zipfile.ZipFile) -> None:
        self._file, self._archive = file, archive
        self._members = {member.filename: member for member in archive.infolist()}

    def names(self, folder: str) -> list[str]:
        return [name for name in self._members if name.startswith(folder) and name.endswith(".json")]

    def read(self, name: str) -> Any:
        """The value of a member, None when there is no such member; a `ValueError` for one that cannot be read."""
        if name not in self._members:
            return None
        try:
            data = self._inflated(self._members[name])
        except _DAMAGED as error:
            raise ValueError(f"member {name} is damaged: {str(error) or type(error).__name__}") from None
        try:
            return orjson.loads(data)
        except orjson.JSONDecodeError:
            pass  # NaN and Infinity, which the tool writes and only the slower reader knows
        try:
            return json.loads(data)
        except RecursionError:
            raise ValueError(f"member {name} is {TOO_DEEP}") from None
        except ValueError as error:
            raise ValueError(f"member {name} is no JSON: {error}") from None

    def _inflated(self, member: zipfile.ZipInfo) -> bytes:
        limit = defaults.MAX_RECORD_BYTES
        if member.compress_type == _ZSTANDARD:
            data = _unzstd(self._packed(member), limit + 1)
        else:
            with self._archive.open(member) as stream:
                data = stream.read(limit + 1)
        if len(data) > limit:
            raise ValueError(
                f"member {member.filename} is larger than {limit / 2**20:g} MiB when unpacked, "
                "the limit for one record (raise whileai.simulations.defaults.MAX_RECORD_BYTES to read it)"
            )
        return data

    def _packed(self, member: zipfile.ZipInfo) -> bytes:
        """The bytes of a member as they lie in the file, behind its local header (30 bytes, name, extra field)."""
        self._file.seek(member.header_offset)
        head = self._file.read(30)
        if len(head) < 30 or head[:4] != b"PK\3\4":
            raise ValueError(f"member {member.filename} is not where the zip says")
        name_length, extra_length = struct.unpack("<HH", head[26:])
        self._file.seek(name_length + extra_length, 1)
        return self._file.read(member.compress_size)


def _records(members: _Members) -> Iterator[dict[str, Any]]:
    header = _header(members)
    names = sorted(members.names("samples/"), key=_order(members))
    if not names:
        yield {**header, "samples": []}
    for name in names:
        yield {**header, **_sample(members, name)}


def _sample(members: _Members, name: str) -> dict[str, Any]:
    try:
        return {"samples": [members.read(name)]}
    except ValueError as error:
        return {UNREADABLE: str(error)}


def _header(members: _Members) -> dict[str, Any]:
    header = members.read(_HEADER)
    if header is None:
        header = members.read(_START)
        header = {"status": "started", **header} if isinstance(header, dict) else header
    if not isinstance(header, dict):
        raise ValueError(f"no log in {_HEADER} or {_START}, found {keys_found(header)}")
    reductions = members.read(_REDUCTIONS)
    return header if reductions is None else {**header, "reductions": reductions}


def _order(members: _Members) -> Callable[[str], Place]:
    """The sort key of sample members. Their names hold id and epoch; whether an id is a number the summaries tell."""
    summaries = members.read(_SUMMARIES)
    if summaries is None:
        parts = [members.read(name) for name in members.names("_journal/summaries/")]
        summaries = [entry for part in parts if isinstance(part, list) for entry in part]
    known = {
        f"samples/{entry.get('id')}_epoch_{entry.get('epoch')}.json": place(entry.get("epoch"), entry.get("id"))
        for entry in (summaries if isinstance(summaries, list) else [])
        if isinstance(entry, Mapping)
    }
    return lambda name: known.get(name) or _place_of_name(name)


def _place_of_name(name: str) -> Place:
    stem, _, epoch = name.removeprefix("samples/").removesuffix(".json").rpartition("_epoch_")
    counted = stem.isascii() and stem.isdigit() and str(int(stem[:18])) == stem
    return place(epoch, int(stem) if counted else stem)


def _unzstd(packed: bytes, most: int) -> bytes:
    import zstandard

    try:
        return zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True).read(most)
    except zstandard.ZstdError as error:
        raise zlib.error(str(error)) from None  # damaged, as by the other packing
