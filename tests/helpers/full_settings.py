"""The settings of a server whose SQLite file may not grow; the environment says the rest."""

from tests.helpers.server_settings import *  # noqa: F403 - of a server under test

# As many pages as there are, and never fewer.
DATABASES["default"]["OPTIONS"]["init_command"] += " PRAGMA max_page_count=1;"  # noqa: F405
