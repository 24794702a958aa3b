"""The one request that wakes a model before many are sent at once."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

_MESSAGES = [{"role": "user", "content": "Answer with the word ready."}]
_TOKENS = 16


class WarmUp:
    """Asks a model once: the first caller does, the others wait for it, and its failure is nobody's."""

    def __init__(self, model: Any) -> None:
        self._model: Any = model
        self._lock = threading.Lock()

    def __call__(self) -> None:
        """Ask, or wait for the one who does; nothing once the model was asked."""
        if self._model is None:
            return
        with self._lock:
            if self._model is not None:
                with contextlib.suppress(Exception):
                    self._model.ask(_MESSAGES, max_tokens=_TOKENS)
                self._model = None
