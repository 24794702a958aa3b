"""What holds of any input at all; each is asked of drawn, of fuzzed and of kept ones."""

from __future__ import annotations

import copy
import gzip
import io
import json
import time
import warnings
from collections.abc import Callable
from typing import Any

import zstandard

import whileai.simulations as wai
from whileai.simulations.models.replies import cut_off_fields, json_array, json_object, without_thinking
from whileai.simulations.rows import formats
from whileai.simulations.rows.load import RowReader

SECONDS = 1.0  # CPU seconds that an input of a few KB may take, also under coverage
_SCALES: list[Any] = [None, (0, 1), (1, 5), (-1e308, 1e307)]
_NOT_TEXT = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"PK\3\4", b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
_STATUSES = {"ok", "missing_reward", "invalid_result"}


class Named(io.BytesIO):
    """Bytes with a file name."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


def soon(work: Callable[[], Any]) -> Any:
    """What the work gives; it must not take longer than `SECONDS`, looked at twice."""
    for again in (True, False):
        start = time.process_time()
        value = work()
        taken = time.process_time() - start
        if taken <= SECONDS:
            return value
        assert again, f"{taken:.1f} s of CPU"
    raise AssertionError


def read(source: Any, name: str | None = None) -> tuple[list[dict[str, Any]], RowReader | None, str]:
    """The rows, the reader (None when the source was refused) and the refusal."""
    data = Named(source, name or "x.jsonl") if isinstance(source, bytes) else source
    reader = wai.load_rows(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            rows = list(reader)
        except ValueError as refused:
            said = str(refused)
            assert len(said.splitlines()) == 1, said
            return [], None, said
    assert len(rows) == reader.rows_read == reader.formats.total()
    assert len(reader.bad) == min(reader.n_bad, 100)
    for bad in reader.bad:
        assert bad.record >= 1, bad
        assert len(bad.reason.splitlines()) == 1, bad
    return rows, reader, ""


def of_bytes(data: bytes, name: str = "x.jsonl") -> None:
    """Rows or one line that says why not, the same rows in batches, and each row fit for use."""
    rows, reader, refused = soon(lambda: read(data, name))
    if reader is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        batches = list(wai.load_rows(Named(data, name)).batches(3))
    assert repr([row for batch in batches for row in batch]) == repr(rows), refused
    of_rows(rows)


def of_packed(data: bytes, name: str = "x.jsonl") -> None:
    """A packed text says what the text says; what is packed once or is no text is not packed again."""
    if data.startswith(_NOT_TEXT):
        return
    rows, _, refused = read(data, name)
    for packed in (gzip.compress(data, 1), zstandard.compress(data, 1)):
        again, _, as_well = read(packed, name)
        assert repr(again) == repr(rows)
        assert as_well == refused


def of_record(good: dict[str, Any], record: dict[str, Any]) -> None:
    """A record of whatever format behind a good one of it: the good one is read as alone, this one read or reported."""
    alone, _, _ = read([copy.deepcopy(good)])
    before = repr(record)
    rows, reader, refused = soon(lambda: read([copy.deepcopy(good), record]))
    assert repr(record) == before, "a record must not be changed"
    if hasattr(formats.recognise(good), "gather"):
        assert reader is not None or refused
    else:
        assert reader is not None, refused
        assert repr(rows[: len(alone)]) == repr(alone)
    soon(lambda: of_alone(record))
    of_rows(rows)


def of_alone(record: dict[str, Any]) -> None:
    """A record by itself is rows, a bad record or a refusal; never nothing without a word."""
    rows, reader, refused = read([record])
    assert rows or refused or reader is None or reader.n_bad or reader.notes
    of_rows(rows)


def of_rows(rows: list[dict[str, Any]]) -> None:
    """Rows that were read can be taken apart, joined, checked and counted."""
    for row in rows:
        of_row(row)
    numbers = wai.pass_at(rows)
    assert numbers.n_rows <= len(rows)


def of_row(row: dict[Any, Any]) -> None:
    """A dict of anything: taken apart and joined it is a valid row, and a second time the same one."""
    before = repr(row)
    for kind in ("row", "training", "preference", "other"):
        problems = wai.validate(row, kind)  # type: ignore[arg-type]
        assert all(isinstance(problem, str) for problem in problems)
    task = wai.task_key(row)
    assert isinstance(task, str)
    once = soon(lambda: wai.to_row(*wai.from_row(row)))
    assert set(wai.validate(once)) <= {"calibration_invalid"}
    again = wai.to_row(*wai.from_row(once))
    assert _in_order(again) == _in_order(once)
    assert repr(row) == before, "a row must not be changed"


def _in_order(row: dict[Any, Any]) -> str:
    return repr(sorted(row.items(), key=lambda item: repr(item[0])))


def of_reply(text: str) -> None:
    """A judge's reply: an object or nothing, and a sure object is found whatever is around it."""
    for having in ((), ("reward",), ("winner", "score")):
        found = soon(lambda having=having: json_object(text, having))
        assert found is None or isinstance(found, dict)
        assert not found or not having or any(key in found for key in having)
        listed = soon(lambda having=having: json_array(text, having))
        assert listed is None or isinstance(listed, list)
    fields = soon(lambda: cut_off_fields(text))
    assert all(isinstance(key, str) and isinstance(value, str) for key, value in fields.items())
    assert len(soon(lambda: without_thinking(text))) <= len(text)
    wrapped = {"reward": 1, "reason": text}
    for reply in (json.dumps(wrapped), f"Sure:\n```json\n{json.dumps(wrapped, indent=1)}\n```\nDone."):
        assert json_object(reply) == wrapped
        assert cut_off_fields(reply[: reply.rindex("}")]).keys() <= {"reason"}
    for scale in _SCALES:
        of_verdict(json_object(text), scale)


def of_verdict(raw: Any, scale: Any = None) -> None:
    """A verdict: a reward in [0, 1] exactly when its status is ok, and the reason as text."""
    said = soon(lambda: wai.normalize_judge_result(raw, scale))
    assert said.keys() == {"reward", "reason", "judge_status", "judge_meta"}
    reward = said["reward"]
    assert said["judge_status"] in _STATUSES
    assert (reward is not None) == (said["judge_status"] == "ok")
    assert reward is None or (type(reward) in (int, float) and 0 <= reward <= 1)
    assert isinstance(said["reason"], str)
    assert isinstance(said["judge_meta"], dict)
