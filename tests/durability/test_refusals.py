"""A disk that is full and a folder that may not be written: the target and the way out are said, nothing is changed."""

from __future__ import annotations

import os
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import whileai.simulations as wai_library
from entry import wai
from registry.rollouts import rollouts
from whileai.simulations.page.serve.labels import LabelsFile
from whileai.simulations.rows.write import write_rows

NOBODY = 65534
WRITERS = {
    "select": ("select rows.jsonl --target 400 -o {}/out.jsonl", "out.jsonl"),
    "select to Parquet": ("select rows.jsonl --target 400 -o {}/out.parquet", "out.parquet"),
    "select for SFT": ("select rows.jsonl --mode sft -o {}/out.jsonl", "out.jsonl"),
    "decontaminate": ("decontaminate rows.jsonl --against eval.jsonl -o {}/out.jsonl", "out.jsonl"),
    "export": ("export rows.jsonl -o {}/out.jsonl", "out.jsonl"),
    "export of pairs": ("export rows.jsonl --pairs -o {}/out.jsonl", "out.jsonl"),
    "export of an environment": ("export rows.jsonl --as verifiers -o {}/env", "env"),
    "grade, its verdicts": ("grade rows.jsonl --judge judge.py:judge -o {}/out.jsonl", "out.jsonl.checkpoint"),
    "grade": ("grade eval.jsonl --judge judge.py:judge --checkpoint kept -o {}/out.jsonl", "out.jsonl"),
    "push": ("push rows.jsonl --to {}/data", "data"),
    "report --html": ("report rows.jsonl --html {}/out.html", "out.html"),
}


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that everybody may read, with rows; `out` within it is where a file is that was there before."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        made = Path(name)
        made.chmod(0o755)
        write_rows(rollouts(30), made / "rows.jsonl")
        write_rows([{"task_id": "other", "prompt": "Nothing of that kind at all. " * 300}], made / "eval.jsonl")
        (made / "judge.py").write_text("def judge(row):\n    return {'reward': 1, 'reason': 'word ' * 40}\n")
        (made / "out").mkdir()
        monkeypatch.chdir(made)
        yield made


@contextmanager
def full(folder: Path) -> Iterator[str]:
    """No file may grow beyond 4 KiB: what a full disk is to a writer, without a disk."""
    before, cached = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    sys.dont_write_bytecode = True  # Python keeps the half of a module's code that it could write
    try:
        yield "File too large: "
    finally:
        sys.dont_write_bytecode = cached
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def denied(folder: Path) -> Iterator[str]:
    """The folder is root's, and the writer is not."""
    if os.geteuid() != 0:
        (folder / "out").chmod(0o555)
        yield "Permission denied: get the right to it"
        return
    os.seteuid(NOBODY)
    try:
        yield "Permission denied: get the right to it"
    finally:
        os.seteuid(0)


def held(folder: Path) -> dict[str, bytes]:
    """What lies in a folder, less the verdicts of a checkpoint, which are kept."""
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(".checkpoint")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.mark.parametrize("refusal", [full, denied])
@pytest.mark.parametrize("writer", WRITERS)
def test_a_write_that_is_refused_names_target_and_fix_and_changes_nothing(
    folder: Path, writer: str, refusal: type[full]
) -> None:
    line, name = WRITERS[writer]
    if "--html" in line:
        pytest.importorskip("jinja2")
    if "parquet" in line:
        pytest.importorskip("pyarrow.parquet")
    if not name.endswith((".checkpoint", "env", "data")):
        (folder / "out" / name).write_text("old\n")
    (folder / "kept").touch()
    (folder / "kept").chmod(0o666)
    before = held(folder / "out")
    with refusal(folder) as reason:
        done = wai(*line.format("out").split())
    assert done.returncode == 2
    assert f"out/{name}: {reason}" in done.stderr.splitlines()[-1]
    assert "name another place" in done.stderr
    assert done.stdout == ""
    assert held(folder / "out") == before
    assert not any(path.name.startswith(".") for path in (folder / "out").rglob("*"))


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("mount"), reason="a disk of its own needs root")
def test_a_disk_that_is_really_full_is_said_so_and_the_old_file_stays(folder: Path) -> None:
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "out"], check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        (folder / "out" / "r.jsonl").write_text("old\n")
        (folder / "out" / "fill").write_bytes(b"x" * 57_000)
        done = wai("select", "rows.jsonl", "-o", "out/r.jsonl")
        assert (done.returncode, sorted(os.listdir("out"))) == (2, ["fill", "r.jsonl"])
        assert done.stderr.endswith("out/r.jsonl: No space left on device: free space there, or name another place\n")
        assert (folder / "out" / "r.jsonl").read_text() == "old\n"
    finally:
        subprocess.run(["umount", "out"], check=True)


def test_a_label_that_does_not_fit_is_refused_and_the_file_ends_with_a_whole_line(folder: Path) -> None:
    kept = LabelsFile("out/r.labels.jsonl")
    with full(folder):
        kept.add({"key": "t#0", "label": 1}, {"t#0"})
        before = (folder / "out" / "r.labels.jsonl").read_bytes()
        with pytest.raises(OSError, match="only part of a label"):
            kept.add({"key": "t#0", "label": 0, "note": "word " * 900}, {"t#0"})
    kept.close()
    assert (folder / "out" / "r.labels.jsonl").read_bytes() == before


def test_a_run_whose_checkpoint_does_not_fit_ends_with_its_name_and_goes_on_later(folder: Path) -> None:
    rows = list(wai_library.load_rows("rows.jsonl"))

    def judge(row: dict[str, object]) -> dict[str, object]:
        return {"reward": 1, "reason": "word " * 40}

    with full(folder), pytest.raises(OSError, match=r"out/kept\.jsonl"):
        wai_library.run_judge(rows, judge, checkpoint="out/kept.jsonl", version="1", progress=False)
    again = wai_library.run_judge(rows, judge, checkpoint="out/kept.jsonl", version="1", progress=False)
    assert again.resumed > 5
    assert len(again.passes()) == len(rows)


def test_a_file_that_only_its_owner_may_read_stays_so(folder: Path) -> None:
    (folder / "out" / "r.jsonl").touch(mode=0o600)
    assert wai("select", "rows.jsonl", "-o", "out/r.jsonl").returncode == 0
    assert stat.S_IMODE((folder / "out" / "r.jsonl").stat().st_mode) == 0o600
