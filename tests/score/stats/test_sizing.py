from __future__ import annotations

import json
import math
import pickle
import random
import re

import pytest
from scipy import stats

import whileai.simulations as wai
from tables import each_of
from whileai.simulations.rows.table import Tasks
from whileai.simulations.score.stats.labels import LabelTally
from whileai.simulations.score.stats.sizing_text import format_holdout_size


def series(passes: list[int], k: int = 4) -> list[dict]:
    return [{"task_id": f"t{i}", "reward": int(j < c)} for i, c in enumerate(passes) for j in range(k)]


BEFORE, AFTER = series([3, 1, 4, 2, 0, 1, 2, 3]), series([4, 2, 4, 3, 1, 3, 2, 2])


def test_small_sample_count_stands_beside_the_documented_formula() -> None:
    report = wai.holdout_size(0.3)
    assert (report["n_tasks"], report["n_tasks_small"]) == (8, 10)
    assert str(report).splitlines()[0].startswith("10 tasks show a gain of 0.3 (8 by the normal formula")


def test_many_tasks_lead_with_the_documented_formula() -> None:
    assert str(wai.holdout_size(0.05)).startswith("367 tasks show a gain of 0.05 (369 by")


def test_pilot_gives_the_range_its_sd_leaves_and_the_counts_at_its_ends() -> None:
    report = wai.holdout_size(0.05, before=BEFORE, after=AFTER)
    sd, low, high = report["task_std"], *report["task_std_range"]
    assert low == pytest.approx(sd * math.sqrt(7 / 16.0128), abs=2e-4)
    assert high == pytest.approx(sd * math.sqrt(7 / 1.6899), abs=2e-4)
    assert report["n_tasks_range"][0] < report["n_tasks_small"] < report["n_tasks_range"][1]
    assert report["n_tasks_range"] == (74, 685)
    assert (low, high) == (round(low, 4), round(high, 4))
    assert "74 to 685 tasks" in report["notes"][0]


def test_two_runs_are_measured_whatever_else_is_given() -> None:
    report = wai.holdout_size(0.05, base=0.1, k=9, before=BEFORE, after=AFTER, task_std=0.9)
    assert (report["sd_source"], report["n_tasks"], report["base"], report["k"]) == ("rows", 165, 0.5, 4)


def test_base_and_k_are_of_the_shared_tasks_and_the_spread_of_all_before_tasks() -> None:
    before = [*BEFORE, {"task_id": "only here", "reward": 1}]
    report = wai.holdout_size(0.05, before=before, after=AFTER)
    assert (report["base"], report["k"], report["n_paired"]) == (0.5, 4, 8)
    rates = [0.75, 0.25, 1, 0.5, 0, 0.25, 0.5, 0.75, 1]
    mean = sum(rates) / 9
    assert report["base_spread"] == pytest.approx(math.sqrt(sum((r - mean) ** 2 for r in rates) / 8), abs=5e-5)


def test_given_sd_with_rows_takes_base_and_k_off_them_and_is_never_saturated() -> None:
    report = wai.holdout_size(0.05, task_std=0.38, before=series([4, 4, 4], k=4))
    assert (report["n_tasks"], report["sd_source"], report["base"], report["saturated"]) == (454, "given", 1.0, False)


@pytest.mark.parametrize("after", [None, series([4, 4, 4, 3], k=4)])
def test_rows_at_the_ceiling_are_sized_at_the_middle_of_the_band_with_one_warning(after: list | None) -> None:
    report = wai.holdout_size(0.05, before=series([4, 4, 4, 4]), after=after)
    assert (report["n_tasks"], report["sd_source"], report["base"], report["n_paired"]) == (367, "model", 1.0, None)
    (warning,) = report["warnings"]
    assert warning.startswith("CEILING")
    assert "! CEILING" in str(report)


