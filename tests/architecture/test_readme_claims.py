"""Every statement, figure and command of the README has a test or a committed report behind it.

`readme.toml` lists them. A figure must stand in the report that is named for it, or be one of its figures
rounded; a figure that no claim covers fails.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from receipt_engine import regions
from receipt_engine.region import load_region

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CLAIMS: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "readme.toml").read_text(encoding="utf-8")
)["claim"]
FIGURE = re.compile(r"(?<![\w.,/-])\d+(?:[.,]\d+)*(?![\w/-])")
#: Of binary fractions.
_FUZZ = 1e-9
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def plain(text: str) -> str:
    """Text as it is read: one line, links as what they say."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


def statements() -> list[str]:
    """Paragraphs, entries of lists and rows of tables, without headings, code and pictures."""
    text = FENCED.sub("\n\n", README)
    text = re.sub(r"^#.*$|^!\[.*$", "", text, flags=re.MULTILINE)
    parts = re.split(r"\n\s*\n|\n(?=- |\|)", text)
    return [plain(p) for p in parts if p.strip() and not re.fullmatch(r"\|[-:| ]+\|?", p.strip())]


def commands() -> list[str]:
    """The commands of blocks without a language."""
    lines = [line for language, block in FENCED.findall(README) if not language for line in block.split("\n")]
    return [line for line in lines if re.match(r"(receipt-engine|python|bash|pip) ", line)]


def number(text: str) -> float:
    return float(text.replace(",", ""))


def stands_in(figure: str, report: str) -> bool:
    """Whether a report has a figure, or one that is rounded to it."""
    digits = len(figure.partition(".")[2])
    return any(
        abs(number(found) - number(figure)) <= 0.5 * 10**-digits + _FUZZ
        for found in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", report)
    )


def follows(figure: str, source: str, report: str) -> bool:
    """Whether a figure is what a report has, or a sum or difference of figures that it has: "336 + 238"."""
    parts = re.findall(r"([+-]?)\s*([\d.,]+)", source)
    value = sum(number(digits) * (-1 if sign == "-" else 1) for sign, digits in parts)
    same = abs(value - number(figure)) <= 0.5 * 10 ** -len(figure.partition(".")[2]) + _FUZZ
    return same and all(stands_in(digits, report) for _, digits in parts)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["says"][:50])
def test_a_claim_is_in_the_readme_and_is_held(claim: dict[str, Any]) -> None:
    text = plain(FENCED.sub(" ", README)) if not claim.get("command") else README
    assert claim["says"] in text, "the README does not say this any more"
    assert claim.get("tests") or claim.get("reports"), "name a test or a report"
    for name in claim.get("tests", ()):
        file, _, test = name.partition("::")
        assert (ROOT / file).exists(), file
        assert not test or f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), name
    reports = "\n".join((ROOT / file).read_text(encoding="utf-8") for file in claim.get("reports", ()))
    if reports:
        given = claim.get("is", {})
        lost = [f for f in FIGURE.findall(claim["says"]) if not follows(f, given.get(f, f), reports)]
        assert lost == [], f"not in {claim['reports']}"


def test_every_statement_has_a_claim() -> None:
    said = [claim["says"] for claim in CLAIMS if not claim.get("command")]
    bare = [text for text in statements() if not any(claim in text for claim in said)]
    assert bare == [], "say in readme.toml what holds it"


def test_every_figure_is_in_a_claim() -> None:
    said = [claim["says"] for claim in CLAIMS if not claim.get("command")]
    bare = []
    for text in statements():
        for claim in said:
            text = text.replace(claim, " ")
        bare += [f"{figure} in {text[:70]!r}" for figure in FIGURE.findall(text)]
    assert bare == [], "say in readme.toml what holds them"


def test_every_command_has_a_claim() -> None:
    known = [claim["says"] for claim in CLAIMS if claim.get("command")]
    assert [line for line in commands() if not any(line.startswith(start) for start in known)] == []


def test_the_counts_of_regions_and_languages_are_true() -> None:
    told = re.search(r"(\d+) regions and (\d+) languages", README)
    assert told is not None
    languages = {language for code in regions() for language in load_region(code).languages}
    assert (int(told[1]), int(told[2])) == (len(regions()), len(languages))


def test_a_figure_is_found_rounded_and_no_other_is() -> None:
    report = "| 569.8 | 0.746 | 1030.1 |"
    assert stands_in("570", report) and stands_in("0.75", report) and stands_in("1,030", report)
    assert not stands_in("0.74", report) and not stands_in("571", report)
