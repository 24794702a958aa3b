"""A model as the agent: the tool-calling loop against a server on loopback, in both protocols."""

from __future__ import annotations

import json
from typing import Any

import pytest

import whileai.simulations as wai
from run.model_server import KEY, Chat, ModelServer, Reply
from run.run_agents import POLICY, TOOLS
from whileai.simulations.models import OpenAI, open_model
from whileai.simulations.run.simulate import simulate


def execute(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"status": "paid", "asked": arguments}


def run(agent: Any, **keywords: Any) -> Any:
    settings = {"tools": TOOLS, "system_prompt": POLICY, "simulator": False, "budget": 1, "execute": execute}
    return simulate(agent, **{**settings, **keywords})


def calls_twice(chat: Chat) -> Reply:
    """Two calls at once, then an answer from what they gave back."""
    if not chat.turn:
        calls = (("c1", "get_order", {"order_id": "A-1"}), ("c2", "get_order", {"order_id": "A-2"}))
        return Reply("One moment.", calls, logprobs=(-0.5, -0.25))
    return Reply(f"Both are {json.loads(chat.results['c2'])['status']}.", logprobs=(-1.0,))


@pytest.fixture
def anthropic_url(monkeypatch: pytest.MonkeyPatch) -> Any:
    def at(server: ModelServer) -> str:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        return "anthropic:claude-haiku-4-5"

    return at


def test_parallel_calls_come_back_by_id_and_end_in_an_answer() -> None:
    with ModelServer(calls_twice) as server:
        data = run(server.spec)
    (row,) = data.trajectories
    assert row["final_text"] == "Both are paid."
    assert [(step.get("tool"), step.get("arguments")) for step in row["steps"]] == [
        (None, None),
        ("get_order", {"order_id": "A-1"}),
        ("get_order", {"order_id": "A-2"}),
    ]
    assert [message["role"] for message in row["messages"]] == ["user", "assistant", "tool", "tool", "assistant"]
    assert (row["finish_reason"], row["tools_used"], row["model_version"]) == ("stop", ["get_order"], "policy-7b")
    assert row["policy_version"] == f"policy-7b@{row['lineage']['system_prompt_sha']}"
    assert row["sampling"] == {"temperature": 0.8, "max_tokens": 1024}
    assert row["usage"] == {"prompt_tokens": 18}
    assert wai.validate(row) == []
    first = server.chats[0].body
    assert first["messages"][0] == {"role": "system", "content": POLICY}
    assert [tool["function"]["name"] for tool in first["tools"]] == ["get_order", "cancel_order", "send_email"]


def test_anthropic_gets_results_in_one_user_turn(anthropic_url: Any) -> None:
    with ModelServer(calls_twice) as server:
        data = run(anthropic_url(server))
    (row,) = data.trajectories
    assert row["final_text"] == "Both are paid."
    assert row["finish_reason"] == "stop"
    first, second = (chat.body for chat in server.chats)
    assert first["system"] == POLICY
    assert first["tools"][0]["input_schema"]["required"] == ["order_id"]
    assert [message["role"] for message in second["messages"]] == ["user", "assistant", "user"]
    assert [block["type"] for block in second["messages"][1]["content"]] == ["text", "tool_use", "tool_use"]
    assert [block["tool_use_id"] for block in second["messages"][2]["content"]] == ["c1", "c2"]


def test_the_key_is_sent_and_is_on_no_row(anthropic_url: Any) -> None:
    with ModelServer(lambda chat: Reply(f"Your key is {KEY}.")) as server:
        data = run(anthropic_url(server))
    assert KEY in server.chats[0].headers.get("x-api-key", server.chats[0].headers.get("authorization", ""))
    assert KEY not in json.dumps([data.trajectories, data.coverage, data.warnings, data.metadata]) + repr(data)


@pytest.mark.parametrize("arguments", ["{not json", '["A-1"]', "five"])
def test_arguments_that_are_no_object_are_answered_with_an_error(arguments: str) -> None:
    def script(chat: Chat) -> Reply:
        return Reply(chat.results["c1"]) if chat.turn else Reply(calls=(("c1", "get_order", arguments),))

    with ModelServer(script) as server:
        (row,) = run(server.spec).trajectories
    assert "no JSON object" in row["final_text"]
    assert row["steps"][0]["arguments"] == {}
    assert row["steps"][0]["arguments_text"] == arguments
    assert row["fault_detected"]


def test_logprobs_of_all_turns_are_kept() -> None:
    with ModelServer(calls_twice) as server:
        (row,) = run(server.spec, logprobs=True).trajectories
    assert row["token_logprobs"] == [-0.5, -0.25, -1.0]
    assert (row["logprob"], row["n_tokens"]) == (-1.75, 3)
    assert server.chats[0].body["logprobs"] is True


def test_logprobs_are_not_asked_for_unless_wanted() -> None:
    with ModelServer(lambda chat: Reply("Hello.")) as server:
        (row,) = run(server.spec).trajectories
    assert "logprobs" not in server.chats[0].body
    assert "token_logprobs" not in row


def test_logprobs_of_anthropic_are_refused() -> None:
    with pytest.raises(ValueError, match="logprobs=True: anthropic:claude-haiku-4-5 gives no log-probabilities"):
        run("anthropic:claude-haiku-4-5", logprobs=True)


def test_a_model_that_never_stops_calling_is_stopped() -> None:
    call = (("c", "get_order", {"order_id": "A-1"}),)
    with ModelServer(lambda chat: Reply(calls=call)) as server:
        data = run(server.spec, max_turns=3)
    (row,) = data.trajectories
    assert (row["ended_by"], row["finish_reason"], len(row["steps"])) == ("max_turns", "tool", 3)
    assert data.report()["rollouts_lost_by"]["empty_reply"] == 1


