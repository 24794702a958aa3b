"""The objects of a typed row and its constants; see `read` and `write` for how a flat row becomes them and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Literal, TypeVar

from whileai.simulations.rows.values import as_text

Status = Literal["ok", "missing_reward", "invalid_result", "error", "timeout"]
ScorerKind = Literal["rule", "judge", "reward_model", "human"]
T = TypeVar("T")

SCHEMA_VERSION = "1"
KNOWN_VERSIONS = ("0", "1")
SCORER_KINDS: tuple[ScorerKind, ...] = ("rule", "judge", "reward_model", "human")
AXES = (
    "tier", "ask_family", "intent_known", "tool_known", "stance", "tone", "length", "ask", "vagueness", "phrasing",
    "pressure", "user", "texture", "history",
)  # fmt: skip
VERDICT_COLUMNS = (
    "reward", "reason", "grader_reason", "label_source", "judge_name", "judge_status", "judge_meta", "failure_class",
    "llm_reward", "llm_reason", "qwen_reward",
)  # fmt: skip
CARRIED_COLUMNS = (
    "messages", "opener", "opening", "conversation_id", "ts", "fault_detected", "lineage", "quality",
    "quality_reason", "quality_scores", "behavior_signature", "steering", "tools", "group_id", "logprob", "n_tokens",
    "token_logprobs", "sampling", "usage", "writer_model", "user_model",
)  # fmt: skip
SIDE_SCORERS = {"llm": "llm_reward", "qwen": "qwen_reward"}

_new = object.__new__
_set = object.__setattr__


def made(cls: type[T], held: dict[str, Any]) -> T:
    """An object of a class below from the fields it holds, without the generated `__init__`.

    A frozen dataclass sets every field through `object.__setattr__`, and a row makes a dozen objects most of whose
    fields are unset: that would cost more than parsing the row. Here the dict becomes the object's own. A field left
    out reads as its default, see `_fresh_defaults`.
    """
    instance = _new(cls)
    _set(instance, "__dict__", held)
    return instance


class _Fresh:
    """The default of a field whose default is a container: made for the object that is asked for it, then kept."""

    def __init__(self, name: str, factory: Callable[[], Any]) -> None:
        self.name = name
        self.factory = factory

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            raise AttributeError(self.name)
        value = self.factory()
        _set(instance, self.name, value)
        return value


def given(instance: Any, name: str) -> Any:
    """A container field of an object below, or None while it is the default, which reading it would make.

    >>> given(made(Task, {"task_id": "t1"}), "axes") is None
    True
    """
    return instance.__dict__.get(name)


def _fresh_defaults(cls: type[T]) -> type[T]:
    """Let `made` leave out container fields too, without two objects ever sharing one."""
    for entry in fields(cls):  # type: ignore[arg-type]
        if entry.default_factory is not MISSING:
            setattr(cls, entry.name, _Fresh(entry.name, entry.default_factory))
    return cls


@dataclass(frozen=True)
class Message:
    """One chat turn."""

    role: str
    content: Any = ""
    name: str | None = None
    tool_calls: tuple[dict[str, Any], ...] | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A tool call (`tool`, `arguments`, `result`, the `text` spoken before it), an agent turn, or a user turn.

    `extra` holds the keys of the source step that no field reads, so that they return to the wire.
    """

    tool: str | None = None
    arguments: dict[str, Any] | None = None
    result: Any = None
    text: str | None = None
    user: str | None = None
    logprob: float | None = None
    n_tokens: int | None = None
    truncated: bool | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    extra: dict[str, Any] | None = field(default=None, kw_only=True)


class _OpenStep(Step):
    __slots__ = ()
    __setattr__, __delattr__ = object.__setattr__, object.__delattr__


def open_step() -> Any:
    """A step with all fields None, to be filled and then closed by `step.__class__ = Step`.

    Steps, judgments and markers are most of the objects of a row. They have slots, as the garbage collector would walk
    a dict per object again and again while rows pile up, and are made open, by a class of the same slots, as a frozen
    one sets each field through a call: both would cost more than parsing the row.
    """
    step: Any = _new(_OpenStep)
    step.tool = step.arguments = step.result = step.text = step.user = step.extra = None
    step.logprob = step.n_tokens = step.truncated = step.input_tokens = step.output_tokens = None
    return step


@dataclass(frozen=True)
class FaultEvent:
    """A planned failure of one tool."""

    tool: str
    mode: str
    rate: float | None = None
    injected: bool = True


@_fresh_defaults
@dataclass(frozen=True)
class World:
    """What the tools act on: its seed and state, the faults planned for tools, examples of results."""

    seed: Any = None
    state: Any = None
    faults: dict[str, Any] = field(default_factory=dict)
    exemplars: dict[str, Any] = field(default_factory=dict)


