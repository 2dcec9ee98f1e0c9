"""Static files as they are served: bundled, hashed and compressed, so that they can be cached for ever."""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import FileSystemStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from .bundle import LATER, STATIC_IMPORT, NotBundled, bundle, entries, modules
from .styles import sheets

logger = logging.getLogger(__name__)

NAMED_WITH_HASH = (
    "*.js",
    (
        (f"(?m)(?P<matched>{STATIC_IMPORT.pattern})", '%(before)s"%(url)s"'),
        (f"(?P<matched>{LATER.pattern})", 'import.meta.resolve("%(url)s")'),
    ),
)
"""Adds the hash to the names of imported modules. Django's own patterns also find types in comments,
`import("./other.js").Type`: modules that name each other's types would never get a final hash.
"""

Collected = dict[str, tuple[FileSystemStorage, str]]
"""The storage and path of each file, by name."""


class BundledStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Bundles modules and style sheets, and adds a hash to every file name."""

    patterns = (*CompressedManifestStaticFilesStorage.patterns, NAMED_WITH_HASH)
    # Without a bundle: an import from a folder later in the alphabet costs one pass.
    max_post_process_passes = 20

    def post_process(self, paths: Collected, dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Bundle the modules before Django hashes and compresses all files."""
        with tempfile.TemporaryDirectory() as made:
            if not dry_run:
                paths = self.bundled(paths, Path(made))
            yield from super().post_process(paths, dry_run=dry_run, **options)

    def bundled(self, paths: Collected, made: Path) -> Collected:
        """The files with bundles in place of modules.

        If bundling fails: the modules as written, and a warning.
        """
        (directory,) = map(Path, settings.STATICFILES_DIRS)
        for name, sheet in sheets(directory).items():
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            (made / name).write_text(sheet)
        graph = modules(directory)
        try:
            bundle(directory, entries(graph), made)
        except NotBundled as reason:
            logger.warning("The modules of the pages are served one by one: %s", reason)
            graph = {}
        for name in graph:
            self.delete(name)
        shutil.copytree(made, self.location, dirs_exist_ok=True)
        bundles = FileSystemStorage(made)
        found = (path.relative_to(made).as_posix() for path in made.rglob("*.*"))
        rest = {name: source for name, source in paths.items() if name not in graph}
        return rest | {name: (bundles, name) for name in found}
