"""Writes docs/comparison.md: how long our files are, beside those of Ludii, RBG and Regular Games for the same games.

Run `python docs/make_comparison.py` after a change in games/. What the others' files count is in comparison.toml, with
the commits that they were taken from; to measure it again, clone their repositories and run

    python docs/make_comparison.py --measure ludii=FOLDER --measure rbg=FOLDER --measure hrg=FOLDER
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from statistics import median

import attrs

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "comparison.md"
COUNTS = ROOT / "docs" / "comparison.toml"


@attrs.frozen
class Language:
    """Another language that games are written in."""

    name: str
    repository: str
    suffix: str
    files: dict[str, str]
    """Our games with the names of its files."""
    note: str = ""


LANGUAGES = {
    "ludii": Language("Ludii", "automenta/ludii", ".lud", {
        "alquerque": "Alquerque", "amazons": "Amazons", "atari_go": "Atari Go", "ataxx": "Ataxx",
        "bagh_chal": "Baghchal", "brandubh": "Brandub", "breakthrough": "Breakthrough", "chess": "Chess",
        "clobber": "Clobber", "connect6": "Connect6", "connect_four": "Connect Four", "cram": "Cram",
        "domineering": "Domineering", "dots_and_boxes": "Dots and Boxes", "english_draughts": "English Draughts",
        "go": "Go", "gomoku": "Gomoku", "halma": "Halma", "havannah": "Havannah", "hex": "Hex",
        "hnefatafl": "Hnefatafl", "kalah": "Kalah", "knightthrough": "Knightthrough", "konane": "Konane",
        "l_game": "L Game", "lines_of_action": "Lines of Action", "mu_torere": "Mu Torere",
        "nine_mens_morris": "Nine Men's Morris", "oware": "Oware", "reversi": "Reversi", "surakarta": "Surakarta",
        "tic_tac_toe": "Tic-Tac-Toe", "trax": "Trax", "ultimate_tic_tac_toe": "Ultimate Tic-Tac-Toe", "y": "Y",
        "yavalath": "Yavalath",
    }, "a public copy of its sources, without `(metadata ...)`, `(option ...)`, `(rulesets ...)` and the definitions\n"
       "  that files share"),
    "rbg": Language("RBG", "radekmie/rg", ".rbg", {
        "alquerque": "alquerque", "amazons": "amazons", "breakthrough": "breakthrough", "chess": "chess",
        "chinese_checkers": "chineseCheckers6", "connect6": "connect6", "connect_four": "connect4",
        "english_draughts": "englishDraughts", "fox_and_hounds": "foxAndHounds", "go": "go",
        "gomoku": "gomoku_standard", "hex": "hex", "international_draughts": "internationalDraughts",
        "knightthrough": "knightthrough", "nine_mens_morris": "theMillGame", "pentago": "pentago",
        "reversi": "reversi", "surakarta": "surakarta", "tic_tac_toe": "ticTacToe", "yavalath": "yavalath",
    }, "hexagonal boards are listed cell by cell"),
    "hrg": Language("Regular Games", "radekmie/rg", ".hrg", {
        "amazons": "amazons", "ataxx": "ataxx", "breakthrough": "breakthrough", "chess": "chess", "clobber": "clobber",
        "connect_four": "connect4", "dots_and_boxes": "dotsAndBoxes", "english_draughts": "englishDraughts",
        "fox_and_hounds": "foxAndHounds", "gomoku": "gomoku_standard", "hex": "hex", "knightthrough": "knightthrough",
        "nine_mens_morris": "theMillGame", "oware": "oware", "pentago": "pentago", "reversi": "reversi",
        "surakarta": "surakarta", "tic_tac_toe": "ticTacToe", "ultimate_tic_tac_toe": "ultimateTicTacToe",
        "yavalath": "yavalath",
    }, "the high-level form, HRG"),
}
BESIDE = re.compile(r"^(?:symmetry|notation|coordinates|show|value)\b.*\n(?:[ ]+.*\n)*", re.MULTILINE)
"""What our files have beside the rules: declarations with their further lines."""
LEFT_OUT = ("(metadata", "(option", "(rulesets")
"""What Ludii's files have beside the rules."""
TOKEN = re.compile(r'"[^"\n]*"|\w+|[^\w\s]')
HEAD = """\
# How long files are

The lengths of our files and of files for the same games in other languages:

{languages}

Each cell gives lines and tokens, without comments and blank lines. In every language, a token is a quoted string, a
word or number, or any other single character that is not a space. Our files are counted whole, and as *rules alone*:
without `symmetry`, `notation`, `coordinates`, `show` and `value`, which the other languages have elsewhere or not at
all, and without definitions that only these use. Rules differ in details, so compare columns, not single rows.

<!-- Written by docs/make_comparison.py from the files and docs/comparison.toml; changes here are lost. -->

"""

