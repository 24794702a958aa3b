"""Contaminated rows by each rule, and what the report says of them."""

from __future__ import annotations

import json

import pytest

import whileai.simulations as wai
from tables import each_of
from whileai.simulations.rows.rowlist import RowList

EVAL = [{"prompt": "Where is order 4473?", "task_id": "t1", "reference": "It left Ghent on Tuesday the fourth of May."}]
LONG = "please cancel the order that I placed on Monday and send the money back to my card"


def rule_of(row, against=EVAL, **options):
    clean, report = wai.decontaminate([row], [against], **options)
    assert len(clean) + report["n_contaminated"] == report["n"] == 1
    assert report["n_contaminated"] == sum(report[f"n_{rule}"] for rule in ("same_task", "exact", "near", "semantic"))
    return report.matches[0]["rule"] if report.matches else None


@each_of(
    ("row", "rule"),
    [
        ({"prompt": "Another question", "scenario_id": "t1"}, "same_task"),
        ({"prompt": "WHERE is  order 4473?"}, "exact"),
        ({"prompt": "Ｗhere is order 4473?"}, "exact"),
        ({"prompt": "it left ghent on tuesday the fourth of may."}, "exact"),
        ({"prompt": "where is order 4473"}, None),
        ({"prompt": "it left Ghent on Tuesday, the fourth of May!"}, "near"),
        ({"prompt": "order 4473"}, None),
        ({"messages": [{"role": "user", "content": "Where is order 4473?"}]}, "exact"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": "Where is order 4473?"}]}]}, "exact"),
        ({"task_id": None, "prompt": None}, None),
    ],
    ids=range(10),
)
def test_a_row_is_dropped_under_the_first_rule_that_applies(row, rule):
    assert rule_of(row) == rule


def test_a_near_copy_shares_runs_of_eight_words_that_cover_four_fifths():
    monday, placed = LONG.replace("Monday", "Friday"), LONG.replace("placed", "made")
    assert rule_of({"prompt": monday}, [{"prompt": LONG}]) == "near"  # runs of 8 and 8 words: 16 of 17
    assert rule_of({"prompt": placed}, [{"prompt": LONG}]) is None  # runs of 6 and 10 words: 10 of 17
    assert rule_of({"prompt": placed}, [{"prompt": LONG}], n=3) == "near"  # 16 of 17


def test_chinese_prompts_are_compared_by_the_character():
    text = "请帮我取消订单并退款到原来的银行卡"
    assert rule_of({"prompt": text + "谢谢"}, [{"prompt": text}]) == "near"
    assert rule_of({"prompt": "请帮我修改订单的收货地址可以吗"}, [{"prompt": text}]) is None


def test_the_report_names_the_evaluation_row_of_each_dropped_row(tmp_path):
    path = tmp_path / "eval.jsonl"
    path.write_text('{"question": "x"}\n{"prompt": "Cancel order 9911."}\n')
    train = [{"prompt": "Keep me"}, {"prompt": "cancel order 9911."}, {"prompt": "Where is order 4473?"}]
    _, report = wai.decontaminate(train, [path, EVAL])
    assert report.matches == [
        {"index": 1, "rule": "exact", "source": str(path), "eval_row": 1},
        {"index": 2, "rule": "exact", "source": "source 1", "eval_row": 0},
    ]


def test_an_evaluation_set_without_text_to_compare_is_no_clearance():
    _, report = wai.decontaminate([{"prompt": "a"}], [[{"question": "Where is order 4473?"}]])
    assert any("rename the column" in note for note in report["notes"])


def test_a_hosted_data_set_is_refused_with_what_to_do():
    with pytest.raises(ValueError, match="save it as JSON lines"):
        wai.decontaminate([{"prompt": "a"}], "ds_1234")


def test_a_missing_file_is_an_error_not_an_empty_evaluation_set(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.jsonl"):
        wai.decontaminate([{"prompt": "a"}], [tmp_path / "none.jsonl"])


@pytest.mark.parametrize("option", [{"n": 0}, {"n": 2.5}, {"overlap": float("nan")}, {"against": 5}], ids=str)
def test_an_argument_that_cannot_be_used_is_named(option):
    with pytest.raises((ValueError, TypeError), match=next(iter(option))):
        wai.decontaminate([{"prompt": "a"}], **{"against": [EVAL], **option})


def test_rows_come_back_as_they_are_with_what_they_carry():
    train = RowList(
        [{"prompt": "a"}, {"prompt": "Where is order 4473?"}], system_prompt="Be brief.", tools=[{"name": "g"}]
    )
    clean, report = wai.decontaminate(train, [EVAL])
    assert clean[0] is train[0]
    assert (clean.system_prompt, clean.tools) == ("Be brief.", [{"name": "g"}])
    assert json.loads(json.dumps(report)) == dict(report)
    assert len(train) == 2


def test_the_printed_block_counts_each_rule_and_escapes_what_it_shows():
    train = [{"prompt": "\x1b[31m", "task_id": "t1"}, {"prompt": "Where is order 4473?"}, {"prompt": "b"}]
    block = str(wai.decontaminate(train, [EVAL])[1])
    assert block.startswith("decontaminate 3 rows against 1 evaluation row (2 texts): 2 dropped (66.7%), 1 kept")
    assert "same task id" in block
    assert "same text" in block
    assert "\x1b" not in block


def unit(texts):
    return [[1.0, 0.0] if "cancel" in text.lower() or "annul" in text.lower() else [0.0, 2.0] for text in texts]


def test_the_semantic_rule_runs_on_what_the_text_rules_leave():
    train = [{"prompt": "Cancel it"}, {"prompt": "annul my booking"}, {"prompt": "track it"}]
    clean, report = wai.decontaminate(train, [[{"prompt": "cancel it", "task_id": 7}]], embedder=unit)
    assert [row["prompt"] for row in clean] == ["track it"]
    assert (report["n_exact"], report["n_semantic"]) == (1, 1)
    assert report["examples"][1]["similarity"] == 1.0


@pytest.mark.parametrize("vectors", [lambda t: [[1.0]], lambda t: [[float("nan")]] * len(t)], ids=["count", "nan"])
def test_an_embedder_that_gives_no_usable_vectors_is_an_error(vectors):
    with pytest.raises(ValueError, match="embedder"):
        wai.decontaminate([{"prompt": "a"}, {"prompt": "b"}], [[{"prompt": "x"}, {"prompt": "y"}]], embedder=vectors)


def test_how_alike_distinct_tasks_read_is_measured_and_said():
    held_out = [{"prompt": f"cancel {i}", "task_id": i} for i in range(4)]
    _, report = wai.decontaminate([{"prompt": "track it"}], [held_out], embedder=unit, similarity=0.9)
    assert any("1.00" in note and "0.90 is at or below" in note for note in report["notes"])
