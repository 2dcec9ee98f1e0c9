"""The settings of a server whose SQLite file may not grow; the environment says the rest."""

from config.settings import *  # noqa: F403 - as a host has them

# As many pages as there are, and never fewer.
DATABASES["default"]["OPTIONS"]["init_command"] += " PRAGMA max_page_count=1;"  # noqa: F405
