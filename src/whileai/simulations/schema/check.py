"""What is wrong with a row, as a list of short codes."""

from __future__ import annotations

from typing import Any, Literal

from whileai.simulations.rows.text import roles
from whileai.simulations.rows.values import as_text, finite
from whileai.simulations.schema.calibration import calibration_of
from whileai.simulations.schema.types import KNOWN_VERSIONS
from whileai.simulations.signature import public

Kind = Literal["row", "training", "preference"]

_REQUIRED = (("prompt", str, "str"), ("steps", list, "list"), ("final_text", str, "str"))


@public
def validate(row: Any, kind: Kind = "row") -> list[str]:
    """The problems of one row, empty when it is fine. Never raises.

    An unstamped row of kind `row` is version 0 and only has to be a non-empty dict. A training sample needs its
    messages and a preference pair both sides, whatever the version.

    >>> validate({"schema_version": "1", "prompt": "Hi", "steps": [], "final_text": None})
    ['final_text_not_str']
    >>> validate({"prompt": "Hi"}), validate({"prompt": "Hi"}, kind="training")
    ([], ['messages_missing'])
    """
    if not isinstance(row, dict):
        return ["not_a_dict"]
    if not row:
        return ["empty_row"]
    version = _version(row.get("schema_version"))
    if version not in KNOWN_VERSIONS:
        return [f"unknown_schema_version:{version}"]
    if not isinstance(kind, str):
        return [f"unknown_kind:{as_text(kind)}"]
    if kind == "training":
        return _training_problems(row)
    if kind == "preference":
        return [f"{side}_missing" for side in ("chosen", "rejected") if not _filled_list(row.get(side))]
    if kind != "row":
        return [f"unknown_kind:{as_text(kind)}"]
    return [] if version == "0" else _row_problems(row)


def _version(stamp: Any) -> str:
    if stamp is None:
        return "0"
    if isinstance(stamp, float) and stamp in (0, 1):  # a column of numbers with gaps turns 1 into 1.0
        stamp = int(stamp)
    return as_text(stamp)


def _row_problems(row: dict[str, Any]) -> list[str]:
    problems = []
    for name, wanted, word in _REQUIRED:
        if name not in row:
            problems.append(f"{name}_missing")
        elif not isinstance(row[name], wanted):
            problems.append(f"{name}_not_{word}")
    problems += _reward_problems(row.get("reward"))
    if row.get("calibration") is not None and calibration_of(row) is None:
        problems.append("calibration_invalid")
    return problems


def _reward_problems(reward: Any) -> list[str]:
    if reward is None:
        return []
    if isinstance(reward, bool):
        return ["reward_is_bool"]
    if not isinstance(reward, int | float):
        return ["reward_not_number"]
    return [] if finite(reward) is not None else ["reward_not_finite"]


def _training_problems(row: dict[str, Any]) -> list[str]:
    messages, problems = row.get("messages"), []
    if not isinstance(messages, list) or not messages:
        problems.append("messages_missing")
    elif sum(1 for _ in roles(messages)) < len(messages):
        problems.append("message_without_role")
    if not isinstance(row.get("tools"), list | None):
        problems.append("tools_not_list")
    if row.get("loss_mask") is not None and not _is_mask(row["loss_mask"], messages):
        problems.append("loss_mask_invalid")
    return problems


def _filled_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _is_mask(mask: Any, messages: Any) -> bool:
    return (
        isinstance(mask, list)
        and all(isinstance(flag, int | float) and not isinstance(flag, bool) and flag in (0, 1) for flag in mask)
        and isinstance(messages, list)
        and len(mask) == len(messages)
    )
