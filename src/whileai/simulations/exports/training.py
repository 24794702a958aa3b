"""`export_training`: rows as a file a trainer reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.exports.account import Account
from whileai.simulations.exports.environment import write_environment
from whileai.simulations.exports.lines import lines_of
from whileai.simulations.exports.push import pushing
from whileai.simulations.exports.settings import Form, Settings
from whileai.simulations.exports.source import Source
from whileai.simulations.exports.write import checked_output, write_lines
from whileai.simulations.reports import Report, counted, printable, wrapped
from whileai.simulations.signature import public


@public
def training_rows(
    source: Any,
    *,
    system_prompt: str | None = None,
    tools: Iterable[Any] | None = None,
    strip_think: bool = True,
    validate: bool = True,
    mask_mode: str = "assistant",
    unroll: bool = False,
    max_tool_output_chars: int | None = None,
    format: str = "openai",  # noqa: A002
) -> list[dict[str, Any]]:
    """The lines that `export_training` writes, in memory.

    >>> rows = [{"prompt": "Sky?", "final_text": "Blue.", "reward": 1}]
    >>> training_rows(rows, system_prompt="Be brief.")[0]["loss_mask"]
    [0, 0, 1]
    >>> training_rows(rows, format="fireworks")[0]["messages"][-1]
    {'role': 'assistant', 'content': 'Blue.', 'weight': 1}
    """
    settings = Settings.checked(
        Form, form=format, system_prompt=system_prompt, tools=tools, strip_think=strip_think, validate=validate,
        mask_mode=mask_mode, unroll=unroll, max_tool_output_chars=max_tool_output_chars,
    )  # fmt: skip
    return list(lines_of(Source.of(source), settings, Account(settings)))


@public
def export_training(
    source: Any,
    output: str | os.PathLike[str] | None = None,
    *,
    system_prompt: str | None = None,
    tools: Iterable[Any] | None = None,
    strip_think: bool = True,
    validate: bool = True,
    mask_mode: str = "assistant",
    unroll: bool = False,
    max_tool_output_chars: int | None = None,
    format: str = "openai",  # noqa: A002
    push_to: str | None = None,
) -> Report:
    """Write rows as a training file, whole or not at all, and say what is in it. `export_dataset` is the same.

    `source` is a run, scored data, a selection, a list of rows or a path. Formats:

    * `openai`: `messages` (system first, arguments as JSON text), `tools`, `loss_mask` (1 on turns to train on),
      `prompt`, the grade and the lineage
    * `trl`: `messages` with arguments as dicts; with `mask_mode="final"` or `unroll` `prompt` and `completion`
    * `fireworks`: `messages`, the agent's with a `weight` of 0 or 1, and `tools`
    * `verifiers`: `output` is a folder that becomes an environment package, its reward from what passed before

    `mask_mode` trains on all turns of the agent (`assistant`) or on the last (`final`); `unroll` makes a line of each.
    `system_prompt` and `tools` are by default those of the row, else of the source. `strip_think` takes `<think>`
    blocks out; `max_tool_output_chars` cuts longer tool results. A row ends with the agent's last turn; one in which
    the agent says and calls nothing is left out. Without `output` no file is written. `push_to` sends the lines where
    `push_rows` sends rows: a folder (`./data/refunds`), `hf://OWNER/NAME`, or a name in the registry.

    With `validate`, rows whose agent quotes their own privileged block, and calls that would not be read back as
    made, are a ValueError, and the file that was there before stays; so are an unknown format or mask mode.

    >>> import tempfile
    >>> rows = [{"prompt": "Sky?", "final_text": "Blue.", "reward": 1}, {"prompt": "Sea?", "final_text": "Red."}]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = export_training(rows, folder + "/train.jsonl")
    >>> report["n_written"], report["rewards"], report["trained_messages"], report["masked_messages"]
    (2, {'n_pass': 1, 'n_fail': 0, 'n_ungraded': 1}, 2, 2)
    """
    settings = Settings.checked(
        Form, form=format, system_prompt=system_prompt, tools=tools, strip_think=strip_think, validate=validate,
        mask_mode=mask_mode, unroll=unroll, max_tool_output_chars=max_tool_output_chars,
    )  # fmt: skip
    if push_to is not None and settings.form is Form.VERIFIERS:
        raise ValueError(
            "push_to sends a file of lines; a verifiers environment is a folder: push it with its own tools"
        )
    push = None if push_to is None else pushing(push_to, settings.form.value)
    checked_output(output)
    account = Account(settings)
    lines: Iterable[dict[str, Any]] = lines_of(Source.of(source), settings, account)
    if push is not None:
        lines = list(lines)
    written = _written(lines, output, settings.form)
    found = {
        "path": None if output is None else os.fspath(output),
        "n": account.n,
        "n_written": written,
        "format": settings.form.value,
        "with_system": account.with_system,
        "with_tools": account.with_tools,
        "groups": account.groups(),
        "rewards": account.rewards(),
        "mask_mode": settings.mask_mode.value,
        "trained_messages": account.trained,
        "masked_messages": account.masked,
        "unrolled": settings.unroll,
        "tool_call_roundtrip": account.roundtrip(),
        "privileged_leaks": account.leaks.report(),
        "tool_output_truncated": account.truncated,
        "tool_output_chars_cut": account.chars_cut,
        "max_tool_output_chars": settings.max_tool_output_chars,
        "warnings": list(account.warnings()),
        "pushed": None if push is None else push(lines),
    }
    return Report(found, show=_shown)


export_dataset = export_training


def _written(lines: Iterable[dict[str, Any]], output: str | os.PathLike[str] | None, form: Form) -> int:
    if form is Form.VERIFIERS and output is not None:
        return write_environment(lines, output)
    return write_lines(lines, output)


def _shown(report: Mapping[str, Any]) -> str:
    rewards, calls = report["rewards"], report["tool_call_roundtrip"]
    target = f"written to {printable(report['path'])}" if report["path"] else "written: no output was named"
    lines = [
        f"{report['format']}: {counted(report['n_written'], 'line')} of {counted(report['n'], 'row')} {target}",
        f"tasks {report['groups']:,}; rows pass {rewards['n_pass']:,}, fail {rewards['n_fail']:,}, "
        f"ungraded {rewards['n_ungraded']:,}",
        f"lines with a system prompt {report['with_system']:,}, with tools {report['with_tools']:,}",
        f"messages trained on {report['trained_messages']:,}, masked {report['masked_messages']:,} "
        f"({report['mask_mode']}{', unrolled' if report['unrolled'] else ''})",
        f"tool calls checked {calls['checked']:,}, changed by writing {calls['invalid']:,}",
        f"privileged text: {printable(report['privileged_leaks']['summary'])}",
    ]
    if report["tool_output_truncated"]:
        lines.append(
            f"tool results cut {report['tool_output_truncated']:,}, {report['tool_output_chars_cut']:,} characters"
        )
    if pushed := report["pushed"]:
        lines.append(f"pushed to {printable(pushed['target'])}, version {printable(pushed['version'])}")
    return "\n".join([*lines, *(line for note in report["warnings"] for line in wrapped(f"! {printable(note)}"))])
