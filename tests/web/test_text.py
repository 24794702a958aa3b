"""Text and numbers as a page writes them."""

from __future__ import annotations

import html
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.reports import printable
from whileai.simulations.web.text import embedded, interval, number, script_class, visible

_ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)  # lone surrogates too


@given(_ANY_TEXT)
def test_embedded_json_survives_an_html_parser_and_utf8(text):
    written = embedded({"text": text})
    assert not set("<>") & set(written)
    assert json.loads(html.unescape(written.encode().decode())) == {"text": text}


@given(_ANY_TEXT)
def test_visible_text_has_no_character_that_a_terminal_report_would_escape(text):
    shown = visible(text)
    kept = shown.replace("\n", "").replace("\t", "")
    assert printable(kept) == kept
    assert visible(shown) == shown


def test_the_script_makes_the_same_characters_visible():
    """The class is written for a script; the same ranges read here must be those of `visible`."""
    spans = re.findall(r"\\u\{([0-9a-f]+)\}-\\u\{([0-9a-f]+)\}", script_class())
    points = {point for first, last in spans for point in range(int(first, 16), int(last, 16) + 1)}
    assert points == {point for point in range(0x110000) if visible(chr(point)) != chr(point)}


def test_not_a_number_is_refused():
    with pytest.raises(ValueError, match="JSON compliant"):
        embedded(float("nan"))


@each_of(
    ("value", "unit", "written"),
    [
        (0.4567, "rate", "0.457"),
        (1, "rate", "1.000"),
        (-0.0004, "delta", "0.000"),
        (0.0512, "delta", "+0.051"),
        (-0.5, "correlation", "\u22120.500"),
        (12000.0, "number", "12,000"),
        (-3, "number", "\u22123"),
        (0.00012345, "number", "0.000123"),
        (1234.56, "number", "1,234.6"),
        (None, "rate", "\u2013"),
        ("a word", "number", "a word"),
    ],
)
def test_number(value, unit, written):
    assert number(value, unit) == written


def test_an_interval_needs_both_ends():
    assert interval(-0.1, 0.25, "delta") == "[\u22120.100, +0.250]"
    assert interval(None, 0.25) == interval(0.25, None) == ""
