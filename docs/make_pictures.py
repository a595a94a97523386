"""Makes docs/pictures/page.gif, what README.md shows first: a game on the page, move by move.

Run `python docs/make_pictures.py`; it needs Chromium, Playwright and Pillow. Screens differ in how they draw letters,
so the picture is made again by hand when the page looks different, and not compared in tests.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "pictures" / "page.gif"
GAME = "game=hexplode&params=side:2"
SIZE = (1120, 640)
STEP, LONG = 350, 1600
"""Milliseconds that a picture stays, and the last of a move."""


def pictures() -> list[tuple[bytes, int]]:
    """Screens as PNG, each with how long it stays."""
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
            page = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]}, bypass_csp=True).new_page()
            page.goto(f"{server.stdout.readline().strip()}#{GAME}")
            settled = "document.body.dataset.settled === 'true'"
            page.wait_for_function(settled)
            page.wait_for_function("document.querySelector('#unready').hidden", timeout=180_000)
            page.click("#values")
            found = []
            for _ in range(16):
                page.wait_for_timeout(900)
                found.append((page.screenshot(), LONG))
                if page.get_attribute("#status", "data-over") == "true":
                    break
                page.click("#go")
                for _ in range(80):
                    page.wait_for_timeout(150)
                    if not page.evaluate("document.body.classList.contains('thinking')"):
                        found.append((page.screenshot(), STEP))
                    if page.evaluate(settled):
                        break
            browser.close()
            return found
    finally:
        server.terminate()
        server.wait(20)
        server.stdout.close()


def main() -> None:
    """Make the picture."""
    from PIL import Image

    frames: list[tuple[Image.Image, int]] = []
    before = b""
    for data, stays in pictures():
        if data != before:
            frames.append((Image.open(io.BytesIO(data)).convert("RGB"), stays))
        before = data
    size = SIZE[0] * 3 // 4, SIZE[1] * 3 // 4
    small = [(image.resize(size, Image.Resampling.LANCZOS), stays) for image, stays in frames]
    palette = small[-1][0].quantize(128, dither=Image.Dither.NONE)
    images = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image, _ in small]
    TARGET.parent.mkdir(exist_ok=True)
    images[0].save(TARGET, save_all=True, append_images=images[1:], duration=[stays for _, stays in small], loop=0,
                   optimize=True)
    print(f"{TARGET.relative_to(ROOT)}: {len(images)} pictures, {TARGET.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
