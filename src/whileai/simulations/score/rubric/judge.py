"""A model judge that scores a rollout against a rubric, item by item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from whileai.simulations.models import open_model
from whileai.simulations.models.replies import json_object
from whileai.simulations.rows.content import filled
from whileai.simulations.rows.values import as_text, is_mapping
from whileai.simulations.score.judging.addressed import noted
from whileai.simulations.score.judging.data import data_json, inert, plain
from whileai.simulations.score.judging.evidence import unread
from whileai.simulations.score.judging.prompt import (
    DATA_RULE,
    ask_judge,
    failure_text,
    fenced,
    prompted_name,
    version_of,
)
from whileai.simulations.score.judging.record import rollout_record
from whileai.simulations.score.judging.warm import WarmUp
from whileai.simulations.score.rubric.attach import RubricForm, rubric_of
from whileai.simulations.score.rubric.criterion import PITFALL
from whileai.simulations.score.rubric.replies import answers_in
from whileai.simulations.score.rubric.rubric import Rubric
from whileai.simulations.signature import public

MAX_TOKENS = 400  # tokens of a reply: a verdict an item and one sentence; rubric.md
REFERENCE_CHARS = 4000  # characters of a reference answer that are shown; as of the request
_FORM = (
    'Answer with one JSON object and nothing else: {"criteria": {"1": true|false, "2": true|false, ...}, '
    '"reason": "<one sentence>"}, with an entry for every item number of the rubric.'
)
_SYSTEM = (
    "You check one rollout of a tool-using agent against a rubric, item by item. For a Hard rule or a Principle true "
    "means that the reply meets it; for a Pitfall true means that the reply exhibits the mistake. Judge what was done: "
    "`tools_called` lists the tools that returned a result, `tools_not_called` those that did not, and a reply that "
    "announces a call it never made has not made it. Length, tone and confidence count only where an item says so. "
    f"{DATA_RULE}\n{_FORM}"
)


@public
def rubric_judge(
    rubric: RubricForm | None = None,
    spec: Any = None,
    api_key: str | None = None,
    prompt: str | None = None,
    policy: str = "",
    tools: Iterable[Any] | None = None,
    timeout: float = 120,
) -> RubricJudge:
    """A judge for `run_judge` that has a model answer each item of a rubric and scores the answers (`Rubric.score`).

    `rubric` applies to every row; without one each row's own (`privileged.rubric`) does, and a row without any stays
    ungraded, unasked. `spec` names the model (see `models.open_model`), `prompt` replaces the system prompt, `policy`
    and `tools` are shown beside the rollout, `timeout` is in seconds for one try. The first row is preceded by one
    warm-up request, for which the others wait. A malformed spec or rubric is a `ValueError` here.

    The judge returns `reward` (None without a verdict, never 0), `reason`, `markers` (`rubric:<slug>`, 1.0 is the good
    side), `criteria` (the answers), `rubric_version`, `hard_failed`, `missed`, `pitfalls_hit`, `unanswered` (titles)
    and `n_unanswered`. Its name holds the model, the prompt and the rubric's version. Principles score fractions, which
    agreement with 0/1 labels leaves out; criteria of kind `hard` give 0 or 1.

    >>> rubric_judge([{"title": "Issues the refund"}], spec="vllm:m@http://127.0.0.1:8000/v1", prompt="Be strict.")
    <rubric judge m@11dd0767ee7a>
    """
    model = open_model(spec, api_key=api_key, timeout=timeout)
    fixed = None if rubric is None else Rubric.from_dict(rubric)
    shown = tuple(tools) if tools is not None else None
    return RubricJudge(model, fixed, (prompt or "").strip() or _SYSTEM, policy, shown)


class RubricJudge:
    """A model that answers a rubric; see `rubric_judge`."""

    def __init__(
        self, model: Any, rubric: Rubric | None, system: str, policy: str, tools: tuple[Any, ...] | None
    ) -> None:
        self.model = model
        self.rubric = rubric
        self.system = system
        self._policy = policy
        self._tools = tools
        self._warm = WarmUp(model)
        folded = system if rubric is None else f"{system}|rubric:{rubric.version}"
        self.__name__ = prompted_name(model.model, folded)

    @property
    def version(self) -> str:
        """12 hex digits of what the judge is asked, and of whom: a checkpoint keeps those of different ones apart."""
        rubric = self.rubric and self.rubric.version
        return version_of(self.system, rubric, self._policy, self._tools, as_text(getattr(self.model, "spec", None)))

    def __call__(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The verdict on one row; it never raises for what the model or its server does."""
        rubric = self.rubric or rubric_of(row)
        if rubric is None:
            return _no_verdict("the row has no rubric: pass rubric= or attach one with attach_rubric", None)
        self._warm()
        shown: list[str] = []
        try:
            text = ask_judge(
                self.model, self.system, lambda chars: self._message(rubric, row, chars, shown), MAX_TOKENS
            )
        except Exception as error:
            return _no_verdict(failure_text(error), rubric)
        return noted(verdict_of(text, rubric), shown, self._policy)

    def _message(self, rubric: Rubric, row: Mapping[str, Any], chars: int, shown: list[str]) -> str:
        shown[:] = [rollout_record(row, tools=self._tools, policy=self._policy, limit=chars)]
        parts = [f"Rubric:\n{inert(rubric.checklist())}"]
        if is_mapping(row.get("audit")) and filled(reference := reference_of(row)):
            parts.append(f"Reference answer, as JSON: {data_json(plain(reference, REFERENCE_CHARS))}")
        parts.append(fenced(shown[0]))
        parts.append(f"Now answer the rubric, item by item. {_FORM}")
        return "\n\n".join(parts)

    def __repr__(self) -> str:
        return f"<rubric judge {self.__name__}>"


def reference_of(row: Mapping[str, Any], key: str = "reference") -> Any:
    """The reference answer of a row: `privileged.reference`, else the row's own `key`."""
    privileged = row.get("privileged")
    held = privileged.get("reference") if is_mapping(privileged) else None
    return held if filled(held) else row.get(key)


def verdict_of(text: str, rubric: Rubric) -> dict[str, Any]:
    """What a model's reply says of a rubric, scored.

    >>> verdict_of('{"criteria": {"1": true}, "reason": "done"}', Rubric.from_dict(["Issues the refund"]))["reward"]
    1.0
    """
    reply = json_object(text, having=("criteria",))
    answers = None if reply is None else answers_in(reply.get("criteria"), rubric.criteria)
    if reply is None or answers is None:
        return _no_verdict(unread("no verdict on the rubric in the reply", text), rubric)
    scored = rubric.score(answers)
    markers = {
        f"rubric:{c.slug}": float(
            c.title not in scored["pitfalls_hit"] if c.kind == PITFALL else c.title in scored["met"]
        )
        for c in rubric.criteria
    }
    return {
        "reward": scored["reward"],
        "reason": as_text(reply.get("reason")),
        "markers": markers,
        "criteria": answers,
        "rubric_version": rubric.version,
        **{name: scored[name] for name in ("hard_failed", "missed", "pitfalls_hit", "unanswered")},
        "n_unanswered": len(scored["unanswered"]),
    }


def _no_verdict(reason: str, rubric: Rubric | None) -> dict[str, Any]:
    return {"reward": None, "reason": reason, "rubric_version": rubric.version if rubric else None}
