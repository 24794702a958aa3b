from __future__ import annotations

import copy
import json
import pathlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whileai.simulations as wai
from strategies import json_values, objects, scalars
from tables import each_of
from whileai.simulations.errors import ReadError
from whileai.simulations.rows.rowlist import RowList


def rollouts(scenarios: int = 2, k: int = 2) -> list[dict]:
    return [
        {"scenario_id": f"s{s}", "rollout_index": i, "prompt": f"ask {s}", "final_text": f"reply {i}", "reward": 1}
        for s in range(scenarios)
        for i in range(k)
    ]


@pytest.mark.parametrize(
    "label",
    [
        {"key": "s1#0"},
        {"scenario_id": "s1", "rollout_index": 0},
        {"task_id": "s1", "rollout_index": 0.0},
        {"prompt": "ask 1", "final_text": "reply 0"},
        {"prompt": [{"role": "user", "content": "ask 1"}], "final_text": "reply 0"},
        {"key": "", "rollout_id": None, "scenario_id": "s1", "rollout_index": 0},
    ],
)
def test_every_form_of_a_name_finds_the_row(label: dict) -> None:
    rows, report = wai.attach_labels(rollouts(), [{**label, "label": 0}])
    assert [row.get("gold_reward") for row in rows] == [None, None, 0, None]
    assert report["matched"] == 1


def test_row_without_ids_answers_to_the_key_that_messages_show() -> None:
    rows = [{"prompt": "p", "final_text": "f"}, {"prompt": "p", "final_text": "g"}]
    with pytest.raises(ValueError, match="7066aa00a4db6c35"):
        wai.attach_labels(rows, {"nope": 1})
    assert wai.attach_labels(rows, {"7066aa00a4db6c35": 1})[0][0]["gold_reward"] == 1


def test_row_with_a_task_id_only_is_labelled_by_it() -> None:
    rows, _ = wai.attach_labels([{"task_id": "t", "rollout_index": 1}, {"task_id": "u"}], {"t#1": 1, "u": 0})
    assert [row["gold_reward"] for row in rows] == [1, 0]


@pytest.mark.parametrize(
    ("rows", "key", "shown"),
    [
        (rollouts(1, 5), "s0", ["s0#0", "s0#1", "s0#2", "'<scenario_id>#<rollout_index>'"]),
        (rollouts(1, 1) + rollouts(1, 1), "s0#0", ["unique rollout_id"]),
        ([{"rollout_id": r, "task_id": "a", "rollout_index": 0} for r in ("x1", "x2")], "a#0", ["'x1', 'x2'"]),
        ([{"rollout_id": "x"}, {"task_id": "x"}], "x", ["several rows"]),
    ],
)
def test_key_of_several_rows_is_refused_with_the_way_out(rows: list, key: str, shown: list) -> None:
    before = copy.deepcopy(rows)
    with pytest.raises(ValueError, match="names several rows") as refused:
        wai.attach_labels(rows, {key: 1})
    assert [part for part in shown if part not in str(refused.value)] == []
    assert "s0#3" not in str(refused.value)
    assert rows == before


def test_one_row_given_twice_is_one_row() -> None:
    row = rollouts(1, 1)[0]
    rows, report = wai.attach_labels([row, row], {"s0": 1})
    assert (len(rows), report["matched"], len(row["gold_labels"])) == (2, 1, 1)


@each_of("call", [{}, {"kind": "human"}])
@each_of(
    ("labels", "error", "said"),
    [
        ([{"key": "s0#0", "label": 1}, {"key": "s0#1", "label": 0, "kind": "Human"}], ValueError, "'Human'"),
        ([{"key": "s0#0", "label": 1}, 0], ValueError, "got 0"),
        ({"s9": 1, "s8": True, "s7": 0}, ValueError, "2 labels name no row: 's9', 's7'"),
        ([{"label": 1}], ValueError, "None"),
        (None, TypeError, "NoneType"),
        (7, TypeError, "int"),
    ],
)
def test_refused_call_changes_no_row(labels: object, error: type[Exception], said: str, call: dict) -> None:
    rows = rollouts()
    with pytest.raises(error, match=said):
        wai.attach_labels(rows, labels, **call)
    assert rows == rollouts()


@pytest.mark.parametrize("kind", ["Human", "", "robot"])
def test_unknown_kind_is_refused_before_labels_are_read(kind: object) -> None:
    with pytest.raises(ValueError, match="'human', 'program', 'verifier', 'model'"):
        wai.attach_labels(rollouts(), "no such file", kind=kind)


def test_record_says_more_than_the_call() -> None:
    label = {"key": "s0#0", "reward": 0, "annotator": "bo", "kind": "verifier", "note": "late", "ts": 5}
    rows, _ = wai.attach_labels(rollouts(), [label, {"key": "s0#1", "label": None, "reward": 1}], annotator="ana")
    assert rows[0]["gold_labels"] == [{"label": 0, "annotator": "bo", "kind": "program", "ts": 5, "note": "late"}]
    assert "gold_labels" not in rows[1]


