from __future__ import annotations

import whileai.simulations as wai

GOOD = {"prompt": "Explain a credit note to me.", "final_text": "It lowers what is owed.", "reward": 1}


def reasons(*rows: dict, **options: bool) -> dict:
    return wai.filter_rl_rows(list(rows), **options)[1]["dropped"]


def test_each_row_is_counted_under_the_first_reason_that_applies() -> None:
    idle = {"prompt": "Refund order #5", "final_text": "I noted it.", "reward": None}
    assert reasons(GOOD, {**idle, "final_text": ""}, idle, {**GOOD, "reward": 0.5}) == {
        "do_nothing": 1,
        "incomplete_junk": 1,
        "unusable_label": 1,
    }
    assert reasons(idle, has_tools=False)["unusable_label"] == 1
    assert reasons(idle, text_gates=False)["unusable_label"] == 1


def test_a_failure_that_gold_verified_stays_when_there_is_something_in_it() -> None:
    stub = {**GOOD, "final_text": "<agent error: loop>", "reward": 0, "label_source": "GOLD-2"}
    kept, report = wai.filter_rl_rows(
        [
            stub,
            {**stub, "label_source": "qwen"},
            {**stub, "reward": 1},
            GOOD | {"final_text": "", "reward": 0, "label_source": "gold"},
        ]
    )
    assert kept == [stub]
    assert (report["kept_verified_zero"], report["dropped"]["incomplete_junk"]) == (1, 3)


def test_what_is_no_dict_is_not_counted() -> None:
    kept, report = wai.filter_rl_rows([GOOD, None, "row", 5])
    assert (kept, report["n"]) == ([GOOD], 1)


def test_kept_rows_are_the_same_objects_in_order() -> None:
    rows = [dict(GOOD, prompt=f"Explain note {i} to me.") for i in range(3)]
    kept, _ = wai.filter_rl_rows(rows)
    assert [id(row) for row in kept] == [id(row) for row in rows]


def test_the_report_says_what_to_do_about_booleans() -> None:
    report = wai.filter_rl_rows([{**GOOD, "reward": True}, GOOD])[1]
    assert "1 of 2 rows with a boolean reward, which is no 0/1 label: write int(reward)" in str(report)
