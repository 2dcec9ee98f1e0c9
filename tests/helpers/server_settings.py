"""The settings of servers under test: those of a host, but that a password is hashed quickly."""

from config.settings import *  # noqa: F403 - as a host has them

PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.MD5PasswordHasher",
    # Of a server that was started as a host starts it, on the same database.
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
