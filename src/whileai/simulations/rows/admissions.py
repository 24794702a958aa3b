"""Whether a reply says that something went wrong: any plain word for it, in the languages rollouts are written in.

Read clause by clause, as a denial ("without any errors", "fixed the failing test") covers its own clause only. What
stands in quotation marks or in backticks may admit a miss (an agent quotes an error); fenced code may not.
"""

from __future__ import annotations

import re

from whileai.simulations.rows.languages import admits_elsewhere
from whileai.simulations.rows.sentences import clauses, sentences
from whileai.simulations.rows.voice import straight

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_WORD = r"[\w'#/.-]*\w "
_THING = r"(?!(?:is|are|was|were|has|have|had|be|been|did|does|still|it|they|and|to|that|which)\b)" + _WORD
_NOUN = (
    r"(?:errors?|problems?|issues?|trouble|difficult(?:y|ies)|failures?|fail(?:ed|s|ing)?|time-?outs?|timed out"
    r"|glitch(?:es)?"
    r"|hiccups?|snags?|crash(?:ed|es|ing)?|outages?|exceptions?|conflicts?|warnings?|delays?|wrong|missing|broken|bugs?"
    r"|regressions?|skipped|rejected|declined|denied|blocked|stale|invalid|corrupt(?:ed)?|down|out ?dated|out of date"
    r"|garbled|unavailable|expired|interrupted|broke|lost|incorrect|incomplete|stuck|unexpected)\b"
)
_NOT = r"(?:(?:is|are|was|were|has|have|had|did|does|do|could|would|can|will|should)(?:n'?t| not| never)|cannot|won'?t)"
_BETWEEN = (
    r"(?:(?:an?|any|be|been|seem|get|got|have|had|find|see|hit|encounter|notice|report|cause|show|actually|run into) )"
)
_DENIED = "|".join(
    [
        rf"(?:no|without|zero|0|any|never|free of|free from|instead of) (?:{_WORD}){{0,2}}{_NOUN}",
        rf"(?:nothing|none|nobody) (?:{_WORD}){{0,3}}{_NOUN}",
        rf"no longer (?:{_WORD}){{0,1}}{_NOUN}",
        rf"{_NOT} {_BETWEEN}{{0,4}}{_NOUN}",
        rf"(?:fix(?:ed|es|ing)?|re?solv(?:e[sd]?|ing)|address(?:ed|es)|correct(?:ed|s)|handl(?:e[sd]?|ing)"
        rf"|clear(?:ed|s)"
        rf"|repair(?:ed|s)?|prevents?|avoids?|avoided|eliminat(?:ed|es)|patched|debugged|add(?:ed|s)|replaced|removed"
        rf"|restored|updated|cleaned up|got rid of|took care of|cause of|source of|track(?:ed)? down"
        rf"|(?:previously|formerly|once)) (?:{_THING}){{0,5}}{_NOUN}",
        rf"(?:opened|created?|filed?|raised a|logged|closed?|reported|assigned"
        rf"|label+ed) (?:{_WORD}){{0,3}}(?:issues?|problems?|bugs?)\b",
        rf"{_NOUN} (?:{_WORD}){{0,3}}(?:(?:is|are|was|were|been|'s) )(?:now |all |fully )*"
        r"(?:fixed|resolved|gone|solved|cleared|sorted|corrected|addressed|handled|caught|covered|prevented|retried)\b",
        r"(?:sorry|apolog\w+|thank\w*) (?:about|for|again for) (?:[\w'-]+ ){0,4}(?:trouble|inconvenience|wait"
        r"|delays?|problems?"
        r"|issues?|confusion|mix-up|errors?)\b",
        r"(?:error|trouble|problem|hassle|bug)-free",
        r"errors? (?:handling|handlers?|boundar\w+|pages?|rates?|class(?:es)?|types?|states?|logging|budget)\b",
        r"not only\b",
        r"so (?:that )?the (?:\w+ ){1,3}(?:cannot|can'?t) (?!be|go|complete|continue)\w+",
        r"(?:of|about|on) errors? (?:in|of|by)\b|failed \w+ (?:of|from|on) (?:last|yesterday|earlier)\b",
        rf"not (?:an?|any|really an?) {_NOUN}",
        r"(?:the|your|that|this|my) (?:missing|broken|expired|damaged|delayed|defective|faulty|wrong|incorrect"
        r"|lost) \w+",
    ]
)
_STATES = (
    r"fail(?:ed|s|ing|ures?|ure)?|tim(?:ed|es?|ing)[ -]?out|timeouts?|un(?:able|available|reachable|readable|responsive"
    r"|successful(?:ly)?|authori[sz]ed|supported|recogni[sz]ed|processed|resolved|finished|sent|delivered"
    r"|verified|confirmed"
    r"|expected(?:ly)?|clear|sure|certain|usable|parsable|parseable|known|accessible|changed|booked|paid|fortunately)"
    r"|inaccessible|inoperative|incomplete|incorrect|invalid|impossible|insufficient|ineligible|inconsistent"
    r"|expired|declin(?:e[sd]?|ing)|den(?:y|ie[sd]|ying)|reject(?:s|ed|ing)?|refus(?:e[sd]?|ing|al)|blocked|blocking"
    r"|forbidden|prohibited|restricted|prevented|prevents|corrupt(?:ed|ion)?|garbled|malformed|mangled"
    r"|truncated|scrambled"
    r"|unintelligible|gibberish|nonsense|stale|outdated|out[ -]of[ -]date|obsolete|missing|absent|non-?existent|offline"
    r"|outage|crash(?:ed|es|ing)?|hung|stuck|stalled|fr(?:ozen?|eezing)|skip(?:ped|ping)|abort(?:ed|s)?|interrupted"
    r"|disconnected|bounced|broken|broke|overloaded|rate[ -]limit(?:ed|s|ing)?|throttled|locked out|struggl(?:ed|ing)"
    r"|gave up|giving up|fell (?:through|short|back)|falling back|came (?:up|back) (?:empty|blank|short)|empty-handed"
    r"|(?:went|gone|goes|going) (?:wrong|down|dark)|went unanswered|glitch(?:es|ed)?|hiccups?|snags?|setbacks?|trouble"
    r"|difficult(?:y|ies)|problems?|exceptions?|traceback|errors?|errored|unfortunately|regrettably|sadly"
    r"|i'm afraid|oops"
    r"|whoops|on hold|in limbo|not yet|yet to|try(?:ing)? (?:\w+ ){0,2}again|retrying|retried|lost connection"
    r"|partial(?:ly)?|workaround|mismatch|no longer|neither|nowhere to be found|conflict(?:s|ed)?|garbage|blank"
)
_PHRASES = "|".join(
    [
        r"(?:could(?:n'?t| not)|can(?:not|'?t| not))(?! (?:wait|thank|stress|recommend|go wrong|help but"
        r"|agree more|complain"
        r"|emphasi[sz]e|be (?:happier|easier|better|more|undone|charged|billed)|have (?:been (?:easier|happier"
        r"|better|more)"
        r"|asked)))\b",
        r"(?:is|are|was|were|am|'m|'re|'s)(?:n'?t| not)(?! (?:only|just|merely|simply|to (?:worry|mention)|too"
        r"|far|alone|long"
        r"|an? (?:\w+ )?(?:concern|worry|coincidence|problem|issue|big deal)|hard|needed|required|necessary"
        r"|limited|until|before|charged|affected))\b",
        r"(?:has|have|had)(?:n'?t| not| never)(?! (?:to|only|just)\b)",
        r"did(?:n'?t| not)(?! (?:need|have to|want|mean|forget|hesitate|take long|only|just|miss|lose"
        r"|disappoint|break)\b)",
        r"does(?:n'?t| not)(?! (?:matter|need|require|have to|take|mean|cost|hurt|affect|include|only|just|change)\b)",
        r"do(?:n'?t| not) (?:\w+ ){0,2}?(?:have(?! to\b| any (?:questions?|doubts?))|see|know|find|get|exist"
        r"|match|work|recogni[sz]e"
        r"|show|appear|seem|respond|allow|permit|support|let|think|believe|load|pass|accept|look|offer|trust|yet)\b",
        r"(?:will not|won'?t|would(?:n'?t| not)) (?:\w+ )?(?:able|allow|let|connect|go through|work|open|load"
        r"|process(?:ed)?|complete"
        r"|run|start|possible|succeed|happen|return|respond|save|build|compile|pass|accept|load|give|show|come"
        r"|budge|take(?! long))\b",
        r"not (?:yet )?(?:been |be )?(?:actually |fully |currently )?(?!needed|required|limited|worried"
        r"|impressed|supposed"
        r"|expected|charged|billed|affected|listed as)(?:\w+(?:ed|able|ible)|found|sent|done|paid|sure|set"
        r"|on (?:file|record)"
        r"|in (?:the|our|your|my)|there|present|valid|complete|ready|up to date|current|working|responding"
        r"|showing|possible)\b",
        r"never (?!mind|fear|been (?:easier|better))\w",
        r"(?:was|were|been|got) (?:lost|killed|cut)\b",
        r"no such\b",
        rf"no (?:{_WORD}){{0,4}}(?:found|exists?|existed|available|matching|match(?:e[sd])?|returned|recorded"
        rf"|listed|on (?:file|record)"
        r"|(?:turned|came|comes|shows?|showed) (?:up|back)|under|with (?:that|this)|by that|in (?:the|our|my|your)"
        r"|went through|was (?:made|sent|issued|processed|placed|created))\b",
        r"no (?:match(?:es)?|results?|records?|hits?|luck|response|answer|reply|data|entr(?:y|ies)|trace"
        r"|sign of|information"
        r"|access|connection|way (?:to|of)|availability|confirmation|success|permission|output|content|idea)\b",
        r"there(?:'s| is| are| was| were) no (?!need|charge|fee|problem|issue|trouble|error|delay|cost|rush"
        r"|hurry|doubt|extra|additional|limit"
        r"|better|more"
        r"|reason|change|further|longer|penalty|minimum|catch)\w",
        r"(?:found|returned|see|saw|shows?|showed|got|gave|finds?|returns?) (?:(?:me|us|back) )?(?:no|nothing"
        r"|none|zero|0|nobody)\b",
        r"(?:have|has|had) (?:nothing|no (?!effect|impact|cost|fees?|further|more|need|doubt|questions?|limit"
        r"|bearing))\b",
        r"(?:is|are|was|were|been|got|'s|'re) (?:\w+ )?(?:taken(?! care)|locked|full|sold out|gone|empty"
        r"|protected|wrong|gr[ae]yed out"
        r"|out of \w+|under (?:maintenance|review)|suspended|held|logged out|cut off|suspicious)\b",
        r"(?:says?|said) no\b|^(?:sorry )?no[.!]*$|outside (?:the|our|of|my)\b|turned (?:\w+ ){0,3}(?:down"
        r"|away)\b|(?:needs?"
        r"|requires?) (?:[\w']+ ){0,3}(?:approval|review)\b",
        r"only managed\b|managed to (?:\w+ ){1,2}(?:only|half|part|one)\b|cut off\b|(?:call|connection|line"
        r"|session) dropped\b",
        r"(?:got|went|going) nowhere|before (?:i|we) could\b|too late to\b|without an? (?:confirmation|answer"
        r"|reply|response)\b"
        r"|restrictions?\b|got reversed|returned by the\b|only worked\b|off the table|remains? to\b|acting up"
        r"|bad day|flaky"
        r"|no (?:\w+ ){1,3}(?:has|have|had) been\b|took too long|stopped (?:me|at|halfway|working|responding)\b"
        r"|(?:i|it|we) stopped\b|had to stop\b"
        r"|out of memory"
        r"|segmentation fault|segfault|core dumped|redirected me|by hand\b|manual(?:ly)? approv|old data\b"
        r"|from (?:\w+ ){1,2}(?:days|hours|weeks|months) ago\b",
        r"nothing (?!else|more|to worry|further|is needed|is required|needed|required|fancy|special)\w",
        r"none (?:of|was|were|found|matched|match|exist|are|is)\b",
        r"(?:zero|\b0) (?:results|match(?:es)?|records|hits|rows|items)\b",
        r"(?:is|are|was|were|be|been|appears?|seems?|currently|'s|'re) (?:\w+ ){0,2}down\b",
        r"down (?:for maintenance|at the moment|right now|today|again)\b",
        r"(?:an?|some|technical|system|server|network|connection|connectivity|backend|temporary|internal|known|ongoing"
        r"|intermittent|persistent|unexpected) (?:\w+ )?issues?\b",
        r"issues? (?:with|on|while|when|reaching|accessing|connecting|processing|that|prevent)",
        r"(?:lack|lacks|lacking|need|needs|requires?|required|outside|beyond"
        r"|exceeds?) (?:\w+ ){0,3}(?:permissions?|access|rights"
        r"|authori[sz]ation|privileges?|my (?:reach|control|scope)|limits?)\b",
        r"as of \S+ \w+ ago|(?:days?|hours?|weeks?|months?) old\b|may have changed|might have changed"
        r"|last known|cached",
        r"still (?:open|outstanding|unresolved|waiting|broken|red|unpaid|active|there|not|needs?|to (?:do|be done))\b",
        r"remains? (?:open|in place|un\w+|as (?:it|is)|the same|active)\b",
        r"(?:http|status|code|error|returned|got|gave|received|with|hit|an?|the) (?:code |status "
        r"|an? )?[45]\d\d\b|\b[45]\d\d (?:error|response)",
        r"(?:exit(?:ed|s)?|code|status)(?: with)?(?: code| status)? [1-9]\d*\b",
        r"(?<!\bi )(?<!\bwe )(?<!i've )(?<!we've )(?<!i have )(?<!we have )\balready (?:been |was |marked |in "
        r"|at |on |a |an |\w+ly )?"
        r"(?:\w+(?:ed|en)|done|paid|sent|set|up|place|there|exists?|has|have|had|gone|the|member|out)\b",
    ]
)
_TROUBLE = re.compile(rf"(?:(?<!\w)(?:{_DENIED}))|(?P<admits>\b(?:{_STATES})\b|(?:(?<!\w)|(?='))(?:{_PHRASES}))")
_CONDITION = re.compile(
    r"(?:\b(?:if|unless|in case|in the event|whether|should (?:you|there|it|any|this)|would you|do you|did you|have you"
    r"|are you|let me know|feel free)\b|\bwhen (?:\w+ ){1,4}(?:is|are|has)\b|\bplease (?:let|contact|call|reach)).*"
)
_THEIRS = re.compile(  # somebody else's trouble: sympathy, and what a person reported
    r"(?:and )?(?:i(?:'m| am) (?:so |very |really )?sorry (?:you|to hear|that you)|i (?:fully |completely "
    r"|totally )?(?:understand|know)"
    r" (?:how|that you|this|the|your)|(?:as )?you (?:reported|mentioned|told|complained))\b"
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
    plain = straight(_FENCED.sub(" ", text))
    if admits_elsewhere(plain):
        return True
    return any(
        _clause_admits(" ".join(clause.split())) for sentence in sentences(plain) for clause in clauses(sentence)
    )


def _clause_admits(clause: str) -> bool:
    if _THEIRS.match(clause):
        return False
    said = _CONDITION.sub("", clause)
    return any(found["admits"] is not None for found in _TROUBLE.finditer(said))
