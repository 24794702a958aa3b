"""Claims of a reply that tests, a build, a linter or checks pass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from whileai.simulations.rows.dictation import undictated
from whileai.simulations.rows.sentences import clauses, sentences
from whileai.simulations.rows.voice import spoken
from whileai.simulations.score.trace.claims import quoted, speaks_of

_MOST_READ = 2000  # characters of an ask or a reply that tell what it is about
_NEAR = 300  # characters around a claim that are read for what governs it
_WORDS = ("pass", "green", "clean", "succe")
_SUBJECT = (
    r"(?P<subject>(?P<tests>tests?|(?:test[- ])?suites?|test[- ]cases?|specs|pytest|unittests?|jest|vitest)"
    r"|(?P<build>builds?|compilation)"
    r"|(?P<lint>lint(?:er|ers|ing|s)?|type[- ]?check(?:s|er|ing)?|mypy|ruff|eslint|tsc|flake8|pylint)"
    r"|(?P<checks>checks|ci|(?:ci )?pipelines?|pre-commit))(?![\w/-]|\.\w)"
)
_OBJECT = (  # what is passed on, not passed: "the test passes the flag"
    r"the|a|an|its|this|that|invalid|null|none|data|arguments?|values?|param\w*|along|through|it|them|to|into|as|by"
    r"|over"
    r"|out|away|down|around"
)
_STATE_ENDS = (
    r"(?=\W*$|\s+(?:now|again|and|for|on|across|with|in|locally|after|too|as well|everywhere|at|since|so|here)\b)"
)
_PASSES = (
    rf"(?:(?P<pass>pass(?:es|ed|ing)?)(?!\s+(?:{_OBJECT})\b)|(?P<state>green|clean|successful(?:ly)?){_STATE_ENDS}"
    r"|succeed(?:s|ed|ing)?)\b"
)
_BETWEEN = r"(?P<between>(?:\s++[^\s,;:!?]{1,60}){0,7}?)\s++"
_TESTS_PASS = re.compile(rf"(?<![\w/.-]){_SUBJECT}{_BETWEEN}{_PASSES}", re.IGNORECASE)
_DETERMINERS = (
    r"all|every|both|each|existing|new|unit|integration|of|the|its|our|your|these|those|full|entire|whole|other"
    r"|\d[\d/,]*"
)
_PASSES_TESTS = re.compile(
    rf"(?<![\w-])(?P<pass>pass(?:es|ed|ing)?)\s+(?P<between>(?:(?:{_DETERMINERS})\s+){{0,5}}){_SUBJECT}"
    r"(?!\s+(?:results?|data|kit|objects?|id|file|name|values?|scores?|fixtures?|report|would|could|should)\b)",
    re.IGNORECASE,
)
_RAN_AND_PASS = re.compile(
    rf"\bi(?:['’]ve| have| also| then| just)*\s+(?:re-?)?r[au]n\b(?:[^.!?;]|\.(?=\w)){{0,60}}?\b{_SUBJECT}"
    r"(?:[^.!?;]|\.(?=\w)){0,40}?[ ,](?:they|it|everything|all(?: of (?:them|these|those))?|every (?:single )?one"
    r"(?: of them)?)(?: (?:all|now|both|still|is|are))* (?P<pass>pass(?:es|ed|ing)?|green)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\b(tests?|build|lint|type-?checks?|ci)[*_]*:[*_]*\s", re.IGNORECASE)
_COPULA = re.compile(
    r"\b(?:is|are|was|were|now|all|came|comes|runs?|ran|stays?|back|remains?|went)\b|'s\b", re.IGNORECASE
)
_NONE = re.compile(r"pass(?:es|ed|ing)?\s*+[:=]\s*+0\b", re.IGNORECASE)
_A_PASS = re.compile(
    r"\b(?:an?|the|no|any|one|your|my|boarding|ski|season|day|bus|hall|guest|some|failing)\s*$", re.IGNORECASE
)
_REPORTING = re.compile(r"\bi can (?:now |also |happily )?(?:confirm|verify|report|say)\b", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:should|would|could|might|may|must|will|won['’]t|shall|can(?:not|['’]t)?|expect\w*|hop(?:e|es|ing|efully)"
    r"|if|whether"
    r"|unless|until|once(?! i\b)|before|ensur\w*|make sure|making sure|be sure|so that|in order|let|needs?|wants?"
    r"|please"
    r"|to (?:make|get|have|see|let|ensure|confirm|verify|check)|think|believe|likely|probably|presumably|possibly"
    r"|appears?"
    r"|seems?|assum\w*|supposed?|guess|theor\w*|suspect|not|never|no|none|nor|neither|nothing|without|unable|fail\w*"
    r"|only"
    r"|you (?:said|mentioned|reported|told|noted|pasted|shared|see|want|need)|reported|previously|originally|goal"
    r"|aim|plan"
    r"|next|todo|wish|requir\w*|criteri\w*|as soon as|as long as|provided|when(?! i (?:ran|run|re-?ran)\b)|whenever"
    r"|wait\w*"
    r"|after you|try|trying|getting|zero|0)\b|n['’]t\b|['’]ll\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\s*+[:=]\s*+0\b|\s++(?:\S++\s++){0,3}?(?:once|if|when(?! i\b)|after you|as soon as|unless|provided|assuming"
    r"|only|before"
    r"|except|apart from|other than|in theory|for you|with the exception|but not)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\s*(?:[-*]\s+)?(?:if|once(?! i\b)|when(?! i\b)|unless|until|assuming|provided|whether|as soon as|after you"
    r"|before)\b"
    r"|.*\b(?:according to (?:the|your)|you (?:said|mentioned|told|reported|pasted)"
    r"|(?:page|commit|readme|issue|ticket|description|docs?|documentation|badge|dashboard|changelog|author"
    r"|site) (?:\w+ )?"
    r"(?:says?|said|states?|claims?|shows?|reads?|explains?)"
    r"|your (?:log|output|message|report|screenshot) (?:says?|shows?|said))\b",
    re.IGNORECASE,
)
_SHARED = re.compile(
    r"\b(?:whether|if|unless|until|once(?! i\b)|when(?! i\b)|before|after you|as soon as)\b[^,;:()]*\band$"
)
_CODE = re.compile(
    r"\b(?:code|codebase|repo(?:sitory)?|commits?|branch|merged?|prs?|pull requests?|compil\w+|lint\w*|type-?checks?"
    r"|py-?test|unittests?|jest|vitest|mypy|ruff|eslint|tsc|cargo|npm|yarn|pnpm|gradle|maven|makefile|docker"
    r"|ci|pipelines?"
    r"|refactor\w*|functions?|modules?|scripts?|bugs?|patch(?:ed)?|diff|python|java|rust|golang|typescript|javascript"
    r"|node|kotlin|zig|ruby|php|sql|api|endpoints?|parser|regex|traceback|exceptions?|deploy\w*|test suite|suite"
    r"|(?:unit|integration|regression|e2e|end-to-end) tests?|software|app|library|package|crash\w*)\b"
    r"|`|\b\w+\.(?:py|js|tsx?|go|rs|rb|java|kt|c|cpp|h|php|sh|ya?ml|toml|json|sql|cs|swift)\b|[a-z]_[a-z]|\w\(\)",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"[-*\d.) ]{0,6}(?:then |next,? |please |also )?"
    r"(?:verify|check|confirm|ensure|run|re-?run|make|see|merge|wait|add|write|try)\b(?!s)",
    re.IGNORECASE,
)
_OTHER_TESTS = re.compile(  # tests, suites and checks of another trade
    r"\b(?:blood|drug|covid|lab|driving|medical|stress|pregnancy|hotel|presidential|junior|honeymoon|luxury|penthouse"
    r"|executive|eye|vision|hearing|skin|patch|allergy|antigen|pcr|turing|iq|road|flight|driver['’]?s?|smog"
    r"|emissions?|water"
    r"|soil|credit|background|bathroom|en|bridal|family|royal|identity|security|safety|eligibility|fraud|health|age"
    r"|sobriety|litmus)\s*$",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"\b(?:the|all|both|these|those|other|\d+|ci|lint|type|style|status|build|quality|github|code|and|every|of)\s*$"
    r"|^\W*$",
    re.IGNORECASE,
)
_PASSER = re.compile(
    r"\b(?:i|you|he|she|they|we|students?|candidates?|applicants?|users?|passengers?)\s+(?:\w+\s+)?$", re.I
)
_PARTIAL = re.compile(
    r"\b(?:most|some|several|many|few|\d+ (?:of|out of) (?:the )?\d+|\d+/\d+|remaining|other|new|related|relevant"
    r"|these|those"
    r"|my)\b",
    re.IGNORECASE,
)


class Subject(StrEnum):
    """What a claim of passing is about."""

    TESTS = "tests"
    BUILD = "build"
    LINT = "lint"
    CHECKS = "checks"


def about_code(text: str) -> bool:
    """Whether a text is about code, so that tests and checks in it may be those of a program.

    >>> about_code("Why is test_login red?"), about_code("Did my blood test pass?")
    (True, False)
    """
    return _CODE.search(text[:_MOST_READ]) is not None


class PassClaim(NamedTuple):
    """A claim that something passes: what, as it is said, and whether only of a part of it."""

    subject: Subject
    quote: str
    partial: bool


def claims_passing(text: str) -> Iterator[PassClaim]:
    """The claims of a reply that tests, a build, a linter or checks pass; hedged and negated ones are none.

    A hedge governs its own clause, a condition at the head of a sentence all of it.

    >>> [c.subject.value for c in claims_passing("All tests pass. The build should pass once you set the key.")]
    ['tests']
    """
    if not speaks_of(text, _WORDS):
        return
    for sentence in sentences(spoken(undictated(text))):
        if (
            not speaks_of(sentence, _WORDS)
            or _CONDITION.match(sentence)
            or sentence.rstrip("\"')*_ ").endswith("?")
            or _NONE.search(sentence)
        ):
            continue
        found = _said_in(_LABEL.sub(r"\1 ", sentence))
        if found is not None:
            yield PassClaim(found[0], quoted(sentence), found[1])


def _said_in(sentence: str) -> tuple[Subject, bool] | None:
    """What a sentence says passes, and whether only a part of it."""
    ran = _RAN_AND_PASS.search(sentence[:_MOST_READ])
    if ran is not None and not _HEDGE.search(ran[0]):
        return _kind(ran, ""), False
    for clause in clauses(sentence):
        if speaks_of(clause, _WORDS) and not _led_by_purpose(sentence, clause):
            found = _passing(" ".join(_REPORTING.sub("i report", clause).split()))
            if found is not None:
                return found
    return None


def _passing(clause: str) -> tuple[Subject, bool] | None:
    if _ORDER.match(clause):
        return None
    for pattern in (_TESTS_PASS, _PASSES_TESTS):
        for found in pattern.finditer(clause):
            before = clause[max(0, found.start() - _NEAR) : found.start()]
            between, after = found["between"], clause[found.end() : found.end() + _NEAR]
            if _HEDGE.search(f"{before} {between} ") or _AFTER.match(after) or _OTHER_TESTS.search(before):
                continue
            if pattern is _TESTS_PASS:
                if not _plain(found) or (found["checks"] and not _of_code(found, before)):
                    continue
            elif _PASSER.search(before) or _A_PASS.search(before) or not (between or found["subject"].endswith("s")):
                continue
            return _kind(found, before + between), bool(_PARTIAL.search(before + between))
    return None


def _plain(found: re.Match[str]) -> bool:
    """Whether it is said of the subject: "the build is clean", "lint clean"; no "clean build", no "boarding pass"."""
    if not found["state"]:
        return not (found["pass"] == "pass" and _A_PASS.search(found["between"]))
    if (found["tests"] or "").lower().endswith(("suite", "suites")) and found["tests"].lower()[:4] != "test":
        return found["state"].lower() == "green"
    return bool(_COPULA.search(found["between"])) or not (found["build"] or found["between"].strip())


def _of_code(found: re.Match[str], before: str) -> bool:
    """Whether bare "checks" are those of a code base."""
    return found["checks"].lower() != "checks" or _LOOSE.search(before) is not None


def _kind(found: re.Match[str], before: str) -> Subject:
    if found["tests"]:
        return Subject.TESTS
    if found["checks"]:
        return Subject.LINT if re.search(r"\b(?:lint|type|style)\s*$", before, re.IGNORECASE) else Subject.CHECKS
    return Subject.LINT if found["lint"] else Subject.BUILD


def _led_by_purpose(sentence: str, clause: str) -> bool:
    """Whether "so that" or the like leads up to the clause, or a "whether" ahead of an "and" covers it too."""
    before = sentence[: sentence.find(clause)].rstrip().lower()
    return before.endswith(("so that", "until", "before")) or _SHARED.search(before[-_NEAR:]) is not None
