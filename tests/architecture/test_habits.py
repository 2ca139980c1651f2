"""What the project's papers promise: files that exist, one version, one list of tasks, links that lead."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from receipt_engine import __version__

ROOT = Path(__file__).parents[2]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PAGES = sorted(
    path
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*/README.md"))
    if path.name != "SKILL.md"
)
#: [text](target) and ![text](target), outside code.
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def tasks() -> dict[str, list[str]]:
    """What people come to do → the files that CONTRIBUTING names for it."""
    section = CONTRIBUTING.partition("\n## What people come to do\n")[2].partition("\n## ")[0]
    parts = re.split(r"^\*\*", section, flags=re.MULTILINE)[1:]
    return {
        part.partition("**")[0]: re.findall(r"`((?:[\w-]+/)+[\w-]+\.\w+)`", part.partition("**")[2])
        for part in parts
    }


def test_a_strangers_tasks_are_told() -> None:
    assert len(tasks()) == 6


@pytest.mark.parametrize("task", tasks())
def test_a_task_takes_five_files_at_most_and_they_are_there(task: str) -> None:
    files = dict.fromkeys(tasks()[task])
    assert 0 < len(files) <= 5, task
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_where_things_live_is_where_they_are() -> None:
    section = CONTRIBUTING.partition("\n## Where things live\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.+?) \|", section, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
    package = ROOT / "receipt_engine"
    missing = [
        name
        for name in named
        if not any(any(base.glob(name.replace("<room>/", "*/").rstrip("/"))) for base in (ROOT, package))
    ]
    assert named and missing == []


def test_the_version_is_the_same_everywhere() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\d+\.\d+\.\d+)", changes, re.MULTILINE)
    assert newest is not None
    assert {str(citation["version"]), newest[1]} == {__version__}


def test_continuous_integration_runs_tasks_that_are_there() -> None:
    sessions = set(re.findall(r"^def (\w+)\(session", (ROOT / "noxfile.py").read_text("utf-8"), re.MULTILINE))
    workflow = (ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8")
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    run = {word for words in re.findall(r"nox -s ([a-z ]+)", workflow) for word in words.split()}
    run |= set(re.findall(r"\btask (\w+)", script))
    assert run and run <= sessions
    assert {"style", "types", "docs", "tests", "distributions"} <= run


def test_the_workflow_tests_every_python_that_is_promised() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = {c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r":: 3\.\d+$", c)}
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8"))
    matrix = workflow["jobs"]["tests"]["strategy"]["matrix"]
    assert set(matrix["python"]) == promised
    assert {system.partition("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}


@pytest.mark.parametrize(
    "file",
    sorted(
        [
            *(ROOT / ".github").rglob("*.yml"),
            ROOT / ".pre-commit-config.yaml",
            ROOT / "CITATION.cff",
        ]
    ),
    ids=lambda path: path.name,
)
def test_settings_are_sound_yaml(file: Path) -> None:
    assert yaml.safe_load(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    """Files beside the page, and headings within pages; nothing is asked of a network."""
    lost = []
    for target in LINK.findall(_prose(page)):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in _anchors(file)):
            lost.append(target)
    assert lost == []


def _prose(page: Path) -> str:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]+`", "`", text)


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}
