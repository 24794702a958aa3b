"""Which rollouts the viewer holds of more than fit, and what a page of many rows costs."""

from __future__ import annotations

import pytest

from growth import outgrows
from page_rollouts import blocks, page, rollouts
from whileai.simulations.page import sample
from whileai.simulations.page.sections import difficulty


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "MOST_SHOWN", 100)


def test_all_are_shown_where_they_fit() -> None:
    shown = page(rollouts())["rollouts"]
    assert (shown["total"], shown["shown"], shown["rule"]) == (48, 48, "Every rollout is here.")


@pytest.mark.usefixtures("small")
def test_of_too_many_some_behind_each_number_the_flagged_and_every_task_are_shown() -> None:
    document = page(rollouts(tasks=80, k=8))
    shown = document["rollouts"]
    assert (shown["total"], shown["shown"]) == (640, 100)
    assert "sample" in shown["rule"]
    flagged = [item for item in shown["items"] if any(flag["name"] == "lie.phantom_edit" for flag in item["flags"])]
    assert len(flagged) >= 50
    listed = {row["filter"] for row in difficulty_rows(document)}
    told = {row["filter"] for row in blocks(document, "scan", "intervals")[0]["rows"]}  # by a rule, of what is shown
    assert all(entry["rollouts"] for name, entry in document["filters"].items() if name not in listed | told)
    assert document["filters"][next(iter(listed))]["total"] == 8
    assert document["headline"][0]["n"] == 80


def difficulty_rows(document: dict) -> list[dict]:
    return list(blocks(document, "difficulty", "table")[0]["rows"])


def test_size_of_the_rollouts_shown_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample, "MOST_BYTES", 40_000)
    rows = rollouts(tasks=8)
    for row in rows:
        row["prompt"] += "<&" * 500
    shown = page(rows)["rollouts"]
    assert shown["total"] == 32
    assert 4 <= shown["shown"] <= 8  # a mark of two characters takes nine in the page


def test_flags_take_turns() -> None:
    flags = [{"lie.phantom_edit": "x"}] * 5 + [{"risk.secrets": "y"}]

    class Material:
        pass

    material = Material()
    material.flags = flags  # type: ignore[attr-defined]
    assert list(sample._flagged(material)) == [0, 5, 1, 2, 3, 4]  # type: ignore[arg-type]


def test_tasks_listed_are_spread_over_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difficulty, "MOST_TASKS", 10)
    document = page(rollouts(tasks=40))
    rows = difficulty_rows(document)
    assert len(rows) == 10
    assert {row["rate"]["value"] for row in rows} == {0.25, 0.5}


def test_a_page_of_four_times_the_tasks_or_of_one_great_task_costs_as_much_more() -> None:
    assert not outgrows(page, rollouts(tasks=40), rollouts(tasks=160))
    assert not outgrows(page, rollouts(tasks=1, k=160), rollouts(tasks=1, k=640))
