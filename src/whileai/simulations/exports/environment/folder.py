"""An environment package in a folder, written whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from whileai.simulations.exports.environment.template import INIT, PYPROJECT, README, TASKSET, TOOLS
from whileai.simulations.rows.replace import named_as
from whileai.simulations.rows.write import write_rows, write_text

_TAKEN = sys.stdlib_module_names | {"verifiers", "whileai"}


def package_name(folder: str) -> str:
    """The name of the package in a folder: its name in lower case, other marks `_`, `env_` before what is taken.

    >>> package_name("Refunds-2"), package_name("json"), package_name("2024")
    ('refunds_2', 'env_json', 'env_2024')
    """
    name = re.sub(r"[^a-z0-9]+", "_", folder.lower()).strip("_")
    return name if name and name[0].isalpha() and name not in _TAKEN else f"env_{name}".rstrip("_")


def write_environment(lines: Iterable[Mapping[str, Any]], output: str | os.PathLike[str]) -> int:
    """Write the package into the folder `output`, in place of an earlier export; returns the number of rollouts.

    A folder that holds anything else is a ValueError and stays as it is.
    """
    target = Path(os.path.realpath(output))
    _check_free(target)
    beginning = f".{target.name[:60]}."
    with named_as(target, target.with_name(beginning)):
        new = Path(tempfile.mkdtemp(prefix=beginning, dir=target.parent))
        try:
            written = _fill(new, package_name(target.name), lines)
            new.chmod(0o777 & ~_umask())
            _replace(new, target)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
    return written


def _fill(folder: Path, package: str, lines: Iterable[Mapping[str, Any]]) -> int:
    names = {"package": package, "dashed": package.replace("_", "-")}
    inner = folder / package
    inner.mkdir()
    written = write_rows(lines, inner / "rows.jsonl")
    for path, template in (
        (folder / "pyproject.toml", PYPROJECT),
        (folder / "README.md", README),
        (inner / "__init__.py", INIT),
        (inner / "taskset.py", TASKSET),
        (inner / "tools.py", TOOLS),
    ):
        write_text(template.substitute(names), path)
    write_text((files(__package__) / "known.py").read_text(encoding="utf-8"), inner / "known.py")
    return written


def _check_free(target: Path) -> None:
    if not target.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {target.parent}")
    if target.exists() and not (target.is_dir() and (_is_ours(target) or not any(target.iterdir()))):
        raise ValueError(f"{target} holds something else than an earlier export: name a new or an empty folder")


def _is_ours(folder: Path) -> bool:
    try:
        found = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
        return bool(found["tool"]["whileai"]["format"] == "verifiers")
    except (OSError, ValueError, LookupError, TypeError):
        return False


def _replace(new: Path, target: Path) -> None:
    """Put a folder in the place of another; the old one is back where that fails."""
    if not target.exists():
        os.rename(new, target)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{target.name[:60]}.old.", dir=target.parent))
    try:
        os.rename(target, old / "whole")
        try:
            os.rename(new, target)
        except BaseException:
            os.rename(old / "whole", target)
            raise
    finally:
        shutil.rmtree(old)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
