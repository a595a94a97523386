"""The pages of the site: what stands in docs/ as MkDocs reads it, and pages made from the games and the code.

`docs/make_site.py` calls this. Links to files of the repository lead to their pages, or to copies of them, so that the
site needs no other place.
"""

from __future__ import annotations

import re
import shutil
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
for folder in (ROOT, ROOT / "docs"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

import make_games  # noqa: E402

import dslgame  # noqa: E402
from dslgame import bundled  # noqa: E402
from dslgame.perft_files import parse as parse_perft  # noqa: E402
from solver.game_space import solve_game  # noqa: E402

DOCS = ROOT / "docs"
MOST_POSITIONS = 6000
"""Games with so many positions, as their counts say, are solved for their pages."""
LANGUAGES = ("game", "pattern", "python", "javascript", "json", "toml", "bash", "console", "text", "lua", "yaml")
REFERENCE = {
    "dslgame": "Loading, playing and solving: what `import dslgame` has",
    "interpreter.game": "Games and positions",
    "solver.solve": "What solving finds",
    "solver.players.levels": "Levels of play",
    "solver.players.choice": "Players",
    "dslgame.env": "Environments for programs that learn",
    "dslgame.laboratory.variants": "Families of games",
    "dslgame.laboratory.measures": "Measures",
    "dslgame.testing": "Testing games",
    "dslgame.treeview": "Game trees",
    "dslgame.records": "Games in the files of other programs",
    "dslgame.notebook": "Notebooks",
}
"""Modules with a page from their docstrings, and what its heading says."""
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
FENCE = re.compile(r"^(```)([^`\n]*)$", re.MULTILINE)


def write_all(to: Path, *, playground: bool) -> None:
    """Write the sources of the site into an empty folder."""
    pages = {path.name: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
    pages["gallery.md"] = gallery()
    pages["index.md"] = (ROOT / "README.md").read_text(encoding="utf-8")
    pages["changelog.md"] = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    homes = {"index.md": ROOT, "changelog.md": ROOT}
    for name, text in pages.items():
        (to / name).write_text(_translated(text, homes.get(name, DOCS), to), encoding="utf-8")
    (to / "games").mkdir()
    for name in bundled.names():
        (to / "games" / f"{name}.md").write_text(game_page(name, playground=playground), encoding="utf-8")
    (to / "reference").mkdir()
    for module, title in REFERENCE.items():
        (to / "reference" / f"{module}.md").write_text(f"# {title}\n\n::: {module}\n", encoding="utf-8")
    for folder in ("gallery", "pictures"):
        shutil.copytree(DOCS / folder, to / folder)
    shutil.copy(DOCS / "site" / "site.css", to)
    if playground:
        shutil.copy(DOCS / "site" / "playground.md", to)


def _translated(text: str, home: Path, to: Path) -> str:
    """A page with links as the site has them, and blocks that MkDocs highlights. `home` is where its links begin."""
    blocks = re.split(r"(^```.*?^```$|`[^`\n]+`)", text, flags=re.MULTILINE | re.DOTALL)
    for number, part in enumerate(blocks):
        if part.startswith("```"):
            blocks[number] = FENCE.sub(lambda match: match[1] + _fence(match[2]), part)
        elif not number % 2:
            blocks[number] = LINK.sub(lambda match: match[1] + _target(match[2], home, to) + match[3], part)
    return "".join(blocks)


def _fence(info: str) -> str:
    """What follows the signs that begin a block: its language, and the name of its file."""
    words = info.split()
    if not words:
        return ""
    language = words[0] if words[0] in LANGUAGES else "text"
    file = f' title="{words[2]}"' if len(words) > 2 and words[1] == "file" else ""
    return language + file


def _target(link: str, home: Path, to: Path) -> str:
    """Where a link of a page leads to on the site. Copies a file that has no page there."""
    if "://" in link or link.startswith(("#", "mailto:")):
        return link
    name, mark, anchor = link.partition("#")
    path = (home / name).resolve()
    there = path.relative_to(ROOT)
    if path.suffix == ".md" and path.parent == DOCS:
        return path.name + mark + anchor
    if there.as_posix() in ("README.md", "CHANGELOG.md"):
        return {"README.md": "index.md", "CHANGELOG.md": "changelog.md"}[there.name] + mark + anchor
    if there.parts[0] == "games" and path.suffix in (".game", ".perft"):
        return f"games/{path.stem}.md" + ("#counts" if path.suffix == ".perft" else "")
    if there.as_posix() == "games":
        return "gallery.md"
    if path.parent in (DOCS / "pictures", DOCS / "gallery"):
        return path.relative_to(DOCS).as_posix()
    if path.is_dir():
        return "index.md#folders"
    copy = to / "files" / there
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, copy)
    return f"files/{there.as_posix()}"


# ---- games


def by_genre() -> dict[str, list[str]]:
    """The games' names by their genres."""
    return bundled.by_genre()


def gallery() -> str:
    """The gallery as a grid, by kind."""
    rows = ["# Gallery", "", "Each bundled game after some random moves. A picture leads to the game's page: its "
            "rules, its file, its counts.", ""]
    for genre, names in bundled.by_genre().items():
        rows += [f"## {genre}", "", '<div class="gallery">']
        for name in names:
            title = escape(make_games.games()[name].title)
            rows.append(f'<a href="../games/{name}/"><img src="../gallery/{name}.svg" alt="" loading="lazy">'
                        f"<span>{title}</span></a>")
        rows += ["</div>", ""]
    return "\n".join(rows)


def game_page(name: str, *, playground: bool) -> str:
    """A game's page: rules for players, picture, file, values, counts."""
    page = make_games.games()[name]
    facts = [f"**Players:** {page.players}", f"**Board:** {page.board}", f"**Kind:** {page.genre}"]
    if page.params():
        facts.append(f"**Params:** {page.params()}")
    facts.append(f"**Shows:** {', '.join(make_games.shown_by(page))}")
    rows = [f"# {page.title}", "", f"![{page.title} after some moves](../gallery/{name}.svg){{ .board }}", "",
            make_games.marked(page.header) or "The file below says the rules.", "",
            *(f"- {fact}" for fact in facts), "",
            *([f'<a class="md-button" href="../../playground/play.html#{name}">Play it here</a>', ""] * playground),
            "On your machine:", "", "```bash", f"dslgame web {name}     # in the browser, with values of moves",
            f"dslgame play {name}    # in the terminal", "```", "", "## The file", "",
            f'```game title="{name}.game"', page.text.rstrip("\n"), "```", ""]
    value = _value(name)
    if value:
        rows += ["## Value", "", value, ""]
    if page.perft.exists():
        rows += ["## Counts", "", "What the tests hold the rules to: move sequences (`perft`), positions of the tree "
                 "(`nodes`), different positions, and where the numbers come from.", "",
                 f'```text title="{name}.perft"', page.perft.read_text(encoding="utf-8").rstrip("\n"), "```", ""]
    return "\n".join(rows)


def _value(name: str) -> str:
    """What best play leads to, where the counts say that there are few positions; else ''."""
    perft = make_games.games()[name].perft
    if not perft.exists():
        return ""
    few = [count for count in parse_perft(perft.read_text(encoding="utf-8"))
           if count.kind == "positions" and not count.params and not count.moves]
    if not few or few[0].count > MOST_POSITIONS:
        return ""
    game = dslgame.load(name)
    if len(game.players) > 2 or not game.observer.sees_all:
        return ""
    try:
        found = solve_game(game, engine="interpreter", nodes=4 * MOST_POSITIONS)
    except ValueError:
        return ""
    if found.winner is None or not found.complete:
        return ""
    result = "a draw" if found.winner < 0 else f"a win for {game.players[found.winner]}"
    length = f" in {found.remoteness} plies" if found.remoteness else ""
    return f"With best play {result}{length}, found by looking at all of its {few[0].count:,} positions."
