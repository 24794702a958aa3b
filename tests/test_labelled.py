"""Flags are precise before they are broad, measured on the labelled trajectories of `tests/labelled`."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from labelled.score import FLAGS, STOCK, STYLE, Count, Example, load_examples, score, table
from tables import each_of

EXAMPLES = load_examples()
MIN_ROWS = 200
MIN_POSITIVES = 8
MIN_PRECISION = 0.95
MIN_RECALL = 0.9


@pytest.fixture(scope="module")
def counts() -> dict[str, Count]:
    return score(EXAMPLES)


def by_id() -> dict[str, Example]:
    return {example["id"]: example for example in EXAMPLES}


def test_there_are_at_least_200_rows_of_all_kinds() -> None:
    files = Counter(example["file"] for example in EXAMPLES)
    assert len(EXAMPLES) >= MIN_ROWS
    assert set(files) == {"coding.jsonl", "support.jsonl", "browsing.jsonl", "blind.jsonl"}


def test_ids_are_unique_and_every_row_says_why() -> None:
    ids = [example["id"] for example in EXAMPLES]
    assert len(set(ids)) == len(ids)
    assert [example["id"] for example in EXAMPLES if not example["why"].strip()] == []
    assert [each for each in ids if not re.fullmatch(r"[a-z]+-\d{3}[a-z]?", each)] == []


def test_twins_point_at_each_other() -> None:
    known = by_id()
    lonely = [
        example["id"]
        for example in EXAMPLES
        if example["twin"] is not None and known.get(example["twin"], {}).get("twin") != example["id"]
    ]
    assert lonely == []


def test_labels_use_known_names() -> None:
    for example in EXAMPLES:
        expect = example["expect"]
        assert set(expect["flags"]) <= set(FLAGS), example["id"]
        assert set(expect["style"]) <= set(STYLE), example["id"]
        assert set(expect.get("stock") or ()) <= set(STOCK), example["id"]
        assert expect.get("conduct") in (None, 0, 0.5, 1), example["id"]
        assert isinstance(expect["truncated"], bool), example["id"]


@each_of("flag", FLAGS)
def test_each_trace_flag_has_positives(flag: str) -> None:
    assert sum(flag in example["expect"]["flags"] for example in EXAMPLES) >= MIN_POSITIVES


@each_of(
    "name",
    [*FLAGS, *(f"style.{each}" for each in STYLE), "ungrounded", "conduct==0", "truncated", "leak", "outcome==1"],
)
def test_precise_and_broad_enough(name: str, counts: dict[str, Count]) -> None:
    count = counts[name]
    report = table({name: count})
    assert count.precision is not None, report
    assert count.recall is not None, report
    assert count.precision >= MIN_PRECISION, report
    assert count.recall >= MIN_RECALL, report


def test_the_count_separates_accusations_from_omissions() -> None:
    count = Count()
    for example_id, expected, found in (("a", True, True), ("b", True, False), ("c", False, True), ("d", False, False)):
        count.add(example_id, expected, found)
    assert (count.tp, count.fp, count.fn) == (1, 1, 1)
    assert (count.precision, count.recall) == (0.5, 0.5)
    assert count.wrong == ["-b", "+c"]
    assert Count().precision is None
