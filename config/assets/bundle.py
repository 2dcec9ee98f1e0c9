"""Bundles all modules of a page into one file, so that the browser makes one request instead of a hundred.

Modules that several pages share are in the bundle of each: one file compresses better, and arrives sooner.
Modules that are needed late or rarely are named by `import.meta.resolve` and are bundles of their own.

In development nothing is built: the browser loads the modules as written.
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
    r"""^(?P<before>(?:import|export)\b(?:[^'";]*?\bfrom)?\s*)["'](?P<url>\.{1,2}/[^"']+)["']""", re.MULTILINE
)
LATER = re.compile(r"""\bimport\.meta\.resolve\(\s*["'](?P<url>\.{1,2}/[^"']+)["']\s*\)""")
MODULE = re.compile(r"^(?:import|export)\b|^.*\bawait import\(", re.MULTILINE)
BUNDLE = (
    *("bundle", "--quiet", "--no-config", "--no-lock", "--node-modules-dir=none"),
    *("--platform", "browser", "--minify"),
)


class NotBundled(Exception):
    """The modules could not be bundled; the text says why."""


def modules(directory: Path, pattern: re.Pattern[str] = STATIC_IMPORT) -> dict[str, set[str]]:
    """The ES modules below a directory, each with its imports, by their paths relative to it.

    With the pattern `LATER`: with those that it loads later.
    """
    found = {path.relative_to(directory).as_posix(): path.read_text() for path in directory.rglob("*.js")}
    return {
        name: {
            posixpath.normpath(posixpath.join(posixpath.dirname(name), match["url"]))
            for match in pattern.finditer(text)
        }
        for name, text in sorted(found.items())
        if MODULE.search(text)
    }


def entries(graph: dict[str, set[str]]) -> list[str]:
    """The entry points: modules that no other module imports."""
    return sorted(graph.keys() - set().union(*graph.values()))


def bundle(directory: Path, names: Iterable[str], made: Path) -> None:
    """Write a bundle of each named module, with its imports, to `made`.

    Raises NotBundled. The bundler is downloaded once, into the environment that Python runs in.
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
    # A serving process does not need the bundler, and containers do not include it.
    try:
        import deno

        return str(deno.find_deno_bin())
    except (ImportError, FileNotFoundError) as error:
        raise NotBundled(f"there is no deno here ({error})") from error
