"""The tested versions of the libraries that this package changes. requirements.txt pins them.

A hook that another version no longer calls would fail silently, and with it a limit.
"""

from importlib.metadata import version

from django.core.exceptions import ImproperlyConfigured

VERSIONS = {"daphne": ((4, 2), (4, 3)), "Twisted": ((26,), (27,)), "autobahn": ((26,), (27,))}
"""From the first, up to but not including the second."""


def check() -> None:
    """Raise `ImproperlyConfigured` if a library has an untested version."""
    for library, (first, end) in VERSIONS.items():
        numbers = tuple(int(part) for part in version(library).split(".")[:2] if part.isdecimal())
        if not first <= numbers < end:
            at_least, below = (".".join(map(str, bound)) for bound in (first, end))
            raise ImproperlyConfigured(
                f"{library} {version(library)} is not tested, only {at_least} up to but without {below}."
            )
