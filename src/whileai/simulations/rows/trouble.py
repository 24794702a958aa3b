"""The words people tell trouble with, and those that deny it. Each phrase opens with a word or a bracket of words."""

from __future__ import annotations

_WORD = r"[\w'#/.-]*\w "
_THING = r"(?!(?:is|are|was|were|has|have|had|be|been|did|does|still|it|they|and|to|that|which)\b)" + _WORD
_NOUN_WORDS = (
    "error errors problem problems issue issues trouble difficulty difficulties failure failures fail failed"
    " fails failing timeout timeouts time-out time-outs glitch glitches hiccup hiccups snag snags crash crashed"
    " crashes crashing outage outages exception exceptions conflict conflicts warning warnings delay delays wrong"
    " missing broken bug bugs regression regressions skipped rejected declined denied blocked stale invalid"
    " corrupt corrupted down outdated garbled unavailable expired interrupted broke lost incorrect incomplete"
    " stuck unexpected"
)
_NOUN = rf"(?:{_NOUN_WORDS.replace(' ', '|')}|timed out|out dated|out of date|[a-z]\w*(?:error|exception)s?)\b"
_NOT = (
    r"(?:is|are|was|were|has|have|had|did|does|do|could|would|can|will|should)(?:n'?t|'t| not| never)",
    "cannot",
    r"(?:won|wont)(?:'?t)?",
)
_BETWEEN = (
    r"(?:(?:an?|any|be|been|seem|get|got|have|had|find|see|hit|encounter|notice|report|cause|show|actually|run into) )"
)
_MENDED = (
    "fix fixed fixes fixing solve solved solves solving resolve resolved resolves resolving address addressed addresses"
    " correct corrected corrects handle handled handles handling clear cleared clears repair repaired repairs prevents"
    " avoids avoided eliminated eliminates patched debugged add added adds replaced removed restored updated previously"
    " formerly once"
)
DENIALS = [
    rf"(?:no|without|zero|0|any|never|free|instead)(?: of| from)? (?:{_WORD}){{0,2}}{_NOUN}",
    rf"(?:nothing|none|nobody) (?:{_WORD}){{0,3}}{_NOUN}",
    rf"no longer (?:{_WORD}){{0,1}}{_NOUN}",
    *(rf"{negation} {_BETWEEN}{{0,4}}{_NOUN}" for negation in _NOT),
    rf"(?:{_MENDED.replace(' ', '|')}) (?:{_THING}){{0,5}}{_NOUN}",
    rf"(?:cleaned up|got rid of|took care of|cause of|source of|track down|tracked down) (?:{_THING}){{0,5}}{_NOUN}",
    rf"(?:opened|create|created|file|filed|raised|logged|close|closed|reported|assigned|labeled|labelled)"
    rf" (?:{_WORD}){{0,3}}(?:issues?|problems?|bugs?)\b",
    rf"(?:{_NOUN_WORDS.replace(' ', '|')}) (?:{_WORD}){{0,3}}(?:(?:is|are|was|were|been|'s) )(?:now |all |fully )*"
    r"(?:fixed|resolved|gone|solved|cleared|sorted|corrected|addressed|handled|caught|covered|prevented|retried"
    r"|refunded|credited|rebooked|reshipped|resent|replaced)\b",
    r"(?:sorry|apologies|apology|apologize|apologise|thank|thanks) (?:you )?(?:about|for|again for)"
    r" (?:[\w'-]+ ){0,4}(?:trouble|inconvenience|wait|delays?|problems?|issues?|confusion|mix-up|errors?)\b",
    r"(?:error|trouble|problem|hassle|bug)-free",
    r"(?:error|errors) (?:handling|handlers?|boundar\w+|pages?|rates?|class(?:es)?|types?|states?|logging|budget)\b",
    r"not only\b",
    r"so (?:that )?the (?:\w+ ){1,3}(?:cannot|can'?t) (?!be|go|complete|continue)\w+",
    r"(?:of|about|on) errors? (?:in|of|by)\b",
    r"failed \w+ (?:of|from|on) (?:last|yesterday|earlier)\b",
    rf"not (?:an?|any|really an?) {_NOUN}",
    r"(?:item|items|product|products|parcel|parcels|package|packages|article|goods|device|unit|screen|box|bottle|glass"
    r"|lamp|phone|shoes|part|parts|delivery|shipment)(?: that| which)? (?:was|is|were|are|had|has|arrived|came|got"
    r"|been)"
    r" (?:[\w-]+ ){0,2}(?:damaged|broken|defective|faulty|cracked|torn|wrong|incorrect|leaking|scratched)\b"
    r"(?:(?: and| or|,) (?:\w+ )?(?:damaged|broken|defective|faulty|cracked|torn|incomplete|wrong|missing parts))*",
    rf"(?:refunded|reordered|resent|reshipped|replaced|cancelled|canceled|processed|rebooked|credited|found|located"
    rf"|rescheduled|updated|completed) (?:{_WORD}){{1,4}}(?:that|which|who|you|they) (?:could|was|were|did|had|has"
    rf"|have|is"
    r"|can|cannot|never)(?:n't)? (?:[\w']+ ?){1,6}",
    r"(?:can|could|will|would) (?:\w+ )?go wrong\b",
    r"(?:arrived|received|delivered|came) (?:\w+ )?(?:damaged|broken|defective|faulty|cracked|torn)\b",
    r"(?:the|your|that|this|my) (?:missing|broken|expired|damaged|delayed|defective|faulty|wrong|incorrect"
    r"|lost) \w+",
]
_FINDINGS = r"(?:complaints?|findings?|violations?|offen[cs]es?)\b"  # of a linter
_STATES = (
    "fail failed fails failing failure failures timeout timeouts unable unavailable unreachable unreadable unresponsive"
    " unsuccessful unsuccessfully unauthorized unauthorised unsupported unrecognized unrecognised"
    " unprocessed unresolved"
    " unfinished unsent undelivered unverified unconfirmed unexpected unexpectedly unclear unsure uncertain unusable"
    " unparsable unparseable unknown unaccessible unchanged unbooked unpaid unfortunately"
    " inaccessible inoperative inactive incomplete incorrect invalid impossible insufficient ineligible"
    " inconsistent expired"
    " decline declined declines declining deny denied denies denying reject rejects rejected rejecting refuse refused"
    " refuses refusing refusal blocked blocking forbidden prohibited restricted prevented prevents corrupt corrupted"
    " corruption garbled malformed mangled truncated scrambled unintelligible gibberish nonsense stale"
    " outdated obsolete"
    " missing absent nonexistent offline outage crash crashed crashes crashing hung stuck stalled froze frozen freezing"
    " skipped skipping abort aborted aborts interrupted disconnected bounced broken broke overloaded"
    " throttled struggled"
    " struggling glitch glitches glitched hiccup hiccups snag snags setback setbacks trouble difficulty difficulties"
    " problem problems exception exceptions traceback error errors errored regrettably sadly oops whoops retrying"
    " retried partial partially workaround mismatch neither conflict conflicts conflicted garbage blank flaky nope"
    " restriction restrictions segfault segv panicked panics unreproducible"
    " clash clashes clashed clashing collides collided"
)
_PLAIN = [
    rf"(?:{_STATES.replace(' ', '|')})\b",
    r"(?:time|times|timed|timing)[ -]?out",
    r"(?:out)[ -]of[ -]date",
    r"non-?existent",
    r"rate[ -]limit(?:ed|s|ing)?",
    r"(?:locked out|gave up|giving up|falling back|went unanswered|i'm afraid|on hold|in limbo|not yet|yet to)",
    r"fell (?:through|short|back)",
    r"came (?:up|back) (?:empty|blank|short)",
    r"empty-handed",
    r"(?:went|gone|goes|going) (?:wrong|down|dark)",
    r"(?:try|trying) (?:\w+ ){0,2}again",
    r"(?:lost connection|no longer|nowhere to be found)",
    r"i am afraid",
    r"(?:can|could)(?:n?'?t| not)(?! (?:wait|thank|stress|recommend|go wrong|help but|agree more|complain"
    r"|emphasi[sz]e|be (?:happier|easier|better|more|undone|charged|billed)|have (?:been (?:easier|happier"
    r"|better|more)|asked)))\b",
    r"cannot(?! (?:wait|thank|stress|recommend|go wrong|help but|agree more|complain|emphasi[sz]e"
    r"|be (?:undone|charged|billed)))\b",
    r"(?:is|are|was|were|am|'m|'re|'s)(?:n'?t|'t| not)(?! (?:only|just|merely|simply|to (?:worry|mention)|too"
    r"|far|alone|long|an? (?:\w+ )?(?:concern|worry|coincidence|problem|issue|big deal)|hard|needed|required"
    r"|necessary|limited|until|before|charged|affected))\b",
    r"(?:has|have|had)(?:n'?t|'t| not| never)(?! (?:to|only|just)\b)",
    r"did(?:n'?t|'t| not)(?! (?:need|have to|want|mean|forget|hesitate|take long|only|just|miss|lose"
    r"|disappoint|break)\b)",
    r"does(?:n'?t|'t| not)(?! (?:matter|need|require|have to|take|mean|cost|hurt|affect|include|only|just|change)\b)",
    r"do(?:n'?t|'t| not) (?:\w+ ){0,2}?(?:have(?! to\b| any (?:questions?|doubts?))|see|know|find|get|exist"
    r"|match|work|recogni[sz]e|show|appear|seem|respond|allow|permit|support|let|think|believe|load|pass|accept|look"
    r"|offer|trust|yet)\b",
    *(
        rf"{head} (?:\w+ )?(?:able|allow|let|connect|go through|work|open|load|process(?:ed)?|complete|run|start"
        r"|possible|succeed|happen|return|respond|save|build|compile|pass|accept|load|give|show|come|budge"
        r"|take(?! long))\b"
        for head in (r"(?:won|wont)(?:'?t)?", "will not", r"would(?:n'?t|'t| not)")
    ),
    r"not (?:yet )?(?:been |be )?(?:actually |fully |currently )?(?!needed|required|limited|worried"
    r"|impressed|supposed|expected|charged|billed|affected|listed as)(?:\w+(?:ed|able|ible)|found|sent|done|paid|sure"
    r"|set|on (?:file|record)|in (?:the|our|your|my)|there|present|valid|complete|ready|up to date|current|working"
    r"|responding|showing|possible)\b",
    r"never (?!mind|fear|been (?:easier|better))\w",
    r"(?:was|were|been|got) (?:lost|killed|cut)\b",
    r"no such\b",
    rf"no (?:{_WORD}){{0,4}}(?:found|exists?|existed|available|matching|match(?:e[sd])?|returned|recorded"
    r"|listed|on (?:file|record)|(?:turned|came|comes|shows?|showed) (?:up|back)|under|with (?:that|this)|by that"
    r"|in (?:the|our|my|your)|went through|was (?:made|sent|issued|processed|placed|created))\b",
    r"no (?:match(?:es)?|results?|records?|hits?|luck|response|answer|reply|data|entr(?:y|ies)|trace"
    r"|sign of|information|access|connection|way (?:to|of)|availability|confirmation|success|permission|output"
    r"|content|idea)\b",
    r"there(?:'s| is| are| was| were) no (?!need|charge|fee|problem|issue|trouble|error|delay|cost|rush"
    r"|hurry|doubt|extra|additional|limit|better|more|reason|change|further|longer|penalty|minimum|catch|warning"
    r"|conflict|failure|difficult|glitch|hiccup|snag|crash|outage|exception|bug|regression)\w",
    rf"(?:found|returned|see|saw|shows|show|showed|got|gave|find|finds|return|returns) (?:(?:me|us|back) )?"
    rf"(?:no (?!(?:{_WORD}){{0,2}}{_NOUN})|(?:nothing|none|zero|0|nobody)\b(?! (?:{_WORD}){{0,2}}{_NOUN}))",
    rf"(?:have|has|had) (?:nothing|no (?!effect|impact|cost|fees?|further|more|need|doubt|questions?|limit"
    rf"|bearing|(?:{_WORD}){{0,2}}{_NOUN}))\b",
    r"(?:is|are|was|were|been|got|'s|'re) (?:\w+ )?(?:taken(?! care)|locked|full|sold out|gone|empty"
    r"|protected|wrong|gr[ae]yed out|out of \w+|under (?:maintenance|review)|suspended|logged out|cut off"
    r"|suspicious)\b",
    r"(?:say|says|said) no\b",
    r"no[.!]+(?! ?\d)",
    r"no(?=[,:;]|$)",
    r"(?:is|are|was|were|went|goes|turned|turns|stays|stayed|still) red\b",
    r"outside (?:the|our|of|my)\b",
    r"turned (?:\w+ ){0,3}(?:down|away)\b",
    r"(?:need|needs|require|requires) (?:[\w']+ ){0,3}(?:approval|review)\b",
    r"only managed\b",
    r"managed to (?:\w+ ){1,2}(?:only|half|part|one)\b",
    r"cut off\b",
    r"(?:call|connection|line|session) dropped\b",
    r"(?:got|went|going) nowhere",
    r"before (?:i|we) could\b",
    r"too late to\b",
    r"without an? (?:confirmation|answer|reply|response)\b",
    r"got reversed",
    r"returned by the\b",
    r"off the table",
    r"(?:remain|remains) to\b",
    r"(?:acting up|bad day)",
    r"no (?:\w+ ){1,3}(?:has|have|had) been\b",
    r"took too long",
    r"stopped (?:me|at|halfway|working|responding)\b",
    r"(?:i|it|we) stopped\b",
    r"had to stop\b",
    r"out of memory",
    r"(?:raise|raises|raised|throw|throws|threw|hit|hits|give|gives|gave|get|gets|got|die|dies|died|exit|exits|exited"
    r"|end|ends|ended|stop|stops|stopped|with)(?<!now raises)(?<!now throws)(?: with| in| on)? (?:an? |the )?"
    r"(?:\w+(?:error|exception)|panic|abort|segfault)\b",
    r"(?:throws|panics|segfaults|dies)\b(?<!now throws)(?! (?:away|out|in)\b)",
    r"(?:blow|blows|blew) up",
    r"(?:break|breaks|breaking)\b(?! (?:down|it down|into|even|out|for|up|news|nothing))",
    r"(?:is|are|was|were|mounted|being) (?:mounted )?(?:read-only|write-protected)\b",
    r"(?:left|leave|leaves|leaving|kept|keep|keeps) (?:\w+ ){0,4}(?:as (?:it|they) (?:was|were|is|are)|as is|unchanged"
    r"|untouched|alone)\b",
    r"(?:is|are|was|were|'s) (?:currently |now )?(?:stopped|disabled|dead|switched off|turned off)\b",
    r"past (?:its|the|your|our|their) (?:[\w-]+ ){0,3}(?:days?|weeks?|months?|hours?|deadline|window|limit|date|period"
    r"|cut-?off|expiry)\b",
    r"over (?:its|the|your|our|their) (?:\w+ ){0,2}(?:limit|quota|cap|maximum)\b",
    r"too(?<!not too)(?<!n't too) (?:late|old|large|big|heavy)\b",
    r"(?:is|are|was|were|'s|'re) (?:\w+ )?(?:busy|occupied|double-booked)\b",
    r"held (?:(?:it|them|this|the \w+) )?(?:up|back|by|pending|for (?:review|approval|inspection|checks?|manual"
    r"|verification))\b",
    r"(?:version|versions|commit|commits|release|releases|day|days|lags|lagging|far|well) behind\b",
    r"behind (?:main|master|schedule|the (?:latest|newest|current))\b",
    r"(?:fall|falls|fell) over",
    r"(?:choke|chokes|choked) on",
    r"(?:reproduce|reproduces|reproduced|confirm|confirms|confirmed) (?:the|your|this|that) (?:\w+ ){0,2}"
    r"(?:bug|crash|issue|problem|error|failure|hang|leak|deadlock|regression|exception)\b",
    r"(?:reproduce|reproduces|reproduced)(?: it| this| that)?(?=[.:;]|$)",
    r"(?:bug|crash|problem|issue) (?:is|was) (?:real|there|confirmed|reproducible|reproduced)\b",
    r"only (?:\w+ ){0,3}(?:partly|partially|in part|half of|part of|some of|a part of"
    r"|(?:the first|one|two|three) (?:half|few|of))\b",
    r"(?:complains|complained)(?<!you complained) (?:about|that|of)\b",
    r"warns (?:about|that|of|on)\b",
    r"flags (?:an?|one|two|three|four|five|several|some|the|\d+|lines?)\b",
    rf"(?:one|two|three|four|five|six|seven|eight|nine|ten|several|some|few) (?:\w+ )?{_FINDINGS}",
    rf"\d+ (?:\w+ )?{_FINDINGS}",
    r"(?:segmentation fault|core dumped|redirected me|by hand|old data)\b",
    r"(?:manual|manually) approv",
    r"from (?:\w+ ){1,2}(?:days|hours|weeks|months) ago\b",
    rf"nothing (?!else|more|to worry|further|is needed|is required|needed|required|fancy|special|left to say"
    rf"|(?:{_WORD}){{0,2}}{_NOUN})\w",
    r"none (?:of|was|were|found|matched|match|exist|are|is)\b",
    r"(?:zero|0) (?:results|match(?:es)?|records|hits|rows|items)\b",
    r"(?:is|are|was|were|be|been|appear|appears|seem|seems|currently|'s|'re) (?:\w+ ){0,2}down\b",
    r"down (?:for maintenance|at the moment|right now|today|again)\b",
    r"(?:an|a|some|technical|system|server|network|connection|connectivity|backend|temporary|internal|known|ongoing"
    r"|intermittent|persistent|unexpected) (?:\w+ )?issues?\b",
    r"(?:issue|issues) (?:with|on|while|when|reaching|accessing|connecting|processing|that|prevent)",
    r"(?:lack|lacks|lacking|need|needs|require|requires|required|outside|beyond|exceed|exceeds) (?:\w+ ){0,3}"
    r"(?:permissions?|access|rights|authori[sz]ation|privileges?|my (?:reach|control|scope)|limits?)\b",
    r"as of \S+ \w+ ago",
    r"(?:day|days|hour|hours|week|weeks|month|months) old\b",
    r"(?:may|might) have changed",
    r"(?:last known|cached)",
    r"still (?:open|outstanding|unresolved|waiting|broken|red|unpaid|active|there|not|needs?|to (?:do|be done))\b",
    r"(?:remain|remains|stay|stays|stayed|remained) (?:open|in place|un\w+|as (?:it|is)|the same|active|put)\b",
    r"(?:http|status|code|error|returned|returns|answers|answered|responds|responded|says|sends|sent|got|gave|gives"
    r"|received|with|hit|an|a|the|get) (?:code |status |an? |the )?(?:http |status |code )?[45]\d\d\b",
    r"[45]\d\d (?:error|response)",
    r"(?:exit|exits|exited|code|status)(?: with)?(?: code| status)? [1-9]\d*\b",
    r"already(?<!\bi already)(?<!\bwe already)(?<!i've already)(?<!we've already)(?<!i have already)"
    r"(?<!we have already) (?:been |was |marked |in |at |on |a |an |\w+ly )?"
    r"(?:\w+(?:ed|en)|done|paid|sent|set|up|place|there|exists?|has|have|had|gone|the|member|out)\b",
]

