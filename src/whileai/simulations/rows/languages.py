"""Stock words for a miss in languages other than English, matched as parts of words."""

from __future__ import annotations

import re

_MISSES = {
    "Arabic": (
        "فشل تعذر تعذّر خطأ لم_يتم لم_تتم لم_أتمكن لم_نتمكن لا_يمكن لا_أستطيع غير_متاح غير_موجود"
        " انتهت_المهلة مهلة رفض لم_أجد لا_يوجد لا_توجد عطل"
    ),
    "Chinese": (
        "失败 失敗 无法 無法 不能 未能 没能 沒能 没有找到 找不到 未找到 超时 逾時 错误 錯誤 出错"
        " 出錯 异常 異常 不可用 没有成功 未成功 拒绝 拒絕 不存在 没有权限 無權 无权 过期 過期 尚未"
        " 未完成 没有完成 故障 查不到"
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
        " n'ont_pas_pu introuvable indisponible expiré n'existe_pas je_ne_peux_pas malheureusement impossible_de refusé"
    ),
    "German": (
        "nicht_geklappt nicht_finden nicht_öffnen kann_ich_nicht kann_nicht antwortet_nicht"
        " reagiert_nicht fehlgeschlagen fehler konnte_nicht konnte_leider konnte_ich_nicht nicht_gefunden"
        " nicht_möglich nicht_verfügbar leider zeitüberschreitung abgelehnt gescheitert unmöglich"
        " abgelaufen verweigert nicht_erreichbar nicht_verarbeitet nicht_ausgeführt"
        " nicht_abgeschlossen"
    ),
    "Hindi": "विफल असफल नहीं त्रुटि समय_समाप्त असमर्थ अमान्य फेल समस्या",
    "Hungarian": "sikertelen nem_sikerült sajnos hiba_",
    "Indonesian": "gagal tidak_dapat tidak_ditemukan tidak_bisa kesalahan",
    "Italian": (
        "non_risponde non_funziona errore fallit non_sono_riuscit non_è_stato_possibile non_trovat"
        " non_disponibile scadut"
        " rifiutat non_posso non_può non_possono non_riesc purtroppo"
    ),
    "Japanese": (
        "できません できなかった できませんでした エラー タイムアウト 見つかりません 見つからな"
        " 拒否 存在しません 利用できない 完了していません 無効 不具合 障害"
    ),
    "Korean": (
        "실패 오류 에러 할_수_없 수_없습니다 수_없었 못했 찾을_수 시간_초과 시간이_초과 거부"
        " 않았습니다 되지_않 존재하지"
    ),
    "Polish": "nie_udało niestety błąd nie_powiodł nie_można nie_znaleziono nie_mogę odrzucon",
    "Portuguese": (
        "não_responde não_funciona falhou falha erro_ não_consegui não_foi_possível não_pude não_pôde não_puderam"
        " não_encontr indisponível"
        " expirou recusad negad não_existe infelizmente"
    ),
    "Romanian": "nu_am_putut eroare a_eșuat din_păcate nu_a_putut",
    "Russian": (
        "не_удалось ошибк не_смог не_могу невозможн недоступ сбой истекл отклон отказ не_найден"
        " не_прош тайм-аут таймаут неудач к_сожалению не_получилось"
    ),
    "Spanish": (
        "no_responde no_funciona falla_ fallan_ no_del_todo no_pudo falló fallado fallo_ no_pude no_se_pudo"
        " no_puedo no_fue_posible no_encontr"
        " no_existe no_está_disponible tiempo_de_espera rechazad denegad no_he_podido imposible_ agotó"
        " lamentablemente desafortunadamente no_ha_sido hubo_un_error"
    ),
    "Swedish": "misslyckades kunde_inte tyvärr hittades_inte kan_inte",
    "Turkish": "başarısız hata_ yapılamadı bulunamadı zaman_aşımı maalesef gerçekleştirilemedi",
    "Ukrainian": "не_вдалося помилк на_жаль не_зміг не_можу не_знайден",
    "Vietnamese": "không_thể thất_bại lỗi không_tìm_thấy",
}
_STEMS = tuple(stem.replace("_", " ") for stems in _MISSES.values() for stem in stems.split())
_ASCII_STEMS = tuple(filter(str.isascii, _STEMS))
_READ_SCRIPTS = re.compile(r"[a-zà-ɏЀ-ӿ؀-ۿऀ-ॿ぀-ヿ一-鿿가-힯ạ-ỹ]")


def admits_elsewhere(plain: str) -> bool:
    """Whether a lower-case text holds a stock word for a miss in a language other than English.

    >>> admits_elsewhere("die rückerstattung ist fehlgeschlagen"), admits_elsewhere("退款已到账")
    (True, False)
    """
    return any(map(plain.__contains__, _ASCII_STEMS if plain.isascii() else _STEMS))


def is_readable(plain: str) -> bool:
    """Whether at least half the letters of a lower-case text are of a script whose words for a miss are known here.

    >>> is_readable("your refund"), is_readable("คืนเงินแล้ว")
    (True, False)
    """
    if plain.isascii():
        return True
    letters = sum(map(str.isalpha, plain))
    return 2 * len(_READ_SCRIPTS.findall(plain)) >= letters
