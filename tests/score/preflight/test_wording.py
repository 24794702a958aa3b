"""How texts speak of tools: names, verbs with their synonyms, nouns with their inflections."""

from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.score.dimensions.tools import read_tools
from whileai.simulations.score.preflight.inflections import forms, numbers, singular
from whileai.simulations.score.preflight.wording import Spoken, Wording


def spoken(name: str) -> Spoken:
    return Spoken(read_tools([{"name": name}])[0])


@each_of(
    ("name", "policy"),
    [
        ("zap_widget", "Never call ZAP_WIDGET twice."),
        ("get_order", "Look up the order before discussing it."),
        ("get_order", "Look the orders up first."),
        ("getOrder", "Check every order."),
        ("lookup_order", "Find the order."),
        ("order_lookup", "Find the order."),
        ("escalate_to_human", "Complaints must be escalated to a human."),
        ("transfer_to_human_agent", "Hand the customer off to a human agent."),
        ("create_ticket", "Open a ticket when a device is lost."),
        ("verify_identity", "Confirm the customer's identity."),
        ("unlock_account", "Unlocking an account needs a call."),
        ("issue_refund", "Give a refund within 30 days."),
        ("pay_invoice", "Payment of an invoice needs two approvals."),
        ("cancel_orders", "An order is cancelled once."),
        ("cancel_policy", "Cancelling policies is final."),
        ("search", "Search the catalogue first."),
        ("github__create_issue", "File an issue for each bug."),
    ],
)
def test_a_policy_mentions_a_tool(name: str, policy: str) -> None:
    assert spoken(name).mentioned_in(Wording(policy))


@each_of(
    ("name", "policy"),
    [
        ("cancel_subscription", "Cancel an order."),
        ("archive_order", "Look up an order."),
        ("transfer", "Search the catalogue."),
        ("zap_widget", "Never call zapwidget."),
        ("get_order", "The border is looked after."),
        ("get_order", "Look at the map. Line up for the order."),
        ("add_note", "Note the address."),
        ("search", ""),
    ],
)
def test_a_policy_does_not_mention_a_tool(name: str, policy: str) -> None:
    assert not spoken(name).mentioned_in(Wording(policy))


@each_of(
    ("name", "ask", "named"),
    [
        ("lookup_order", "Where is order 4473?", True),
        ("cancel_order", "Where is order 4473?", True),
        ("get_invoice", "Please resend both invoices", True),
        ("issue_refund", "I was refunded twice", True),
        ("get_order_details", "Where is my order?", False),
        ("book_car", "Please cancel my credit card", False),
        ("book_car", "Do you care?", False),
        ("escalate_to_human", "Can I talk to a human?", True),
        ("transfer", "I transferred the money", True),
        ("log_in", "It is in the box", False),
        ("log_in", "I cannot log in", True),
    ],
)
def test_an_ask_names_a_tool_by_its_nouns(name: str, ask: str, named: bool) -> None:
    assert spoken(name).named_in(Wording(ask)) is named


@pytest.mark.parametrize(
    ("word", "some"),
    [
        ("ship", {"shipped", "shipping", "ships"}),
        ("refund", {"refunded", "refunding", "refunds"}),
        ("verify", {"verified", "verifies", "verifying"}),
        ("box", {"boxes"}),
        ("send", {"sent"}),
        ("change", {"changed", "changing"}),
        ("policies", {"policy", "policies"}),
    ],
)
def test_inflections_of_a_word(word: str, some: set[str]) -> None:
    assert some <= forms(word)
    assert word in forms(word)


def test_a_number_is_no_verb_form_and_a_short_word_keeps_its_s() -> None:
    assert numbers("order") == {"order", "orders"}
    assert [singular(word) for word in ("gas", "bus", "this", "is")] == ["gas", "bus", "this", "is"]


def test_a_long_word_is_read_in_linear_space() -> None:
    assert len(Wording("a" * 1_000_000).stems) < 20


@each_of(
    ("name", "text", "mentioned"),
    [
        ("get_s3_object", "Fetch the S3 object first.", True),
        ("getS3Object", "Fetch the object first.", False),
        ("send_2fa_code", "Send a 2FA code before a change.", True),
        ("send_2fa_code", "Send a code before a change.", False),
        ("löschen_termin", "Termin löschen nur nach Rückfrage.", True),
        ("get_order_v2", "Look up the order first.", True),
        ("issue_refund", "退款前先调用issue_refund工具。", True),
        ("issue_refund", "退款前先调用reissue_refund工具。", False),
        ("查询订单", "请先使用查询订单工具。", True),
        ("zap", "Say zapé.", False),
    ],
)
def test_names_with_digits_accents_and_other_scripts(name: str, text: str, mentioned: bool) -> None:
    assert spoken(name).mentioned_in(Wording(text)) is mentioned


@pytest.mark.parametrize(
    ("name", "policy", "mentioned"),
    [
        ("block_card", "Freeze the card at once.", True),
        ("exchange_item", "Swap the item once.", True),
        ("search_products", "Look for products first.", True),
        ("escalate_to_human", "Put the caller through to a human.", True),
        ("approve_loan", "Sign off on a loan only above the limit.", True),
        ("block_card", "Order a new card.", False),
        ("approve_loan", "Sign the loan.", False),
    ],
)
def test_more_synonyms(name: str, policy: str, mentioned: bool) -> None:
    assert spoken(name).mentioned_in(Wording(policy)) is mentioned
