from __future__ import annotations

import copy
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import whileai.simulations as wai
from models.server import FaultyServer
from tables import each_of
from whileai.simulations.rows.rowlist import RowList

REF = "vllm:Qwen/Qwen3-4B@http://gpu-1:8000/v1"


class Toy:
    """A server whose template writes each message as its role, its words and an end; a word costs 0.5, an end 1."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self._lock = threading.Lock()

    def __call__(self, body: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            self.bodies.append(copy.deepcopy(body))
        tokens = []
        for message in body["messages"]:
            tokens += [f"<{message['role']}>", *str(message["content"]).split()]
            tokens += [c["function"]["name"] for c in message.get("tool_calls", ())] + ["<end>"]
        tokens += ["<assistant>"] if body["add_generation_prompt"] else []
        reply: dict[str, Any] = {"usage": {"prompt_tokens": len(tokens)}}
        if body.get("prompt_logprobs"):
            reply["prompt_logprobs"] = [None] + [
                {"7": {"logprob": -1.0 if t == "<end>" else -0.5, "rank": 1, "decoded_token": t}} for t in tokens[1:]
            ]
        return reply


def chat(*turns: tuple[str, str]) -> dict[str, Any]:
    return {"messages": [{"role": role, "content": content} for role, content in turns]}


def test_all_turns_of_the_agent_are_summed_by_hand() -> None:
    rows = [chat(("user", "Hi"), ("assistant", "one two"), ("user", "more"), ("assistant", "three"))]
    report = wai.reference_logprobs(rows, REF, transport=Toy())
    assert (rows[0]["ref_logprob"], rows[0]["ref_n_tokens"]) == (-3.5, 5)  # 3 words of 0.5, 2 ends of 1
    assert report == {
        "n_rows": 1, "n_skipped": 0, "n_tokens": 5, "model": "Qwen/Qwen3-4B", "token_count_gap": None, "errors": [],
    }  # fmt: skip


def test_each_turn_takes_a_probe_and_a_scored_call() -> None:
    toy = Toy()
    wai.reference_logprobs([chat(("user", "Hi"), ("assistant", "one"))], REF, transport=toy)
    common = {"model": "Qwen/Qwen3-4B", "max_tokens": 1, "temperature": 0}
    user, said = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "one"}
    assert toy.bodies == [
        {**common, "messages": [user], "add_generation_prompt": True},
        {**common, "messages": [user, said], "add_generation_prompt": False, "prompt_logprobs": 1,
         "return_token_ids": True},
    ]  # fmt: skip


TOOL = {"type": "function", "function": {"name": "look", "parameters": {}}}


@pytest.mark.parametrize("source", [
    SimpleNamespace(trajectories=[chat(("user", "Hi"), ("assistant", "one"))],
                    profile=SimpleNamespace(policy="Be brief.", tools=[TOOL])),
    RowList([chat(("user", "Hi"), ("assistant", "one"))], system_prompt="Be brief.", tools=[TOOL]),
    [{**chat(("user", "Hi"), ("assistant", "one")), "system_prompt": "Be brief.", "tools": [TOOL]}],
])  # fmt: skip
def test_the_prompt_and_tools_the_policy_saw_are_sent(source: Any) -> None:
    toy = Toy()
    wai.reference_logprobs(source, REF, transport=toy, chat_template_kwargs={"enable_thinking": False})
    for body in toy.bodies:
        assert body["messages"][0] == {"role": "system", "content": "Be brief."}
        assert (body["tools"], body["tool_choice"]) == ([TOOL], "none")
        assert body["chat_template_kwargs"] == {"enable_thinking": False}


def test_what_is_passed_beats_what_the_source_carries() -> None:
    toy = Toy()
    rows = RowList([chat(("user", "Hi"), ("assistant", "one"))], system_prompt="old", tools=[TOOL])
    wai.reference_logprobs(rows, REF, system_prompt="new", tools=[{**TOOL, "x": 1}], transport=toy)
    assert (toy.bodies[0]["messages"][0]["content"], toy.bodies[0]["tools"]) == ("new", [{**TOOL, "x": 1}])


def test_steps_become_a_conversation() -> None:
    toy = Toy()
    row = {"opener": "Hello.", "prompt": "Refund A1", "final_text": "Done.", "steps": [
        {"tool": "look", "arguments": {"id": "A1"}, "result": {"ok": True}, "text": "Looking."}, {"user": "And?"},
        {"text": "Refunding."}, {"user": "bye"}]}  # fmt: skip
    wai.reference_logprobs([row], REF, transport=toy, concurrency=1)
    sent = toy.bodies[-1]["messages"]
    assert [m["role"] for m in sent] == ["assistant", "user", "assistant", "tool", "user", "assistant", "assistant"]
    assert [m["content"] for m in sent] == [
        "Hello.",
        "Refund A1",
        "Looking.",
        '{"ok": true}',
        "And?",
        "Refunding.",
        "Done.",
    ]
    assert len(toy.bodies) == 2 * 4


def test_a_failed_row_loses_old_stamps_and_costs_no_other() -> None:
    def transport(body: dict[str, Any]) -> Any:
        if "kettle" in str(body):
            raise TimeoutError("no answer for the kettle" + "!" * 300)
        return Toy()(body)

    stale = {"ref_logprob": -9.0, "ref_n_tokens": 1, "ref_model": "old"}
    rows = [
        {**chat(("user", "kettle"), ("assistant", "no")), **stale},
        {**chat(("user", "x"), ("assistant", "y")), **stale},
    ]
    report = wai.reference_logprobs(rows, REF, transport=transport)
    assert not stale.keys() & rows[0].keys()
    assert (rows[1]["ref_logprob"], rows[1]["ref_model"]) == (-1.5, "Qwen/Qwen3-4B")
    assert (report["n_rows"], report["n_skipped"]) == (1, 1)
    assert report["errors"] == [f"TimeoutError: no answer for the kettle{'!' * 161}…"]


def test_the_gap_counts_only_true_counts_of_scored_rows() -> None:
    counts = [4, 1, True, 0, "2", None, 2.0]
    rows = [{**chat(("user", "x"), ("assistant", "one two")), "n_tokens": n} for n in counts]
    assert wai.reference_logprobs(rows, REF, transport=Toy())["token_count_gap"] == 1.5  # |3-4|, |3-1|


def test_only_the_stamps_are_added() -> None:
    row = chat(("system", "S"), ("user", "Hi"), ("assistant", "<think>hm</think> one"))
    held = copy.deepcopy(row)
    wai.reference_logprobs([row, None, "x"], REF, system_prompt="new", transport=Toy())
    assert {key: value for key, value in row.items() if not key.startswith("ref_")} == held


@each_of("ref", [
    "vllm:Qwen/Qwen3-4B", "vllm:@http://h", "vllm:m@", "llamafile:foo", "Qwen/Qwen3-4B", "gpt-4o", "", None, 5,
    "anthropic:claude", "bedrock:m@us-east-1", "http://gpu-1:8000/v1",
])  # fmt: skip
def test_a_reference_of_another_form_is_refused_before_any_request(ref: Any) -> None:
    toy = Toy()
    with pytest.raises(ValueError, match=r"vllm:<model>@<base_url>.*openai:.*ollama:"):
        wai.reference_logprobs([chat(("user", "x"), ("assistant", "y"))], ref, transport=toy)
    assert toy.bodies == []


def test_a_password_in_an_address_is_not_repeated() -> None:
    with pytest.raises(ValueError, match=r"hidden") as caught:
        wai.reference_logprobs([], "https://me:secret@gpu-1/v1", transport=Toy())
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(("ref", "model"), [
    ("vllm:org/m:1@http://h:1/v1", "org/m:1"), ("vllm:m@gpu-1.lan", "m"), ("openai:gpt-4o", "gpt-4o"),
    ("ollama:qwen3:8b", "qwen3:8b"),
])  # fmt: skip
def test_the_forms_there_are(ref: str, model: str) -> None:
    assert wai.reference_logprobs([], ref, transport=Toy())["model"] == model


@pytest.mark.parametrize("source", [None, 5, {"messages": []}])
def test_a_source_of_another_kind_is_a_type_error(source: Any) -> None:
    with pytest.raises(TypeError, match="source"):
        wai.reference_logprobs(source, REF, transport=Toy())


def test_a_file_of_rows_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"prompt": "x", "final_text": "y z"}\n\n{"prompt": "x"}\n')
    report = wai.reference_logprobs(path, REF, transport=Toy())
    assert (report["n_rows"], report["n_skipped"], report["n_tokens"]) == (1, 1, 3)


def test_over_http_the_body_arrives_whole_and_a_redirect_takes_no_key_along() -> None:
    fields = {"usage": {"prompt_tokens": 1}, "prompt_logprobs": [None, {"7": {"logprob": -0.25, "decoded_token": "y"}}]}
    rows = [chat(("user", "x"), ("assistant", "y"))]
    with FaultyServer(reply_fields=fields) as server:
        report = wai.reference_logprobs(rows, f"vllm:m@{server.url}", api_key="sk-1", tools=[TOOL])
        assert (report["n_rows"], rows[0]["ref_logprob"]) == (1, -0.25)
        assert [request.path for request in server.posts] == ["/v1/chat/completions"] * 2
        body = server.posts[1].body
        assert (body["prompt_logprobs"], body["return_token_ids"], body["add_generation_prompt"]) == (1, True, False)
        assert (body["tools"], body["tool_choice"], server.posts[1].headers["authorization"]) == (
            [TOOL],
            "none",
            "Bearer sk-1",
        )
    with FaultyServer() as other, FaultyServer(faults=["redirect"], elsewhere=other.url) as server:
        report = wai.reference_logprobs(rows, f"vllm:m@{server.url}/v1", api_key="sk-1")
        assert (report["n_rows"], other.requests) == (0, [])
        assert "sk-1" not in report["errors"][0]


def test_a_transport_that_ends_costs_its_row_and_its_error_is_printable() -> None:
    def transport(body: dict[str, Any]) -> Any:
        raise SystemExit("red\x1b[31m \u202eover")

    report = wai.reference_logprobs([chat(("user", "x"), ("assistant", "y"))], REF, transport=transport)
    assert report["errors"] == [r"SystemExit: red\x1b[31m \u202eover"]
