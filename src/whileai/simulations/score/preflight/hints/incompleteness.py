"""A part left undone or unsaid."""

from __future__ import annotations

from whileai.simulations.score.preflight.hints.hint import DID_NOT, PERSON, Hint, gap, words

_DEED = (
    r"(?:finish\w*|complet\w*|answer\w*|address\w*|mention\w*|provid\w*|includ\w*|tell\w*|told|give\w*|gave|say"
    r"|state\w*|respond\w*|repl(?:y|ied)\w*|cover\w*|resolv\w*|follow(?:ed)? (?:up|through)|handl\w*|deliver\w*|list\w*"
    r"|return\w*|share\w*|explain\w*|inform\w*|do (?:the|all|both|what|everything)|get (?:to|around)|offer\w*"
    r"|summari[sz]\w*|send|act on|carry out|perform\w*|process\w*)\b"
)
_DONE = (
    r"(?:complet|finish|answer|address|resolv|process|deliver|handl|return|cover|includ|mention|provid|carried out)\w*"
)
_TASK = r"(?:task|request|question|part|step|exchange|action|issue|job|it)"
_OTHER = r"(?:second|third|other|last|final|next|rest|question|questions|request|part|step|follow-up)\b"
_PART = r"(?:the |a |one |her |his |their |half |part |of )*"

INCOMPLETENESS = Hint(
    "incompleteness",
    words(
        r"(?:incomplete(?:ly|ness)?|unfinished|unanswered|unaddressed|unresolved)\b",
        rf"{DID_NOT} (?:fully |actually |ever |even |completely )?{_DEED}",
        rf"{_TASK} (?:was |is |were )?(?:not|never) (?:fully )?{_DONE}",
        rf"not fully {_DONE}",
        rf"not all {gap(3)}(?:was|were|are|is) {_DONE}",
        r"with(?:held|holds?|holding)\b|(?:left|leaves?|leaving) out\b",
        rf"(?:left|leaves?|leaving) {gap(5)}(?:open|undone|hanging|pending|incomplete|unsaid|half)\b",
        r"omit(?:s|ted|ting)?\b|omissions?\b",
        r"missing (?:the|a|an|any|half|part|some|key|required|one|information|details?|steps?)\b",
        r"(?:reply|answer|response|message) lacks\b|no mention of\b",
        r"only (?:half|part|partly|partially|partial|one of|the first|some of|answered|did|covered|addressed)\b",
        r"partial(?:ly)? (?:answer|done|complet|resol|address|respon|repl|solution|fulfil|handled)\w*",
        r"half[- ](?:done|finished|answered|complete|way done)\b|did half\b",
        rf"(?:skip(?:s|ped|ping)?|ignor(?:ed|es|ing)|overlook(?:ed|s|ing)?|miss(?:ed|es)) {_PART}{_OTHER}",
        rf"(?:{PERSON}'s )?(?:other |second |last )(?:question|request|part) (?:was|were) (?:ignored|missed|skipped)\b",
        r"(?:forgot|forgets|forgotten|forgetting) (?:to|the|about|half|part|one)\b",
        rf"(?:stopp?(?:ed|s|ing)?|quit|ended) {gap(2)}(?:short|early|half-?way|midway|part-?way|too soon|before)\b",
        r"before (?:finishing|completing|it was (?:done|finished)|the task was)\b",
        r"no (?:answer|reply|response) to (?:the|her|his|their|one)\b",
        r"(?:more|another) (?:step|call|question)s? (?:was|were) (?:needed|left)\b",
    ),
)