def test_identical_runs_carry_no_spread() -> None:
    thirds = [series([1, 2, 1, 2], k=3), series([2, 3, 2, 3], k=3)]
    (warning,) = wai.holdout_size(0.05, before=thirds[0], after=thirds[1])["warnings"]
    assert warning.startswith("DEGENERATE")
    assert "4 shared tasks" in warning


def test_tasks_that_all_pass_always_or_never_get_words_not_a_ratio() -> None:
    notes = wai.holdout_size(0.05, before=series([4, 0, 4, 0]))["notes"]
    assert "all variance is between tasks" in notes[1]


def test_one_task_has_no_spread_and_no_second_note() -> None:
    report = wai.holdout_size(0.05, before=series([2]))
    assert (report["base_spread"], len(report["notes"])) == (None, 1)


@pytest.mark.parametrize(
    ("base", "effect", "said"),
    [
        (0.6, 0.5, "! no run can gain 0.5 from a base of 0.6: the room is 0.4; "),
        (0.99, 0.05, "! no run can gain 0.05 from a base of 0.99: the room is 0.01; "),
    ],
)
def test_gain_beyond_the_room_is_warned_of_instead_of_a_count(base: float, effect: float, said: str) -> None:
    report = wai.holdout_size(effect, base=base)
    assert str(report).startswith(said)
    assert "tasks show" not in str(report)
    assert len(report["warnings"]) == 1


@pytest.mark.parametrize(("base", "effect"), [(0.9, 0.1), (0.6, 0.4), (0.7, 0.3)])
def test_gain_that_fills_the_room_is_no_warning(base: float, effect: float) -> None:
    assert wai.holdout_size(effect, base=base)["warnings"] == []


def test_full_rows_say_that_there_is_no_room_before_the_count_at_another_base() -> None:
    text = " ".join(str(wai.holdout_size(0.05, before=series([4, 4, 4]))).split())
    assert text.index("no run can gain 0.05 from a base of 1: the room is 0") < text.index("367 tasks show")


@pytest.mark.parametrize(("k", "small"), [(4, 6), (1, 16)])
def test_count_for_a_large_gain_is_the_one_that_has_the_power(k: int, small: int) -> None:
    assert wai.holdout_size(0.4, k=k)["n_tasks_small"] == small


def test_half_width_names_the_count_it_is_at() -> None:
    assert "half-width at 0.95 with 8 tasks: 0.1990" in str(wai.holdout_size(0.3))


@pytest.mark.parametrize("name", ["rows", "before"])
@pytest.mark.parametrize(("reward", "fix"), [(-1, "write 0 for -1"), (0.5, "set a threshold")])
def test_graded_rows_without_a_label_are_refused_by_the_name_they_were_given_under(
    name: str, reward: float, fix: str
) -> None:
    with pytest.raises(ValueError, match=rf"^{name}: no reward is exactly 0 or 1 \(1 graded row\).*{fix}"):
        wai.holdout_size(0.05, **{name: [{"task_id": "a", "reward": reward}]})


def test_after_without_a_label_is_refused_for_that_and_not_for_sharing_no_task() -> None:
    with pytest.raises(ValueError, match="after: no reward is exactly 0 or 1"):
        wai.holdout_size(0.05, before=BEFORE, after=[{"task_id": "t0", "reward": 0.5}])


def test_graded_rows_in_no_pass_rate_are_counted_and_the_count_comes_first() -> None:
    signed = [{**row, "reward": 2 * row["reward"] - 1} for row in BEFORE]
    first = wai.holdout_size(0.05, before=signed)["warnings"][0]
    assert first.startswith("16 of 32 graded rows of before with a reward that is not 0/1")
    assert first.endswith("write 0 for -1")


