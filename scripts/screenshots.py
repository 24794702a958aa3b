"""The pictures of a report's page in the docs, taken of a page that `wai report --html` wrote.

    python scripts/screenshots.py PAGE.html [--into docs/images] [--name report] [--filter ID]

Writes `report-light.png`, `report-dark.png`, `report-phone.png` and `report-viewer.png`, each under 300 KB, with
headless Chromium (Debian's package) through playwright. The viewer is opened on the filter `--filter`, by default on
the first number of the page that leads to rollouts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

BROWSER = "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
MOST_BYTES = 300_000
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 760}


def shots(opened: str) -> dict[str, tuple[dict[str, Any], Callable[[Any], None]]]:
    """Each picture's name, the context it is taken in, and what is done before."""

    def view(page: Any) -> None:
        page.locator(opened).first.evaluate("button => button.click()")
        page.locator("#talk-title").wait_for()

    def nothing(page: Any) -> None:
        pass

    return {
        "light": ({"viewport": DESK, "color_scheme": "light"}, nothing),
        "dark": ({"viewport": DESK, "color_scheme": "dark"}, nothing),
        "phone": ({"viewport": PHONE, "color_scheme": "light", "device_scale_factor": 2}, nothing),
        "viewer": ({"viewport": DESK, "color_scheme": "light"}, view),
    }


def take(html: Path, into: Path, name: str, opened: str) -> list[Path]:
    from playwright.sync_api import sync_playwright

    into.mkdir(parents=True, exist_ok=True)
    written = []
    with sync_playwright() as api:
        browser = api.chromium.launch(executable_path=BROWSER, args=FLAGS)
        for suffix, (context, prepare) in shots(opened).items():
            page = browser.new_context(reduced_motion="reduce", **context).new_page()
            page.goto(html.resolve().as_uri())
            prepare(page)
            page.wait_for_timeout(300)  # charts are drawn in the frames after the page has its size
            path = into / f"{name}-{suffix}.png"
            path.write_bytes(small(page.screenshot()))
            written.append(path)
        browser.close()
    return written


def small(png: bytes) -> bytes:
    """The picture, which the docs take up to MOST_BYTES."""
    if len(png) > MOST_BYTES:
        raise SystemExit(f"a picture has {len(png):,} bytes, over {MOST_BYTES:,}: take it of a smaller DESK or PHONE")
    return png


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("html", type=Path)
    parser.add_argument("--into", type=Path, default=Path(__file__).parents[1] / "docs" / "images")
    parser.add_argument("--name", default="report")
    parser.add_argument("--filter", help="the id of a filter of the page, for the viewer")
    given = parser.parse_args()
    opened = "button[data-filter]" if given.filter is None else f"button[data-filter='{given.filter}']"
    for path in take(given.html, given.into, given.name, opened):
        sys.stdout.write(f"{path} {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
