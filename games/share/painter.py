"""PNG for those who take no SVG, painted in a process of its own: painting holds up what runs beside it."""

from __future__ import annotations

from collections import OrderedDict

from games.computers.pool import SerialPool
from games.net.process import process

MOST_KEPT = 64
"""Paintings that are kept in memory, of some 100 kB each."""
MOST_WAITING = 8
"""Paintings that are asked for at once; a painting takes a tenth of a second. Other pages need turns
meanwhile (`PAGES_AT_ONCE`)."""


class Painter(SerialPool):
    """One process that paints, begun when the first painting is asked for."""

    def __init__(self) -> None:
        super().__init__(MOST_WAITING)
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    async def png(self, svg: str) -> bytes:
        """An SVG document as PNG, in its own size. Raises `Busy`."""
        if svg not in self._kept:
            self._kept[svg] = await self.ask_in_line(paint, svg)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(svg)
        return self._kept[svg]


def paint(svg: str) -> bytes:
    """An SVG document without letters as PNG; of all processes only the painter's should."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))


painter = process.part(Painter)
"""The painter of this process."""
