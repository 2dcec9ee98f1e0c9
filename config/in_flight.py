"""The requests in flight of each address: those that arrive, wait, are worked on, or are being answered.

Behind a proxy this is the only count by address for requests, since all connections are the proxy's.
"""

from __future__ import annotations

from django.conf import settings

from games.net.limits import Places
from games.net.process import process

MAX_BODY_BYTES = 3 * 1024 * 1024
"""The largest body of a request. docs/guide/hosting.md has a proxy refuse the same."""
PLACE_BYTES = 64 * 1024
"""Each so many bytes of a body take one more place, so that bodies of one address do not fill the memory."""
REFUSED = b"This address has too many requests under way.\n"
"""The text of a 429."""
RETRY_AFTER = b"5"
"""Its `Retry-After` in seconds."""

in_flight = process.part(Places, settings.CONNECTIONS_PER_ADDRESS)
"""The places of each `address_key`. The end of the work gives them back, not the end of the connection."""
connections = process.part(Places, settings.CONNECTIONS)
"""The requests and sockets of everybody, all by the key `EVERYBODY`."""
EVERYBODY = "everybody"


def places_for(length: int | None) -> int:
    """How many places a request takes.

    Args:
        length: bytes of its body; None if the client does not say.
    """
    return 1 + (MAX_BODY_BYTES if length is None else length) // PLACE_BYTES
