"""Defines the printed text of each script: its letters, words, currencies and fonts."""

from __future__ import annotations

from dataclasses import dataclass

GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰΆΈΉΊΌΎΏΪΫ"
_TONES = "áàảãạăắằẳẵặâấầẩẫậéèẻẽẹêếềểễệíìỉĩịóòỏõọôốồổỗộơớờởỡợúùủũụưứừửữựýỳỷỹỵđ"


#: Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Macedonian, Kazakh and Kyrgyz.
_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґўђјљњћџѓќѕәғқңөұүһ"


_SOURCE = (
    "scripts/fit_heads, on features of PP-OCRv6 small; words of wordfreq 3.1 (CC BY-SA 4.0) drawn as lines"
)


@dataclass(frozen=True)
class Language:
    """Properties of the printed text in a script.

    code: the language for fontconfig. words: language codes of wordfreq, more frequent the more often they
    are listed. regions: regions whose receipts are composed. letters: letters that the head must know beyond
    ASCII. signs: further characters that it must know. before, currencies: possible beginnings and ends of
    amounts. decimals: of most amounts. points: possible separators of day, month and year. source: for the
    manifest. own: pattern of a letter of the script, where it needs separate fonts; pieces: units of random
    letter sequences; till: languages whose till phrases are printed; grid: letters stand in two columns;
    left_out: families that no line of the fit is drawn with; tills: name prefixes of families whose letters
    are as thin and as wide as tills' built-in ones.
    """

    code: str
    words: tuple[str, ...]
    regions: tuple[str, ...]
    letters: str
    currencies: tuple[str, ...]
    decimals: int
    signs: str = ""
    before: tuple[str, ...] = ("",)
    points: str = "/"
    own: str = ""
    pieces: tuple[str, ...] = ()
    till: tuple[str, ...] = ()
    grid: bool = False
    left_out: tuple[str, ...] = ()
    tills: tuple[str, ...] = ()
    source: str = _SOURCE


def _letters(first: int, last: int, without: str = "") -> str:
    return "".join(c for c in map(chr, range(first, last + 1)) if c.isprintable() and c not in without)


#: The letters that Korean tills can print: the syllables of KS X 1001.
_HANGUL = "".join(
    bytes((row, cell)).decode("euc_kr") for row in range(0xB0, 0xC9) for cell in range(0xA1, 0xFF)
)
_THAI = "".join(_letters(*ends) for ends in ((0xE01, 0xE3A), (0xE40, 0xE4E), (0xE50, 0xE59)))
_THAI_VOWELS = ("", "", "", "ะ", "า", "ำ", "ิ", "ี", "ึ", "ื", "ุ", "ู", "ั", "็", "์")
_ARABIC = _letters(0x621, 0x63A) + _letters(0x641, 0x64A)
_ARABIC_DIGITS = _letters(0x660, 0x669)
#: Letters of Persian and Urdu, which not every face has.
_FURTHER_ARABIC = "پچژگڤکیےۓٹڈڑںھہۂۀۃۆۇېۍݨ۔" + _letters(0x6F0, 0x6F9)
_HEBREW = _letters(0x5D0, 0x5EA)
_BENGALI_SIGNS = "ািীুূৃেৈোৌংঃঁ"
_BENGALI_CONSONANTS = "".join(
    _letters(*ends) for ends in ((0x995, 0x9A8), (0x9AA, 0x9B0), (0x9B2, 0x9B2), (0x9B6, 0x9B9))
)
_BENGALI = "অআইঈউঊঋএঐওঔ" + _BENGALI_CONSONANTS + _BENGALI_SIGNS + "়্ৎয়ড়ঢ়" + _letters(0x9E6, 0x9EF)
_DEVANAGARI_SIGNS = "ािीुूृेैोौंँः"
_CONSONANTS = _letters(0x915, 0x939, "ऩऱऴ")
_DEVANAGARI = _letters(0x905, 0x914, "ऌऎऒऍ") + _CONSONANTS + _DEVANAGARI_SIGNS + "़्ॅॉ" + _letters(0x966, 0x96F)