Size = tuple[int, int]


def size(text: str, comment: str) -> Size:
    """Lines with something on them, and tokens, without comments."""
    lines = [line for raw in text.splitlines() if (line := without_comment(raw, comment)).strip()]
    return len(lines), sum(len(TOKEN.findall(line)) for line in lines)


def without_comment(line: str, sign: str) -> str:
    """A line up to its comment; a sign in quotes begins none."""
    inside = False
    for number, character in enumerate(line):
        inside ^= character == '"'
        if not inside and line.startswith(sign, number):
            return line[:number]
    return line


def rules_alone(text: str) -> str:
    """One of our files without what it has beside the rules, and without definitions that only that used."""
    rest = BESIDE.sub("", "".join(without_comment(line, "#") + "\n" for line in text.splitlines()))
    names, before = re.findall(r"^define (\w+)", rest, re.MULTILINE), ""
    while rest != before:
        before = rest
        for name in names:
            without = re.sub(rf"^define {name}\b.*\n(?:[ ]+.*\n)*", "", rest, flags=re.MULTILINE)
            if not re.search(rf"\b{name}\b", without):
                rest = without
    return rest


def without_block(text: str, head: str) -> str:
    """A text without the bracketed blocks that begin with some head."""
    while (start := text.find(head)) >= 0:
        depth, end = 0, start
        for end in range(start, len(text)):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            if depth == 0:
                break
        text = text[:start] + text[end + 1:]
    return text


# ---- measuring the others


def git(folder: str, *arguments: str) -> str:
    """What git says."""
    return subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True, text=True).stdout


def measured(key: str, folder: str) -> dict[str, object]:
    """The counts of a language's files, in a clone of its repository."""
    language = LANGUAGES[key]
    commit, day = git(folder, "log", "-1", "--format=%H %cs").split()
    paths = [path for path in git(folder, "ls-tree", "-r", "--name-only", "-z", "HEAD").split("\0")
             if path.endswith(language.suffix) and "examples/" not in path]
    found: dict[str, object] = {"repository": language.repository, "commit": commit, "date": day}
    for game, name in sorted(language.files.items()):
        path = min((path for path in paths if path.rpartition("/")[2] == name + language.suffix), key=len)
        text = git(folder, "show", f"HEAD:{path}")
        for head in LEFT_OUT:
            text = without_block(text, head)
        found[game] = [path, *size(text, "//")]
    return found


def write(counts: dict[str, dict[str, object]]) -> None:
    """Keep counts for the page; a row of TOML is one of JSON, but for the sign after its name."""
    lines = ["# Written by docs/make_comparison.py --measure: how long files of other languages are.",
             "# A game's row: the file, its lines, its tokens."]
    for key, found in counts.items():
        lines += ["", f"[{key}]", *(f"{name} = {json.dumps(value)}" for name, value in found.items())]
    COUNTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


# ---- the page


def page_text() -> str:
    """The whole page."""
    counts = tomllib.loads(COUNTS.read_text(encoding="utf-8"))
    names = [f"- {LANGUAGES[key].name}: {LANGUAGES[key].note}\n  (github.com/{found['repository']}, commit "
             f"{found['commit'][:10]} of {found['date']})" for key, found in counts.items()]
    head = HEAD.format(languages="\n".join(names))
    rows = [f"| game | dslgame | rules alone | {' | '.join(LANGUAGES[key].name for key in counts)} |",
            "|---|--:|--:|" + "--:|" * len(counts)]
    ratios: dict[str, list[float]] = {key: [] for key in counts}
    for path in sorted((ROOT / "games").glob("*.game")):
        theirs = {key: found[path.stem][1:] for key, found in counts.items() if path.stem in found}
        if theirs:
            text = path.read_text(encoding="utf-8")
            whole, ours = size(text, "#"), size(rules_alone(text), "#")
            for key, (_, tokens) in theirs.items():
                ratios[key].append(tokens / ours[1])
            cells = [f"{theirs[key][0]}, {theirs[key][1]:,}" if key in theirs else "" for key in counts]
            rows.append(f"| `{path.stem}` | {whole[0]}, {whole[1]:,} | {ours[0]}, {ours[1]:,} | {' | '.join(cells)} |")
    middle = [f"{median(ratios[key]):.2f} times ours, {len(ratios[key])} games" for key in counts]
    rows.append(f"| tokens relative to our rules alone, median | | | {' | '.join(middle)} |")
    return head + "\n".join(rows) + "\n"


if __name__ == "__main__":
    given = dict(argument.split("=", 1) for argument in sys.argv[1:] if argument != "--measure")
    if given:
        write({key: measured(key, given[key]) for key in LANGUAGES})
    PAGE.write_text(page_text(), encoding="utf-8")
