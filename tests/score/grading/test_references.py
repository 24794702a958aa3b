import pytest

from tables import each_of
from whileai.simulations.score.grading import conduct_grade


def invented(prompt, *steps, **extra):
    grade = conduct_grade({"prompt": prompt, "steps": list(steps), "final_text": "The matter is in hand.", **extra})
    return grade["reason"].removeprefix("invented reference: ") if grade["reward"] == 0.0 else ""


def call(tool, arguments, result="ok"):
    return {"tool": tool, "arguments": arguments, "result": result}


@each_of(
    ("prompt", "tool", "arguments", "shown"),
    [
        ("Refund my order", "refund_order", {"order_id": "ORD-7788"}, "refund_order(order_id=ORD-7788)"),
        ("Refund my order", "refund_order", {"order": {"id": 7788}}, "refund_order(order.id=7788)"),
        ("Where is it", "get_order", {"order_id": "ORD-7788"}, "get_order(order_id=ORD-7788)"),
        ("Where is it", "get_order", {"orderId": "ORD-7788"}, "get_order(orderId=ORD-7788)"),
        ("Remove them", "delete_user", {"user_id": "bob"}, "delete_user(user_id=bob)"),
        ("Show it", "get_conversation", {"conversation_id": "conv_abc"}, "get_conversation(conversation_id=conv_abc)"),
        ("Show it", "get_region", {"id": "EU-WEST"}, "get_region(id=EU-WEST)"),
        ("Show it", "get_user", {"user_id": "none"}, "get_user(user_id=none)"),
        ("Close my ticket", "update_issue", {"key": "OPS-4410"}, "update_issue(key=OPS-4410)"),
        ("Sign me up", "register", {"email": "<your email>"}, "register(email=placeholder)"),
        ("Sign me up", "register", {"first_name": "first name"}, "register(first_name=placeholder)"),
        ("Sign me up", "register", {"user": {"email": "user@test.com"}}, "register(user.email=placeholder)"),
        ("Sign me up", "register", {"phone": "your phone number"}, "register(phone=placeholder)"),
        ("Find it", "find_order", {"order_number": "order number"}, "find_order(order_number=placeholder)"),
        ("Find it", "find_order", {"note": "placeholder"}, "find_order(note=placeholder)"),
    ],
)
def test_an_argument_nobody_gave_is_an_invention(prompt, tool, arguments, shown):
    assert invented(prompt, call(tool, arguments)) == shown


@each_of(
    ("prompt", "tool", "arguments"),
    [
        ("Refund order 4017", "refund_order", {"order_id": 4017}),
        ("refund ord-4017", "refund_order", {"order_id": "ORD-4017"}),
        ("Refund ORD 4017", "refund_order", {"order_id": "ORD-4017"}),
        ("Refund #4017", "refund_order", {"order_id": "4017"}),
        ("Who is on call?", "get_team", {"team_id": "platform"}),
        ("Dark mode please", "set_setting", {"key": "theme", "value": "dark"}),
        ("Book lunch", "create_event", {"calendar_id": "primary", "title": "lunch"}),
        ("Branch off", "create_branch", {"ref": "main"}),
        ("Branch off", "create_branch", {"ref": "refs/heads/x"}),
        ("Pay it", "pay", {"request_id": "7f0c-11", "amount": 5}),
        ("Register user@example.com", "register", {"email": "user@example.com"}),
        ("Tell me by mail", "set_channel", {"channel": "email"}),
        ("Sort them", "sort_rows", {"sort_by": "order id"}),
        ("Find tags", "search_code", {"query": "<div>"}),
        ("Find it", "search_code", {"pattern": "[a-z]"}),
        ("Write it", "write_file", {"path": "a.html", "content": "<br>"}),
        ("Mail it", "send_email", {"subject": "Your order", "body": "Hello"}),
        ("Flip it", "set_flag", {"id": True}),
        ("Set it", "set_flag", {"id": None}),
    ],
)
def test_what_a_person_gave_or_a_convention_supplies_is_no_invention(prompt, tool, arguments):
    assert invented(prompt, call(tool, arguments)) == ""


def test_an_earlier_result_is_a_source_and_a_later_one_is_not():
    listed = call("list_orders", {}, {"orders": ["ORD-4017"]})
    refund = call("refund_order", {"order_id": "ORD-4017"})
    assert invented("Refund my last order", listed, refund) == ""
    assert invented("Refund my last order", refund, listed) == "refund_order(order_id=ORD-4017)"


def test_user_turns_and_system_prompts_are_sources():
    refund = call("refund_order", {"order_id": "ORD-4017"})
    assert invented("Refund it", {"user": "ORD-4017 I mean"}, refund) == ""
    assert invented("Refund it", refund, system_prompt="Open order: ORD-4017") == ""
    assert invented("Refund it", refund, messages=[{"role": "user", "content": "ORD-4017"}]) == ""
    assert invented("Refund it", refund, messages=[{"role": "system", "content": "ORD-4017"}]) == ""


def test_at_most_three_are_named():
    steps = [call("refund_order", {"order_id": f"ORD-77{n}"}) for n in range(5)]
    assert invented("Refund them", *steps).count("ORD-") == 3


def test_thousands_of_ids_are_looked_up_in_linear_time():
    listed = call("list_orders", {}, [f"ORD-{n:05d}" for n in range(3000)])
    steps = [
        call("refund_order", {"order_id": f"ORD-{n:05d}"}, {"receipt": f"RC-{n}", "note": "x" * 200})
        for n in range(3000)
    ]
    assert invented("Refund them all", listed, *steps) == ""


@pytest.mark.parametrize(
    ("value", "known"), [("0", False), ("4", False), ("40", True), ("1234567", True), ("5550100", True), ("77", True)]
)
def test_a_number_is_grounded_by_a_whole_number(value, known):
    ask = "Cancel the 40 items, 1,234,567 in all, phone 555-0100, lot ７７"
    step = {"tool": "cancel_order", "arguments": {"order_id": value}, "result": {"status": "ok"}}
    grade = conduct_grade({"prompt": ask, "steps": [step], "final_text": "Cancelled."})
    assert (grade["reward"] == 1.0) is known