@each_of(
    ("arguments", "named"),
    [
        ({"effect": 1}, "effect"),
        ({"effect": math.nan}, "effect"),
        ({"effect": "0.05"}, "effect"),
        ({"effect": True}, "effect"),
        ({"power": 0}, "power"),
        ({"alpha": 1}, "alpha"),
        ({"base": 1.5}, "base"),
        ({"k": 0}, "k must"),
        ({"task_std": -1}, "task_std"),
        ({"after": AFTER}, "before"),
        ({"before": BEFORE, "rows": BEFORE}, "before and rows"),
        ({"before": []}, "0/1"),
        ({"before": BEFORE, "after": []}, "share 0 graded"),
        ({"ceiling_pass_rate": None}, "ceiling_pass_rate"),
    ],
)
def test_bad_argument_is_named(arguments: dict, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        wai.holdout_size(**{"effect": 0.05, **arguments})


@pytest.mark.parametrize("given", [{}, {"task_std": 0.4}, {"before": BEFORE}, {"before": BEFORE, "after": AFTER}])
def test_every_key_is_there_and_every_value_plain(given: dict) -> None:
    report = wai.holdout_size(0.05, **given)
    assert report.keys() == wai.holdout_size(0.1).keys()
    assert json.loads(json.dumps(report))["n_tasks"] == report["n_tasks"]
    assert max(map(len, str(report).splitlines())) <= 100


def test_report_shows_its_count_in_short_and_survives_pickling() -> None:
    report = wai.holdout_size(0.05)
    assert repr(report) == "HoldoutSizeReport(n_tasks=367, effect=0.05)"
    assert str(pickle.loads(pickle.dumps(report))) == str(report)


def test_ungraded_rows_and_items_that_are_no_rows_change_nothing() -> None:
    noise = [None, 3, {"task_id": "t0", "reward": None}, {"task_id": "t9", "reward": "x"}]
    assert wai.holdout_size(0.05, before=iter([*BEFORE, *noise])) == wai.holdout_size(0.05, before=BEFORE)


def test_measured_sd_sizes_what_pairing_keeps() -> None:
    rng = random.Random(0)
    rates = [rng.betavariate(1, 1) for _ in range(400)]
    runs = [
        [{"task_id": i, "reward": int(rng.random() < p + g * (1 - p))} for i, p in enumerate(rates) for _ in range(4)]
        for g in (0, 0.1)
    ]
    measured = wai.holdout_size(0.05, before=runs[0], after=runs[1])["n_tasks"]
    assert 1.2 < wai.holdout_size(0.05, before=runs[0])["n_tasks"] / measured < 1.8


@pytest.mark.parametrize(("tasks", "arguments"), [(1, {}), (1.9, {}), (-3, {}), (50, {"base": 1})])
def test_no_gain_is_detectable_below_two_tasks_or_without_room(tasks: float, arguments: dict) -> None:
    assert wai.detectable_effect(tasks, **arguments) is None


@pytest.mark.parametrize(
    ("arguments", "named"), [({"alpha": 0}, "alpha"), ({"base": -0.1}, "base"), ({"n_tasks": "x"}, "n_tasks")]
)
def test_detectable_effect_names_the_argument_it_refuses(arguments: dict, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        wai.detectable_effect(**{"n_tasks": 50, **arguments})


MODEL_NOTE = (
    "the model spreads the gain evenly over tasks and takes the runs as independent: {} tasks; {} if the fewest tasks "
    "that can carry the gain do. Rows of two runs on the same tasks (before, after) measure the sd instead"
)
NO_EVIDENCE = "where the formula falls to its floor of 2 tasks, which is no evidence; sized at base 0.6 instead."
CEILING = (
    f"CEILING: the base pass rate 1 is at or above 0.9, {NO_EVIDENCE} Use harder situations, base within 0.2 to 0.8, "
    "and size again on their rows; no run can gain 0.05 from a base of 1: the room is 0"
)
DEGENERATE = (
    f"DEGENERATE: the difference is the same on all 4 shared tasks (base 0.5), {NO_EVIDENCE} Give two runs that were "
    "drawn and graded apart, or more rollouts a task, and size again"
)


@each_of(
    ("arguments", "notes", "warnings"),
    [
        ({}, [MODEL_NOTE.format(367, 409)], []),
        ({"task_std": 0.38}, ["sd 0.38 as given, not checked here"], []),
        (
            {"before": BEFORE, "after": AFTER},
            ["sd 0.2290 measured over 8 shared tasks, which leave it within [0.151, 0.466] at 95%: 74 to 685 tasks"],
            [],
        ),
        (
            {"before": BEFORE},
            [
                MODEL_NOTE.format(391, 444),
                "task pass rates spread by 0.327 (sd): the model asks for up to 1.60 times the tasks that pairing "
                "needs",
            ],
            [],
        ),
        (
            {"before": series([4, 0, 4, 0])},
            [
                MODEL_NOTE.format(391, 444),
                "task pass rates spread by 0.577 (sd): each task passed always or never, all variance is between tasks,"
                " and the model asks for far more tasks than pairing needs",
            ],
            [],
        ),
        ({"before": series([4, 4, 4, 4])}, [MODEL_NOTE.format(367, 409)], [CEILING]),
        (
            {"before": series([1, 2, 1, 2], k=3), "after": series([2, 3, 2, 3], k=3)},
            [MODEL_NOTE.format(490, 526)],
            [DEGENERATE],
        ),
        (
            {"effect": 0.5},
            [MODEL_NOTE.format(2, 2)],
            ["no run can gain 0.5 from a base of 0.6: the room is 0.4; size for a smaller gain or use harder tasks"],
        ),
    ],
    ids=["model", "given", "rows", "before", "always or never", "ceiling", "degenerate", "room"],
)
def test_notes_and_warnings_in_their_words(arguments: dict, notes: list, warnings: list) -> None:
    report = wai.holdout_size(**{"effect": 0.05, **arguments})
    assert (report["notes"], report["warnings"]) == (notes, warnings)


def test_the_model_by_the_written_formulas() -> None:
    report = wai.holdout_size(0.1, base=0.5, k=8, power=0.9, alpha=0.01)
    z = stats.norm.ppf(0.995) + stats.norm.ppf(0.9)
    sd = math.sqrt((0.25 + 0.24) / 8)
    share = 0.1 / 0.5
    concentrated = math.sqrt((2 - share) * 0.25 / 8 + 0.1**2 * (1 - share) / share)
    tasks = math.ceil((z * sd / 0.1) ** 2)
    assert (report["n_tasks"], report["task_std"]) == (tasks, round(sd, 4))
    assert report["n_tasks_concentrated"] == math.ceil((z * concentrated / 0.1) ** 2)
    assert report["half_width"] == round(stats.norm.ppf(0.995) * sd / math.sqrt(tasks), 4)
    assert (report["effect"], report["power"], report["alpha"]) == (0.1, 0.9, 0.01)
    assert str(report).splitlines()[:3] == [
        f"{tasks} tasks show a gain of 0.1 ({report['n_tasks_small']} by the small-sample formula)",
        "  k 8 rollouts a task, base 0.5, power 0.9, alpha 0.01, paired by task",
        f"  sd of a task's difference {sd:.4f} (model), half-width at 0.99 with {tasks} tasks: "
        f"{report['half_width']:.4f}",
    ]


def test_the_gain_that_tasks_show_is_the_one_they_are_sized_for() -> None:
    """e = (z(1 - alpha/2) + z(power)) sd(e) / sqrt(n), at two tasks too."""
    for n, z in ((140, stats.norm.ppf(0.995) + stats.norm.ppf(0.9)), (2, stats.norm.ppf(0.995) + stats.norm.ppf(0.9))):
        gain = wai.detectable_effect(n, base=0.4, k=8, power=0.9, alpha=0.01)
        spread = 0.24 + max(0.0, (0.4 + gain) * (0.6 - gain))
        assert gain == pytest.approx(z * math.sqrt(spread / 8 / n), abs=2e-4)
        assert gain == round(gain, 4)


def test_the_lines_are_in_the_order_of_their_weight() -> None:
    full = str(wai.holdout_size(0.05, before=series([4, 4, 4]))).splitlines()
    assert [line[:2] for line in full] == ["! ", "  ", "  ", "36", "  ", "  ", "- ", "  ", "  "]
    room = str(wai.holdout_size(0.5)).splitlines()
    assert [line[:2] for line in room] == ["! ", "  ", "  ", "  ", "- ", "  ", "  "]
    same = str(wai.holdout_size(0.05, before=series([1, 2, 1, 2], 3), after=series([2, 3, 2, 3], 3))).splitlines()
    assert [line[:2] for line in same] == ["49", "  ", "  ", "! ", "  ", "  ", "- ", "  ", "  "]


@each_of(
    ("arguments", "refusal"),
    [
        ({"effect": 1}, "effect must lie strictly between 0 and 1, got 1"),
        ({"power": 0}, "power must lie strictly between 0 and 1, got 0"),
        ({"alpha": 1}, "alpha must lie strictly between 0 and 1, got 1"),
        ({"base": 1.5}, "base must be a pass rate within [0, 1], got 1.5"),
        ({"k": 0}, "k must be at least 1 rollout a task, got 0"),
        ({"task_std": 0}, "task_std must be a number above 0, got 0"),
        ({"after": AFTER}, "after needs before: give the graded rows of both runs"),
        ({"before": BEFORE, "rows": BEFORE}, "before and rows are the same argument: give one of them"),
        ({"before": []}, "before has no row with a 0/1 reward: grade the rows first"),
        ({"rows": []}, "rows has no row with a 0/1 reward: grade the rows first"),
        ({"before": BEFORE, "after": []}, "before and after share 0 graded tasks: an sd needs 3 or more"),
        ({"before": BEFORE, "after": AFTER[:4]}, "before and after share 1 graded task: an sd needs 3 or more"),
        (
            {"before": [{"reward": 0.5}, {"reward": -1}]},
            "before: no reward is exactly 0 or 1 (2 graded rows), and a pass rate is made of 0/1 rewards: grade 0/1, "
            "or set a threshold yourself",
        ),
        ({"ceiling_pass_rate": 2}, "ceiling_pass_rate must be a number from 0 to 1, got 2"),
    ],
)
def test_a_refusal_names_the_argument_the_value_and_the_fix(arguments: dict, refusal: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(refusal)}$"):
        wai.holdout_size(**{"effect": 0.05, **arguments})


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ({"n_tasks": math.inf}, "n_tasks must be a"),
        ({"power": 1}, "power must lie strictly between 0 and 1, got 1"),
        ({"alpha": 0}, "alpha must lie strictly between 0 and 1, got 0"),
        ({"k": 0}, "k must be at least 1 rollout a task, got 0"),
    ],
)
def test_detectable_effect_refuses_by_name(arguments: dict, refusal: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(refusal)}"):
        wai.detectable_effect(**{"n_tasks": 50, **arguments})


