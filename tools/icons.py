"""`make icons`: draw the site's icon as PNG files for phones."""

from __future__ import annotations

from pathlib import Path

import resvg_py

IMAGES = Path(__file__).resolve().parent.parent / "static" / "images"
SIZES = (192, 512)

ROUND = '<rect x="16" y="16" width="480" height="480" rx="112" fill="#1d6a52"/>'
FULL = '<rect width="512" height="512" fill="#1d6a52"/>'
"""The backgrounds: one with its own edge, and one that the device clips."""

BOARD = """
<rect x="76" y="150" width="360" height="224" rx="112" fill="#14372b"/>
<rect x="76" y="138" width="360" height="224" rx="112" fill="#7b5127"/>
<rect x="76" y="130" width="360" height="220" rx="110" fill="#c58e4c"/>
<rect x="88" y="140" width="336" height="200" rx="100" fill="#d9a765"/>
<circle cx="178" cy="240" r="70" fill="#53341a"/><circle cx="178" cy="246" r="66" fill="#7f5429"/>
<circle cx="334" cy="240" r="70" fill="#53341a"/><circle cx="334" cy="246" r="66" fill="#7f5429"/>
"""
SEEDS = (
    (152, 222, "#f4e6c8", "#b39a6b"),
    (204, 226, "#e09a36", "#8d5812"),
    (158, 272, "#7a2f1c", "#42160b"),
    (204, 276, "#f4e6c8", "#b39a6b"),
    (316, 226, "#64788a", "#35434f"),
    (356, 250, "#f4e6c8", "#b39a6b"),
    (318, 276, "#e09a36", "#8d5812"),
)
"""Position, colour and edge colour of each seed."""
MASKABLE = 0.88
"""Scale of the board if the device clips: within a circle of two fifths of the width."""


def drawing(maskable: bool) -> str:
    """The icon as an SVG document."""
    seeds = "".join(_seed(*seed) for seed in SEEDS)
    if not maskable:
        return _document(ROUND + BOARD + seeds)
    shift = 256 * (1 - MASKABLE)
    middle = f'<g transform="translate({shift:g} {shift:g}) scale({MASKABLE:g})">{BOARD}{seeds}</g>'
    return _document(FULL + middle)


def paint(maskable: bool, size: int) -> bytes:
    """The icon as a PNG of `size` pixels a side."""
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing(maskable), width=size, height=size))


def files() -> dict[str, bytes]:
    """Every icon by file name."""
    kinds = (("icon", False), ("icon-maskable", True))
    return {f"{name}-{size}.png": paint(maskable, size) for name, maskable in kinds for size in SIZES}


def _document(shapes: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">{shapes}</svg>'


def _seed(x: int, y: int, colour: str, edge: str) -> str:
    gloss = f'<circle cx="{x - 7}" cy="{y - 8}" r="6" fill="#ffffff" opacity=".7"/>'
    return f'<circle cx="{x}" cy="{y}" r="23" fill="{colour}" stroke="{edge}" stroke-width="5"/>{gloss}'


if __name__ == "__main__":
    for name, png in files().items():
        (IMAGES / name).write_bytes(png)
