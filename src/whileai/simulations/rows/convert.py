"""The rows of one input: its format is found from the first record, and each record is read as that format's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from whileai.simulations.errors import TOO_DEEP, ReadError, keys_found
from whileai.simulations.rows import formats, layout
from whileai.simulations.rows.batch import Batch
from whileai.simulations.rows.columns import unzipped, without_filler
from whileai.simulations.rows.formats import Format
from whileai.simulations.rows.records import Place
from whileai.simulations.rows.source import Source, was_read

# What a module may raise on a record that is not as its tool writes it; ValueError is the one with a reason in words.
_UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
_MOST_SHAPES = 1000  # sets of keys that are remembered as those of rows of ours

Following = Callable[[Format], Iterator[dict[str, Any]]]
HasPeers = Callable[[Format], bool]


def converted(
    values: Iterator[Any],
    source: Source,
    place: Place,
    forced: str | None,
    following: Following = lambda module: iter(()),
    has_peers: HasPeers = lambda module: False,
    head: Any = None,
) -> Iterator[Any]:
    """The rows that the values of one input stand for; those of foreign formats are counted in `place.formats`.

    Of a lean place, rows of ours may come as a `Batch`.

    The first object decides the format, unless it is `forced`. A value that is no record of it is told as bad.
    `following` gives the records of the inputs that follow, for formats whose runs lie scattered over files;
    `has_peers` says whether other inputs are of a format, for those whose ids are unique in one file only. `head` is
    the first record of the file where the values are those of a later part of it.

    >>> list(converted(iter([{"task_id": 1}]), Source("list"), Place("list", print), None))
    [{'task_id': 1}]
    """
    heads = values if head is None else iter((head,))
    found, first = next(((value, record) for value in heads for record in _tidied(value, place)), (None, {}))
    if found is None:
        return iter(())
    module = formats.named(forced) if forced is not None else layout.format_of(_object(found), first)
    if head is None:
        values = chain((found,), values)
    place.lean = place.lean and module is None and isinstance(found, dict)
    if module is None:
        as_they_stand = values if isinstance(found, dict) else _records(values, place)
        if forced is not None:
            return (value for value in as_they_stand if type(value) is Batch or _is_object(value, place))
        return _own_rows(as_they_stand, source, place, isinstance(first.get("messages"), list))
    if module.NAME in formats.IDS_OF_A_FILE:
        source.several = source.several or has_peers(module)
    if not hasattr(module, "gather"):
        return _foreign_rows(module, values, source, place, forced is not None)
    records = records_of(module, values, place, forced is not None)
    if module.NAME in formats.ACROSS_FILES:
        records = chain(records, following(module))
    return _gathered_rows(module, records, source, place)


def records_of(
    module: Format, values: Iterator[Any], place: Place, any_shape: bool = False
) -> Iterator[dict[str, Any]]:
    """The values that are records of a format; the others are told as bad.

    >>> chat = {"messages": [{"role": "user", "content": "Hi"}]}
    >>> list(records_of(formats.named("openai-chat"), iter([chat]), Place("list", print))) == [chat]
    True
    """
    for record in _records(values, place):
        if (formats.resembles if any_shape else formats.is_of)(module, record):
            yield record
        else:
            place.bad(formats.need(module) if any_shape else formats.misfit(record, module), record)


def _records(values: Iterator[Any], place: Place) -> Iterator[dict[str, Any]]:
    return (record for value in values for record in _tidied(value, place))


def _tidied(value: Any, place: Place) -> Iterator[dict[str, Any]]:
    """The record that a value is, if it is one: turns in a list as one record, without what a detour by Arrow adds."""
    if isinstance(value, list):
        value = formats.joined(value) or value
    if not _is_object(value, place):
        return
    try:
        record = without_filler(unzipped(value))
    except RecursionError:
        place.bad(TOO_DEEP, value)
        return
    yield record


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_object(value: Any, place: Place) -> bool:
    if isinstance(value, dict):
        return True
    place.bad(f"a record must be an object, found {keys_found(value)}", value)
    return False


def _own_rows(values: Iterator[Any], source: Source, place: Place, are_chats: bool) -> Iterator[Any]:
    """Rows as they stand. This loop is what reading costs beyond parsing, so it does no more than it must."""
    plain = place.own
    for value in values:
        if (type(value) is dict and ("scenario_id" in value or tuple(value) in plain)) or _is_own(value, plain):
            yield value
        elif _is_object(value, place):
            yield from _stray_rows(value, source, place, are_chats)


def _is_own(value: Any, plain: set[tuple[Any, ...]]) -> bool:
    if type(value) is Batch:
        return True
    if not isinstance(value, dict) or not formats.is_own(value):
        return False
    if was_read(value):
        return True
    if not formats.is_settled(value):
        return not formats.may_be_foreign(value)
    own = formats.recognise(value) is None
    if own and len(plain) < _MOST_SHAPES:
        plain.add(tuple(value))
    return own


def _stray_rows(value: dict[str, Any], source: Source, place: Place, are_chats: bool) -> Iterator[dict[str, Any]]:
    """The rows of a record among rows of ours that may be of a format: a chat where those are chats too."""
    for record in _tidied(value, place):
        try:
            reader = formats.beside(None, record)
            if reader is not None and not are_chats:
                raise ReadError(formats.misfit(record, None))
        except ReadError as error:
            place.bad(str(error), value)
            return
        yield from (value,) if reader is None else _rows_of(reader, record, source, place, None)


def _foreign_rows(
    module: Format, values: Iterator[Any], source: Source, place: Place, any_shape: bool
) -> Iterator[dict[str, Any]]:
    for record in _records(values, place):
        try:
            reader = _reader_of(record, module, any_shape)
        except ReadError as error:
            place.bad(str(error), record)
            continue
        yield from (record,) if reader is None else _rows_of(reader, record, source, place, None)


def _reader_of(record: dict[str, Any], module: Format, any_shape: bool) -> Format | None:
    if not any_shape:
        return module if formats.is_of(module, record) else formats.beside(module, record)
    if not formats.resembles(module, record):
        raise ReadError(formats.need(module))
    return module


def _gathered_rows(
    module: Format, records: Iterator[dict[str, Any]], source: Source, place: Place
) -> Iterator[dict[str, Any]]:
    """Rows of a format whose rows lie in several records; a bad one is told by the number of the gathered record."""
    runs = formats.gathered(module, records, source)
    number = 0
    while True:
        try:
            run = next(runs)
        except StopIteration:
            return
        except ReadError:
            raise
        except _UNREADABLE as error:
            if number == 0:
                raise ReadError(_reason(error, module)) from None
            place.bad(f"{_reason(error, module)}; the records after it were not read", "", number + 1)
            return
        number += 1
        yield from _rows_of(module, run, source, place, number)


def _rows_of(
    module: Format, record: dict[str, Any], source: Source, place: Place, number: int | None
) -> list[dict[str, Any]]:
    try:
        rows = module.to_rows(record, source)
    except _UNREADABLE as error:
        place.bad(_reason(error, module), record, number)
        return []
    place.formats[module.NAME] += len(rows)
    return rows


def _reason(error: BaseException, module: Format) -> str:
    if isinstance(error, ValueError):
        return str(error)
    if isinstance(error, RecursionError):
        return TOO_DEEP
    return formats.need(module)
