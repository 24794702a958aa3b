"""Something declined that could have been done."""

from __future__ import annotations

from whileai.simulations.score.preflight.hints.hint import PERSON, SAID, Hint, gap, words

_CANNOT = (
    r"(?:can ?not|can't|could not|couldn't|(?:is|was|were|be) unable|unable to|(?:is|was) not able|isn't able"
    r"|not possible|impossible|not to (?:have|be able)|there (?:is|was) no (?:tool|way)|ha[sd] no (?:access|way|tool)"
    r"|lack(?:s|ed) (?:access|the ability)|does(?:n't| not) have (?:access|the ability|a tool))\b"
)
_ASK = rf"(?:(?:valid|legitimate|doable|allowed|reasonable|simple|harmless|benign) )?(?:request|{PERSON}|ask|refund)"
_ELSEWHERE = r"(?:elsewhere|away|to (?:call|phone|email|contact|visit))"

NO_ATTEMPT = Hint(
    "no_attempt",
    words(
        r"refus(?:ed|es|al|als|ing)\b",
        r"over-?refus\w*",
        r"declin(?:ed|es|ing) (?:to |a |an |the |doable|its|his|her|their)",
        rf"(?:{SAID}|(?:respond|repli)\w*) {gap(6)}{_CANNOT}",
        r"(?:gave|gives|giving) up\b",
        r"(?:did(?:n't| not)|does(?:n't| not)|never) (?:even )?(?:try|tried|tries|attempt(?:ed|s)?|bother(?:ed)?)\b",
        r"(?:no|without an?y?) (?:real )?(?:attempt|effort)\b|without (?:even )?(?:trying|attempting)\b",
        r"(?:made|makes|making) no (?:tool )?calls?\b|never called (?:the|a|any|its)\b|no tools? (?:was|were) called\b",
        r"did(?:n't| not) (?:call|use) (?:the |a |any )?tools?\b",
        r"(?:did|does|doing) nothing\b",
        r"(?:punt(?:ed|s|ing)|deflect(?:ed|s|ing)|stonewall\w*|passed the buck)\b",
        r"(?:needless|unnecessar)(?:ly|y|ily) (?:\w+ )?(?:escalat|transfer|hand|refer|deflect)\w*",
        rf"(?:escalat\w*|hand(?:ed|s) (?:\w+ )?(?:off|over)) {gap(4)}(?:needlessly|unnecessarily|instead of)\b",
        rf"(?:sent|told|referred|directed) the {PERSON} {gap(3)}{_ELSEWHERE}\b",
        rf"pushed {gap(4)}(?:back (?:to|on|onto)|onto) the {PERSON}",
        rf"turn(?:ed|s|ing)? (?:away|down) (?:a |an |the ){_ASK}\b|turned (?:a |an |the ){_ASK} (?:away|down)\b",
        rf"den(?:ied|ies|ying) (?:a |an |the )?(?:valid|legitimate|doable|allowed|reasonable|eligible) {gap(1)}\w+",
        r"(?:would|will) not help\b|would(?:n't| not) help\b|unwilling to\b",
    ),
    words(  # what should have been refused, and what others refused
        r"(?:should(?:n't| not)? have|should|must|ought to(?: have)?|did(?:n't| not)|fail(?:s|ed|ure)? to|never"
        r"|instead of|correctly|rightly|not|supposed to(?: have)?|had to|rather than) (?:\w+ )?(?:refus|declin)\w*",
        rf"(?:{PERSON}|card|bank|payment|tool|call|api|system|server)(?:'s)? (?:was |had |has |been )*"
        r"(?:refus|declin)\w*",
        r"refus\w* by the (?:tool|api|system|server|bank)\b",
    ),
)
