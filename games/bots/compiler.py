"""numba, as kernels import it: it keeps compiled code in `games.bots.kernel_cache.folder()`.

By default numba keeps it beside the source, where the next copy of the site does not find it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from games.bots import kernel_cache

# numba reads the environment when it is imported.
kernel_cache.configure(f"{__name__}.ByContent")

from numba import njit as njit  # noqa: E402
from numba.core.caching import UserProvidedCacheLocator  # noqa: E402


class ByContent(UserProvidedCacheLocator):
    """Keeps the compiled functions of a file in a folder named after its content, instead of its path.

    The content includes the modules that it imports, whose functions are compiled into its own.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The name of the folder for a file."""
        return _name(Path(py_file))


@cache
def _name(file: Path) -> str:
    files, digest = [file], sha256()
    for each in files:
        files += sorted(set(_imported(each)) - set(files))
    for each in files:
        digest.update(each.read_bytes())
    return f"{file.stem}-{digest.hexdigest()[:16]}"


def _imported(file: Path) -> Iterator[Path]:
    """The modules beside a file that it imports."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.ImportFrom):
            names = [(node.module or "").rpartition(".")[2], *[alias.name for alias in node.names]]
            yield from (path for name in names if (path := file.with_name(f"{name}.py")).exists())
