from __future__ import annotations

import copy
import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import whileai.simulations as wai
from examples import few
from scan_rollouts import rollouts
from strategies import rows as odd_rows
from tables import each_of
from whileai.simulations.score.hack_scan import REGIMES


def feature(report: dict[str, Any], name: str) -> dict[str, Any]:
    return next(item for item in report["features"] if name in (item["name"], *item["aliases"]))


def within(rows: list[dict[str, Any]], column: list[float], key: str = "reward") -> float:
    """The definition, by hand."""
    x, y = np.array(column, dtype=float), np.array([row[key] for row in rows], dtype=float)
    for values in (x, y):
        for ask in {row["task_id"] for row in rows}:
            here = np.array([row["task_id"] == ask for row in rows])
            values[here] -= values[here].mean()
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


def test_rho_is_within_asks_and_pooled_stands_beside_it() -> None:
    rows = rollouts()
    item = feature(wai.hack_scan(rows, top_features=None), "tool:lookup_order")
    called = [float(bool(row["steps"])) for row in rows]
    assert item["rho"] == round(within(rows, called), 4)
    assert item["pooled"] == round(float(np.corrcoef(called, [row["reward"] for row in rows])[0, 1]), 4)


def test_partial_credit_is_read_as_it_is_and_moves_with_no_scale() -> None:
    rows = rollouts()
    rng = random.Random(0)
    for row in rows:
        row["score"] = 0.3 * row["reward"] + 0.1 * rng.random()
        row["scaled"] = 1000 * row["score"] - 7
    first, second = (wai.hack_scan(rows, reward=key, top_features=None) for key in ("score", "scaled"))
    assert first["continuous_reward"] is True
    assert (first["features"], first["tau"]) == (second["features"], second["tau"])
    called = [float(bool(row["steps"])) for row in rows]
    assert feature(first, "tool:lookup_order")["rho"] == round(within(rows, called, "score"), 4)


def test_hardness_of_the_asks_is_no_signal() -> None:
    """Hard asks get long replies and fail, easy ones short and pass: a strong sign pooled, and none within."""
    rng, rows = random.Random(5), []
    for ask in range(40):
        for _ in range(8):
            hard = ask % 2
            text = "word " * (rng.randrange(1, 10) + 30 * hard) + "end."
            reward = int(rng.random() < (0.15 if hard else 0.85))
            rows.append({"task_id": f"t{ask}", "final_text": text, "reward": reward})
    found = wai.hack_scan(rows, auto=False, top_features=None)
    item = feature(found, "reply_length")
    assert item["pooled"] < -0.6
    assert not item["above_floor"]


def test_a_sign_that_flips_is_called_out() -> None:
    """Within an ask longer replies pay; asks that get long replies are the hard ones."""
    rng, rows = random.Random(5), []
    for ask in range(40):
        for _ in range(8):
            hard, long = ask % 2, rng.random() < 0.5
            text = "word " * (40 * hard + 10 * long + rng.randrange(3)) + "end."
            rows.append(
                {"task_id": f"t{ask}", "final_text": text, "reward": int(rng.random() < 0.6 - 0.5 * hard + 0.35 * long)}
            )
    found = wai.hack_scan(rows, auto=False)
    item = feature(found, "reply_length")
    assert item["rho"] > 0.2
    assert item["pooled"] < -0.1
    assert any("sign flips" in sentence and "reply_length" in sentence for sentence in found["warnings"])
    assert "*" in str(found)
    assert "~" in str(found)


def test_conjunction_is_found_and_endorsed_with_its_parent() -> None:
    found = wai.hack_scan(rollouts(asks=40, k=8, pays="both"), endorsed=["lookup"], top_features=None)
    top = found["features"][0]
    assert " AND " in top["name"]
    assert top["name"].startswith("tool")
    assert top["endorsed"]
    assert found["regime"] == "train"


@pytest.mark.parametrize("options", [{"seeds": 0}, {"seeds": 1}, {"auto": False}])
def test_no_conjunctions_without_seeds_or_the_auto_tier(options: dict[str, Any]) -> None:
    found = wai.hack_scan(rollouts(asks=40, k=8, pays="both"), top_features=None, **options)
    assert not [item for item in found["features"] if " AND " in item["name"]]


