"""Replies that are none: one character in a loop, or an error of the harness."""

from __future__ import annotations

import re

_RUN = 30  # characters alike in a row; convention
_LOOP = re.compile(
    r"([^\s\-=_*~#.+|/\\<>^·•─━═0])\1{29}"  # the marks of ruled lines aside
    r"|(?<![0-9a-fA-Fx])0{30}"  # a null hash aside
    r"|(?<!\.)\.{30,}+(?![ .]*+\w)"  # a leader of dots in a table of contents aside
)
_NULL_HASH = re.compile(r"(?<![0-9a-fA-F])(?:0{32}|0{40}|0{64})(?![0-9a-fA-F])")
_NAMES_HASH = re.compile(
    r"(?:\b|_)(?:sha\d*|hash(?:es)?|commits?|refs?|revisions?|objects?|null|nil|zeros?|addresses|address|ids?|digests?|md5"
    r"|checksums?|branch|hooks?)\b",
    re.IGNORECASE,
)
_CODE = r"[45]\d\d\b"
_PHRASE = (
    r"(?:bad[ ]gateway|service[ ](?:temporarily[ ])?unavailable|gateway[ ]time-?out|internal[ ]server[ ]error"
    r"|too[ ]many[ ]requests|bad[ ]request|unauthori[sz]ed|forbidden|not[ ]found|request[ ]time-?out"
    r"|proxy[ ]error|server[ ]error|client[ ]error)"
)
_HTTP_ERROR = re.compile(
    rf"""
      (?:<[^<>]{{1,40}}>\s*+){{0,6}}                                    # the tags of an error page
      (?:https?(?:/\d(?:\.\d)?)?[ ]++)?(?:error:?[ ]*+)?{_CODE}[ :-]*+{_PHRASE}
      (?:\W*+\Z|\s*+<|[ ]?[:.,(-][^\n]{{0,200}}\Z)
    | (?:[\w.]{{0,60}}(?:error|exception):?[ ]++)?
      (?:http[ ]?error|http[ ]status|error[ ]code|status[ ]code|http|(?:server|client)[ ]error)[ :'"]*+{_CODE}
      (?:[ :,.-]*+{_PHRASE})?(?:\W*+\Z|[ :'",-]*+(?:[{{\[<]|for[ ]url\b))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_RETURNED = re.compile(
    rf"[^\n]{{0,160}}\breturned[ ](?:an?[ ])?(?:http[ ]|status[ ]|error[ ])*+{_CODE}(?:[ :-]++{_PHRASE})?\W*+\Z",
    re.IGNORECASE,
)
_SPEAKS = re.compile(r"\b(?:I|[Ww]e|[Yy]ou|[Yy]our|[Mm]y|[Oo]ur|[Ss]orry|means?|indicates?|usually)\b")


def is_degenerate(text: str) -> bool:
    """Whether one character stands 30 or more times in a row; ruled lines, indentation and null hashes may.

    >>> is_degenerate("no " + "z" * 30), is_degenerate("-" * 60)
    (True, False)
    """
    for character in set(text[::_RUN]):  # a run of 30 holds a 30th place
        if character * _RUN in text:
            return _LOOP.search(_NULL_HASH.sub("", text) if _NAMES_HASH.search(text) else text) is not None
    return False


def is_stub(text: str) -> bool:
    """Whether a text is no reply: blank, an `<agent error: ...>` of the harness, or a line of an HTTP error.

    >>> [is_stub(t) for t in ("", "<agent error: timeout>", "502 Bad Gateway", "404 Main Street")]
    [True, True, True, False]
    """
    bare = text.strip()
    if not bare or bare[:12].lower() == "<agent error":
        return True
    if "4" not in bare[:300] and "5" not in bare[:300]:
        return False
    if found := _HTTP_ERROR.match(bare):
        return "{" in found[0] or not _SPEAKS.search(bare[:300])
    return "eturned " in bare and _RETURNED.match(bare) is not None and not _SPEAKS.search(bare)
