"""What `import whileai.simulations as wai` offers, and what it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import whileai
import whileai.simulations as wai

HEAVY = ("numpy", "scipy", "pyarrow", "pandas", "polars", "datasets", "rich", "typer", "httpx", "openai")


@pytest.mark.parametrize("name", wai.__all__)
def test_each_public_name_loads_and_is_documented(name: str) -> None:
    found = getattr(wai, name)
    assert getattr(whileai, name) is found
    assert not callable(found) or found.__doc__


def test_unknown_names_are_attribute_errors() -> None:
    for module in (wai, whileai):
        with pytest.raises(AttributeError, match="no attribute 'nope'"):
            module.nope  # noqa: B018


def test_import_loads_no_heavy_library() -> None:
    code = f"import sys, whileai.simulations; print([m for m in {HEAVY!r} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
