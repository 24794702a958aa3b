from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import json_values
from tables import each_of
from whileai.simulations.rows.endings import is_degenerate, is_stub, is_truncated, reads_finished

LONG = "The parcel left the depot this morning and the driver has the note with your new address on it. " * 3

FINISHED = [
    "see https://example.com/a/b",
    "docs: https://x.org",
    "it is at example.com/a",
    "Have fun~",
    "it is paid.\nP.S. thanks",
    "the total is\n١٢٣",
    "It ships on Friday.",
    "Done!",
    "Shall I?",
    "These are the steps:",
    "Let me see…",
    "and so on...",
    "(see above)",
    'They call it "express"',
    "He said 'no'",
    "as in [1]",
    "{1}",
    "“thank you”",
    "„Danke“",
    "»Danke«",
    "« merci »",
    "**Total: 42 dollars.**",
    "_Thank you._",
    "~~gone.~~",
    "**Total: $42**",
    "**Answer: Paris**",
    "Run `npm test`",
    # scripts
    "您的包裹已经离开仓库。",
    "请问还有什么可以帮您？",
    "好的！",
    "ご注文は発送済みです。",
    "発送いたしました",
    "ご確認ください",
    "少々お待ちくださいませ〜",
    "「はい」",
    "आपका ऑर्डर भेज दिया गया है।",
    "क्या मैं मदद करूँ?",
    "تم إرسال طلبك.",
    "هل تريد شيئا آخر؟",
    "آپ کا آرڈر بھیج دیا گیا ہے۔",
    "Ձեր պատվերն ուղարկված է։",
    "ትዕዛዝዎ ተልኳል።",
    "የት ነው፧",
    "คำสั่งซื้อของคุณถูกจัดส่งแล้วค่ะ",
    "ขอบคุณครับ",
    "ໄດ້ສົ່ງແລ້ວ",
    "ការបញ្ជាទិញត្រូវបានផ្ញើ។",
    "အော်ဒါ ပို့ပြီးပါပြီ။",
    "བཀའ་མངགས་སྐྱེལ་ཟིན།",
    "주문이 발송되었습니다",
    "주문 번호를 알려 주세요",
    "Ваш заказ отправлен.",
    "Πού είναι;",
    "ההזמנה נשלחה.",
    "Заказ отправлен)",
    "Đơn hàng đã được gửi.",
    # emoji
    "Enjoy your trip! 😊",
    "Have a great day 😊",
    "All done ✅",
    "Thanks 👍🏽",
    "See you ❤️",
    "Bonne journée 🇫🇷",
    "Great 👨‍👩‍👧",
    "Bye :)",
    # numbers
    "So it is:\n42",
    "So it is.\n#### 42",
    "So.\n## -3.5",
    "So.\n$30",
    "So.\n1,250.50",
    "So.\n95%",
    "So.\n€ 12",
    "So.\n30 €",
    "So.\n**42**",
    "So.\nTotal: $42",
    "So.\n12 * 3.5 = 42",
    "So.\n3/4",
    "So.\n४२",
    r"The answer is $\boxed{42}$",
    "so $x = 5$",
    # code
    "Run this:\n```sql\nselect 1\n```",
    "Run this:\n```sql\nselect 1```",
    "````md\n```py\nx\n```\n````",
    "SELECT a FROM t LIMIT 5;",
    "<answer>Paris</answer>",
    '{"a": 1}',
    "See <https://example.com/help>",
    "First:\n```\na\n```\nthen it works.",
    # sign-offs
    "See you soon.\nBest,\nSales",
    "Soon.\nThanks,\nAlex",
    "Soon.\nKind regards",
    "Soon.\nCheers",
    "Soon.\nRegards\nThe Team",
    "Soon.\n-- Sam",
    "Soon.\n— Alex",
    "Soon.\n- Sam",
    "Soon.\nThank you for your patience",
    "Soon.\nTake care,\n\nDana Reed",
    "Soon.\nAll the best",
    "Soon.\nWarmly,\nthe desk,\nMara",
    "Hasta pronto.\nSaludos,\nAna",
    "Bis bald.\nViele Grüße\nJonas",
    "До встречи.\nС уважением,\nАнна",
    "再见。\n此致\n李明",
    "再见。\n祝您生活愉快",
    "Bien à vous,\nClaire",
    "**Best,**\n*Ann*",
    # tables and lists
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "a | b\n--- | ---\n1 | 2",
    "a\tb\n1\t2",
    "Size  Price\nM     12",
    "+---+\n| a |\n+---+",
    "│ a │ b │\n└───┴───┘",
    "Options:\n- size M\n- colour blue",
    "Options:\n1. size M\n2. colour blue",
    "Done\n---",
    "Your order:\nOrder: 4017\nStatus: shipped",
    "- **Order:** 4017\n- **Status:** shipped",
    # addresses, answers, bare programs
    "Track it here: https://track.example.com/4017",
    "Write to help@example.com",
    "So the answer is 42",
    "Answer: B",
    "**Final answer: Paris**",
    "$$\nx = 5\n$$",
    "def f(n):\n    if n:\n        return n // 2\n    return None",
    "for f in *.py; do\n  ruff $f\ndone",
    # white space and marks nobody sees
    "Done.  \n\n",
    "Done.\u200b",
    "تم.\u200f",
    "Done.\ufeff",
]

