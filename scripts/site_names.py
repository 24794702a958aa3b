"""What the API reference of `mkdocs.yml` needs beside the source: names loaded on first use, doctests as code."""

from __future__ import annotations

import doctest
from typing import Any

import griffe

import whileai
import whileai.simulations as wai

_PARSER = doctest.DocTestParser()


def fenced(docstring: str) -> str:
    """The docstring, each run of examples a code block: Markdown would read `>>>` as three quotations.

    >>> fenced("Twice.\\n\\n>>> 1 + 1\\n2\\n").split()
    ['Twice.', '```pycon', '>>>', '1', '+', '1', '2', '```']
    """
    out: list[str] = []
    shown = False
    for part in _PARSER.parse(docstring):
        if isinstance(part, doctest.Example):
            out.append(("" if shown else "\n```pycon\n") + _as_written(part))
            shown = True
        elif part.strip():
            out.append(("```\n\n" if shown else "") + part)
            shown = False
    return "".join(out).rstrip() + ("\n```" if shown else "")


def _as_written(example: doctest.Example) -> str:
    first, *rest = example.source.splitlines()
    lines = [f">>> {first}", *(f"... {line}".rstrip() for line in rest), *example.want.splitlines()]
    return "\n".join(lines) + "\n"


class PublicNames(griffe.Extension):
    """The griffe extension that `mkdocs.yml` names."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the examples of a docstring before it is rendered."""
        if obj.docstring is not None and ">>>" in obj.docstring.value:
            obj.docstring.value = fenced(obj.docstring.value)

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Add the names of `whileai` and `whileai.simulations`, which only `__getattr__` of each knows."""
        if pkg.path != whileai.__name__:
            return
        for name, home in whileai._HOMES.items():
            _alias(pkg, name, f"{home}.{whileai._OTHER_NAMES.get(name, name)}")
        for name, home in wai._MODULE_OF.items():
            _alias(pkg["simulations"], name, f"{wai.__name__}.{home}.{name}")


def _alias(module: griffe.Module, name: str, target: str) -> None:
    module.set_member(name, griffe.Alias(name, target, parent=module))
