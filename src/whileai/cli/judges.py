"""The judge that a command line names: a function, or a model and what it judges by."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from whileai.simulations.errors import meant


def judge_of(judge: str | None, model: str | None, rubric: str | None) -> Callable[[dict[str, Any]], Any]:
    """The judge that the options name: a function, or a model with what it judges by; a `ValueError` for none."""
    if judge is not None and (model is not None or rubric is not None):
        raise ValueError("--judge is a function of yours, --model and --rubric are a model: give one or the other")
    if judge is not None:
        return _function(judge)
    if model is None and rubric is None:
        raise ValueError("give a judge: --judge MODULE:FUNCTION, or --model SPEC with --rubric FILE")
    from whileai.simulations.score.judging import Judge

    return Judge(None if rubric is None else rubric_in(Path(rubric)), model=model)


def judge_on_ray(
    address: str, chosen: Any, judge: str | None, rubric: str | None, concurrency: int, timeout: float | None
) -> Callable[[dict[str, Any]], Any]:
    """The chosen judge, asked on the cluster at an address: workers make it by the same names, in the same folder."""
    from whileai.cli.ray import connected

    connected(address)
    from whileai.simulations.distributed.panel import Panel

    model = chosen.spec if judge is None else None
    return Panel(chosen, partial(_made_in, os.getcwd(), judge, model, rubric), concurrency, timeout)


def _made_in(folder: str, judge: str | None, model: str | None, rubric: str | None) -> Callable[[dict[str, Any]], Any]:
    os.chdir(folder)
    return judge_of(judge, model, rubric)


def _function(name: str) -> Callable[[dict[str, Any]], Any]:
    """The function that MODULE:FUNCTION names; modules of the working directory are found."""
    home, _, path = name.rpartition(":")
    if not home or not path:
        raise ValueError(f"--judge must be MODULE:FUNCTION or FILE.py:FUNCTION, got {name!r}")
    try:
        found: Any = _module(home)
    except ModuleNotFoundError as error:
        raise ValueError(f"--judge {name}: {error}{_as_model(name)}") from None
    except SystemExit as error:
        raise ValueError(f"{home} ends the process when it is imported (exit status {error.code})") from None
    for part in path.split("."):
        if not hasattr(found, part):
            raise ValueError(
                f"{home} has no {path}{meant(part, [n for n in dir(found) if not n.startswith('_')])}{_as_model(name)}"
            )
        found = getattr(found, part)
    if not callable(found):
        raise ValueError(f"{name} is no function but a {type(found).__name__}")
    return found  # type: ignore[no-any-return]


def _as_model(name: str) -> str:
    """What to give instead when the function is the spec of a model."""
    from whileai.simulations.models.spec import parse_spec

    try:
        parse_spec(name)
    except ValueError:
        return ""
    return f"; a model is given as --model {name}"


def _module(home: str) -> Any:
    if home.endswith(".py"):
        if not Path(home).is_file():
            raise ValueError(f"{home}: there is no such file")
        spec = importlib.util.spec_from_file_location(Path(home).stem, home)
        if spec is None or spec.loader is None:
            raise ValueError(f"{home} is no Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module
    sys.path.insert(0, os.getcwd())
    return importlib.import_module(home)


def rubric_in(path: Path) -> Any:
    """A rubric as JSON where the file is named so, else its text."""
    text = path.read_text(encoding="utf-8")
    if path.suffix.lower() != ".json":
        if not text.strip():
            raise ValueError(f"{path}: the rubric is empty")
        return text
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"{path}: no JSON: {error}") from None


def source_version(judge: Any) -> str | None:
    """A version made from the source of the module that a function stands in; None for what has no source file."""
    module = sys.modules.get(getattr(judge, "__module__", None) or type(judge).__module__)
    source = getattr(module, "__file__", None)
    if not source or not Path(source).is_file():
        return None
    return f"source:{hashlib.sha256(Path(source).read_bytes()).hexdigest()[:12]}"
