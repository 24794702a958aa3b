"""The pages `docs/from/*.md`, one a foreign tool, from the table `from_tools.toml` and from what the library reads.

    python scripts/from_pages.py [--write]

Without `--write` a page that differs is named and the exit status is 1.
"""

from __future__ import annotations

import sys
import tomllib
import warnings
from pathlib import Path
from typing import Any

import printed

import whileai.simulations as wai
from whileai.simulations.rows.formats import named

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "from"
TOOLS: dict[str, dict[str, Any]] = tomllib.loads((ROOT / "scripts" / "from_tools.toml").read_text(encoding="utf-8"))
_LINES = 3  # of the report: what was read, how many tasks, how many graded


def pages() -> dict[str, str]:
    """Every page by its file name, the index of them included."""
    return {"index.md": _index(), **{f"{name}.md": _page(tool) for name, tool in TOOLS.items()}}


def rows_of(tool: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of the tool's sample."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # samples have bad records on purpose
        return list(wai.load_rows(ROOT / tool["sample"]))


def _index() -> str:
    listed = "\n".join(f"| [{tool['title']}]({name}.md) | {_names(tool)} |" for name, tool in TOOLS.items())
    return (
        "# From another tool\n\nGive `wai` the file, the folder or the glob that the tool wrote: `wai report logs/`. "
        "What it is, is seen by its content.\nIn Python the same is `wai.load_rows(path)`. A tool that is not here: "
        "write [rows](../rows.md), or add the format, as `CONTRIBUTING.md` shows.\n\n"
        f"| tool | `lineage.format` |\n| --- | --- |\n{listed}\n"
    )


def _names(tool: dict[str, Any]) -> str:
    return ", ".join(f"`{name}`" for name in tool["formats"]) or "that of the columns"


def _page(tool: dict[str, Any]) -> str:
    command = f"wai report {tool['sample']} | head -{tool.get('lines', _LINES)}"
    becomes = "\n".join(f"| {found} | {on_row} |" for found, on_row in tool["becomes"])
    return (
        f"# From {tool['title']}\n\n{tool['export']}\n\n"
        f"```console\n$ {command}\n{printed.output_of(command)}```\n\n"
        f"{_recognised(tool)}## What becomes of it\n\n"
        f"| in the file | on the row |\n| --- | --- |\n{becomes}\n\n{_doctest(tool)}"
        "Every other field is carried under its name, unchanged; "
        "facts of the whole file are on `load_rows(...).facts`.\n\n"
        f"## What is lost\n\n{tool['lost']}\n\n"
        "Next: [how good is the policy](../pass-rates.md), [what did the agent do](../checks.md), "
        "[all tools](index.md).\n"
    )


def _recognised(tool: dict[str, Any]) -> str:
    looked_for = [f"`{name}` by {named(name).LOOKS_FOR}" for name in tool["formats"]]  # type: ignore[union-attr]
    return f"Recognised by content: {'; '.join(looked_for)}.\n\n" if looked_for else ""


def _doctest(tool: dict[str, Any]) -> str:
    row = rows_of(tool)[0]
    shown = (row["task_id"], row["reward"], (row.get("final_text") or "")[:40])
    return (
        "```python\n>>> import whileai.simulations as wai\n"
        f'>>> row = next(iter(wai.load_rows("{tool["sample"]}")))\n'
        '>>> row["task_id"], row["reward"], (row.get("final_text") or "")[:40]\n'
        f"{shown!r}\n\n```\n\n"
    )


def main() -> int:
    write = "--write" in sys.argv
    FOLDER.mkdir(exist_ok=True)
    stale = [name for name, page in pages().items() if _stored(name) != page]
    for name, page in pages().items() if write else ():
        (FOLDER / name).write_text(page, encoding="utf-8")
    for name in stale:
        print(f"docs/from/{name}: {'renewed' if write else 'differs from its table'}")
    return 1 if stale and not write else 0


def _stored(name: str) -> str:
    path = FOLDER / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
