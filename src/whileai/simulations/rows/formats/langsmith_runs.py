"""LangSmith runs put together: halves of a wire dump joined, and each run with the runs below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from whileai.simulations.rows.formats.common import mappings
from whileai.simulations.rows.formats.identity import id_text
from whileai.simulations.rows.source import Source

HALVES = ("post", "patch")
EMPTY: tuple[Any, ...] = (None, "", {}, [])


def expanded(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The runs of a record, each parent before its children."""
    halves = [run for name in HALVES for run in mappings(record.get(name))]
    waiting: list[Mapping[str, Any]] = list(reversed(halves)) or [record]
    while waiting:
        run = dict(waiting.pop())
        for child in reversed(mappings(run.pop("child_runs", None))):
            of = {"parent_run_id": run.get("id"), "trace_id": run.get("trace_id") or run.get("id")}
            waiting.append({**child, **{n: v for n, v in of.items() if child.get(n) in EMPTY}})
        yield run


class Runs:
    """The runs read so far, halves joined, only the last model call of a trace with its conversation."""

    def __init__(self) -> None:
        self._runs: dict[str, dict[str, Any]] = {}
        self._ids: dict[str, str] = {}
        self._orders: dict[str, str] = {}
        self._last_call: dict[str, dict[str, Any]] = {}

    def add(self, half: dict[str, Any]) -> None:
        """Take a run, or half of one."""
        key = self._key(id_text(half.get("id")), id_text(half.get("dotted_order")))
        run = self._runs.setdefault(key, {})
        run.update((name, value) for name, value in half.items() if value not in EMPTY or name not in run)
        if run.get("run_type") == "llm" and run.get("parent_run_id") not in EMPTY:
            self._keep_last(run)

    def _key(self, run_id: str | None, order: str | None) -> str:
        """Where a half belongs: to the run of its id, or to that of its place where one of the two lacks the id."""
        key = self._ids.get(run_id) if run_id is not None else None
        if key is None and order is not None:
            key = self._orders.get(order)
            if key is not None and run_id is not None and self._runs[key].get("id") not in EMPTY:
                key = None
        if key is None:
            key = f"run {len(self._runs)}"
        if run_id is not None:
            self._ids[run_id] = key
        if order is not None:
            self._orders.setdefault(order, key)
        return key

    def _keep_last(self, run: dict[str, Any]) -> None:
        trace = str(run.get("trace_id") or run["parent_run_id"])
        last = self._last_call.get(trace)
        if last is None or last is run or _moment(run) >= _moment(last):
            self._last_call[trace] = run
            run, last = last or run, run
        if run is not last:
            run.pop("inputs", None)
            run.pop("outputs", None)

    def whole(self, source: Source) -> Iterator[dict[str, Any]]:
        """Each run without a parent, with the runs below it in time order."""
        steps: dict[str, list[dict[str, Any]]] = {}
        lost = 0
        for run in self._runs.values():
            if run.get("parent_run_id") not in EMPTY:
                root = self._root_of(run)
                lost += root is None
                steps.setdefault(root or "", []).append(run)
        for key, run in self._runs.items():
            if run.get("parent_run_id") in EMPTY:
                yield {"root": run, "steps": sorted(steps.get(key, []), key=_moment)}
        if lost:
            source.note(f"runs left out, since the run they are steps of is not in the file: {lost}")

    def _root_of(self, run: Mapping[str, Any]) -> str | None:
        trace = self._ids.get(str(run.get("trace_id")))
        if trace is not None and self._runs[trace].get("parent_run_id") in EMPTY:
            return trace
        seen: set[str] = set()
        while run.get("parent_run_id") not in EMPTY:
            key = self._ids.get(str(run["parent_run_id"]))
            if key is None or key in seen:
                return None
            seen.add(key)
            run = self._runs[key]
        return key


def _moment(run: Mapping[str, Any]) -> float:
    """When a run started, in seconds: ISO text, or milliseconds (the JavaScript client)."""
    start = run.get("start_time")
    if isinstance(start, int | float):
        return float(start) / 1000
    try:
        return datetime.fromisoformat(str(start)).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0
