"""PNG for those who take no SVG, painted in a process of its own: painting holds up what runs beside it."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures.process import BrokenProcessPool

from games.computers.pool import Pool

MOST_KEPT = 64
"""Paintings that are kept in memory, of some 100 kB each."""
MOST_WAITING = 32
"""Paintings that are asked for at once; a painting takes a tenth of a second."""


class Busy(Exception):
    """Too many want a painting, or whoever paints was killed: ask again later."""


class Painter(Pool):
    """One process that paints, begun when the first painting is asked for."""

    def __init__(self) -> None:
        super().__init__(1)
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._waiting = 0

    async def png(self, svg: str) -> bytes:
        """An SVG document as PNG, in its own size. Raises `Busy`."""
        if svg not in self._kept:
            self._kept[svg] = await self._painted(svg)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(svg)
        return self._kept[svg]

    async def _painted(self, svg: str) -> bytes:
        if self._waiting >= MOST_WAITING:
            raise Busy
        self._waiting += 1
        try:
            return await self._ask(paint, svg)
        except BrokenProcessPool as error:
            raise Busy from error
        finally:
            self._waiting -= 1


def paint(svg: str) -> bytes:
    """An SVG document without letters as PNG; of all processes only the painter's should."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True))


painter = Painter()
"""The painter of this process."""
