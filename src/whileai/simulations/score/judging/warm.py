"""The one request that wakes a model before many are sent at once."""

from __future__ import annotations

import contextlib
import contextvars
import threading
from typing import Any

from whileai.simulations.models.call import Call, paused
from whileai.simulations.models.chat import TIMEOUT

_MESSAGES = [{"role": "user", "content": "Answer with the word ready."}]
_TOKENS = 16
_LOOK = 0.1  # seconds between two looks at the clock


class WarmUp:
    """Asks a model once: the first caller does, the others wait for it, and its failure is nobody's.

    It lasts no longer than one try of the model may, and is on no row's clock.
    """

    def __init__(self, model: Any) -> None:
        self._model: Any = model
        self._lock = threading.Lock()

    def __call__(self) -> None:
        """Ask, or wait for the one who does; nothing once the model was asked."""
        if self._model is None:
            return
        with paused(), self._lock:
            if self._model is not None:
                _wake(self._model)
                self._model = None

    def __reduce__(self) -> tuple[Any, ...]:
        return WarmUp, (self._model,)


def _wake(model: Any) -> None:
    """Ask in a thread that can be left behind; what it asked is cancelled then."""
    call, over = Call(), threading.Event()

    def ask() -> None:
        try:
            with contextlib.suppress(Exception):
                model.ask(_MESSAGES, max_tokens=_TOKENS)
        finally:
            over.set()

    with call.within():
        work = contextvars.copy_context().run
        threading.Thread(target=work, args=(ask,), name="whileai-warm-up", daemon=True).start()
        try:
            longest = _seconds(model)
            while call.elapsed() < longest and not over.wait(_LOOK):  # its library may load for longer, off the clock
                pass
        finally:
            call.cancel()


def _seconds(model: Any) -> float:
    seconds = getattr(model, "timeout", None)
    return seconds if isinstance(seconds, int | float) else TIMEOUT
