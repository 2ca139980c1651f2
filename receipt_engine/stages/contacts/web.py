"""Web and e-mail addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from receipt_engine.document import Entity, Found, ParsedLine, RoleMatch
from receipt_engine.vocabulary.legal_forms import is_legal_form

#: Endings that show a web address without "www." in front. Country endings count behind com, co, net, org.
_GENERIC = (
    "com|net|org|info|biz|shop|store|online|restaurant|cafe|coffee|pizza|bar|hotel|app|io|"
    "me|tv|eu|asia|example"
)
_COUNTRY = (
    "ae|ar|at|au|be|br|ca|ch|cl|cn|co|cz|de|dk|ee|es|fi|fr|gr|hk|hu|id|ie|in|it|jp|ke|kr|lt|lv|mx|my|nl|no|"
    "nz|pa|pe|ph|pl|pt|ro|se|sg|sk|th|to|tr|tw|uk|us|uy|vn|za"
)
_ENDING = rf"(?:(?:com|co|net|org|gob|gov|edu|or|ne|ac)\.(?:{_COUNTRY})|{_GENERIC}|{_COUNTRY})"
_PATH = r"(?:/[\w\-./?=&%#~+]*)?"
#: What the recogniser makes of "www.": a comma or a blank for the point, one letter lost.
_WWW = r"(?:w{2,4}|vww|wvw)\s?[.,:]\s?"
_URL = re.compile(
    rf"(?:https?\s?:\s?/{{1,2}}\s?(?:www\.)?|{_WWW})[\w\-]+(?:\s?[.,]\s?[\w\-]+)*{_PATH}", re.IGNORECASE
)
_BARE = re.compile(
    rf"(?<![\w@.\-])(?:[a-z0-9][a-z0-9\-]*\.)+{_ENDING}(?![\w@\-])(?!\.\w){_PATH}", re.IGNORECASE
)
#: Not with a telephone number that only a dash parts from it.
_EMAIL = re.compile(
    r"(?:(?<![\w.+\-])(?![\w.]*\d{6}-)|(?<=\d{6}-))[\w.+\-]+\s?@\s?[\w\-]+(?:\s?\.\s?[\w\-]+)+", re.IGNORECASE
)
_SCHEME = re.compile(r"^(?:https?\s?:\s?/+)?(?:www\s?[.,:]\s?)?", re.IGNORECASE)
#: Hosts of others that print their address on receipts: networks and survey services.
_OTHERS = (
    "facebook",
    "instagram",
    "twitter",
    "tiktok",
    "youtube",
    "linkedin",
    "tripadvisor",
    "yelp",
    "google",
)


#: Names of portals of tax authorities and of invoices to fetch.
_PORTAL = re.compile(
    r"^(?:e-?)?(?:factur[ae]|facturacion|invoice|fatura|fiscal|nfce?|nfe|boleta|recibo)[\d-]*$|"
    r"^(?:sii|sunat|dgi|afip|arca|sat|sefaz|fazenda|dian|kra|itax|bir|iras|ato|agenziaentrate|finanzonline)$|"
    r"^(?:einvoice|efatura|portal)"
)
_STATE_DOMAIN = re.compile(r"\.(?:gov|gob|gouv|govt|go|gub)(?:\.[a-z]{2})?(?:[/:]|$)", re.IGNORECASE)
_LEAST = 0.3
#: Letters of the shortest name in a domain.
_SHORTEST = 3
#: Words of a legal form, at most.
_FORM_WORDS = 3


def find_web(rows: Sequence[ParsedLine]) -> tuple[Entity, ...]:
    """Web and e-mail addresses of all rows, top to bottom."""
    found: list[Entity] = []
    for index, parsed in enumerate(rows):
        text = parsed.text
        emails = [m for m in _EMAIL.finditer(text) if _is_email(m.group())] if "@" in text else []
        taken = [m.span() for m in emails]
        found.extend(_entity("email", index, m.start(), m.group(), "e-mail") for m in emails)
        for pattern, rule in ((_URL, "www"), (_BARE, "domain")):
            for match in pattern.finditer(text):
                value = match.group().rstrip(".,;:)/*- ")
                end = match.start() + len(value)
                if any(match.start() < e and s < end for s, e in taken):
                    continue
                if rule == "domain" and (not _plausible(value) or _is_company(text[end:])):
                    continue
                if "." not in _SCHEME.sub("", value).replace(",", ".") and rule == "www":
                    continue
                taken.append((match.start(), end))
                found.append(_entity("url", index, match.start(), value, rule))
    return tuple(sorted(found, key=lambda m: (m.row, m.start)))


def _entity(kind: Literal["url", "email"], row: int, start: int, value: str, rule: str) -> Entity:
    end = start + len(value)
    return Entity(kind, row, start, end, value, 1.0, start, rule, _own_name(value))


def _is_email(value: str) -> bool:
    """Whether the domain has letters: "2 @ 68.50" is a quantity and a price."""
    domain = value.rpartition("@")[2]
    return sum(c.isalpha() for c in domain) >= 3 and domain.rpartition(".")[2].strip().isalpha()


def _plausible(value: str) -> bool:
    """A bare domain has a name of letters: "5.00.us" and "No.my" are none."""
    name = value.split("/")[0].rsplit(".", 1)[0]
    ending = value.split("/")[0].rsplit(".", 1)[1]
    if not any(c.isalpha() for c in name) or len(name) < 3:
        return False
    generic = re.fullmatch(_GENERIC, ending, re.IGNORECASE) is not None
    return generic or (len(name) >= 4 and value.split("/")[0] == value.split("/")[0].lower())


def _is_company(behind: str) -> bool:
    """Whether a legal form follows: "PARCELS.COM LTD" is a company's name."""
    words = behind.split()[:_FORM_WORDS]
    return (
        bool(words)
        and words[0].isalpha()
        and any(is_legal_form(" ".join(words[: count + 1])) for count in range(len(words)))
    )