LANGUAGES = {
    "greek": Language("el", ("el",), ("gr",), GREEK, ("", "", "", "€", " €", " A", " Α", " Β", "*", "%"), 2),
    "vietnamese": Language(
        "vi", ("vi",), ("vn",), _TONES + _TONES.upper(), ("", "", "", "đ", "d", " VND", "₫"), 0
    ),
    "cyrillic": Language(
        "ru",
        ("ru", "ru", "ru", "ru", "uk", "uk", "bg", "sh", "mk", "kk", "be"),
        ("ru", "ru", "ua", "by", "kz", "kg", "bg", "us", "de", "pl", "hr"),
        _CYRILLIC + _CYRILLIC.upper(),
        (
            "",
            "",
            "",
            "",
            "",
            " ₽",
            " руб",
            " р.",
            " грн",
            "₴",
            " ₸",
            " тг",
            " лв",
            " РСД",
            " сом",
            " А",
            " Б",
            "*А",
        ),
        2,
        "№₽₴₸",
        ("", "", "", "=", "=", "*"),
        "...../-",
    ),
    "hangul": Language(
        "ko",
        ("ko",),
        ("kr",),
        _HANGUL,
        ("", "", "", "원", "원", " 원"),
        0,
        "₩원·",
        ("", "", "", "₩", "₩ "),
        "-./",
        own="[\u3131-\u318e\uac00-\ud7a3]",
        pieces=tuple(_HANGUL),
        till=("ko",),
        grid=True,
        left_out=("NanumSquare", "UnDotum", "Baekmuk Gulim", "Noto Serif CJK"),
        tills=(
            *("Bitmap", "Galmuri", "Unifont", "D2Coding", "NanumGothicCoding", "Baekmuk Dotum", "UnGraphic"),
            *("Gothic A1", "IBM Plex Sans KR", "Noto Sans KR", "Spoqa Han Sans Neo", "Gowun Dodum"),
            *("NanumGothic", "NanumBarunGothic"),
        ),
    ),
    "thai": Language(
        "th",
        ("th",),
        ("th",),
        _THAI,
        ("", "", "", "บาท", " บาท", " ฿", ".-"),
        2,
        "฿",
        ("", "", "", "฿"),
        "//-.",
        own="[\u0e01-\u0e3a\u0e40-\u0e5b]",
        pieces=tuple(
            dict.fromkeys(
                c + vowel + tone
                for c in _letters(0xE01, 0xE2E, "ฤฦ")
                for vowel in _THAI_VOWELS
                for tone in ("", "่", "้")
                if not (tone and vowel in "ะ็์")
            )
        )
        + tuple("เแโใไๆฤฯ") * 40,
        till=("th",),
        source=_SOURCE.replace("words of", "words of PyThaiNLP 5.4 (CC0) and"),
        left_out=("Laksaman", "Tlwg Typist", "Arundina Sans Mono"),
    ),
    "arabic": Language(
        "ar",
        ("ar", "ar", "ar", "ar", "fa", "ur"),
        ("sa", "ae", "eg", "ma"),
        _ARABIC,
        ("", "", "", " ريال", " ر.س", " جنيه", " ج.م", " درهم", " SAR", " EGP"),
        2,
        _ARABIC_DIGITS + "،؛؟ـ٪٫٬" + _FURTHER_ARABIC,
        ("", "", "", "SAR "),
        "//-",
        own="[\u0621-\u064a\u0660-\u066c\u060c\u061b\u061f\u067e-\u06f9\u0768]",
        pieces=tuple(_ARABIC),
        till=("ar",),
        left_out=("Amiri", "Noto Sans Arabic", "KacstOffice", "Thabit"),
    ),
    "devanagari": Language(
        "hi",
        ("hi",),
        ("in", "np"),
        _DEVANAGARI,
        ("", "", "", "₹", " रु", "/-"),
        2,
        "₹।",
        ("", "", "", "₹", "रु. ", "₹ "),
        "//-",
        own="[\u0900-\u0963\u0966-\u097f\u200c\u200d]",
        pieces=tuple(
            c + sign for c in _CONSONANTS + "कतरनसपम" for sign in ("", "", *_DEVANAGARI_SIGNS, "्य", "्र")
        )
        + tuple("अआइईउऊएऐओऔऑ") * 8,
        till=("hi",),
        left_out=("Samyak", "Noto Serif Devanagari", "Nakula", "Lohit Nepali"),
    ),
    "hebrew": Language(
        "he",
        ("he",),
        ("il",),
        _HEBREW,
        ("", "", "", "₪", " ₪", ' ש"ח'),
        2,
        "₪״׳",
        ("", "", "", "₪", "₪ "),
        "//-.",
        own="[\u05d0-\u05ea\u05f3\u05f4]",
        pieces=tuple(_HEBREW),
        left_out=("Noto Sans Hebrew", "Miriam Mono", "FreeMono", "Nachlieli"),
    ),
    "bengali": Language(
        "bn",
        ("bn",),
        ("bd",),
        _BENGALI,
        ("", "", "", "৳", " টাকা", "/-"),
        2,
        "৳।",
        ("", "", "", "৳", "৳ "),
        "//-",
        own="[\u0980-\u09fb\u200c\u200d]",
        pieces=tuple(c + sign for c in _BENGALI_CONSONANTS for sign in ("", "", *_BENGALI_SIGNS, "্য", "্র"))
        + tuple("অআইঈউঊএঐওঔ") * 8,
        left_out=("Noto Serif Bengali", "Mukti", "Likhan"),
    ),
}
