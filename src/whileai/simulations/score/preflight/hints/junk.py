"""A reply whose form is broken."""

from __future__ import annotations

from whileai.simulations.score.preflight.hints.hint import Hint, gap, words

JUNK_OUTPUT = "junk_output"
_REPLY = r"(?:reply|response|answer|output|message|text)"
_CODE = r"(?:json|xml|html|markdown|markup|yaml)"
_BROKEN = r"(?:malformed|invalid|broken|bad|unclosed|unparsed|unformatted)"

JUNK = Hint(
    JUNK_OUTPUT,
    words(
        r"truncat(?:ed|ion|es)\b",
        r"(?<!the )(?<!a )cuts? (?:itself )?(?:off|short)\b(?! (?:the|its|their|service|access|power|date|time|for))",
        r"mid[- ](?:sentence|word|reply|answer|thought)\b",
        r"(?:end(?:s|ed)?|stops|breaks off|broke off) (?:abruptly|mid\b)",
        r"(?:garbled|gibberish|nonsens(?:e|ical)|mojibake|word salad|unreadable|unintelligible|incoherent|illegible)\b",
        r"(?:unpars(?:e)?able|not pars(?:e)?able|not (?:valid|well-formed) (?:json|xml|html|markdown))\b",
        rf"raw (?:{_CODE}|tool|output|data|api|result|response|dict|payload)",
        rf"(?:dump|past|print|spit)(?:s|t?ed|ing)? {gap(1)}(?:raw|{_CODE}|tool|the whole)\b",
        rf"(?:just|only|nothing but) {gap(1)}{_CODE}\b",
        rf"{_BROKEN} (?:{_CODE}|formatting|syntax|tool[- ]call|{_REPLY})\b",
        rf"(?:empty|blank) (?:final |assistant )?{_REPLY}\b",
        rf"{_REPLY} (?:is|was) (?:empty|blank|broken)\b",
        r"repeat(?:s|ed|ing)? (?:itself|(?:the )?same (?:\w+ )?(?:sentence|line|phrase|word|token|paragraph|text)s?)\b",
        r"repeat(?:ed|ing) (?:tokens|characters|text)\b",
        r"(?:endless(?:ly)?|infinite) (?:loop|repe)|stuck in a loop|degenerate (?:output|text|repetition)",
        r"(?:tool[- ]call|function[- ]call|xml|control|special|template) (?:markup|syntax|tags?|tokens?|json)\b",
        r"leak(?:s|ed|ing)? (?:its |the )?(?:markup|special tokens?|tool syntax)",
        r"(?:stack ?trace|unfilled (?:template|placeholder)|placeholder text|encoding (?:error|junk))",
    ),
    words(  # a tool's result is no reply
        r"tool(?:'s)? (?:outputs?|results?|responses?) (?:was|were|is|are|got|had been|came back) "
        r"(?:truncated|garbled|cut off|empty|malformed)",
        r"(?:truncated|garbled|empty|malformed) tool (?:output|result|res)\w*",
    ),
)
