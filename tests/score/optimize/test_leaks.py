from __future__ import annotations

import pytest

from whileai.simulations.score.optimize.leaks import drop_privileged_leaks

SECRET = {"hidden_state": {"account": {"note": "the seal was broken twice"}}}


def test_a_row_that_quotes_its_block_goes_and_is_named() -> None:
    rows = [
        {"scenario_id": "a", "rollout_index": 3, "privileged": SECRET, "final_text": "No: The seal  was broken TWICE."},
        {"scenario_id": "a", "rollout_index": 4, "privileged": SECRET, "final_text": "No refund."},
        {"scenario_id": "a", "rollout_index": 5, "final_text": "The seal was broken twice."},
    ]
    kept, report = drop_privileged_leaks(rows)
    assert kept == rows[1:]
    assert report == {
        "checked": True, "n_checked": 2, "n_dropped": 1,
        "leaked": [{"scenario_id": "a", "rollout_index": 3, "field": "hidden_state.account.note",
                    "needle": "the seal was broken twice"}],
    }  # fmt: skip


def test_at_most_twenty_are_listed_and_all_are_counted() -> None:
    rows = [{"privileged": {"reference": "the code is 4411"}, "final_text": "The code is 4411."} for _ in range(25)]
    kept, report = drop_privileged_leaks(rows)
    assert (kept, report["n_dropped"], len(report["leaked"])) == ([], 25, 20)


def test_rows_without_a_block_are_not_checked() -> None:
    rows = [{"final_text": "Hello there."}, {"privileged": None}, {"privileged": 5, "final_text": "x" * 20}]
    kept, report = drop_privileged_leaks(rows)
    assert (kept, report["checked"]) == (rows, False)


def test_a_block_that_is_a_text_is_a_secret_too() -> None:
    kept, report = drop_privileged_leaks([{"privileged": "x" * 20, "final_text": "x" * 20}])
    assert (kept, report["n_checked"], report["leaked"][0]["field"]) == ([], 1, "reference")


GIFT = {"reference": ["the card is gift_card_7711834", "the seal was broken twice"]}


@pytest.mark.parametrize(
    "told",
    [
        {"prompt": "The card is gift_card_7711834."},
        {"messages": [{"role": "user", "content": "Note the card is gift_card_7711834, please."}]},
        {"steps": [{"tool": "get_user", "arguments": {}, "result": "the card is gift_card_7711834"}]},
    ],
)
def test_what_the_row_was_told_is_no_secret(told: dict) -> None:
    row = {**told, "privileged": GIFT, "final_text": "Yes, the card is gift_card_7711834."}
    if "messages" in row:
        row["messages"] = [*row["messages"], {"role": "assistant", "content": row["final_text"]}]
    kept, report = drop_privileged_leaks([row])
    assert (kept, report["n_checked"], report["n_dropped"], report["leaked"]) == ([row], 1, 0, [])


def test_the_text_listed_is_the_one_that_was_not_told() -> None:
    said = "The card is gift_card_7711834, and the seal was broken twice."
    kept, report = drop_privileged_leaks(
        [{"prompt": "The card is gift_card_7711834.", "privileged": GIFT, "final_text": said}]
    )
    assert (kept, report["leaked"][0]["needle"]) == ([], "the seal was broken twice")
