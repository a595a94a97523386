"""Writes docs/diagnostics.md from the catalogue that `dslgame explain` reads: run `python docs/make_diagnostics.py`."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "diagnostics.md"

CHAPTERS = {
    "G0": "The file",
    "G1": "How it is written",
    "G2": "Names and sorts",
    "G3": "Rules that cannot be meant so",
    "G4": "Rules that fail in play",
    "G5": "Params",
    "G6": "Patterns",
}
"""What the codes that begin alike are about."""

HEAD = """\
# Diagnostics

Everything that dslgame says about a game file or a pattern file has a code. `dslgame explain G101` prints what stands
here. An **error** keeps the file from being used; a **warning** leaves it usable; a **note** proposes something. A code
is never used again for something else.

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
