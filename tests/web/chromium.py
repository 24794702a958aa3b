"""A page opened in headless Chromium, and everything it complains of or asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

BROWSER = Path("/usr/bin/chromium")
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-features=Translate,MediaRouter,OptimizationHints",
]


@contextmanager
def browser() -> Iterator[Any]:
    """One browser for a module's tests; skipped with the reason where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not BROWSER.exists():
        pytest.skip(f"{BROWSER} is not installed: apt-get install chromium")
    with playwright.sync_playwright() as api:
        started = api.chromium.launch(executable_path=str(BROWSER), args=_FLAGS)
        try:
            yield started
        finally:
            started.close()


class Opened:
    """A page in a context of its own: `complaints` are console messages and errors, `requests` all but its own file.

    A violation of the content security policy is a message of the console.
    """

    def __init__(
        self, browser: Any, address: Path | str, *, fragment: str = "", stopped_clock: bool = False, **context: Any
    ) -> None:
        self.address = address.as_uri() if isinstance(address, Path) else address
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.context = browser.new_context(viewport=context.pop("viewport", {"width": 1280, "height": 860}), **context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(15_000)
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: self.requests.append(request.url))
        if stopped_clock:
            self.page.clock.install()
        self.page.goto(self.address + fragment)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def at(self, fragment: str = "", address: Path | None = None) -> None:
        """The page, or another file, loaded anew in the same window, which costs a third of a new one."""
        self.page.goto("about:blank")
        self.complaints.clear()
        self.requests.clear()
        self.page.goto((address.as_uri() if address else self.address) + fragment)

    def text(self, selector: str) -> str:
        return self.page.locator(selector).first.text_content() or ""

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def elsewhere(self) -> list[str]:
        """The addresses asked for that are not the page itself."""
        return [url for url in self.requests if url.split("#")[0] != self.address.split("#")[0] and url[:5] != "data:"]
