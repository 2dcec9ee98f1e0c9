"""QR codes as shapes that a template draws."""

from __future__ import annotations

from typing import NamedTuple

from qrcode import QRCode
from qrcode.constants import ERROR_CORRECT_M

QUIET = 4
"""Width of the blank margin in modules, which scanners need."""


class Picture(NamedTuple):
    """A QR code for an `<svg>`: its side length in modules, and the path of the dark modules."""

    side: int
    path: str


def picture(text: str) -> Picture:
    """The QR code of a text, with its margin."""
    code = QRCode(error_correction=ERROR_CORRECT_M, border=QUIET)
    code.add_data(text)
    rows = code.get_matrix()
    dark = [f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark]
    return Picture(len(rows), "".join(dark))
