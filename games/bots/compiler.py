"""numba, as kernels import it: it keeps compiled code in `games.bots.kernel_cache.folder()`.

By default numba keeps it beside the source, where the next copy of the site does not find it.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from games.bots import kernel_cache

# numba reads the environment when it is imported.
kernel_cache.configure(f"{__name__}.ByContent")

from numba import njit as njit  # noqa: E402
from numba.core.caching import UserProvidedCacheLocator  # noqa: E402


class ByContent(UserProvidedCacheLocator):
    """Keeps the compiled functions of a file in a folder named after its content, instead of its path.

    The content of all modules of its game, since functions of one are compiled into those of another.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The name of the folder for a file."""
        source = Path(py_file)
        digest = sha256()
        for module in sorted(source.parent.glob(f"{source.stem.partition('_')[0]}*.py")):
            digest.update(module.read_bytes())
        return f"{source.stem}-{digest.hexdigest()[:16]}"
