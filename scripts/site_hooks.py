"""Hooks of the documentation's build (`mkdocs.yml`): include pages from outside `docs`, and rewrite links.

Pages link as they do in the repository, so that the links work there too. On the site a link to a file that
has a page leads to that page; a link to any other file of the repository becomes its text.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_REPORTS = ("accuracy", "unseen", "speed", "merchants", "broken-files", "mutation")
#: Files outside `docs` that have a page → its name on the site.
PAGES = {
    "regions/README.md": "region-files.md",
    "benchmarks/README.md": "benchmarks-manual.md",
    "models/README.md": "models.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    **{f"benchmarks/reports/{name}.md": f"reports/{name}.md" for name in _REPORTS},
}
_SOURCES = {page: source for source, page in PAGES.items()}
_LINK = re.compile(r"(?P<bang>!?)\[(?P<text>[^\]\n]*)\]\((?P<target>[^)\s]+)\)")
_CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_REST = "More"


def on_config(config: Any) -> Any:
    """Adds pages that the navigation does not list."""
    listed = set(_listed(config["nav"]))
    docs = Path(config["docs_dir"])
    rest = [p.relative_to(docs).as_posix() for p in sorted(docs.rglob("*.md"))]
    more = [page for page in rest if page not in listed and not page.startswith("service/examples/")]
    if more:
        config["nav"] = [*config["nav"], {_REST: more}]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Adds the pages from outside `docs`."""
    from mkdocs.structure.files import File

    for source, page in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Converts the repository's links to the site's."""
    return rewrite(markdown, page.file.src_uri)


def rewrite(markdown: str, page: str) -> str:
    """The text of a page with its links on the site. page: the page's name there.

    >>> rewrite("[files](../regions/README.md), [code](../receipt_engine/engine.py)", "options.md")
    '[files](region-files.md), code'
    """
    source = _SOURCES.get(page, f"docs/{page}")

    def link(match: re.Match[str]) -> str:
        target, hash_, anchor = match["target"].partition("#")
        if not target or re.match(r"[a-z]+:", target):
            return match[0]
        file = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        there = PAGES.get(file) or (file.removeprefix("docs/") if file.startswith("docs/") else None)
        if there is None or (there.startswith("service/") and not there.endswith(".md")):
            return "" if match["bang"] else match["text"]
        way = posixpath.relpath(there, posixpath.dirname(page) or ".")
        return f"{match['bang']}[{match['text']}]({way}{hash_}{anchor})"

    parts = _CODE.split(markdown)
    return "".join(part if part.startswith("```") else _LINK.sub(link, part) for part in parts)


def _listed(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    entries = nav.values() if isinstance(nav, dict) else nav
    return [page for entry in entries for page in _listed(entry)]
