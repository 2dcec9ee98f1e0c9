"""The settings under test, without the developer's own `.env`: what the environment says comes first."""

import os

os.environ.update(
    SECRET_KEY="only-for-tests-" + "x" * 40,
    DEBUG="0",
    HTTPS="0",
    BEHIND_PROXY="0",
    ALLOWED_HOSTS="127.0.0.1,localhost,testserver",
    TRUSTED_ORIGINS="",
    # Empty but for its tables; tests/servers/test_services_on_postgres.py makes it.
    DATABASE_URL=os.environ.get("TEST_DATABASE_URL", "sqlite:///:memory:"),
    REDIS_URL="",
    BOT_PROCESSES="0",
    # All people of a test have the same address.
    COST_PERSON_LIMIT="0",
    COST_ADDRESS_LIMIT="0",
    LOG_LEVEL="WARNING",
)

from config.settings import *  # noqa: F403 - only after the environment is set

if "TEST_DATABASE_URL" not in os.environ:
    # A file, since the journal writes from a thread of its own, and one for each process of a parallel run.
    # tests/conftest.py makes it.
    DATABASES["default"]["NAME"] = str(VAR_DIR / f"test-{os.getpid()}.sqlite3")  # noqa: F405
    WITHOUT_FLUSHES = "PRAGMA synchronous=OFF;"
    DATABASES["default"]["OPTIONS"]["init_command"] += WITHOUT_FLUSHES  # noqa: F405

# Hashed names need `collectstatic` first; the tests of a real server run it.
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # noqa: F405
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
