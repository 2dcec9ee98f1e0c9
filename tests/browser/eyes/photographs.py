"""Photographs of a page, cut into pieces: the colours that came out, whatever the styles say."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

from tests.browser.eyes.colours import linear

Pixels = NDArray[Any]
Box = tuple[int, int, int, int]
"""Left, top, width and height on the whole page, in pixels."""

LEVELS = np.array([linear(level) for level in range(256)])
# The browser knows how to read its pictures; and a canvas has room outside of them.
CUT = """
    async ([png, boxes]) => {
        const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes]));
        const canvas = new OffscreenCanvas(image.width, image.height)
            .getContext('2d', {willReadFrequently: true});
        canvas.drawImage(image, 0, 0);
        const text = (data) => Array.from(data, (level) => String.fromCharCode(level)).join('');
        return boxes.map((box) => btoa(text(canvas.getImageData(...box).data)));
    }
"""


def photographs(page: Page, boxes: Sequence[Box]) -> list[Pixels]:
    """The levels of red, green and blue in every box of the page, by rows."""
    png = base64.b64encode(page.screenshot(full_page=True)).decode()
    return [
        np.frombuffer(base64.b64decode(cut), np.uint8).reshape(box[3], box[2], 4)[:, :, :3]
        for cut, box in zip(page.evaluate(CUT, [png, boxes]), boxes, strict=True)
    ]


def light_of(pixels: Pixels) -> Pixels:
    """Levels of sRGB as linear light."""
    return LEVELS[pixels]


def luminances(light: Pixels) -> Pixels:
    """How light every pixel is, as WCAG counts it."""
    light_by_pixel: Pixels = light @ np.array((0.2126, 0.7152, 0.0722))
    return light_by_pixel


def strongest(pixels: Pixels) -> float:
    """The contrast of the lightest and the darkest pixel."""
    shades = luminances(light_of(pixels))
    return float((shades.max() + 0.05) / (shades.min() + 0.05))


def ringed(before: Pixels, after: Pixels) -> int:
    """How many pixels have changed so much that it is seen without colours, 3 to 1."""
    one, other = (luminances(light_of(each)) + 0.05 for each in (before, after))
    return int((np.maximum(one, other) / np.minimum(one, other) >= 3).sum())
