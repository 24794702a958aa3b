"""What an export counts while it writes: rows, lines, calls that survive, leaks, and what a person should know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from whileai.simulations.defaults import PASS_THRESHOLD
from whileai.simulations.exports.leaks import Leaks
from whileai.simulations.exports.settings import Form, Settings
from whileai.simulations.exports.turns import Turn
from whileai.simulations.exports.wire import survives
from whileai.simulations.reports import counted
from whileai.simulations.rows.grade import grade
from whileai.simulations.rows.task import task_key
from whileai.simulations.rows.values import is_mapping
from whileai.simulations.score.optimize.junk import has_markup

_LISTED = 20  # rows whose calls do not survive, by number


class Account:
    """Counts, row by row; `refuse` raises what `validate=True` does not let pass."""

    def __init__(self, settings: Settings, noun: str = "row") -> None:
        self._settings, self._noun = settings, noun
        self.leaks = Leaks()
        self.n = self.n_lines = self.with_system = self.with_tools = 0
        self.trained = self.masked = self.truncated = self.chars_cut = 0
        self._tasks: set[str] = set()
        self._passed: set[str] = set()
        self._rewards = {"n_pass": 0, "n_fail": 0, "n_ungraded": 0}
        self._calls = self._invalid = 0
        self._invalid_rows: list[int] = []
        self._silent = self._unprompted = self._undeclared = self._unbound = self._markup = 0

    def read(self, **rows: Mapping[str, Any]) -> None:
        """A row of the source, or the sides of a pair by name."""
        self.n += 1
        for name, row in rows.items():
            self.leaks.look(row, f"{self._noun} {self.n}" + ("" if name == self._noun else f", {name}"))

    def silent(self) -> None:
        """A row that is left out, as the agent says nothing in it."""
        self._silent += 1

    def written(self, row: Mapping[str, Any], turns: list[Turn], tools: list[Any]) -> None:
        """A row that gives lines."""
        reward = grade(row)
        verdict = "n_ungraded" if reward != reward else "n_pass" if reward >= PASS_THRESHOLD else "n_fail"
        self._rewards[verdict] += 1
        if verdict == "n_pass":
            self._passed.add(task_key(row))
        self.episodes(row, [turns], tools)

    def episodes(self, row: Mapping[str, Any], conversations: list[list[Turn]], tools: list[Any]) -> None:
        """The conversation of a row, or both of a pair: its task, its calls, what the file does not say of it."""
        self._tasks.add(task_key(row))
        made = [call for turns in conversations for turn in turns for call in turn.calls]
        invalid = sum(not survives(call) for call in made)
        self._calls += len(made)
        self._invalid += invalid
        if invalid and len(self._invalid_rows) < _LISTED:
            self._invalid_rows.append(self.n)
        self._undeclared += bool(made) and not tools
        self._unprompted += conversations[0][0].role != "system" and _was_prompted(row)
        self._unbound += any(map(_has_loose_ends, conversations))
        self._markup += any(
            has_markup(turn.content) for turns in conversations for turn in turns if turn.role == "assistant"
        )

    def line(self, turns: list[Turn], mask: list[int], tools: list[Any]) -> None:
        """A line of the file."""
        self.n_lines += 1
        self.with_system += turns[0].role == "system"
        self.with_tools += bool(tools)
        self.trained += sum(mask)
        self.masked += len(mask) - sum(mask)

    def refuse(self) -> None:
        """Raise a ValueError where the rows quote what is private or calls would change."""
        if not self._settings.validate:
            return
        if refusal := self.leaks.refusal():
            raise ValueError(refusal)
        if self._invalid:
            rows = ", ".join(map(str, self._invalid_rows)) + (", ..." if len(self._invalid_rows) == _LISTED else "")
            raise ValueError(
                f"{counted(self._invalid, 'tool call')} would not be read back as made ({self._noun} {rows}): a call "
                "needs a name and arguments that are a JSON object; repair it or leave it out, or pass validate=False"
            )

    def roundtrip(self) -> dict[str, Any]:
        """`checked` calls, `invalid` ones, their `rows` by number (the first 20), and how arguments are written."""
        encoding = "dict" if self._settings.form is Form.TRL else "json_string"
        return {"checked": self._calls, "invalid": self._invalid, "rows": self._invalid_rows, "encoding": encoding}

    def groups(self) -> int:
        """The tasks written."""
        return len(self._tasks)

    def rewards(self) -> dict[str, int]:
        """The rows written by their grade: pass from 0.5 up, fail below, ungraded."""
        return self._rewards

    def warnings(self) -> Iterator[str]:
        """What is missing from the file, and what to do about it."""
        if self._undeclared:
            yield (
                f"{self._counted(self._undeclared)} with tool calls and the file has no schema of them: pass tools=, "
                "or the policy is trained to call what it is not shown"
            )
        if self._unprompted:
            yield (
                f"{self._counted(self._unprompted)} had a system prompt and the file has none: pass system_prompt=, "
                "or the policy is trained without what it will be told"
            )
        if self._silent:
            yield f"{self._counted(self._silent)} left out: the agent says and calls nothing there, or only crashed"
        if self._unbound:
            yield (
                f"{self._counted(self._unbound)} with a call that has no result, or a result that answers no call: "
                "chat templates and fine-tuning services may refuse them"
            )
        if self._markup:
            yield (
                f"{self._counted(self._markup)} with the raw markup of a tool call in what the agent says, which is "
                "trained on as it stands: leave them out (select does)"
            )
        if not self._settings.validate and (refusal := self.leaks.refusal()):
            yield refusal.partition(";")[0] + "; written all the same (validate=False)"
        if self._settings.form is Form.VERIFIERS and (unknown := len(self._tasks - self._passed)):
            yield (
                f"the environment leaves out {counted(unknown, 'task')} of {len(self._tasks):,}, as no row passes and "
                "there is nothing to compare an attempt with: grade rows first, or add rollouts that pass"
            )
        if not self.n_lines:
            yield f"nothing to write: {self._counted(self.n)} given"

    def _counted(self, n: int) -> str:
        return counted(n, self._noun)


def _has_loose_ends(turns: list[Turn]) -> bool:
    """Whether a call has no result, or a result answers no call."""
    made = {call.id for turn in turns for call in turn.calls}
    return made != {turn.call_id for turn in turns if turn.role == "tool"}


def _was_prompted(row: Mapping[str, Any]) -> bool:
    lineage = row.get("lineage")
    return is_mapping(lineage) and bool(lineage.get("system_prompt_chars") or lineage.get("system_prompt_sha"))