def test_record_without_particulars_takes_those_of_the_call() -> None:
    label = {"key": "s0#0", "label": 1, "annotator": None, "kind": "", "note": "", "ts": float("nan")}
    before = time.time()
    rows, _ = wai.attach_labels(rollouts(), [label], annotator="ana", kind="model")
    (record,) = rows[0]["gold_labels"]
    assert before <= record.pop("ts") <= time.time()
    assert record == {"label": 1, "annotator": "ana", "kind": "model"}


def test_records_of_rows_that_share_one_list_stay_apart() -> None:
    shared = [{"label": 1, "annotator": "old", "kind": "human"}]
    rows = [{**row, "gold_labels": shared} for row in rollouts(1, 2)]
    wai.attach_labels(rows, {"s0#0": 1})
    assert [len(row["gold_labels"]) for row in rows] == [2, 1]


@pytest.mark.parametrize(
    ("older", "kind"), [("human", "human"), ("verifier", "mixed"), ("model", "mixed"), (None, "mixed")]
)
def test_kind_is_the_one_all_records_share(older: str | None, kind: str) -> None:
    rows = [{**rollouts(1, 1)[0], "gold_labels": [{"label": 1, "kind": older}, {"label": "1", "kind": "x"}, "odd"]}]
    rows, report = wai.attach_labels(rows, {"s0": 1}, annotator="ana")
    assert (rows[0]["gold_kind"], report["annotators"]) == (kind, ["ana", "unknown"])
    assert wai.attach_labels(rows, {"s0": 0}, replace=True)[0][0]["gold_kind"] == "human"


@pytest.mark.parametrize("label", [True, "1", 0.5, 2, None, float("nan"), [1]])
def test_label_other_than_zero_or_one_is_counted_and_said_whatever_it_names(label: object) -> None:
    _, report = wai.attach_labels(rollouts(), [{"key": "s0#0", "label": label}, {"key": "nope", "label": label}])
    assert (report["invalid"], report["unmatched"], report["rows_labeled"]) == (2, 0, 0)
    assert ["'s0#0', 'nope'" in warning for warning in report["warnings"]] == [True]


def test_first_ten_lost_keys_are_listed_as_they_were_written() -> None:
    labels = [{"key": "s0#0", "label": 1}, {"prompt": "lost \x1b[1m", "label": 1}, {"label": 0}]
    labels += [{"key": f"k{i}", "label": 1} for i in range(20)]
    _, report = wai.attach_labels(rollouts(), labels)
    assert report["unmatched"] == 22
    assert report["unmatched_keys"] == ["lost \x1b[1m", None, *(f"k{i}" for i in range(8))]
    (warning,) = report["warnings"]
    assert "22 labels name no row: 'lost \\x1b[1m', None, 'k0'" in warning
    assert "the rows carry 's0#0', 's0#1', 's1#0'" in warning
    assert "\x1b" not in str(report)