CUT = [
    "",
    "   ",
    "and then the driver will",
    "the driver wil",
    "it ships on Friday,",
    "it ships on Friday;",
    "it is –",
    "as a result —",
    "您的包裹已经离开仓库并将",
    "您的包裹，",
    "आपका ऑर्डर भेज",
    "تم إرسال",
    "สินค้าแ",
    "주문이",
    "Ваш заказ",
    "ご注文の商品は",
    "Run:\n```sql\nselect 1",
    "Run:\n```python\nprint(x)",
    "Run:\n```python\nfor x in y:",
    "Run:\n```",
    "so\n```\na\n```\n```py\nb.",
    "| a | b |\n|---|---|\n| 1 |  2",
    "the **total",
    "it costs 30",
    "the total (with",
    "he said “",
    'he said "',
    "so $x",
    "the fee is $30 and the tax $",
    "Options:\n- We sent the parcel.\n- We refunded the",
    "Options:\n- size M and\n- colour blue and",
    "the two:\n- size M",
    "Dear Ann,\nthe parcel is",
    "Track it here: https://tr",
    "SELECT a FROM t WHERE",
    "def f(n):\n    return max(n,",
    "The answer is that the parcel",
    "Order: 4017\nStatus: shipped by the depot in Ghent this morning with",
    "Soon.\n— and then",
    "It was cheap and\nThanks to the new depot in Ghent we now can",
]


@each_of("text", FINISHED)
def test_finished(text: str) -> None:
    assert reads_finished(text)
    assert not is_truncated({"final_text": LONG + text})


def test_a_bare_query_needs_no_stop() -> None:
    assert reads_finished("SELECT name, total\nFROM orders\nORDER BY total DESC\nLIMIT 10")
    assert not reads_finished("SELECT name, total\nFROM orders\nORDER BY")


@each_of("text", CUT)
def test_not_finished(text: str) -> None:
    assert not reads_finished(text)


SAYS_CUT = [
    "The reply was TRUNCATED mid-table",
    "answer cut off before the total",
    "looks truncated",
    "Truncated.",
    "cut off mid-sentence",
    "The response appears to be truncated",
    "Seems to have been cut off",
    "a truncated answer",
    "Correct, but cut off",
    "It's truncated",
    "not complete: truncated",
    "The answer does not finish because it was cut off",
    "The reply cuts off",
    "Not only truncated but wrong",
    "The final answer was abruptly cut off",
    "The response to the user was cut off",
    "response truncated to 512 tokens",
    "The user got a reply that was cut off",
    "output is cut-off",
    "Response got cut off at the cap",
]
NOT_SAID = [
    "complete, not truncated",
    "The reply was not cut off.",
    "The reply isn't truncated",
    "no sign of truncation",
    "neither truncated nor cut off",
    "does not appear to be truncated",
    "complete without being cut off",
    "nothing was truncated",
    "states its knowledge cut-off",
    "gives the cut-off date",
    "The cutoff for returns is Friday",
    "Cut-off is Friday",
    "The order came after the cut-off",
    "The tool output was truncated, and the agent said so",
    "The customer's internet was cut off",
    "explains why the service was cut off",
    "uses a truncated SVD",
    "The function truncated the string",
    "the title is truncated to 60 characters as asked",
    "cut the fee",
    "The agent cut off access",
    "complete",
    "",
    "The log was cut off",
]


@pytest.mark.parametrize(("reasons", "cut"), [(SAYS_CUT, True), (NOT_SAID, False)])
def test_grader_says_cut(reasons: list[str], cut: bool) -> None:
    wrong = [
        reason
        for reason in reasons
        for row in ({"reason": reason}, {"grader_reason": reason})
        if is_truncated({"final_text": "Fine.", **row}) is not cut
    ]
    assert wrong == []


