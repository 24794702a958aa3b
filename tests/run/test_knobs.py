"""The arguments of `simulate`: defaults by mode, two spellings, bounds."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from run.run_agents import TOOLS, silent
from tables import each_of
from whileai.simulations.run.simulate import simulate

DEFAULTS = {
    "tools": None, "system_prompt": None, "policy": None, "budget": 1000, "time_budget": None, "mode": "explore",
    "situations": None, "phrasings": None, "requests_per_situation": None, "repeats": None,
    "rollouts_per_request": None, "repeat_policy": None, "simulator": None, "seed": 0, "hard_share": 0.40,
    "fault_rate": None, "concurrency": 32, "temperature": 0.8, "avg_turns": 12, "patience": "normal", "advanced": None,
}  # fmt: skip


def run(**keywords: Any) -> Any:
    return simulate(silent, **{"tools": TOOLS, "simulator": False, "budget": 4, **keywords})


def test_defaults_are_those_of_the_page() -> None:
    parameters = inspect.signature(simulate).parameters
    assert {name: parameters[name].default for name in DEFAULTS} == DEFAULTS
    assert all(one.kind is not one.POSITIONAL_OR_KEYWORD for name, one in parameters.items() if name != "agent")


@pytest.mark.parametrize(
    ("mode", "sizes"),
    [
        ("explore", (1, 1, "none", 0.5)),
        ("sft", (3, 4, "adaptive", 0.5)),
        ("rl", (1, 8, "successive", 0.8)),
        ("adaptive", (1, 8, "adaptive", 0.5)),
    ],
)
def test_a_mode_sets_the_sizes(mode: str, sizes: tuple[Any, ...]) -> None:
    report = run(mode=mode).report()
    assert tuple(report[name] for name in ("phrasings", "repeats", "repeat_policy", "fault_rate")) == sizes


def test_two_spellings_mean_the_same() -> None:
    report = run(requests_per_situation=2, rollouts_per_request=2, policy="Be brief.").report()
    assert (report["phrasings"], report["repeats"], report["repeat_policy"]) == (2, 2, "fixed")
    assert run(phrasings=2, requests_per_situation=2).report()["phrasings"] == 2
    assert run(policy="Be brief.").profile == run(system_prompt="Be brief.", policy="Be brief.").profile


@each_of(
    ("keywords", "message"),
    [
        ({"phrasings": 2, "requests_per_situation": 3}, "phrasings=2 and requests_per_situation=3 are two spellings"),
        ({"repeats": 2, "rollouts_per_request": 3}, "repeats=2 and rollouts_per_request=3 are two spellings"),
        ({"system_prompt": "a", "policy": "b"}, "system_prompt='a' and policy='b' are two spellings"),
        ({"mode": "RL"}, "mode must be one of explore, sft, rl, adaptive, got 'RL'"),
        ({"repeat_policy": "fix"}, "repeat_policy must be one of none, adaptive, successive, fixed.*mean 'fixed'"),
        ({"repeat_policy": "none", "repeats": 4}, 'repeat_policy="none" asks once, but repeats=4'),
        ({"patience": "long"}, "patience must be one of normal, short, endless, got 'long'"),
        ({"budget": -1}, "budget must be a whole number of at least 0, got -1"),
        ({"budget": 2.5}, "budget must be a whole number or None, got 2.5"),
        ({"time_budget": -1}, "time_budget must be a number from 0 to 1e.09, got -1"),
        ({"situations": 0}, "situations must be a whole number of at least 1, got 0"),
        ({"repeats": True}, "repeats must be a whole number or None, got True"),
        ({"hard_share": 1.2}, "hard_share must be a number from 0 to 1, got 1.2"),
        ({"fault_rate": -0.1}, "fault_rate must be a number from 0 to 1, got -0.1"),
        ({"temperature": 3}, "temperature must be a number from 0 to 2, got 3"),
        ({"concurrency": 0}, "concurrency must be a whole number of at least 1, got 0"),
        ({"avg_turns": 0}, "avg_turns must be a whole number of at least 1"),
        ({"max_turns": 0}, "max_turns must be a whole number of at least 1"),
        ({"timeout": 0}, "timeout must be a number of seconds above 0, got 0"),
        ({"runs": 0}, "runs must be a whole number of at least 1, got 0"),
        ({"runs": 2, "checkpoint": "x.jsonl"}, "runs=2 and checkpoint exclude each other"),
        ({"seed": "a"}, "seed must be a whole number, got 'a'"),
        ({"sampling": [1]}, "sampling must be a dict"),
        ({"logprobs": 1}, "logprobs must be True or False, got 1"),
        ({"reproducible": True, "time_budget": 1}, "reproducible=True and time_budget exclude each other"),
        ({"dimensions": {}}, "dimensions must be a non-empty dict"),
        ({"dimensions": {"mood": ["x"]}}, "the axis 'mood'; the axes are tool, rule, stance"),
        ({"dimensions": {"tool": []}}, "a non-empty list of texts for 'tool'"),
        ({"dimensions": {"stance": ["angry"]}}, "the stance 'angry'; the stances are ordinary, ambiguous"),
        ({"advanced": {"dimensions": {"stance": ["angry"]}}}, "the stance 'angry'"),
        ({"advanced": {"max_token": 5}}, "advanced has no knob 'max_token'.*did you mean 'max_tokens'"),
        ({"advanced": {"max_tokens": 0}}, r"advanced\['max_tokens'\] must be a whole number of at least 1, got 0"),
        ({"advanced": 5}, "advanced must be a dict or None, got 5"),
        ({"strategy": "random"}, 'strategy must be "coverage"'),
        ({"grade": "vibes"}, 'grade must be True, False, "conduct" or a callable'),
        ({"grader": "vibes"}, "grader must be a function or None, got 'vibes'"),
        ({"execute": 5}, "execute must be a function or None, got 5"),
        ({"on_progress": 5}, "on_progress must be a function or None, got 5"),
        ({"tasks": ["a"], "seeds": ["b"]}, "tasks= and seeds= both say what is asked"),
        ({"tasks": [{"scenario_id": "a"}]}, "tasks= holds no row with a prompt"),
        ({"simulator": True}, "simulator=True names no writer"),
        ({"simulator": "gpt-4o"}, "Did you mean 'openai:gpt-4o'.*simulator=False writes the asks from templates"),
    ],
)
def test_a_wrong_value_names_itself_and_its_bounds(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run(**keywords)


def test_an_unknown_keyword_is_answered_with_the_one_that_was_meant() -> None:
    with pytest.raises(TypeError, match=r"simulate\(\) has no keyword 'repeat': did you mean 'repeats'\?"):
        run(repeat=4)
    with pytest.raises(TypeError, match="has no keyword 'zzzz': its keywords are tools, system_prompt"):
        run(zzzz=4)


@pytest.mark.parametrize("tools", ["get_order", {"name": "get_order"}, len, ["get_order"]], ids=str)
def test_what_holds_no_tools_is_a_type_error(tools: Any) -> None:
    with pytest.raises(TypeError, match=r"tools(= takes a sequence of tool schemas| must be a list)"):
        run(tools=tools)


def test_no_writer_anywhere_says_how_to_name_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WHILEAI_SURROGATE", raising=False)
    with pytest.raises(ValueError, match=r"no model named for the simulator: .*simulator=False writes the asks"):
        run(simulator=None)


def test_an_output_or_checkpoint_in_no_folder_is_refused_before_anything_is_played() -> None:
    for name in ("output", "checkpoint"):
        with pytest.raises(FileNotFoundError, match=f"{name}='/no/such/x.jsonl': there is no folder '/no/such'"):
            run(**{name: "/no/such/x.jsonl"})


def test_an_output_that_is_not_written_is_refused_before_anything_is_played(tmp_path: Any) -> None:
    with pytest.raises(ValueError, match=r"\.csv cannot hold nested values"):
        run(output=tmp_path / "rows.csv")


def test_dimensions_under_advanced_are_the_same() -> None:
    axes = {"stance": ["hurried"], "tool_condition": ["success"]}
    rows = [run(**keywords).trajectories for keywords in ({"dimensions": axes}, {"advanced": {"dimensions": axes}})]
    assert rows[0] == rows[1]
    assert {row["stance"] for row in rows[0]} == {"hurried"}
