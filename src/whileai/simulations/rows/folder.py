"""The files of a folder, or of a glob, in the order in which they are read."""

from __future__ import annotations

import glob
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from whileai.simulations.errors import ReadError
from whileai.simulations.rows.inputs import FileInput, Role

# Names of files that tools write beside their rows, never as rows: run settings, column types, shard lists.
SIDECARS = frozenset({"metadata.json", "dataset_info.json", "state.json", "dataset_dict.json", "config.json"})

LABELS = ".labels.jsonl"  # ends the name of a file of labels, as `wai serve` writes it beside rows
_MAGIC = re.compile(r"[*?\[]")
_DIGITS = re.compile(r"(\d+)")


def without_labels(names: Sequence[str]) -> list[str]:
    """The names of files less those of labels beside them, as a shell gives them for `runs/*`; all when none is else.

    >>> without_labels(["runs/a.jsonl", "runs/a.labels.jsonl"]), without_labels(["a.labels.jsonl"])
    (['runs/a.jsonl'], ['a.labels.jsonl'])
    """
    return [name for name in names if not name.endswith(LABELS)] or list(names)


def is_glob(text: str) -> bool:
    """Whether a path is a pattern rather than the name of a file that exists.

    >>> is_glob("runs/*.jsonl"), is_glob("runs/a.jsonl")
    (True, False)
    """
    return bool(_MAGIC.search(text)) and not Path(text).exists()


def glob_inputs(pattern: str) -> list[FileInput]:
    """The files that match, sorted (numbers in names by value); a folder that matches gives its files."""
    paths = sorted((Path(found) for found in glob.glob(pattern, recursive=True)), key=_in_order)
    kept = set(without_labels([str(path) for path in paths]))
    paths = [path for path in paths if str(path) in kept]
    if "**" in pattern:
        paths = [path for path in paths if not path.is_dir()]
    if not paths:
        raise ReadError(f"no file matches the pattern {pattern!r}")
    return paths_inputs(paths)


def paths_inputs(paths: Iterable[Path]) -> list[FileInput]:
    """The files at some paths, one after another; those of a folder where a path is one."""
    found = [part for path in paths for part in (_folder(path, path) if path.is_dir() else [_file(path)])]
    _mark_graded(found)
    names = Counter(part.label for part in found)
    for part in found:
        part.label = part.label if names[part.label] == 1 else str(part.path)
    return found


def _mark_graded(found: list[FileInput]) -> None:
    """Mark the samples of which a graded copy, as the evaluators of HumanEval and EvalPlus write it, is there too."""
    files = {part.file for part in found}
    for part in found:
        stem = part.name.removesuffix(".jsonl")
        copies = (f"{part.name}_results.jsonl", f"{stem}_eval_results.json", f"{stem}.eval_results.json")
        if stem != part.name and any(part.file.with_name(copy) in files for copy in copies):
            part.role = "repeat"


def _file(path: Path) -> FileInput:
    path.stat()  # a missing file is told at the call, not at the first row; a pipe must not be opened twice
    return FileInput(path.name, path)


def _in_order(path: Path) -> list[tuple[tuple[int, str], ...]]:
    """Sort key: by the parts of the path, runs of digits by their value (`step_2` before `step_10`)."""
    return [
        tuple((int(piece), "") if piece.isdecimal() else (-1, piece) for piece in _DIGITS.split(part) if piece)
        for part in path.parts
    ]


def _folder(folder: Path, top: Path, role: Role = "maybe") -> Iterator[FileInput]:
    listed = _dataset(folder, top)
    if listed is not None:
        yield from listed
        return
    for entry in sorted(folder.iterdir(), key=_in_order):
        if entry.name.startswith(".") or entry.name.endswith(LABELS) or _describes(entry):
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _folder(entry, top, "repeat" if _repeats(entry) else role)
        elif entry.is_file():
            label = str(entry.relative_to(top))
            yield FileInput(label, entry, role="sidecar" if entry.name in SIDECARS else role)


def _repeats(folder: Path) -> bool:
    """Whether a folder repeats the one beside it: those rows of prime-rl's `all` that the trainer used."""
    return folder.name == "effective" and (folder.parent / "all").is_dir()


def _describes(entry: Path) -> bool:
    """Whether an entry describes what lies beside it, or is read through it."""
    if entry.name == "configs":  # verifiers: the settings of a run
        return (entry.parent / "traces.jsonl").exists() or (entry.parent / "results.jsonl").exists()
    if entry.name == "simulations":  # tau2-bench: read through the index in results.json
        return bool(_object(entry.parent / "results.json").get("simulation_index"))
    return False


def _dataset(folder: Path, top: Path) -> list[FileInput] | None:
    """The shards of a folder that `save_to_disk` of Hugging Face datasets wrote; None when it is no such folder."""
    splits = _object(folder / "dataset_dict.json").get("splits")
    if isinstance(splits, list):
        parts = [(str(split), folder / str(split)) for split in splits if _is_name(split)]
        return [shard for split, path in parts for shard in _shards(path, top, split) or []]
    return _shards(folder, top, None)


def _shards(folder: Path, top: Path, split: str | None) -> list[FileInput] | None:
    files = _object(folder / "state.json").get("_data_files")
    if not isinstance(files, list):
        return None
    names = [file["filename"] for file in files if isinstance(file, dict) and _is_name(file.get("filename"))]
    shards = [folder / name for name in names]
    if missing := [shard.name for shard in shards if not shard.is_file()]:
        raise ReadError(f"state.json names {missing[0]}, which is not there", source=str(folder))
    return [FileInput(str(shard.relative_to(top)), shard, split) for shard in shards]


def _is_name(name: Any) -> bool:
    """Whether a name read from a file is a plain file name: it must not lead out of its folder."""
    return isinstance(name, str) and name not in ("", ".", "..") and not set(name) & {"/", "\\", "\0"}


def _object(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
