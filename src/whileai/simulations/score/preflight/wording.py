"""A text as words, and whether it speaks of a tool: by its name, by its verb and nouns, by its nouns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whileai.simulations.rows.names import READ_WORDS, words_in
from whileai.simulations.rows.voice import straight
from whileai.simulations.score.dimensions.tools import Tool
from whileai.simulations.score.preflight.inflections import forms, numbers

_TOKEN = re.compile(r"[^\W_]++|[.!?;\n]")
_NAME_WORD, _VERSION = re.compile(r"[^\W_]++"), re.compile(r"v\d{1,3}")
_NAMESPACE = re.compile(r"[./:]|__")
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LATIN = r"[0-9a-z_\u00aa\u00ba\u00df-\u024f\u1e00-\u1eff]"  # a name may stand between characters of another script
_POSSESSIVE = re.compile(r"'s(?!\w)")
_ENDS = frozenset(".!?;\n")
_PREFIXES = range(5, 17)  # characters of a beginning that stands for its word: "escalat" no, "escalate" in "escalated"
_PARTICLE_WITHIN = 4  # words from a verb to its particle: "look the order up"
_SMALL_WORDS = words_in("a an and at by for from in into of on or out the to up with")
_FAMILIES = tuple(
    tuple(line.split())
    for line in (
        "get look_up look_into look_for lookup check fetch find read view show list search retrieve query review "
        "pull_up download",
        "verify validate confirm check authenticate identify",
        "open create file raise log lodge register submit start add make",
        "issue send give grant process provide pay apply offer",
        "send email mail message notify text",
        "change update modify edit correct adjust amend set replace switch move",
        "cancel call_off void terminate stop end",
        "delete remove erase wipe purge",
        "reset unlock restore reactivate recover reopen",
        "escalate hand_off hand_over pass_on transfer forward route refer connect redirect put_through bring_in",
        "exchange swap replace",
        "suspend freeze block lock pause",
        "assign allocate",
        "approve authorize authorise sign_off",
        "book reserve schedule arrange",
        "reschedule move rebook",
        "refund reimburse pay_back give_back",
        "track trace locate follow",
        "close resolve complete",
        "calculate compute work_out",
    )
)
_KNOWN_VERBS = frozenset(verb for family in _FAMILIES for verb in family) | READ_WORDS
_SYNONYMS: dict[str, frozenset[str]] = {
    verb: frozenset(other for family in _FAMILIES if verb in family for other in family) for verb in _KNOWN_VERBS
}
_PHRASAL: dict[str, str] = {
    form: verb.partition("_")[0] for verb in _KNOWN_VERBS if "_" in verb for form in forms(verb.partition("_")[0])
}
_PHRASES = frozenset(verb for verb in _KNOWN_VERBS if "_" in verb)


class Wording:
    """The words of a text, `tokens` as they stand, `stems` with their beginnings and with verbs such as `look_up`."""

    __slots__ = ("stems", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = straight(text).lower()
        words = _TOKEN.findall(_POSSESSIVE.sub("", self.text))
        self.tokens = frozenset(words) - _ENDS
        beginnings = {token[:n] for token in self.tokens for n in _PREFIXES if n < len(token)}
        self.stems = frozenset((*self.tokens, *beginnings, *_phrasal_verbs(words)))


def _phrasal_verbs(words: list[str]) -> Iterator[str]:
    for at, word in enumerate(words):
        if word in _PHRASAL:
            for particle in words[at + 1 : at + 1 + _PARTICLE_WITHIN]:
                if particle in _ENDS:
                    break
                if (verb := f"{_PHRASAL[word]}_{particle}") in _PHRASES:
                    yield verb


class Spoken:
    """How texts speak of a tool.

    >>> order = Spoken(Tool("get_order", "", None, False, None))
    >>> order.mentioned_in(Wording("Look the order up first.")), order.named_in(Wording("Where are my orders?"))
    (True, True)
    >>> order.mentioned_in(Wording("Cancel the order.")), order.named_in(Wording("The border is closed."))
    (False, False)
    """

    def __init__(self, tool: Tool) -> None:
        verb, *others = _verb_first(_spoken_words(tool.name)) or ("",)
        rest = [word for word in others if word not in _SMALL_WORDS]
        nouns = rest if others else [verb]
        self.name = tool.name
        self._literal = straight(tool.name)
        self._whole = re.compile(rf"(?<!{_LATIN}){re.escape(self._literal)}(?!{_LATIN})")
        synonyms = _SYNONYMS.get(verb, frozenset()) if rest else frozenset()
        self._verbs = frozenset(form for each in {verb, *synonyms} for form in _verb_forms(each))
        self._rest = [numbers(word) for word in rest or others]
        self._nouns = [forms(word) for word in nouns]

    def mentioned_in(self, said: Wording) -> bool:
        """Whether the text has the tool's name, or its verb (or a synonym) and every other word of the name."""
        if not self._verbs.isdisjoint(said.stems) and not any(map(said.tokens.isdisjoint, self._rest)):
            return True
        return self._literal in said.text and self._whole.search(said.text) is not None

    def named_in(self, said: Wording) -> bool:
        """Whether the text mentions the tool, or has every noun of its name in some form."""
        by_nouns = bool(self._nouns) and not any(map(said.tokens.isdisjoint, self._nouns))
        return by_nouns or self.mentioned_in(said)


def _spoken_words(name: str) -> tuple[str, ...]:
    """The words of a name as a person would write them, without its namespace and version: `s3` stays one word.

    >>> _spoken_words("aws.getS3Object"), _spoken_words("send_2fa_code_v2"), _spoken_words("termin_löschen")
    (('get', 's3', 'object'), ('send', '2fa', 'code'), ('termin', 'löschen'))
    """
    for part in (_NAMESPACE.split(name)[-1], name):
        words = _NAME_WORD.findall(straight(_HUMP.sub(" ", part)))
        own = [word for word in words if not _VERSION.fullmatch(word)] or words
        if len(own) > 1:
            break
    return tuple(own)


def _verb_first(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a name, a verb at its end (`order_lookup`) moved to the front."""
    if len(words) > 1 and words[0] not in _KNOWN_VERBS and words[-1] in _KNOWN_VERBS:
        return (words[-1], *words[:-1])
    return words


def _verb_forms(verb: str) -> frozenset[str]:
    return frozenset((verb,)) if "_" in verb or not verb else forms(verb) | numbers(f"{verb}ment")
