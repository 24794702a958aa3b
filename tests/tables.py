"""A test over a table of small cases, as one test.

pytest and xdist take some 4 ms for each test of which they keep account, more than most cases do. `parametrize` stays
for tests with few cases, long ones, and ones with a folder or a patch of their own.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]


def each_of(names: str | Sequence[str], cases: Iterable[Any], ids: Any = None) -> Callable[[Test], Test]:
    """The test with all cases run, and each that fails named; arguments are those of `pytest.mark.parametrize`."""
    keys = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    values = [(case,) if isinstance(names, str) and len(keys) == 1 else tuple(case) for case in cases]
    table = [dict(zip(keys, case, strict=True)) for case in values]
    said = list(ids) if ids and not callable(ids) else None

    def name(at: int) -> str:
        """Only for what fails: some values can't be printed."""
        return str(said[at]) if said else "-".join(map(ids or _shown, values[at]))

    def over(test: Test) -> Test:
        assert table, f"{test.__name__} has no cases"

        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            __tracebackhide__ = True
            failed = {at: error for at, case in enumerate(table) if (error := _error(test, fixtures | case))}
            for at, error in failed.items():
                error.add_note(f"case [{name(at)}]")
            if len(failed) == 1:
                raise next(iter(failed.values()))
            if failed:
                told = f"{len(failed)} of {len(table)} cases fail: {', '.join(map(name, failed))}"
                raise BaseExceptionGroup(told, [*failed.values()])

        run.__signature__ = _without(test, keys)  # type: ignore[attr-defined]
        return run

    return over


def _error(test: Test, given: dict[str, Any]) -> BaseException | None:
    """What the case raises; a skip is not caught, as it would pass for the whole table."""
    try:
        test(**given)
    except (Exception, pytest.fail.Exception) as error:
        return error
    return None


def _shown(value: Any) -> str:
    return str(getattr(value, "__name__", None) or getattr(value, "name", None) or value)[:80]


def _without(test: Test, keys: list[str]) -> inspect.Signature:
    signature = inspect.signature(test)
    left = [held for name, held in signature.parameters.items() if name not in keys]
    assert len(left) == len(signature.parameters) - len(keys), f"{test.__name__} does not take {keys}"
    return signature.replace(parameters=left)
