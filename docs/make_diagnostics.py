"""Writes docs/diagnostics.md from the catalogue that `dslgame explain` reads: run `python docs/make_diagnostics.py`."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "diagnostics.md"

CHAPTERS = {
    "G0": "The file",
    "G1": "Syntax",
    "G2": "Names, sorts and declarations",
    "G3": "Rules that cannot be right",
    "G4": "Errors during play",
    "G5": "Params",
    "G6": "Patterns",
}
"""The title of the chapter for each prefix of codes."""

HEAD = """\
# Diagnostics

Every message of dslgame about a game file or a pattern file has a code; `dslgame explain G101` prints the entry of a
code on this page. With an **error** the file cannot be used, with a **warning** it can; a **note** is a suggestion or a
remark. Codes are never reused.

<!-- Written by docs/make_diagnostics.py from the catalogue; changes here are lost. -->
"""


def page_text() -> str:
    """The whole page."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from dsl.diagnostics.catalogue import ENTRIES

    chapters = {prefix: [entry for entry in ENTRIES.values() if entry.code.startswith(prefix)] for prefix in CHAPTERS}
    missing = set(ENTRIES) - {entry.code for entries in chapters.values() for entry in entries}
    assert not missing, f"no chapter for {sorted(missing)}"
    parts = [HEAD]
    for prefix, title in CHAPTERS.items():
        parts += [f"\n## {title}\n\n", "| code | |\n|---|---|\n"]
        parts += [f"| [{entry.code}](#{entry.code.lower()}) | {entry.title} |\n" for entry in chapters[prefix]]
        for entry in chapters[prefix]:
            parts += [
                f"\n### {entry.code}\n\n**{entry.title}**\n\n",
                f"{entry.what}\n\n{entry.why}\n\n",
                f"```text\n{entry.example}\n```\n\n" if entry.example else "",
                f"{entry.fix}\n",
            ]
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page_text(), encoding="utf-8")
