"""Keep what the README and the docs show of a command or a program true to what it prints.

    python scripts/printed.py [--write]

A console block whose first line is `$ wai ...` holds that command's output; a text block that follows a Python block
after the word "prints" holds that program's, run in an empty folder. A command that ends in `| head -3` is shown with
the first three lines of its output. Without `--write` a block that differs is named and the exit status is 1.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"```console\n\$ (wai [^\n]*)\n(.*?)```", re.DOTALL)
PROGRAM = re.compile(r"```python\n(.*?)```\n\nprints\n\n```text\n(.*?)```", re.DOTALL)
WAI = "from whileai.cli.main import main; main()"


def output_of(command: str) -> str:
    """What a `wai` command prints, run from the root of the checkout."""
    command, _, lines = command.partition(" | head -")
    done = _run(WAI, *shlex.split(command)[1:], folder=ROOT)
    return headed(done.stdout + done.stderr, lines)


def headed(text: str, lines: str) -> str:
    """The first lines of a text, as `head` would print them; all where no number is given.

    >>> headed("one\\ntwo\\n", "1"), headed("one\\ntwo\\n", "")
    ('one\\n', 'one\\ntwo\\n')
    """
    return "".join(text.splitlines(keepends=True)[: int(lines) if lines else None])


def output_of_program(code: str) -> str:
    """What a Python program prints, warnings and errors among it, run in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return _run(code, folder=Path(folder), stderr=subprocess.STDOUT).stdout


def _run(code: str, *words: str, folder: Path, stderr: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        encoding="utf-8",
        check=False,
    )


def renewed(text: str) -> str:
    """The page with every such block filled anew."""
    text = BLOCK.sub(lambda block: f"```console\n$ {block[1]}\n{output_of(block[1])}```", text)
    return PROGRAM.sub(
        lambda block: f"```python\n{block[1]}```\n\nprints\n\n```text\n{output_of_program(block[1])}```", text
    )


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
