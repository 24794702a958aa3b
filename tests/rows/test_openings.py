import pytest

from tables import each_of
from whileai.simulations.rows.openings import Opening, OpeningBook
from whileai.simulations.rows.trouble import ADMISSIONS, DENIALS

BOOK = OpeningBook(
    denials=["no (?:errors?|trouble)"],
    admissions=[
        "(?:error|errors)",
        r"(?:can|could)(?:n?'?t| not)",
        "trouble",
        "[45]\\d\\d error",
        "went (?:wrong|down)",
    ],
)


@pytest.mark.parametrize(
    "text", ["an error", "i can't", "i couldnt", "cant", "it could not", "a 503 error", "it went down"]
)
def test_a_phrase_is_found_by_the_word_it_opens_with(text):
    assert BOOK.admits(text)
    assert BOOK.may_admit(text)


@pytest.mark.parametrize("text", ["", "terror", "error_count", "it went well", "room 503", "the can is full"])
def test_other_words_are_passed_over(text):
    assert not BOOK.may_admit(text)


def test_a_denial_covers_the_words_it_spans_and_no_others():
    assert not BOOK.admits("no errors and no trouble")
    assert BOOK.admits("no errors but trouble")
    assert BOOK.may_admit("no errors")


def test_a_phrase_without_an_opening_word_is_refused():
    with pytest.raises(ValueError, match="opens with a word"):
        Opening(r"\w+ failed", admits=True)


@each_of("source", [*ADMISSIONS, *DENIALS])
def test_every_phrase_compiles_and_matches_no_empty_text(source):
    assert Opening(source, admits=True).pattern.match("") is None