def domain_name(value: str) -> str:
    """The telling part of a web or e-mail address: "acme-foods" of "www.acme-foods.co.uk/help"."""
    host = (
        _SCHEME.sub("", value.split("@")[-1].strip()).replace(",", ".").replace(" ", "").split("/")[0].lower()
    )
    parts = [p for p in host.split(".") if p]
    while len(parts) > 1 and (
        len(parts[-1]) <= 3 or parts[-1] in ("info", "shop", "online", "restaurant", "example")
    ):
        parts.pop()
    return parts[-1] if parts else ""


_MAIL_SERVICES = frozenset(
    [
        "gmail",
        "hotmail",
        "yahoo",
        "outlook",
        "live",
        "icloud",
        "aol",
        "msn",
        "gmx",
        "web",
        "t-online",
        "orange",
        "wanadoo",
        "libero",
        "telkomsa",
        "streamyx",
        "protonmail",
        "mail",
        "ymail",
        "rocketmail",
        "googlemail",
        "btinternet",
        "hotmail",
        "comcast",
        "verizon",
        "att",
        "sbcglobal",
    ]
)


def _own_name(value: str) -> str:
    """The domain's name when it may be the merchant's: not a mail service's and not a network's."""
    name = domain_name(value)
    return "" if len(name) < _SHORTEST or name in _MAIL_SERVICES or name in _OTHERS else name


def best_url(entities: Sequence[Entity], roles: Sequence[Sequence[RoleMatch]], name: str) -> Found | None:
    """The merchant's web address. name: folded letters of the merchant's name."""
    ranked: list[tuple[float, Entity]] = []
    for entity in entities:
        if entity.kind != "url":
            continue
        domain = domain_name(entity.value)
        score = 0.75 if entity.rule == "www" else 0.65
        if any(other in domain for other in _OTHERS):
            score -= 0.5
        plain = "".join(c for c in domain if c.isalpha())
        own = bool(plain and name) and (plain in name or name in plain or plain[:5] == name[:5])
        score += 0.2 * own
        if not own and (_PORTAL.match(domain) or _STATE_DOMAIN.search(entity.value)):
            score -= 0.5
        if any(m.phrase.startswith(("survey", "feedback", "tellus")) for m in roles[entity.row]):
            score -= 0.2
        if score >= _LEAST:
            ranked.append((score, entity))
    if not ranked:
        return None
    ranked.sort(key=lambda r: (-r[0], r[1].row))
    score, entity = ranked[0]
    others = tuple((m.value, s) for s, m in ranked[1:4])
    return Found(_as_printed(entity.value), round(min(0.97, score), 3), (entity.row,), entity.rule, others)


def _as_printed(value: str) -> str:
    """Without blanks that the recogniser put between the parts, and a comma read for a point."""
    joined = re.sub(r"\s*([.:/])\s*", r"\1", value)
    return re.sub(r"(?<=\w)\s?,\s?(?=\w)", ".", joined)
