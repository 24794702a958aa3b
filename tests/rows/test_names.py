"""What the words of a tool's name say."""

from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.rows.names import may_change, name_words, opens_with_change, says_change, words_in

READS = sorted(
    words_in("""
get_user search_docs lookup_fare check_stock preview_invoice github__list_issues orders.get get_order getOrder
list_bookings get_refund_status look_up_order order_lookup view_order find_order_by_id check_refund_eligibility think
calculate get_update fetchUserOrders mcp__shop__get_cart list_deleted_items track_parcel open_file get_open_order
verify_identity browse estimate_price translate_text describe_image count_rows get_order_history order_status
""")
)
WRITES = sorted(
    words_in("""
issue_refund reboot cancel_order verify_and_charge_card checkout_cart check_in_guest update_address orders.refund
lookup_and_refund getOrCreateUser send_email open_ticket transfer_to_human_agents browser_click modify_order set_theme
book_flight createIssue delete_user status_update select_seat zap shop/add_item escalate unknown update_list
""")
)


@each_of("name", READS)
def test_a_clear_read_changes_nothing(name):
    assert not may_change(name)


@each_of("name", [*WRITES, ""])
def test_anything_else_may_change_something(name):
    assert may_change(name)


@each_of(
    "name", ["create_x", "update_x", "set_x", "delete_x", "send_x", "pay", "refund_order", "book", "cancelOrder",
    "run_x",
             "shop.refund", "open_ticket", "check_in_guest"],
)  # fmt: skip
def test_a_name_opens_with_a_change(name):
    assert opens_with_change(name)


@pytest.mark.parametrize(
    "name", ["get_refund", "order_lookup", "orders.get", "account_update", "", "browser_click", "book_search"]
)
def test_a_name_opens_with_something_else(name):
    assert not opens_with_change(name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("read_file", ("read", "file")), ("getUserID", ("get", "user", "id")), ("a-b.c:d", ("a", "b", "c", "d")),
        ("HTTPServer2", ("http", "server", "2")), ("", ()), ("退款", ("退款",)),
    ],
)  # fmt: skip
def test_a_name_falls_into_words(name, words):
    assert name_words(name) == words


def test_a_word_within_a_word_says_nothing():
    assert not says_change("address")
    assert not says_change("settings")


@each_of(
    ("name", "words"),
    [
        ("größe_ändern", ("größe", "ändern")),
        ("ÄndereBestellung", ("ändere", "bestellung")),
        ("cafe\u0301_menu", ("café", "menu")),
        ("naïveBayes2", ("naïve", "bayes", "2")),
        ("создать_заказ", ("создать", "заказ")),
        ("get注文", ("get", "注文")),
        ("注文を取得", ("注文を取得",)),
        ("हिन्दी_नाम", ("हिन्दी", "नाम")),
    ],
)
def test_letters_of_any_script_belong_to_their_word(name: str, words: tuple[str, ...]) -> None:
    assert name_words(name) == words
