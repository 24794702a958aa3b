import pytest

from whileai.simulations.rows import text
from whileai.simulations.rows.formats import langchain, recognise
from whileai.simulations.rows.source import Source

CALL = {"name": "get_order", "args": {"id": 17}, "id": "c1", "type": "tool_call"}


def plain(kind, content, **data):
    return {"type": kind, "data": {"content": content, "additional_kwargs": {}, "type": kind, "name": None, **data}}


def dumped(name, content, **kwargs):
    return {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", name],
        "kwargs": {"content": content, **kwargs},
    }


def read(*messages, **record):
    return langchain.to_rows({"messages": list(messages), **record}, Source("chats.jsonl"))[0]


@pytest.mark.parametrize(
    "messages",
    [
        [
            plain("system", "Be brief."),
            plain("human", "Where is order 17?"),
            plain("ai", "Let me look.", tool_calls=[CALL], invalid_tool_calls=[]),
            plain("tool", "packed", tool_call_id="c1", status="success"),
            plain("AIMessageChunk", "It is packed."),
        ],
        [
            dumped("SystemMessage", "Be brief."),
            dumped("HumanMessage", "Where is order 17?"),
            dumped("AIMessage", "Let me look.", tool_calls=[CALL]),
            dumped("ToolMessage", "packed", tool_call_id="c1"),
            dumped("AIMessageChunk", "It is packed."),
        ],
    ],
)
def test_both_serialisers_give_the_same_conversation(messages):
    row = read(*messages)
    assert recognise({"messages": messages}).NAME == "langchain"
    assert [turn["role"] for turn in row["messages"]] == ["system", "user", "assistant", "tool", "assistant"]
    (call,) = text.calls(row)
    assert (call.name, call.id, call.arguments, call.speech) == ("get_order", "c1", {"id": 17}, "Let me look.")
    assert (call.result, call.failed) == ("packed", False)
    assert (row["prompt"], row["final_text"]) == ("Where is order 17?", "It is packed.")


def test_the_callers_own_columns_are_kept():
    row = read(plain("human", "Hi"), task_id="t", trial=2, reward=True, split="test")
    assert (row["task_id"], row["rollout_index"], row["reward"], row["split"]) == ("t", 2, 1, "test")


def test_a_tool_message_with_status_error_is_a_failed_call():
    row = read(plain("ai", "", tool_calls=[CALL]), plain("tool", "late", tool_call_id="c1", status="error"))
    (call,) = text.calls(row)
    assert call.failed
    assert row.get("finish_reason") is None


def test_a_call_that_could_not_be_parsed_keeps_its_text():
    bad = {"name": "refund", "args": '{"id": 17', "id": "c2", "error": "no JSON", "type": "invalid_tool_call"}
    good, broken = text.calls(read(plain("ai", "", tool_calls=[CALL], invalid_tool_calls=[bad])))
    assert (good.name, broken.name, broken.arguments, broken.unreadable) == ("get_order", "refund", {}, '{"id": 17')


def test_a_call_that_is_also_a_content_block_counts_once():
    blocks = [
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "c1", "name": "get_order", "input": {"id": 17}},
    ]
    (call,) = text.calls(read(plain("ai", blocks, tool_calls=[CALL])))
    assert call.speech == "Let me look."


def test_calls_that_only_the_raw_answer_has_are_read():
    raw = {
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"id": 17}'}}]
    }
    old = {"function_call": {"name": "get_order", "arguments": '{"id": 17}'}}
    for kwargs in (raw, old):
        (call,) = text.calls(read(plain("ai", "", additional_kwargs=kwargs)))
        assert (call.name, call.arguments) == ("get_order", {"id": 17})


@pytest.mark.parametrize(
    ("metadata", "finish"),
    [
        ({"finish_reason": "length"}, "length"),
        ({"stop_reason": "max_tokens"}, "length"),
        ({"stop_reason": "end_turn"}, "stop"),
        ({"finish_reason": "tool_calls"}, "tool"),
        ({"finish_reason": "content_filter"}, "content_filter"),
        ({}, None),
    ],
)
def test_the_last_answer_says_why_the_run_ended(metadata, finish):
    assert read(plain("human", "Hi"), plain("ai", "Well", response_metadata=metadata)).get("finish_reason") == finish


def test_model_usage_and_logprobs_are_those_of_the_answers():
    def answer(logprob):
        metadata = {"model_name": "shop-7b", "logprobs": {"content": [{"logprob": logprob}]}}
        return plain("ai", "Well", response_metadata=metadata, usage_metadata={"input_tokens": 3, "output_tokens": 1})

    row = read(plain("human", "Hi"), answer(-0.5), answer(-0.25))
    assert (row["model_version"], row["token_logprobs"]) == ("shop-7b", [-0.5, -0.25])
    assert row["usage"] == {"input_tokens": 6, "output_tokens": 2}


def test_function_and_chat_messages_have_their_roles():
    row = read(
        plain("chat", "Hi", role="user"), plain("function", "5", name="get"), plain("chat", "Hello", role="assistant")
    )
    assert [turn["role"] for turn in row["messages"]] == ["user", "tool", "assistant"]


def test_a_missing_reward_is_no_reward():
    assert read(plain("human", "Hi"), reward=float("nan"))["reward"] is None


@pytest.mark.parametrize("junk", [None, 5, "x", [None, 5], {"a": 1}])
def test_fields_of_the_wrong_type_are_no_crash(junk):
    names = (
        "content",
        "tool_calls",
        "additional_kwargs",
        "response_metadata",
        "tool_call_id",
        "status",
        "usage_metadata",
    )
    for name in names:
        turns = [{"type": kind, "data": {"content": "x", name: junk}} for kind in ("human", "ai", "tool")]
        assert read(*turns)["reward"] is None


def test_a_turn_that_is_no_message_is_named():
    with pytest.raises(ValueError, match=r"messages\[1\] must be a serialised LangChain message, found a str"):
        read(plain("human", "Hi"), "Hello")
