"""A training file sent to a folder, the Hugging Face Hub or a registry, as `push_rows` sends rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

_FILE = "data/train.jsonl"


def pushing(push_to: Any, form: str) -> Callable[[Iterable[Mapping[str, Any]]], dict[str, Any]]:
    """What sends lines to `push_to`, read as `push_rows` reads a name; a ValueError where that is no place.

    It returns `target`, `name`, `datasetId` (of the content), `version`, `created` (false when it was there), `path`
    and `url`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pushing(folder + "/refunds", "openai")([{"messages": []}])["version"]
    1
    """
    from whileai.simulations.registry.bundle import Bundle, write_bundle
    from whileai.simulations.registry.target import resolved

    name, place = resolved(push_to)

    def push(lines: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        built: list[Bundle] = []

        def build(folder: Path) -> Bundle:
            built.append(write_bundle(folder, {"name": name, "purpose": "train", "export": form}, {_FILE: lines}, {}))
            return built[-1]

        done = place.deliver(build, publish=False, timeout=None)
        told = {key: done.get(key) for key in ("version", "created", "path", "url")}
        return {"target": str(place), "name": name, "datasetId": built[-1].dataset_id, **told}

    return push
