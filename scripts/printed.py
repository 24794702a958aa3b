"""Keep what the README and the docs show of a command true to what it prints.

    python scripts/printed.py [--write]

A console block whose first line is `$ wai ...` holds that command's output. Without `--write` a block that differs is
named and the exit status is 1.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"```console\n\$ (wai [^\n]*)\n(.*?)```", re.DOTALL)
WAI = "from whileai.cli.main import main; main()"


def output_of(command: str) -> str:
    """What a `wai` command prints, run from the root of the checkout."""
    words = shlex.split(command)[1:]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", WAI, *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout + done.stderr


def renewed(text: str) -> str:
    """The page with every such block filled anew."""
    return BLOCK.sub(lambda block: f"```console\n$ {block[1]}\n{output_of(block[1])}```", text)


def main() -> int:
    stale = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if (now := renewed(text)) != text:
            stale.append(page.name)
            if "--write" in sys.argv:
                page.write_text(now, encoding="utf-8")
    for name in stale:
        print(f"{name}: {'renewed' if '--write' in sys.argv else 'differs from what the commands print'}")
    return 1 if stale and "--write" not in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
