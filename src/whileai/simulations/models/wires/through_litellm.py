"""Every other provider, through the `litellm` library, which reads their keys from their own variables."""

from __future__ import annotations

from typing import Any

from whileai.simulations.errors import MissingExtraError
from whileai.simulations.models.failure import ModelError
from whileai.simulations.models.wires.base import RETRIED, Target, Wire


class ThroughLitellm(Wire):
    """A model that `litellm` asks."""

    def __init__(self, target: Target) -> None:
        super().__init__(target)
        try:
            import litellm
        except ImportError:
            raise MissingExtraError("litellm", extra="litellm", what=f"asking {target.spec}") from None
        litellm.suppress_debug_info = True  # else it prints advertising for every error
        self._ask = litellm.acompletion
        self._given: dict[str, Any] = {"timeout": target.timeout, "num_retries": 0, "max_retries": 0}
        if target.key:
            self._given["api_key"] = target.key.reveal()
        if target.region:
            self._given["aws_region_name"] = target.region

    async def send(self, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to one body, in the form of chat completions whatever the provider speaks."""
        answer: dict[str, Any] = {}
        failure: ModelError | None = None
        try:
            answer = self._within((await self._ask(**body, **self._given)).model_dump())
        except Exception as error:  # each provider has its own errors; those of litellm carry an HTTP status
            failure = self._failure(error)
        if failure is not None:
            raise failure
        return answer

    def _failure(self, error: Exception) -> ModelError:
        status = getattr(error, "status_code", None)
        response = getattr(error, "response", None)
        if not isinstance(status, int):
            return self.no_answer(error)
        if status == 408:
            return self.out_of_time()
        failure = self.refusal(status, str(error).encode("utf-8", "replace"), getattr(response, "headers", None) or {})
        failure.again = status in RETRIED
        return failure
