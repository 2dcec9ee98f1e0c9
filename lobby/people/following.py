"""Live status of the players a user follows: online, playing, or when last seen."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import DatabaseError
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.models import Match, Seating
from games.net.process import process
from games.net.tasks import spawn
from games.net.threads import in_thread
from games.registry import GAMES
from games.watch.visibility import known_in_play, moved_lately, spectator_access
from lobby.people.models import Relationship, User
from lobby.people.online import is_hidden
from lobby.people.person import Page
from lobby.people.presence import presence
from lobby.people.words import span

LOOK_SECONDS = 0.7
"""Polling interval while a page is open, if a poll is short."""
MOST_OF_TIME = 0.05
"""The part of the time that polls may take; if many players are followed, they are rarer."""
LONGEST_PAUSE = 10.0

JUST_NOW = 60
"""Seconds for which a player who left counts as just gone."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Standing:
    """The status of a player.

    Attributes:
        name: the player's name.
        online: whether the player has a page open.
        playing: whether the player is in a match with a recent move, as far as spectators know.
        match: the id of that match, if it can be watched.
        seen: when the player was last online.
        hidden: whether the player hides their presence, from all users or only from this one.
        game: the title of the game of that match, in English.
    """

    name: str
    online: bool
    playing: bool
    match: str | None
    seen: datetime
    hidden: bool = False
    game: str = ""

    @property
    def words(self) -> str:
        """The status as text, in the active language."""
        if self.hidden:
            return _("playing") if self.match else ""
        if self.playing:
            return _("playing") if self.online else _("in a match, but away")
        if self.online:
            return _("online")
        if (timezone.now() - self.seen).total_seconds() < JUST_NOW:
            return _("here a moment ago")
        return _("last seen %(ago)s ago") % {"ago": span(self.seen)}

    def fields(self) -> dict[str, Any]:
        """The status as sent to browsers (`lobby.sockets.messages.PersonFields`)."""
        return {"name": self.name, "online": self.online, "match": self.match, "words": self.words}


def standings(people: Iterable[User], blocked: Container[int] = frozenset()) -> list[Standing]:
    """The status of players, in the given order.

    For players in `blocked` and for those who hide their presence, it shows only matches that can be watched.
    """
    known = list(people)
    hidden = {person.pk for person in known if person.pk in blocked or is_hidden(person)}
    playing: dict[int, Match | None] = {}
    now = timezone.now()
    in_play = moved_lately(known_in_play(now), now)
    seatings = Seating.objects.filter(user__in=known, match__in=in_play)
    # Of several matches, show the newest that can be watched.
    for seating in seatings.select_related("match").order_by("match__created"):
        assert seating.user_id is not None
        watched = seating.match if spectator_access(seating.match).allowed else None
        playing[seating.user_id] = watched or playing.get(seating.user_id)
    return [
        Standing(
            name=person.get_username(),
            online=person.pk not in hidden and presence.is_online(person.pk),
            playing=person.pk in playing and (person.pk not in hidden or playing[person.pk] is not None),
            match=getattr(playing.get(person.pk), "pk", None),
            seen=person.seen,
            hidden=person.pk in hidden,
            game=_title(playing.get(person.pk)),
        )
        for person in known
    ]


def _title(match: Match | None) -> str:
    return GAMES[match.game].title if match is not None and match.game in GAMES else ""


def followed(user_ids: Iterable[int]) -> dict[int, list[Standing]]:
    """The status of all players whom these users follow, by follower."""
    rows = Relationship.objects.filter(user__in=list(user_ids), kind=Relationship.Kind.FOLLOW).order_by("pk")
    pairs = list(rows.values_list("user", "other"))
    others = User.objects.only(
        "username", "first_name", "pupil_of", "is_deleted", "seen", "preferences"
    ).in_bulk({other for _, other in pairs})
    known = dict(zip(others, standings(others.values()), strict=True))
    found: dict[int, list[Standing]] = {}
    for follower, other in pairs:
        if other in known:
            found.setdefault(follower, []).append(known[other])
    return found


Told = dict[str, tuple[bool, str | None, bool]]
"""What a page was told of each player, without the text: "last seen … ago" changes all the time."""


def _changes(pages: Mapping[Page, Told]) -> dict[Page, tuple[Told, dict[str, Any]]]:
    """What to tell the pages now, and the message, for those for which something has changed."""
    known = followed({page.user_id for page in pages if page.user_id is not None})
    changes = {}
    for page, told in pages.items():
        people = known.get(page.user_id or 0, [])
        now = {each.name: (each.online, each.match, each.playing) for each in people}
        changed = [each for each in people if told.get(each.name) != now[each.name]]
        if changed:
            with translation.override(page.language):
                message = {"type": "people", "people": [each.fields() for each in changed]}
            changes[page] = now, message
    return changes


class Watchers:
    """The pages of this process that show the players their user follows.

    It polls: that needs no message for each way in which players come, go, sit down and finish in any
    process.
    """

    def __init__(self) -> None:
        self._told: dict[Page, Told] = {}
        self._looking = False

    async def watch(self, page: Page) -> None:
        """Send a page all statuses, now or if it had them with the next poll, and then changes."""
        known = page in self._told
        self._told[page] = {}
        if not known:
            await self._look([page])
        if self._told and not self._looking:
            self._looking = True
            spawn(self._look_while_needed())

    def forget(self, page: Page) -> None:
        """Stop sending to a page; does nothing for an unknown one."""
        self._told.pop(page, None)

    async def _look_while_needed(self) -> None:
        try:
            pause = LOOK_SECONDS
            while self._told:
                await asyncio.sleep(pause)
                began = time.monotonic()
                await self._look(list(self._told))
                took = time.monotonic() - began
                pause = min(max(LOOK_SECONDS, took / MOST_OF_TIME), LONGEST_PAUSE)
        finally:
            self._looking = False

    async def _look(self, pages: Sequence[Page]) -> None:
        told = {page: self._told[page] for page in pages if page in self._told}
        try:
            changes = await in_thread(_changes)(told)
        except DatabaseError:
            # The database may be down for a while; keep polling until it is back.
            logger.exception("could not look how people are")
            return
        for page, (now, message) in changes.items():
            # Unless it has gone, or has asked for all again meanwhile.
            if self._told.get(page) is told[page]:
                self._told[page] = now
                page.tell(message)


watchers = process.part(Watchers)
"""The watching pages of this process."""
