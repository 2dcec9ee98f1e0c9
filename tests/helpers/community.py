"""People with everything that they can have together: clubs, tournaments, evenings, messages."""

from __future__ import annotations

from lobby.accounts import guests
from lobby.clubs import announcements, club_chat, members
from lobby.evenings import evenings
from lobby.inbox import conversations
from lobby.tables import tables
from tests.helpers.clubs import club_of
from tests.helpers.tournaments import CIRCLE, begun, command, look, people, play_round


def settle() -> None:
    """Make them."""
    ada, bo, cleo, dan, eve = people("Ada Bo Cleo Dan Eve")
    club = club_of(ada, bo, eve, organisers=(cleo,), joining="request", games=["kalah"])
    members.remove(ada, club.pk, "Eve", "Insults", command())
    members.join(dan, club.pk, command(), text="May I?")
    announcements.announce(ada, club.pk, "Friday at eight", command())
    club_chat.say(club.pk, bo.pk, command(), "Who is there on Friday?")
    tables.set_table(ada, "kalah", CIRCLE, 2, "lot", club_id=club.pk)
    cup = begun(ada, [ada, bo, cleo], club_id=club.pk)
    play_round(cup)
    look(cup)
    evening = evenings.open_evening(dan, "kalah", 90, command())
    for name in ("Fay", "Gil"):
        evenings.join(guests.named(name, "203.0.113.7"), evening.code)
    evenings.add(dan, evening.code, "Oma", "203.0.113.7", command())
    tournament = evenings.start(dan, evening.code, command()).tournament
    assert tournament is not None
    play_round(look(tournament))
    conversations.send(ada.pk, bo, command(), "Two\nlines")
