import json

import pytest

from whileai.simulations.rows import text
from whileai.simulations.rows.formats import otel_genai, otel_spans, recognise
from whileai.simulations.rows.source import Source

USER = {"role": "user", "parts": [{"type": "text", "content": "Where is order 17?"}]}
CALL = {"type": "tool_call", "id": "c1", "name": "get_order", "arguments": {"id": 17}}
CALLED = {"role": "assistant", "parts": [{"type": "text", "content": "Let me look."}, CALL]}
ANSWER = {"role": "assistant", "parts": [{"type": "text", "content": "It is packed."}], "finish_reason": "stop"}


def responded(**response):
    return {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", **response}]}


def otlp(value):
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [otlp(entry) for entry in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": otlp(entry)} for key, entry in value.items()]}}
    return {"stringValue": value}


def listed(attributes):
    return [{"key": key, "value": otlp(value)} for key, value in attributes.items()]


def span(span_id, operation, start, parent="root", trace="t1", events=(), status=None, **attributes):
    attributes = {"gen_ai.operation.name": operation, **{key.replace("__", "."): v for key, v in attributes.items()}}
    return {
        "traceId": trace,
        "spanId": span_id,
        **({"parentSpanId": parent} if parent else {}),
        "name": operation,
        "startTimeUnixNano": str(start * 10**9),
        "endTimeUnixNano": str((start + 1) * 10**9),
        "attributes": listed(attributes),
        "events": [{"name": n, "timeUnixNano": str(i), "attributes": listed(a)} for i, (n, a) in enumerate(events)],
        "status": status or {},
    }


def chat(span_id, start, asked, answered, dump=json.dumps, **attributes):
    kept = {"gen_ai.input.messages": dump(asked), "gen_ai.output.messages": dump([answered])}
    return span(span_id, "chat", start, **{**kept, **attributes})


def agent(span_id="root", start=0, parent=None, **rest):
    return span(span_id, "invoke_agent", start, parent, **rest)


def tool(span_id, start, **attributes):
    return span(span_id, "execute_tool", start, **{"gen_ai.tool.name": "get_order", **attributes})


def scored(name, **score):
    keys = {
        "value": "gen_ai.evaluation.score.value",
        "label": "gen_ai.evaluation.score.label",
        "why": "gen_ai.evaluation.explanation",
    }
    return (
        "gen_ai.evaluation.result",
        {"gen_ai.evaluation.name": name, **{keys[key]: value for key, value in score.items()}},
    )


def export(*spans):
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"spans": list(spans)}]}]}


def read(*records):
    source = Source("traces.jsonl")
    return [row for whole in otel_genai.gather(records, source) for row in otel_genai.to_rows(whole, source)]


RUN = [
    chat("a", 1, [USER], CALLED),
    tool("b", 2, **{"gen_ai.tool.call.id": "c1", "gen_ai.tool.call.result": "packed"}),
    chat("c", 3, [USER, CALLED, responded(response="packed")], ANSWER),
    agent(),
]


@pytest.mark.parametrize("dump", [json.dumps, lambda value: value], ids=["JSON text", "structured"])
@pytest.mark.parametrize("field", ["response", "result"])
def test_the_last_call_and_its_output_are_the_conversation(dump, field):
    told = [USER, CALLED, responded(**{field: "packed"})]
    (row,) = read(export(chat("c", 3, told, ANSWER, dump), chat("a", 1, [USER], CALLED, dump), agent()))
    (call,) = text.calls(row)
    assert (call.name, call.arguments, call.result, call.speech) == ("get_order", {"id": 17}, "packed", "Let me look.")
    assert (row["prompt"], row["final_text"], row["finish_reason"]) == ("Where is order 17?", "It is packed.", "stop")


def test_spans_come_in_any_order_and_over_any_lines():
    whole = read(export(*RUN))
    assert read(*(export(one) for one in reversed(RUN))) == whole
    assert read(*reversed(RUN)) == whole


def test_rows_are_ordered_by_their_earliest_start():
    late = [chat("a", 9, [USER], ANSWER, trace="t9"), agent(start=8, trace="t9")]
    assert [row["trace_id"] for row in read(*late, *RUN)] == ["t1", "t9"]


