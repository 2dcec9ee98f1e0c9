"""What a process that serves the lobby does all the time, whether or not anybody is there."""

from lobby.news.counts import teller
from lobby.news.watched import lookout
from lobby.notices.letters import letters
from lobby.notices.looking import looking
from lobby.pairing.loop import matchmaker
from lobby.people.presence import presence
from lobby.ratings.sweeper import sweeper
from lobby.sockets.consumers import last_number
from lobby.tables.abandoned import table_patience
from lobby.webhooks.sender import postman


def begin() -> None:
    """Pair, settle, clear away, send and tell; once, in the event loop, after `games.background`."""
    presence.begin()
    looking.begin()
    teller.begin()
    last_number.begin()
    lookout.begin()
    matchmaker.begin()
    table_patience.begin()
    sweeper.begin()
    postman.begin()
    letters.begin()