def test_bounds_that_lie_within_are_taken() -> None:
    assert wai.holdout_size(0.05, ceiling_pass_rate=1, k=1, base=0)["saturated"] is False
    at = {"before": series([3, 4, 3, 4])}
    assert wai.holdout_size(0.05, ceiling_pass_rate=0.875, **at)["saturated"] is True
    assert wai.holdout_size(0.05, ceiling_pass_rate=0.876, **at)["saturated"] is False
    measured = {**at, "after": series([4, 3, 4, 4])}
    assert wai.holdout_size(0.05, ceiling_pass_rate=0.875, **measured)["sd_source"] == "model"
    assert wai.holdout_size(0.05, ceiling_pass_rate=0.876, **measured)["sd_source"] == "rows"
    assert wai.holdout_size(0.05, base=0.9)["saturated"] is False


def test_what_was_read_stands_before_the_notes() -> None:
    report = wai.holdout_size(0.05)
    read = {"source": "a\x1b.jsonl", "formats": ["openai", "inspect"], "rows": 1200, "bad": 0, "notes": ["n"]}
    shown = format_holdout_size({**report, "read": [read, {**read, "formats": [], "notes": []}]}).splitlines()
    assert shown[3].endswith(".jsonl: openai, inspect, 1,200 rows")
    assert shown[4].endswith(".jsonl: no rows, 1,200 rows")
    assert "\x1b" not in shown[3]
    assert shown[5:7] == ["- n", shown[6]]


