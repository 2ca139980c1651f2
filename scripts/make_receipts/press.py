"""Bundles the state that the printing modules share: the sale, the till's style, the rows, the truth."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from receipt_engine.result import LineType
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.figures import Clock, Figures
from scripts.make_receipts.sale import Sale
from scripts.make_receipts.speech import Speech
from scripts.make_receipts.style import Style
from scripts.make_receipts.tape import Tape, columns
from scripts.make_receipts.truth import Book
from scripts.make_receipts.vocabulary import Country


@dataclass(slots=True)
class Press:
    """One receipt while it is being printed."""

    sale: Sale
    country: Country
    style: Style
    speech: Speech
    figures: Figures
    clock: Clock
    tape: Tape
    book: Book
    dice: Dice

    def say(self, purpose: str, *, room: int = 0) -> str:
        """This receipt's phrase in this till's spelling; with `room`, one of at most that many columns."""
        text = self.style.ink(self.speech.both(purpose), self.style.upper_labels)
        if room and columns(text) > room:
            shorter = [self.label(phrase) for phrase in self.speech.all(purpose)]
            fitting = [phrase for phrase in shorter if columns(phrase) <= room]
            text = fitting[0] if fitting else text
        return text

    def fresh(self, purpose: str) -> str:
        """A phrase that may differ each time."""
        return self.style.ink(self.speech.fresh(purpose), self.style.upper_labels)

    def label(self, text: str) -> str:
        """A label's text as this till prints it."""
        return self.style.ink(text, self.style.upper_labels)

    def tagged(self, purpose: str, value: str) -> str:
        """``Label: value``, or the value alone when there is no word for it."""
        word = self.say(purpose)
        colon = self.style.colon.lstrip(".") if word.endswith(".") else self.style.colon
        return f"{word}{colon} {value}" if word else value

    def money(self, value: Decimal, *, lines: bool = True) -> str:
        """An amount of the totals block."""
        return self.figures.money(value, sign=self.style.sign_lines if lines else True)

    def amount_line(
        self, text: str, value: Decimal, kind: LineType | None, *, style: str = "", sign: bool | None = None
    ) -> None:
        """Prints and records a row of the totals block."""
        shown = self.style.sign_lines if sign is None else sign
        printed = self.tape.pair(text, self.figures.money(value, sign=shown), style)
        self.book.total_line(printed, value, kind)

    def said_line(self, purpose: str, value: Decimal, kind: LineType | None, *, style: str = "") -> None:
        """Prints and records a row of the totals block with this receipt's phrase for a purpose."""
        amount = self.money(value)
        room = self.tape.room(style) - columns(amount) - 1
        self.amount_line(self.say(purpose, room=room), value, kind, style=style)
