"""Small changes of a module's code by mutmut, each to be noticed by a test; those that were not are printed.

`python scripts/mutation.py kernels.tally [TESTS...]`: unless tests are given, the examples of the module and its test
file. One session of pytest collects the tests; for each change a fork of it runs those that reach the changed function,
quickest first, until one fails. mutmut's own runner starts pytest anew for each.
"""

from __future__ import annotations

import difflib
import doctest
import functools
import importlib
import importlib.abc
import importlib.util
import inspect
import os
import pickle
import re
import resource
import sys
import time
import types
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import libcst as cst
import pytest
from mutmut.mutation import file_mutation

PACKAGE = "whileai.simulations."
SRC = Path(__file__).parent.parent / "src"
_OURS = ("public", "property")  # decorators that leave what a function does as it is: mutmut skips all others
_SECONDS = 6  # of CPU beyond three times what the tests take, after which a change is taken for an endless loop
_skipped = file_mutation.MutationVisitor._skip_node_and_children


class Mutant(NamedTuple):
    """One change: the function changed, and the lines before and after."""

    function: str
    change: list[str]


class Active:
    """Which mutant runs, and the functions reached while that is noted."""

    mutant: str | None = None
    reached: set[str] | None = None


def _skip(self: file_mutation.MutationVisitor, node: cst.CSTNode) -> bool:
    if isinstance(node, cst.FunctionDef) and len(node.decorators) == 1:
        decorator = node.decorators[0].decorator
        if isinstance(decorator, cst.Name) and decorator.value in _OURS:
            return False
    return _skipped(self, node)


def _bare(function: Any) -> Callable[..., Any]:
    function = function.fget if isinstance(function, property) else getattr(function, "__func__", function)
    return inspect.unwrap(function)


def trampoline(variants: dict[str, Any], is_classmethod: bool = False) -> Callable[..., Any]:
    """What mutmut puts before each function: the call goes to the active variant of it."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        name = f"{function.__module__}.{function.__qualname__}"

        def variant() -> Callable[..., Any]:
            if Active.reached is not None:
                Active.reached.add(name)
            return _bare(variants.get(Active.mutant or "") or variants["_mutmut_orig"])

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            return variant()(*args, **kwargs)

        @functools.wraps(function)
        def generate(*args: Any, **kwargs: Any) -> Any:
            return (yield from variant()(*args, **kwargs))

        return generate if inspect.isgeneratorfunction(function) else call

    return wrap


class Changed(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Finds one module, with all its mutants in it."""

    def __init__(self, name: str) -> None:
        self.name, self.path = name, str(SRC / f"{name.replace('.', '/')}.py")
        text = Path(self.path).read_text()
        made = file_mutation.combine_mutations_to_source(*file_mutation.create_mutations(self.path, text))
        self.code = made.code.replace("from mutmut.mutation.trampoline import", "from _mutants import") + _NO_EXAMPLES
        lines = made.code.splitlines()
        variants = {
            variant: [re.sub(r"\S*__mutmut_\w+", "f", line) for line in lines[span.start - 1 : span.end]]
            for variant, span in made.line_span_by_function_name.items()
        }
        self.mutants = {name: self._mutant(name, variants) for name in made.mutant_names}

    def _mutant(self, mutant: str, variants: dict[str, list[str]]) -> Mutant:
        function = mutant.rpartition("__mutmut_")[0]
        lines = difflib.unified_diff(variants[f"{function}__mutmut_orig"], variants[mutant], lineterm="", n=0)
        path = function[2:] if function.startswith("x_") else function[2:].replace("ǁ", ".")
        return Mutant(f"{self.name}.{path}", [line for line in lines if line[0] in "+-" and line[:3] not in _HEADS])

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_filename(self, name: str) -> str:
        return self.path

    def get_data(self, path: str) -> bytes:
        return self.code.encode()


_HEADS = ("+++", "---")
_NO_EXAMPLES = """
for _name, _held in list(globals().items()):
    for _variant in _held.values() if _name.startswith("mutants_x") else ():
        getattr(_variant, "__func__", _variant).__doc__ = None  # an example is run once
"""


class Examples(pytest.Item):
    """The examples of the docstrings of a module, as one test."""

    def runtest(self) -> None:
        assert doctest.testmod(importlib.import_module(self.name), optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name


class Session:
    """The plugin that runs the collected tests on every mutant."""

    def __init__(self, changed: Changed) -> None:
        self.changed, self.failed = changed, False

    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        items.append(Examples.from_parent(session, name=self.changed.name))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("a test file cannot be read")
        costs = self._in_fork(lambda: [self._cost(item) for item in session.items])
        if not isinstance(costs, list) or any(cost is None for cost, _ in costs):
            raise session.Interrupted("a test fails as the code is")
        session.config.pluginmanager.unregister(
            name="terminalreporter"
        )  # of no mutant's tests, which fail as they should
        order = sorted(zip(costs, session.items, strict=True), key=lambda held: held[0][0])
        counts: Counter[str] = Counter()
        for name, (function, change) in self.changed.mutants.items():
            tests = [item for (_, reached), item in order if function in reached]
            seconds = 3 * sum(cost for (cost, reached), _ in order if function in reached) + _SECONDS
            alive = not tests or self._in_fork(lambda n=name, t=tests: self._survives(n, t), int(seconds))
            counts["alive" if alive else "noticed"] += 1
            if alive:
                print(
                    f"\n{function}" + ("" if tests else ", which no test reaches"), *change, sep="\n", file=sys.stderr
                )
        print(f"\n{self.changed.name}: {dict(counts)}", file=sys.stderr)
        return True

    def _cost(self, item: pytest.Item) -> tuple[float | None, set[str]]:
        """CPU seconds of a test, None when it fails, and the functions it reaches."""
        Active.reached, start = set(), time.process_time()
        self._run(item)
        return None if self.failed else time.process_time() - start, Active.reached

    def _survives(self, name: str, tests: list[pytest.Item]) -> bool:
        Active.mutant = name
        for item in tests:
            self._run(item)
            if self.failed:
                return False
        return True

    def _run(self, item: pytest.Item) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _in_fork(self, work: Callable[[], Any], seconds: int = 3600) -> Any:
        """What the work gives in a process of its own; False when it ends that or takes more CPU time."""
        end, start = os.pipe()
        if not (child := os.fork()):
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 1)
            os.dup2(null, 2)
            with os.fdopen(start, "wb") as into:
                pickle.dump(work(), into)
            os._exit(0)
        os.close(start)
        with os.fdopen(end, "rb") as out:
            told = out.read()
        os.waitpid(child, 0)
        return pickle.loads(told) if told else False


def main(module: str, *tests: str) -> int:
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # threads do not survive a fork
    sys.path.insert(0, str(SRC))
    mutants = types.ModuleType("_mutants")
    mutants.wrap_in_trampoline, mutants.MutantDict = trampoline, dict  # type: ignore[attr-defined]
    sys.modules["_mutants"] = mutants
    file_mutation.MutationVisitor._skip_node_and_children = _skip
    changed = Changed(PACKAGE + module)
    sys.meta_path.insert(0, changed)
    folder, _, name = module.replace(".", "/").rpartition("/")
    options = ["-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-profile=mutation"]
    return pytest.main([*options, *(tests or [f"tests/{folder}/test_{name}.py"])], plugins=[Session(changed)])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
