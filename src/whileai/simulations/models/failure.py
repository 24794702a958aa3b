"""`ModelError`: what went wrong with a model, in one line that holds no key."""

from __future__ import annotations


class ModelError(Exception):
    """A model gave no usable answer; the message names the model, what it answered and what to do.

    `status` is the HTTP status (None when there was none), `again` whether another try may help, `wait` the seconds
    the server asked to wait before it (None when it did not say), `words` what it said, where the message has them cut.

    >>> error = ModelError("openai gpt-4o answered 401", status=401)
    >>> str(error), error.again
    ('openai gpt-4o answered 401', False)
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        again: bool = False,
        wait: float | None = None,
        words: str = "",
    ) -> None:
        super().__init__(message)
        self.status = status
        self.again = again
        self.wait = wait
        self.words = words
