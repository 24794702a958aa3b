from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.score.quality.leak import stage_direction


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("where is order 4017 (all lowercase)", "all lowercase"),
        ("[short prompt] where is it", "short prompt"),
        ("short prompt, all lowercase: where is my parcel", "short prompt"),
        ("where is my parcel? all lowercase, with a typo", "all lowercase"),
        ("with a typo: wheres my parcle", "with a typo"),
        ("No punctuation and angry tone: give me my money", "no punctuation"),
    ],
)
def test_directions_for_the_writer(text: str, found: str) -> None:
    assert stage_direction(text) == found


@each_of(
    "text",
    [
        "Convert the names to all lowercase",
        "rename the files: all lowercase, dashes for blanks",
        "I paid with a typo in my name",
        "It was printed with a typo.",
        "write a short prompt for a picture of Ghent",
        "The letter had an angry tone, what should I answer?",
        "my username must be all lowercase, right?",
        "Please keep a polite tone in the emails, no punctuation mistakes",
    ],
)
def test_a_persons_own_words(text: str) -> None:
    assert stage_direction(text) is None
