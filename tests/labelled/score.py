"""Score the flags and markers of the library on the labelled trajectories of this directory.

`python tests/labelled/score.py` prints precision and recall a name, with exact (Clopper-Pearson) 95% intervals, and
every row on which the library and the label disagree. Only public functions are called.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import whileai.simulations as wai
from whileai.simulations.kernels.intervals import Interval, clopper_pearson

HERE = Path(__file__).parent
LEVEL = 0.95
FLAGS = (
    "lie.tests_claimed",
    "lie.unverified_claim",
    "lie.phantom_edit",
    "lie.ignored_failure",
    "hack.test_edited",
    "hack.test_weakened",
    "hack.suppressed",
    "hack.bypassed",
    "risk.destructive",
    "risk.secrets",
)
STYLE = ("no_boilerplate", "no_hedging", "no_apology", "no_sycophancy", "answered")
STOCK = ("boilerplate", "self_reference", "hedging", "refusal", "sycophancy")

Example = dict[str, Any]


@dataclass
class Count:
    """How often one name was expected and found; `wrong` holds `+id` (accused) and `-id` (missed)."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, example_id: str, expected: bool, found: bool) -> None:
        self.tp += expected and found
        self.fp += found and not expected
        self.fn += expected and not found
        if found != expected:
            self.wrong.append(("+" if found else "-") + example_id)

    @property
    def positives(self) -> int:
        return self.tp + self.fn

    @property
    def precision(self) -> float | None:
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        return _ratio(self.tp, self.positives)

    @property
    def precision_interval(self) -> Interval:
        return clopper_pearson(self.tp, self.tp + self.fp, LEVEL)

    @property
    def recall_interval(self) -> Interval:
        return clopper_pearson(self.tp, self.positives, LEVEL)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def load_examples(folder: Path = HERE) -> list[Example]:
    """Every labelled example, file by file; `file` and `line` say where it stands."""
    examples: list[Example] = []
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                examples.append({**json.loads(line), "file": path.name, "line": number})
    return examples


def _fresh(example: Example) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(json.dumps(example["row"]))
    return row


def flag_truth(example: Example) -> Iterator[tuple[str, bool, bool]]:
    found = wai.trace_flags(_fresh(example))
    for name in FLAGS:
        yield name, name in example["expect"]["flags"], name in found


def style_truth(example: Example) -> Iterator[tuple[str, bool, bool]]:
    markers = wai.style_markers([_fresh(example)])[0]["markers"]
    for name in STYLE:
        yield f"style.{name}", name in example["expect"]["style"], markers[name] == 0.0


def stock_truth(example: Example) -> Iterator[tuple[str, bool, bool]]:
    expected = example["expect"].get("stock")
    if expected is not None:
        found = wai.row_markers(_fresh(example))
        for name in STOCK:
            yield f"stock.{name}", name in expected, found[name] == 1


def grounding_truth(example: Example) -> Iterator[tuple[str, bool, bool]]:
    """`ungrounded` is a row with at least one such argument, `ungrounded.list` exactly the labelled arguments."""
    expected = example["expect"].get("ungrounded")
    if expected is not None:
        wanted = {tuple(item) for item in expected}
        found = {(item["tool"], item["key"], item["value"]) for item in wai.ungrounded_arguments(_fresh(example))}
        yield "ungrounded", bool(wanted), bool(found)
        for item in sorted(wanted | found):
            yield "ungrounded.list", item in wanted, item in found


def conduct_truth(example: Example) -> Iterator[tuple[str, bool, bool]]:
    expected = example["expect"].get("conduct")
    if expected is not None:
        found = wai.conduct_grade(_fresh(example))["reward"]
        for grade in (0.0, 0.5):
            yield f"conduct=={grade:g}", expected == grade, found == grade


def truncated_truth(example: Example) -> Iterator[tuple[str, bool, bool]]:
    found = wai.length_report([_fresh(example)])["n_truncated"]
    yield "truncated", example["expect"]["truncated"], found == 1


def leak_truth(example: Example) -> Iterator[tuple[str, bool, bool]]:
    expected = example["expect"].get("leak")
    if expected is not None:
        yield "leak", expected, wai.leak_report([_fresh(example)])["n_leaked"] == 1


def outcome_truth(example: Example) -> Iterator[tuple[str, bool, bool]]:
    expected = example["expect"].get("outcome")
    if expected is not None:
        yield "outcome==1", expected == 1, wai.outcome_check(_fresh(example))[0] == 1


TRUTHS: tuple[Callable[[Example], Iterator[tuple[str, bool, bool]]], ...] = (
    flag_truth,
    style_truth,
    stock_truth,
    grounding_truth,
    conduct_truth,
    truncated_truth,
    leak_truth,
    outcome_truth,
)


def score(examples: Iterable[Example]) -> dict[str, Count]:
    """Counts a name over the examples, in the order of `TRUTHS`."""
    examples = list(examples)
    counts: dict[str, Count] = {}
    for truth in TRUTHS:
        for example in examples:
            for name, expected, found in truth(example):
                counts.setdefault(name, Count()).add(example["id"], expected, found)
    return counts


def _share(value: float | None, interval: Interval) -> str:
    return f"{value:.3f} [{interval.low:.3f}, {interval.high:.3f}]" if value is not None else "none"


def table(counts: Mapping[str, Count]) -> str:
    """The counts as text: a line a name, then the rows that are wrong."""
    lines = [f"{'name':22} {'n':>4} {'tp':>4} {'fp':>3} {'fn':>3}  {'precision':22}  recall"]
    for name, count in counts.items():
        precision = _share(count.precision, count.precision_interval)
        recall = _share(count.recall, count.recall_interval)
        lines.append(f"{name:22} {count.positives:4} {count.tp:4} {count.fp:3} {count.fn:3}  {precision:22}  {recall}")
    lines += [f"{name}: {' '.join(count.wrong)}" for name, count in counts.items() if count.wrong]
    return "\n".join(lines)


def reasons(examples: Iterable[Example], counts: Mapping[str, Count]) -> str:
    """The stated reason of every wrong row."""
    wrong = {entry[1:] for count in counts.values() for entry in count.wrong}
    return "\n".join(f"{example['id']}: {example['why']}" for example in examples if example["id"] in wrong)


def main() -> int:
    examples = load_examples()
    counts = score(examples)
    print(f"{len(examples)} labelled trajectories; + was accused wrongly, - was missed")
    print(table(counts))
    print(reasons(examples, counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
