"""Makes one file of all the modules of a page, so that it asks for one instead of a hundred.

What several pages have is in the file of each: one file is smaller than its parts, and comes sooner. What a
page needs later, or hardly ever, it names by `import.meta.resolve`, and fetches as a file of its own.

While developing nothing is built: the browser loads the modules as they are written.
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

STATIC_IMPORT = re.compile(
    r"""^(?:import|export)\b(?:[^'";]*?\bfrom)?\s*["'](?P<url>\.{1,2}/[^"']+)["']""", re.MULTILINE
)
LATER = re.compile(r"""\bimport\.meta\.resolve\(\s*["'](?P<url>\.{1,2}/[^"']+)["']\s*\)""")
MODULE = re.compile(r"^(?:import|export)\b|^.*\bawait import\(", re.MULTILINE)
BUNDLE = (
    *("bundle", "--quiet", "--no-config", "--no-lock", "--node-modules-dir=none"),
    *("--platform", "browser", "--minify"),
)


class NotBundled(Exception):
    """The modules could not be bundled; the text says why."""


def modules(directory: Path, *, later: bool = False) -> dict[str, set[str]]:
    """The ES modules below a directory, each with those that it imports, by their paths in it.

    What is asked for while a page runs is among them only if those that come `later` are wanted, too.
    """
    patterns = (STATIC_IMPORT, LATER) if later else (STATIC_IMPORT,)
    found = {path.relative_to(directory).as_posix(): path.read_text() for path in directory.rglob("*.js")}
    return {
        name: {
            posixpath.normpath(posixpath.join(posixpath.dirname(name), match["url"]))
            for pattern in patterns
            for match in pattern.finditer(text)
        }
        for name, text in sorted(found.items())
        if MODULE.search(text)
    }


def entries(graph: dict[str, set[str]]) -> list[str]:
    """The modules that pages ask for, at once or later: nobody imports them."""
    return sorted(graph.keys() - set().union(*graph.values()))


def bundle(directory: Path, names: Iterable[str], made: Path) -> None:
    """Write the modules of those names to `made`, each with all that it needs.

    Raises NotBundled. The bundler is fetched once, into the environment that Python runs in.
    """
    cache = Path(sys.prefix) / "deno"
    done = subprocess.run(  # noqa: S603 (a fixed program over files of ours)
        [_bundler(), *BUNDLE, "--outdir", str(made), *names],
        cwd=directory,
        env={**os.environ, "DENO_DIR": str(cache), "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NotBundled(done.stderr.strip().partition("\n")[0])


def _bundler() -> str:
    # Who serves needs it no more, and containers leave it behind.
    try:
        import deno

        return str(deno.find_deno_bin())
    except (ImportError, FileNotFoundError) as error:
        raise NotBundled(f"there is no deno here ({error})") from error