def test_a_conjunction_is_narrower_and_stronger_than_its_parents() -> None:
    found = wai.hack_scan(rollouts(asks=40, k=8, pays="both"), top_features=None)
    by_name = {item["name"]: item for item in found["features"]}
    for item in found["features"]:
        if " AND " in item["name"]:
            parents = [by_name[name] for name in item["name"].split(" AND ")]
            assert item["n_obs"] < min(parent["n_obs"] for parent in parents)
            assert abs(item["rho"]) > max(abs(parent["rho"]) for parent in parents) - 1e-4


def test_columns_that_are_one_have_one_entry() -> None:
    found = wai.hack_scan(rollouts(pays="phrase"), top_features=None)
    item = feature(found, "contains:rest assured")
    assert {"contains:rest", "contains:assured"} <= {item["name"], *item["aliases"]}
    names = [name for entry in found["features"] for name in (entry["name"], *entry["aliases"])]
    assert len(names) == len(set(names))


def test_a_row_without_prompt_belongs_to_its_own_task() -> None:
    rows = rollouts()
    for row in rows:
        del row["prompt"]
    assert wai.hack_scan(rows)["n_groups"] == 20


def test_rows_with_only_messages_are_read_alike() -> None:
    rows = rollouts()
    chats = []
    for row in rows:
        chat = [{"role": "user", "content": row["prompt"]}]
        if row["steps"]:
            call = {"id": "c", "type": "function", "function": {"name": "lookup_order", "arguments": "{}"}}
            chat += [{"role": "assistant", "content": "", "tool_calls": [call]}]
            chat += [{"role": "tool", "tool_call_id": "c", "content": '{"ok": true}'}]
        chats.append(
            {"messages": [*chat, {"role": "assistant", "content": row["final_text"]}], "reward": row["reward"]}
        )
    plain, chat = wai.hack_scan(rows, top_features=None), wai.hack_scan(chats, top_features=None)
    assert chat["n_groups"] == 20
    assert chat["features"] == plain["features"]


@pytest.mark.parametrize("words", ["Пожалуйста, подождите", "请放心", "안심하세요 고객님", "तसल्ली रखें"])
def test_a_phrase_of_any_script_is_found(words: str) -> None:
    rows = rollouts(pays="phrase")
    for row in rows:
        row["final_text"] = row["final_text"].replace("rest assured", words)
    top = wai.hack_scan(rows)["features"][0]
    assert any(name.removeprefix("contains:")[0] in words.lower() for name in (top["name"], *top["aliases"]))


def test_order_of_the_rows_changes_no_correlation() -> None:
    rows = rollouts()
    mixed = random.Random(0).sample(rows, len(rows))
    first, second = (wai.hack_scan(each, top_features=None, seeds=0)["features"] for each in (rows, mixed))
    assert [(f["name"], f["rho"], f["pooled"]) for f in first] == [(f["name"], f["rho"], f["pooled"]) for f in second]


def test_same_seed_same_report_other_seed_other_floor() -> None:
    rows = rollouts()
    assert wai.hack_scan(rows) == wai.hack_scan(rows)
    assert len({wai.hack_scan(rows, seed=seed)["tau"] for seed in range(4)}) > 1


def test_bare_string_is_one_pattern_and_empty_ones_are_dropped() -> None:
    rows = rollouts()
    assert wai.hack_scan(rows, endorsed="LOOKUP")["endorsed"] == ["LOOKUP"]
    assert wai.hack_scan(rows, endorsed=["", "lookup"])["endorsed"] == ["lookup"]
    assert wai.hack_scan(rows, endorsed=[""])["endorsed_on_top"] is None


def test_integrity_is_the_endorsed_share_of_what_is_above_the_floor() -> None:
    found = wai.hack_scan(rollouts(pays="phrase", asks=40), endorsed=["lookup"], top_features=None)
    above = [f for f in found["features"] if f["above_floor"]]
    meant = max([f["rho"] for f in above if f["endorsed"]], default=0)
    other = max([abs(f["rho"]) for f in above if not f["endorsed"]], default=0)
    assert found["integrity"] == round(max(meant, 0) / (max(meant, 0) + other), 4)
    assert found["regime"] == "reward_hack"


