"""Every example in a docstring of the package runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from importlib.util import find_spec
from pathlib import Path

import whileai
from tables import each_of


def _has_examples(module: str) -> bool:
    return ">>> " in Path(find_spec(module).origin).read_text(encoding="utf-8")


MODULES = sorted(m.name for m in pkgutil.walk_packages(whileai.__path__, "whileai.") if _has_examples(m.name))


@each_of("name", MODULES)
def test_examples_of_docstrings_hold(name: str) -> None:
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for found in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        if found.examples:  # `testmod` also starts a debugger for each docstring without any
            runner.run(found)
    assert runner.tries > 0
    assert runner.failures == 0
