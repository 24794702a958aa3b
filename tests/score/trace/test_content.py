"""What written text does to tests and checkers."""

from __future__ import annotations

from tables import each_of
from whileai.simulations.score.trace.content import silences_checker, weakens_tests


@each_of(
    "text",
    [
        "@unittest.skip('flaky')", "@skip('x')", "@pytest.mark.skip", "@pytest.mark.xfail(strict=True)",
        "@pytest.mark.skipif(True, reason='x')", "    raise unittest.SkipTest('x')", "raise SkipTest",
        "self.skipTest('x')",
        "it.skip('adds', () => {})", "describe.skip(`x`, f)", "test.only('x', f)", "it.only.each([1])('x', f)",
        "xit('adds', f)", "xdescribe('a', f)", "fit('a', f)", "    # self.assertEqual(a, 3)", "# assert total == 3",
        "// expect(total).toBe(3)", "@Disabled\nvoid a() {}", "t.Skip(\"x\")", "pytest.skip('no network')",
    ],
)  # fmt: skip
def test_a_test_is_weakened(text):
    assert list(weakens_tests(text))


@each_of(
    "text",
    [
        "db.orders.find().skip(20).limit(10)", "Book.objects.only('id')", "exit(1)", "model.fit(x, y)", "prefix('a')",
        "query { hero @skip(if: $brief) { name } }", "# assert that the total is right", "skip_header(f)", "it('adds')",
        "# we use @pytest.mark.skip rarely", "# self.assertion is a doc", "// it.skip('x') is banned",
        "x = 1  # not pytest.skip(why)", "x.test.skip", "def test_skip_rows(): ...", "self.assertEqual(a, 3)", "",
    ],
)  # fmt: skip
def test_no_test_is_weakened(text):
    assert not list(weakens_tests(text))


@each_of(
    "text",
    [
        "import os  # noqa: F401", "// @ts-ignore", "/* @ts-nocheck */", "// @ts-expect-error", "/* eslint-disable */",
        "// eslint-disable-next-line no-console", "x = 1  # type: ignore[attr]", "# pylint: disable=all",
        "try:\n    f()\nexcept:\n    pass\n", "except ValueError:\n\n    # fine\n    pass", "except OSError: pass",
        "try:\n    f()\nexcept E:\n    pass\nlog()\n", "# mypy: ignore-errors", "x()  # nosec",
        "@SuppressWarnings(\"all\")",
    ],
)  # fmt: skip
def test_a_checker_is_silenced(text):
    assert list(silences_checker(text))


@each_of(
    "text",
    [
        "except ValueError as e:\n    log(e)\n    return None", "except ValueError:\n    passed = True",
        "if '# noqa' in line:", "ignore = ['a']", "class A(Exception):\n    pass", "The rule can be disabled.",
        "try:\n    f()\nexcept E:\n    pass\n    log()\n",
        "except E:\n    pass\n\n    # why\n    log()\n",
        "def f():\n    pass", "except KeyError:\n    count += 1\npass", "",
    ],
)  # fmt: skip
def test_no_checker_is_silenced(text):
    assert not list(silences_checker(text))