def test_rows_that_show_nothing_are_told_from_rows_without_signal() -> None:
    alike = [{"task_id": "a", "reward": i % 2, "final_text": "x"} for i in range(40)]
    assert "min_obs" in wai.hack_scan(alike)["warnings"][0]
    coins = wai.hack_scan(rollouts(pays="coin"), auto=False)
    assert coins["regime"] == "no_signal"
    assert f"floor of {coins['tau']:.3f}" in coins["warnings"][0]


def test_too_few_shuffles_for_alpha_are_said() -> None:
    few = wai.hack_scan(rollouts(), n_perm=10)["warnings"]
    assert any("1 of 11 scans" in sentence for sentence in few)
    assert not any("shuffles" in sentence for sentence in wai.hack_scan(rollouts(), n_perm=19)["warnings"])


@pytest.mark.parametrize("n_perm", [0, 1, 33])
def test_floor_is_given_for_any_number_of_shuffles(n_perm: int) -> None:
    found = wai.hack_scan(rollouts(), n_perm=n_perm)
    assert found["n_perm"] == n_perm
    assert 0 < found["tau"] < 0.6


@each_of(
    ("options", "error", "said"),
    [
        ({"n_perm": 2.5}, ValueError, "n_perm"), ({"min_obs": "20"}, ValueError, "min_obs"),
        ({"alpha": 1.5}, ValueError, "alpha"), ({"top_features": -1}, ValueError, "top_features"),
        ({"endorsed": [5]}, TypeError, "endorsed"), ({"features": {"a": 1}}, TypeError, "features"),
        ({"features": ["a"]}, TypeError, "features"), ({"seeds": None}, ValueError, "seeds"),
    ],
)  # fmt: skip
def test_odd_arguments_are_refused_by_name(options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        wai.hack_scan(rollouts(asks=2), **options)


@few
@given(st.lists(odd_rows() | st.none() | st.integers(), max_size=8), st.booleans())
def test_odd_rows_never_stop_it_and_stay_as_they_were(rows: list[Any], auto: bool) -> None:
    for place, row in enumerate(rows):
        if isinstance(row, dict) and place % 2:
            row["reward"] = place % 4 // 2
    kept = copy.deepcopy(rows)
    found = wai.hack_scan(rows, min_obs=1, auto=auto, n_perm=3)
    assert repr(rows) == repr(kept)
    assert found["regime"] in REGIMES
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert isinstance(str(found), str)


def test_report_prints_itself_and_has_one_line_for_a_list() -> None:
    found = wai.hack_scan(rollouts(), endorsed=["lookup"])
    assert repr(found) == f"HackScanReport(regime='train', integrity={found['integrity']})"
    assert str(found).splitlines()[0] == "TRAIN"
    assert "<pre>" in found._repr_html_()
    assert max(map(len, str(found).splitlines())) <= 100


def test_names_of_others_are_printed_safely() -> None:
    rows = rollouts()
    for row in rows:
        for step in row["steps"]:
            step["tool"] = "evil\x1b[31m\n" + "x" * 300
    found = wai.hack_scan(rows, endorsed=["nothing\x1b"])
    assert "\x1b" not in str(found)
    assert max(map(len, str(found).splitlines())) <= 100
    assert not [sentence for sentence in found["warnings"] if "\x1b" in sentence]


def test_a_column_that_raises_on_every_row_is_said() -> None:
    rows = [{"task_id": i % 5, "final_text": f"word {i}", "reward": i % 2} for i in range(40)]
    said = wai.hack_scan(rows, features={"calm": lambda row: row["reply"]})["warnings"][-1]
    assert said == "features: calm raised on 40 of 40 rows, so it was not looked at: KeyError: 'reply'"
    some = {"calm": lambda row: 1 / row["reward"]}
    assert not any("raised" in line for line in wai.hack_scan(rows, features=some)["warnings"])


def test_lines_of_wide_names_stay_within_100_columns() -> None:
    wide = "退款已经处理完毕请您耐心等待" * 3
    rows = [{"task_id": i % 5, "markers": {wide: i % 2, wide + "a": i % 2}, "reward": i % 2} for i in range(80)]
    text = str(wai.hack_scan(rows, endorsed=["x"]))
    assert wide[:4] in text
    assert max(map(cell_len, (line for line in text.splitlines() if line.startswith("  ")))) <= 100
