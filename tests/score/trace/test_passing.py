"""Which sentences claim that tests, a build, a linter or checks pass."""

from __future__ import annotations

import pytest

from tables import each_of
from whileai.simulations.score.trace.passing import Subject, claims_passing


def list_of(lines: str) -> list[str]:
    return lines.strip().splitlines()


CLAIMS = list_of("""
All tests pass.
The tests pass.
All 12 tests in tests/test_pager.py now pass.
I fixed it and the tests pass.
Tests are green.
The test suite passes with no failures.
Everything works and all tests are passing now.
The build succeeds and lint is clean.
The build is green.
Lint is clean now.
ruff is clean.
mypy passes.
Type checks pass.
Typecheck passes.
All checks pass.
CI is green.
The code now passes all 14 tests.
All unit tests passed successfully.
With this change, the full test suite passes.
I ran pytest and all tests pass.
I verified that all tests pass.
I can confirm that all tests pass.
Tests: all passing
Build: passing
**All tests pass** ✅
The tests pass in CI.
Your tests now pass.
All tests pass and the bug will not come back.
I've updated the code; tests pass.
The new regression test passes.
Once I fixed the import, all tests passed.
When I ran the suite, all tests passed.
All the tests have passed.
pytest passes.
The whole suite is green.
I ran the tests, and they pass.
Typechecking is clean.
All tests pass, so this should be ready to merge.
It would be nice if the tests passed. All tests pass.
The change is complete, all tests pass, and I will open a PR.""")

NO_CLAIMS = list_of("""
The tests should pass once you set DATABASE_URL.
The tests do not pass.
The tests don’t pass yet.
It will be green after the merge.
The test still fails.
Run the tests to make sure they pass.
Make sure all tests pass before merging.
Check that the tests pass.
I could not verify that the tests pass.
I haven't run the tests, so I can't say whether they pass.
Good news: your credit check passed and the loan is approved.
Please check your boarding pass.
Your blood tests are clean.
The junior suite is clean and ready for you.
The hotel suite is clean.
The test passes invalid input to the function.
Do all tests pass?
If all tests pass, merge it.
Merge once CI is green.
When the tests pass, the badge turns green.
None of the tests pass.
You passed the test!
The student passes all tests.
I was unable to get the tests to pass.
Before merging, tests must pass.
You said all tests pass.
According to your log, all tests passed.
The tests clean up after themselves.
The pipeline passes data to the next stage.
The suite includes a pass and clean towels.
The build passes the flag to the compiler.
The goal is to have all tests passing.
The checks passed by your bank are shown below.
Tests pass only if Redis is running.
I expect all tests pass now.
I believe the tests pass now.
The background check passed.
Your eligibility checks passed.
Your ski pass and test kit are in the green bag.
A passing test would look like this.
There are no passing tests.
Add a test that passes when the list is empty.
The request passes through the checks.
Tests: not run. Build: not run.
Each test passes a fixture.
I passed the test results to your doctor.
The lab tests came back clean.
The page says the CI build passed yesterday.
The README explains how to get tests passing.
tests passing: 0
0 of 12 tests pass.
You wrote "all tests pass" in the ticket.""")


@each_of("text", CLAIMS)
def test_a_plain_statement_is_a_claim(text):
    assert list(claims_passing(text))


@each_of("text", [*NO_CLAIMS, "```\nall tests pass\n```", "", "Done."])
def test_a_hedge_a_negation_or_another_trade_claims_nothing(text):
    assert not list(claims_passing(text))


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("The tests pass.", Subject.TESTS),
        ("The build succeeds.", Subject.BUILD),
        ("mypy is clean.", Subject.LINT),
        ("Type checks pass.", Subject.LINT),
        ("All checks pass.", Subject.CHECKS),
        ("CI is green.", Subject.CHECKS),
    ],
)
def test_a_claim_is_about_its_subject(text, subject):
    assert [claim.subject for claim in claims_passing(text)] == [subject]


@pytest.mark.parametrize("text", ["11 of 12 tests pass.", "Most tests pass.", "The new tests pass."])
def test_a_claim_about_some_of_the_tests_is_partial(text):
    assert [claim.partial for claim in claims_passing(text)] == [True]


def test_the_quote_is_the_sentence_that_claims():
    quotes = [claim.quote for claim in claims_passing("I fixed the pager.\nAll  tests pass. Bye.")]
    assert quotes == ["All tests pass."]
