"""Where an ask lands: the tools it reaches, the rules it touches, the stance it takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from whileai.simulations.rows.names import words_in
from whileai.simulations.rows.voice import straight
from whileai.simulations.score.dimensions.tools import Tool
from whileai.simulations.score.preflight.stance import stance_of
from whileai.simulations.score.preflight.wording import Spoken, Wording

WORD_FLOOR, PLURAL_FLOOR = 3, 5  # characters of a content word; of one that loses a closing s; convention
BRANCH_WORDS = 2  # content words an ask shares with a rule that has a condition
_WORD = re.compile(r"\$?+[^\W_]++(?:['-][^\W_]++)*+")
_LIMIT = re.compile(
    r"[$%€£¥]|\b(?:only|over|under|above|below|beyond|within|unless|except|excluding|exceptions?|otherwise|more|less|fewer"
    r"|greater|larger|smaller|higher|lower|older|newer|longer|shorter|later|earlier|than|max|maximum|min|minimum|most"
    r"|least|exceed(?:s|ed|ing)?|limit(?:s|ed)?|threshold|cap(?:ped)?|up to|percent)\b"
)
_FUNCTION_WORDS = words_in(
    """
    a about after all already also although always am an and another any anyone anything are aren't around as ask at be
    because been before being both but by came can can't cannot come could couldn't did didn't do does doesn't doing
    don't done each either else ever every everyone everything few first for from further get gets getting give given
    gives go goes going gone got had hadn't has hasn't have haven't having he he'd he'll he's hello her here hers
    herself hey hi him himself his how however i i'd i'll i'm i've if in instead into is isn't it it'll it's its itself
    just know let let's like made make makes many may maybe me might mine much must mustn't my myself need needed needs
    neither never no nobody none nor not nothing now of off ok okay on once one ones onto or other others our ours
    ourselves out own perhaps please put quite rather really said same say says see shall she she'd she'll she's should
    shouldn't since so some someone something still such sure take tell tells than thank thanks that that's the their
    theirs them themselves then there there's these they they'd they'll they're they've thing things think this those
    though through till to too toward towards try trying until upon us use used using very via want wanted wants was
    wasn't way we we'd we'll we're we've well were weren't what what's whatever when whenever where where's wherever
    whether which whichever while who who's whoever whom whose why will wish with without won't would wouldn't yes yet
    you you'd you'll you're you've your yours yourself
    """
)


def content_words(text: str) -> frozenset[str]:
    """The words of a text that say what it is about: no function words, no chat filler, a plural's s dropped.

    >>> sorted(content_words("Refunds over $200 must be escalated to the customer's manager, please."))
    ['$200', 'customer', 'escalated', 'manager', 'over', 'refund']
    """
    words = (word.removesuffix("'s") for word in _WORD.findall(straight(text).lower()))
    kept = (word for word in words if len(word) >= WORD_FLOOR and word not in _FUNCTION_WORDS)
    return frozenset(word[:-1] if len(word) >= PLURAL_FLOOR and word.endswith("s") else word for word in kept)


@dataclass(frozen=True, slots=True)
class _Clause:
    """A rule as asks are held against it; `tools` are the tools a rule without a condition speaks of."""

    text: str
    words: frozenset[str]
    shares: int
    tools: frozenset[str]


@dataclass(frozen=True, slots=True)
class Placed:
    """An ask with the names of its tools, the text of its rules and its stance."""

    ask: str
    tools: list[str]
    rules: list[str]
    stance: str


class Places:
    """The tools and rules of an agent, for asks to be placed on."""

    def __init__(self, tools: Iterable[Tool], rules: Mapping[str, str]) -> None:
        """`rules` has the whole text of each rule by the text that is shown."""
        self._tools = [Spoken(tool) for tool in {tool.name: tool for tool in tools if tool.name}.values()]
        self._clauses = [self._clause(rule, text) for rule, text in rules.items()]

    def _clause(self, rule: str, text: str) -> _Clause:
        words = content_words(text)
        if _LIMIT.search(text.lower()):
            return _Clause(rule, words, max(1, min(BRANCH_WORDS, len(words))), frozenset())
        said = Wording(text)
        return _Clause(rule, words, 1, frozenset(tool.name for tool in self._tools if tool.mentioned_in(said)))

    def place(self, ask: str) -> Placed:
        """Where one ask lands, tools in declared order and rules in document order."""
        said, words = Wording(ask), content_words(ask)
        tools = [tool.name for tool in self._tools if tool.named_in(said)]
        reached = frozenset(tools)
        rules = [clause.text for clause in self._clauses if _touches(words, reached, clause)]
        return Placed(ask, tools, rules, stance_of(ask).value)


def _touches(words: frozenset[str], tools: frozenset[str], clause: _Clause) -> bool:
    """Whether an ask touches a rule: by a tool the rule speaks of, where it speaks of one, else by shared words."""
    return not tools.isdisjoint(clause.tools) if clause.tools else len(words & clause.words) >= clause.shares
