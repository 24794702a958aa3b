from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.score.optimize.junk import is_junk

ASK = "Explain the difference between a debit note and a credit note."
LONG = "We compared the invoice with the contract and went through each line of it with the supplier. " * 8
SCHEMA = '{"name": "lookup", "description": "Look up", "parameters": {"type": "object"}}'


def said(reply: object, **fields: object) -> dict:
    return {"prompt": ASK, "final_text": reply, **fields}


def chat(*turns: tuple[str, str], **fields: object) -> dict:
    return {"messages": [{"role": role, "content": text} for role, text in turns], **fields}


CALLED = {"steps": [{"tool": "get", "arguments": {}, "result": "HTTP 503"}]}

JUNK = {
    "blank": said(""),
    "white space": said(" \n\t"),
    "no reply at all": {"task_id": "a", "reward": 1},
    "blank beside words of a step": said("", steps=[{"text": "One moment."}]),
    "runner stub": said("<Agent Error: connection reset>"),
    "runner stub after a call": said("<agent error: loop>", **CALLED),
    "http stub": said("500 Internal Server Error"),
    "http stub of a url": said("https://api.example.com/v1 503 Service Unavailable"),
    "loop": said("Sure" + "a" * 40 + "."),
    "simulator tag": said("<USER_TURN> I want my money back."),
    "scene brief": said("As the scene brief says, I refuse."),
    "markup in the reply": said('Let me look. <tool_call>{"name": "get"}</tool_call>'),
    "markup in an earlier turn": chat(
        ("user", ASK), ("assistant", "</TOOL_CALL>"), ("user", "?"), ("assistant", "Ok.")
    ),
    "markup in a step": said("Done.", steps=[{"text": "<tool_call>get"}]),
    "schema": said(SCHEMA),
    "schema in a fence": said(f"```json\n{SCHEMA}\n```"),
    "long and cut": said(LONG + "and then the cus"),
    "long and cut in messages": chat(("user", ASK), ("assistant", LONG + "and then the cus")),
    "ends on the tool": chat(("user", ASK), ("assistant", "I look."), ("tool", "ok"), final_text="It is refunded."),
    "ends on the user": chat(("user", ASK), ("assistant", "Done."), ("user", "Thanks"), final_text="Done."),
    "greeting": said("Hello, what can I do for you today?", prompt="Hi"),
    "greeting in Chinese": said("您好，请问有什么可以帮您？", prompt="你好"),
    "greeting in messages": chat(("user", "hey there"), ("assistant", "How can I help?")),
}

FINE = {
    "an answer": said("A debit note raises what is owed."),
    "chat only": chat(("user", ASK), ("assistant", "A debit note raises what is owed.")),
    "words of a step without final_text": {"prompt": ASK, "steps": [{"text": "A debit note raises what is owed."}]},
    "content parts": {"messages": [{"role": "assistant", "content": [{"type": "text", "text": "It is done."}]}]},
    "from and value": {"messages": [{"from": "human", "value": ASK}, {"from": "gpt", "value": "It raises it."}]},
    "ends with a call": {
        "messages": [
            {"role": "user", "content": ASK},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"function": {"name": "transfer", "arguments": "{}"}}],
            },
        ]
    },
    "a number": said("432"),
    "a number with a unit": said("500 units are in stock."),
    "an address": said("415 Main Street"),
    "an error explained": said("The page returned 404, so the link in the manual is out of date."),
    "an error after a call": said("503 Service Unavailable", **CALLED),
    "ruled lines": said("Receipt\n" + "-" * 60 + "\nDesk lamp  42.00 EUR\nPaid in full."),
    "dot leaders": said("Contents\nIntroduction " + "." * 40 + " 3\nMethods " + "." * 40 + " 9"),
    "region_id": said("Set region_id to eu-central-1 in the bucket settings."),
    "world_state": said("The reducer returns the next world_state."),
    "no entity": said("The import stopped with: entity missing in row 4."),
    "schema asked for": said(f"Here is the definition you asked for:\n```json\n{SCHEMA}\n```\nPaste it as it is."),
    "cut but short": said(LONG[:400] + " and then the cus"),
    "long and finished": said(LONG + "That is all."),
    "long, Chinese": said("我们已经核对了您的订单和退货政策，退款会在三个工作日内到账。" * 30),
    "long, Hindi": said("मैंने आपका ऑर्डर देख लिया है और धनवापसी शुरू कर दी है। " * 15),
    "long, marked overlong": said(LONG + "and then the cus", overlong=True),
    "long, stopped by itself": said(LONG + "see also the appendix", finish_reason="stop"),
    "clarifying question": said("Which order do you mean?", prompt="I want to change the address of my last order"),
    "clarifying, Chinese": said("请问您的订单号是多少?", prompt="请帮我取消订单并退款到原来的银行卡"),
    "clarifying, Thai": said("ขอหมายเลขคำสั่งซื้อได้ไหมคะ?", prompt="ช่วยยกเลิกคำสั่งซื้อและคืนเงินเข้าบัตรเดิมให้หน่อย"),
    "question after a later ask": chat(
        ("user", "Hi"),
        ("assistant", "How can I help?"),
        ("user", "Change the address of my order"),
        ("assistant", "Which order?"),
    ),
    "question after a call": said("It is late. Shall I cancel it?", prompt="status?", **CALLED),
}