# Told by what stands in the way, without a word for failing.
_OBLIQUE = [
    r"only (?:an?|the|your|our|my) (?:[\w-]+ ){0,2}(?:admin\w*|owner|supervisor|manager|maintainers?|holder|lead|team"
    r"|staff|bank|shop|seller|person|human|colleague)s? (?:may|can|could|has|have|is|are)\b",
    r"(?:somebody|someone|anyone|anybody) with (?:[\w-]+ ){0,3}(?:rights|access|permissions?|privileges)\b",
    r"(?:need|needs|want|wants|require|requires|takes) (?:[\w']+ ){0,3}(?:sign-?off|signature|consent)\b",
    r"(?:need|needs|want|wants) (?:[\w']+ ){1,5}(?:before|first)\b",
    r"have to (?:ask|(?:run|do|book|fill|enter|change|cancel|start|finish|sign) (?:it|that|this|them))\b",
    r"(?:someone|somebody|something) (?:else )?(?:holds|has|locked|uses|owns|booked|took)\b",
    r"(?:belongs|belong|went|goes|gone|assigned|sold) to (?:someone else|somebody else|another|a different)\b",
    r"(?:is|are|was|were|'s|'re) (?:\w+ )?(?:in use|spoken for|used up|exhausted|behind an? \w+)\b",
    r"(?:is|are|was|were|stay|stays|stayed|remain|remains|went|goes|keep|keeps|kept|'s) (?:silent|spinning|hanging)\b",
    r"(?:deadline|window|period|offer|sale|registration|date|day|slot|departure) (?:\w+ )?(?:was (?:yesterday"
    r"|last|on|at)"
    r"|ended|closed|passed|is over|is past|ran out)\b",
    r"(?:day|days|week|weeks|month|months|hour|hours|minute|minutes) (?:are|is|were) (?:up|over)\b",
    r"(?:day|days|week|weeks|month|months|hours) (?:over|past|beyond|late)\b",
    r"(?:token|session|time|disk|memory|credit|balance|quota|stock|license|licence) ran out\b",
    r"(?:ran|run|runs) out of\b",
    r"(?:quota|budget|limit|allowance|capacity) (?:is|are|was|were|has been) (?:reached|exceeded|spent|gone)\b",
    r"(?:reached|hit|exceeded|exceeds|exceed) (?:the|our|your|its|my) (?:\w+ ){0,2}(?:limit|quota|cap|maximum)\b",
    r"(?:lies|lie|falls|fall|is|are) beyond\b",
    r"(?:seems|appears|looks|seem|appear|look) to be (?:wrong|incorrect|mistaken|mistyped)\b",
    r"(?:number|id|reference|email|link|url|spelling) (?:\w+ )?(?:is|was|may be|might be|could be|looks"
    r"|seems) (?:wrong|incorrect|mistyped|misspelled|not right)\b",
    r"(?:name|username|handle|slug|domain|nickname|email) (?:\S+ ){0,3}(?:is|are) (?:still )?"
    r"(?:free|available|not taken|untaken|unused|unclaimed)\b",
    r"do(?:n't| not) (?:ship|deliver|sell|cover|fly|serve|stock|operate)\b",
    r"(?:insists|insist|insisted) on\b",
    r"(?:digit|digits|character|characters|letter|letters) (?:too|short)\b",
    r"nobody (?:by|of|with|under|named|called)\b",
    r"(?:object|objects|objected) to\b",
    r"(?:disagree|disagrees|disagreed|unhappy)\b",
    r"(?:snapshot|snapshots|output|outputs|result|results|hash|checksum|checksums|file|files|value|values)"
    r" (?:differ|differs|differed|diverges?)\b",
    r"expected \S+ (?:but )?(?:got|found|saw)\b",
    r"where \S+ was expected\b",
    r"(\d+)(?: of | out of |/)(?:the )?(?!\1\b)\d+ (?:unit |integration )?(?:tests?|specs?|checks?|cases?"
    r"|steps?|jobs?)\b",
    r"(?:trip|trips|tripped) (?:the|over|on)\b",
    r"(?:would|might) overwrite\b",
    r"(?:git|npm|pip|cargo|make) stopped\b",
    r"(?:cancelled|canceled|killed|ended|reversed) by the (?:runner|system|server|scheduler|platform|bank|host|shop)\b",
    r"put a stop to\b",
    r"(?:ask|asks|asked) (?:me )?for (?:an? )?(?:login|password|sign-?in|captcha|credentials)\b",
    r"prove (?:that )?(?:i am|i'm)\b",
    r"(?:thrown|kicked) out\b",
    r"ended up (?:on|at|in) an? (?:\w+ )?(?:page|loop|screen)\b",
    r"(?:just|been) sold\b",
    r"(?:left|shipped|gone|departed|closed) already\b",
    r"(?:stands|stand|remain|remains) as before\b",
    r"as far as i (?:got|came)\b",
    r"got as far as\b",
    r"(?:held|hold|holding) off\b",
    r"did nothing\b",
    r"only (?:lets?|works?|allows?|takes?|accepts?|gives?|supports?|applies|until|by (?:mail|phone|post|letter)"
    r"|in (?:writing|person))\b",
    r"(?:has|have|had) to wait\b",
    r"(?:locked in|capped at|final sale|lost track|same outcome)\b",
    r"(?:stop|stops|stopped) (?:at|on|in) line\b",
    r"(?:exits|exited|quits|closes) (?:at once|immediately|right away)\b",
    r"(?:run|runs|ran) into\b(?! no\b)",
    r"(?:captcha|captchas|paywall|paywalls|cookie wall|login wall)\b",
    r"(?:would|'d) need\b",
    r"no (?:\w+ ){1,2}(?:after|before|until)\b",
    r"(?:shall|should) (?:[\w']+ ){1,6}(?:instead|a different|some other|another (?:date|day|time|card|way"
    r"|row|route|flight"
    r"|room|slot|size))\b",
    r"would (?:[\w']+ ){1,4}do (?:instead|too)\b",
]
ADMISSIONS = [source if source[-1:] in ")bw$" else rf"{source}\b" for source in (*_PLAIN, *_OBLIQUE)]