def test_more_calls_than_allowed_are_answered_with_an_error() -> None:
    def script(chat: Chat) -> Reply:
        calls = tuple((f"c{n}", "get_order", {"order_id": str(n)}) for n in range(4))
        return Reply("Done.") if chat.turn else Reply(calls=calls)

    with ModelServer(script) as server:
        (row,) = run(server.spec, advanced={"max_calls": 2}).trajectories
    assert [step["result"]["status"] for step in row["steps"]] == ["paid", "paid", "error", "error"]


def test_sampling_reaches_the_server_and_the_row() -> None:
    with ModelServer(lambda chat: Reply("Hello.")) as server:
        (row,) = run(server.spec, temperature=0.2, sampling={"max_tokens": 64, "top_p": 0.9}).trajectories
    assert row["sampling"] == {"temperature": 0.2, "max_tokens": 64, "top_p": 0.9}
    assert {name: server.chats[0].body[name] for name in row["sampling"]} == row["sampling"]


def test_a_server_that_fails_once_the_run_is_on_costs_its_rollouts() -> None:
    def script(chat: Chat) -> Reply:
        return Reply("no", status=400) if len(server.chats) % 2 == 0 else Reply("Hello.")

    with ModelServer(script) as server:
        data = run(server.spec, budget=4, concurrency=1)
    lost = [row["final_text"] for row in data if row["final_text"].startswith("<agent error: ModelError")]
    assert len(lost) == 2
    assert data.report()["rollouts_lost_by"]["agent_error"] == 2
    assert "2 of 4 rollouts were lost (agent_error 2)" in data.warnings[0]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_server_that_refuses_from_the_start_ends_the_run(status: int) -> None:
    with ModelServer(lambda chat: Reply("wrong key", status=status)) as server:
        with pytest.raises(ValueError, match=f"nothing was played: .*answered {status}"):
            run(server.spec, budget=50, concurrency=1)
        assert len(server.chats) == 1


def test_the_user_goes_on_until_done_or_out_of_patience() -> None:
    def agent(chat: Chat) -> Reply:
        return Reply(f"Reply {chat.turn}.")

    def user(chat: Chat) -> Reply:
        said = chat.body["messages"][-1]["content"]
        return Reply("[DONE]" if "Reply 1." in said else "And when?")

    with ModelServer(agent) as server, ModelServer(user) as person:
        (row,) = run(server.spec, user_model=person.spec).trajectories
        (left,) = run(server.spec, user_model=person.spec, patience="short", avg_turns=4).trajectories
    assert [message["content"] for message in row["messages"][1:]] == ["Reply 0.", "And when?", "Reply 1."]
    assert row["steps"] == [{"text": "Reply 0."}, {"user": "And when?"}]
    assert (row["final_text"], row["user_model"], row.get("ended_by")) == ("Reply 1.", "policy-7b", None)
    assert left["ended_by"] == "user_left"
    shown = json.dumps([chat.body for chat in person.chats])
    assert POLICY not in shown
    assert "world_state" not in shown


def test_a_user_that_fails_is_no_fault_of_the_agent() -> None:
    with (
        ModelServer(lambda chat: Reply("Hello.")) as server,
        ModelServer(lambda chat: Reply("no", status=400)) as person,
    ):
        data = run(server.spec, user_model=person.spec)
    (row,) = data.trajectories
    assert (row["final_text"], row["ended_by"], data.degraded) == ("Hello.", "user_error", True)
    assert data.report()["rollouts_lost"] == 0
    assert "the user model policy-7b failed" in data.warnings[0]


def test_a_user_for_a_callable_is_refused() -> None:
    with pytest.raises(ValueError, match="user_model= answers an agent that is a model"):
        run(lambda ask: "Hi", user_model="openai:gpt-4o")


def test_model_objects_and_configured_models_are_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(lambda chat: Reply("Hello.")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("WHILEAI_AGENT", "openai:from-the-environment")
        names = [run(agent).profile.name for agent in (OpenAI("gpt-x"), open_model(server.spec), None)]
    assert names == ["gpt-x", "policy-7b", "from-the-environment"]


def test_no_agent_anywhere_says_how_to_name_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WHILEAI_AGENT", raising=False)
    with pytest.raises(ValueError, match="no model named for the agent: give a spec"):
        run(None)
    with pytest.raises(ValueError, match="Did you mean 'openai:gpt-4o'"):
        run("gpt-4o")
    with pytest.raises(ValueError, match="agent must be a callable"):
        run(5)


def test_a_model_writes_the_asks_and_drafts_stand_in_where_it_fails() -> None:
    def writer(chat: Chat) -> Reply:
        told = json.loads(chat.body["messages"][-1]["content"])
        return Reply("") if "adversarial" in told["situation"]["stance"] else Reply(f"Hey! {told['draft']}")

    with ModelServer(writer) as server:
        data = run(lambda ask: ask, simulator=server.spec, budget=12, execute=None)
    by = {row["writer_model"] for row in data}
    assert by == {"policy-7b", "template"} or by == {"policy-7b"}
    assert all(row["prompt"].startswith("Hey! ") == (row["writer_model"] == "policy-7b") for row in data)
    assert data.degraded == ("template" in by) == any("drafts of a template" in line for line in data.warnings)


def test_a_function_writes_the_asks() -> None:
    data = run(lambda ask: ask, simulator=lambda told: f"{told['situation']['tool']}: {told['draft']}", budget=3)
    assert {row["writer_model"] for row in data} == {"callable-writer"}
    assert data.trajectories[0]["prompt"].startswith(f"{data.trajectories[0]['scenario_dimensions']['tool']}: ")