def test_reason_goes_before_grader_reason() -> None:
    assert not is_truncated({"reason": "complete", "grader_reason": "truncated"})
    assert is_truncated({"reason": None, "grader_reason": "truncated"})


OPEN = LONG + "and then the driver will"


@each_of(
    ("row", "cut"),
    [
        ({"final_text": "Fine.", "finish_reason": "length"}, True),
        ({"final_text": OPEN, "finish_reason": "stop"}, False),
        ({"final_text": OPEN, "finish_reason": "stop", "reason": "cut off"}, True),
        ({"final_text": OPEN, "finish_reason": "tool_calls"}, True),
        ({"final_text": "Fine.", "steps": [{"text": "so", "truncated": True}]}, True),
        ({"final_text": "Fine.", "steps": [{"text": "so", "truncated": False}]}, False),
        ({"final_text": "Fine.", "finish_reason": "stop", "steps": [{"truncated": True}]}, True),
        ({"final_text": "Fine.", "truncated": True}, False),
        ({"final_text": OPEN}, True),
        ({"final_text": "and then the driver will"}, False),
        ({"final_text": "x" * 199 + " \n"}, False),
        ({"final_text": "x" * 200}, True),
        ({"final_text": None}, False),
        ({}, False),
    ],
)
def test_truncated(row: dict, cut: bool) -> None:
    assert is_truncated(row) is cut


def test_least_length_is_the_callers() -> None:
    assert is_truncated({"final_text": "the driver will"}, min_chars=10)


LOOPS = [
    "z" * 30,
    "no " + "z" * 40,
    "!" * 30,
    "哈" * 30,
    "0." + "0" * 300,
    "wait " + "." * 400,
    "0" * 40 + ".",
    "😂" * 30,
]
NO_LOOPS = [
    "z" * 29,
    "-" * 80,
    "=" * 80,
    "a" + " " * 60 + "b",
    "\n" * 40,
    "| " + "-" * 40 + " |",
    "_" * 40,
    "*" * 40,
    "#" * 40,
    "─" * 40,
    "Chapter 1 " + "." * 40 + " 5",
    "commit " + "0" * 40 + " is the null commit",
    "0x" + "0" * 40,
    "1" + "0" * 40,
    "~" * 40,
    "ab" * 40,
]


def test_degenerate() -> None:
    assert [text for text in LOOPS if not is_degenerate(text)] == []
    assert [text for text in NO_LOOPS if is_degenerate(text)] == []


STUBS = [
    "",
    "  \n",
    "<agent error: connection reset>",
    "<Agent error: x> trailing",
    "502 Bad Gateway",
    "503 Service Unavailable\n",
    "HTTP/1.1 502 Bad Gateway",
    "Error: 500 Internal Server Error",
    "The server returned 503",
    "POST /v1/chat returned 503",
    "https://api.example.com returned HTTP 429 Too Many Requests.",
    "<html><head><title>502 Bad Gateway</title></head>",
    "Error code: 429 - {'error': {'message': 'You exceeded your current quota'}}",
    "HTTP 500",
    "httpx.HTTPStatusError: Server error '503 Service Unavailable' for url 'https://x'",
    "429 Too Many Requests: retry in 20 s",
]
REPLIES = [
    "500 MB is the limit",
    "404 Main Street",
    "502 orders shipped today.",
    "500",
    "404 Not Found means the page is gone.",
    "The refund service returned 503, so I could not refund you.",
    "I tried, and the service returned 503",
    "HTTP 404 means not found.",
    "Error code 404 usually says that a page is missing.",
    "Your order is 4417.",
    "It returned 512 rows.",
    "450 g of flour",
    "The search returned 412 results",
]


def test_stub() -> None:
    assert [text for text in STUBS if not is_stub(text)] == []
    assert [text for text in REPLIES if is_stub(text)] == []


@given(st.text(), st.dictionaries(st.sampled_from(["final_text", "reason", "steps", "finish_reason"]), json_values))
def test_odd_text_and_rows_are_read_and_left_alone(text: str, row: dict) -> None:
    held = copy.deepcopy(row)
    answers = [reads_finished(text), is_degenerate(text), is_stub(text), is_truncated(row, min_chars=0)]
    assert set(map(type, answers)) == {bool}
    assert repr(row) == repr(held)
