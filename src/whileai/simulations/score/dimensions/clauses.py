"""The clauses of a policy: each rule a person wrote, in document order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from whileai.simulations.arguments import whole
from whileai.simulations.defaults import RULE_AXIS_CAP_GRID
from whileai.simulations.rows.names import words_in
from whileai.simulations.rows.sentences import sentences
from whileai.simulations.score.dimensions.policy import Policy, policy_text
from whileai.simulations.signature import public

SHORTEST, LONGEST = 8, 120  # characters of a clause; convention
_BLANK_LINES = re.compile(r"\n[^\S\n]*+(?:\n[^\S\n]*+)++")
_MARKER = re.compile(r"(?:#{1,6}\s|\d{1,3}[.)]\s|[-*+–—]\s|[•‣◦▪●])\s*+")
_STARTS = re.compile(r"#{1,6}\s|\d{1,3}[.)]\s|[-+–—]\s|[*•‣◦▪●]|[A-Z][^:.!?]{0,39}:(?:\s|$)")
_ROLE = re.compile(
    r"(?:you are|you['’]re|your role|you act as|act as)\b"
    r"(?!\s+(?:not|never|to|only|also|allowed|permitted|authori[sz]ed|required|expected|forbidden|prohibited|able|unable"
    r"|soon|if|responsible|accountable|in charge)\b)",  # "You are not allowed to ..." is a rule
    re.IGNORECASE,
)
_RULES_TOO = re.compile(  # "You are a clerk who never shares an address." is the role and a rule
    r"\b(?:must|never|always|only|cannot|can['’]t|do not|don['’]t|does not|doesn['’]t|may not"
    r"|responsible for|in charge of)\b"
    r"|[$€£¥]\s?\d|\d\s?(?:[%$€£¥]|percent\b)",
    re.IGNORECASE,
)
_ROLE_END = re.compile(r"[.!;](?=\s|$)|[。！；]")
_ABBREVIATIONS = tuple(f" {word}." for word in sorted(words_in("e.g i.e mr mrs ms dr vs cf approx incl excl")))
_SEMICOLON = re.compile(r"[;；]\s*+")


@public
def policy_sections(policy: Policy, *, cap: int | None = RULE_AXIS_CAP_GRID) -> list[str]:
    """The first `cap` clauses of a policy in document order, all of them with None; `[]` for a blank one.

    List items, headings, paragraphs and their full sentences are clauses; a sentence that only says who the
    agent is, is none. A clause has at least 8 characters, is cut at a word after 120, and is kept once.

    >>> policy_sections("You are a support agent. Ask first; never share an address.")
    ['Ask first', 'never share an address.']
    """
    return capped(all_clauses(policy_text(policy)), cap, "cap")


def all_clauses(policy: str) -> list[str]:
    """Every clause of a policy, each once whatever its case.

    >>> all_clauses("- Be kind to all.\\n- be KIND to all.\\n- Ok.")
    ['Be kind to all.']
    """
    return list(whole_clauses(policy))


def whole_clauses(policy: str) -> dict[str, str]:
    """Every clause of a policy with the text it was cut from, which is longer where it was cut.

    >>> [len(text) for entry in whole_clauses("word " * 40).items() for text in entry]
    [119, 199]
    """
    kept: dict[str, tuple[str, str]] = {}
    for part in _parts(policy):
        for piece in _pieces(part):
            text = " ".join(piece.split())
            if len(clause := _cut(text)) >= SHORTEST:
                kept.setdefault(clause.lower(), (clause, text))
    return dict(kept.values())


def capped(clauses: list[str], rule_cap: int | None, name: str = "rule_cap") -> list[str]:
    """The first so many of some clauses, all with None; a `ValueError` names the argument that is no count."""
    return clauses if rule_cap is None else clauses[: whole(name, rule_cap, 0)]


def _parts(policy: str) -> Iterator[str]:
    """List items, headings and paragraphs, unmarked, without the sentence that states the role."""
    for block in _BLANK_LINES.split("\n".join(policy.splitlines())):
        for lines in _joined(map(str.strip, block.split("\n"))):
            marker = _MARKER.match(lines)
            part = lines[marker.end() :] if marker else lines
            if _ROLE.match(part):
                end = _ROLE_END.search(part)
                if not _RULES_TOO.search(part, 0, end.end() if end else len(part)):
                    part = part[end.end() :].strip() if end else ""
            yield part


def _joined(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a block, those that start no clause joined to the one before."""
    held: list[str] = []
    for line in lines:
        if held and _STARTS.match(line):
            yield " ".join(held)
            held = []
        held.append(line)
    yield " ".join(held)


def _pieces(part: str) -> Iterator[str]:
    for sentence in _if_all_long(_sentences(part), part):
        yield from _if_all_long([piece for piece in _SEMICOLON.split(sentence) if piece], sentence)


def _sentences(part: str) -> list[str]:
    """The sentences of a part; the dot of an abbreviation ends none."""
    found: list[str] = []
    for sentence in sentences(part):
        if found and found[-1].lower().endswith(_ABBREVIATIONS):
            found[-1] += f" {sentence}"
        else:
            found.append(sentence)
    return found


def _if_all_long(pieces: list[str], whole_text: str) -> list[str]:
    """The pieces when there are several and each is long enough to be a clause, else the text whole."""
    return pieces if len(pieces) > 1 and all(len(piece) >= SHORTEST for piece in pieces) else [whole_text]


def _cut(clause: str) -> str:
    if len(clause) <= LONGEST:
        return clause
    head = clause[:LONGEST]
    return head if clause[LONGEST] == " " else head.rpartition(" ")[0] or head
