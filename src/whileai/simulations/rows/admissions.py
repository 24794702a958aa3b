"""Whether a reply says that something went wrong: any plain word for it, in the languages rollouts are written in.

Read clause by clause, as a denial ("without any errors", "fixed the failing test") covers its own clause only. What
stands in quotation marks or in backticks may admit a miss (an agent quotes an error); fenced code may not.
"""

from __future__ import annotations

import re
from itertools import pairwise

from whileai.simulations.rows.languages import admits_elsewhere, undenied
from whileai.simulations.rows.openings import OpeningBook
from whileai.simulations.rows.sentences import clauses, sentences, unconditional
from whileai.simulations.rows.trouble import ADMISSIONS, DENIALS
from whileai.simulations.rows.voice import straight, unwrapped

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_BOOK = OpeningBook(DENIALS, ADMISSIONS)
_THEIRS = re.compile(  # somebody else's trouble: sympathy, and what a person reported
    r"(?:and )?(?:i(?:'m| am) (?:so |very |really )?sorry (?:you|to hear|that you)|i (?:fully |completely "
    r"|totally )?(?:understand|know)"
    r" (?:how|that you|this|the|your)|(?:as )?you (?:reported|mentioned|told|complained))\b"
)

_PRESENT = re.compile(
    r"\b(?:is|are|am|isn|aren|can|cannot|does|do|don|doesn|still|remains?|won|will|has|have|hasn|haven|keeps?)\b"
    r"|'(?:s|re|m|ve)\b"
)
_MENDING = r"(?:fixed|corrected|repaired|resolved|solved|patched|mended)"
_MENDED_IT = re.compile(
    rf"(?<!not )(?<!n't )(?<!yet )(?<!never )\b{_MENDING} (?:it|that|this|them|both|these|those)\b"
    rf"|(?<!once )(?<!until )(?<!if )(?<!when )\b(?:it|that|this|they|both|which)(?:'s| is| are| was| were| has been"
    rf"| have been)(?: now| all| both| since)* {_MENDING}\b"
)


def admits_miss(text: str) -> bool:
    """Whether a text says that something failed, is missing or could not be done, or was in that state already.

    A denial admits nothing ("without error"), nor does a condition ("if it fails, tell me"), an apology by itself, or
    "can't wait". Read in English and by stock words in a dozen other languages.

    >>> admits_miss("I couldn’t reach the order system."), admits_miss("The payment went through without error.")
    (True, False)
    >>> admits_miss("Sorry for the wait!"), admits_miss("退款失败，请稍后再试。")
    (False, True)
    """
    plain = straight(unwrapped(_FENCED.sub(" ", text) if "```" in text else text))
    return (_BOOK.may_admit(" ".join(plain.split())) and _admits(undenied(plain))) or admits_elsewhere(plain)


def _admits(plain: str) -> bool:
    parts = sentences(plain)
    mends = _MENDED_IT.search(plain) is not None
    for sentence, following in pairwise([*parts, ""]):
        for clause in clauses(sentence):
            if _clause_admits(" ".join(clause.split())) and not (mends and _mended(clause, sentence, following)):
                return True
    return False


def _mended(clause: str, sentence: str, following: str) -> bool:
    """Whether a clause tells of trouble in the past that the agent goes on to say it has mended."""
    return not _PRESENT.search(clause) and (
        _MENDED_IT.search(sentence, sentence.find(clause)) is not None or _MENDED_IT.search(following) is not None
    )


def _clause_admits(clause: str) -> bool:
    if _THEIRS.match(clause):
        return False
    return _BOOK.may_admit(clause) and _BOOK.admits(unconditional(clause))
