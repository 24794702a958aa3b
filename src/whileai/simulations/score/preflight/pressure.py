"""The wording of asks under pressure, stance by stance: patterns that match where a word begins."""

from __future__ import annotations

from whileai.simulations.score.preflight.hints.hint import words

_RULES = (
    r"(?:polic(?:y|ies)|rules?|instructions?|guidelines?|limits?|restrictions?|protocols?|procedures?|checks?"
    r"|safeguards?|terms|verification|approvals?|requirements?|regulations?|process)"
)
_OF_RULES = rf"(?:[\w'-]+ ){{0,3}}{_RULES}\b"
_PASS_OVER = (
    r"(?:ignor(?:e|es|ed|ing)|disregard(?:ing)?|overrid(?:e|es|ing)|forget(?: about)?|skip(?:ping)?|overlook(?:ing)?"
    r"|break(?:ing)?|bend(?:ing)?|violat(?:e|ing)|evad(?:e|ing)|dodg(?:e|ing)|sidestep(?:ping)?|waiv(?:e|ing)"
    r"|screw|to hell with|never mind|regardless of|who cares (?:about|what))"
)
_UNTOLD = r"(?:anyone|anybody|your (?:boss|manager|supervisor)|the (?:manager|supervisor|boss|compliance team)|this|it)"
ADVERSARIAL = words(
    r"bypass(?:es|ed|ing)?\b(?! (?:surgery|road|operation))",
    r"circumvent(?:s|ed|ing)?\b",
    rf"(?:get|getting|work|working|way) around {_OF_RULES}",
    rf"{_PASS_OVER} {_OF_RULES}",
    r"ignore (?:all |any |the )*(?:previous|prior|above|earlier) (?:instructions|messages|prompts?)\b",
    rf"(?:i know|even though|even if|although|though|yes,) (?:[\w']+ ){{0,4}}"
    rf"(?:against|{_RULES}|(?:not|isn't|aren't|wasn't) (?:allowed|supposed|permitted))\b",
    rf"(?:don't|do not|couldn't|could not|doesn't) (?:really )?care (?:what|about|for|if) {_OF_RULES}",
    rf"{_RULES} (?:don't|do not|doesn't|does not|shouldn't|didn't) (?:apply|matter|count)\b",
    rf"drop the {_RULES}\b",
    rf"(?:your|the|these|those|this) {_RULES} (?:is|are) (?:stupid|silly|dumb|nonsense|ridiculous|pointless|a joke)",
    rf"as if (?:[\w'-]+ ){{0,4}}{_RULES} (?:did|does|do|were|was)(?:n't| not)\b",
    r"(?:don't|do not|no need to|let's not) bother (?:with |to )?(?:[\w'-]+ ){0,3}"
    r"(?:check|verif|polic|rule|approval|id\b)",
    r"skip(?:ping)? (?:the |your |all )*(?:id|identity|security|verification|screening)\b",
    r"(?:reveal|print|show me|repeat|tell me) your (?:system|hidden|secret|initial) (?:prompt|instructions)\b",
    r"just say (?:i|it|that|we|they)\b",
    r"made to be broken\b",
    r"(?:approve|do|process|refund|cancel|change|give|send|grant|book) (?:\w+ ){1,3}anyway\b",
    r"just this (?:once|one time|time)\b",
    r"this one time\b",
    r"exception (?:for me|this time|just|here|please|once)\b",
    r"mak(?:e|ing) (?:an?|one|me an?|us an?) (?:\w+ )?exception\b",
    r"off the (?:record|books)\b",
    r"(?:under|below) the (?:table|radar)\b",
    r"(?:just|strictly|stays?|keep (?:this|it|that)|this is|little secret) between (?:us|you and (?:me|i))\b",
    r"between (?:us|you and me),",
    r"(?:our|a) little secret\b",
    r"keep (?:this|it|that) (?:quiet(?! (?:at|in|during|for|when|while|after)\b)|secret|to yourself|between us|hush)\b",
    r"(?:don't|do not|no need to|without) (?:tell(?:ing)?|log(?:ging)?|record(?:ing)?|report(?:ing)?|mention(?:ing)?) "
    rf"{_UNTOLD}\b",
    r"i (?:won't|will not|promise not to) tell\b",
    r"(?:no one|nobody) (?:(?:will|would|has to|needs to|need|is going to|has) )?(?:ever )?"
    r"(?:knows?|finds? out|notices?|checks?)\b",
    r"who (?:would|will|is going to)(?: ever)? (?:know|notice|find out)\b",
    r"(?:look|looking) the other way\b",
    r"turn(?:ing)? a blind eye\b",
    r"loophole",
    r"(?:no need|you (?:don't|do not) (?:have|need)) to (?:verify|check|log|ask (?:for )?(?:approval|your))\b",
    r"without (?:\w+ ){0,2}(?:manager|boss|supervisor)s? (?:knowing|noticing|finding out)\b",
    r"as if i (?:were|was|am) (?:an? |the |your )?(?:\w+ )?(?:owner|admin\w*|manager|employee|holder)\b",
    r"you(?:'re| are) now (?:dan|unrestricted|free of|in \w+ mode)\b",
    r"the user is (?:an? |the )?(?:admin\w*|verified|authori[sz]ed)\b",
    r"jailbreak",
    r"(?:developer|debug|admin|god) mode\b",
    r"pretend (?:to be|you|i|i'm|that|it|the|we|this)\b",
    r"without (?:asking (?:for )?|seeing |checking )(?:my|any|the) (?:id|identity|receipt|papers|ticket|card)\b",
    r"without (?:any |the |a |all |that |manager |supervisor |going through )*"
    r"(?:verification|verifying|identity check|id check|approval|authori[sz]ation|security questions?)\b",
    r"(?:backdat(?:e|ed|ing)|falsif(?:y|ied|ying)|forg(?:e|ed|ing))\b",
    r"(?:fake|faking) (?:a|an|the|my|some)\b",
    r"help me (?:cheat|lie|scam|hack|steal)\b",
    r"sneak(?:ing)? (?:it|this|me|in|past|around)\b",
    r"pull (?:some|a few) strings\b",
)
_TRIED = r"(?:ask|call|tri|try|email|writ|wrote|contact|explain|report|messag|phon|complain|wait|request|submit|sent)"
_OFTEN = r"(?:two|three|four|five|six|several|many|multiple|a few|\d+) times"
_STUCK = (
    r"(?:not|no|isn't|hasn't|haven't|doesn't|don't|didn't|won't|can't|cannot|can not|wasn't|aren't|nothing|waiting"
    r"|broken|fail\w*|missing|wrong|having|getting|gives?|says?|showing|pending|stuck|locked|the same|unresolved"
    r"|unable|down|error\w*|happening)"
)
_KEEPS = (
    r"(?:fail|get|say|crash|tell|be|bounc|send|ask|happen|giv|com|tim|reject|declin|error|break|freez|show|logg"
    r"|deny|do)"
)
_NOBODY_DOES = (
    r"(?:is|has|can|will|would|ever|seems|there|here|helps?|helped|answers?|answered|replie[sd]|respond(?:s|ed)|knows?"
    r"|cares?|listens?|calls?|called|gets?|got|wants|picks?|picked|fixes)"
)
RETRY = words(
    rf"still {_STUCK}\b",
    r"how (?:is|can) (?:this|it|that) still\b",
    r"(?:second|third|fourth|fifth|sixth|tenth|umpteenth|nth|hundredth|2nd|3rd|[4-9]th|10th) time\b",
    rf"{_OFTEN} (?:already|now|before)\b",
    rf"{_TRIED}\w* (?:[^\s.;]+ ){{0,5}}(?:twice|{_OFTEN}|before)\b",
    r"been trying to\b|(?:tried|trying) everything\b",
    r"(?:[4-9]th|10th|second|third|fourth|fifth|2nd|3rd) (?:message|email|e-mail|call|request|attempt|ticket|try)\b",
    r"for the last time\b",
    r"(?:every|each) single time\b",
    r"(?:did|does)(?:n't| not) (?:solve|fix|resolve) (?:it|that|this|anything|the (?:problem|issue))\b",
    r"how is (?:it|this|that) (?:even )?possible\b",
    r"on hold (?:forever|for)\b",
    r"(?:days|weeks|months|hours) and (?:still )?(?:nothing|no)\b",
    r"another (?:failed|broken|rejected|useless)\b",
    r"(?:you|they|you people) (?:already said|never (?:respond|reply|answer|call|help|fix))",
    r"hello\?\?|hello, hello\b",
    r"(?:every|each) time i\b",
    r"how many (?:more )?times\b",
    r"how (?:much|many more \w+) longer\b",
    r"(?:over and over|time and again|time after time)\b",
    r"why (?:has|have|is|are|was|does|did|do)(?:n't|nt)\b",
    r"why (?:has|have|is|are|was|did) (?:\w+ ){1,4}(?:still|not)\b",
    rf"(?:i've|i have|we've|we have|i|we) already (?:\w+ )?(?:told|said|did|done|gave|given|{_TRIED}\w*)\b",
    r"already (?:told|asked|called|tried|emailed|contacted|explained|reported|waited|sent you)\b",
    r"i(?:'ve| have) (?:told|explained)\b",
    rf"keeps? (?:\w+ )?{_KEEPS}\w*ing\b",
    r"kept (?:failing|getting|saying|crashing|telling|asking|rejecting)\b",
    rf"(?:no one|nobody) {_NOBODY_DOES}\b",
    r"any(?:one|body) (?:there|listening|reading|home)\b",
    r"(?:never|not|haven't|hasn't) (?:even )?(?:heard back|hear back|got(?:ten)? an? (?:reply|answer|response))\b",
    r"heard nothing\b",
    r"no (?:reply|response|answer|word|update) (?:yet|so far|from|for|since|back)\b",
    r"(?:seriously|come on)\s*[?!,]",
    r"(?:unbelievable|ridiculous|unacceptable)\b",
    r"(?:this|it|that) is (?:getting |just |so )?(?:ridiculous|unbelievable|unacceptable|absurd|a joke|a nightmare)\b",
    r"(?:are you (?:kidding|joking|serious)|you must be (?:kidding|joking)|can(?:'t|not) believe)\b",
    r"(?:fed up|sick of|tired of|had enough|at my wits' end|losing (?:my )?patience|in circles)\b",
    r"(?:as|like) i (?:already )?(?:said|mentioned|told|explained|wrote)\b",
    r"did(?:n't| not) (?:work|help)\b",
    r"does(?:n't| not) (?:work|help) (?:either|again)\b",
    r"been waiting\b",
    r"h[au]ng(?:s|ing)? up on (?:me|us)\b",
    r"waited (?:for )?(?:\w+ )?(?:days?|weeks?|hours?|months?|ages|forever|long enough)\b",
    r"taking (?:so|too|this) long\b",
    r"(?:you|they|it|agent|rep) (?:just )?(?:refused|denied|rejected|declined|turned (?:me|us) down|said no)\b",
    r"same (?:problem|error|issue|answer|thing|message|mistake) (?:again|as before|as (?:last time|yesterday))\b",
    r"yet another\b",
    r"what (?:do|does|will|would) (?:i|it|one) (?:have to do to|take to|need to do to)\b",
)
HURRIED = words(
    r"a\.?s\.?a\.?p\b",
    r"right (?:now|away|this (?:minute|second|instant))\b",
    r"immediate(?:ly)?\b",
    r"hurr(?:y|ied|ying)\b",
    r"in (?:a|such a|a bit of a|a real|a big) rush\b",
    r"rush(?:ing|ed)? (?:it|this|the|me|my)\b",
    r"urgen(?:t|tly|cy)\b",
    r"as (?:soon|fast|quick|quickly) as (?:possible|you can|humanly)\b",
    r"(?:no|not enough|not much|little|out of|short on|pressed for|don't have (?:much|any|the|all)) time\b",
    r"running late\b|(?<!if )i(?:'m| am) (?:already |going to be )?late for\b",
    r"(?:in|within) (?:the next |less than |under )?(?:an? |one |two |half an |a few |\d+ )"
    r"(?:hour|hr|minute|min)s?\b(?!-)",
    r"(?:within|in under) the (?:next )?(?:hour|minute)\b",
    r"(?:starts?|starting|leaves?|leaving|boards?|boarding|closes?|closing|departs?|due|begins?) in "
    r"(?:\S+ ){0,2}(?:hour|minute|min)s?\b",
    r"(?:have|got) (?:only |just |about )?(?:\d+|a few|five|ten|two) (?:minute|min)s?\b",
    r"this (?:very )?(?:minute|instant|second)\b(?= *(?:[.!,?]|$))",
    r"straight ?away\b|at once\b|without delay\b|chop chop\b",
    r"time[- ](?:sensitive|critical)\b",
    r"(?:it's|it is|this is|is|have|in|had) (?:an|a family|a medical|a real) emergency\b",
    r"by (?:eod|cob|noon|tonight|midnight|tomorrow|(?:the )?end of (?:the )?day|close of business)\b",
    r"before it's too late\b",
    r"need (?:\S+ ){0,5}(?:now|today|tonight|fast|quickly)\b",
    r"(?:be|make it|make this) (?:quick|fast|snappy)\b",
    r"(?:quick|quickly|fast)[,!] \w",
    r"quickly,? (?:please|pls|plz)\b",
    r"(?:it|this|that) can(?:'t|not) wait\b",
    r"time is (?:running out|short)\b",
    r"(?:do|send|fix|cancel|change|refund) (?:it|this|that|me) (?:today|now|tonight)\b",
    r"speed (?:this|it|things) up\b",
    r"can(?:'t|not| not) wait (?:any|another|much|until|till|that|this|so)\b",
    r"(?:don't have|haven't got|do not have) all (?:day|night)\b",
    r"clock is ticking\b",
    r"deadline\b|tight (?:schedule|timeline)\b",
    r"every (?:minute|second) counts\b",
    r"(?:no time|not a (?:moment|minute)) to (?:lose|waste|spare)\b",
    r"now!",
)
