"""Prints the header of a receipt: merchant, address, registration numbers, date and time."""

from __future__ import annotations

from scripts.make_receipts.merchant import person
from scripts.make_receipts.press import Press
from scripts.make_receipts.tape import columns, wrap


def print_head(press: Press) -> None:
    """Prints name, address, phone and numbers."""
    merchant, dice, tape = press.sale.merchant, press.dice, press.tape
    upper = dice.chance(press.country.capitals)
    center = press.style.header
    name = press.style.ink(merchant.name, upper)
    if dice.chance(0.1) and press.speech.knows("welcome"):
        tape.line(press.say("welcome"), center)
    _print_name(press, name)
    press.book.set("establishment", name)
    if merchant.legal:
        legal = press.style.ink(merchant.legal, upper)
        tape.line(legal, center)
        press.book.also("establishment", legal)
    parts = [_print_address, _print_phone]
    if dice.chance(0.12):
        parts.reverse()
    for part in parts:
        part(press, upper)
    _print_numbers(press)
    if merchant.url and dice.chance(0.35):
        print_url(press)


def _print_name(press: Press, name: str) -> None:
    dice, tape = press.dice, press.tape
    style = dice.pick(("bold", "bold", "big bold", "big", "tall", "tall bold", "", "logo", "logo"))
    if style == "logo" and columns(name) <= 22:
        tape.logo(name)
        return
    if style == "logo" or ("big" in style and columns(name) > tape.room("big")):
        style = "bold"
    tape.line(name, f"{press.style.header} {style}".strip())


def _print_address(press: Press, upper: bool) -> None:
    place = press.sale.merchant.place
    upper = upper and press.dice.chance(0.8)
    lines = [press.style.ink(line, upper) for line in place.lines]
    if press.dice.chance(0.25) and columns(", ".join(lines)) <= press.tape.width:
        lines = [", ".join(lines)]
    whole = ", ".join(line.rstrip(",") for line in lines)
    lines = [part for line in lines for part in _broken(line, press.tape.width)]
    for line in lines:
        press.tape.line(line, press.style.header)
    press.book.set("address", ", ".join(line.rstrip(",") for line in lines), whole)
    parts = {part: press.style.ink(value, upper) if value else None for part, value in place.parts.items()}
    press.book.set("address_norm", parts)


def _broken(line: str, width: int) -> list[str]:
    """A long line broken after its commas, else between words."""
    if columns(line) <= width:
        return [line]
    head, comma, tail = line[: width + 1].rpartition(",")
    if comma and head:
        return [f"{head},", *_broken((tail + line[width + 1 :]).strip(), width)]
    return wrap(line, width)


def _print_phone(press: Press, upper: bool) -> None:
    merchant, dice = press.sale.merchant, press.dice
    center = press.style.header
    press.book.set("phone_number", merchant.phone)
    if merchant.phone:
        word = press.say("phone")
        glue = dice.pick((": ", " ", ":") if word.endswith(".") else (": ", " ", ". ", ":"))
        text = merchant.phone if dice.chance(0.1) or not word else f"{word}{glue}{merchant.phone}"
        if merchant.fax and press.speech.knows("fax"):
            fax = f"{press.say('fax')}{glue}{merchant.fax}"
            joined = f"{text} {fax}"
            if columns(joined) <= press.tape.width and dice.chance(0.5):
                press.tape.line(joined, center)
                return
            press.tape.line(text, center)
            press.tape.line(fax, center)
            return
        press.tape.line(text, center)
    if merchant.email:
        press.tape.line(merchant.email, center)


def _print_numbers(press: Press) -> None:
    merchant = press.sale.merchant
    glue = press.dice.pick((": ", " ", ":", " : "))
    for at, (word, value) in enumerate(merchant.ids):
        text = f"{word}{glue}{value}"
        if columns(text) > press.tape.width:
            press.tape.line(word, press.style.header)
            text = value
        press.tape.line(text, press.style.header)
        if at == 0 and merchant.taxed:
            press.book.custom["VATNumber"] = value


def print_url(press: Press) -> None:
    """Prints the web address, once."""
    url = press.sale.merchant.url
    if url and len(url) <= press.tape.width and press.book.values.get("url") is None:
        text = url.upper() if press.dice.chance(0.1) else url
        press.tape.line(text, "center")
        press.book.set("url", text)


def print_meta(press: Press) -> None:
    """Prints date, time, receipt number, till and staff, on few or many rows."""
    dice, speech = press.dice, press.speech
    date = _date_texts(press)
    others = []
    if dice.chance(0.75):
        number = dice.digits(dice.pick(_receipt_patterns(press)))
        others.append(press.tagged("receipt_no", number))
        if speech.knows("receipt_no"):
            press.book.custom["ReceiptNumber"] = number
    if dice.chance(0.4) and speech.knows("cashier"):
        name = person(speech.tongue, press.country, dice)
        others.append(press.tagged("cashier", press.label(name)))
    if dice.chance(0.3) and speech.knows("till"):
        others.append(press.tagged("till", dice.digits(dice.pick(("#", "##", "0#")))))
    for fact in ("table", "guests"):
        if fact in press.sale.facts and speech.knows(fact) and dice.chance(0.7):
            others.append(press.tagged(fact, press.sale.facts[fact]))
    rows = [*others]
    rows[dice.pick((0, 0, len(rows))) : 0] = date
    _pack(press, rows)
    press.book.set("date", press.clock.truth(press.sale.moment))
    press.book.set("date_iso", press.clock.truth(press.sale.moment).replace(" ", "T"))


def _receipt_patterns(press: Press) -> tuple[str, ...]:
    return tuple(pattern.strip() for pattern in press.country.receipts.split("|"))


def _date_texts(press: Press) -> list[str]:
    """One text for date and time, or two labelled ones."""
    dice, clock, moment = press.dice, press.clock, press.sale.moment
    day, time = clock.date(moment), clock.clock(moment)
    if not time:
        return [press.tagged("date", day) if dice.chance(0.7) else day]
    form = dice.weighted({"bare": 3, "labelled": 3, "two": 2, "time_first": 0.3})
    if form == "bare":
        return [f"{day} {time}"]
    if form == "time_first":
        return [f"{time} {day}"]
    if form == "two" and press.speech.knows("time"):
        return [press.tagged("date", day), press.tagged("time", time)]
    return [press.tagged("date", f"{day} {time}")]


def _pack(press: Press, texts: list[str]) -> None:
    """Prints the texts; if the till packs rows, two neighbours share one where they fit."""
    pack, width = press.dice.chance(0.6), press.tape.width
    at = 0
    while at < len(texts):
        here = texts[at]
        following = texts[at + 1] if at + 1 < len(texts) else None
        if pack and following is not None and columns(here) + columns(following) + 2 <= width:
            press.tape.pair(here, following)
            at += 2
            continue
        press.tape.line(here)
        at += 1
