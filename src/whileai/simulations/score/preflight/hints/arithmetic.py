"""A sum or a number got wrong."""

from __future__ import annotations

from whileai.simulations.score.preflight.hints.hint import Hint, words

_WRONG = r"(?:wrong|incorrect|inaccurate|miscalculated|mistaken|bad|faulty|off|miscounted)"
_SUM = (
    r"(?:totals?|sums?|amounts?|subtotals?|maths?|calculations?|computations?|arithmetic|balances?|difference"
    r"|percentages?|averages?|counts?|figures?|prices?|fees?|tax(?:es)?|cost|rounding|quantity|conversion|interest"
    r"|tally|number of \w+)"
)
_NAMED = ("order", "tracking", "phone", "account", "ticket", "case", "flight", "reference", "confirmation")
_NO_NAME = "".join(rf"(?<!{thing} )" for thing in _NAMED)

ARITHMETIC = Hint(
    "arithmetic",
    words(
        r"arithmetic",
        r"mis(?:comput|calculat|count|total|tall|add(?:ed|s|ing)\b)\w*",
        r"(?:calculat|comput)\w* (?:\w+ ){0,3}(?:wrong|incorrect|error|mistake|badly|off\b)",
        r"(?:wrong|incorrect)(?:ly)? (?:calculat|comput|add|summ|round|convert|prorat)\w*",
        r"comput\w* the wrong\b",
        rf"{_WRONG} (?:\w+ ){{0,2}}{_SUM}\b(?! (?:code|number|id|card))",
        rf"{_SUM} (?:is|was|are|were|came out|does(?:n't| not)|did(?:n't| not)) "
        r"(?:\w+ )?(?:wrong|incorrect|off|inaccurate|add up|match|sum|too (?:high|low))\b",
        r"math(?:s|ematical(?:ly)?)? (?:error|mistake|slip|problem|is|was|wrong|fail)",
        r"(?:got|did|botched|flubbed|fumbled) (?:the |its |his |her )?(?:maths?|sums?|addition|subtraction)\b",
        r"(?:added|adds|adding|summed|sums) (?:\w+ ){0,3}(?:wrong(?:ly)?|incorrectly|badly)\b",
        r"(?:added|subtracted|multiplied|divided) instead of\b",
        r"(?:does|did)(?:n't| not) add up\b",
        r"(?:addition|subtraction|multiplication|division|rounding|sum|counting|conversion) (?:error|mistake)",
        r"round(?:ed|s|ing) (?:\w+ ){0,2}(?:wrong|incorrect)",
        r"off[- ]by[- ](?:one|a (?:day|factor|cent|dollar)|\d|\$)",
        r"(?:is|was|were) off by\b",
        r"double[- ]count\w*",
        r"(?:got|gave|quoted|stated|reported) (?:the |a )?(?:wrong|incorrect) (?:numbers?|value|figure)\b"
        r"(?! (?:for|of) (?:the )?(?:order|account|phone|tracking))",
        rf"{_NO_NAME}numbers (?:are|were|do(?:n't| not)|did(?:n't| not)) (?:wrong|off|incorrect|add up|match)\b",
    ),
)
