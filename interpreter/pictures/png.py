"""Pixels from SVG, by the resvg library; it needs no package of the system.

Texts are set in DejaVu Sans where matplotlib is installed, which brings the font along, else in a font of the system.
"""

from __future__ import annotations

import re
from pathlib import Path

_MOST_PIXELS = 36_000_000
"""Larger pictures are made smaller: few programs open them, and they take minutes."""
_SIZE = re.compile(r'<svg [^>]*width="([0-9.]+)" height="([0-9.]+)"')


class NoRenderer(Exception):
    """The library that makes pixels is not installed; the message says what to install."""


def png(svg: str, *, zoom: float = 1) -> bytes:
    """An SVG document as the bytes of a PNG file, so many times larger, or as large as is sensible.

    Raises NoRenderer without the library.
    """
    try:
        import resvg_py
    except ImportError:
        raise NoRenderer("PNG files need the library resvg-py: pip install 'dslgame[pictures]' (SVG files do not)") \
            from None
    result = _SIZE.search(svg)
    if result is not None:
        zoom = min(zoom, (_MOST_PIXELS / (float(result[1]) * float(result[2]))) ** 0.5)
    fonts = _fonts()
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, font_dirs=fonts or None,
                                       skip_system_fonts=bool(fonts)))


def _fonts() -> list[str]:
    """The folder of matplotlib's fonts, where there is one."""
    from importlib.util import find_spec

    result = find_spec("matplotlib")
    if result is None or result.origin is None:
        return []
    folder = Path(result.origin).parent / "mpl-data" / "fonts" / "ttf"
    return [str(folder)] if folder.is_dir() else []
