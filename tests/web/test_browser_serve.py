"""A served page in headless Chromium: labels go to a file, new rows are offered, nobody else gets anything."""

from __future__ import annotations

import json

import whileai.simulations as wai
from page.served import line, serving, write_rows
from web.chromium import Opened


def test_three_rows_are_labelled_into_the_file_and_new_rows_are_read(chromium, tmp_path):
    rows, labels = write_rows(tmp_path / "run.jsonl"), tmp_path / "labels.jsonl"
    with serving(rows, labels) as served, Opened(chromium, served.address, stopped_clock=True) as opened:
        page = opened.page
        page.fill("#annotator", "ana")
        page.get_by_role("button", name="Browse all rollouts").first.click()
        for key, verdict in (("p", "pass"), ("f", "fail"), ("p", "pass")):
            page.keyboard.press(key)
            page.locator("#verdict-said", has_text=f"{verdict}, saved").wait_for()
            page.keyboard.press("j")
        given = [(entry["key"], entry["label"], entry["annotator"]) for entry in served.lines()]
        assert given == [("a#0", 1, "ana"), ("a#1", 0, "ana"), ("b#0", 1, "ana")]
        with rows.open("a", encoding="utf-8") as file:
            file.write(line("new", 0))
        page.clock.run_for(5_500)
        page.locator(".grown", has_text="There are new rows.").wait_for()
        page.keyboard.press("Escape")
        page.evaluate("scrollTo(0, 300)")
        with page.expect_navigation():
            page.get_by_role("button", name="Read them").click()
        page.wait_for_function("scrollY === 300")
        assert "9 of 9 rollouts in this page" in (page.locator("footer.foot").text_content() or "")
        assert opened.text("#labelled") == "3 labelled: 2 pass, 1 fail"
        assert opened.complaints == []
        own = served.address.partition("?")[0]
        assert all(url.startswith((own, "data:")) for url in opened.requests)
    assert wai.attach_labels(wai.load_rows(rows), labels)[1]["matched"] == 3


def test_what_others_said_is_not_shown_and_cannot_be_taken_back(chromium, tmp_path):
    rows, labels = write_rows(tmp_path / "run.jsonl"), tmp_path / "labels.jsonl"
    with serving(rows, labels) as served:
        assert served.label("a#0", 1, annotator="bob") == 204
        with Opened(chromium, served.address) as opened:
            page = opened.page
            page.fill("#annotator", "ana")
            page.get_by_role("button", name="Browse all rollouts").first.click()
            assert page.locator(".option .badge", has_text="you:").count() == 0
            opened.press("x", "f")
            page.locator("#verdict-said", has_text="fail, saved").wait_for()
            opened.press("x")
            page.locator("#verdict-said", has_text="cleared, saved").wait_for()
            opened.press("Escape")
            page.fill("#annotator", "bob")
            page.locator("#annotator").blur()
            assert opened.text("#labelled") == "1 labelled: 1 pass"
        assert [(entry["label"], entry["annotator"]) for entry in served.lines()] == [
            (1, "bob"), (0, "ana"), ("cleared", "ana"),
        ]  # fmt: skip


def test_an_address_with_another_token_shows_nothing(chromium, tmp_path):
    rows, labels = write_rows(tmp_path / "run.jsonl"), tmp_path / "labels.jsonl"
    with serving(rows, labels) as served:
        context = chromium.new_context()
        for address in (served.address[:-1] + "!", served.address.partition("?")[0]):
            answer = context.request.get(address)
            assert (answer.status, answer.body()) == (403, b"")
        other = context.new_page()
        other.goto("about:blank")
        body = json.dumps({"key": "a#0", "label": 1})
        sent = other.evaluate(
            """([url, body, headers]) =>
            fetch(url, {method: "POST", body, headers}).then(() => "sent", () => "stopped")""",
            [served.address.partition("?")[0] + "labels", body, {"X-Wai-Token": served.token}],
        )
        context.close()
        assert sent == "stopped"
        assert served.lines() == []
