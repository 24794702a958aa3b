from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies as s
import whileai.simulations as wai
from scripted import Scripted

DRAFT = '[{"title": "Issues the refund", "description": "Essential Criteria: x", "weight": 3}, {"title": "Polite"}]'


def test_rows_of_one_prompt_share_a_draft_whatever_its_case_and_blanks() -> None:
    asked: list[str] = []
    rows = [{"prompt": "Refund  A-1"}, {"prompt": "refund a-1 "}, {"prompt": " "}, {}, None]
    kept, report = wai.write_rubrics(rows, writer=lambda message: asked.append(message) or DRAFT)
    assert (len(kept), len(asked), report["prompts"], report["written"]) == (4, 1, 1, 1)
    assert list(report["versions"].values()) == [2]
    assert [wai.rubric_of(row) is not None for row in kept] == [True, True, False, False]


def test_a_prompt_with_a_rubric_on_any_row_is_skipped_unless_overwritten() -> None:
    rows = [{"prompt": "q"}, {"prompt": "q", "privileged": {"rubric": "Old question?"}}]
    assert wai.write_rubrics(rows, writer=lambda _: DRAFT)[1]["skipped"] == 1
    assert wai.rubric_of(rows[0]) is None
    assert wai.write_rubrics(rows, writer=lambda _: DRAFT, overwrite=True)[1]["written"] == 1
    assert wai.rubric_of(rows[1]).source == "model"


def test_the_writer_sees_the_request_the_reference_and_the_domain_as_json() -> None:
    seen: list[dict[str, Any]] = []
    rows = [{"prompt": "Refund <|im_end|> A-1" + "x" * 9000, "gold": {"amount": 40}}, {"prompt": "other"}]
    wai.write_rubrics(
        rows,
        writer=lambda m: seen.append(json.loads(m)) or DRAFT,
        domain="be exact",
        reference_key="gold",
        concurrency=1,
    )
    assert list(seen[0]) == ["request", "reference_answer", "domain_guidance"]
    assert (len(seen[0]["request"]), seen[0]["reference_answer"]) == (4000, {"amount": 40})
    assert list(seen[1]) == ["request", "domain_guidance"]


@pytest.mark.parametrize(("reply", "error"), [
    ("I would look at the refund.", "no JSON array"),
    ("[]", "no criterion with a title"),
    ('[{"description": "x"}, 5]', "no criterion with a title"),
    ('[{"title": "A"}, {"title": "a!"}]', "share the slug 'a'"),
    (None, "no JSON array"),
])  # fmt: skip
def test_a_draft_that_does_not_stand_is_a_failure_that_leaves_the_rows_alone(reply: Any, error: str) -> None:
    rows, report = wai.write_rubrics([{"prompt": "Refund  A-1"}], writer=lambda _: reply)
    assert (report["written"], report["failed"], report["criteria_per_rubric"]) == (0, 1, None)
    assert report["failures"][0]["prompt"] == "Refund A-1"
    assert error in report["failures"][0]["error"]
    assert rows == [{"prompt": "Refund  A-1"}]


def test_at_most_ten_failures_are_kept_and_all_counted() -> None:
    def broken(_: str) -> str:
        raise OSError("down" * 200)

    _, report = wai.write_rubrics([{"prompt": f"q{n}"} for n in range(15)], writer=broken)
    assert (report["failed"], len(report["failures"])) == (15, 10)
    assert len(report["failures"][0]["error"]) <= 200
    assert report["failures"][0]["error"].startswith("OSError: down")


def test_hard_rules_past_the_cap_become_principles_heaviest_first_order_kept() -> None:
    draft = json.dumps(
        [{"title": f"Rule {t}", "kind": "hard", "weight": w} for t, w in zip("abcd", (1, 4, 2, 4), strict=True)]
    )
    rows, report = wai.write_rubrics([{"prompt": "q"}], writer=lambda _: draft, max_hard=2)
    found = [(c.title, c.kind, c.weight) for c in wai.rubric_of(rows[0]).criteria]
    assert found == [
        ("Rule a", "principle", 1),
        ("Rule b", "hard", 4),
        ("Rule c", "principle", 2),
        ("Rule d", "hard", 4),
    ]
    assert report["demoted_hard"] == 2


def test_a_model_writes_with_the_counts_in_its_prompt_and_no_warm_up() -> None:
    model = Scripted(f"Here:\n```json\n{DRAFT}\n```")
    _, report = wai.write_rubrics([{"prompt": "q"}], spec=model, n_criteria=(4, 11))
    assert "between 4 and 11 criteria" in model.system
    assert (model.warm_ups, model.budgets, report["written"]) == (0, [1200], 1)
    assert report["writer"].startswith("scripted@")


@pytest.mark.parametrize("wrong", [{"n_criteria": (8, 3)}, {"n_criteria": 5}, {"n_criteria": (0, 3)}, {"max_hard": -1},
                                   {"concurrency": "many"}])  # fmt: skip
def test_arguments_that_make_no_sense_are_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        wai.write_rubrics([], writer=lambda _: DRAFT, **wrong)


@given(s.json_values, st.integers(0, 3))
def test_whatever_a_writer_drafts_the_call_ends_in_a_report(drafted: Any, max_hard: int) -> None:
    _, report = wai.write_rubrics([{"prompt": "q"}], writer=lambda _: json.dumps(drafted), max_hard=max_hard)
    assert report["written"] + report["failed"] == 1


def test_a_writer_that_ends_costs_its_prompt_and_an_async_one_is_awaited() -> None:
    async def writer(message: str) -> str:
        if "two" in message:
            raise SystemExit(1)
        return '[{"title": "Says it"}]'

    _, report = wai.write_rubrics([{"prompt": "one"}, {"prompt": "two"}], writer=writer)
    assert (report["written"], report["failures"]) == (1, [{"prompt": "two", "error": "SystemExit: 1"}])
