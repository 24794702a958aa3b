from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import pytest

from run.toolsets import CALENDAR, SHOP, SHOP_POLICY, TEXT, TOOLSETS, schema
from tables import each_of
from whileai.simulations.run.phrasing import ask
from whileai.simulations.run.phrasing.request import request
from whileai.simulations.run.phrasing.rules import known, topic
from whileai.simulations.run.schema import declared
from whileai.simulations.run.situations import Situation, plan_situations
from whileai.simulations.score.preflight.stance import stance_of

LEFTOVER = re.compile(r"[{}]|\b(?:None|unspecified|_id)\b|\s[,.;?!]|\.\.|,,|  |\ba [aeio]\w|\ban [^aeiou\W]")


@lru_cache
def everything(n: int = 300) -> list[tuple[Situation, str, dict[str, Any]]]:
    found = []
    for tools, policy in TOOLSETS.values():
        for one in plan_situations(tools, policy, mode="rl", n=n):
            found.append((one, *ask(one)))
    return found


def test_no_ask_shows_its_template() -> None:
    for one, text, _ in everything():
        plain = re.sub(r'"[^"]*"|`[^`]*`', "X", text)
        assert not LEFTOVER.search(plain), (one.id, text)
        assert text == text.strip()
        assert text


def test_the_ask_names_every_value_of_the_call() -> None:
    for one, text, _ in everything():
        for _, arguments in () if one.vague else one.wanted:
            for value in arguments.values():
                for part in value if isinstance(value, list) else [value]:
                    written = str(part).replace("T", " ").removesuffix(":00") if "T" in str(part) else str(part)
                    assert written in text or str(part) in text, (arguments, text)


def test_a_vague_ask_names_no_record() -> None:
    for one, text, _ in everything():
        if one.vague and one.entity:
            assert one.entity not in text


def test_phrasings_of_a_situation_differ() -> None:
    for one in plan_situations(SHOP, SHOP_POLICY, n=130):
        texts = [ask(one, index)[0] for index in range(5)]
        assert len(set(texts)) == 5, texts
        assert ask(one, 2)[0] == texts[2]


def test_asks_are_as_varied_as_people() -> None:
    texts = [text for _, text, _ in everything()]
    assert len(set(texts)) > 0.98 * len(texts)
    assert len({" ".join(text.split()[:3]) for text in texts}) > 200


def test_an_ask_sounds_like_its_stance() -> None:
    hits: dict[str, list[bool]] = {}
    for one, text, _ in everything():
        stance = one.dimensions["stance"]
        if stance in ("adversarial", "hurried") and one.dimensions["history"] == "fresh":
            hits.setdefault(stance, []).append(stance_of(text) == stance)
    assert all(sum(found) / len(found) > 0.8 for found in hits.values()), hits


def test_the_labels_describe_the_text() -> None:
    for one, text, labels in everything():
        words = len(text.split())
        assert labels["length"] == ("short" if words <= 12 else "medium" if words <= 28 else "long")
        assert labels["phrasing"] == 0
        assert set(labels) - {"user"} == {"phrasing", "tone", "length", "ask", "texture"}
        assert not one.wanted or labels["ask"] in ("question", "imperative", "statement")


@each_of(
    ("tool", "arguments", "wanted"),
    [
        (schema("cancel_order", [], order_id=TEXT), {"order_id": "7"}, "cancel order 7"),
        (schema("issue_refund", [], order_id=TEXT), {"order_id": "7"}, "issue a refund for order 7"),
        (
            schema("change_address", [], order_id=TEXT, city=TEXT),
            {"order_id": "7", "city": "Bonn"},
            "change the address of order 7 to Bonn",
        ),
        (
            schema("escalate_to_human", [], reason=TEXT),
            {"reason": "I was charged twice"},
            "escalate this to a human because I was charged twice",
        ),
        (
            schema("send_email", [], to=TEXT, subject=TEXT),
            {"to": "a@b.co", "subject": "Hi"},
            'send an email with the subject "Hi" to a@b.co',
        ),
        (
            schema("write_file", [], path=TEXT, content=TEXT),
            {"path": "a/b.md", "content": "Hi"},
            'write "Hi" to a/b.md',
        ),
        (schema("run_sql", [], query=TEXT), {"query": "SELECT 1"}, "run `SELECT 1`"),
        (
            schema("update_customer", [], customer_id=TEXT, email=TEXT),
            {"customer_id": "C-1", "email": "a@b.co"},
            "change the email of customer C-1 to a@b.co",
        ),
        (
            schema("transfer_funds", [], from_account=TEXT, to_account=TEXT, amount=TEXT),
            {"from_account": "A", "to_account": "B", "amount": 5},
            "transfer 5 from account A to account B",
        ),
        (
            schema("turn_on_lights", [], room={"enum": ["living_room"]}),
            {"room": "living_room"},
            "turn on the lights in the living room",
        ),
        (
            schema("translate_text", [], text=TEXT, target_language=TEXT),
            {"text": "Hi", "target_language": "Dutch"},
            'translate "Hi" into Dutch',
        ),
        (schema("add_to_cart", [], product_id=TEXT), {"product_id": "P-1"}, "add product P-1 to the cart"),
    ],
    ids=lambda value: value.get("name", "") if isinstance(value, dict) else "",
)
def test_a_call_in_words(tool: dict[str, Any], arguments: dict[str, Any], wanted: str) -> None:
    read = declared([tool])[tool["name"]]
    acts = {request(read, arguments, number).act for number in range(20)}
    assert wanted in acts


@pytest.mark.parametrize(
    ("rule", "knows", "about"),
    [
        (
            "Refunds over $200 must be escalated to a human.",
            "refunds over $200 must be escalated to a human",
            "refunds over $200",
        ),
        (
            "Never share another customer's data.",
            "you're never supposed to share another customer's data",
            "sharing another customer's data",
        ),
        (
            "Look the order up before you discuss it.",
            "you're supposed to look the order up before you discuss it",
            "looking the order up",
        ),
        (
            "Do not send mail to people outside.",
            "you're not supposed to send mail to people outside",
            "sending mail to people outside",
        ),
        (
            "You must verify the user's identity first.",
            "you must verify the user's identity first",
            "verifying the user's identity first",
        ),
        ("Refunds: 30 days", 'the rules say "Refunds: 30 days"', '"Refunds: 30 days"'),
        ("unspecified", "", ""),
    ],
    ids=["states", "never", "order", "do not", "you must", "label", "none"],
)
def test_a_rule_is_brought_up_as_people_do(rule: str, knows: str, about: str) -> None:
    assert known(rule) == knows
    assert topic(rule) == about


def test_moments_are_written_as_people_write_them() -> None:
    texts = [ask(one)[0] for one in plan_situations(CALENDAR, n=100) if one.tool == "create_event" and not one.vague]
    assert texts
    assert not any(re.search(r"\dT\d", text) for text in texts)