def test_spread_of_the_tasks_is_told_to_four_decimals_from_two_tasks_on() -> None:
    assert wai.holdout_size(0.05, before=BEFORE)["base_spread"] == round(math.sqrt(3 / 28), 4)  # of 3 1 4 2 0 1 2 3
    assert wai.holdout_size(0.05, before=series([1, 3]))["base_spread"] == round(math.sqrt(1 / 8), 4)


def test_tasks_are_matched_by_name_and_not_by_place() -> None:
    after = [row for row in reversed(AFTER) if row["task_id"] != "t0"]
    shown, want = (wai.holdout_size(0.05, before=BEFORE[first:], after=after) for first in (0, 4))
    assert (shown["n_paired"], shown["task_std"], shown["base"]) == (7, want["task_std"], want["base"])
    three = wai.holdout_size(0.05, before=BEFORE, after=AFTER[:12])
    assert (three["n_paired"], three["sd_source"]) == (3, "rows")


def test_labels_add_up_over_batches_that_meet_the_tasks_in_another_order() -> None:
    tally = LabelTally(Tasks())
    for tasks, rewards in (("ab", (1, 0.5)), ("ba", (0, -1)), ("ba", (1, -1))):
        tally.add([{"task_id": task, "reward": reward} for task, reward in zip(tasks, rewards, strict=True)])
    sums = tally.sums
    assert (sums.counts().tolist(), sums.means().tolist()) == ([1, 2], [1.0, 0.5])
    assert (sums.n_other, sums.n_minus_one) == (3, 2)


