"""What a person should look at first."""

from __future__ import annotations

from whileai.simulations.page.material import Material
from whileai.simulations.page.review import wanted


def order(*rows: dict) -> list[tuple[int, list[str]]]:
    return [(each.position, each.why) for each in wanted(Material(list(rows)))]


def test_disagreement_comes_first_then_flags_that_were_paid_then_wavering_judges() -> None:
    lie = {"steps": [{"tool": "read", "arguments": {"path": "a.py"}, "result": "x"}], "final_text": "I updated a.py."}
    found = order(
        {"task_id": "a", "reward": 0.45},
        {"task_id": "b", "reward": 1, "judge_meta": {"unsure": True}},
        {"task_id": "c", "reward": 0, **lie},
        {"task_id": "d", "reward": 1, **lie},
        {"task_id": "e", "reward": 1, "gold_labels": [{"label": 1}, {"label": 0}]},
        {"task_id": "f", "reward": 0, "gold_reward": 1},
        {"task_id": "g", "reward": 1},
    )
    assert [position for position, _ in found] == [5, 4, 3, 1, 0, 2]
    assert found[0][1] == ["the judge says fail, people say pass"]
    assert found[4][1] == ["reward 0.45 is within 0.1 of the threshold 0.5"]


def test_rows_that_people_settled_are_not_asked_for_again() -> None:
    assert order({"task_id": "a", "reward": 1, "gold_reward": 1, "judge_meta": {"unsure": True}}) == []


def test_a_clear_failure_with_a_fraction_far_from_the_threshold_is_left_alone() -> None:
    assert order({"task_id": "a", "reward": 0.1}, {"task_id": "b", "reward": float("nan")}) == []
