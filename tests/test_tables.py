"""A table of cases hides no failure."""

import pytest

from tables import each_of


def test_every_case_runs_and_all_that_fail_are_named():
    ran = []

    @each_of(("n", "word"), [(1, "a"), (2, "b"), (3, "c"), (4, "d")])
    def even(n, word):
        ran.append(word)
        if n == 3:
            pytest.fail("three")
        assert n != 1

    with pytest.raises(BaseExceptionGroup, match=r"^2 of 4 cases fail: 1-a, 3-c"):
        even()
    assert ran == ["a", "b", "c", "d"]


def test_a_failure_alone_is_raised_as_it_is_with_its_case():
    @each_of("n", [1, 2], ids=["one", "two"])
    def odd(n, given):
        assert n + given == 2

    with pytest.raises(AssertionError) as failed:
        odd(given=1)
    assert failed.value.__notes__ == ["case [two]"]


def test_a_table_without_cases_is_an_error():
    with pytest.raises(AssertionError, match="has no cases"):

        @each_of("n", [])
        def never(n): ...
