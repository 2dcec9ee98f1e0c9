"""Background tasks of a process that serves the lobby."""

from lobby.clubs.notices import club_notices
from lobby.commands import command_sweeper
from lobby.feed.counts import count_broadcaster
from lobby.feed.watched_matches import watched_broadcaster
from lobby.ladders.keeper import ladder_keeper
from lobby.notices.mails import reminder_mails
from lobby.notices.page_visibility import looking
from lobby.pairing.loop import matchmaker
from lobby.people.presence import presence
from lobby.ratings.schedule import sweeper
from lobby.schoolyear.keeper import class_keeper
from lobby.sockets.consumers import last_number
from lobby.studies.cursors import cursors
from lobby.tables.host_timeout import table_patience
from lobby.tournaments.director import director
from lobby.webhooks.sender import postman


def begin() -> None:
    """Start all tasks; call once, in the event loop, after `games.background`."""
    presence.begin()
    looking.begin()
    cursors.begin()
    count_broadcaster.begin()
    last_number.begin()
    watched_broadcaster.begin()
    matchmaker.begin()
    table_patience.begin()
    sweeper.begin()
    command_sweeper.begin()
    director.begin()
    postman.begin()
    reminder_mails.begin()
    club_notices.begin()
    ladder_keeper.begin()
    class_keeper.begin()
