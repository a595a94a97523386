"""Writes the tree-sitter grammars into the folder build/ beside this file, and builds parsers.

Run `python editors/tree-sitter/build.py`, and with `--zed FOLDER` for the extension of Zed. It needs dslgame,
the program `tree-sitter` (TREE_SITTER names another) and a C compiler (CC, else cc).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))
from dslgame.editing import treesitter  # noqa: E402  # of the checkout that this file belongs to

ABI = 14
"""The version of parsers: Neovim before 0.11 reads no later one."""
ZED = HERE.parent / "zed"
EXTENSIONS = {treesitter.GAME: "game", treesitter.PATTERN: "pattern"}


def write(language: str, folder: Path) -> None:
    """Write what `tree-sitter generate` reads, and the queries."""
    source, queries = folder / "src", folder / "queries"
    for place in (source, queries):
        place.mkdir(parents=True, exist_ok=True)
    (folder / "grammar.js").write_text(treesitter.grammar_js(language), encoding="utf-8")
    (source / "words.h").write_text(treesitter.scanner_words(language), encoding="utf-8")
    shutil.copy(HERE / "scanner.c", source / "scanner.c")
    for name, text in treesitter.queries(language).items():
        (queries / name).write_text(text, encoding="utf-8")
    described = {
        "grammars": [{"name": language, "scope": f"source.{language}", "file-types": [EXTENSIONS[language]]}],
        "metadata": {"version": "0.1.0", "license": "MIT"},
    }
    (folder / "tree-sitter.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")


def build(folder: Path, program: str, compiler: str) -> Path:
    """Generate the parser in C and compile it. Raises CalledProcessError and FileNotFoundError."""
    subprocess.run([program, "generate", f"--abi={ABI}", "grammar.js"], cwd=folder, check=True,
                   stdin=subprocess.DEVNULL)
    library = folder / "parser.so"
    source = folder / "src"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-I", source, source / "parser.c", source / "scanner.c", "-o",
                    library], check=True)
    return library


def write_extension(folder: Path, grammars: Path) -> None:
    """Write Zed's extension, and make `grammars` a git repository that it names. Raises CalledProcessError."""
    shutil.copytree(ZED, folder, dirs_exist_ok=True)
    for language in treesitter.LANGUAGES:
        for name, text in {**treesitter.queries(language), **treesitter.zed_queries(language)}.items():
            (folder / "languages" / language / name).write_text(text, encoding="utf-8")

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", "-c", "user.name=dslgame", "-c", "user.email=dslgame", *arguments], cwd=grammars,
                              check=True, capture_output=True, text=True)
        return done.stdout.strip()

    git("init", "--quiet")
    git("add", "--force", ".")
    git("commit", "--quiet", "--allow-empty", "-m", "the grammars as they are built")
    place, commit = grammars.resolve().as_uri(), git("rev-parse", "HEAD")
    rows = "".join(f'\n[grammars.{language}]\nrepository = "{place}"\nrev = "{commit}"\npath = "{language}"\n'
                   for language in treesitter.LANGUAGES)
    with (folder / "extension.toml").open("a", encoding="utf-8") as stream:
        stream.write(rows)


def main() -> int:
    """Write the grammars, and build them unless told not to; 1 where a program is missing or fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--to", type=Path, default=HERE / "build", help="the folder to write to")
    parser.add_argument("--only-write", action="store_true", help="leave the parsers to be built by the editor")
    parser.add_argument("--zed", type=Path, metavar="FOLDER", help="write Zed's extension there, with the grammars")
    given = parser.parse_args()
    to = given.to if given.zed is None else given.zed / "grammars-source"
    program, compiler = os.environ.get("TREE_SITTER", "tree-sitter"), os.environ.get("CC", "cc")
    for language in treesitter.LANGUAGES:
        folder = to / language
        write(language, folder)
        if given.only_write:
            continue
        for needed in (program, compiler):
            if shutil.which(needed) is None:
                print(f"{needed} is not installed; the grammars are written to {to}", file=sys.stderr)
                return 1
        try:
            build(folder, program, compiler)
        except subprocess.CalledProcessError as failed:
            print(f"{failed.cmd[0]} failed with exit code {failed.returncode}", file=sys.stderr)
            return 1
    if given.zed is not None:
        write_extension(given.zed, to)
    print(f"grammars in {to}" if given.zed is None else f"extension in {given.zed}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
