from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tables import each_of
from whileai.simulations.rows.jsontext import has_long_int, json_values, parse
from whileai.simulations.rows.records import Place

ints = st.integers() | st.integers(10**17, 10**22) | st.integers(-(10**20), -(10**17))


@given(st.lists(ints | st.floats(allow_nan=False) | st.text("0123456789. -", max_size=30), max_size=40))
def test_numbers_of_any_length_are_read_exactly_wherever_they_lie(values: list[object]) -> None:
    text = json.dumps(values).encode()
    assert parse(text) == values


def test_no_int_beyond_64_bits_is_missed_at_any_offset() -> None:
    for number in (2**64, -(2**63) - 1, 10**30):
        for pad in range(24):
            assert has_long_int(b" " * pad + b"[%d]" % number)
    assert not has_long_int(b'["12345678901234567890123", 0.1234567890123456789012, 12345678901234567]')


def test_many_fractions_beside_one_long_int_do_not_hide_it() -> None:
    fractions = b",".join(b"-0.%017d" % (7 * i + 10**16) for i in range(100))
    assert not has_long_int(b"[" + fractions + b"]")
    assert has_long_int(b"[" + fractions + b",18446744073709551616]")


@each_of(
    ("text", "values"),
    [
        (b'{"a": 1}', [{"a": 1}]),
        (b'[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}]),
        (b'[{"a": 1}]\n[{"a": 2}]\n', [[{"a": 1}], [{"a": 2}]]),
        (b'{"a":\n{}\n}', [{"a": {}}]),
        (b'[\n{"a": 1}\n]', [{"a": 1}]),
        (b'{\n"a": 1\n}\n{\n"a": 2\n}\n', [{"a": 1}, {"a": 2}]),
        (b'{bad\n{"a": 1}\n', [{"a": 1}]),
        (b'{bad\n{worse\n{"a": 1}\n{"a": 2}\n{"a": 3}\n', [{"a": 1}, {"a": 2}, {"a": 3}]),
        (b'[{"role": "user", "content": "Hi"}]', [[{"role": "user", "content": "Hi"}]]),
    ],
)
def test_lines_and_documents_are_told_apart_by_content(text: bytes, values: list[object]) -> None:
    assert list(json_values(iter([text]), Place("x", lambda bad: None))) == values
