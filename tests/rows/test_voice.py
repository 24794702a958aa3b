from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from growth import outgrows
from tables import each_of
from whileai.simulations.rows.voice import PhraseBook, spoken, straight, text_words


def says(phrase: str, text: str) -> bool:
    return bool(PhraseBook({"x": [phrase]}).found(text))


@each_of(
    ("phrase", "text"),
    [
        ("it depends", "IT DEPENDS."),
        ("it depends", "Well (it depends)!"),
        ("it depends", "it\n  depends"),
        ("it depends", "it\u00a0depends"),
        ("it depends", "**It depends**"),
        ("I'm sorry", "I’m sorry"),
        ("I’m sorry", "i'm sorry"),
        ("certainly!", "Certainly!Done."),
        ("re:", "Re: order 5"),
        ("désolé", "Je suis de\u0301sole\u0301."),
        ("ΛΑΘΟΣ", "ένα λάθος? λαθος."),
        ("straße", "STRASSE"),
        ("抱歉", "非常抱歉给您带来不便"),
        ("抱歉 sorry", "真的抱歉 Sorry了"),
        ("すみません", "本当にすみませんでした"),
        ("ขอโทษ", "ต้องขอโทษด้วย"),
        ("it depends", "我觉得it depends吧"),
        ("माफ़ करें", "कृपया माफ़ करें।"),
        ("죄송합니다", "정말 죄송합니다."),
        ("👍", "Done 👍👍"),
        ("a a", "a x a a"),
        ("can", "can't or can"),
    ],
)
def test_a_phrase_is_found_in_any_case_script_apostrophe_and_white_space(phrase: str, text: str) -> None:
    assert says(phrase, text)


@each_of(
    ("phrase", "text"),
    [
        ("it depends", "explicit depends"),
        ("it depends", "it depends_on"),
        ("it depends", "it depends2"),
        ("it depends", "it. depends"),
        ("as an ai", "It was an air mattress."),
        ("certainly,", "uncertainly, it went"),
        ("can", "I can't"),
        ("can", "I can’t"),
        ("sorry", "I'm sorryé"),
        ("माफ", "माफी"),
        ("죄송", "죄송합니다"),
        ("", "anything"),
        (" \n", "any thing"),
    ],
)
def test_a_phrase_is_not_found_inside_a_longer_word(phrase: str, text: str) -> None:
    assert not says(phrase, text)


def test_hits_are_named_in_list_order_as_spelled_and_once() -> None:
    book = PhraseBook(
        {"b": ["Not Sure", "it depends", "IT  DEPENDS", ""], "a": ["depends on", "never said"], "c": "sure"}
    )
    assert book.found("It depends on it, not sure. It depends.") == {
        "b": ["Not Sure", "it depends"],
        "a": ["depends on"],
        "c": ["sure"],
    }


def test_phrases_of_a_set_have_a_fixed_order() -> None:
    assert PhraseBook({"x": {"b", "c", "a"}}).found("c b a") == {"x": ["a", "b", "c"]}


def test_a_phrase_can_ask_for_its_surroundings() -> None:
    book = PhraseBook({"x": ["you're right"]}, {"x": {"you're right": (r"(?<!if\s)", r"(?!\s+on\b)")}})
    texts = ["You're right.", "You’re right on time", "If you're right", "Or you're right on"]
    assert [bool(book.found(text)) for text in texts] == [True, False, False, False]


def test_said_reads_each_text_by_itself() -> None:
    book = PhraseBook({"x": ["it depends"]})
    assert book.said(["Maybe it", "depends"]) == {}
    assert book.said(["Yes.", "It depends."]) == {"x": ["it depends"]}
    assert book.said([]) == {}


@each_of(
    "text",
    [
        "Done:\n```python\nprint('it depends')\n```\nRun it.",
        "Done: ```it depends``` is there.",
        "Done:\n~~~\nit depends\n~~~\nRun it.",
        "Done:\n```\nit depends",
        "````\n```\nit depends\n```\n````\nis the file.",
        'I logged "it depends" on ticket 88.',
        "I logged “it depends” on ticket 88.",
        "I logged ‘it depends’ on ticket 88, Ann’s.",
        "I logged ‘that’s it depends’ on ticket 88.",
        "Ich notierte „it depends“ dazu.",
        "J'ai noté «it depends» ici.",
        "Notiert: »it depends« und »mehr«.",
        "记下了「it depends」这句。",
        '他说"it depends"然后走了。',
        'The draft:\n"Dear Anna,\n\nit depends.\n\nBest"\nShall I send it?',
        '{"note": "it depends"} was sent.',
        "The constant is `it depends`.",
        "> it depends\n\nYour order arrived.",
        'Five "5" it said. "it depends" too.',
        "```\nit depends\n```",
    ],
)
def test_code_and_quotations_are_not_the_agents_voice(text: str) -> None:
    assert PhraseBook({"x": ["it depends"]}).said([text]) == {}


@each_of(
    "text",
    [
        "It depends.",
        '"It depends."',
        "“It depends.”",
        "> It depends.",
        'A 27" screen: it depends, or a 24" one.',
        'I said "yes". It depends. You said "no".',
        'It depends, he said "fine.',
        "```\ncode\n```\nIt depends.\n```\ncode\n```",
        "I`m sure it depends, it`s so.",
        "Stock >= 5: it depends.",
        "~5 days, it depends.",
    ],
)
def test_words_outside_them_are_and_so_is_a_reply_that_is_one_quotation(text: str) -> None:
    assert PhraseBook({"x": ["it depends"]}).said([text]) == {"x": ["it depends"]}


def test_plain_text_is_handed_back_as_it_is() -> None:
    text = "It’s done, 99% sure."
    assert spoken(text) is text


def test_words_leave_out_scripts_without_spaces() -> None:
    assert text_words("It’s A_b, 抱歉 été") == ["it", "s", "a", "b", "été"]


@given(st.text())
def test_no_text_is_an_error(text: str) -> None:
    assert "’" not in straight(text)
    assert isinstance(spoken(text), str)
    assert PhraseBook({"x": [text]}).found("") == {}


@given(st.lists(st.sampled_from(["it", "depends", "IT", "’", " ", "\n", "é", "_", ".", "2"]), max_size=12))
def test_the_index_of_words_agrees_with_a_plain_search(parts: list[str]) -> None:
    text = "".join(parts)
    plain = re.search(r"(?<!\w)it\s+depends(?!\w|’\w)", text, re.IGNORECASE)
    contracted = re.search(r"it\s+depends’[\d_]", text, re.IGNORECASE) is not None
    assert contracted or says("it depends", text) == (plain is not None)


@each_of("unit", ['"', '" a', "`", "```x", "“", "«", "\n>", "\n", " ", "it ", "it depends_ ", "~~~\n"])
def test_hostile_text_takes_linear_time(unit: str) -> None:
    book = PhraseBook({"x": ["it depends"]})
    short, long = (" it depends" + unit * (length // len(unit)) for length in (50_000, 200_000))
    assert not outgrows(book.said, [short], [long])
    assert set(book.said([long])) <= {"x"}
