from __future__ import annotations

from typing import Any

import pytest

import whileai.simulations as wai
from whileai.simulations.score.delta.lines import wrap
from whileai.simulations.width import columns, cut

HOSTILE = ["\x1b[31mred\nline", "‮reversed", "x" * 300, "名" * 90, "a [b " * 30, "\ud800", "", "marker:" * 20]


def hostile_report(rows: Any, scale: float) -> Any:
    values = [scale * i for i in range(6)]
    before = rows([1] * 6, markers=dict.fromkeys(HOSTILE, values), tier="名" * 70, policy_version="m\x1b@a")
    after = rows([3] * 6, markers=dict.fromkeys(HOSTILE, values[::-1]), tier="名" * 70, policy_version="m\x1b@b")
    lower = [f"marker:{name}" for name in HOSTILE]
    floors = {"pass_at_1": 0.1, f"marker:{HOSTILE[3]}": min(abs(scale), 1e70)}
    return wai.delta_report(
        before, after, f"marker:{HOSTILE[2]}", [f"marker:{HOSTILE[3]}", "gone\n" * 50],
        by="tier", run_std=floors, proxy=f"marker:{HOSTILE[0]}", lower_is_better=lower,
    )  # fmt: skip


@pytest.mark.parametrize("scale", [0.1, 1e9, 1e-7, -1e69, -1e100])
def test_every_line_fits_100_columns_whatever_the_names_and_numbers(rows: Any, scale: float) -> None:
    text = str(hostile_report(rows, scale))
    assert max(map(columns, text.split("\n"))) <= 100
    assert not any(character in text for character in "\x1b\u202e\ud800")


def test_each_metric_has_its_line_and_the_headline_is_the_first(rows: Any) -> None:
    sides = [rows([passed] * 6, markers={"polite": [passed] * 6}) for passed in (1, 3)]
    report = wai.delta_report(*sides, target="polite")
    lines = str(report).splitlines()
    assert lines[0] == report["headline_verdict"]
    assert lines[1].startswith("target marker:polite: moved_unreplicated  +2.000, 95% [")
    assert sum(line.startswith(("pass_at_1 ", "marker:polite ")) for line in lines) == 2


def test_a_plain_dict_prints_as_the_report_does(rows: Any) -> None:
    report = wai.delta_report(rows([1] * 6), rows([3] * 6))
    assert wai.format_delta_report(dict(report)) == str(report)
    with pytest.raises(ValueError, match="delta_report"):
        wai.format_delta_report({})


def test_tags_say_which_way_is_good(rows: Any) -> None:
    before = rows([2] * 6, markers={"refusal": [1] * 6, "hedging": [0] * 6, "polite": [1] * 6})
    after = rows([2] * 6, markers={"refusal": [0] * 6, "hedging": [1] * 6, "polite": [0] * 6})
    lines = {line.split()[0]: line for line in str(wai.delta_report(before, after)).splitlines() if "->" in line}
    assert " down lower is better " in lines["marker:refusal"]
    assert " UP lower is better " in lines["marker:hedging"]
    assert " DOWN " in lines["marker:polite"]
    assert " flat " in lines["pass_at_1"]


def test_asked_for_parts_have_their_line(rows: Any) -> None:
    before, after = rows([1] * 6, k=6, tier="a"), rows([4] * 6, tier="a")
    text = str(
        wai.delta_report(
            before, after, by="tier", balance_rollouts=True, run_std=0.1, run_std_runs=3, train_runs=[after]
        )
    )
    assert "eval noise: run_std 0.100, a delta under 0.608 is noise (t(df=2)=4.30" in text
    assert "training seeds: before untrained, after 1; unresolved" in text
    assert "balanced: dropped 12 before rows and 0 after rows, 6 tasks trimmed" in text
    assert "by tier:\n  a  " in text
    assert "(24/24 rows)" in text


def test_an_interval_is_never_broken_over_two_lines() -> None:
    text = " ".join(["+0.100 [-0.250, 0.450]"] * 9)
    assert all(line.count("[") == line.count("]") for line in wrap(text))


def test_a_long_name_keeps_both_ends() -> None:
    assert cut("marker:first_of_two", 12) == "marker…f_two"
    assert columns(cut("名" * 50, 11)) <= 11


def test_a_drop_of_an_unguarded_pass_rate_says_why_ok_stays_true(rows: Any) -> None:
    report = wai.delta_report(rows([3] * 12), rows([1] * 12))
    lines = str(report).splitlines()
    assert (report["ok"], lines[0]) == (True, "FAIL")
    assert lines[1].startswith("because: pass_at_1 slipped -0.500 [")
    assert "it is not guarded, so ok stays true" in " ".join(lines[1:3])
    assert 'must_not_regress=["pass_at_1"]' in " ".join(lines[1:3])


def test_flags_after_holm_are_told_apart_by_their_way(rows: Any) -> None:
    before = rows([0] * 12, markers={"polite": [1] * 12, "refusal": [1] * 12})
    after = rows([4] * 12, markers={"polite": [0] * 12, "refusal": [0] * 12})
    text = str(wai.delta_report(before, after)).replace("\n  ", " ")
    assert "after Holm still up: pass_at_1; still down: marker:refusal (lower is better), marker:polite" in text
    assert "after Holm none is left" in str(wai.delta_report(before, before))


def test_a_marker_of_one_side_has_a_line(rows: Any) -> None:
    before, after = rows([1] * 6, markers={"polite": [1] * 6}), rows([2] * 6, markers={"brief": [1] * 6})
    report = wai.delta_report(before, after)
    assert (report["only_before"], report["only_after"]) == (["marker:polite"], ["marker:brief"])
    assert "only before: marker:polite (not compared)\nonly after: marker:brief (not compared)" in str(report)
    assert "only " not in str(wai.delta_report(before, after, markers=[]))
    assert "only " not in str(wai.delta_report(before, []))


def metric_lines(rows: Any, names: list[str], floors: Any) -> list[str]:
    sides = [rows([passed] * 6, markers={name: [0, 1] * 3 for name in names}) for passed in (1, 3)]
    return [line for line in str(wai.delta_report(*sides, run_std=floors)).splitlines() if "->" in line]


@pytest.mark.parametrize("floors", [None, {"pass_at_1": 0.1}, 0.1])
def test_numbers_line_up_however_long_the_names(rows: Any, floors: Any) -> None:
    names = [f"argument_grounding_of_{kind}_refunds_in_the_store" for kind in ("late", "early", "new")]
    lines = metric_lines(rows, [*names, "refusal"], floors)
    for part in ("->", "[", "("):
        assert len({line.index(part) for line in lines}) == 1
    assert len({line[: line.index("->")].split()[0] for line in lines}) == 5
    assert all(line.split()[0].endswith(("pass_at_1", "refusal", "tore", "tore~2", "tore~3")) for line in lines)


def test_names_that_are_escaped_alike_get_a_number(rows: Any) -> None:
    labels = [line.split("  ")[0] for line in metric_lines(rows, ["a\n", "a\\n"], None)]
    assert len(set(labels)) == 3


def test_a_delta_that_is_not_the_difference_of_the_means_beside_it_says_over_which_tasks_it_is() -> None:
    before = [{"task_id": task, "reward": n % 2} for task in "abcdefgh" for n in range(2)]
    after = [{**row, "reward": 1} for row in before]
    assert "over all tasks of each side" not in str(wai.delta_report(before, after))
    fewer = [row for row in after if row["task_id"] < "g"] + [{"task_id": "z", "reward": 0}]
    assert "over all tasks of each side" in str(wai.delta_report(before, fewer))
