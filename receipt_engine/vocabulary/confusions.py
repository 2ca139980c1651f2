"""Lists characters that the recogniser confuses, and tests whether a reading may be such a confusion."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from rapidfuzz.distance import Levenshtein

#: Greek letter → Latin letter of the same shape. Capitals that are confused in coarse print (Λ and Π with Ν,
#: Γ with Τ, Ξ with Ε, Θ and Ω with Ο) map to one letter.
GREEK = str.maketrans(
    "αβγδεζηθικλμνξοπρστυφχψωςϲ",
    "abtdezhoiknmneonpstyoxyosc",
)
#: Greek letters as a Latin recogniser reads them; lower case maps by the lower-case shape.
GREEK_AS_READ = str.maketrans(
    "αβγδεζηθικλμνξοπρστυφχψωςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ",
    "aBydeznOlkAuvEonpotuqxywsABTAEZHOIKAMNEONPETYOXYO",
)
#: Cyrillic capitals as a Latin recogniser reads them: those with the shape of a Latin letter, then others.
CYRILLIC_AS_READ = str.maketrans("АВЕКМНОРСТХУІЅЈГДИЙЛПФЯ", "ABEKMHOPCTXYISJTANNANOR")
#: Variants of one Chinese character, traditional, Japanese and simplified: shops print either, and the
#: recogniser confuses the similar ones.
_FORMS = (
    "單単单 價価价 總総总 額额 稅税 數数 現现 發発发 號号 區区 賣売卖 買买 "
    "錢銭钱 銀银 張张 車车 門门 時时 間间 點点 會会 員员 積积 餘余 優优 滿満满 "
    "減减 實実实 據拠据 產産产 類类 費费 飲饮 計计 證証证 記记 賬账 貨货 購购 "
    "項项 預预 領领 頁页 訂订 訊讯 話话 該该 請请 謝谢 歡歓欢 儲储 廣広广 國国 "
    "內内 對対对 應応应 當当 處処处 經経经 綫線线 鐘钟 鋪铺 館馆 樓楼 東东 務务 "
    "動动 帳帐 來来 萬万 與与 編编 碼码 電电 戶户 結结 換换 銷销 業业 場场 顧顾 "
    "機机 達达 開开 節节 條条 聯联 稱称 統统 臨临 繳缴 賞赏 熱热 淨净 營营 離离 "
    "調调 禮礼 閘闸 約约 終终 裝装 幣币 轉转 灣湾 補补 獎奖 詢询 冊册 廈厦 無无 "
    "見见 權权 膠胶 贈赠 慳悭 進进 寶宝 贖赎 細细 憑凭 郵邮 寫写 頭头 維维 兌兑 "
    "養养 絡络 訴诉 傳传 納纳 問问 廳厅 責责 設设 網网 掃扫 載载 腦脑 資资 續续 "
    "運运 備备 觸触 飛飞 識识 衛卫 輪轮 師师 負负 縣县 紙纸 樂乐 則则 測测 試试 "
    "兩两 貼贴 餅饼 潔洁 組组 長长 學学 讓让 閃闪 辦办 薩萨 餓饿 麼么 廢废 刪删 "
    "還还 賺赚 亞亚 誠诚 規规 說说 顏颜 質质 籌筹 隊队 認认 職职 槍枪 專专 銅铜 "
    "鑼锣 環环 觀观 將将 軍军 龍龙 島岛 庫库 鐵铁 層层 園园 體体 貿贸 際际 報报 "
    "聖圣 誕诞 財财 關关 臉脸 書书 議议 帶带 訓训 練练 覽览 廚厨 級级 籠笼 馬马 "
    "創创 鎮镇 蹤踪 艦舰 簽签 別别 團团 參参 櫃柜 個个 掛挂 種种 劃划 雲云 獲获 "
    "確确 廠厂 術术 須须 匯汇 藥药 徵征 後后 捨舍 遊游 為为 沖冲 貸贷 壓压 "
    "遞递 導导 圓圆"
)
#: Digits and variants of Chinese characters → the character used when phrases are compared.
LOOKALIKES = str.maketrans(
    {"0": "o", "1": "l", "5": "s", "8": "b"}
    | {form: forms[0] for forms in _FORMS.split() for form in forms[1:]}
)

#: A word of capitals, some of which were read as a small l.
_L_IN_CAPITALS = re.compile(r"(?<![^\W_])(?=(?:l?[A-Z]){2})(?:[A-Z]|l(?!l))*(?![^\W_])")
#: A small letter at the start of a word that differs from its capital by its size only.
_SMALL_CAPITAL = re.compile(r"(?<![^\W\d_])[cosvwxz]")
#: Letters and digits of similar outline → one of them.
_OUTLINES = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "8": "b", "v": "u"})

#: Letters that are confused with each other, in upper or lower case; `_THIN`: letters that the recogniser may
#: insert.
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
#: Up to this length of a phrase, a confusion must be one of these; longer phrases resemble no other.
_LONGEST_SHORT = 7

#: Character read → digit printed, because of the recogniser or a worn print head.
DIGIT_FOR = {
    "O": "0", "o": "0", "Q": "0", "D": "0",
    "l": "1", "I": "1", "i": "1", "|": "1", "!": "1", "]": "1", "[": "1",
    "Z": "2", "z": "2", "S": "5", "s": "5", "G": "6", "b": "6", "B": "8", "g": "9", "q": "9",
    "\u041e": "0", "\u043e": "0", "\u0417": "3", "\u0437": "3",  # Cyrillic
}  # fmt: skip
#: Cost in nats of each confusion, relative to a digit read correctly: the usual confusions, those of
#: capitals, and the others.
_USUAL, _OF_CAPITALS, _RARE = 0.9, 1.2, 1.8
DIGIT_COST = {
    c: _USUAL
    if c in "Oo0lI|i\u041e\u043e\u0417\u0437"
    else _OF_CAPITALS
    if c in ("S", "B", "Z", "D", "Q")
    else _RARE
    for c in DIGIT_FOR
}
#: Share of that cost for the same confusion once more in one number.
_AGAIN = 0.25
#: Letters for a zero; as tax codes they are rare, and none stands behind two others: "44.OOO".
ZEROS = frozenset("Oo\u041e\u043e")
#: Letters that count as digits even at the head of a number: they resemble little else.
LEADING = ZEROS | frozenset("lIi\u0417\u0437")
#: Letters for digits in counts and their prices, for a character class.
COUNT_LIKE = "OIlSZB\u041e\u0417"
#: The characters of `DIGIT_FOR`, escaped for a character class of a regular expression.
DIGIT_LIKE = re.escape("".join(DIGIT_FOR))
#: One of them beside a digit: a cheap test of whether a repair is worth trying.
MAYBE_CONFUSED = re.compile(rf"[0-9][.,':/-]?[{DIGIT_LIKE}]|[{DIGIT_LIKE}][.,':/-]?[0-9]")

#: Letters and digits that are confused, and what is printed: O for zero, l and I for one and others inside
#: numbers, also in one that touches its word ("Penang1O200") or goes on behind a hyphen ("35-OO1"); a capital
#: read as the digit that begins a word ("5eaview"); a zero in "P.O. Box", "No. 4", "Co.", "Co-op",
#: "Oy" and in words of letters, even right behind a postcode; l before a consonant with which no word goes
#: on; a capital I among small letters; a state before its postcode ("0H 43001"); a zero for the article
#: ("CASA 0 REI").
_IN_TEXT: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"(?<![^\W_])[lI](?=\d)|(?<=\d)[lI](?![^\W\d_])"), "lI", "11"),
    (re.compile(r"(?<=\d)[SZ](?=\d\d)|(?<=\d\d)[SZ](?=\d)"), "SZ", "52"),
    (re.compile(r"(?<=\d)[GB](?=\d\d)|(?<=\d\d)[GB](?=\d)"), "GB", "68"),
    (re.compile(r"(?<![^\W_])[58](?=(?:[a-z]{4,}|[A-Z]{4,})(?![^\W_]))"), "58", "SB"),
    (re.compile(r"(?<![^\W_])(?=[\dOo]*\d[\dOo]*\d)[\dOo]{3,}(?![^\W_])"), "Oo", "00"),
    (
        re.compile(
            r"(?<=[^\W\d_]{3})\d[\dO]{2,}(?![^\W_])|(?<![^\W_])[\dO]{3,}\d(?=[^\W\d_]{3})"
            r"|(?<=\d\d-)[\dO]{3}(?![\dO])"
        ),
        "O",
        "0",
    ),
    (
        re.compile(
            r"(?<![^\W_])(?:P\.? ?0(?=\.? ?[Bb])|N0(?=[.: ]{1,3}\d)|C0(?=\.(?!\d)|$|-[O0][Pp])|0(?=[yYüÜ]$))"
        ),
        "0",
        "O",
    ),
    (
        re.compile(
            r"(?:(?<![^\W_])|(?<=\d{4}))"
            r"(?:[^\W\d_]{2,}0[^\W\d_]+|[^\W\d_]0[^\W\d_]{3,}|[^\W\d_]00[^\W\d_]+|[^\W\d_]{4,}0)(?![^\W_])"
        ),
        "0",
        "O",
    ),
    (re.compile(r"(?:^|(?<=[^\W\d_] ))0(?= [^\W\d_a-zß-ÿ][^\W\d_]{2})"), "0", "O"),
    (
        re.compile(
            r"(?:(?<=[^\W\d_][ ,.])|(?<=[^\W\d_], ))(?:[0l1][A-Z]|[A-Z]0)"
            r"(?= ?(?:\d{5}(?!\d)|[A-Z]\d[A-Z] ?\d[A-Z]))"
        ),
        "0l1",
        "OII",
    ),
    (re.compile(r"(?<![^\W_])(?:[A-Z]+1[A-Z]{2,}|[A-Z]{3,}1[A-Z])(?![^\W_])"), "1", "I"),
    (re.compile(r"(?<![^\W_])l(?=[bdmrst][a-z]{2,}|n[a-z])"), "l", "I"),
    (re.compile(r"(?<=[a-z])(?<!c)I(?=[a-mo-su-z][a-z])"), "I", "l"),
)


#: Letters of other scripts, and their O.
_O_OF = ((re.compile("[\u0386-\u03ff]"), "\u039f"), (re.compile("[\u0400-\u052f]"), "\u041e"))


def outline(key: str) -> str:
    """Maps similar letters of a folded word to one letter; "rn" is a broken m."""
    return key.translate(_OUTLINES).replace("rn", "m")


def is_title_case(text: str) -> bool:
    """Whether all words begin with a capital, which is sure of one of them: some small letters differ
    from theirs by their size only ("High street")."""
    return text.istitle() or (not text.islower() and _SMALL_CAPITAL.sub(_capital, text).istitle())


def _capital(match: re.Match[str]) -> str:
    return match.group().upper()


def with_capital_i(text: str) -> str:
    """Replaces each small l inside a word of capitals by the I that it is: "BlSTRO", "lVA"."""
    return _L_IN_CAPITALS.sub(lambda word: word[0].replace("l", "I"), text) if "l" in text else text


def with_confusions_repaired(text: str) -> str:
    """The text with letters and digits that the recogniser confuses replaced by what is printed.

    >>> with_confusions_repaired("P.0. BOX 4630O, T0RONTO l4, KlTCHEN")
    'P.O. BOX 46300, TORONTO 14, KITCHEN'
    """
    for pattern, read, printed in _IN_TEXT:
        text = pattern.sub(partial(_printed, read, printed), text)
    return with_capital_i(text)


def _printed(read: str, printed: str, found: re.Match[str]) -> str:
    """The match with the characters that were read replaced; O is of the text's script, small between small
    letters."""
    word = found.group()
    at = word.find("0")
    if printed == "O":
        printed = next((own for script, own in _O_OF if script.search(found.string)), "O")
        if word[at - 1 : at].islower() or word[at + 1 :].islower():
            printed = printed.lower()
    return word.translate(str.maketrans(read, printed))


def digits_cost(text: str) -> float:
    """Returns the summed cost, in nats, of reading the letters of a number as digits.

    A recogniser that takes one zero for a letter takes the next one for the same letter.
    """
    return sum(DIGIT_COST.get(c, 0.0) * (1.0 if c not in text[:at] else _AGAIN) for at, c in enumerate(text))


def misread_digits(text: str) -> list[int]:
    """Returns the positions of the letters that may be misread digits."""
    return [at for at, c in enumerate(text) if c in DIGIT_FOR]


def with_digits(text: str, positions: Iterable[int]) -> str:
    """Replaces the letters at these positions by the digits that they resemble."""
    characters = list(text)
    for position in positions:
        characters[position] = DIGIT_FOR[characters[position]]
    return "".join(characters)


def is_confusion(key: str, phrase: str) -> bool:
    """Whether a recogniser may have read `phrase` as `key`; always true for long phrases.

    It confuses letters of similar shape and drops letters, but seldom adds one: "ground" is not
    "round", nor is "today" "to pay".
    """
    return len(phrase) > _LONGEST_SHORT or is_alike(key, phrase)


def is_alike(key: str, phrase: str) -> bool:
    """As `is_confusion`, for long phrases too."""
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
