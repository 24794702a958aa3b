"""Who a text sounds like: an assistant, a letter from a desk, or nobody."""

from __future__ import annotations

import re
from functools import lru_cache

_START = (
    r"(?:\A\s*+|[.!?\n]\s{0,4}+)(?:(?:hi|hello|hey|sure|certainly|of course|great|okay|ok)\b(?: there)?[,.! ]{0,4})?"
)
_ACT = (
    r"(?:use|check|look|proceed|change|update|cancel|refund|book|process|search|run|issue|apply|help|charge|merge"
    r"|deploy)"
)
_AGENT = re.compile(
    rf"""{_START}(?:
      how[ ](?:can|may)[ ]i[ ](?:help|assist)(?:[ ]you)?
      (?:[ ]today|[ ]with[ ](?:that|this|your[ ][\w ]{{1,30}}))?\s*[?.!]
    | (?:i['’]d|i[ ]would|i['’]ll|i[ ]will|i[ ]am|i['’]m)[ ]be[ ]happy[ ]to[ ](?:help|assist)
    | i(?:[ ]am|['’]m)[ ]happy[ ]to[ ](?:help|assist)[ ]you
    | i(?:[ ]am|['’]m)[ ](?:an[ ]ai|your[ ](?:virtual[ ]|ai[ ])?assistant)\b | as[ ]an[ ]ai\b
    | is[ ]there[ ]anything[ ]else[ ](?:i[ ]can|you(?:[ ]would|['’]d)[ ]like[ ]me[ ]to)
    | let[ ]me[ ](?:check|look[ ](?:into|up)|pull[ ]up|look[ ]at)[ ](?:that|this|it|your[ ][\w ]{{1,30}})[ ]for[ ]you
    | thank[ ]you[ ]for[ ](?:contacting|calling|reaching[ ]out[ ]to)[ ](?:us|our|customer|support)
    | (?:i['’]ve|i[ ]have)[ ](?:processed|issued|located|pulled[ ]up|looked[ ]up|gone[ ]ahead[ ]and[ ]\w+)[ ]your[ ]
    | i[ ]can[ ]help[ ]you[ ]with[ ](?:that|this)\b
    | (?:(?:can|could|would|will)[ ]you|please|which|what|how)\b[^.!?\n]{{0,80}}
      \byou(?:[ ]would|['’]d)?[ ](?:like|want)[ ]me[ ]to[ ]{_ACT}
    | would[ ]you[ ]like[ ]me[ ]to[ ]{_ACT}
    | (?:(?:can|could)[ ]you[ ])?(?:please[ ])?(?:provide|share|confirm)[ ](?:me[ ]with[ ])?your[ ][\w ]{{1,40}}
      [ ]so[ ](?:that[ ])?i[ ]can[ ](?:look|check|assist|help|locate|verify|pull|process|proceed)
    )""",
    re.VERBOSE,
)
_DESK = re.compile(
    r"""(?:\A\s*+|[.!?\n]\s{0,4}+)
    (?:(?:hi|hello|hey|dear[ ][\w ]{1,30}|good[ ](?:morning|afternoon|evening|day))[,.!]{0,3}\s{1,4})?
    (?:
      i(?:[ ]am|['’]m)[ ]writing[ ](?:because|regarding|concerning|on[ ]behalf
        |in[ ](?:regard|reference|relation|response)|with[ ](?:regard|reference)
        |to[ ](?:inform|request|inquire|enquire|express|formally|notify|advise|bring[ ]to)\b)
    | (?:please|kindly)[ ]be[ ](?:advised|informed|notified)
    | i[ ](?:hope|trust)[ ](?:that[ ])?this[ ](?:e-?mail|message|letter|note|mail)[ ]finds[ ]you
    | to[ ]whom[ ]it[ ]may[ ]concern | dear[ ]sirs?(?:[ ]or[ ]madam|[ ]?/[ ]?madam|,[ ]madam)?,
    | (?:as[ ])?per[ ](?:my|our)[ ](?:last|previous)[ ](?:e-?mail|correspondence|message)
    )""",
    re.VERBOSE,
)
_FILLER = re.compile(
    r"(?:please )?(?:i have (?:a|one) (?:request|inquiry|enquiry|task)(?: for you)?|i (?:need|require|want) assistance"
    r"|get (?:this|it) done(?: now| today| asap| immediately)?|process (?:my|this|the) request"
    r"|(?:handle|complete|fulfil+|execute) (?:this|the|my)(?: request| task| action)?(?: now)?"
    r"|i need (?:this|it) (?:done|handled|processed)(?: now| today| asap| immediately)?|assist(?: me)?"
    r"|i have an? (?:issue|matter) (?:to resolve|that needs attention)"
    r"|perform (?:this|the) (?:action|task))(?: please)?"
)


@lru_cache(maxsize=1024)
def speaks_as_agent(text: str) -> bool:
    """Whether a text speaks as the assistant does; what it quotes or asks to have written does not count.

    >>> speaks_as_agent("Can you confirm which account you would like me to use?")
    True
    >>> speaks_as_agent("Write a bot that says how can I help you today?")
    False
    """
    return _AGENT.search(text.lower()) is not None


def is_desk_letter(text: str) -> bool:
    """Whether a text has the formulas of a letter or a desk.

    >>> is_desk_letter("Please be advised that my parcel is late"), is_desk_letter("I am writing a parser in Go")
    (True, False)
    """
    return _DESK.search(text.lower()) is not None


def is_filler(text: str) -> bool:
    """Whether a text asks for nothing in particular, as no person does.

    >>> is_filler("I have a request."), is_filler("I have a request about my rent")
    (True, False)
    """
    return _FILLER.fullmatch(text.strip(" .!\n").lower()) is not None