def test_a_trace_with_several_agents_gives_a_row_each():
    other = {"role": "user", "parts": [{"type": "text", "content": "Cancel order 3."}]}
    rows = read(
        span("http", "GET /", 0, None),
        agent("x", 1, "http"),
        agent("y", 5, "http"),
        chat("b", 6, [other], ANSWER, parent="y"),
        chat("a", 2, [USER], ANSWER, parent="x"),
    )
    assert [row["prompt"] for row in rows] == ["Where is order 17?", "Cancel order 3."]


def test_an_agent_invoked_by_an_agent_is_part_of_its_run():
    inner = {"role": "user", "parts": [{"type": "text", "content": "Look up 17."}]}
    rows = read(
        agent(), chat("a", 1, [USER], ANSWER), agent("sub", 2, "root"), chat("b", 3, [inner], CALLED, parent="sub")
    )
    assert [row["prompt"] for row in rows] == ["Where is order 17?"]


def test_a_result_only_the_tool_span_has_is_joined_by_call_id():
    failed = {"code": 2, "message": "TimeoutError: no answer"}
    late = tool(
        "b", 2, status={"code": 2}, **{"gen_ai.tool.call.id": "c1", "gen_ai.tool.call.result": "timeout after 30 s"}
    )
    (row,) = read(chat("a", 1, [USER], CALLED), late, agent(status=failed, **{"error.type": "TimeoutError"}))
    (call,) = text.calls(row)
    assert (call.answered, call.failed, row["final_text"]) == (True, True, "")
    assert (row["reward"], row["judge_status"], row["error"]) == (None, "error", "TimeoutError: no answer")


@pytest.mark.parametrize("code", [2, "2", "STATUS_CODE_ERROR", "ERROR"])
def test_an_error_status_of_the_root_is_a_failed_run_whatever_its_spelling(code):
    (row,) = read(*RUN[:3], agent(status={"code": code}, **{"error.type": "TimeoutError"}))
    assert (row["finish_reason"], row["error"]) == ("error", "TimeoutError")


@pytest.mark.parametrize("code", [0, 1, "STATUS_CODE_OK", None])
def test_any_other_status_is_no_failure(code):
    (row,) = read(*RUN[:3], agent(status={"code": code}))
    assert row["finish_reason"] == "stop"


def test_kind_and_times_may_be_written_otherwise():
    line = {
        "context": {"trace_id": "0x5b", "span_id": "0x0a"},
        "name": "chat shop-7b",
        "kind": "SpanKind.CLIENT",
        "parent_id": None,
        "start_time": "2026-11-01T10:00:00.000001Z",
        "status": {"status_code": "UNSET"},
        "attributes": {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps([USER])},
    }
    assert recognise(line).NAME == "otel-genai"
    (row,) = read(line)
    assert (row["prompt"], row["ts"]) == ("Where is order 17?", 1793527200000001000)


CALLS = [{"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": '{"id": 17}'}}]
TOLD = [
    ("gen_ai.system.message", {"content": "Be brief."}),
    ("gen_ai.user.message", {"content": "Where is order 17?"}),
    ("gen_ai.assistant.message", {"tool_calls": json.dumps(CALLS)}),
    ("gen_ai.tool.message", {"id": "c1", "content": "packed"}),
    ("gen_ai.choice", {"index": 0, "finish_reason": "length", "message": json.dumps({"content": "It is"})}),
]


def logged(name, attributes, trace="t1", span_id="a"):
    return {"traceId": trace, "spanId": span_id, "eventName": name, "body": otlp(attributes), "timeUnixNano": "5"}


def test_messages_may_be_events_of_the_span_or_log_records():
    for records in (
        [span("a", "chat", 1, events=TOLD), agent()],
        [
            export(span("a", "chat", 1), agent()),
            {"resourceLogs": [{"scopeLogs": [{"logRecords": [logged(*e) for e in TOLD]}]}]},
        ],
        [*(logged(*event) for event in TOLD), span("a", "chat", 1), agent()],
    ):
        (row,) = read(*records)
        (call,) = text.calls(row)
        assert [turn["role"] for turn in row["messages"]] == ["system", "user", "assistant", "tool", "assistant"]
        assert (call.arguments, call.result, row["final_text"], row["finish_reason"]) == (
            {"id": 17},
            "packed",
            "It is",
            "length",
        )


