from __future__ import annotations

import whileai.simulations as wai
from whileai.simulations.score.stats.text import estimate_line


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


def marked(values: dict[str, list[float]]) -> list[dict[str, object]]:
    return [{"task_id": task, "markers": {"m": value}} for task, given in values.items() for value in given]


def test_a_summary_is_a_table_of_one_line_its_counts_and_what_to_know() -> None:
    head = "metric                              mean   95% interval       n"
    assert str(wai.metric_summary(rows("0110"))).splitlines() == [
        head,
        "pass_at_1                          0.500   [0.068, 0.932]     4 tasks, 4 rows",
        "2 rows at 1, 2 at 0",
    ]
    assert str(wai.metric_summary(rows("111"))).splitlines() == [
        head,
        "pass_at_1                          1.000   -                  3 tasks, 3 rows, constant: cannot guard",
        "3 rows at 1, 0 at 0",
        "! all 3 rows that apply scored 1 on pass_at_1: it has not been shown to be able to come out any",
        "  other way, so it must not guard a release",
    ]
    skewed = marked({str(task): [1.0] for task in range(8)} | {"last": [400.0]})
    assert str(wai.metric_summary(skewed, "marker:m")).splitlines()[1:] == [
        "marker:m                          45.333   [-23.892, 406.372] 9 tasks, 9 rows, skewed: covers less",
        "8 rows at 1, 0 at 0",
        "- m: skewed over 9 tasks: the interval covers less than it says",
    ]


def test_a_table_of_markers_shows_forty_and_a_note_of_few_tasks_is_no_skew() -> None:
    assert str(wai.marker_summary(marked({"a": [1, 0]}))).splitlines() == [
        "marker                              mean   95% interval       n",
        "m                                  0.500   -                  1 task, 2 rows",
    ]
    forty = [{"task_id": "a", "markers": {f"m{at:02}": at for at in range(40)}}]
    assert len(str(wai.marker_summary(forty)).splitlines()) == 41
    more = str(wai.marker_summary([*forty, {"task_id": "a", "markers": {"z": 1}}])).splitlines()
    assert more[40:] == [more[40], "... and 1 more (in the report by name)"]


def test_a_comparison_says_how_it_compared_and_what_it_left_out() -> None:
    assert str(wai.compare_runs(rows("0101"), rows("1111"))).splitlines() == [
        "pass_at_1: no_difference_detected",
        "a 0.500, b 1.000, delta +0.500, 95% interval [-0.375, 1.000], 4 unpaired tasks",
        "p 0.29 on these very tasks",
        "- fewer than 5 shared tasks (4): unpaired task means, a weaker test",
    ]
    assert str(wai.compare_runs(rows("010100000000"), rows("11111"))).splitlines() == [
        "pass_at_1: no_difference_detected",
        "a 0.167, b 1.000, delta +0.600, 95% interval [0.000, 1.000], 5 paired tasks",
        "p 0.12 over tasks; p 0.15 on these very tasks",
        "- most tasks unpaired: 7 tasks only in a and 0 only in b were dropped; the verdict rests on the 5",
        "  shared",
    ]
    assert str(wai.compare_runs([], [], "marker:x", level=0.999)).splitlines() == [
        "marker:x: insufficient_data",
        "a -, b -, delta -, 99.9% interval -, 0 unpaired tasks",
        "- fewer than 5 shared tasks: a and b have no value of the metric",
    ]
    ones, twos = ({str(task): [n * task] for task in range(6)} for n in (1, 2))
    found = wai.compare_runs(marked(ones), marked(twos), "marker:m", level=0.99)
    assert found["note"] == (
        "6 shared tasks cannot reach a verdict at level 0.99 (p is 0.0156 at best): 7 are the least"
    )


def test_a_long_metric_is_cut_and_a_line_has_no_blanks_at_its_end() -> None:
    line = str(wai.compare_runs([], [], "marker:" + "m" * 60)).splitlines()[0]
    assert line == f"marker:{'m' * 52}…: insufficient_data"
    assert estimate_line("m", "0.5", "-", "") == f"m{'0.5':>39}   -"
