"""How long a page takes to write, to open in a browser and to search.

    python benchmarks/page.py [MEGABYTES]     made up (`tests/web/large.py`): 4,000 rollouts, a table of 5,000 tasks
    python benchmarks/page.py --rows N        `wai report --html` of a file of N rollouts (`make_rows.py`)

Open is from the request to the first frame with everything read: by the wall, on this machine as it is, and the seconds
that the page's own thread was busy, which other work on the machine lengthens less. Measured on two busy cores:
100,000 rollouts make 5.5 MB that open in 1.5 s (busy 1.3 s); a made-up 22 MB opens in 2.2 s (busy 1.7 s).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

_TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
_WAI = "import sys; sys.path.insert(0, {src!r}); from whileai.cli.main import main; main()"


def timed(name: str, act: Callable[[], object]) -> None:
    start = time.perf_counter()
    act()
    print(f"{name:<28}{time.perf_counter() - start:7.2f} s", flush=True)


def made_up(path: Path, megabytes: float) -> None:
    from web.large import large
    from whileai.simulations.web.page import render

    document = large(megabytes)
    timed("write", lambda: path.write_text(render(document), encoding="utf-8"))


def reported(path: Path, rows: int) -> None:
    file = path.with_suffix(".jsonl")
    make = [sys.executable, str(ROOT / "benchmarks" / "make_rows.py"), "--rows", str(rows), str(file)]
    subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
    command = [sys.executable, "-c", _WAI.format(src=str(ROOT / "src")), "report", str(file), "--html", str(path)]
    timed("read and write", lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))


def opened(path: Path) -> None:
    from web.chromium import Opened, browser

    print(f"{'size':<28}{path.stat().st_size / 1e6:7.1f} MB")
    with browser() as chromium, Opened(chromium, "about:blank") as tab:
        page, session = tab.page, tab.context.new_cdp_session(tab.page)
        session.send("Performance.enable")

        def open_page() -> None:
            page.goto(path.as_uri())
            page.evaluate(_TWO_FRAMES)

        def search() -> None:
            page.fill("#viewer-search", "the")
            page.locator("#viewer-count", has_text="with “the”").wait_for()

        timed("open", open_page)
        print(f"{'open, thread busy':<28}{busy(session):7.2f} s")
        page.evaluate("document.querySelector('[data-filter=\":all\"]').click()")
        timed("next rollout", lambda: (page.keyboard.press("j"), page.evaluate(_TWO_FRAMES)))
        timed("search all texts", search)


def busy(session: Any) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("megabytes", nargs="?", type=float, default=19.0)
    parser.add_argument("--rows", type=int)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        if given.rows is None:
            made_up(path, given.megabytes)
        else:
            reported(path, given.rows)
        opened(path)


if __name__ == "__main__":
    main()
