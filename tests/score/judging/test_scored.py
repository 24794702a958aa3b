"""Views of scored rows."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import whileai.simulations as wai
from whileai.simulations.rows.rowlist import RowList
from whileai.simulations.score.judging import ScoredData

REWARDS = [1, 0, 0.5, None, 1.0, 0.0, 0.01, True, "1", float("nan")]


@pytest.fixture
def scored() -> ScoredData:
    rows = [{"n": n, "reward": r, "judge_status": "error" if r is None else "ok"} for n, r in enumerate(REWARDS)]
    found = ScoredData(rows, run_id="r", source="grade", judge_name="j")
    found.profile = SimpleNamespace(policy="Be brief.", tools=["get"])
    return found


@pytest.mark.parametrize(
    ("view", "places"),
    [
        (lambda s: s.passes(), [0, 4]), (lambda s: s.failures(), [1, 5]), (lambda s: s.traces, [1, 5]),
        (lambda s: s.failed_traces(), [1, 5]), (lambda s: s.partials(), [2, 6]), (lambda s: s.unjudged(), [3]),
        (lambda s: s.select_by_reward(0.5), [2]), (lambda s: s.select_by_reward_range(0.5, 1), [0, 2, 4]),
        (lambda s: s.select_by_reward_range(0.01, 1, inclusive=False), [2]), (lambda s: s[2:4], [2, 3]),
    ],
)  # fmt: skip
def test_views_are_rows_with_what_they_were_made_with(scored: ScoredData, view: Any, places: list[int]) -> None:
    found = view(scored)
    assert isinstance(found, RowList)
    assert [row["n"] for row in found] == places
    assert (found.system_prompt, found.tools) == ("Be brief.", ["get"])


def test_it_is_a_sequence_of_its_rows(scored: ScoredData) -> None:
    assert (len(scored), scored[1]["n"], list(scored)) == (10, 1, list(scored.rows()))
    assert repr(scored) == "ScoredData(10 rows, judge_name='j', run_id='r')"


def test_save_writes_one_object_a_line_and_gives_the_path(scored: ScoredData, tmp_path: Path) -> None:
    scored.rows.pop()
    path = scored.save(tmp_path / "rows.jsonl")
    assert path == str(tmp_path / "rows.jsonl")
    assert [json.loads(line)["n"] for line in Path(path).read_text().splitlines()] == list(range(9))


def test_push_says_why_it_cannot_and_what_can(scored: ScoredData, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WHILEAI_API_URL", raising=False)
    del scored.rows[6:]
    with pytest.raises(ValueError, match=r"target.*WHILEAI_API_URL"):
        scored.push("name")


def test_select_is_optimize_as_rows_that_print_their_report() -> None:
    given = [
        {"task_id": f"t{i // 4}", "prompt": f"ask {i // 4}", "final_text": f"It is {i}.", "n": i} for i in range(40)
    ]
    rows = wai.run_judge(given, lambda row: row["n"] % 2)
    picked = rows.select(target=40)
    assert (picked.mode, len(picked) > 0) == ("rl", True)
    assert str(picked) == str(picked.report)
    assert len(rows.select_for_rl(40)[0]) == 40
    assert all(row["reward"] == 1 for row in rows.select_for_sft(5)[0])
    assert rows.select_for_preference()[1]["pairs"] == 10
    assert rows.pass_at.pass_at_1 == 0.5


def test_the_report_counts_the_verdicts_as_well(scored: ScoredData) -> None:
    del scored.rows[-1]
    found = scored.report()
    assert found["reward_distribution"] == {"0": 2, "0.01": 1, "0.5": 1, "1": 2}
    assert (found["unjudged"], found["scoring_run_id"], found["judge"], found["rows"]) == (1, "r", "j", 9)
    assert "cells_total" not in found
    assert "cells_total" in scored.report(tools=[{"name": "get", "description": "Get an order."}])
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize("mode", ["x", "preference"])
def test_a_mode_that_is_none_is_refused(mode: Any) -> None:
    scored = ScoredData([{"prompt": "a", "reward": 1}], run_id="r", source="grade", judge_name="j")
    with pytest.raises(ValueError, match="rl, sft"):
        scored.select(mode=mode)
    assert scored.select(mode=" SFT ").mode == "sft"
