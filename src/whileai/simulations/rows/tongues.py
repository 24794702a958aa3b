"""Words of languages other than English for what a reply says of how it went, one table a language.

A word stands whole; `*` stands for any letters at its end or start, `_` for a blank. Words with a blank and those of
scripts without such edges (Chinese, Japanese, Korean, Hindi) are matched as parts of a text.
"""

from __future__ import annotations

from typing import NamedTuple


class Tongue(NamedTuple):
    """One language: what negates, what is sought, what may be done, what says it was done before or has worked now.

    `absent` and `refusing` say so without a negation; `without` and `trouble` deny trouble together ("ohne Fehler"),
    `untroubled` alone.
    """

    negating: str
    sought: str = ""
    absent: str = ""
    may: str = ""
    refusing: str = ""
    already: str = ""
    worked: str = ""
    without: str = ""
    trouble: str = ""
    untroubled: str = ""


TONGUES = {
    "Arabic": Tongue(
        "لا لم لن ليس ليست غير بدون ولا ولم ولن",
        "أجد نجد العثور يوجد توجد موجود موجودة",
        "",
        "يمكن يمكنني يمكننا أستطيع نستطيع يسمح مسموح مؤهل",
        "أرفض نرفض للأسف",
        "بالفعل مسبقا مسبقًا سابقا سابقًا سبق",
        "بنجاح تم تمت اكتمل اكتملت نجح نجحت وتم",
        "بدون دون لا_توجد لا_يوجد أي بلا",
        "خطأ أخطاء مشكلة مشاكل مشكل",
        "لا_داعي لا_مشكلة",
    ),
    "Chinese": Tongue(
        "不 没 沒 未 无 無",
        "找到 存在 查到 查询到 查詢到 记录 紀錄 订单 訂單 客户 客戶 账户 帳戶 匹配 预订 預訂",
        "找不到 查不到 查无 查無 无此 無此",
        "可以 允许 允許 符合 支持",
        "不能 无法 無法 不可以 不允许 拒绝 拒絕",
        "已经 已經 早已 已被 已取消 已退款 已发货 已發貨 已处理 已處理 已完成 先前已 之前已",
        "成功 已完成 已退款 已为您 已為您 已取消 已发送 已處理 已处理 已更新"
        " 已到账 完成了 办好 辦好 搞定 已提交 已预订",
        "没有任何 沒有任何 没有 沒有 没 沒 无 無 任何",
        "错误 錯誤 问题 問題 异常 異常 故障",
        "没问题 沒問題 不用担心 不客气 不用谢",
    ),
    "Czech": Tongue(
        "není nejsou nelze nebyl* nemám nemáme nemohu nemůž* nevid* nefung* neodpov* žádn*",
        "nalezen* najít",
        "nenašel* nenašl* nenalez* neexist* není_v",
        "",
        "nemohu nemůžeme nelze odmít*",
        "už již dříve",
        "úspěšně hotovo proběhl* vrácen* zrušen* dokončen* odeslán*",
        "bez žádn*",
        "chyb* problém*",
    ),
    "Danish and Norwegian": Tongue(
        "ikke ingen intet inga mangler",
        "finde finder fundet finne finner funnet findes finnes eksisterer",
        "",
        "kan må muligt mulig tilladt tillatt",
        "afviser avviser nægter nekter",
        "allerede tidligere",
        "gennemført gjennomført refunderet refundert annulleret kansellert bekræftet bekreftet færdig ferdig"
        " lykkedes lyktes",
        "uden uten ingen",
        "fejl feil problem*",
    ),
    "Dutch": Tongue(
        "niet geen niets niks nergens ontbreekt",
        "gevonden vind vinden bestaat bestaan bekend zie",
        "onvindbaar",
        "kan kunnen mag mogen mogelijk toegestaan",
        "weiger*",
        "reeds is_al zijn_al werd_al was_al eerder_al",
        "gelukt succesvol terugbetaald geannuleerd verwerkt bevestigd voltooid geregeld verstuurd bijgewerkt klaar"
        " geboekt",
        "zonder geen",
        "fout* problem* probleem storing*",
        "geen_zorgen",
    ),
    "Finnish": Tongue(
        "ei eivät emme eikä puuttuu",
        "löydy löytynyt löydä löytänyt ole",
        "",
        "voi voida mahdollista",
        "",
        "on_jo oli_jo jo_aiemmin aiemmin",
        "onnistui onnistuneesti hyvitetty peruttu vahvistettu valmis suoritettu lähetetty",
        "ilman ei",
        "ongelm* virhe*",
    ),
    "French": Tongue(
        "pas aucun aucune rien jamais manque",
        "trouve trouvé trouvée trouver trouvons existe existent figure correspond correspondant enregistré"
        " enregistrée vois n'y_a",
        "introuvable* inexistant*",
        "peux pouvons peut possible autorisé autorisée permis éligible droit",
        "refus* impossible",
        "déjà précédemment auparavant",
        "effectué* réussi* succès remboursé* annulé* confirmé* envoyé* terminé* traité* réservé* modifié* abouti"
        " fait créé*",
        "sans aucun aucune pas_de pas_d'",
        "erreur* problème* souci* incident*",
        "pas_de_quoi pas_besoin",
    ),
    "German": Tongue(
        "nicht kein* nichts nie niemals niemand weder fehlt fehlen mangels",
        "gefunden find* exist* gibt vorhanden hinterlegt bekannt auffindbar verzeichnet vor registriert sehe",
        "unauffindbar*",
        "kann können darf dürfen möglich erlaubt berechtigt zulässig",
        "ablehn* lehne verweiger*",
        "bereits schon zuvor",
        "erfolgreich* erledigt fertig geklappt gelungen veranlasst erstattet storniert gebucht bestätigt abgeschlossen"
        " bearbeitet versendet verschickt überwiesen geändert aktualisiert gelöscht ausgeführt durchgeführt angelegt"
        " erstellt gutgeschrieben gesendet",
        "ohne kein* keinerlei",
        "fehler* problem* störung* schwierigkeit*",
        "nichts_weiter* nichts_mehr* nicht_mehr_nötig keine_weiter* keine_sorge",
    ),
    "Hindi": Tongue(
        "नहीं बिना मत",
        "मिल पाया मौजूद",
        "",
        "सकता सकती सकते संभव अनुमति",
        "असमर्थ",
        "पहले_ही पहले_से",
        "कर_दिया कर_दी कर_दिए हो_गया हो_गई हो_चुक सफल दिया_गया दी_गई पूरा",
        "कोई बिना_किसी बिना",
        "समस्या त्रुटि दिक्कत परेशानी गलती",
        "समस्या_नहीं दिक्कत_नहीं त्रुटि_नहीं ज़रूरत_नहीं जरूरत_नहीं आवश्यकता_नहीं चिंता_न",
    ),
    "Hungarian": Tongue(
        "nem nincs sincs hiányzik",
        "találom található találtam találtunk létezik szerepel",
        "",
        "tudom tudjuk lehet lehetséges",
        "",
        "már korábban",
        "sikeresen sikerült visszatérít* törölt* megerősít* elkészült megtörtént",
        "nincs",
        "hiba* problém* gond*",
        "hiba_nélkül gond_nélkül probléma_nélkül",
    ),
    "Indonesian": Tongue(
        "tidak belum bukan tanpa",
        "temukan ditemukan menemukan ada terdaftar",
        "",
        "bisa dapat boleh",
        "menolak",
        "sudah telah",
        "berhasil sukses selesai telah dikembalikan dibatalkan diproses dikirim",
        "tanpa tidak_ada",
        "kesalahan masalah kendala",
    ),
    "Italian": Tongue(
        "non nessun nessuno nessuna niente nulla manca mancano",
        "trovo trovat* troviamo esiste esistono risulta risultano c'è presente registrat* vedo",
        "inesistente introvabile",
        "posso possiamo può possibile consentito permesso autorizzat*",
        "rifiut* impossibile",
        "già precedentemente",
        "effettuat* riuscit* successo rimborsat* annullat* confermat* inviat* completat* elaborat* prenotat*"
        " aggiornat* fatto",
        "senza nessun nessuna alcun alcuna",
        "error* problem*",
        "non_serve_altro non_c'è_altro",
    ),
    "Japanese": Tongue(
        "ません なかった ない ないた ず、",
        "見つか 存在 該当 見当た 確認でき",
        "見つかりません 見つからな 存在しません 存在しな ございません 該当なし 見当たりません 見当たらな",
        "",
        "できません できない かねます 不可",
        "すでに 既に 済み もう",
        "完了しました 完了いたしました 成功 いたしました しておきました 済みです 処理しました"
        " 返金しました 取り消しました 送信しました",
        "",
        "",
        "問題ありません 問題ございません 問題なく エラーなく"
        " エラーはありません 問題はありません 必要はありません 心配ありません",
    ),
    "Korean": Tongue(
        "않 못 없 안_",
        "찾 존재 조회 확인되",
        "찾을_수_없 찾지_못 존재하지_않 이_없습니다 가_없습니다 조회되지",
        "",
        "수_없 불가 어렵습니다 안_됩니다",
        "이미",
        "완료 성공 처리했 처리되 환불되 환불했 취소되 취소했 했습니다 되었습니다",
        "",
        "",
        "문제_없 문제가_없 문제는_없 오류_없 오류가_없 필요_없 필요가_없",
    ),
    "Polish": Tongue(
        "nie brak brakuje żadn*",
        "znalaz* znaleź* znalezion* znajduj* istniej* widzę",
        "",
        "mogę możemy można możliwe wolno",
        "odmawiam odmow*",
        "już wcześniej",
        "pomyślnie gotowe zwrócon* anulowan* potwierdzon* zakończon* wykonan* wysłan* udało_się przetworzon*",
        "bez brak żadn*",
        "błęd* problem*",
    ),
    "Portuguese": Tongue(
        "não nenhum nenhuma nada nunca falta",
        "encontr* existe existem há consta localiz* achei acho vejo",
        "inexistente",
        "posso podemos pode possível permitid* autorizad* consigo",
        "recus* impossível",
        "já anteriormente",
        "sucesso processad* reembolsad* cancelad* confirmad* enviad* concluíd* efetuad* realizad* feito reservad*"
        " atualizad*",
        "sem nenhum nenhuma não_há",
        "erro* problema*",
        "não_precisa não_é_preciso não_é_necessário",
    ),
    "Romanian": Tongue(
        "nu_pot nu_am nu_există nu_s-a nu_putem nu_găs nu_este nu_poate nu_avem niciun nicio nimic lipsește",
        "găs* există",
        "",
        "pot putem poate posibil permis",
        "refuz*",
        "deja anterior",
        "succes rambursat* anulat* confirmat* trimis* finalizat* procesat*",
        "fără nicio niciun",
        "erori eroare problem*",
    ),
    "Russian": Tongue(
        "не нет ни нельзя никак",
        "найд* найт* наше* нашл* существу* наход* вижу есть числится",
        "отсутству*",
        "могу можем может можно возможно разреш* вправе удалось",
        "нельзя невозмож* отказ*",
        "уже ранее",
        "успешно готово оформлен* возвращен* возвращён* отменен* отменён* подтвержд* выполнен* отправлен*"
        " завершен* завершён*"
        " обработан* обновлен* обновлён* забронирован*",
        "без никаких",
        "ошиб* проблем*",
        "проблем_нет ошибок_нет не_нужно не_требуется не_беспокойтесь",
    ),
    "Spanish": Tongue(
        "no ningún ninguna ninguno nada nunca tampoco falta",
        "encuentr* encontr* existe existen hay consta figura aparece registrad* veo localiz*",
        "inexistente",
        "puedo podemos puede posible permitido autorizad* elegible permite",
        "rechaz* imposible",
        "ya_fue ya_se ya_está ya_ha ya_había ya_estaba ya_fueron ya_lo ya_cancel ya_reembols anteriormente previamente",
        "éxito correctamente procesad* reembolsad* cancelad* confirmad* enviad* completad* realizad* hecho listo"
        " reservad*"
        " actualizad* efectuad*",
        "sin ningún ninguna no_hubo no_hay",
        "error* problema* inconveniente*",
        "no_es_necesario no_hace_falta no_necesita no_hay_nada_más no_se_preocupe",
    ),
    "Swedish": Tongue(
        "inte ingen inget inga saknas",
        "hitta hittar hittade finns existerar",
        "",
        "kan får möjligt tillåtet",
        "nekar vägrar",
        "redan tidigare",
        "genomförd återbetald* avbokad* bekräftad* klar klart lyckades skickad* slutförd*",
        "utan inga inget",
        "fel problem",
    ),
    "Turkish": Tongue(
        "yok değil *amadım *emedim *amadık *emedik *amıyor* *emiyor* *amaz* *emez* *madı *medi *mıyor* *miyor*",
        "",
        "yok bulamad* bulunamad* bulunmam* bulunmuyor* bulamıyor*",
        "",
        "*amam *emem *amayız *emeyiz *amıyor* *emiyor* mümkün_değil",
        "zaten çoktan önceden",
        "başarıyla tamamlandı yapıldı edildi gönderildi onaylandı işlendi güncellendi oluşturuldu hazır",
        "hiçbir",
        "sorun* hata*",
        "sorunsuz hatasız sorun_yok hata_yok gerek_yok",
    ),
    "Ukrainian": Tongue(
        "не ні немає нема неможливо",
        "знайд* знайт* існу* бачу",
        "",
        "можу можемо може можна можливо",
        "неможливо відмов*",
        "вже раніше",
        "успішно готово оформлен* повернен* скасован* підтверджен* виконан* відправлен* завершен*",
        "без жодних",
        "помил* проблем*",
        "проблем_немає",
    ),
    "Vietnamese": Tongue(
        "không chưa chẳng",
        "tìm_thấy tồn_tại có",
        "",
        "thể được_phép",
        "từ_chối",
        "đã rồi",
        "thành_công đã_hoàn đã_hủy đã_gửi đã_xử_lý hoàn_tất xong",
        "không_có không_gặp không",
        "lỗi vấn_đề sự_cố",
    ),
}  # fmt: skip
