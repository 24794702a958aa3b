"""No public name is left out of the common checks."""

from __future__ import annotations

import inspect

import whileai
import whileai.simulations as wai
from common.registry import CASES, ELSEWHERE, MADE, NOT_MADE
from tables import each_of

NAMES = {*wai.__all__, *(name for name in whileai.__dict__["_HOMES"])}
FUNCTIONS = sorted(name for name in NAMES if inspect.isfunction(getattr(whileai, name)))
CLASSES = sorted(name for name in wai.__all__ if inspect.isclass(getattr(wai, name)))


def test_every_public_function_has_one_entry() -> None:
    assert sorted([*(case.name for case in CASES), *ELSEWHERE]) == FUNCTIONS


def test_every_public_class_is_made_once() -> None:
    assert sorted([*MADE, *NOT_MADE]) == CLASSES


@each_of("name", FUNCTIONS)
def test_every_public_function_holds_its_calls_to_its_signature(name: str) -> None:
    assert getattr(whileai, name).__code__.co_filename.endswith("signature.py"), f"decorate {name} with @public"
