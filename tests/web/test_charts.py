"""What charts and tables look like: where their parts stand on the screen and on paper, in headless Chromium."""

from __future__ import annotations

from itertools import pairwise

import pytest

from web.chromium import Opened
from web.documents import document, rollout
from whileai.simulations.web.page import render

EDGES = [(0.0, 0.0), (0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.0), (1.0, 1.0)]
COUNTS = [9, 3, 10, 8, 12, 12, 3]
HISTOGRAM = {
    "kind": "histogram",
    "title": "Tasks by pass rate",
    "x": "pass rate",
    "y": "tasks",
    "bins": [
        {"label": f"{low}-{high}", "low": low, "high": high, "count": n, "filter": None}
        for (low, high), n in zip(EDGES, COUNTS, strict=True)
    ],
    "band": [0.2, 0.8],
    "band_label": "contrast",
}
TABLE = {
    "kind": "table",
    "title": "Tasks",
    "search": False,
    "columns": [{"key": "task", "label": "task", "type": "text"}],
    "rows": [{"task": f"t{number}"} for number in range(9)],
}


SECTION = {"id": "s", "title": "S", "lead": "L.", "blocks": [HISTOGRAM, TABLE], "more": None}


@pytest.fixture(scope="module")
def window(chromium, tmp_path_factory):
    path = tmp_path_factory.mktemp("charts") / "report.html"
    path.write_text(render(document(sections=[SECTION], items=[rollout("t", 0)])), encoding="utf-8")
    with Opened(chromium, path) as page:
        yield page
        assert page.complaints == []


def boxes(window, selector):
    return window.page.locator(selector).evaluate_all("all => all.map(each => each.getBoundingClientRect().toJSON())")


def test_bars_of_single_values_stand_apart_with_their_counts_over_them(window):
    figure = ".charted svg.plot"
    window.page.locator(figure).wait_for()
    bars = boxes(window, f"{figure} g.marks > rect")
    gaps = [right["left"] - left["right"] for left, right in pairwise(bars)]
    assert [gap > 6 for gap in gaps] == [True, False, False, False, False, True]
    counts = [box for box in boxes(window, f"{figure} text") if box["bottom"] < bars[0]["bottom"] - 5][-len(bars) :]
    for bar, count in zip(bars, counts, strict=True):
        assert bar["left"] < count["left"] < count["right"] < bar["right"]
        assert count["bottom"] < bar["top"]


def test_the_band_is_seen_over_the_tallest_bar(window):
    band, *_, tallest, _, _ = boxes(window, ".charted svg.plot rect")
    assert band["top"] < tallest["top"] - 5


def test_a_table_on_paper_repeats_its_head_and_an_empty_queue_is_left_out(window):
    """A head that holds a box, such as a button, is not repeated by Chromium."""
    window.page.emulate_media(media="print")
    display = "element => getComputedStyle(element).display"
    assert window.page.locator(".tabled thead button").first.evaluate(display) == "contents"
    assert window.page.locator(".drawn").evaluate("figure => getComputedStyle(figure).breakInside") == "avoid"
    assert not window.page.locator("#review").is_visible()
    window.page.emulate_media(media="screen")


def test_a_table_wider_than_the_screen_has_a_shadow_at_the_side_that_goes_on(window):
    style = window.page.locator(".scroll").evaluate(
        "table => [getComputedStyle(table).overflowX, getComputedStyle(table).backgroundAttachment]"
    )
    assert style == ["auto", "local, local, scroll, scroll, scroll"]
