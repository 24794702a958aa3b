from __future__ import annotations

import pytest

from whileai.simulations.rows.formats.chat import agent_turns, as_text, is_chat, scored, tool_schemas, turn_of, turns_of


def test_words_after_a_server_side_result_are_a_message_of_their_own():
    pieces = [
        ("block", {"type": "text", "text": "Let me search."}),
        ("call", {"name": "web_search", "arguments": {}}),
        ("result", {"role": "tool", "content": "sunny"}),
        ("block", {"type": "text", "text": "It is sunny."}),
    ]
    first, result, last = agent_turns(pieces)
    assert (first["content"], first["tool_calls"][0]["name"]) == ("Let me search.", "web_search")
    assert result["role"] == "tool"
    assert last == {"role": "assistant", "content": "It is sunny."}


def test_from_and_value_are_read_like_role_and_content_and_the_rest_stays():
    assert turn_of({"from": "human", "value": "Hi", "weight": 0}, "x") == {"role": "user", "content": "Hi", "weight": 0}


def test_developer_is_system():
    assert turn_of({"role": "developer", "content": "Be brief."}, "messages")["role"] == "system"


@pytest.mark.parametrize("value", [None, 3, ["Hi"], [{"content": "Hi"}], [{"role": 5, "content": "Hi"}]])
def test_what_is_no_conversation_is_named_in_one_line(value):
    with pytest.raises(ValueError, match="`messages`") as caught:
        turns_of(value, "messages")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "value", [None, [], "Hi", {}, [{"role": "user"}], [{"content": "Hi"}], [{"role": "user", "content": "Hi"}, 3]]
)
def test_only_a_list_of_turns_is_a_chat(value):
    assert not is_chat(value)


def test_a_reward_is_never_made_up():
    assert scored({}) == {"reward": None}
    assert scored({"reward": float("nan")}) == {"reward": None}
    assert scored({"reward": "0.25"}) == {"reward": 0.25}
    assert scored({"reward": None, "score": 1}, "reward", "score") == {"reward": None}


def test_a_word_for_a_reward_is_an_invalid_result_that_is_kept():
    row = scored({"reward": "great", "judge_meta": {"version": "2"}})
    assert row["reward"] is None
    assert row["judge_status"] == "invalid_result"
    assert row["judge_meta"] == {"version": "2", "raw_reward": "great"}


def test_results_that_are_objects_become_json_text():
    assert as_text({"total": 30.0, "who": "Zoë"}) == '{"total": 30.0, "who": "Zoë"}'
    assert as_text([{"type": "text", "text": "a"}]) == [{"type": "text", "text": "a"}]


def test_tools_written_as_text_are_read():
    assert tool_schemas('[{"name": "get"}]') == [{"name": "get"}]
    assert tool_schemas("[broken") == "[broken"
