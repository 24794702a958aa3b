from __future__ import annotations

from tables import each_of
from whileai.simulations.score.preflight import preflight

PARAMETERS = {"properties": {"order_id": {}}, "required": ["order_id"]}
LONG = "\n".join(f"- Step {i} of the handbook applies to case {i}." for i in range(8))


def tool(name: str, **changes: object) -> dict:
    return {"name": name, "description": "Does it.", "parameters": PARAMETERS, "returns": {"a": 1}, **changes}


@each_of(
    ("changes", "issues", "n_warnings"),
    [
        ({}, [], 0),
        ({"description": " "}, ["no_description"], 1),
        ({"parameters": None}, ["no_parameters_schema"], 1),
        ({"parameters": {"properties": []}}, ["no_parameters_schema"], 1),
        ({"parameters": {"properties": {}}}, [], 0),
        ({"parameters": {"properties": {"a": {}}}}, ["no_required_fields"], 0),
        ({"returns": {}}, ["no_result_shape"], 1),
        (
            {"description": "", "parameters": {}, "returns": None},
            ["no_description", "no_parameters_schema", "no_result_shape"],
            3,
        ),
    ],
)
def test_issues_of_a_tool(changes: dict, issues: list[str], n_warnings: int) -> None:
    report = preflight([tool("check_stock", **changes)], LONG)
    assert report["tools"] == [{"name": "check_stock", "issues": issues}]
    assert len(report["warnings"]) == n_warnings
    assert report["ok"] is (n_warnings == 0)


@each_of(
    ("name", "destructive"),
    [
        ("cancel_order", True),
        ("removeItem", True),
        ("file_claim", True),
        ("PAY-invoice", True),
        ("orders.cancel", True),
        ("verify_and_refund", True),
        ("read_runbook", False),
        ("customer_profile", False),
        ("profile_picture", False),
        ("bookings", False),
        ("list_transfers", False),
        ("get_refund_status", False),
        ("read_file_content", False),
        ("payments__list_refund", False),
        ("issue_credit", False),
    ],
)
def test_a_destructive_tool_has_a_verb_that_writes(name: str, destructive: bool) -> None:
    assert preflight([tool(name)], LONG)["destructive_tools"] == [name] * destructive


def test_warnings_come_in_their_order() -> None:
    tools = [tool("cancel_order", returns=None), tool("check_stock", description="")]
    report = preflight(tools, "Be brief and kind. Never argue.", rule_cap=1)
    for warning, says in zip(
        report["warnings"],
        ["1 of 2 tools", "tool check_stock: no_description", "cancel_order", "31 characters", "1 of 2 clauses"],
        strict=True,
    ):
        assert says in warning


def test_a_blank_prompt_is_no_thin_one() -> None:
    (warning,) = preflight([tool("check_stock")], " \n")["warnings"]
    assert "there is no system prompt" in warning


def test_at_most_five_names_and_six_destructive_ones_are_shown() -> None:
    shapeless, destructive = preflight([tool(f"cancel_{c}", returns=None) for c in "abcdefgh"], LONG)["warnings"]
    assert "8 of 8" in shapeless
    assert "cancel_e and 3 more" in shapeless
    assert "cancel_f and 2 more" in destructive


def test_cells_follow_the_shown_axis() -> None:
    tools = [tool("lookup_order"), tool("issue_refund"), tool("cancel_order")]
    assert preflight(tools)["cells"] == 60
    assert preflight(tools, LONG)["cells"] == 60 + 8 * 10
    assert preflight(tools, LONG, rule_cap=2)["cells"] == 60 + 2 * 10
    capped = preflight(tools, LONG, rule_cap=0)
    assert (capped["cells"], capped["rules"], capped["rules_truncated"]) == (60, ["unspecified"], True)


def test_tools_the_policy_does_not_mention_are_sorted_and_do_not_warn() -> None:
    report = preflight([tool("zap"), tool("check_stock"), tool("add_note")], LONG + " Check the stock.")
    assert report["tools_not_mentioned_in_policy"] == ["add_note", "zap"]
    assert report["ok"]


def test_the_text_says_what_the_report_says() -> None:
    assert str(preflight([tool("check_stock")], LONG)).splitlines()[-1] == "nothing to warn about"
    text = str(preflight([tool("cancel\x1b[31m_order", description="")], "Be brief and kind."))
    assert "\x1b" not in text
    assert text.count("! ") == 3
