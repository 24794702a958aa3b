"""A model as a judge."""

from __future__ import annotations

import copy
import json
import pickle
import threading
import time
from typing import Any

import pytest

from tables import each_of
from whileai.simulations.models import Budget, ModelError, open_model
from whileai.simulations.score.judging import Judge, run_judge
from whileai.simulations.score.rubric import rubric_judge

Row = dict[str, Any]
ROW = {
    "prompt": "Refund A-1.",
    "final_text": "I could not refund A-1; it is outside the window.",
    "privileged": {"reference": "4711"},
}


class Model:
    """A model that replies with a text, or raises."""

    spec, model = "vllm:m@http://host/v1", "m"

    def __init__(self, reply: Any) -> None:
        self.reply, self.asked = reply, []

    def ask(self, messages: list[Row], *, max_tokens: int, temperature: float = 0.0) -> str:
        self.asked.append(messages)
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply


@each_of(
    ("reply", "reward", "reason"),
    [
        ('{"reason": "ok", "score": 1}', 1, "ok"), ('```json\n{"score": 0}\n```', 0, ""),
        ('I think so. {"reason": "r", "score": true}', 1, "r"), ('{"score": "1"}', 1, ""), ('{"score": 0.5}', 0.5, ""),
        ('{"reward": 1}', 1, ""), ("pass", None, "no score in the reply: 'pass'"), ('{"score": 7}', None, "no score"),
        ('Called {"order_id": "5257"} as asked.\n{"reason": "ok", "score": 1}', 1, "ok"),
        ('{"score": 1} {"score": 0}', None, "no score"),
        ('{"score": "yes"}', None, "no score"), ('{"reason": "cut of', None, "no score"), ("", None, "no score"),
        (ModelError("m answered 401"), None, "m answered 401"), (OSError("gone"), None, "OSError: gone"),
    ],
)  # fmt: skip
def test_what_a_reply_says(reply: Any, reward: float | None, reason: str) -> None:
    found = Judge("Be strict.", model=Model(reply))(ROW)
    assert found["reward"] == reward
    assert found["reason"].startswith(reason)


def test_a_model_that_fails_leaves_rows_without_a_verdict_and_with_the_reason() -> None:
    found = run_judge([ROW], Judge("Be strict.", model=Model(ModelError("m answered 401"))))[0]
    assert (found["reward"], found["judge_status"], found["reason"]) == (None, "invalid_result", "m answered 401")
    assert found["judge_name"] == "judge:m"


def test_the_rubric_is_an_instruction_and_the_rollout_is_data() -> None:
    model = Model('{"score": 1}')
    Judge("Pass refunds only.", model=model, policy="Never refund.", tools=["refund"])(ROW)
    (system, user) = model.asked[-1]
    assert "Pass refunds only." in system["content"]
    assert "Never refund." in user["content"]
    assert "4711" not in user["content"]


def test_what_is_privileged_is_shown_only_when_asked_for() -> None:
    model = Model('{"score": 1}')
    Judge("r", model=model, use_privileged=True)(ROW)
    assert "4711" in model.asked[-1][1]["content"]


def test_without_a_rubric_the_rules_of_conduct_are_a_floor() -> None:
    model = Model('{"score": 1}')
    judge = Judge(model=model)
    broken = {"prompt": "Refund A-1.", "final_text": ""}
    assert (judge.name, judge.kind) == ("judge:m:conduct-floor", "llm")
    assert judge(broken)["reward"] == 0
    assert model.asked == []
    assert judge(ROW)["reward"] == 1


def test_a_rubric_of_items_is_scored_item_by_item() -> None:
    judge = Judge([{"title": "Refunds", "kind": "hard"}], model=Model('{"criteria": {"1": true}, "reason": "r"}'))
    assert judge(ROW)["markers"] == {"rubric:refunds": 1.0}
    assert judge.name == "judge:m"


def test_judges_that_ask_differently_have_different_versions() -> None:
    model = Model("")
    judges = [Judge(model=model), Judge("a", model=model), Judge("b", model=model), Judge("a", model=model, policy="p")]
    judges += [Judge([{"title": t}], model=model) for t in "xy"]
    judges += [Judge("a", model=model, payload_chars=300), Judge("a", model=model, max_tokens=400)]
    assert len({judge.version for judge in judges}) == len(judges)
    assert Judge("a", model=model).version == judges[1].version


def test_a_judge_can_be_copied_and_sent_to_a_worker() -> None:
    spec = "vllm:m@http://127.0.0.1:9/v1"
    budgeted = open_model(spec, api_key="sk-0123456789", budget=Budget(requests=1))
    for judge in (Judge("r", model=budgeted), rubric_judge(["a"], spec=budgeted)):
        twin = copy.deepcopy(judge)
        assert twin is not judge
        assert twin.version == judge.version
        assert copy.deepcopy(budgeted) is budgeted  # the budget is that of the run
    for judge in (Judge("r", model=spec), Judge(["a"], model=spec)):
        assert pickle.loads(pickle.dumps(judge)).version == judge.version


def test_the_first_call_wakes_the_model_and_the_others_wait() -> None:
    events: list[str] = []

    class Slow(Model):
        def ask(self, messages: list[Row], **_: Any) -> str:
            waking = len(messages) == 1
            if waking:
                time.sleep(0.1)
            events.append("woken" if waking else "asked")
            return '{"score": 1}'

    judge = Judge("r", model=Slow(""))
    threads = [threading.Thread(target=judge, args=(ROW,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert events == ["woken", *["asked"] * 4]


@pytest.mark.parametrize("model", ["gpt-4o", "opnai:x", "typesafe:jev-latest", None, 7])
def test_a_model_that_cannot_be_is_refused_when_the_judge_is_made(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WHILEAI_JUDGE", raising=False)
    with pytest.raises(ValueError, match="model"):
        Judge("r", model=model)


def test_a_key_is_in_no_text_of_the_judge() -> None:
    judge = Judge("r", model="openai:gpt-4o", api_key="sk-secret-1")
    assert "sk-secret" not in repr(judge) + repr(vars(judge)) + judge.name + judge.version + json.dumps(judge.spec)


@pytest.mark.parametrize("rubric", ["", " \n"])
def test_an_empty_rubric_is_refused(rubric: str) -> None:
    with pytest.raises(ValueError, match="the rubric is empty"):
        Judge(rubric, model="vllm:m@http://127.0.0.1:8000/v1")
