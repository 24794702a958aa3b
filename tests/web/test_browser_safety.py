"""The page under attack, at size, on a phone, in the dark, on paper, without scripts, and for everybody."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from web.chromium import Opened
from web.documents import HOSTILE, document, hostile, intervals, row
from web.large import large
from web.rich import rich
from whileai.simulations.web.page import render

PHONE = {"width": 360, "height": 740}
SCREEN = {"width": 1280, "height": 860}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render(rich()), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def window(chromium, file):
    with Opened(chromium, file) as page:
        yield page


@pytest.fixture
def opened(window):
    """The page loaded anew as a light screen shows it, in a window whose storage is empty."""
    window.page.emulate_media(media="screen", color_scheme="light")
    window.page.evaluate("localStorage.clear()")
    window.at()
    yield window
    assert window.complaints == []


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "hostile.html"
    path.write_text(render(hostile()), encoding="utf-8")
    return path


def draw_all(page):
    for figure in page.locator("figure.plotted, figure.charted").all():
        figure.scroll_into_view_if_needed()
        figure.locator("svg.plot").wait_for(state="attached")


def unharmed(page):
    """Nothing ran, nothing was asked for, nothing complained, and no element came of the text."""
    assert page.page.title() == "Hostile"
    assert page.complaints == []
    assert page.elsewhere() == []
    made = "img, iframe, base, object, embed, form, body > script:not(:is(#wai-data ~ script)), a:not([href^='#'])"
    assert page.page.locator(made).count() == 0


def test_a_hostile_document_runs_nothing(chromium, attacked):
    with Opened(chromium, attacked) as page:
        draw_all(page.page)
        page.page.locator("figure.tabled button.to").first.click()
        for i, text in enumerate(HOSTILE):
            assert page.page.locator("mark.evidence").count() >= 1
            said = page.text(".turn.user .said")
            assert said.startswith(text[:4])
            assert not {"\u202e", "\x1b", "\u2066", "\u200b"} & set(page.page.locator("#viewer").inner_text())
            unharmed(page)
            page.press("j")
            page.page.wait_for_url(re.compile(rf"#rollout=(long%230|k{i + 1})$"))
        page.press("Escape")
        page.page.locator("#s figure.tabled input").fill("<script>")
        page.page.get_by_role("button", name="Next").first.click()
        unharmed(page)


def test_hostile_characters_are_shown_by_their_code_points(chromium, attacked):
    with Opened(chromium, attacked, fragment="#rollout-8") as page:
        codes = page.page.locator(".turn.user .control").all_text_contents()
        assert codes == [
            "U+202E",
            "U+202C",
            "U+2066",
            "U+2069",
            "U+200B",
            "U+0000",
            "U+001B",
            "U+0007",
            "U+FEFF",
            "U+D800",
        ]


def test_a_line_of_five_megabytes_is_folded_and_searched(chromium, attacked):
    with Opened(chromium, attacked, fragment=f"#rollout-{len(HOSTILE)}") as page:
        assert page.page.evaluate("document.querySelector('#viewer-talk').textContent.length") < 20_000
        page.press("/")
        page.page.keyboard.type("needle")
        page.page.locator("mark.hit").wait_for()
        assert page.text("mark.hit") == "NEEDLE"
        assert page.page.evaluate("document.querySelector('#viewer-talk').textContent.length") < 20_000
        unharmed(page)


def test_a_list_of_thousands_draws_only_what_is_seen(chromium, tmp_path):
    path = tmp_path / "large.html"
    path.write_text(render(large(0.5, rollouts=2000, tasks=3000)), encoding="utf-8")
    with Opened(chromium, path) as page:
        page.page.click("text=Browse all rollouts")
        assert page.text("#viewer-count") == "2,000 of 100,000 rollouts are in this page"
        page.page.focus("#viewer-list")
        page.press("End")
        assert page.text("#talk-title") == "task-499 #3"
        assert page.page.locator(".option").count() < 60
        page.press("Escape")
        figure = page.page.locator("[data-block=many-1]")
        figure.get_by_role("searchbox").fill("task-2999")
        assert figure.locator("tbody th").all_text_contents() == ["task-2999"]
        assert page.complaints == []


def test_nothing_is_wider_than_a_phone(chromium, file):
    def fits():
        assert page.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        assert page.page.evaluate("document.querySelector('#viewer').scrollWidth") <= PHONE["width"]
        assert len(page.page.screenshot()) > 10_000

    with Opened(chromium, file, viewport=PHONE) as page:
        draw_all(page.page)
        fits()
        page.page.click("text=Browse all rollouts")
        fits()


def test_light_and_dark_follow_the_system_and_the_toggle(opened):
    ground = "getComputedStyle(document.body).backgroundColor"
    opened.page.emulate_media(color_scheme="dark")
    opened.page.reload()
    assert opened.page.evaluate(ground) == "rgb(19, 21, 25)"
    opened.page.click("#theme")
    assert opened.page.evaluate(ground) == "rgb(255, 255, 255)"
    opened.page.reload()
    assert opened.page.evaluate(ground) == "rgb(255, 255, 255)"


def test_paper_has_the_tables_and_no_controls(opened):
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    opened.page.emulate_media(media="print")
    assert opened.page.locator("#tasks-1-data td").first.is_visible()
    assert opened.page.locator(".warnings details li").first.is_visible()
    assert not opened.page.locator("nav").is_visible()
    overlay = opened.page.locator("[data-block=pass-rates-1] svg.plot").bounding_box()
    assert overlay["width"] == pytest.approx(680, abs=1)


def test_a_chart_longer_than_a_sheet_is_left_off_the_paper_and_its_numbers_are_not(opened, tmp_path):
    rows = [row(f"row {i}", 0.5, 0.1, 9, "flat") for i in range(60)]
    section = {"id": "s", "title": "s", "lead": "l", "blocks": [intervals("t", "rate", rows)], "more": None}
    path = tmp_path / "long.html"
    path.write_text(render(document(sections=[section])), encoding="utf-8")
    opened.at("", path)
    draw_all(opened.page)
    assert opened.page.locator("svg.plot").is_visible()
    opened.page.emulate_media(media="print")
    assert not opened.page.locator("svg.plot").is_visible()
    assert "0.500 [0.400, 0.600]" in opened.page.locator("tbody td.interval").last.text_content()


def test_without_scripts_every_number_is_readable(chromium, file):
    with Opened(chromium, file, java_script_enabled=False) as page:
        assert page.page.locator("#tasks-1-data td").first.is_visible()
        assert page.page.locator(".unscripted").is_visible()
        assert not page.page.locator("#theme").is_visible()


def test_a_folded_table_is_read_but_not_in_the_way_of_the_tab_key(opened):
    buttons = opened.page.locator("#tasks-1-data button")
    assert buttons.first.get_attribute("tabindex") == "-1"
    opened.page.click("[aria-controls=tasks-1-data]")
    assert buttons.first.get_attribute("tabindex") == "0"
    assert opened.page.locator("[aria-controls=tasks-1-data]").get_attribute("aria-expanded") == "true"


@pytest.fixture(scope="module")
def axe():
    """axe-core, which checks a page against WCAG, out of a package that carries it."""
    package = pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    return resources.files(package).joinpath("axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def checked(chromium, file):
    """A window of its own: axe compiles its rules from text, which the policy of the page forbids."""
    with Opened(chromium, file, bypass_csp=True, reduced_motion="reduce") as page:
        yield page


@pytest.mark.parametrize(
    ("scheme", "viewport", "opens"),
    [("light", SCREEN, False), ("dark", SCREEN, True), ("light", PHONE, True)],
    ids=["light", "dark viewer", "phone viewer"],
)
def test_axe_finds_no_violation(checked, axe, scheme, viewport, opens):
    page = checked.page
    page.set_viewport_size(viewport)
    page.emulate_media(color_scheme=scheme)
    checked.at()
    if opens:
        page.click("text=Browse all rollouts")
    else:
        draw_all(page)
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert len(found["passes"]) > 20
    assert [(each["id"], [node["html"][:80] for node in each["nodes"]]) for each in found["violations"]] == []


COLOURS = ["ground", "raised", "hover", "wash", "caution-wash", "ink", "soft", "accent", "good", "bad", "caution"]
COLOURS += ["evidence", "hit"]


def test_text_colours_have_the_contrast_of_wcag_aa(opened):
    """4.5 to 1 for each text colour on each ground it stands on (WCAG 2.2, 1.4.3)."""
    found = {}
    for scheme in ("light", "dark"):
        opened.page.emulate_media(color_scheme=scheme)
        found[scheme] = opened.page.evaluate(
            """names => names.map(name => {
                 document.body.style.backgroundColor = `var(--${name})`;
                 return getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number);
               })""",
            COLOURS,
        )
    assert found["light"] != found["dark"]
    assert {scheme: low for scheme, colours in found.items() if (low := too_close(colours))} == {}


def too_close(colours):
    """The pairs of a text colour and its ground under 4.5 to 1, with their contrast."""
    light = dict(zip(COLOURS, map(luminance, colours), strict=True))
    pairs = [
        (text, ground) for text in ("ink", "soft") for ground in ("ground", "raised", "hover", "wash", "caution-wash")
    ]
    pairs += [
        (text, ground) for text in ("accent", "good", "bad", "caution") for ground in ("ground", "raised", "wash")
    ]
    pairs += [
        ("ink", "evidence"),
        ("ink", "hit"),
        ("ground", "accent"),
        ("accent", "caution-wash"),
        ("caution", "caution-wash"),
    ]
    low = {pair: contrast(light[pair[0]], light[pair[1]]) for pair in pairs}
    return {pair: ratio for pair, ratio in low.items() if ratio < 4.5}


def luminance(rgb):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in rgb[:3])]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def test_contrast_of_known_colours():
    assert contrast(luminance([255, 255, 255]), luminance([0, 0, 0])) == pytest.approx(21)
    assert contrast(luminance([118, 118, 118]), luminance([255, 255, 255])) == pytest.approx(4.54, abs=0.01)
