"""Which policy was measured, as a caller names it."""

from __future__ import annotations

import hashlib
import re

import pytest

from whileai.simulations.schema.types import PolicyRef
from whileai.simulations.score.publish_gate.student import checked_policy, names_a_policy, student_of


@pytest.mark.parametrize("prompt", ["Be brief.", "half \ud800 a pair"], ids=["plain", "lone surrogate"])
def test_a_text_is_a_system_prompt_kept_as_the_head_of_its_hash(prompt: str) -> None:
    digest = hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()
    assert student_of(prompt, "m") == {"name": "", "model": "m", "prompt_hash": digest[:16], "version": None}


def test_a_dict_and_a_reference_are_read_key_by_key() -> None:
    keys = {"name": "s", "model": "m", "prompt_hash": "h", "version": "v"}
    assert student_of(keys, "other") == student_of(PolicyRef(**keys), "other") == keys
    assert student_of({"version": 2}) == {"name": "", "model": None, "prompt_hash": None, "version": "2"}


@pytest.mark.parametrize(
    ("policy", "refusal"),
    [
        ({"nme": "a"}, "policy has no 'nme', it takes name, model, prompt_hash, version: did you mean name?"),
        ({"NAMES": "a", "name": "b"}, "policy has no 'NAMES', it takes name, model, prompt_hash, version: did you mean "
         "name?"),
        ({"temperature": 1}, "policy has no 'temperature', it takes name, model, prompt_hash, version"),
    ],
)  # fmt: skip
def test_a_key_that_is_none_is_refused_with_the_nearest(policy: dict, refusal: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(refusal)}$"):
        checked_policy(policy)


def test_a_further_key_beside_one_of_a_policy_is_let_be() -> None:
    given = {"temperature": 1, "name": "s"}
    assert checked_policy(given) is given
    assert checked_policy("text") == "text"


def test_another_kind_is_refused_by_its_name() -> None:
    with pytest.raises(TypeError, match=r"^policy must be a system prompt, a dict or a PolicyRef, got a int$"):
        student_of(5)


@pytest.mark.parametrize("key", ["name", "model", "prompt_hash", "version"])
def test_one_key_names_a_policy(key: str) -> None:
    assert names_a_policy(student_of({key: "x"}))
    assert not names_a_policy(student_of({}))
