"""How those are whom somebody follows: here, playing, or away since when. Live for who has the page open."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import DatabaseError
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.models import Match, Seating
from games.net.hub import hub
from games.net.threads import in_thread
from games.registry import GAMES
from games.watch.visibility import known_in_play, moved_lately, spectator_access
from lobby.models import Tie, User
from lobby.people.online import is_hidden
from lobby.people.person import Page
from lobby.people.presence import presence
from lobby.people.words import span

LOOK_SECONDS = 0.7
"""How often is looked while anybody has the page open; a change is told at most this much later."""

JUST_NOW = 60
"""Seconds after which somebody who left has been away for a while."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody is.

    Attributes:
        name: theirs.
        online: whether they have a page open.
        playing: whether they are in the middle of a match in which something was played lately, as far as
            those who watch know.
        match: the id of that match, if others may watch it.
        seen: when they were last here.
        hidden: whether they let nobody see when they are here, or not who asks.
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
        """The same in words, in the language that is active."""
        if self.hidden:
            return _("playing") if self.match else ""
        if self.playing:
            return _("playing") if self.online else _("in a match, away from the board")
        if self.online:
            return _("online")
        if (timezone.now() - self.seen).total_seconds() < JUST_NOW:
            return _("was here a moment ago")
        return _("last seen %(ago)s ago") % {"ago": span(self.seen)}

    def fields(self) -> dict[str, Any]:
        """As browsers are told (`lobby.sockets.messages.PersonFields`)."""
        return {"name": self.name, "online": self.online, "match": self.match, "words": self.words}


def standings(people: Iterable[User], blocked: Container[int] = frozenset()) -> list[Standing]:
    """How some people are, in their order.

    Of those who do not let others see that they are here, and of the blocked, only a match tells that anybody
    may watch.
    """
    known = list(people)
    hidden = {person.pk for person in known if person.pk in blocked or is_hidden(person)}
    playing: dict[int, Match | None] = {}
    now = timezone.now()
    in_play = moved_lately(known_in_play(now), now)
    seatings = Seating.objects.filter(user__in=known, match__in=in_play)
    # Of several matches the newest one that can be watched counts.
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
    """How everyone is whom some people follow, by follower."""
    ties = Tie.objects.filter(user__in=list(user_ids), kind=Tie.Kind.FOLLOW).select_related("other")
    pairs = [(tie.user_id, tie.other) for tie in ties]
    others = {other.pk: other for _follower, other in pairs}
    known = dict(zip(others, standings(others.values()), strict=True))
    return {
        follower: [known[other.pk] for each, other in pairs if each == follower]
        for follower in {follower for follower, _other in pairs}
    }


class Watchers:
    """The pages of this process that show whom their person follows.

    Looking now and then, instead of being told, also finds what no message says: it needs none for
    each way in which people come, go, sit down and finish, in whichever process.
    """

    def __init__(self) -> None:
        self._told: dict[Page, dict[str, tuple[bool, str | None, bool]]] = {}
        self._looking = False

    def watch(self, page: Page) -> None:
        """Tell a page everything soon, and then what changes, until it is forgotten."""
        self._told[page] = {}
        if not self._looking:
            self._looking = True
            hub.spawn(self._look_while_needed())

    def forget(self, page: Page) -> None:
        """The page is closed, or never watched."""
        self._told.pop(page, None)

    async def _look_while_needed(self) -> None:
        try:
            while self._told:
                await self._look()
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            self._looking = False

    async def _look(self) -> None:
        ids = {page.user_id for page in self._told if page.user_id is not None}
        try:
            known = await in_thread(followed)(ids)
        except DatabaseError:
            # It may be away for a while; this must still look when it is back.
            logger.exception("could not look how people are")
            return
        for page in list(self._told):
            self._tell(page, known.get(page.user_id or 0, []))

    def _tell(self, page: Page, people: list[Standing]) -> None:
        told = self._told[page]
        # Not the words: how long ago somebody was here changes all the time.
        now = {each.name: (each.online, each.match, each.playing) for each in people}
        changed = [each for each in people if told.get(each.name) != now[each.name]]
        if changed:
            self._told[page] = now
            with translation.override(page.language):
                page.tell({"type": "people", "people": [each.fields() for each in changed]})


watchers = Watchers()
"""The pages of this process."""
