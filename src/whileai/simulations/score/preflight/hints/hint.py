"""A class of failure and the wording that tells it."""

from __future__ import annotations

import re
from typing import NamedTuple

DID_NOT = r"(?:did(?:n't| not)|does(?:n't| not)|do(?:n't| not)|never|fail(?:s|ed|ing)? to|without|neglect(?:s|ed)? to)"
PERSON = r"(?:customer|user|caller|patient|client|guest|member)"
SMALL = rf"(?:(?:the|a|an|any|its|his|her|their|this|that|{PERSON}'?s?|prior|explicit|first|proper) ){{0,3}}"
SAID = r"(?:claim|said|say|stat|told|tell|report|announc|assert|confirm|pretend|assur|insist|present|promis)\w*"


_DENIAL = 30  # characters before a hint in which it may be denied
_DENIED = re.compile(  # "not truncated, just rude"; what it should not do, it did
    r"\b(?:(?<!should )(?<!must )(?<!may )(?<!can )(?<!could )(?<!do )not|no|nor|neither|without"
    r"|(?:is|was|are|were|did|does|has|have)n't) "
    r"(?:(?:really|actually|at all|even|a|an|any|the) ){0,2}\Z"
)


class Hint(NamedTuple):
    """A class and the wording that tells it; `unless` is wording taken out first, as it says something else."""

    names: str
    wording: re.Pattern[str]
    unless: re.Pattern[str] | None = None

    def fires(self, reason: str) -> bool:
        """Whether a reason, in lower case with straight quotes and single blanks, says it."""
        told = self.unless.sub(" ", reason) if self.unless else reason
        return any(
            _DENIED.search(told, max(0, at - _DENIAL), at) is None
            for at in map(re.Match.start, self.wording.finditer(told))
        )


def words(*patterns: str) -> re.Pattern[str]:
    """One pattern that finds any of some others where a word begins."""
    return re.compile(rf"\b(?:{'|'.join(patterns)})")


def gap(most: int) -> str:
    """Up to so many words of the same sentence, and the blank after them."""
    return rf"(?:[^\s.;]+ ){{0,{most}}}"
