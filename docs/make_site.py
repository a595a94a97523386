"""Builds the site from docs/: run `python docs/make_site.py`, then open what it says.

MkDocs with Material makes it (`pip install 'dslgame[site]'`); links are checked, and nothing is loaded from other
places. The playground needs npm, which fetches Pyodide; `--without-playground` leaves it out. `--serve` shows the site
on this machine, as search and the playground do not work from files.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import logging
import os
import re
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
for folder in (ROOT, ROOT / "docs"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

BOOK = ("language.md", "how-do-i-say.md", "cheat-sheet.md", "patterns.md", "comparison.md", "editors.md")
USING = ("command.md", "web.md", "matches.md", "solutions.md", "certificates.md", "laboratory.md", "cluster.md")
PROGRAMS = ("python.md", "environments.md", "javascript.md", "gpu.md", "hooks.md")
INSIDE = ("compiler.md", "extending.md", "testing.md", "glossary.md")
OTHERS = ("index.md", "tutorial.md", "gallery.md", "games.md", "diagnostics.md", "changelog.md", "playground.md")
"""Pages with a place of their own in the navigation."""


class Broken(Exception):
    """The site cannot be built, or has links that lead nowhere; the text says what."""


def build(to: Path, *, playground: bool = True) -> None:
    """Build the site into a folder, which is emptied before. Raises Broken."""
    try:
        from mkdocs.commands.build import build as build_site
        from mkdocs.config import load_config
        from mkdocs.exceptions import MkDocsException

        from dslgame.editing.pygments_lexer import GameLexer, PatternLexer
    except ImportError:
        raise Broken("MkDocs is missing: pip install 'dslgame[site]'") from None
    import make_playground
    import site_pages
    from pygments.lexers import LEXERS

    # A checkout may be installed from before these lexers were its entry points.
    for lexer in (GameLexer, PatternLexer):
        LEXERS[lexer.__name__] = (lexer.__module__, lexer.name, tuple(lexer.aliases), tuple(lexer.filenames), ())
    with tempfile.TemporaryDirectory() as folder:
        sources, settings = Path(folder) / "docs", Path(folder) / "mkdocs.yml"
        sources.mkdir()
        settings.write_text("site_name: dslgame\n", encoding="utf-8")
        site_pages.write_all(sources, playground=playground)
        counter = _Counter()
        logging.getLogger("mkdocs").addHandler(counter)
        try:
            build_site(load_config(str(settings), **configuration(sources, to, playground=playground)))
        except MkDocsException as problem:
            raise Broken("\n".join([*counter.messages, str(problem)])) from None
        finally:
            logging.getLogger("mkdocs").removeHandler(counter)
        if counter.messages:
            raise Broken("\n".join(counter.messages))
    if playground:
        try:
            make_playground.write(to / "playground")
        except make_playground.Missing as problem:
            raise Broken(f"{problem}; --without-playground leaves the playground out") from None
    found = problems(to)
    if found:
        raise Broken("\n".join(found))


def configuration(sources: Path, to: Path, *, playground: bool) -> dict[str, Any]:
    """The settings of MkDocs."""
    import site_pages
    from pymdownx.slugs import slugify

    games = [{genre: [f"games/{name}.md" for name in names]} for genre, names in site_pages.by_genre().items()]
    known = {*BOOK, *USING, *PROGRAMS, *INSIDE, *OTHERS}
    left = [path.name for path in sorted(sources.glob("*.md")) if path.name not in known]
    nav: list[object] = [
        {"Home": "index.md"}, {"Tutorial": "tutorial.md"}, *([{"Playground": "playground.md"}] if playground else []),
        {"Book": list(BOOK)}, {"Games": [{"Gallery": "gallery.md"}, {"Lists": "games.md"}, *games]},
        {"Using": [*USING, *left]}, {"Programs": [*PROGRAMS, *(
            {module: f"reference/{module}.md"} for module in site_pages.REFERENCE)]},
        {"Diagnostics": "diagnostics.md"}, {"Inside": list(INSIDE)}, {"Changelog": "changelog.md"}]
    return {
        "site_name": "dslgame", "docs_dir": str(sources), "site_dir": str(to), "nav": nav, "strict": False,
        "extra_css": ["site.css"],
        "theme": {"name": "material", "font": False, "features": [
            "navigation.tabs", "navigation.indexes", "navigation.top", "navigation.prune", "search.highlight",
            "content.code.copy", "toc.follow"],
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "indigo",
                 "toggle": {"icon": "material/weather-night", "name": "Dark"}},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "indigo",
                 "toggle": {"icon": "material/weather-sunny", "name": "Light"}}]},
        "plugins": ["search", {"mkdocstrings": {"handlers": {"python": {"paths": [str(ROOT)], "options": {
            "show_source": False, "show_root_heading": False, "show_root_toc_entry": False, "members_order": "source",
            "separate_signature": True, "show_signature_annotations": True, "heading_level": 2,
            "filters": ["!^_"], "allow_inspection": True, "show_if_no_docstring": False}}}}}],
        "markdown_extensions": ["tables", "attr_list", "md_in_html", "admonition", "sane_lists",
                                {"toc": {"permalink": True, "slugify": slugify(case="lower")}},
                                "pymdownx.superfences",
                                {"pymdownx.highlight": {"anchor_linenums": False, "guess_lang": False}}],
        "validation": {"nav": {"omitted_files": "info"}, "links": {
            "not_found": "warn", "anchors": "warn", "absolute_links": "warn", "unrecognized_links": "warn"}},
    }


class _Counter(logging.Handler):
    """Keeps what MkDocs warns of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


