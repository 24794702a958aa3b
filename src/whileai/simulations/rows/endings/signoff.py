"""How a letter is signed, in the languages people write to an agent in."""

from __future__ import annotations

import re

_SIGN_OFFS = (
    "best", "all the best", "thanks", "thank you", "many thanks", "with thanks", "cheers", "regards", "kind regards",
    "warm regards", "warmest regards", "kindest regards", "with regards", "with kind regards", "sincerely", "warmly",
    "yours", "respectfully", "take care", "talk soon", "see you soon", "have a great day", "love",
    "saludos", "un saludo", "un cordial saludo", "atentamente", "gracias", "cordialement", "bien cordialement",
    "bien à vous", "merci", "cordiali saluti", "distinti saluti", "grazie", "atenciosamente", "abraços", "obrigado",
    "obrigada", "mit freundlichen grüßen", "freundliche grüße", "viele grüße", "beste grüße", "liebe grüße", "danke",
    "met vriendelijke groet", "groeten", "med vänlig hälsning", "med vennlig hilsen", "med venlig hilsen", "terveisin",
    "pozdrawiam", "z poważaniem", "s pozdravem", "saygılarımla", "с уважением", "всего доброго", "з повагою",
    "με εκτίμηση", "مع تحياتي", "مع خالص التحية", "בברכה", "תודה", "धन्यवाद", "सादर", "trân trọng", "hormat kami",
    "salam", "此致", "敬礼", "祝好", "谢谢", "謝謝", "敬具", "よろしくお願いします", "감사합니다",
)  # fmt: skip
_DASH_ITEM = re.compile(r"[-–—] ?\S")
_SIGN_OFF = re.compile(
    rf"(?:{'|'.join(map(re.escape, sorted(_SIGN_OFFS, key=len, reverse=True)))})(?!\w)|祝[您你大]\w{{1,12}}\Z"
)
_SIGNATURE = re.compile(r"(?:--?|[–—])[ ]*+(?=[^\W\d_])(?P<name>[^\n]{1,60})\Z")


def signed(line: str, before: str) -> bool:
    """Whether a last line signs a letter: a sign-off, a dash and a name, or a name after a sign-off or a comma."""
    words = len(line.split())
    if words > 6 or not line:
        return False
    if _SIGN_OFF.match(line.lower()):
        return True
    if (signature := _SIGNATURE.match(line)) and not signature["name"][0].islower() and not _DASH_ITEM.match(before):
        return True
    closing = len(before.split()) <= 6 and _SIGN_OFF.match(before.lower()) is not None
    return words < 5 and line[0].isalpha() and not line[0].islower() and (closing or before[-1:] in (",", "，", "،"))
