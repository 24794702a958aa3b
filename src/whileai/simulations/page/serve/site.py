"""What is served: the page of some rows, as they are now, and the labels given on it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from whileai.simulations.page.serve.labels import LabelsFile
from whileai.simulations.web.document import Document, Warned
from whileai.simulations.web.page import render

LABELS, VERSION = "/labels", "/version"


class Site:
    """A page that is read anew when it is asked for and its files have grown; read once when made.

    `read` gives the document, `version` a word for the state of its files. When the files cannot be read again the
    page stays as it was and says so.
    """

    def __init__(
        self, read: Callable[[], Document], version: Callable[[], str], labels: LabelsFile, token: str
    ) -> None:
        self._read, self._version, self._labels, self._token = read, version, labels, token
        self._lock = threading.Lock()
        self._failed: list[Warned] = []
        self._rendered: tuple[str, int, bytes] = ("", -1, b"")
        self._at = version()
        self._document = read()
        self._keys = _keys(self._document)

    def version(self) -> str:
        """The state of the files now."""
        return self._version()

    def page(self) -> bytes:
        """The page of the files as they are now, with the labels given so far."""
        with self._lock:
            if (now := self._version()) != self._at:
                self._renew(now)
            at, labels, page = self._rendered
            if (at, labels) != (self._at, self._labels.added):
                labels = self._labels.added
                page = self._page()
                self._rendered = (self._at, labels, page)
            return page

    def label(self, given: Any) -> None:
        """Keep a label of a row that was on the page; a `ValueError` for what is none, an `OSError` when it is lost."""
        self._labels.add(given, self._keys)

    def _renew(self, now: str) -> None:
        self._at = now
        try:
            self._document = self._read()
        except (OSError, ValueError) as error:
            self._failed = [
                {
                    "text": f"the files have changed and could not be read again: {error}",
                    "fix": "what is shown was read before; look at the files, then reload the page",
                    "section": None,
                }
            ]
            return
        self._failed = []
        self._keys |= _keys(self._document)

    def _page(self) -> bytes:
        document: Document = {**self._document, "warnings": [*self._failed, *self._document["warnings"]]}
        html = render(
            document,
            {
                "labels": LABELS,
                "token": self._token,
                "version": VERSION,
                "at": self._at,
                "given": self._labels.given(),
            },
        )
        return html.encode("utf-8", "backslashreplace")


def _keys(document: Document) -> set[str]:
    return {item["key"] for item in document["rollouts"]["items"] if item["key"] is not None}
