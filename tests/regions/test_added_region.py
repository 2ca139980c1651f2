"""Countries and languages are added by data files alone: the package is copied without them, the files are
put in, and receipts of the new countries are read as well as those of countries that were there.

They are Portugal, whose language stays and whose file in `added/` was written from the guide alone, and
Denmark and Finland with their languages. Finnish shares no word with any other. `added/drawn/` is what
`scripts/make_receipts` prints there, in words chosen by what tills print and not by what the language files
know.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import receipt_engine
from benchmarks.datasets.truth_form import labels, sample
from benchmarks.scoring import fields, matching
from receipt_engine import assets
from receipt_engine.vocabulary.normalise import squeeze

HERE = Path(__file__).parent
ADDED = HERE / "added"
REPOSITORY = HERE.parents[1]
NEW, SHIPPED = ("pt", "dk", "fi"), ("se", "de", "gb")
#: All that is known of the new countries and their languages.
OWN_FILES = ("pt.toml", "dk.toml", "fi.toml", "languages/da.toml", "languages/fi.toml")
#: Eight receipts a round.
ROUNDS = 5
#: What a new country may lack of the shipped ones: points of all fields together, and of any one of them. A
#: field of one receipt in forty is two and a half points.
POOLED, FIELD = 3.0, 8.0
SCORED = (
    "establishment",
    "address",
    "phoneNumber",
    "paymentMethod",
    "documentType",
    "customFields.ReceiptNumber",
    "taxes",
    "total",
    "date",
    "currency",
)
#: Roles whose words are units, which many languages write alike.
UNITS = ("quantity", "weight")

Read = dict[str, Any]
Scores = dict[str, float]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, the regions and the scripts to which the new files were added, nothing else."""
    folder = tmp_path_factory.mktemp("package")
    without_caches = shutil.ignore_patterns("__pycache__", "_data")
    shutil.copytree(Path(receipt_engine.__file__).parent, folder / "receipt_engine", ignore=without_caches)
    shutil.copytree(REPOSITORY / "scripts", folder / "scripts", ignore=without_caches)
    shutil.copytree(assets.folder("regions"), folder / "regions")
    for file in OWN_FILES:
        (folder / "regions" / file).unlink()
    (folder / "models").symlink_to(assets.folder("models"))
    for code in NEW:
        refused = _python(
            folder, "-c", f"from receipt_engine.region import load_region; load_region({code!r})"
        )
        assert refused.returncode != 0
        assert f"There is no region {code!r}" in refused.stderr
    for file in OWN_FILES:
        shutil.copy(
            (ADDED if file == "pt.toml" else assets.folder("regions")) / file, folder / "regions" / file
        )
    shutil.copytree(ADDED / "drawn", folder / "scripts" / "make_receipts" / "data", dirs_exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def scores(copy: Path) -> dict[str, Scores]:
    """Region, or "shipped" for all of those → field → percent right of receipts read as text by the copy."""
    receipts = _read(copy, "texts", ",".join((*NEW, *SHIPPED)), str(ROUNDS))
    assert len(receipts) == ROUNDS * 8 * len((*NEW, *SHIPPED))
    found = {code: _scores([r for r in receipts if r["region"] == code]) for code in NEW}
    found["shipped"] = _scores([r for r in receipts if r["region"] in SHIPPED])
    for field in found["shipped"]:
        print(f"{field:28}", *(f"{code} {score[field]:5.1f}" for code, score in found.items()))
    return found


def _read(copy: Path, *what: str) -> list[Read]:
    done = _python(copy, str(HERE / "read_drawn.py"), *what)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def _python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )


def _scores(receipts: list[Read]) -> Scores:
    """Percent right of every field, of merchants beside a printed customer, of items (F1), and of all."""
    right: dict[str, list[bool]] = defaultdict(list)
    items = matching.Counts()
    for receipt in receipts:
        verdicts = _verdicts(receipt)
        for field, verdict in verdicts.items():
            right[field].append(verdict)
        if receipt["customer"]:
            right["customer"].append(verdicts["establishment"] and verdicts["address"])
        labelled = sample(receipt | {"id": ""}, "drawn", Path()).items
        assert labelled is not None
        items += matching.count_items(labelled, receipt["result"]["lineItems"])
    scores = {field: 100 * sum(found) / len(found) for field, found in right.items()}
    scores["items"] = 100 * items.f1
    scores["all"] = 100 * sum(map(sum, right.values())) / sum(map(len, right.values()))
    return scores


def _verdicts(receipt: Read) -> dict[str, bool]:
    known = labels(receipt["truth"])
    return {
        field: fields.judge(known[field], field, fields.answer(receipt["result"], field))
        is fields.Verdict.RIGHT
        for field in SCORED
        if field in known
    }


@pytest.mark.parametrize("code", NEW)
def test_a_new_country_is_read_as_well_as_shipped_ones(scores: dict[str, Scores], code: str) -> None:
    new, shipped = scores[code], scores["shipped"]
    assert new.keys() == shipped.keys()
    assert new["all"] >= shipped["all"] - POOLED, (new, shipped)
    assert {field for field in new if new[field] < shipped[field] - FIELD} == set(), (new, shipped)


@pytest.mark.needs("a font with accents")
@pytest.mark.parametrize("code", NEW)
def test_a_picture_from_a_new_country_is_read(copy: Path, code: str) -> None:
    (picture,) = _read(copy, "picture", code)
    verdicts = _verdicts(picture)
    assert [f for f in ("total", "date", "currency", "taxes", "establishment") if not verdicts[f]] == []
    assert len(picture["result"]["lineItems"]) == len(picture["truth"]["lineItems"])


def test_the_examples_of_the_new_files_are_run(copy: Path) -> None:
    """They pass the tests that every file passes."""
    tests = copy / "tests"
    shutil.copytree(HERE, tests, ignore=shutil.ignore_patterns("__pycache__", "test_added_region.py"))
    chosen = " or ".join(f"[{code}" for code in (*NEW, "da"))
    options = ("-q", "-p", "no:cacheprovider", "-k", chosen)
    files = [str(tests / f"test_{name}.py") for name in ("examples", "files")]
    done = _python(copy, "-m", "pytest", *options, *files)
    assert done.returncode == 0, done.stdout


def test_finnish_shares_few_words_with_ours() -> None:
    regions = assets.folder("regions")
    own = [regions / "fi.toml", regions / "languages" / "fi.toml"]
    files = [p for p in regions.glob("**/*.toml") if "elsewhere" not in p.parts and p not in own]
    ours = {phrase for path in files for phrase in _phrases(path)}
    international = {
        "bonus", "brutto", "gsm", "kassa", "kassaid", "mobilepay", "netto", "nettosumma", "pinok",
    }  # fmt: skip
    international |= {"saldo", "summa", "tel", "tip", "faksi", "hei", "krs", "saaja"}
    assert _phrases(own[1]) & ours - international == {"pvm"}, "a date in Finnish, the tax in Lithuanian"


def _phrases(path: Path) -> set[str]:
    """The keys of a file's phrases, units aside."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    listed = [ws for role, ws in data.get("words", {}).items() if role not in UNITS]
    listed += data.get("terms", {}).values()
    plain = (word["text"] if isinstance(word, dict) else word for words in listed for word in words)
    return {squeeze(word.strip("*")) for word in plain}
