from __future__ import annotations

import whileai.simulations as wai


def rows(passes: str) -> list[dict[str, object]]:
    return [{"task_id": str(i), "reward": int(each)} for i, each in enumerate(passes)]


def test_a_comparison_prints_its_verdict_and_what_it_rests_on() -> None:
    assert str(wai.compare_runs(rows("000000"), rows("111111"))).splitlines() == [
        "pass_at_1: b_better",
        "a 0.000, b 1.000, delta +1.000, 95% interval [1.000, 1.000], 6 paired tasks",
        "p 0.016 over tasks; p 0.025 on these very tasks",
    ]


def test_a_comparison_with_nothing_says_why() -> None:
    assert str(wai.compare_runs(rows("01"), [])).splitlines()[-1] == "- fewer than 5 shared tasks: b has no 0/1 reward"


def test_a_summary_prints_its_warning() -> None:
    assert "! all 3 rows that apply scored 1 on pass_at_1" in str(wai.metric_summary(rows("111")))


def test_markers_are_a_line_each() -> None:
    marked = [{"task_id": str(i), "markers": {f"m{j:02}": i % 2 for j in range(50)}} for i in range(4)]
    shown = str(wai.marker_summary(marked)).splitlines()
    assert shown[1].split()[:2] == ["m00", "0.500"]
    assert shown[-1] == "... and 10 more (in the report by name)"
    assert str(wai.marker_summary([])) == "no row has a marker"
