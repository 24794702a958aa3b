"""A tool's settings without what may be a secret."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from whileai.simulations.rows.credentials import holds_credential

_MAX_DEPTH = 40
_SECRET_NAME = re.compile(r"key|secret|passw|credential|authorization|cookie|bearer|(?:^|_|-|\.)token$", re.IGNORECASE)


def without_secrets(config: Any) -> Any:
    """A tool's configuration without what may be a secret: fields named like one, values that look like one.

    For settings only, never for what was said in an episode.

    >>> without_secrets({"model": "shop-7b", "api_key": "**", "env": {"HF_TOKEN": "x"}, "max_tokens": 5})
    {'model': 'shop-7b', 'env': {}, 'max_tokens': 5}
    """
    return _without_secrets(config, 0)


def _without_secrets(config: Any, depth: int) -> Any:
    if depth > _MAX_DEPTH or not isinstance(config, Mapping | list | tuple):
        return None if depth > _MAX_DEPTH else config
    if isinstance(config, Mapping):
        return {
            name: _without_secrets(value, depth + 1)
            for name, value in config.items()
            if not _SECRET_NAME.search(str(name)) and not _is_secret(value)
        }
    return [_without_secrets(entry, depth + 1) for entry in config if not _is_secret(entry)]


def _is_secret(value: Any) -> bool:
    return isinstance(value, str) and holds_credential(value)