# ---- what was built


class _Page(HTMLParser):
    """The links of a page, what it loads, and the names of its places."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(given.get("href", ""))
        elif tag in ("script", "img", "iframe", "source", "video", "audio") and given.get("src"):
            self.loaded.append(given["src"])


def problems(site: Path) -> list[str]:
    """Links of a built site that lead nowhere, and what its pages and styles load from other places."""
    site = site.resolve()
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    files = {*site.rglob("*")}
    found = []
    for path, page in pages.items():
        here = path.relative_to(site).as_posix()
        found += [f"{here} loads {link} from another place" for link in page.loaded if _is_outside(link)]
        for link in [*page.links, *page.loaded]:
            if path.name != "404.html" and not _is_outside(link) and not _leads(link, path, pages, files):
                found.append(f"{here} links to {link}, which is not there")
    for path in site.rglob("*.css"):
        found += [f"{path.name} loads {link} from another place" for link in
                  re.findall(r"url\(['\"]?((?:https?:)?//[^)'\"]+)", path.read_text(encoding="utf-8"))]
    return found


def _is_outside(link: str) -> bool:
    return bool(urlsplit(link).netloc)


def _leads(link: str, page: Path, pages: dict[Path, _Page], files: set[Path]) -> bool:
    """Whether a link of a page leads to a file, and to a place in it.

    files: all files and folders of the site. Asking the disk instead took three quarters of the time of a build.
    """
    parts = urlsplit(link)
    if parts.scheme:
        return True  # mail, data
    path = Path(os.path.normpath(page.parent / unquote(parts.path))) if parts.path else page
    if path / "index.html" in files:
        path /= "index.html"
    if path not in files:
        return False
    there = pages.get(path)
    anchor = unquote(parts.fragment)
    return not anchor or there is None or path.name == "play.html" or anchor in there.places or anchor == "__toc"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "site", help="the folder; it is emptied before")
    parser.add_argument("--without-playground", action="store_true", help="leave the playground out, which needs npm")
    parser.add_argument("--serve", type=int, metavar="PORT", help="show the site at this port of this machine")
    given = parser.parse_args()
    if given.to.exists() and any(given.to.iterdir()) and not (given.to / "sitemap.xml").exists():
        parser.error(f"{given.to} is not empty, and no site")
    try:
        build(given.to.resolve(), playground=not given.without_playground)
    except Broken as problem:
        raise SystemExit(f"the site is not built:\n{problem}") from None
    print(f"{given.to}: {sum(1 for _ in given.to.rglob('*.html'))} pages")
    if given.serve is None:
        print(f"look at it:  {Path(sys.executable).name} -m http.server --directory {given.to}")
        return
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(given.to))
    print(f"http://127.0.0.1:{given.serve}/  (end with Ctrl-C)")
    http.server.ThreadingHTTPServer(("127.0.0.1", given.serve), handler).serve_forever()


if __name__ == "__main__":
    main()
