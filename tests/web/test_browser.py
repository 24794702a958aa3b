"""The page as a person uses it: charts, tables, viewer and labels, in headless Chromium."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import whileai.simulations as wai
from web.chromium import Opened
from web.documents import document, rollout
from web.rich import rich
from whileai.simulations.web.page import render


@pytest.fixture(scope="module")
def made():
    return rich()


@pytest.fixture(scope="module")
def file(made, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render(made), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def window(chromium, file):
    with Opened(chromium, file) as page:
        yield page


@pytest.fixture
def opened(window):
    """The page loaded anew, in a window whose storage is empty."""
    window.page.evaluate("localStorage.clear()")
    window.at()
    yield window
    assert window.complaints == []
    assert window.elsewhere() == []


def shown(opened) -> str:
    return opened.text("#talk-title")


def test_every_chart_is_drawn_and_no_request_leaves_the_page(opened, made):
    kinds = [block["kind"] for section in made["sections"] for block in section["blocks"]]
    for figure in opened.page.locator("figure.plotted, figure.charted").all():
        figure.scroll_into_view_if_needed()
        figure.locator("svg.plot").wait_for(state="attached")
    drawn = {"intervals", "bars", "steps", "histogram", "scatter"}
    assert opened.page.locator("svg.plot").count() == sum(kind in drawn for kind in kinds)
    assert opened.page.locator("svg.plot style").count() == 0


def test_whiskers_lie_where_their_numbers_say(opened):
    """The axis of rates runs from 0 to 1: two known whiskers fix it, a third is checked against it."""
    figure = opened.page.locator("[data-block=pass-rates-1]")
    figure.locator("svg.plot").wait_for(state="attached")
    lines = figure.locator("svg.plot line").evaluate_all(
        "all => all.filter(line => line.getAttribute('y1') === line.getAttribute('y2'))"
        ".map(line => line.getBoundingClientRect().toJSON())"
    )
    spans = [(line["left"], line["right"]) for line in lines if line["width"] > 5][-4:]
    wanted = [(0.348, 0.568), (0.21, 0.45), (0.12, 0.4), (0.048, 0.368)]
    scale = (spans[0][1] - spans[0][0]) / (0.568 - 0.348)
    origin = spans[0][0] - 0.348 * scale
    for (left, right), (low, high) in zip(spans, wanted, strict=True):
        assert (left - origin) / scale == pytest.approx(low, abs=0.004)
        assert (right - origin) / scale == pytest.approx(high, abs=0.004)


def test_a_flag_leads_to_its_rollout_by_click(opened, made):
    opened.page.click("text=claims an action that failed")
    assert opened.text("#viewer-title") == "Claims an action that failed"
    assert opened.text("#viewer-count") == "8 of 31 rollouts are in this page"
    assert shown(opened) == "refund-00 #0"
    assert opened.text("mark.evidence") == "your refund-00 is confirmed"
    assert opened.page.locator(".turn.failed").count() == 1
    opened.press("j")
    assert shown(opened) == "upgrade-03 #0"
    opened.page.wait_for_url("**#rollout=upgrade-03%230")
    opened.press("ArrowLeft")
    assert shown(opened) == "refund-00 #0"


def test_a_flag_leads_to_its_rollout_by_keyboard_and_back(opened):
    flag = opened.page.get_by_role("button", name="claims an action that failed").first
    flag.focus()
    opened.press("Enter")
    opened.page.locator("#talk-title").wait_for()
    opened.press("j", "j", "k")
    assert shown(opened) == "upgrade-03 #0"
    for _ in range(12):  # the tab key stays within the viewer
        opened.press("Tab")
        assert opened.page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('#viewer')"
        )
    opened.press("Escape")
    assert not opened.page.locator("#viewer").is_visible()
    assert flag.evaluate("button => button === document.activeElement")
    assert "#rollout" not in opened.page.url


def test_a_bar_of_the_histogram_is_a_button(opened):
    figure = opened.page.locator("[data-block=tasks-1]")
    figure.scroll_into_view_if_needed()
    bar = figure.locator("svg [data-filter]").first
    assert bar.get_attribute("aria-label") == "0.0–0.2: 8 tasks"
    bar.focus()
    opened.press("Enter")
    assert opened.text("#viewer-count") == "32 rollouts"


def test_the_list_follows_the_arrow_keys(opened):
    opened.page.click("text=pass@1 >> xpath=../.. >> button.to")
    opened.page.focus("#viewer-list")
    opened.press("ArrowDown", "ArrowDown", "End")
    count = int(opened.text("#viewer-count").split()[0])
    chosen = opened.page.locator(".option[aria-selected=true]")
    assert chosen.get_attribute("aria-posinset") == chosen.get_attribute("aria-setsize") == str(count)
    assert chosen.is_visible()


def test_search_narrows_the_list_and_marks_the_words(opened):
    opened.page.click("text=Browse all rollouts")
    opened.press("/")
    opened.page.keyboard.type("YOUR VOUCHER-06 is")
    opened.page.locator("#viewer-count", has_text="4 of 96").wait_for()
    opened.page.locator("mark.hit").get_by_text("your voucher-06 is", exact=True).first.wait_for()
    opened.press("Escape")
    opened.page.locator("#viewer-count", has_text="96 rollouts").wait_for()


def test_a_long_text_is_folded_and_unfolds(opened):
    opened.page.click("text=Browse all rollouts")
    system = opened.page.locator(".turn.system .said")
    before = len(system.text_content())
    system.locator(".gap").click()
    assert len(system.text_content()) > 1.9 * before
    assert system.locator(".gap").count() == 0


def test_evidence_is_marked_over_other_white_space_and_around_an_ellipsis(window, tmp_path):
    said = "x" * 9000 + " The  refund\nof 40 dollars (or so) was sent to your card today."
    flag = {"name": "refund", "evidence": "refund of 40 dollars … card today"}
    item = rollout("t", 0, flags=[flag], turns=[{"who": "agent", "text": said}])
    path = tmp_path / "evidence.html"
    path.write_text(render(document(items=[item])), encoding="utf-8")
    window.at("#rollout-0", path)
    marks = window.page.locator("mark.evidence")
    assert marks.all_text_contents() == ["refund\nof 40 dollars", "card today"]
    window.page.click(".flags button")
    assert marks.first.evaluate("mark => mark.classList.contains('current')")
    assert window.page.locator(".gap").count() == 1
    assert window.complaints == []


def test_a_number_without_rollouts_in_the_sample_says_so(opened):
    opened.page.click("text=cut at the limit")
    assert "None of the rollouts behind this number" in opened.text("#viewer-talk")
    assert opened.page.locator("[data-verdict=pass]").is_disabled()


def test_an_address_opens_its_rollout(opened):
    opened.at("#rollout-5")
    assert shown(opened) == "rebook-01 #1"


def test_a_table_is_sorted_and_searched(opened):
    figure = opened.page.locator("[data-block=tasks-2]")
    rates = figure.locator("tbody td:nth-child(3)")
    figure.get_by_role("button", name="pass rate").click()
    assert figure.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"
    values = [text.split()[0] for text in rates.all_text_contents()]
    assert values[:-1] == sorted(values[:-1], reverse=True)
    assert values[-1] == "–"
    figure.get_by_role("button", name="pass rate").click()
    values = [text.split()[0] for text in rates.all_text_contents()]
    assert values[:-1] == sorted(values[:-1])
    assert values[-1] == "–"
    figure.get_by_role("searchbox").fill("voucher")
    assert figure.locator("tbody th").all_text_contents() == ["voucher-14", "voucher-06", "voucher-22"]


def test_three_labels_are_read_back_by_attach_labels(opened, made, tmp_path):
    opened.page.fill("#annotator", "ana")
    opened.page.click("text=Start reviewing")
    names = [shown(opened)]
    opened.press("p")
    names.append(shown(opened))
    opened.press("n")
    opened.page.keyboard.type('says it was done, "it was not" \u202e')
    opened.press("Enter", "f")
    names.append(shown(opened))
    opened.press("u", "k", "x", "p", "u")  # unsure, taken back, then a pass; the fourth stays unsure
    opened.press("Escape")
    with opened.page.expect_download() as download:
        opened.page.click("#review [data-save]")
    path = tmp_path / "labels.jsonl"
    download.value.save_as(path)
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert download.value.suggested_filename == "labels.jsonl"
    rows = [
        {"scenario_id": item["task"], "rollout_index": item["attempt"], "reward": item["reward"]}
        for item in made["rollouts"]["items"]
    ]
    rows, report = wai.attach_labels(rows, str(path))
    assert (report["labels"], report["unmatched"], report["invalid"]) == (4, 0, 1)  # the unsure one is no 0 or 1
    assert report["annotators"] == ["ana"]
    gold = {f"{row['scenario_id']} #{row['rollout_index']}": row["gold_reward"] for row in rows if "gold_reward" in row}
    assert gold[names[0]] == 1
    assert gold[names[1]] == 0
    assert gold[names[2]] == 1
    assert len(gold) == report["matched"] == 3
    assert records[1]["note"] == 'says it was done, "it was not" \u202e'


def test_labels_are_there_when_the_file_is_opened_again(opened):
    opened.page.click("text=Start reviewing")
    opened.press("p", "Escape")
    opened.page.reload()
    assert opened.text("#labelled") == "1 labelled: 1 pass"
    assert opened.text("#review tbody td:last-child") == "pass"


def test_a_row_without_a_name_is_not_labelled(window, tmp_path):
    nameless = rich()
    for item in nameless["rollouts"]["items"][:-1]:
        item["key"] = None
    path = tmp_path / "nameless.html"
    path.write_text(render(nameless), encoding="utf-8")
    window.at("", path)
    window.page.click("text=Start reviewing")
    window.press("p")
    window.page.locator("#verdict-said", has_text="rollout_id").wait_for()
    assert window.page.locator("#labelled").text_content() == ""


def test_an_address_finds_its_rollout_by_name_in_a_later_page(window, made, tmp_path):
    later = {**made, "queue": [], "sections": [], "filters": {}, "headline": []}
    later["rollouts"] = {**made["rollouts"], "items": made["rollouts"]["items"][5:]}
    path = tmp_path / "later.html"
    path.write_text(render(later), encoding="utf-8")
    window.at("#rollout=upgrade-03%230", path)
    assert shown(window) == "upgrade-03 #0"
    window.at("#rollout=%zz", path)
    assert window.page.locator("#viewer").is_hidden()
    assert window.complaints == []


def test_two_windows_of_a_file_keep_each_others_labels_and_no_others(opened):
    opened.page.get_by_role("button", name="Browse all rollouts").first.click()
    opened.press("p")
    kept = opened.page.evaluate("Object.keys(localStorage).find(name => name.startsWith('wai-labels'))")
    other = opened.context.new_page()
    other.goto(opened.address)
    other.get_by_role("button", name="Browse all rollouts").first.click()
    other.keyboard.press("j")
    other.keyboard.press("f")
    other.close()
    opened.press("j", "j", "p")
    assert opened.text("#labelled") == "3 labelled: 2 pass, 1 fail"
    for broken in ("5", "[null]"):
        opened.page.evaluate("([name, text]) => localStorage.setItem(name, text)", [kept, broken])
        opened.page.reload()
        assert opened.text("#labelled") == ""


class Server:
    """A loopback server that gives one page and keeps what is posted to it."""

    def __init__(self, html: str) -> None:
        self.posts: list[tuple[str, dict]] = []
        self.version = "1"
        self.broken = False
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = (outer.version if self.path == "/version" else html).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.posts.append((self.headers["X-Wai-Token"], body))
                self.send_response(500 if outer.broken else 204)
                self.end_headers()

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def test_a_served_page_sends_each_label_and_says_what_became_of_it(chromium, made):
    serve = {"labels": "/labels", "token": "secret", "given": [{"key": "refund-00#0", "label": 1, "kind": "human"}]}
    with Server(render(made, serve)) as server, Opened(chromium, server.address) as page:
        assert page.text("#labelled") == "1 labelled: 1 pass"
        page.page.click("text=Start reviewing")
        page.press("p")
        page.page.locator("#verdict-said", has_text="pass, saved").wait_for()
        server.broken = True
        page.press("f")
        page.page.locator("#verdict-said", has_text="not saved: the server answered 500").wait_for()
        server.broken = False
        assert page.text("#labelled") == "3 labelled: 2 pass, 1 fail; 1 not saved"
        assert page.page.locator(".option .badge", has_text="you: fail, not saved").count() == 1
        page.press("k", "k", "x")
        page.page.locator("#verdict-said", has_text="cleared, saved").wait_for()
        page.page.locator("#labelled", has_text="2 labelled: 1 pass, 1 fail").wait_for(state="attached")
        page.page.wait_for_function("!document.querySelector('#labelled').textContent.includes('not saved')")
    assert [token for token, _ in server.posts] == ["secret"] * 4
    assert [(body["key"], body["label"]) for _, body in server.posts] == [
        ("voucher-06#0", 1),
        ("rebook-09#0", 0),
        ("voucher-06#0", "cleared"),
        ("rebook-09#0", 0),
    ]


def test_a_held_key_labels_once_and_a_note_waits_for_its_label(opened):
    opened.page.click("text=Start reviewing")
    first = shown(opened)
    opened.press("n")
    opened.page.keyboard.type("odd")
    opened.press("Enter", "j", "k")
    assert opened.page.input_value("#note") == "odd"
    for _ in range(5):
        opened.page.keyboard.down("f")
    opened.page.keyboard.up("f")
    assert opened.text("#labelled") == "1 labelled: 1 fail"
    opened.press("k")
    assert (shown(opened), opened.page.input_value("#note")) == (first, "odd")


def test_a_served_page_offers_to_read_new_rows(chromium, made):
    serve = {"labels": "/labels", "token": "secret", "version": "/version", "at": "1"}
    with Server(render(made, serve)) as server, Opened(chromium, server.address, stopped_clock=True) as page:
        with page.page.expect_response("**/version"):
            page.page.clock.run_for(5_500)
        assert page.page.locator(".grown").count() == 0
        server.version = "2"
        page.page.clock.run_for(5_500)
        page.page.locator(".grown", has_text="There are new rows.").wait_for()
        with page.page.expect_navigation():
            page.page.click("text=Read them")
