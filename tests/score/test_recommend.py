from __future__ import annotations

import pytest

from whileai.simulations.score.recommend import recommend

TOOLS = [{"name": name, "parameters": {"properties": {"order_id": {}}}} for name in ("get", "pay", "ship")]
POLICY = "\n".join(f"- Rule number {i}." for i in range(40))


@pytest.mark.parametrize(
    ("target", "budget"), [(None, 2400), (0, 2400), (1000, 3000), (1001, 3100), (1, 300), (20, 300), (100, 300)]
)
def test_sft_takes_the_larger_of_visits_and_surplus_rounded_up(target: int | None, budget: int) -> None:
    plan = recommend(TOOLS, target=target)
    assert plan["grid_cells"] == 60
    assert plan["budget"] == budget == plan["simulate_kwargs"]["budget"]


@pytest.mark.parametrize(
    ("rate", "target", "situations", "reported"),
    [
        (0.5, 800, 200, 0.5),
        (0.04, 800, 2500, 0.04),
        (0.3, 800, 334, 0.3),
        (0, 800, 5000, 0.02),
        (0.001, 800, 5000, 0.02),
        (3, 4000, 500, 1.0),
        (1, 8, 120, 1.0),
    ],
)
def test_rl_takes_the_asks_that_leave_the_target_in_mixed_groups(
    rate: float, target: int, situations: int, reported: float
) -> None:
    plan = recommend(TOOLS, mode="RL", mixed_rate=rate, target=target)
    assert (plan["situations"], plan["budget"], plan["mixed_rate"]) == (situations, 8 * situations, reported)
    assert plan["simulate_kwargs"] == {
        "mode": "rl", "situations": situations, "budget": 8 * situations, "time_budget": None,
    }  # fmt: skip


def test_the_rule_axis_is_that_of_the_generation_grid() -> None:
    assert recommend(TOOLS, POLICY)["grid_cells"] == 60 + 16 * 10
    assert recommend()["grid_cells"] == 50


@pytest.mark.parametrize(("policy", "prompt"), [("", POLICY), (POLICY, POLICY), (POLICY, None)])
def test_policy_and_system_prompt_are_one_text(policy: str, prompt: str | None) -> None:
    assert recommend(TOOLS, policy, system_prompt=prompt) == recommend(TOOLS, POLICY)


@pytest.mark.parametrize("prompt", ["", "Another policy."])
def test_two_texts_are_refused(prompt: str) -> None:
    with pytest.raises(ValueError, match="policy= and system_prompt="):
        recommend(TOOLS, POLICY, system_prompt=prompt)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"target": -5}, "target"),
        ({"target": 1.5}, "target"),
        ({"mode": "rl", "mixed_rate": float("nan")}, "mixed_rate"),
    ],
)
def test_odd_numbers_are_refused(options: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        recommend(TOOLS, **options)


def test_the_arithmetic_is_shown() -> None:
    sft, rl = str(recommend(TOOLS, target=1000)), str(recommend(TOOLS, mode="rl", mixed_rate=0.04))
    assert all(part in sft for part in ("60 cells", "= 300 rows", "target 1000 = 3000 rows", "generate 3,000 rows"))
    assert all(
        part in rl for part in ("4%", "12 asks", "group_signal", "2500 asks x 8 = 20000 rows", "pass@k over pass@1")
    )


def test_the_arithmetic_holds_when_the_grid_decides() -> None:
    line = recommend(TOOLS, POLICY, mode="rl")["reasoning"][2]
    assert "440 asks x 8 = 3520 rows; x 0.5 = about 1760 rows in mixed groups" in line
    assert "2 asks a cell decides, the target of 800 alone takes 200 asks" in line
    assert "decides" not in recommend(TOOLS, mode="rl", mixed_rate=0.04)["reasoning"][2]


def test_a_rate_that_is_held_is_said_to_be() -> None:
    assert "mixed_rate=25, a share of groups, is held to 1" in str(recommend(TOOLS, mode="rl", mixed_rate=25))
    assert "held" not in str(recommend(TOOLS, mode="rl"))


@pytest.mark.parametrize("mode", ["sfft", "", None])
def test_an_unknown_mode_is_sized_for_rl_with_a_warning(mode: str) -> None:
    with pytest.warns(UserWarning, match='neither "sft" nor "rl"'):
        assert recommend(TOOLS, mode=mode)["mode"] == "rl"