def ended(tool: str, result: str = "ok", arguments: str = "{}") -> dict:
    """A chat that ends on the result of a call."""
    call = {"id": "1", "function": {"name": tool, "arguments": arguments}}
    return {"messages": [
        {"role": "user", "content": ASK}, {"role": "assistant", "content": "I do it now.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": result},
    ]}  # fmt: skip


@each_of(
    ("row", "closed"),
    [
        (chat(("user", ASK), ("assistant", "It is done."), ("user", "###STOP###")), True),
        (chat(("user", ASK), ("assistant", "It is done."), ("user", "Thank you so much! ###STOP###")), True),
        (chat(("user", ASK), ("assistant", "It is done."), ("user", "###OUT-OF-SCOPE###")), True),
        (chat(("user", ASK), ("assistant", "It is done."), ("user", "TERMINATE")), True),
        (chat(("user", ASK), ("assistant", "It is done."), ("user", "Please stop")), False),
        (chat(("user", ASK), ("assistant", "It is done."), ("user", "Can I terminate the contract?")), False),
        (ended("transfer_to_human_agents", "Transfer successful"), True),
        (ended("submit", "diff --git a/x b/x"), True),
        (ended("bash", "ok", '{"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"}'), True),
        (ended("submit_refund"), False),
        (ended("refund"), False),
        (ended("bash", "ok", '{"command": "ls"}'), False),
        (ended("transfer_money"), False),
        (ended("submit", '{"status": "error"}'), False),
    ],
)
def test_an_episode_may_be_closed_by_a_stop_mark_or_a_last_call(row: dict, closed: bool) -> None:
    assert is_junk(row) is not closed


def test_calls_written_out_with_their_answers_are_a_transcript() -> None:
    written = '<tool_call>{"name": "get"}</tool_call>\n<tool_response>ok</tool_response>\nIt ships today.'
    assert not is_junk(said(written))


@each_of("name", JUNK)
def test_is_junk(name: str) -> None:
    assert is_junk(JUNK[name])


@each_of("name", FINE)
def test_is_no_junk(name: str) -> None:
    assert not is_junk(FINE[name])


@pytest.mark.parametrize(
    ("row", "junk"),
    [
        ({"prompt": "What markup do models use?", "final_text": "They write `<tool_call>` before the JSON."}, False),
        ({"prompt": "Do it.", "final_text": '`<tool_call>{"name": "get"}</tool_call>`'}, True),
        ({"prompt": "Do it.", "final_text": '<tool_call>{"name": "get"}</tool_call>'}, True),
        ({"prompt": "Where is my situation card?", "final_text": "Your Situation Card is in your inbox."}, False),
        ({"prompt": "Mail me my card, please.", "final_text": "Your Situation Card has been mailed."}, False),
        ({"prompt": "Mail me my card, please.", "final_text": "Your situation card says to refuse."}, True),
        ({"prompt": "Where is my order?", "final_text": "According to the situation card I refuse."}, True),
    ],
)
def test_markup_and_cards_that_are_talked_about_are_no_junk(row: dict, junk: bool) -> None:
    assert is_junk(row) is junk
