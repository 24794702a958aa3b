"""What is kept of an answer that was no verdict, and files that hold it."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson
import pytest

import whileai.simulations as wai
from tables import each_of
from whileai.simulations.score.judging.evidence import EVIDENCE_CHARS

NAN = float("nan")
LONG = "Let me think about the order. " * 400 + "My verdict: the refund was issued."


@each_of(
    ("answer", "meta"),
    [
        ("PASS", {"returned_type": "str", "returned": "PASS"}),
        (["pass"], {"returned_type": "list", "returned": '["pass"]'}),
        (None, {"returned_type": "NoneType"}),
        ({"reward": "yes", "reason": "r"}, {"reward_type": "str", "returned": '{"reward": "yes"}'}),
        ({"reward": None, "reason": "r"}, {"reward_type": "NoneType"}),
        ({"verdict": "pass"}, {"returned_keys": ["verdict"], "returned": '{"verdict": "pass"}'}),
        ({}, {"returned_keys": []}),
        (NAN, {"reward_out_of_range": "nan"}),
        (float("-inf"), {"reward_out_of_range": "-inf"}),
        (2, {"reward_out_of_range": 2.0}),
    ],
)
def test_the_text_of_what_was_no_verdict_is_kept(answer: Any, meta: dict[str, Any]) -> None:
    row = wai.run_judge([{}], lambda _: answer)[0]
    assert row["reward"] is None
    assert row["judge_meta"] == meta


def test_a_rating_that_is_none_is_kept_too() -> None:
    assert wai.normalize_judge_result("4", (1, 5))["judge_meta"] == {"reward_type": "str", "returned": "4"}
    assert wai.normalize_judge_result({"note": "4 of 5"}, (1, 5))["judge_meta"]["returned"] == '{"note": "4 of 5"}'


class Model:
    spec = model = "m"

    def __init__(self, reply: str) -> None:
        self.reply = reply

    def ask(self, messages: Any, *, max_tokens: int, temperature: float = 0.0) -> str:
        return self.reply


@pytest.mark.parametrize("reply", [LONG[-2000:], LONG])
def test_a_long_reply_keeps_its_end_where_the_verdict_is(reply: str) -> None:
    pair = {}, {}
    model = Model(reply)
    for found in (
        wai.Judge("r", model=model)({}),
        wai.rubric_judge(["a"], spec=model)({}),
        wai.pairwise_judge(model)(*pair),
    ):
        assert "My verdict: the refund was issued." in found["reason"]
        assert len(found["reason"]) < EVIDENCE_CHARS + 200
        assert ("left out" in found["reason"]) is (reply == LONG)


ODD = [
    {1: True},
    {"b", "a"},
    NAN,
    {"deep": [float("inf"), {(1, 2): b"x"}]},
    Decimal("0.5"),
    object(),
    type("Odd", (), {"__str__": lambda _: 1 / 0})(),
]


@pytest.mark.parametrize("place", range(len(ODD)))
@pytest.mark.parametrize("reward", [1, NAN])
def test_what_a_judge_adds_costs_no_file(place: int, reward: float, tmp_path: Path) -> None:
    odd = ODD[place]
    answers = iter([{"reward": reward, "extra": odd, "markers": {"m": odd}}, 1])
    path = tmp_path / "s.jsonl"
    scored = wai.run_judge([{"n": 1}, {"n": 2}], lambda _: next(answers), concurrency=1, quiet=True)
    scored.save(path)
    written = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    assert [row["reward"] for row in written] == [1 if reward == 1 else None, 1]
    assert written == json.loads(json.dumps(list(scored.rows)))


def test_a_meta_that_holds_itself_is_cut() -> None:
    loop: dict[str, Any] = {"reward": 1}
    loop["loop"] = loop
    assert json.dumps(wai.run_judge([{}], lambda _: loop)[0]["judge_meta"])


def test_what_json_has_stays_as_it_is() -> None:
    meta = {"a": [1, 2.5, None, True, {"b": "c"}], "n": 2**70}
    assert wai.run_judge([{}], lambda _: {"reward": 1, **meta})[0]["judge_meta"] == meta
