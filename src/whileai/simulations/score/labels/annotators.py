"""Do the people who labelled agree with each other?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from operator import itemgetter
from typing import Any

import numpy as np

from whileai.simulations.errors import MissingExtraError
from whileai.simulations.kernels.agreement import confusion, kappa
from whileai.simulations.reports import Report, counted, number_text, printable, wrapped
from whileai.simulations.rows.table import Row, RowTable
from whileai.simulations.rows.text import ask_text
from whileai.simulations.score.labels.label import annotator_of, records_of
from whileai.simulations.signature import public

Votes = dict[str, int]  # a row's annotators and the latest label of each
_SPLIT_ROWS = 20  # disagreements listed
_PROMPT_CHARS = 160
_PLACES = 4
_PAIR = 2


@public
def annotator_agreement(rows: Iterable[Any]) -> Report:
    """How the people on `gold_labels` agree; records without a 0/1 label are passed over, nothing is changed.

    Keys: `per_annotator` (`labels`, `pass_share` of each), `multi_labeled` rows with two people or more, `unanimous`
    the share of those where all agree, `pair` the two who share the most rows and `kappa` between them (Cohen 1960),
    `disagreements` the first 20 split rows (`prompt`, `labels`). A person's latest label on a row is their vote.
    With more than two people also `alpha`, Krippendorff's over all of them (2011; 1 is full agreement, 0 chance), and
    `alpha_note`, why it is None. Shares and coefficients are at 4 decimals, None where no row is shared.

    >>> votes = [(1, 1), (0, 0), (1, 0), (1, 1)]
    >>> people = [[{"annotator": who, "label": v} for who, v in zip(["ana", "bo"], row)] for row in votes]
    >>> report = annotator_agreement([{"gold_labels": records} for records in people])
    >>> report["unanimous"], report["pair"], report["kappa"]
    (0.75, ['ana', 'bo'], 0.5)
    """
    per_annotator: dict[str, list[int]] = {}
    shared: list[tuple[Row, Votes]] = []
    for row in RowTable(rows).rows:
        votes: Votes = {}
        for record, label in records_of(row):
            name = annotator_of(record)
            per_annotator.setdefault(name, []).append(label)
            votes[name] = label
        if len(votes) >= _PAIR:
            shared.append((row, votes))
    split = [(row, votes) for row, votes in shared if len(set(votes.values())) > 1]
    pair = _closest_pair([votes for _, votes in shared])
    values = {
        "per_annotator": {name: _tally(per_annotator[name]) for name in sorted(per_annotator)},
        "multi_labeled": len(shared),
        "unanimous": round(1 - len(split) / len(shared), _PLACES) if shared else None,
        "kappa": _pair_kappa(pair, [votes for _, votes in shared]),
        "pair": pair,
        "disagreements": [
            {"prompt": ask_text(row)[:_PROMPT_CHARS], "labels": votes} for row, votes in split[:_SPLIT_ROWS]
        ],
    }
    if len(per_annotator) > _PAIR:
        values |= _alpha([votes for _, votes in shared])
    return Report(values, show=format_annotators)


def _tally(labels: list[int]) -> dict[str, Any]:
    return {"labels": len(labels), "pass_share": round(sum(labels) / len(labels), _PLACES)}


def _closest_pair(shared: list[Votes]) -> list[str] | None:
    """The two people with the most rows in common, the first met of several, in order of name."""
    met = Counter(tuple(sorted(pair)) for votes in shared for pair in combinations(votes, _PAIR))
    return list(max(met.items(), key=itemgetter(1))[0]) if met else None


def _pair_kappa(pair: list[str] | None, shared: list[Votes]) -> float | None:
    if pair is None:
        return None
    both = np.array([[votes[name] == 1 for name in pair] for votes in shared if votes.keys() >= set(pair)])
    found = kappa(confusion(both[:, 0], both[:, 1]))
    return None if found is None else round(found, _PLACES)


def _alpha(shared: list[Votes]) -> dict[str, Any]:
    """Krippendorff's alpha of nominal labels, from how many passes and failures each shared row has."""
    if not shared:
        return {"alpha": None, "alpha_note": "no row has labels of two people"}
    try:
        import krippendorff
    except ImportError:
        missing = MissingExtraError("krippendorff", extra="agreement", what="alpha of more than two annotators")
        return {"alpha": None, "alpha_note": str(missing)}
    passes = np.array([sum(votes.values()) for votes in shared])
    given = np.array([len(votes) for votes in shared])
    if passes.sum() in (0, given.sum()):
        return {"alpha": 1.0, "alpha_note": None}  # one class only: kappa's convention
    counts = np.stack([given - passes, passes], axis=1)
    found = float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))
    return {"alpha": round(found, _PLACES), "alpha_note": None}


def format_annotators(report: Mapping[str, Any]) -> str:
    """A line a person, then how far they agree, then how many rows are split."""
    lines = [
        f"{printable(name, 40)}: {counted(tally['labels'], 'label')}, pass share {tally['pass_share']:.3f}"
        for name, tally in report["per_annotator"].items()
    ]
    pair = " and ".join(printable(name, 40) for name in report["pair"] or ())
    lines.append(
        f"{counted(report['multi_labeled'], 'row')} with two people or more, unanimous "
        f"{number_text(report['unanimous'])}  kappa {number_text(report['kappa'])}" + (f" ({pair})" if pair else "")
    )
    if "alpha" in report:
        lines.append(f"Krippendorff's alpha {number_text(report['alpha'])} over all annotators")
        if report["alpha_note"]:
            lines += wrapped(f"! {report['alpha_note']}")
    if split := len(report["disagreements"]):
        them = "it" if split == 1 else "them"
        lines.append(f"{counted(split, 'split row')} listed in disagreements: settle {them} in the guideline")
    return "\n".join(lines)
