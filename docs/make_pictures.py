"""Makes docs/pictures/page.gif, what README.md shows first, a game on the page move by move, and a picture of each of
twelve games there.

Run `python docs/make_pictures.py`; it needs Chromium, Playwright and Pillow. Screens differ in how they draw letters,
so the pictures are made again by hand when the page looks different, and not compared in tests. With `games` only the
twelve are made, with `moving` only the one that moves.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import dslgame  # noqa: E402
from dslgame.showcase import sample_position  # noqa: E402

SETTLED = "document.body.dataset.settled === 'true'"
TARGET = ROOT / "docs" / "pictures" / "page.gif"
GAME = "game=hexplode&params=side:2"
SIZE = (1120, 640)
STEP, LONG = 350, 1600
"""Milliseconds that a picture stays, and the last of a move."""


GAMES = {
    "chess": ("wood", False), "english_draughts": ("felt", False), "go": ("wood", True), "hex": ("paper", False),
    "connect_four": ("slate", True), "kalah": ("wood", False), "reversi": ("felt", True), "trax": ("paper", True),
    "nine_mens_morris": ("wood", False), "twixt": ("slate", False), "hexplode": ("paper", False),
    "xiangqi": ("print", False),
}
"""The games that have a picture: the look of each board, and whether the page is dark."""
SMALL = (1024, 640)
PATIENCE = 180_000
"""Milliseconds that a page is waited for, on machines with other work."""


@contextmanager
def opened() -> Iterator[tuple[Browser, str]]:
    """A browser, and the address of a server."""
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        raise SystemExit("there is no Chromium")
    server = subprocess.Popen([sys.executable, "-m", "dslgame", "web", "--port", "0", "--workers", "1"], cwd=ROOT,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert server.stdout is not None
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            yield browser, server.stdout.readline().strip()
            browser.close()
    finally:
        server.terminate()
        server.wait(20)
        server.stdout.close()


def pictures(browser: Browser, url: str) -> list[tuple[bytes, int]]:
    """Screens as PNG, each with how long it stays."""
    page = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]}, bypass_csp=True).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{url}#{GAME}")
    page.wait_for_function(SETTLED)
    page.wait_for_function("document.querySelector('#unready').hidden", timeout=180_000)
    page.click("#values")
    found = []
    for _ in range(16):
        page.wait_for_timeout(900)
        if page.get_attribute("#status", "data-over") != "true":
            page.wait_for_function("document.querySelector('#board .worth')", timeout=60_000)
        found.append((page.screenshot(), LONG))
        if page.get_attribute("#status", "data-over") == "true":
            break
        page.click("#go")
        for _ in range(400):
            page.wait_for_timeout(150)
            if not page.evaluate("document.body.classList.contains('thinking')"):
                found.append((page.screenshot(), STEP))
            if page.evaluate(SETTLED):
                break
    return found


def of_games(browser: Browser, url: str) -> Iterator[tuple[str, bytes]]:
    """A screen of each of some games in play, as PNG."""
    for name, (look, dark) in GAMES.items():
        moves = ";".join(quote(move, safe="") for move in sample_position(dslgame.load(name)).played)
        page = browser.new_context(viewport={"width": SMALL[0], "height": SMALL[1]}, bypass_csp=True,
                                   color_scheme="dark" if dark else "light", reduced_motion="reduce").new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(f"localStorage.setItem('look', '{look}')")
        page.goto(f"{url}#game={name}&moves={moves}")
        page.wait_for_function(SETTLED)
        yield name, page.screenshot()
        page.context.close()


def write_games(browser: Browser, url: str) -> None:
    """Make the pictures of games."""
    from PIL import Image

    for name, data in of_games(browser, url):
        image = Image.open(io.BytesIO(data)).convert("RGB").resize((SMALL[0] * 5 // 8, SMALL[1] * 5 // 8),
                                                                  Image.Resampling.LANCZOS)
        path = TARGET.parent / f"{name}.png"
        image.quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KiB")


def main() -> None:
    """Make the pictures."""
    from PIL import Image

    with opened() as (browser, url):
        if sys.argv[1:] != ["moving"]:
            write_games(browser, url)
        screens = [] if sys.argv[1:] == ["games"] else pictures(browser, url)
    if not screens:
        return
    frames: list[tuple[Image.Image, int]] = []
    before = b""
    for data, stays in screens:
        if data != before:
            frames.append((Image.open(io.BytesIO(data)).convert("RGB"), stays))
        before = data
    size = SIZE[0] * 3 // 4, SIZE[1] * 3 // 4
    small = [(image.resize(size, Image.Resampling.LANCZOS), stays) for image, stays in frames]
    several = Image.new("RGB", (size[0], 3 * size[1]))  # no single picture has all colours
    for place in range(3):
        several.paste(small[(place + 1) * (len(small) - 1) // 3][0], (0, place * size[1]))
    palette = several.quantize(128, dither=Image.Dither.NONE)
    images = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image, _ in small]
    TARGET.parent.mkdir(exist_ok=True)
    images[0].save(TARGET, save_all=True, append_images=images[1:], duration=[stays for _, stays in small], loop=0,
                   optimize=True)
    print(f"{TARGET.relative_to(ROOT)}: {len(images)} pictures, {TARGET.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