@_fresh_defaults
@dataclass(frozen=True)
class Privileged:
    """What a judge or teacher sees and the policy does not."""

    principle: Any = None
    hidden_state: dict[str, Any] = field(default_factory=dict)
    reference: Any = None
    rubric: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Lineage:
    """Which task this one was made from, and how."""

    parent_task_id: str | None = None
    transform: str | None = None
    seed: int | None = None


@dataclass(frozen=True)
class PolicyRef:
    """Which model acted, under which prompt and version."""

    name: str = ""
    model: str | None = None
    prompt_hash: str | None = None
    version: str | None = None


@dataclass(frozen=True)
class ScorerRef:
    """Who gave a verdict."""

    name: str
    kind: ScorerKind = "rule"
    version: str | None = None


@_fresh_defaults
@dataclass(frozen=True)
class Task:
    """The situation. Nothing computed lives here: splits belong to a `Dataset`, difficulty to a `Calibration`.

    >>> Task("refund-17", prompt="Refund order 5.").spec_id
    ''
    """

    task_id: str
    spec_id: str = ""
    prompt: str = ""
    prefix: tuple[Message, ...] = ()
    world: World = field(default_factory=lambda: made(World, {}))
    privileged: Privileged = field(default_factory=Privileged)
    axes: dict[str, Any] = field(default_factory=dict)
    behaviors: tuple[str, ...] = ()
    lineage: Lineage = field(default_factory=Lineage)


@_fresh_defaults
@dataclass
class Rollout:
    """One episode of a policy on a task. Mutable, so that graders can attach to it in place.

    >>> Rollout("r1", "refund-17").index
    0
    """

    rollout_id: str
    task_id: str
    policy: PolicyRef = field(default_factory=PolicyRef)
    index: int = 0
    steps: list[Step] = field(default_factory=list)
    final_text: str = ""
    ledger: list[FaultEvent] = field(default_factory=list)
    usable: bool = True
    unusable_reason: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgment:
    """One scorer's verdict on a rollout; `reward` is None when the scorer gave none, never 0.

    >>> Judgment("r1", ScorerRef("exact_match"), 1.0).status
    'ok'
    """

    rollout_id: str
    scorer: ScorerRef
    reward: float | None
    status: Status = "ok"
    reason: str = ""
    failure_class: str | None = None
    evidence: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Marker:
    """One named measurement of a rollout.

    >>> Marker("r1", "polite", 1.0).evidence
    {}
    """

    rollout_id: str
    name: str
    value: float
    evidence: dict[str, Any] = field(default_factory=dict)


class _OpenJudgment(Judgment):
    __slots__ = ()
    __setattr__, __delattr__ = object.__setattr__, object.__delattr__


class _OpenMarker(Marker):
    __slots__ = ()
    __setattr__, __delattr__ = object.__setattr__, object.__delattr__


def made_judgment(
    rollout_id: str,
    scorer: ScorerRef,
    reward: float | None,
    status: str,
    reason: str,
    failure_class: str | None,
    evidence: dict[str, Any],
) -> Judgment:
    """A judgment, made open and closed as in `open_step`."""
    judgment: Any = _new(_OpenJudgment)
    judgment.rollout_id = rollout_id
    judgment.scorer = scorer
    judgment.reward = reward
    judgment.status = status
    judgment.reason = reason
    judgment.failure_class = failure_class
    judgment.evidence = evidence
    judgment.__class__ = Judgment
    return judgment  # type: ignore[no-any-return]


def made_markers(rollout_id: str, values: Iterable[tuple[Any, float]]) -> list[Marker]:
    """Markers without evidence, made as `made_judgment` makes a judgment."""
    found = []
    for name, value in values:
        marker: Any = _new(_OpenMarker)
        marker.rollout_id = rollout_id
        marker.name = name if type(name) is str else as_text(name)
        marker.value = value
        marker.evidence = {}
        marker.__class__ = Marker
        found.append(marker)
    return found


@dataclass(frozen=True)
class Dataset:
    """Which tasks are in which split: a decision of the dataset, not of the task.

    >>> Dataset("d1", splits={"train": ("t1", "t2"), "holdout": ("t3",)}).splits["holdout"]
    ('t3',)
    """

    dataset_id: str
    spec_id: str = ""
    splits: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Calibration:
    """Measured difficulty of one task for one student; `pass_rate_ci95` is the interval on `pass_rate` from `n`.

    >>> Calibration("t1", PolicyRef("student"), n=8, pass_rate=0.5).mean_kl is None
    True
    """

    task_id: str
    student: PolicyRef
    n: int
    pass_rate: float
    mean_kl: float | None = None
    pass_rate_ci95: tuple[float, float] | None = None
