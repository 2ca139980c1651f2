"""Finds document titles, greetings and other words about the sale in a text run."""

from __future__ import annotations

import re

from receipt_engine.document import RoleMatch
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.merchant.text_runs import TextRun
from receipt_engine.vocabulary import term_at_start
from receipt_engine.vocabulary.normalise import count_letters, letters

#: Roles of phrases that are never a name when they cover a run.
TITLES = frozenset((
    "invoice", "receipt", "footer", "header", "cashier", "receipt_number", "void", "column", "rounding",
    "total", "subtotal", "tax", "total_tax", "card", "cash", "change", "date", "time", "phone", "fax",
    "tax_id", "loyalty", "item_count", "discount", "savings", "balance", "not_date", "suggested", "service",
))  # fmt: skip
#: A document title with at least this many letters is never a shop's name.
_LONG_TITLE = 12
_BRACKETS = re.compile(r"\([^)]*\)")


def is_title(run: TextRun) -> bool:
    """Whether the run is only a document title or a greeting. A long title counts even with a low weight for
    its kind of document ("SIMPLIFIED TAX INVOICE")."""
    total = count_letters(run.text)
    return any(
        m.role in ("invoice", "receipt", "header", "footer")
        and (m.weight >= 0.55 or (m.role in ("invoice", "receipt") and len(m.phrase) >= _LONG_TITLE))
        and len(m.phrase) >= 0.9 * total
        for m in run.roles
    )


def title_share(run: TextRun) -> float:
    """The share of a run's letters that phrases about the sale cover (`TITLES`)."""
    if not run.roles:
        return 0.0
    total = count_letters(run.text)
    spans = sorted(
        {(m.start, m.end) for m in run.roles if m.role in TITLES and m.weight >= LIKELY and len(m.phrase) > 2}
    )
    covered = 0
    end = -1
    for start, stop in spans:
        start = max(start, end)
        covered += count_letters(run.text[start - run.start : max(0, stop - run.start)])
        end = max(end, stop)
    return min(1.0, covered / total) if total else 0.0


def without_titles(rest: str, run: TextRun) -> str:
    """The text without "TAX INVOICE" and the like before or behind other words, and bracketed text behind."""
    spans = [
        (_with_tax(match, run) - run.start, match.end - run.start)
        for match in run.roles
        if match.role in ("invoice", "receipt") and match.weight >= 0.55 and len(match.phrase) >= 5
    ]
    if not spans or term_at_start(rest, "welcome") is not None:  # "Receipt from Kettle"
        return rest
    kept = list(rest)
    for start, end in spans:
        kept[start:end] = " " * (end - start)
    for start, end in spans:
        kept[start:end] = rest[start:end]
        before, behind = "".join(kept[:start]), _BRACKETS.sub(" ", "".join(kept[end:]))
        if bool(letters(before)) != bool(letters(behind)):
            kept[start:end] = " " * (end - start)
            if not letters(behind):
                kept[end:] = " " * (len(kept) - end)
    return "".join(kept)


def _with_tax(title: RoleMatch, run: TextRun) -> int:
    """Start of a title, including a word for a tax right before it ("TAX INVOICE")."""
    taxes = (m.start for m in run.roles if m.role in ("tax", "total_tax") and 0 <= title.start - m.end <= 1)
    return min(taxes, default=title.start)