INDEXED = {
    "gen_ai.prompt.0.role": "user",
    "gen_ai.prompt.0.content": "Where is order 17?",
    "gen_ai.prompt.1.role": "assistant",
    "gen_ai.prompt.1.tool_calls.0.id": "c1",
    "gen_ai.prompt.1.tool_calls.0.name": "get_order",
    "gen_ai.prompt.1.tool_calls.0.arguments": '{"id": 17}',
    "gen_ai.prompt.2.role": "tool",
    "gen_ai.prompt.2.tool_call_id": "c1",
    "gen_ai.prompt.2.content": "packed",
    "gen_ai.completion.0.role": "assistant",
    "gen_ai.completion.0.content": "It is packed.",
    "gen_ai.completion.0.finish_reason": "stop",
}
OPENINFERENCE = {
    "openinference.span.kind": "LLM",
    "llm.model_name": "shop-7b",
    "llm.invocation_parameters": '{"temperature": 0.5, "max_tokens": 64}',
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.contents.0.message_content.type": "text",
    "llm.input_messages.0.message.contents.0.message_content.text": "Where is order 17?",
    "llm.input_messages.1.message.role": "assistant",
    "llm.input_messages.1.message.tool_calls.0.tool_call.id": "c1",
    "llm.input_messages.1.message.tool_calls.0.tool_call.function.name": "get_order",
    "llm.input_messages.1.message.tool_calls.0.tool_call.function.arguments": '{"id": 17}',
    "llm.input_messages.2.message.role": "tool",
    "llm.input_messages.2.message.tool_call_id": "c1",
    "llm.input_messages.2.message.content": "packed",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": "It is packed.",
}


@pytest.mark.parametrize("attributes", [INDEXED, OPENINFERENCE], ids=["indexed", "OpenInference"])
def test_messages_may_be_spread_over_numbered_keys(attributes):
    one = {
        "traceId": "t1",
        "spanId": "a",
        "name": "ChatOpenAI",
        "attributes": listed(dict(reversed(attributes.items()))),
    }
    (row,) = read(one)
    (call,) = text.calls(row)
    assert (call.name, call.id, call.arguments, call.result) == ("get_order", "c1", {"id": 17}, "packed")
    assert (row["prompt"], row["final_text"]) == ("Where is order 17?", "It is packed.")


def test_settings_of_openinference_are_read():
    (row,) = read({"traceId": "t1", "spanId": "a", "attributes": OPENINFERENCE})
    assert row["sampling"] == {"temperature": 0.5, "max_tokens": 64, "model": "shop-7b"}


def test_model_settings_usage_and_conversation_are_read():
    facts = {
        "gen_ai.request.model": "shop-7b",
        "gen_ai.response.model": "shop-7b-2026",
        "gen_ai.request.temperature": 0.8,
        "gen_ai.request.max_tokens": 512,
        "gen_ai.usage.input_tokens": 40,
        "gen_ai.usage.output_tokens": 10,
        "gen_ai.system": "openai",
        "gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Be brief."}]),
    }
    calls = [chat("a", 1, [USER], CALLED, **facts), chat("b", 2, [USER], ANSWER, **facts)]
    (row,) = read(*calls, agent(**{"gen_ai.conversation.id": "conv-1", "app.task_id": "t", "app.api_key": "hidden"}))
    assert (row["model_version"], row["provider"], row["conversation_id"]) == ("shop-7b-2026", "openai", "conv-1")
    assert row["sampling"] == {"temperature": 0.8, "max_tokens": 512, "model": "shop-7b"}
    assert row["usage"] == {"input_tokens": 80, "output_tokens": 20}
    assert row["messages"][0] == {"role": "system", "content": "Be brief."}
    assert (row["attributes"]["app.task_id"], "hidden" in repr(row)) == ("t", False)


def test_the_task_is_the_prompt_and_the_attempt_is_counted():
    rows = read(*RUN, chat("a", 20, [USER], ANSWER, trace="t2"), agent(start=19, trace="t2"))
    assert rows[0]["task_id"] == rows[1]["task_id"]
    assert rows[0]["task_id"].startswith("task_")
    assert [row["rollout_index"] for row in rows] == [0, 1]


def test_the_first_evaluation_is_the_reward_and_the_others_are_markers():
    events = [scored("solved", value=0.5, label="fail", why="Half."), scored("polite", value=1.0)]
    (row,) = read(*RUN[:3], agent(events=events))
    assert (row["reward"], row["judge_name"], row["reason"]) == (0.5, "solved", "Half.")
    assert (row["markers"], row["judge_meta"]) == ({"polite": 1.0}, {"label": "fail"})


