"""Live status of the players a user follows: online, playing, or when last seen."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import DatabaseError
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.models import Match, Seating
from games.net.hub import hub
from games.net.process import process
from games.net.threads import in_thread
from games.registry import GAMES
from games.watch.visibility import known_in_play, moved_lately, spectator_access
from lobby.models import Relationship, User
from lobby.people.online import is_hidden
from lobby.people.person import Page
from lobby.people.presence import presence
from lobby.people.words import span

LOOK_SECONDS = 0.7
"""Polling interval while a page is open; a change is shown at most this much later."""

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
    rows = Relationship.objects.filter(user__in=list(user_ids), kind=Relationship.Kind.FOLLOW).select_related(
        "other"
    )
    pairs = [(row.user_id, row.other) for row in rows]
    others = {other.pk: other for _follower, other in pairs}
    known = dict(zip(others, standings(others.values()), strict=True))
    return {
        follower: [known[other.pk] for each, other in pairs if each == follower]
        for follower in {follower for follower, _other in pairs}
    }


class Watchers:
    """The pages of this process that show the players their user follows.

    It polls: that needs no message for each way in which players come, go, sit down and finish in any
    process.
    """

    def __init__(self) -> None:
        self._told: dict[Page, dict[str, tuple[bool, str | None, bool]]] = {}
        self._looking = False

    async def watch(self, page: Page) -> None:
        """Send a page all statuses now, and then changes, until `forget`."""
        self._told[page] = {}
        await self._look([page])
        if self._told and not self._looking:
            self._looking = True
            hub.spawn(self._look_while_needed())

    def forget(self, page: Page) -> None:
        """Stop sending to a page; does nothing for an unknown one."""
        self._told.pop(page, None)

    async def _look_while_needed(self) -> None:
        try:
            while self._told:
                await asyncio.sleep(LOOK_SECONDS)
                await self._look(list(self._told))
        finally:
            self._looking = False

    async def _look(self, pages: Sequence[Page]) -> None:
        ids = {page.user_id for page in pages if page.user_id is not None}
        try:
            known = await in_thread(followed)(ids)
        except DatabaseError:
            # The database may be down for a while; keep polling until it is back.
            logger.exception("could not look how people are")
            return
        for page in pages:
            if page in self._told:
                self._tell(page, known.get(page.user_id or 0, []))

    def _tell(self, page: Page, people: list[Standing]) -> None:
        told = self._told[page]
        # Not the text: "last seen … ago" changes all the time.
        now = {each.name: (each.online, each.match, each.playing) for each in people}
        changed = [each for each in people if told.get(each.name) != now[each.name]]
        if changed:
            self._told[page] = now
            with translation.override(page.language):
                page.tell({"type": "people", "people": [each.fields() for each in changed]})


watchers = process.part(Watchers)
"""The watching pages of this process."""
