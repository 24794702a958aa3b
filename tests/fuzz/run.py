"""Coverage-guided fuzzing of the readers, the formats, the typed row and the judge replies, by atheris.

PYTHONPATH=tests python -m fuzz.run         ten minutes in all, a quarter a target
PYTHONPATH=tests python -m fuzz.run 60      another number of seconds
PYTHONPATH=tests python -m fuzz.run 60 rows replies      only these targets

A line a target: executions, coverage edges and features. It ends non-zero on a finding; what was found is printed and
lies in `.fuzz/found`. Mend it, and keep it in `tests/fuzz/cases` under a name that says what it showed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from samples import found

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KEPT = ROOT / ".fuzz"  # the corpus of earlier runs, and the findings
TARGETS = ("readers", "formats", "rows", "replies")
_LARGEST = 4096  # bytes of an input
_COVERED = re.compile(r"^#(\d+)\s.*cov: (\d+) ft: (\d+)", re.MULTILINE)


def main(seconds: float, targets: list[str]) -> int:
    """Run the targets one after the other; 1 when one of them found something."""
    _seed_readers()
    failed = [name for name in targets if not _holds(name, int(seconds / len(targets)))]
    print(f"found something: {', '.join(failed)}" if failed else "nothing found")
    return bool(failed)


def _holds(name: str, seconds: int) -> bool:
    for folder in (KEPT / name, KEPT / "found"):
        folder.mkdir(parents=True, exist_ok=True)
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={_LARGEST}",
        f"-dict={HERE / 'json.dict'}",
        f"-artifact_prefix={KEPT / 'found'}/{name}-",
        "-timeout=30",
        "-rss_limit_mb=3000",
    ]
    path = os.pathsep.join([str(ROOT / "tests"), str(ROOT / "src")])
    done = subprocess.run(
        [sys.executable, "-m", f"fuzz.targets.{name}", *options, str(KEPT / name)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    said = done.stderr + done.stdout
    last = (_COVERED.findall(said) or [("0", "0", "0")])[-1]
    print(f"{name}: {int(last[0]):,} executions in {seconds} s, {last[1]} edges, {last[2]} features", flush=True)
    if done.returncode:
        print(said[-6000:])
    return done.returncode == 0


def _seed_readers() -> None:
    """Begin with the sample files, cut to the largest input; the choices of a target stand behind the bytes."""
    folder = KEPT / "readers"
    folder.mkdir(parents=True, exist_ok=True)
    samples = found("formats/openai-chat")
    for path in sorted([] if samples is None else samples.parent.rglob("*.*")):
        if path.is_file():
            (folder / f"seed-{path.parent.name}-{path.name}").write_bytes(path.read_bytes()[: _LARGEST - 8] + bytes(3))


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(main(float(given[0]) if given else 600.0, given[1:] or list(TARGETS)))
