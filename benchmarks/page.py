"""How long a page of some megabytes takes to write, to open in a browser and to search.

    python benchmarks/page.py [MEGABYTES]

The page is a made-up one (`tests/web/large.py`) with 4,000 rollouts and a table of 5,000 tasks. Times are of the wall,
of this machine as it is: open is from the request to the first frame with everything read.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

_TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def timed(name: str, act: Callable[[], object]) -> None:
    start = time.perf_counter()
    act()
    print(f"{name:<28}{time.perf_counter() - start:7.2f} s")


def main(megabytes: float) -> None:
    from web.chromium import Opened, browser
    from web.large import large
    from whileai.simulations.web.page import render

    document = large(megabytes)
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        path = Path(folder) / "large.html"
        timed("write", lambda: path.write_text(render(document), encoding="utf-8"))
        print(f"{'size':<28}{path.stat().st_size / 1e6:7.1f} MB")
        with Opened(chromium, "about:blank") as opened:
            page = opened.page

            def open_page() -> None:
                page.goto(path.as_uri())
                page.evaluate(_TWO_FRAMES)

            def search() -> None:
                page.fill("#viewer-search", "checks the policy")
                page.locator("#viewer-count", has_text="4,000 of 4,000").wait_for()

            timed("open", open_page)
            page.evaluate("document.querySelector('[data-filter=\":all\"]').click()")
            timed("next rollout", lambda: (page.keyboard.press("j"), page.evaluate(_TWO_FRAMES)))
            timed("search all texts", search)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 19.0)