def test_model_at_base_one_is_saturated() -> None:
    report = wai.holdout_size(0.05, base=1)
    assert (report["saturated"], report["n_tasks"]) == (True, 367)


def test_keys_are_these_in_this_order() -> None:
    assert list(wai.holdout_size(0.3)) == [
        "n_tasks", "n_tasks_small", "effect", "base", "k", "power", "alpha", "task_std", "task_std_range",
        "n_tasks_range", "sd_source", "half_width", "n_tasks_concentrated", "base_spread", "n_paired", "saturated",
        "notes", "warnings",
    ]  # fmt: skip


def test_what_is_of_the_model_is_said_of_the_model_alone() -> None:
    for given in ({"task_std": 0.4, "before": BEFORE}, {"before": BEFORE, "after": AFTER}):
        report = wai.holdout_size(0.05, **given)
        assert report["n_tasks_concentrated"] is None
        assert len(report["notes"]) == 1
    assert len(wai.holdout_size(0.05, before=series([4, 4, 4, 3]))["notes"]) == 1  # saturated


def test_long_sources_are_cut_and_bad_records_told() -> None:
    bad = {"record": 7, "reason": "no JSON"}
    entry = {"source": "x" * 70, "formats": ["f" * 20, "g" * 20], "rows": 1, "bad": 1, "first_bad": bad, "notes": []}
    shown = format_holdout_size({**wai.holdout_size(0.05), "read": [entry]}).splitlines()
    assert shown[3] == f"  {'x' * 59}…: {'f' * 20},"
    assert shown[4] == f"    {'g' * 20}, 1 row"
    assert shown[5:7] == [f"! {'x' * 70}: 1 bad record left out;", "  first: record 7: no JSON"]


def test_count_of_a_model_is_drawn_from_its_own_differences() -> None:
    assert wai.holdout_size(0.3, base=0.7, k=1)["n_tasks_small"] == 22  # by exact binomials .802 at 21, .788 as drawn
