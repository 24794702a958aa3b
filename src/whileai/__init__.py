"""Read rollouts of tool-using language models: `import whileai.simulations as wai`.

The names of `whileai.simulations` are reachable here too, loaded on first use.
"""

from __future__ import annotations

from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from whileai import simulations

    try:
        return getattr(simulations, name)
    except AttributeError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None


def __dir__() -> list[str]:
    from whileai import simulations

    return sorted({*globals(), *simulations.__all__})
