"""Keys in the words of others."""

from __future__ import annotations

from typing import Any

import pytest

import whileai.simulations as wai
from whileai.simulations.models import open_model
from whileai.simulations.models.redaction import without_keys

KEY = "sk-made-up-0123456789"
ROW = {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]}


def quoting(*_: Any, **__: Any) -> Any:
    raise RuntimeError(f"401 for Bearer {KEY}")


def test_a_key_that_a_judge_or_its_model_quotes_is_on_no_row() -> None:
    model = open_model("vllm:m@http://127.0.0.1:9/v1", api_key=KEY)
    assert wai.run_judge([{}], quoting)[0]["judge_meta"] == {"error": "RuntimeError: 401 for Bearer [key]"}
    model.ask = quoting
    for judge in (wai.Judge("r", model=model), wai.rubric_judge(["a"], spec=model)):
        found = judge(ROW)
        assert found["reason"] == "RuntimeError: 401 for Bearer [key]"


def test_the_key_just_given_is_in_no_error_of_a_transport() -> None:
    report = wai.reference_logprobs([dict(ROW)], "vllm:m@http://h/v1", api_key=KEY, transport=quoting)
    assert report["errors"] == ["RuntimeError: 401 for Bearer [key]"]


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "AWS_BEARER_TOKEN_BEDROCK", "GROQ_API_KEY"])
def test_keys_of_the_environment_are_known(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "a-key-of-the-environment")
    assert without_keys("no: A-key-of-the-environment!") == "no: [key]!"


def test_words_that_are_no_keys_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_API_KEY", "none")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://gpu-1:8000/v1")
    assert without_keys("none of it at http://gpu-1:8000/v1") == "none of it at http://gpu-1:8000/v1"
