from hypothesis import given
from hypothesis import strategies as st

from examples import few
from whileai.simulations.score.grading.haystack import Haystack

letters = st.text("ab-1 ", max_size=40)


@few
@given(letters, st.lists(st.tuples(st.text("ab-1 ", min_size=1, max_size=6), st.integers(0, 40)), max_size=80))
def test_the_index_of_many_searches_finds_what_a_search_finds(text, asked):
    hay = Haystack(text)
    for value, end in asked:
        end = min(end, len(text))
        assert hay.within(value, end) is (value in text[:end])


def test_a_value_is_found_as_json_spells_it():
    hay = Haystack('{"text":"say \\"hi\\"\\nnow"}')
    assert 'say "hi"\nnow' in hay
    assert 'say "ho"' not in hay
