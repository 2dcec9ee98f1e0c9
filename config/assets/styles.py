"""Joins a style sheet with its imports into one small file.

In development nothing is joined: the browser follows the imports.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

IMPORT = re.compile(r"""^@import "(?P<path>[^"]+)";\n?""", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
QUOTED = re.compile(r"""("[^"]*"|'[^']*')""")


def sheets(directory: Path) -> dict[str, str]:
    """The style sheets below a directory by their paths relative to it, each minified with its imports."""
    names = sorted(path.relative_to(directory).as_posix() for path in directory.rglob("*.css"))
    return {name: smaller(joined(directory, name)) for name in names}


def joined(directory: Path, name: str) -> str:
    """A style sheet with its imports inlined."""
    folder = posixpath.dirname(name)
    return IMPORT.sub(
        lambda match: joined(directory, posixpath.normpath(posixpath.join(folder, match["path"]))),
        COMMENT.sub("", (directory / name).read_text()),
    )


def smaller(sheet: str) -> str:
    """A style sheet without comments and needless white space."""
    # Every second piece is a quoted string.
    pieces = QUOTED.split(COMMENT.sub("", sheet))
    pieces[::2] = map(_packed, pieces[::2])
    return "".join(pieces).strip()


def _packed(piece: str) -> str:
    piece = re.sub(r"\s+", " ", piece)
    piece = re.sub(r" ?([{};,]) ?", r"\1", piece)
    # A space before a colon is kept: it is a descendant combinator in "nav :hover".
    return re.sub(r": ", ":", piece).replace(";}", "}")
