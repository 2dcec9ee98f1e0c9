"""Every address of the site, as the resolver has it, and paths that fit them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.urls import URLResolver, get_resolver

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")
"""What stands for a value, in the two ways in which Django writes that."""


def routes() -> list[str]:
    """The patterns of all addresses, in the order in which the resolver looks at them."""
    beside = ["healthz", "readyz"]  # answered before anything is resolved
    return list(dict.fromkeys([*beside, *_leaves(get_resolver())]))


def _leaves(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for each in resolver.url_patterns:
        here = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _leaves(each, here)
        else:
            yield _plain(here)


def _plain(pattern: str) -> str:
    """A pattern with every parameter as `<name>`, and without the marks of regular expressions."""
    named = PARAMETER.sub(lambda found: f"<{found[1] or found[2]}>", pattern)
    return re.sub(r"\\Z|[\^$]|\\(?=\W)", "", named)


def path(route: str, values: Mapping[str, Any]) -> str:
    """The path of a route with these values; KeyError names a parameter of which nobody has thought."""
    return "/" + re.sub(r"<(\w+)>", lambda found: str(values[found[1]]), route)
