"""A folder of region files of one's own: used beside the shipped ones, and checked."""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

import receipt_engine
from receipt_engine import own_regions, region_check
from receipt_engine.cli import main
from receipt_engine.errors import OptionError, RegionDataError
from receipt_engine.options import ExtractOptions
from receipt_engine.region import language_codes, load_region, region_codes

PORTUGAL = (Path(__file__).parent / "added" / "pt.toml").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def no_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Engines that other tests keep for the whole session are not in use meanwhile."""
    monkeypatch.setattr(own_regions, "_in_use", weakref.WeakSet())
    yield
    own_regions.use(None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one region, called Freedonia."""
    text = PORTUGAL.replace('code = "pt"', 'code = "xf"', 1)
    (tmp_path / "xf.toml").write_text(re.sub('name = ".*"', 'name = "Freedonia"', text, count=1), "utf-8")
    return tmp_path


def test_own_regions_join_the_shipped_ones(folder: Path) -> None:
    before = receipt_engine.regions()
    in_use = own_regions.use(folder)
    assert receipt_engine.regions() == {**before, "xf": "Freedonia"}
    assert ExtractOptions(region="xf").region == "xf"
    del in_use
    own_regions.use(None)
    assert receipt_engine.regions() == before


def test_an_own_file_takes_the_place_of_a_shipped_one(folder: Path) -> None:
    (folder / "xf.toml").rename(folder / "gb.toml")
    text = (folder / "gb.toml").read_text("utf-8").replace('code = "xf"', 'code = "gb"', 1)
    (folder / "gb.toml").write_text(text, "utf-8")
    in_use = own_regions.use(folder)
    assert load_region("gb").name == "Freedonia"
    del in_use


def test_one_process_has_one_set_of_regions(folder: Path) -> None:
    in_use = own_regions.use(folder)
    own_regions.use(folder)
    with pytest.raises(OptionError, match="another process"):
        own_regions.use(None)
    del in_use
    own_regions.use(None)


def test_a_wrong_file_leaves_the_former_regions(folder: Path) -> None:
    (folder / "xg.toml").write_text('code = "xg"\nnmae = "Nowhere"\n', encoding="utf-8")
    with pytest.raises(RegionDataError, match=r"xg\.toml.*nmae.*Did you mean 'name'"):
        own_regions.use(folder)
    assert "xf" not in region_codes()
    with pytest.raises(OptionError, match="no such folder"):
        own_regions.use(folder / "none")


def test_only_files_of_regions_are_taken(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (folder / "photos").mkdir()
    (folder / "photos" / "xf.toml").symlink_to(folder / "gone")
    (folder / "scan.png").symlink_to(folder / "gone")
    in_use = own_regions.use(folder)
    assert "xf" in region_codes()
    del in_use
    photos = tmp_path_factory.mktemp("photos")
    (photos / "1.jpg").touch()
    with pytest.raises(OptionError, match="no region file"):
        own_regions.use(photos)
    assert "xf" in region_codes()


@pytest.mark.parametrize("code", region_codes())
def test_shipped_regions_pass_the_check(code: str) -> None:
    assert region_check.region_problems(code) == []


@pytest.mark.parametrize("code", language_codes())
def test_shipped_languages_pass_the_check(code: str) -> None:
    assert region_check.language_problems(code) == []


def test_a_right_folder_is_said_to_be(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["regions", "check", str(folder)]) == 0
    assert "1 regions and 0 languages are valid" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "Freedonia"', 'nmae = "Freedonia"', "Did you mean 'name'"),
        ("sources = [", "sources = []\n_s = [", "unknown field"),
        ('code = "EUR"', 'code = "Euro"', "[currency] code is 'Euro'"),
        ('calling_code = "351"', 'calling_code = "352"', "calling code 351, not 352"),
        ("postcode = '", "postcode = '(", "not a valid regular expression"),
        ('amount = "', 'amount = "9', "should be 9"),
        ('amount = "', 'amount = "x', "write it as"),
    ],
)
def test_a_mistake_is_a_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    file = folder / "xf.toml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")
    assert main(["regions", "check", str(folder)]) == 1
    printed = capsys.readouterr().err
    assert "xf.toml" in printed and said in printed


def test_an_empty_folder_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["regions", "check", str(tmp_path)]) == 2
    assert "no region file" in capsys.readouterr().err


def test_regions_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["regions", "list", "--regions", str(folder)]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert "de  Germany" in listed and "xf  Freedonia" in listed


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("Germany", "Did you mean 'de' (Germany)?"),
        ("germny", "Did you mean 'de' (Germany)?"),
        ("Deutschland", "Did you mean 'de' (Germany)?"),
        ("usa", "Did you mean 'us'"),
        ("qq", "Known regions: ae, ar,"),
    ],
)
def test_an_unknown_region_names_the_nearest(given: str, hint: str) -> None:
    with pytest.raises(OptionError) as refused:
        ExtractOptions(region=given)
    assert hint in str(refused.value)
