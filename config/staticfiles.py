"""Hashed and compressed static files, for pages that may be cached for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModulesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Gives every file a name with its hash and rewrites the `import` lines of ES modules to match."""

    support_js_module_import_aggregation = True
    # One for each time that a module imports one of a room further on in the alphabet, and some to spare.
    max_post_process_passes = 20
