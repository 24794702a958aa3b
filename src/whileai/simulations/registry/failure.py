"""`RegistryError`: a target that did not take a dataset, in one line that holds no key."""

from __future__ import annotations


class RegistryError(OSError):
    """A registry could not be reached, or refused; the message names it, what it answered and what to do.

    `status` is the HTTP status (None without one), `again` whether another try may help, `wait` the seconds the server
    asked to wait before it (None when it did not say).

    >>> error = RegistryError("https://registry.example answered 503", status=503, again=True)
    >>> str(error), error.again, error.wait
    ('https://registry.example answered 503', True, None)
    """

    def __init__(
        self, message: str, *, status: int | None = None, again: bool = False, wait: float | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.again = again
        self.wait = wait
