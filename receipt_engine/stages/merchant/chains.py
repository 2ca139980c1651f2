"""Names a shop by its web address: a chain whose logo was not read, or a web shop."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from rapidfuzz import fuzz

from receipt_engine.document import Entity, Found, ParsedLine
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.vocabulary.brands import brand_of_site
from receipt_engine.vocabulary.domains import domain_kind, domain_name
from receipt_engine.vocabulary.legal_forms import has_legal_form, prefers_legal_name
from receipt_engine.vocabulary.normalise import letters

#: From this similarity on, in percent, a row may be the chain's logo, misread.
_ALIKE = 70
#: Confidence when only a chain's web address is printed: the shop may be another one of the same group.
_BY_SITE = 0.8
#: Confidence that a web address in the first row is the shop's name.
_HEADING = 0.6
#: Most rows from it down to its company.
_BELOW_SITE = 2
#: Confidence that the only web address of a page without a name is the shop's.
_ONLY = 0.5


def by_web_address(name: Found, segments: Sequence[Segment], entities: Sequence[Entity]) -> Found:
    """The chain whose web address is printed, where no row of the header shows its name; else `name`. A card
    or a survey may show it below.

    A name with a legal form is kept. Web addresses of two chains decide nothing, nor does one where the
    chain's name has more words: the web shop is not its chain of shops.
    """
    sites = [e for e in entities if e.name and not _is_of_provider(e.value, name.value)]
    found = ((e, brand_of_site(e.name)) for e in sites)
    chains = {e.row: chain for e, chain in found if chain and not _is_longer(chain, e)}
    if len(set(chains.values())) != 1 or has_legal_form(name.value):
        return name
    row, chain = next(iter(chains.items()))
    keys = {letters(chain), *(letters(e.name) for e in entities if e.name and e.row in chains)}
    head = [letters(own.rest) for own in segments if own.run.zone == "header"]
    if any(fuzz.partial_ratio(key, text) >= _ALIKE for key in keys for text in (letters(name.value), *head)):
        return name
    others = ((name.value, name.confidence), *name.runners_up)
    return replace(
        name, value=chain, confidence=_BY_SITE, lines=(row,), rule="web address of a chain", runners_up=others
    )


def _is_longer(chain: str, site: Entity) -> bool:
    return letters(chain).startswith(letters(site.name)) and letters(chain) != letters(site.name)


def heading_site(rows: Sequence[ParsedLine], entities: Sequence[Entity]) -> Found | None:
    """The web address alone in the first row, as a web shop's name; None without one."""
    first = next((at for at, row in enumerate(rows) if any(map(str.isalnum, row.text))), None)
    for site in entities:
        if site.row == first and site.name and rows[site.row].text.strip() == site.value:
            return Found(site.value, _HEADING, (site.row,), "web address in the first row")
    return None


def by_heading_site(name: Found, heading: Found) -> Found:
    """The web address that heads the page, where it is printed like a web shop above a company of another
    name: "kettle.example" above "Copper Holdings Ltd"; else `name`."""
    site = domain_name(heading.value)
    plain = (
        "/" not in heading.value and heading.value.lower().startswith(site) and not domain_kind(heading.value)
    )
    company = has_legal_form(name.value) and not prefers_legal_name(name.value)
    below = 0 < name.lines[0] - heading.lines[0] <= _BELOW_SITE
    if not (plain and company and below) or fuzz.partial_ratio(letters(site), letters(name.value)) >= _ALIKE:
        return name
    return replace(heading, runners_up=((name.value, name.confidence), *name.runners_up))


def only_site(rows: Sequence[ParsedLine], entities: Sequence[Entity]) -> Found | None:
    """The web address alone in its row, where no other is printed but e-mail addresses of the same domain: a
    web shop's name where its logo has no letters. None without one."""
    sites = [e for e in entities if e.kind in ("url", "email") and domain_kind(e.value) is None]
    alone = [e for e in sites if e.kind == "url" and e.name and rows[e.row].text.strip() == e.value]
    if not alone or len({domain_name(e.value) for e in sites}) != 1:
        return None
    return Found(alone[0].value, _ONLY, (alone[0].row,), "only web address")


def _is_of_provider(value: str, name: str) -> bool:
    """Whether a web address is an e-mail address that has the shop's name before "@", and so a mail
    provider's behind it: "kettlecafe@mail.example"."""
    local, at, _ = value.partition("@")
    return bool(at) and fuzz.partial_ratio(letters(local), letters(name)) >= _ALIKE
