"""The HTML of a page, before any browser sees it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import sys
from html.parser import HTMLParser

import pytest

from web.documents import HOSTILE, document, hostile, rollout
from web.rich import rich
from whileai.simulations.errors import MissingExtraError
from whileai.simulations.web.page import ASSETS, STATIC_ROWS, render


class Read(HTMLParser):
    """Tags with their attributes, and the text of each script, style and template."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "template": []}
        self._within: str | None = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in self.texts:
            self._within = tag
            self.texts[tag].append("")

    def handle_endtag(self, tag):
        if tag == self._within:
            self._within = None

    def handle_data(self, data):
        if self._within:
            self.texts[self._within][-1] += data

    def policy(self) -> str:
        return next(a["content"] for _, a in self.tags if a.get("http-equiv") == "Content-Security-Policy")


@pytest.fixture(scope="module")
def page() -> str:
    return render(rich())


@pytest.fixture(scope="module")
def attacked() -> str:
    return render(hostile())


def test_the_policy_allows_the_pages_own_scripts_and_styles_and_nothing_else(page):
    read = Read(page)
    rules = dict(rule.split(" ", 1) for rule in read.policy().split("; "))
    for tag in ("script", "style"):
        digests = (hashlib.sha256(text.encode()).digest() for text in read.texts[tag])
        hashes = [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
        assert rules[f"{tag}-src"].split() == hashes
        assert hashes
    assert rules["default-src"] == rules["connect-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert "unsafe" not in read.policy()


def test_a_served_page_may_call_its_own_server_only(page):
    served = Read(render(rich(), {"labels": "/labels", "token": "t"})).policy()
    assert served == Read(page).policy().replace("connect-src 'none'", "connect-src 'self'")


@pytest.mark.parametrize("name", ["page", "attacked"])
def test_no_handler_no_style_attribute_no_address(name, request):
    read = Read(request.getfixturevalue(name))
    attributes = [(tag, key, value or "") for tag, found in read.tags for key, value in found.items()]
    assert not [each for each in attributes if each[1].startswith("on") or each[1] in ("style", "srcdoc")]
    links = [value for _, key, value in attributes if key in ("src", "href", "action", "formaction")]
    assert all(value.startswith(("#", "data:image/svg+xml,")) for value in links)


def test_hostile_text_makes_no_element(page, attacked):
    tags = {tag for tag, _ in Read(attacked).tags}
    assert tags <= {tag for tag, _ in Read(page).tags}
    assert not tags & {"img", "iframe", "base", "object", "embed", "form"}


def test_no_text_of_the_document_is_in_a_script(page, attacked):
    assert Read(attacked).texts["script"] == Read(page).texts["script"]
    assert Read(attacked).texts["style"] == Read(page).texts["style"]


def test_rollouts_travel_whole(attacked):
    made = hostile()["rollouts"]["items"]
    bodies = [json.loads(text) for text in Read(attacked).texts["template"][1:]]
    assert [body["turns"][0]["text"] for body in bodies] == [item["turns"][0]["text"] for item in made]
    assert bodies[8]["turns"][0]["text"] == HOSTILE[8]


def test_control_characters_of_a_label_are_written_out(attacked):
    assert "\u202e" not in re.sub(r"<template.*?</template>", "", attacked, flags=re.DOTALL)
    assert "pay ⟨U+202E⟩001 eur" in attacked


def test_every_chart_has_its_numbers_in_the_html(page):
    written = html.unescape(re.sub(r"<[^>]+>", " ", page.split('<template id="wai-data">')[0]))
    for number in ("0.458", "[0.348, 0.568]", "+0.410", "16,000 in 3 rows", "−36", "12.5%", "11,200"):
        assert number in written


def test_the_html_holds_the_first_rows_of_a_long_table():
    columns = [{"key": "a", "label": "a", "type": "number"}, {"key": "b", "label": "b", "type": "text"}]
    rows = [{"a": i, "b": f"row {i}.", "filter": None} for i in range(1000)]
    table = {"kind": "table", "title": "t", "columns": columns, "rows": rows, "search": True}
    section = {"id": "s", "title": "s", "lead": "l", "blocks": [table], "more": None}
    made = render(document(sections=[section]))
    shown, data = made.split('<template id="wai-data">')
    assert f"row {STATIC_ROWS - 1}." in shown
    assert f"row {STATIC_ROWS}." not in shown
    assert "row 999." in data
    assert f"The first {STATIC_ROWS} of 1,000." in shown


def test_a_document_of_nothing_is_a_page():
    read = Read(render(document()))
    assert "table" not in {tag for tag, _ in read.tags}
    assert json.loads(read.texts["template"][0])["rollouts"]["name"] == []


def test_a_filter_nobody_defined_opens_nothing():
    bar = {"label": "a", "value": 1, "text": None, "filter": "lost"}
    block = {"kind": "bars", "title": "t", "x": "rows", "rows": [bar]}
    section = {"id": "s", "title": "s", "lead": "l", "blocks": [block], "more": None}
    assert 'data-filter="lost"' not in render(document(sections=[section]))


def test_the_same_document_is_the_same_page(page):
    assert render(rich()) == page


def test_a_turn_travels_without_its_empty_keys():
    item = rollout("t", 0, turns=[{"who": "user", "text": "", "name": None, "failed": False}])
    body = json.loads(Read(render(document(items=[item]))).texts["template"][1])
    assert body["turns"] == [{"who": "user", "text": ""}]


def test_without_jinja2_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'whileai\[report\]'"):
        render(document())


def test_the_chart_library_has_its_licences_beside_it():
    licences = (ASSETS / "plot-licences.txt").read_text()
    assert licences.count("Permission to use, copy, modify") >= 10
    assert "@observablehq/plot" in licences
    for name in ("plot.js", "plot-licences.txt"):
        assert not re.search(r"registry|unpkg|jsdelivr|cdn", (ASSETS / name).read_text(), re.IGNORECASE)
