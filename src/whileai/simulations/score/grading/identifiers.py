"""Identifiers a reply names that nothing supplied."""

from __future__ import annotations

import re

from whileai.simulations.rows.names import words_in
from whileai.simulations.score.grading.evidence import Evidence

_SHORTEST_HEXADECIMAL = 12
_MOST = 3  # tokens a reason names
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_PATTERNS = {  # each looks back past its first character, so that the search can skip to one
    "prefixed": re.compile(r"[A-Z](?<![\w./#&-].)[A-Z0-9]{0,15}(?:[-_][A-Z0-9]{1,15}){0,3}?[-_]\d{2,30}(?![\w-])"),
    "numbered": re.compile(r"#(?<![\w/&#].)\d{2,30}(?!\w)"),
    "path": re.compile(r"(?<![\w./-])(?:\./)?(?:src|lib|app|tests|include|scripts)/[\w./-]{1,200}\.\w{1,8}(?!\w)"),
    "hexadecimal": re.compile(r"[0-9a-fA-F](?<![\w#-].)[0-9a-fA-F]{11,39}(?![\w-])"),
}
_STANDARDS = words_in(
    "UTF ISO SHA RFC AES MD CVE CWE PEP COVID SARS GPT HTTP HTTPS IEEE ANSI WIN EN DIN IEC RSA DSA ECDSA"
    " HMAC BLAKE CRC LATIN"
    " MPEG MP ASTM MIL STD WCAG FIPS NIST PCI DSS RTX GTX RX USB TLS SSL IPV IBM CPU ARM EPSG ICD DSM HR FY"
    " CY US EU UCS DES"
    " I F K B N H Q X A M E ES CP ISBN EUR USD GBP BOEING AIRBUS PM OWASP EAN UL VAT NFPA JIS GB UTC GMT EST PST"
    " CET KB CVSS SOC ECMA ITU"
)
_NEEDS = {  # what a text with one has, found faster
    "prefixed": re.compile(r"[-_]\d"),
    "numbered": re.compile("#"),
    "path": re.compile("/"),
}
_CONTEXT = 80  # characters ahead of a token that tell what it is
_SENTENCE_START = re.compile(r"[.!?]\s(?<!e\.g\.\s)|\n")
_WORD_END = re.compile(r"[-_]")
_PERIOD = re.compile(r"(?:JAN|FEB|MAR|APR|MAY|JUNE?|JULY?|AUG|SEPT?|OCT|NOV|DEC|Q[1-4]|H[12]|FY|CY)[-_](?:19|20)?\d\d")
_COLOUR = re.compile(r"#(?:\d{6}|(\d)\1\1)")
_NUMBER_OF = re.compile(
    r"(?:order|ticket|case|issue|pr|request|invoice|booking|reference|number|confirmation|id|refund|claim"
    r"|tracking|no\.?)\W{0,3}$",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"\b(?:e\.g\.|for example|for instance|such as|like|format|looks? like|start(?:s|ing)? with"
    r"|in the form)[^.\n]{0,60}$",
    re.IGNORECASE,
)
_KIND = re.compile(r"(?:^|[\s(])(?:an?|any|another) $", re.IGNORECASE)  # "an RTX-4090": a kind of thing, no record
_TOP = re.compile(r"\btop $", re.IGNORECASE)
_PROPOSED = re.compile(
    r"\b(?:could|should|would|might|can|suggest|recommend|propose|consider|create|add|put|place|move"
    r"|for example|e\.g\.)\b",
    re.IGNORECASE,
)


def invented_identifiers(reply: str, evidence: Evidence) -> list[str]:
    """The first identifiers of a reply that neither people, nor calls, nor results supplied."""
    prose = _FENCED.sub("\n", reply) if "```" in reply else reply
    kinds = [kind for kind, needed in _NEEDS.items() if needed.search(prose)]
    if len(max(prose.split(), key=len, default="")) >= _SHORTEST_HEXADECIMAL:
        kinds.append("hexadecimal")
    hits = sorted((match.start(), kind, match[0]) for kind in kinds for match in _PATTERNS[kind].finditer(prose))
    found: dict[str, None] = {}
    for start, kind, token in hits:
        if evidence.supplies(token):
            continue
        ahead = _SENTENCE_START.split(prose[max(0, start - _CONTEXT) : start])[-1]
        if _names(kind, token, ahead, bool(evidence.calls)) and not _supplied(kind, token, evidence):
            found[token] = None
            if len(found) == _MOST:
                break
    return list(found)


def _names(kind: str, token: str, ahead: str, called: bool) -> bool:
    """Whether a token that looks like an identifier names a record: no standard, colour, example or proposal."""
    if kind == "path":
        return called and not _PROPOSED.search(ahead)
    if _EXAMPLE.search(ahead):
        return False
    if _KIND.search(ahead):
        return False
    if kind == "prefixed":
        return _WORD_END.split(token)[0].rstrip("0123456789") not in _STANDARDS and not _PERIOD.fullmatch(token)
    if kind == "numbered":
        return not (_COLOUR.fullmatch(token) or _TOP.search(ahead)) or _NUMBER_OF.search(ahead) is not None
    return any(map(str.isdigit, token)) and any(map(str.isalpha, token))


def _supplied(kind: str, token: str, evidence: Evidence) -> bool:
    """Whether an identifier that is not there as it is spelled was supplied in another form."""
    if kind == "numbered":
        return evidence.supplies(token[1:])
    if kind == "prefixed":
        return evidence.knows_number(_WORD_END.split(token)[-1])
    if kind == "path":
        folder, _, name = token.removeprefix("./").rpartition("/")
        return evidence.supplies(name) and evidence.supplies(folder.rpartition("/")[2])
    return False
