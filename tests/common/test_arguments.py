"""Arguments of every public function: what is wrong is refused by name, what is misspelled is told apart."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest

import whileai
from common.given import row, rows
from common.registry import BY_NAME, CASES, Case
from tables import each_of

pytestmark = pytest.mark.filterwarnings("ignore")


# Arguments that take what looks out of range, as their pages say, and those that mean nothing any more.
LENIENT = {
    "concurrency": "1 or less runs one call after the other",
    "examples": "below 0 is none",
    "k": "of a selection: below 1 is 1",
    "max_drop": "any number",
    "min_k": "held within 1 or 2 and more",
    "min_paired": "any number",
    "mixed_rate": "held within 0.02 and 1",
    "n_boot": "kept for callers of earlier versions, not used",
    "overlap": "clipped to 0 and 1",
    "target": "below 1 is 1",
    "tiers": "below 1 is 1",
    "top": "below 0 is none",
}
SIGNED = {"seed", "effect", "threshold", "min_margin", "min_reward", "max_spread", "base", "min_kappa", "df"}
WRONG = {
    "bool": ("no", 5),
    "int": ("high", [1], float("nan"), 1.5),
    "float": ("high", [1], float("nan")),
    "str": (5, b"raw"),
    "Callable": (5,),
    "Mapping": (5, [1]),
    "Sequence": (5,),
    "Iterable": (5,),
    "tuple": (5, ("a", "b"), (1,)),
    "os.PathLike": (5,),
}


def wrong_values(parameter: inspect.Parameter) -> Iterator[Any]:
    """Values that an annotation leaves out, and one below the range of a number."""
    kinds = {part.partition("[")[0] for part in str(parameter.annotation).split(" | ")}
    if not kinds <= {*WRONG, "None"}:
        return
    wrong = [set(map(repr, WRONG[kind])) for kind in kinds if kind in WRONG]
    first = next(kind for kind in WRONG if kind in kinds)
    yield from (value for value in WRONG[first] if all(repr(value) in others for others in wrong))
    if first in ("int", "float") and parameter.name not in {*LENIENT, *SIGNED}:
        yield -1


def keywords(case: Case, n_first: int) -> list[inspect.Parameter]:
    """The parameters of a function beside those that the rows fill."""
    parameters = inspect.signature(case.function).parameters.values()
    return [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)][n_first:]


def first_of(case: Case) -> tuple[Any, ...]:
    """What the rows make of its positional arguments."""
    return case.first(row() if case.takes == "row" else rows(2, 4))


@each_of("case", CASES)
def test_a_wrong_value_is_refused_with_the_argument_and_the_value(case: Case) -> None:
    first = first_of(case)
    wrong = [(p.name, value) for p in keywords(case, len(first)) for value in wrong_values(p)]
    assert [said for key, value in wrong for said in _unsaid(case, first, key, value)] == []


def _unsaid(case: Case, first: tuple[Any, ...], key: str, value: Any) -> Iterator[str]:
    try:
        case.function(*first, **{**case.given, key: value})
    except (TypeError, ValueError) as error:
        if key not in str(error) or not (repr(value)[:40] in str(error) or type(value).__name__ in str(error)):
            yield f"{key}={value!r}: {error}"
    else:
        yield f"{key}={value!r} was taken"


@each_of("case", CASES)
def test_a_misspelled_keyword_is_told_the_right_one(case: Case) -> None:
    first = first_of(case)
    for parameter in keywords(case, len(first)):
        if len(parameter.name) > 3:
            misspelled = parameter.name[:-2] + parameter.name[-1]
            with pytest.raises(TypeError, match=f"did you mean '{parameter.name}'"):
                case.function(*first, **{misspelled: None})


WORDS = {
    "attach_labels": {"kind": "humna"},
    "export_dataset": {"format": "opneai", "mask_mode": "asistant"},
    "export_preference": {"format": "tlr"},
    "judge_probes": {"probes": "filer"},
    "load_rows": {"format": "inspct", "errors": "nul"},
    "optimize": {"mode": "sfft", "truncated": "drp", "order": "spred"},
    "row_markers": {"names": ["hedgin"]},
    "select_for_rl": {"truncated": "drp", "order": "spred", "text_gates": "atuo"},
    "select_for_sft": {"select": "top_per_promt"},
    "simulate": {"mode": "explor", "patience": "norml", "repeat_policy": "adaptiv"},
    "stamp_stage": {"stage": "evl"},
}


@each_of(("name", "key", "word"), [(n, k, w) for n, held in WORDS.items() for k, w in held.items()])
def test_a_misspelled_option_is_told_the_right_one(name: str, key: str, word: Any) -> None:
    case = BY_NAME[name]
    with pytest.raises((ValueError, TypeError, KeyError), match="did you mean"):
        case.function(*first_of(case), **{**case.given, key: word})


@pytest.mark.parametrize("module", [whileai, whileai.simulations])
def test_a_misspelled_name_of_the_package_is_told_the_right_one(module: Any) -> None:
    with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no .* did you mean 'pass_at'"):
        module.pass_att  # noqa: B018
