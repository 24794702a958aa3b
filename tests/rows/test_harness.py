from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.rows.harness import harness_word


@each_of(
    ("text", "word"),
    [
        ("<USER_TURN> refund it", "user_turn"),
        ("</user_turn>", "user_turn"),
        ("The scenario_dimensions say you are upset.", "scenario_dimensions"),
        ("per the Scene Brief, you are angry", "scene brief"),
        ("the situation card says so", "situation card"),
        ("tool_condition: entity_missing", "tool_condition"),
        ("ask_family=refund", "ask_family"),
        ("The world_state says entity missing", "world_state"),
        ("Your region_id is EU", "region_id"),
        ("It is a duplicate entity here", "duplicate entity"),
        ("entity missing, then world_state", "entity missing"),
    ],
)
def test_simulator_vocabulary(text: str, word: str) -> None:
    assert harness_word(text) == word


@each_of(
    "text",
    [
        "",
        "I bought a dog harness.",
        "The scene briefly showed a card.",
        "What is the state of the world?",
        "my_world_state_machine.py",
        "Why is the region_id column null after the join?",
        "`region_id` is an integer",
        "SELECT region_id FROM stores needs a table alias: query fails",
        "Hibernate throws a duplicate entity exception",
        "the user turned it off",
        "the situation: card declined",
    ],
)
def test_words_of_people_and_their_programs(text: str) -> None:
    assert harness_word(text) is None


@given(st.text())
def test_a_word_found_stands_in_the_text_in_any_case(text: str) -> None:
    assert (found := harness_word(text)) is None or found in text.lower()
    assert harness_word(f"{text} USER_TURN") is not None
