import json

import pytest

from whileai.simulations.rows.formats import lm_eval
from whileai.simulations.rows.source import Source

NAME = "samples_shop_add_2026-11-30T19-32-31.003238.jsonl"


def line(doc=0, **changes):
    arguments = {"gen_args_0": {"arg_0": "2+3=", "arg_1": {"temperature": 0.7, "max_gen_toks": 64, "until": []}}}
    return {
        "doc_id": doc, "doc": {}, "target": "5", "arguments": arguments, "resps": [[" 5"]], "filtered_resps": ["5"],
        "filter": "none", "metrics": ["exact_match"], "exact_match": 1.0, **changes,
    }  # fmt: skip


def rows(lines, source=None):
    source = source or Source(NAME)
    return [row for record in lm_eval.gather(iter(lines), source) for row in lm_eval.to_rows(record, source)]


def test_generated_text_is_the_reply_and_arg_1_the_sampling():
    (row,) = rows([line()])
    assert (row["prompt"], row["final_text"], row["reward"]) == ("2+3=", " 5", 1.0)
    assert row["sampling"] == {"temperature": 0.7, "max_tokens": 64}
    assert row["judge_name"] == "exact_match"


def test_the_first_filter_makes_the_rows_and_the_others_markers():
    strict = [line(0, filter="strict", exact_match=0.0), line(1, filter="strict")]
    loose = [line(1, filter="loose", exact_match=0.0), line(0, filter="loose", filtered_resps=["five"])]
    first, second = rows([*strict, *loose])
    assert (first["task_id"], first["reward"], first["markers"]) == ("0", 0.0, {"exact_match,loose": 1.0})
    assert (second["task_id"], second["reward"], second["markers"]) == ("1", 1.0, {"exact_match,loose": 0.0})
    assert first["other_filters"]["loose"]["filtered_resps"] == ["five"]


def test_a_line_of_a_later_filter_without_its_document_is_left_out_with_a_note():
    source = Source(NAME)
    assert len(rows([line(0, filter="strict"), line(7, filter="loose")], source)) == 1
    assert source.notes == ["lines of filter 'loose' without a line of 'strict' were left out"]


def test_the_likeliest_choice_is_the_reply_and_acc_comes_before_acc_norm():
    choices = {f"gen_args_{i}": {"arg_0": "The sky is", "arg_1": c} for i, c in enumerate([" tea", " blue", " red"])}
    resps = [[["-10.5", "False"]], [["-9.25", "True"]], [["-inf", "False"]]]
    (row,) = rows([line(arguments=choices, resps=resps, metrics=["acc_norm", "acc"], acc_norm=0.0, acc=1.0)])
    assert row["final_text"] == " blue"
    assert (row["reward"], row["judge_name"], row["markers"]) == (1.0, "acc", {"acc_norm": 0.0})


def test_several_texts_with_one_metric_are_one_row():
    (row,) = rows([line(resps=[[" 5", " 6", " 7"]])])
    assert row["final_text"] == " 5"
    assert row["resps"] == [[" 5", " 6", " 7"]]


def test_old_files_list_neither_filter_nor_metrics():
    old = {
        "doc_id": 4, "doc": {}, "target": 1, "arguments": [["The sky is", " tea"], ["The sky is", " blue"]],
        "resps": [[[-10.5, False]], [[-9.25, True]]], "filtered_resps": [[-10.5, False], [-9.25, True]],
        "acc": 0.0, "acc_norm": 1.0,
    }  # fmt: skip
    (row,) = rows([old])
    assert (row["prompt"], row["final_text"], row["reward"]) == ("The sky is", " blue", 0.0)
    assert row["markers"] == {"acc_norm": 1.0}


@pytest.mark.parametrize("value", [[-12.5, 7], ["a"], None])
def test_a_metric_that_is_no_number_gives_no_reward_and_no_other_metric_takes_its_place(value):
    (row,) = rows([line(metrics=["word_perplexity", "acc"], word_perplexity=value, acc=1.0)])
    assert (row["reward"], row["judge_name"], row["markers"]) == (None, "word_perplexity", {"acc": 1.0})
    assert row["word_perplexity"] == value


def test_a_text_that_was_only_scored_has_no_reply():
    (row,) = rows([line(arguments={"gen_args_0": {"arg_0": "A long text."}}, resps=[["-123.5"]])])
    assert (row["prompt"], row["final_text"]) == ("A long text.", "")


def test_a_chat_kept_as_one_json_text_is_the_prompt():
    chat = '[{"role": "user", "content": "2+3="}]'
    (row,) = rows([line(arguments={"gen_args_0": {"arg_0": [chat], "arg_1": {}}})])
    assert row["prompt"] == chat


def test_run_facts_come_from_the_results_file_beside_it(tmp_path):
    run = {"model_name": "shop-7b", "config": {"model": "scripted"}, "versions": {"shop_add": 1.0}}
    (tmp_path / "results_2026-11-30T19-32-31.003238.json").write_text(json.dumps(run))
    source = Source(NAME, tmp_path / NAME)
    (row,) = rows([line()], source)
    assert row["model_version"] == "shop-7b"
    assert source.facts == run
    assert "versions" not in row


def test_ids_carry_the_task_name_when_files_of_several_tasks_are_read_together():
    assert rows([line(3)], Source(NAME))[0]["task_id"] == "3"
    assert rows([line(3)], Source(NAME, several=True))[0]["task_id"] == "shop_add/3"