@pytest.mark.parametrize(
    ("label", "reward"), [("pass", 1), ("correct", 1), ("fail", 0), ("Incorrect", 0), ("relevant", None)]
)
def test_a_label_alone_is_a_verdict_only_where_it_says_so(label, reward):
    (row,) = read(*RUN[:3], agent(events=[scored("solved", label=label)]))
    assert row["reward"] == reward
    assert row.get("judge_status") == (None if reward is not None else "invalid_result")


def test_an_evaluation_may_be_a_log_record_of_the_span():
    name, attributes = scored("solved", label="pass")
    record = {
        "traceId": "t1",
        "spanId": "c",
        "body": otlp("x"),
        "attributes": listed({**attributes, "event.name": name}),
    }
    for records in ([record, *RUN], [*RUN, record]):
        (row,) = read(*records)
        assert row["reward"] == 1


def test_a_run_without_the_primary_evaluation_has_no_reward():
    second = [
        chat("a", 20, [USER], ANSWER, trace="t2"),
        agent(start=19, trace="t2", events=[scored("polite", value=1.0)]),
    ]
    rows = read(*second, *RUN[:3], agent(events=[scored("solved", value=0.0)]))
    assert [row["reward"] for row in rows] == [0.0, None]
    assert rows[1]["markers"] == {"polite": 1.0}


def test_tools_without_any_message_are_the_calls_of_the_run():
    kept = {"gen_ai.tool.call.arguments": '{"id": 17}', "gen_ai.tool.call.result": "packed"}
    (row,) = read(span("a", "chat", 1), tool("b", 2, **kept), agent())
    (call,) = text.calls(row)
    assert (call.name, call.arguments, call.result) == ("get_order", {"id": 17}, "packed")


def test_traces_of_other_programs_are_left_out_and_said():
    source = Source("traces.jsonl")
    assert list(otel_genai.gather([span("a", "GET /", 1, None)], source)) == []
    assert source.notes[0].startswith("1 traces were left out")


def test_reasoning_is_no_part_of_the_reply():
    thought = {
        "role": "assistant",
        "parts": [{"type": "reasoning", "content": "Hmm."}, {"type": "text", "content": "Packed."}],
    }
    (row,) = read(chat("a", 1, [USER], thought), agent())
    assert (row["final_text"], row["messages"][-1]["reasoning"]) == ("Packed.", "Hmm.")


def test_of_several_answers_the_first_counts_and_of_an_agents_turns_all():
    other = {"role": "assistant", "parts": [{"type": "text", "content": "No idea."}]}
    (row,) = read(span("a", "chat", 1, **{"gen_ai.output.messages": json.dumps([ANSWER, other])}), agent())
    assert row["final_text"] == "It is packed."
    turns = json.dumps([CALLED, responded(response="packed"), ANSWER])
    (row,) = read(agent(**{"gen_ai.input.messages": json.dumps([USER]), "gen_ai.output.messages": turns}))
    assert [turn["role"] for turn in row["messages"]] == ["user", "assistant", "tool", "assistant"]


def test_messages_of_earlier_calls_are_not_held():
    traces = otel_spans.Traces(Source("traces.jsonl"))
    for one in (RUN[2], RUN[0]):
        traces.add(one)
    assert [found.has_messages() for found in traces._traces["t1"].values()] == [True, False]


@pytest.mark.parametrize("junk", [None, 5, "x", [None, 5], {"a": 1}, {"arrayValue": 5}, {"kvlistValue": None}])
def test_fields_of_the_wrong_type_are_no_crash(junk):
    for name in ("attributes", "events", "status", "parentSpanId", "startTimeUnixNano", "name", "context"):
        assert len(read({**RUN[0], name: junk}, RUN[2], agent())) >= 1
    for key in (
        "gen_ai.input.messages",
        "gen_ai.output.messages",
        "gen_ai.prompt.0.tool_calls.0.name",
        "llm.input_messages.0.message.role",
    ):
        assert len(read({"traceId": "t1", "spanId": "a", "name": "chat", "attributes": {key: junk}})) == 1
    assert read({"resourceSpans": junk}) == read({"resourceLogs": junk}) == []
