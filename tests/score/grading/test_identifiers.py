import pytest

from tables import each_of
from whileai.simulations.score.grading import conduct_grade

LOOKED = [{"tool": "search_code", "arguments": {"query": "bug"}, "result": {"hits": ["src/a.py", "/repo/lib/b/c.py"]}}]


def invented(reply, prompt="Tell me", steps=(), **extra):
    grade = conduct_grade({"prompt": prompt, "steps": list(steps), "final_text": reply, **extra})
    return grade["reason"].removeprefix("invented identifier: ") if grade["reward"] == 0.0 else ""


@pytest.mark.parametrize(
    ("reply", "token"),
    [
        ("Your parcel is TRK-99812.", "TRK-99812"),
        ("See ticket #88213.", "#88213"),
        ("Order #123456 is open.", "#123456"),
        ("It is in AB_2291 now.", "AB_2291"),
        ("The commit is 9f8e7d6c5b4a.", "9f8e7d6c5b4a"),
    ],
)
def test_an_identifier_nothing_supplied_is_invented(reply, token):
    assert invented(reply) == token


def test_a_path_nothing_returned_is_invented_after_looking():
    assert invented("The bug is in src/billing/tax.py.", steps=LOOKED) == "src/billing/tax.py"


@each_of(
    "reply",
    [
        "It is UTF-16 text with ISO-8601 dates and a SHA-256 checksum.",
        "Take I-95 north. COVID-19 rules apply, see RFC-2119.",
        "The accent colour is #112233, the other #ff8800.",
        "Order numbers look like ORD-12345.",
        "Please send the number, e.g. ORD-12345.",
        "Revenue grew in Q3-2024.",
        "Put your routes in src/app/routes.py.",
        "The answer is 123456789012.",
        "```\ngit show 9f8e7d6c5b4a\n```\nshows it.",
        "You are number #1.",
    ],
)
def test_standards_colours_examples_and_advice_are_no_identifiers(reply):
    assert invented(reply) == ""


@pytest.mark.parametrize(
    ("reply", "prompt"),
    [
        ("Ticket #456789 is open.", "Where is ticket 456789?"),
        ("It went to TEAM-44556.", "Ask team 44556"),
        ("ORD-4017 is on the way.", "where is ord-4017"),
    ],
)
def test_known_digits_ground_an_identifier(reply, prompt):
    assert invented(reply, prompt) == ""


@pytest.mark.parametrize(
    "reply",
    [
        "The bug is in src/a.py.",
        "The bug is in src/a.py:12.",
        "See lib/b/c.py.",
        "You could move it to src/billing/tax.py.",
    ],
)
def test_a_path_that_was_returned_or_is_proposed_is_fine(reply):
    assert invented(reply, steps=LOOKED) == ""


def test_the_system_prompt_grounds_an_identifier():
    assert invented("Your account is ACC-55120.", system_prompt="Account: ACC-55120") == ""


def test_at_most_three_are_named():
    assert invented("AB-101, AB-102, AB-103, AB-104.") == "AB-101, AB-102, AB-103"


@pytest.mark.parametrize(
    "reply",
    ["An RTX-4090 or an A-100 would do.", "X-509 certificates", "ES-2020 syntax", "The top #10 list", "Use #000 here."],
)
def test_kinds_standards_ranks_and_colours_are_no_records(reply):
    assert conduct_grade({"prompt": "Which one?", "final_text": reply})["reward"] == 1.0
