"""Checks a built site offline: pages load nothing from other hosts, and every internal link has a target.

python -m scripts.check_site build/site
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: (element, attribute) pairs that a browser loads automatically.
_LOADED = {
    ("script", "src"),
    ("img", "src"),
    ("image", "href"),
    ("iframe", "src"),
    ("source", "src"),
    ("use", "href"),
}
#: Kinds of <link> that a browser loads automatically.
_LOADED_LINKS = {"stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "manifest"}


class _Page(HTMLParser):
    """Collects the addresses that a page loads, its links, and its anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        self.loads += [value for name, value in given.items() if (tag, name) in _LOADED]
        if tag == "link" and set(given.get("rel", "").split()) & _LOADED_LINKS:
            self.loads.append(given.get("href", ""))
        if tag == "a" and "href" in given:
            self.links.append(given["href"])


def main() -> int:
    """Prints the faults; returns the exit status."""
    site = Path(sys.argv[1])
    pages = {path: _parsed(path) for path in sorted(site.rglob("*.html"))}
    found = [f"{path.relative_to(site)}: {what}" for path in pages for what in faults(path, site, pages)]
    print(
        "\n".join(found) or f"{len(pages)} pages, {sum(len(p.links) for p in pages.values())} links checked"
    )
    return bool(found) or not pages


def _parsed(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def faults(path: Path, site: Path, pages: dict[Path, _Page]) -> list[str]:
    """The faults of a page."""
    page = pages[path]
    found = [f"loads {address}" for address in page.loads if urlsplit(address).netloc]
    for address in dict.fromkeys((*page.loads, *page.links)):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            continue
        name = unquote(parts.path)
        start = site if name.startswith("/") else path.parent
        target = (start / name.lstrip("/")).resolve() if name else path
        if target.is_dir():
            target /= "index.html"
        if not target.is_file():
            found.append(f"{address} is not there")
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            found.append(f"{address} has no such anchor")
    return found


if __name__ == "__main__":
    raise SystemExit(main())
