"""Characters that the recogniser takes for each other: what a read letter may have been printed as."""

from __future__ import annotations

from rapidfuzz.distance import Levenshtein

#: Greek to the Latin letter of the same shape. Capitals that are misread for each other in coarse print (Λ
#: and Π as Ν, Γ as Τ, Ξ as Ε, Θ and Ω as Ο) are one.
GREEK = str.maketrans(
    "αβγδεζηθικλμνξοπρστυφχψωςϲ",
    "abtdezhoiknmneonpstyoxyosc",
)
#: Forms of one Chinese character: the traditional, the Japanese and the simplified one look so alike that the
#: recogniser gives one for the other.
_FORMS = (
    "單単单 價価价 總総总 額额 稅税 數数 現现 發発发 號号 區区 賣売卖 買买 "
    "錢銭钱 銀银 張张 車车 門门 時时 間间 點点 會会 員员 積积 餘余 優优 滿満满 "
    "減减 實実实 據拠据 產産产 類类 費费 飲饮 計计 證証证 記记 賬账 貨货 購购 "
    "項项 預预 領领 頁页 訂订 訊讯 話话 該该 請请 謝谢 歡歓欢 儲储 廣広广 國国 "
    "內内 對対对 應応应 當当 處処处 經経经 綫線线 鐘钟 鋪铺 館馆 樓楼 東东 務务 "
    "動动 帳帐 來来 萬万 與与"
)
#: Digits and forms of Chinese characters → the letter that phrases are compared by.
LOOKALIKES = str.maketrans(
    {"0": "o", "1": "l", "5": "s", "8": "b"}
    | {form: forms[0] for forms in _FORMS.split() for form in forms[1:]}
)

#: Letters that are taken for each other, in capitals or small print, and those that appear from nowhere.
_ALIKE = (
    "oceadqgu",
    "cgos",
    "bpref",
    "bhk",
    "sbgz",
    "iltfjy",
    "mnwhruv",
    "vywux",
    "kxr",
    "gqyp",
    "ahn",
    "es",
)
_THIN = frozenset("iltjfr")
#: Letters of a phrase up to which a confusion must be one of these; longer ones have no neighbours.
_LONGEST_SHORT = 7


def is_confusion(key: str, phrase: str) -> bool:
    """Whether a recogniser may have read the phrase so; of long phrases it always may.

    It takes letters for others of their shape and loses letters, but seldom adds one: "ground" is not
    "round", nor is "today" "to pay".
    """
    if len(phrase) > _LONGEST_SHORT:
        return True
    for edit in Levenshtein.editops(phrase, key):
        if edit.tag == "replace":
            pair = {phrase[edit.src_pos], key[edit.dest_pos]}
            if not any(pair <= set(shape) for shape in _ALIKE):
                return False
        elif edit.tag == "insert":
            added = key[edit.dest_pos]
            if added not in _THIN and added not in key[edit.dest_pos - 1 : edit.dest_pos]:
                return False
    return True
