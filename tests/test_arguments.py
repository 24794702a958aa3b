"""Refusals of arguments that several functions share."""

import pytest

import whileai.simulations as wai
from tables import each_of

PRINTED = sorted(name for name in dir(wai) if name.startswith("format_"))


@each_of("name", PRINTED)
@each_of("value", [None, [], "text", 3])
def test_what_is_no_report_is_refused_by_the_function_it_should_come_from(name, value):
    with pytest.raises(TypeError, match=r"report must be what \w+ returns, a dict, got"):
        getattr(wai, name)(value)


@pytest.mark.parametrize(
    ("name", "given", "missing"),
    [
        ("format_judge_trust", {"ok": False, "n_labeled": 3, "agreement": {}, "warnings": []}, "floors"),
        ("format_curriculum", {}, "n_tasks"),
        ("format_stages", {"warnings": []}, "counts"),
        ("format_hack_scan", {"regime": "train"}, "support"),
        ("format_hack_scan_diff", {"learned": "", "after": {}}, "before"),
        ("format_delta_report", {}, "headline_verdict"),
    ],
)
def test_a_half_made_report_is_refused_with_the_key_it_lacks(name, given, missing):
    with pytest.raises(ValueError, match=f"report must be what \\w+ returns: it has no '{missing}'"):
        getattr(wai, name)(given)
