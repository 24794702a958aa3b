"""Whether a reply ends as replies end."""

from __future__ import annotations

import re
import unicodedata

from whileai.simulations.rows.endings.signoff import signed

_STOPS = frozenset(
    ".!?:…‥⋯‽⁇⁈⁉‼"
    "。．！？：｡〜～♪"  # Chinese, Japanese
    "।॥෴"  # Indic
    "؟۔܀܁܂"  # Arabic, Urdu, Syriac
    "։՞՜՛׃"  # Armenian, Hebrew
    "።፧፨፠"  # Ethiopic
    "។៕៚။༎༏།༑"  # Khmer, Burmese, Tibetan
    "ฯ๏๚๛᠃᠉჻᱾᱿꯫᭟꧉᥄᥅꘎꘏߷߹\u037e"  # Thai, Mongolian, Georgian, others; the Greek question mark
)
_WITHOUT_STOPS = re.compile(r"[\u0e01-\u0e3a\u0e45-\u0e4e\u0e81-\u0ebd\u0ec6-\u0ecd\u0edc-\u0edf]\Z")  # Thai and Lao
_LAST_FORMS = re.compile(  # verb forms that only end a sentence: Japanese, Korean
    r"(?:です|ます|でした|ました|ません|ください|下さい|でしょう|(?:です|ます|でしょう|ません)[かねよ]|ますので"
    r"|니다|니까|세요|어요|아요|에요|예요|네요|군요|까요|게요|지요|죠|드림|올림)\Z"
)
_EMPHASIS = "*_~"
_INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\ufe0e\ufe0f\u20e3"
_EMOTICON = re.compile(r"(?<!\S)(?:[:;=]-?[DPpOo3|/*]|<3|XD|xD|\^_?\^)\Z")
_POSTSCRIPT = re.compile(r"\W{0,3}P\.? ?P?\.?S\b[.:,]?(?: \S+){1,5}\Z", re.IGNORECASE)
_TAG = re.compile(r"<[^<>\n]{1,300}>\Z")
_MATH = re.compile(r"\$(?=\S)[^$\n]{1,300}(?<=\S)\$\Z")
_CODE_SPAN = re.compile(r"`[^`\n]{1,300}`\Z")
_LABEL = re.compile(r"(?<!\S)(\*\*|__)(?=[^*_\n]*[:\d])[^*_\n]{1,80}\1\Z")
_NUMBER = re.compile(
    r"(?:\#{2,4}[ ]*+)?(?:[^\W\d_][^\n:=]{0,30}[:=][ ]*+)?(?:[^\n=]{0,80}=[ ]*+)?"  # ####, a label, a sum
    r"[-+−±~≈]?[ ]?[$€£¥₹₩₽]?[ ]?\d(?:[\d,.'’/:\u202f\u00a0-]{0,60}\d)?[ ]?[%‰°$€£¥₹₩₽]?\Z"
)
_ANSWER = re.compile(r"\banswer(?: is|:)[ *]*+\S{1,40}\Z", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?<!\S)(?:(?:https?://|www\.)[^\s/]{1,100}\.\w{2}\S{0,300}|(?:[\w-]{1,64}\.){1,6}[a-z]{2,10}/\S{0,300}|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64})\Z"
)
_LAST_OF_CODE = re.compile(  # a bare program: a statement that leaves a block, a word that closes one
    r"[ \t]++(?:return|pass|break|continue|raise|yield)\b(?:[^\n]*[\w)\]}'\"])?\s*\Z|\s*(?:end|fi|done|esac|EOF)\s*\Z"
)
_SQL = re.compile(r"\s*(?:SELECT|WITH|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE)\s")
_SQL_OPEN = re.compile(r"(?:[,=<>(+]|\b[A-Z]+)\Z")
_ITEM = re.compile(r"\s{0,12}(?:[-*+•‣·–]|\d{1,3}[.)]|\[[ xX]\])[ \t]++\S")
_HANGING = frozenset(
    ["a", "an", "the", "and", "or", "but", "nor", "of", "to", "in", "on", "at", "by", "for", "from", "with", "as"]
)
_RULE = re.compile(r"[-=_*+~|:\s]{3,}\Z|[─━═┄]{3,}\Z")
_COLUMNS = (  # bars, tabs, blanks; `name: value`
    re.compile(r"\|"),
    re.compile(r"\t"),
    re.compile(r"(?<![.!?:])[ ]{2,}"),
    re.compile(r"(?<=\w):\*{0,2} (?=\S{1,40}(?: \S{1,40}){0,5}\Z)"),
)
_STATEMENT = re.compile(r"[=(){}]|\b(?:SELECT|FROM|WHERE|LIMIT|JOIN|VALUES|GROUP BY|ORDER BY|SET)\b|[\u0370-\u03ff]")


def reads_finished(text: str) -> bool:
    r"""Whether a reply ends as replies end; an empty one does not.

    Ends: a stop, question or exclamation mark or a colon of any script, an ellipsis, a closing quote or bracket,
    also before emphasis marks; an emoji; a closed code fence; a number on the last line; a sign-off; a row of a
    table; an item of a list whose items have no stops. Thai and Lao write no stops: their words are an end.

    >>> [reads_finished(t) for t in ("Done.", "已退款。", "**Done!**", "soon.\nBest,\nAnn", "and then the driver will")]
    [True, True, True, True, False]
    """
    bare = text.rstrip().rstrip(_INVISIBLE).rstrip()
    if not bare or _open_fence(bare):
        return False
    return _ends_on_mark(bare) or _ends_on_line(bare)


def _open_fence(text: str) -> bool:
    """Whether a code fence is left open: an odd number of fences, and an odd number of lines that begin with one."""
    if "```" not in text:
        return False
    return len(re.findall(r"`{3,}+", text)) % 2 == 1 and len(re.findall(r"^[ \t>]*+`{3,}+", text, re.M)) % 2 == 1


def _ends_on_mark(text: str) -> bool:
    """Whether the last mark, emphasis aside, is one that ends a text."""
    bare = text.rstrip(_EMPHASIS).rstrip()
    last = bare[-1:]
    if last in _STOPS or text.endswith("```") or (text.endswith("~") and not text.endswith("~~")):
        return True
    before = bare[-2:-1]
    if last in "\"'“‘«":
        return bool(before) and not before.isspace()
    kind = unicodedata.category(last) if last else ""
    return kind in ("Pe", "Pf") or (kind in ("So", "Sk") and last >= "\u2300")


def _ends_on_line(text: str) -> bool:
    """Whether the last line is one that needs no mark at its end."""
    lines = [line for line in text[-2000:].split("\n") if line.strip()]
    line, before = lines[-1].strip(), lines[-2].rstrip() if len(lines) > 1 else ""
    plain = line.strip(_EMPHASIS + " ").replace("**", "")
    return bool(
        _WITHOUT_STOPS.search(plain)
        or _LAST_FORMS.search(plain)
        or _NUMBER.match(plain)
        or _POSTSCRIPT.match(plain)
        or _EMOTICON.search(line)
        or _CODE_SPAN.search(line)
        or _TAG.search(line)
        or _MATH.search(line)
        or (line.endswith("$$") and text.count("$$") % 2 == 0)
        or _ANSWER.search(plain)
        or _ADDRESS.search(plain)
        or _LAST_OF_CODE.match(lines[-1])
        or (_SQL.match(text) and not _SQL_OPEN.search(line))
        or _LABEL.search(line)
        or _RULE.match(line)
        or (line.endswith(";") and _STATEMENT.search(line))
        or signed(plain, before.strip(_EMPHASIS + " "))
        or _table_row(line, before.strip())
        or _listed(lines)
    )


def _table_row(line: str, before: str) -> bool:
    """Whether a line is a row of a table: between bars, or with as many columns as the line before."""
    if len(line) > 2 and line[0] == line[-1] == "|":
        return True
    for separator in _COLUMNS:
        if columns := len(separator.findall(line)):
            return columns == len(separator.findall(before))
    return False


def _listed(lines: list[str]) -> bool:
    """Whether the last line is a short item of a list whose item before it has no stop either."""
    *earlier, last = lines
    if not _ITEM.match(last):
        return False
    words = last.split()
    sibling = next((line for line in reversed(earlier[-8:]) if _ITEM.match(line)), None)
    return (
        sibling is not None
        and len(words) <= 12
        and words[-1].lower() not in _HANGING
        and not _ends_on_mark(sibling.rstrip())
    )
