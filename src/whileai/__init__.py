"""Read rollouts of tool-using language models: `import whileai.simulations as wai`.

The names of `whileai.simulations` are reachable here too, with those that name models and judges, all loaded on first
use.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_MODELS = "whileai.simulations.models"
_HOMES = {
    "Anthropic": _MODELS,
    "Endpoint": _MODELS,
    "Fireworks": _MODELS,
    "Hosted": _MODELS,
    "Ollama": _MODELS,
    "OpenAI": _MODELS,
    "configure": _MODELS,
    "context": _MODELS,
    "export": "whileai.simulations.exports",
    "select": "whileai.simulations.score.judging",
}
_OTHER_NAMES = {"export": "export_training"}  # names that a module knows under another
_MODULES = frozenset({"judge_comparison", "models"})
_SIMULATIONS = "whileai.simulations"  # imported by its path: `from whileai import` would ask `__getattr__` for it


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), _OTHER_NAMES.get(name, name))
        globals()[name] = value
        return value
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    simulations = importlib.import_module(_SIMULATIONS)
    if name == "simulations":
        return simulations
    try:
        return getattr(simulations, name)
    except AttributeError as missing:
        raise AttributeError(str(missing).replace(_SIMULATIONS, __name__, 1)) from None


def __dir__() -> list[str]:
    public = importlib.import_module(_SIMULATIONS).__all__
    return sorted({*globals(), *_HOMES, *_MODULES, *public})
