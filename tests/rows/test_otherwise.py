from __future__ import annotations

from tables import each_of
from whileai.simulations.rows.calls import Call
from whileai.simulations.rows.otherwise import found_otherwise

MISSED = {"status": "not_found"}


def find(name: str, result: object, tool: str = "find_order") -> Call:
    return Call(tool, {"name": name}, result=result, answered=True)


FOUND = find("Ann", {"id": "ORD-1"})


@each_of(
    ("calls", "said", "asked", "expected"),
    [
        ([FOUND, find("Anne", MISSED)], "It is ORD-1.", "My order?", True),
        ([FOUND, find("Anne", MISSED)], "It is ORD-1.", "The orders of Ann and Anne?", False),
        ([FOUND, find("Anne", MISSED)], "You have one order.", "My order?", False),
        ([FOUND, find("Anne", {"status": "timeout"})], "It is ORD-1.", "My order?", False),
        ([FOUND, find("Anne", MISSED, "refund_order")], "It is ORD-1.", "My order?", False),
        ([find("Anne", MISSED), FOUND], "It is ORD-1.", "My order?", False),
        ([find("Anne", MISSED)], "It is ORD-1.", "My order?", False),
        ([], "It is ORD-1.", "My order?", False),
    ],
)
def test_a_lookup_that_found_nothing_matters_unless_an_earlier_one_had_it(calls, said, asked, expected):
    assert found_otherwise(calls, said, asked) is expected