def test_line_of_a_file_that_is_no_json_is_refused_by_its_number(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"key": "s0#0", "label": 1}\n{"key": \n', encoding="utf-8")
    rows = rollouts()
    with pytest.raises(ReadError, match=r"labels\.jsonl, record 2"):
        wai.attach_labels(rows, path)
    assert rows == rollouts()


@pytest.mark.parametrize(("line", "doubled"), [
    ('{"key": "r1", "label": 1, "label": 0}', "label"), ('{"key": "r1", "label": 0, "key": "r2"}', "key"),
    ('[{"key": "r1", "reward": 1, "reward": 0}]', "reward"),
])  # fmt: skip
def test_line_that_says_two_things_under_one_key_is_refused(tmp_path: pathlib.Path, line: str, doubled: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    rows = [{"rollout_id": "r1"}, {"rollout_id": "r2"}]
    with pytest.raises(ReadError, match=rf"labels\.jsonl, record 1: {doubled} has two values"):
        wai.attach_labels(rows, path)
    assert rows == [{"rollout_id": "r1"}, {"rollout_id": "r2"}]


@pytest.mark.parametrize("text", [
    '{"key": "r1", "label": 1, "label": 1}', '{"key": "r1", "label": 1, "note": "the \\"label\\" is a \\"label\\""}',
    '[{"key": "r1", "label": 1}, {"key": "r2", "label": 0}]',
])  # fmt: skip
def test_line_that_repeats_itself_is_read(tmp_path: pathlib.Path, text: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(text, encoding="utf-8")
    rows, _ = wai.attach_labels([{"rollout_id": "r1"}, {"rollout_id": "r2"}], path)
    assert rows[0]["gold_reward"] == 1


@pytest.mark.parametrize("text", ['"s0#0"\n1\n', '{"key": "s0#0", "label": 1}\n7\n', "[0, 1]\n"])
def test_item_of_a_file_that_is_no_record_is_refused_with_the_forms(tmp_path: pathlib.Path, text: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="JSONL path"):
        wai.attach_labels(rollouts(), str(path))


def test_system_prompt_of_the_rows_is_kept() -> None:
    rows = RowList(rollouts(), system_prompt="Be brief.")
    assert wai.attach_labels(rows, {})[0].system_prompt == "Be brief."


def test_report_prints_what_was_attached_and_the_warnings_last() -> None:
    _, report = wai.attach_labels(rollouts(), [{"key": "s0#0", "label": v} for v in (0, 1)], annotator="ana")
    assert str(report).splitlines()[:2] == [
        "2 labels: 2 matched, 0 unmatched, 0 invalid",
        "1 row labelled by ana, 1 tie",
    ]
    assert "gold_reward" not in report
    assert "1 row with as many passes as failures" in str(report)


def test_many_rows_of_one_task_and_one_text_cost_what_as_many_tasks_do() -> None:
    n = 20_000
    alike = [{"scenario_id": "s", "rollout_index": i, "prompt": "p", "final_text": "f"} for i in range(n)]
    apart = [{"scenario_id": f"s{i}", "rollout_index": i, "prompt": f"p{i}", "final_text": "f"} for i in range(n)]
    took = []
    for rows in (apart, alike):
        labels = {f"{row['scenario_id']}#{row['rollout_index']}": 1 for row in rows}
        start = time.process_time()
        wai.attach_labels(rows, {**labels, "lost": 1})
        took.append(time.process_time() - start)
    start = time.process_time()
    with pytest.raises(ValueError, match="several rows"):
        wai.attach_labels(alike, [{"prompt": "p", "final_text": "f", "label": 1}])
    assert time.process_time() - start < 10 * took[0]
    assert took[1] < 5 * took[0]


def test_a_record_that_supersedes_takes_back_what_its_person_said() -> None:
    given = [
        {"key": "a", "label": 1, "annotator": "ana"},
        {"key": "a", "label": 1, "annotator": "bo"},
        {"key": "b", "label": 1, "annotator": "ana"},
        {"key": "a", "label": 0, "annotator": "ana", "supersedes": True},
        {"key": "a", "label": 0, "annotator": "ana", "supersedes": True},
        {"key": "b", "label": "cleared", "annotator": "ana", "supersedes": True},
    ]
    rows, report = wai.attach_labels([{"rollout_id": key} for key in "ab"], given)
    assert [(one["annotator"], one["label"]) for one in rows[0]["gold_labels"]] == [("bo", 1), ("ana", 0)]
    assert "gold_labels" not in rows[1]
    assert (report["labels"], report["matched"], report["invalid"]) == (2, 2, 0)


def test_records_that_supersede_cost_no_more_with_many_of_them() -> None:
    took = []
    for n in (2_000, 20_000):
        given = [{"key": f"{i % 50}", "label": i % 2, "annotator": "ana", "supersedes": True} for i in range(n)]
        start = time.process_time()
        report = wai.attach_labels([{"rollout_id": str(i)} for i in range(50)], given)[1]
        took.append(time.process_time() - start)
        assert report["labels"] == 50
    assert took[1] < 40 * took[0]


names = st.sampled_from(["a", "b", 0, "", None])
odd_rows = st.lists(
    objects({
        "rollout_id": names, "scenario_id": names, "rollout_index": names | scalars, "prompt": json_values,
        "final_text": scalars, "gold_labels": json_values, "gold_reward": scalars,
    }) | scalars,
    max_size=5,
)  # fmt: skip
odd_labels = st.lists(
    objects({
        "key": names | scalars, "label": st.sampled_from([0, 1]) | scalars, "annotator": scalars, "note": scalars,
        "ts": scalars, "prompt": json_values, "scenario_id": names, "rollout_index": names,
        "supersedes": st.booleans(),
    }, kind=st.just("human")),
    max_size=5,
) | st.dictionaries(names | st.text(max_size=3), st.sampled_from([0, 1]) | scalars, max_size=4)  # fmt: skip


@given(odd_rows, odd_labels, st.booleans())
def test_odd_rows_and_labels_are_counted_or_refused_and_nothing_else(rows: list, labels: object, replace: bool) -> None:
    before = repr(rows)
    try:
        out, report = wai.attach_labels(rows, labels, replace=replace)
    except ValueError:
        assert repr(rows) == before
        return
    assert report["labels"] == report["matched"] + report["unmatched"] + report["invalid"]
    assert [id(row) for row in out] == [id(row) for row in rows if isinstance(row, dict)]
    assert json.dumps(report)
    assert str(report)


def test_an_unsure_label_is_told_as_one() -> None:
    given = [{"key": "a", "label": None, "unsure": True}, {"key": "b", "label": 0.5}, {"key": "a", "label": 1}]
    report = wai.attach_labels([{"rollout_id": "a"}, {"rollout_id": "b"}], given)[1]
    assert report["invalid"] == 2
    assert report["warnings"][0] == "1 label left out as unsure: 'a'"
    assert report["warnings"][1].startswith("1 label left out for a value")
