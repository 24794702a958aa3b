"""What a reply says of how it went in languages other than English: stock words for a miss, and a few plain rules.

A clause with a negation tells of a limit unless another claims that it worked. Talk that denies trouble ("ohne
Fehler") is left out first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from whileai.simulations.rows.names import words_in
from whileai.simulations.rows.sentences import clauses, sentences
from whileai.simulations.rows.tongues import TONGUES

_MISSES = {
    "Arabic": (
        "فشل تعذر تعذّر خطأ لم_يتم لم_تتم لم_أتمكن لم_نتمكن لا_يمكن لا_أستطيع غير_متاح غير_موجود"
        " انتهت_المهلة مهلة رفض لم_أجد لا_يوجد لا_توجد عطل المحاولة_مرة_أخرى حاول_مرة مشكلة_في"
    ),
    "Chinese": (
        "失败 失敗 无法 無法 不能 未能 没能 沒能 没有找到 找不到 未找到 超时 逾時 错误 錯誤 出错"
        " 出錯 异常 異常 不可用 没有成功 未成功 拒绝 拒絕 不存在 没有权限 無權 无权 过期 過期 尚未"
        " 未完成 没有完成 故障 查不到 出了点问题 出了问题 出了點問題 出了問題"
        " 出现问题 出現問題 遇到问题 遇到問題 稍后再试 稍後再試"
        " 稍后重试 稍後重試 请重试 繁忙 维护中 維護中"
    ),
    "Czech": "nepodařilo bohužel chyba nelze nenalezen",
    "Danish and Norwegian": "mislykkedes mislyktes kunne_ikke desværre dessverre kan_ikke",
    "Dutch": (
        "mislukt foutmelding kon_niet konden_niet kan_niet niet_gelukt niet_gevonden niet_beschikbaar helaas geweigerd"
    ),
    "Finnish": "epäonnistui valitettavasti virhe ei_onnistunut",
    "French": (
        "n'arrive_pas n'arrivons_pas ne_répond_pas ne_fonctionne_pas n'y_a_pas pas_trouvé n'est_pas n'a_pas"
        " n'ont_pas échou échec erreur n'ai_pas_pu n'a_pas_pu n'a_pas_été"
        " n'ont_pas_pu introuvable indisponible expiré n'existe_pas je_ne_peux_pas malheureusement impossible_de"
        " refusé réessay en_panne problème rencontré_un"
    ),
    "German": (
        "nicht_geklappt nicht_finden nicht_öffnen kann_ich_nicht kann_nicht antwortet_nicht"
        " reagiert_nicht fehlgeschlagen fehler konnte_nicht konnte_leider konnte_ich_nicht nicht_gefunden"
        " nicht_möglich nicht_verfügbar leider zeitüberschreitung abgelehnt gescheitert unmöglich"
        " abgelaufen verweigert nicht_erreichbar nicht_verarbeitet nicht_ausgeführt"
        " nicht_abgeschlossen gestört störung erneut_versuchen noch_einmal_versuchen später_noch"
    ),
    "Hindi": "विफल असफल त्रुटि समय_समाप्त असमर्थ अमान्य फेल समस्या पुनः_प्रयास दोबारा_प्रयास",
    "Hungarian": "sikertelen nem_sikerült sajnos hiba_",
    "Indonesian": "gagal tidak_dapat tidak_ditemukan tidak_bisa kesalahan",
    "Italian": (
        "non_risponde non_funziona errore fallit non_sono_riuscit non_è_stato_possibile non_trovat"
        " non_disponibile scadut"
        " rifiutat non_posso non_può non_possono non_riesc purtroppo riprov un_problema guasto"
    ),
    "Japanese": (
        "できません できなかった できませんでした エラー タイムアウト 見つかりません 見つからな"
        " 拒否 存在しません 利用できない 完了していません 無効 不具合 障害"
        " もう一度お試し 後ほど しばらくして 問題が発生"
    ),
    "Korean": (
        "실패 오류 에러 할_수_없 수_없습니다 수_없었 못했 찾을_수 시간_초과 시간이_초과 거부"
        " 않았습니다 되지_않 존재하지 다시_시도 문제가_발생 장애"
    ),
    "Polish": "nie_udało niestety błąd nie_powiodł nie_można nie_znaleziono nie_mogę odrzucon",
    "Portuguese": (
        "não_responde não_funciona falhou falha erro_ não_consegui não_foi_possível não_pude não_pôde não_puderam"
        " não_encontr indisponível"
        " expirou recusad negad não_existe infelizmente tente_novamente tentar_novamente um_problema"
    ),
    "Romanian": "nu_am_putut eroare a_eșuat din_păcate nu_a_putut",
    "Russian": (
        "не_удалось ошибк не_смог не_могу невозможн недоступ сбой истекл отклон отказ не_найден"
        " не_прош тайм-аут таймаут неудач к_сожалению не_получилось попробуйте_позже попробуйте_снова"
        " повторите_попытку неполадк"
    ),
    "Spanish": (
        "no_responde no_funciona falla_ fallan_ no_del_todo no_pudo falló fallado fallo_ no_pude no_se_pudo"
        " no_puedo no_fue_posible no_encontr"
        " no_existe no_está_disponible tiempo_de_espera rechazad denegad no_he_podido imposible_ agotó"
        " lamentablemente desafortunadamente inténtelo intente_de_nuevo intentarlo_más un_problema no_ha_sido"
        " hubo_un_error"
    ),
    "Swedish": "misslyckades kunde_inte tyvärr hittades_inte kan_inte",
    "Turkish": (
        "başarısız hata_ yapılamadı bulunamadı zaman_aşımı maalesef gerçekleştirilemedi tekrar_deneyin bir_sorun arıza"
    ),
    "Ukrainian": "не_вдалося помилк на_жаль не_зміг не_можу не_знайден",
    "Vietnamese": "không_thể thất_bại lỗi không_tìm_thấy",
}
_STEMS = tuple(stem.replace("_", " ") for stems in _MISSES.values() for stem in stems.split())
_ASCII_STEMS = tuple(filter(str.isascii, _STEMS))
_READ_SCRIPTS = re.compile(r"[a-zà-ɏЀ-ӿ؀-ۿऀ-ॿ぀-ヿ一-鿿가-힯ạ-ỹ]")
_PARTS = re.compile(r"[\u0900-\u097f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")  # matched as parts of words
_WORD = re.compile(r"(?<!['-])['-]*+\w++(?:['-]++\w++)*+")  # with what joins its parts; a run of dashes is read once
_FUNCTION_WORDS = words_in(
    """
    der die das und ist nicht kein keine ich wir sie ihre ihr wurde eine einen den le la les de des du une je nous
    vous votre est pas ne el los las un una su que se esa ese eso existe es lo il di che della del non è l dell ho
    abbiamo o os um uma não seu sua foi het een niet geen uw wij naar dit deze det inte har jag vi din ikke jeg ei
    on ole nie jest się na do pan nem az ez nu și este tidak anda yang sudah ini bir ve bu için değil wird sind mir
    mich zur zum bei vom im auf mit
    """
)
_ENGLISH_WORDS = words_in(
    """
    the your you it and has have that this not been with my but there an is at are was for to of i we
    """
)
_LOOKED = (
    "nachgesehen geprüft überprüft gesucht vérifié cherché consulté comprobado buscado revisado controllato cercato"
    " verificato verifiquei procurei gecontroleerd gezocht kontrollerat sökt sjekket tjekket проверил проверила"
    " проверили 查看 检查"
    " 核实 查询了 確認しました 확인했"
)


class _Words:
    """Words of all languages for one idea, looked up in a text."""

    def __init__(self, words: Iterable[str]) -> None:
        listed = [word.replace("_", " ") for word in words]
        parts = {word for word in listed if " " in word or _PARTS.match(word) or word[0] == word[-1] == "*"}
        spaced = set(listed) - parts
        self._parts = tuple(word.strip("*") for word in parts)
        self._whole = frozenset(word for word in spaced if "*" not in word)
        self._starts = tuple(word[:-1] for word in spaced if word.endswith("*"))
        self._ends = tuple(word[1:] for word in spaced if word.startswith("*"))

    def stand_in(self, text: str) -> bool:
        """Whether any of them stands in a lower-case text."""
        words = _WORD.findall(text)
        words += [part for word in words if "'" in word for part in word.split("'")]
        return (
            not self._whole.isdisjoint(words)
            or any(word.startswith(self._starts) or word.endswith(self._ends) for word in words)
            or any(map(text.__contains__, self._parts))
        )


def _all(field: str) -> _Words:
    return _Words(word for tongue in TONGUES.values() for word in getattr(tongue, field).split())


_NEGATING, _SOUGHT, _ABSENT, _MAY = _all("negating"), _all("sought"), _all("absent"), _all("may")
_REFUSING, _ALREADY, _WORKED = _all("refusing"), _all("already"), _all("worked")
_LOOKED_UP = _Words(_LOOKED.split())


def _any(words: Iterable[str]) -> str:
    spelled = (
        re.escape(word.replace("_", " ")).replace(r"\*", r"\w*") for word in sorted(set(words), key=len, reverse=True)
    )
    return f"(?:{'|'.join(spelled)})"


def _denials() -> Iterator[str]:
    """Patterns of what denies trouble, one or two a language."""
    for tongue in TONGUES.values():
        edges = ("", "") if _PARTS.match(tongue.untroubled or tongue.trouble) else (r"(?<!\w)", r"(?!\w)")
        if tongue.untroubled:
            yield _any(tongue.untroubled.split()).join(edges)
        if tongue.trouble:
            gap = r"(?: ?\w+(?: \w+)??)?? ?" if edges[0] else r"\s?"
            yield (_any(tongue.without.split()) + gap + _any(tongue.trouble.split())).join(edges)


_DENIES = re.compile("|".join(_denials()))


def admits_elsewhere(plain: str) -> bool:
    """Whether a lower-case text in a language other than English tells of a miss.

    By a stock word, or by a negation while nothing in it says that it worked.

    >>> admits_elsewhere("die rückerstattung ist fehlgeschlagen"), admits_elsewhere("退款已到账")
    (True, False)
    >>> admits_elsewhere("ich finde keine bestellung."), admits_elsewhere("remboursement effectué sans erreur.")
    (True, False)
    """
    stems = _ASCII_STEMS if plain.isascii() else _STEMS
    foreign = is_foreign(plain)
    if not foreign and not any(map(plain.__contains__, stems)):
        return False
    told = _DENIES.sub(" ", plain)
    if any(map(told.__contains__, stems)):
        return True
    return foreign and not worked_elsewhere(told) and any(map(_NEGATING.stand_in, _told(told)))


def undenied(plain: str) -> str:
    """A lower-case text less what denies trouble in a language other than English.

    >>> undenied("die zahlung ging ohne probleme durch.")
    'die zahlung ging   durch.'
    """
    return _DENIES.sub(" ", plain) if is_foreign(plain) else plain


def worked_elsewhere(plain: str) -> bool:
    """Whether a lower-case text in a language other than English says that an action went through.

    >>> worked_elsewhere("die bestellung wurde storniert."), worked_elsewhere("sie wurde nicht storniert.")
    (True, False)
    """
    if not is_foreign(plain):
        return False
    return any(_WORKED.stand_in(said) and not _NEGATING.stand_in(said) for said in _told(_DENIES.sub(" ", plain)))


def missing_elsewhere(plain: str) -> bool:
    """Whether a lower-case text in a language other than English says that something is not there.

    >>> missing_elsewhere("no encuentro el pedido 4017."), missing_elsewhere("el pedido 4017 está en camino.")
    (True, False)
    """
    if not is_foreign(plain):
        return False
    return any(
        _ABSENT.stand_in(said) or (_NEGATING.stand_in(said) and _SOUGHT.stand_in(said))
        for said in _told(_DENIES.sub(" ", plain))
    )


def already_elsewhere(plain: str) -> bool:
    """Whether a lower-case text in a language other than English says that something was done before.

    >>> already_elsewhere("订单已经取消了。"), already_elsewhere("ich habe bereits nachgesehen.")
    (True, False)
    """
    if not is_foreign(plain):
        return False
    return any(
        _ALREADY.stand_in(said) and not _NEGATING.stand_in(said) and not _LOOKED_UP.stand_in(said)
        for said in _told(plain)
    )


def declines_elsewhere(plain: str) -> bool:
    """Whether a lower-case text in a language other than English says no to what was asked.

    >>> declines_elsewhere("das kann ich nicht erstatten."), declines_elsewhere("das kann ich erstatten.")
    (True, False)
    """
    if not is_foreign(plain):
        return False
    return any(
        _REFUSING.stand_in(said) or (_NEGATING.stand_in(said) and _MAY.stand_in(said))
        for said in _told(_DENIES.sub(" ", plain))
    )


def _told(plain: str) -> Iterator[str]:
    """The clauses of a text that ask nothing."""
    for sentence in sentences(plain):
        if not sentence.endswith(("?", "？", "؟")):
            yield from clauses(sentence)


def is_foreign(plain: str) -> bool:
    """Whether a lower-case text is in another language than English, as far as its smallest words tell.

    >>> is_foreign("ich finde keine bestellung."), is_foreign("your table at the café is booked.")
    (True, False)
    """
    words = _WORD.findall(plain.replace("'", " "))
    if plain.isascii():
        if _FUNCTION_WORDS.isdisjoint(words):
            return False
        others = sum(map(_FUNCTION_WORDS.__contains__, words))
    else:
        others = sum(word in _FUNCTION_WORDS or not word.isascii() for word in words) + plain.count("\u0307")
    return others > 0 and others >= sum(map(_ENGLISH_WORDS.__contains__, words))


def is_readable(plain: str) -> bool:
    """Whether at least half the letters of a lower-case text are of a script whose words for a miss are known here.

    >>> is_readable("your refund"), is_readable("คืนเงินแล้ว")
    (True, False)
    """
    if plain.isascii():
        return True
    letters = sum(map(str.isalpha, plain))
    return 2 * len(_READ_SCRIPTS.findall(plain)) >= letters
