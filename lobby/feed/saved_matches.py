"""Saved matches as their players see them: opponents, whose turn it is, and who is online.

A page that shows them gets the whole list again whenever a match in it changes or an opponent comes online
or goes offline.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from django.db import DatabaseError
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.domain.terms import Terms
from games.models import Match, Ply, Seating
from games.net.hub import Hub
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.tasks import spawn
from games.net.threads import in_thread
from games.registry import GAMES
from lobby.people.models import User
from lobby.people.person import Page
from lobby.people.presence import Change, presence
from lobby.people.words import span

LISTENER = "saved"
JUST_NOW = 60
"""Seconds for which a time counts as "a moment ago"."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A saved match: its players, whose turn it is, and when it was saved."""

    match: str
    game: str
    players: tuple[User, ...]
    turn: User
    since: datetime

    def others(self, user_id: int) -> list[User]:
        """The opponents of a user."""
        return [player for player in self.players if player.pk != user_id]

    def fields(self, user_id: int) -> dict[str, Any]:
        """The match as sent to one of its players (`lobby.sockets.messages.SavedFields`), with texts."""
        return {
            "id": self.match,
            "title": _(GAMES[self.game].title),
            "players": [player.name_in_words() for player in self.players],
            "words": self._words(user_id),
            "others": [_other(player) for player in self.others(user_id)],
        }

    def _words(self, user_id: int) -> str:
        if self.turn.pk == user_id:
            turn = _("Your turn")
        else:
            turn = _("%(name)s’s turn") % {"name": self.turn.name_in_words()}
        if (timezone.now() - self.since).total_seconds() < JUST_NOW:
            return _("%(turn)s · saved a moment ago") % {"turn": turn}
        return _("%(turn)s · saved %(ago)s ago") % {"turn": turn, "ago": span(self.since)}


def _other(player: User) -> dict[str, Any]:
    here = bool(player.computer) or presence.is_online(player.pk)
    if player.computer:
        words = _("%(name)s is a computer player")
    else:
        words = _("%(name)s is here") if here else _("%(name)s is away")
    name = player.name_in_words()
    return {"name": name, "here": here, "words": words % {"name": name}}


def saved_of(user: int | OuterRef) -> QuerySet[Match]:
    """The saved matches of a user."""
    return Match.objects.filter(status=Match.Status.SAVED, game__in=GAMES, seatings__user=user)


def saved_by(user_ids: Iterable[int]) -> dict[int, list[SavedMatch]]:
    """The saved matches of users, by user, last saved first."""
    ids = list(user_ids)
    last = Ply.objects.filter(match=OuterRef("pk")).order_by("-number")
    theirs = Match.objects.filter(status=Match.Status.SAVED, game__in=GAMES, seatings__user__in=ids)
    matches = theirs.distinct().annotate(
        since=Subquery(last.values("at")[:1]), position=Subquery(last.values("state")[:1])
    )
    found: dict[int, list[SavedMatch]] = {user_id: [] for user_id in ids}
    for match in matches.order_by("-since").prefetch_related(Seating.with_names()):
        saved = _saved(match)
        for player in saved.players:
            if player.pk in found:
                found[player.pk].append(saved)
    return found


def _saved(match: Any) -> SavedMatch:
    players = tuple(seating.user for seating in match.seatings.all())
    turn = players[orjson.loads(match.position)["turn"]]
    return SavedMatch(match.pk, match.game, players, turn, match.since)


def fields_for(user_id: int) -> list[dict[str, Any]]:
    """The saved matches of a user, in the active language."""
    return [saved.fields(user_id) for saved in saved_by([user_id])[user_id]]


def _shown(pages: Collection[Page]) -> dict[Page, tuple[frozenset[int], dict[str, Any]]]:
    """For each page the opponents in its list, and the list as a message in its language."""
    found = saved_by({page.user_id for page in pages if page.user_id is not None})
    shown = {}
    for page in pages:
        if page.user_id is not None:
            matches = found[page.user_id]
            others = frozenset(other.pk for saved in matches for other in saved.others(page.user_id))
            with translation.override(page.language):
                fields = [saved.fields(page.user_id) for saved in matches]
            shown[page] = others, {"type": "saved", "matches": fields}
    return shown


def tell(match_id: str, _terms: Terms | None = None) -> None:
    """Update the pages of a match's players after it was saved or changed; from any thread."""
    players = Match.objects.filter(pk=match_id).values_list("seatings__user", flat=True)
    process_hub.tell_everyone(LISTENER, {"players": list(players)})


class SavedMatchPages:
    """The pages of this process that show saved matches."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._pages: dict[Page, frozenset[int]] = {}
        # Sends lists in the order in which they were read.
        self._telling = asyncio.Lock()
        hub.listen(LISTENER, self._hear)
        presence.on_change(self._moved)

    async def watch(self, page: Page) -> None:
        """Send a page its list, now and after every change, until `forget`."""
        self._pages[page] = frozenset()
        await self._tell([page])

    def forget(self, page: Page) -> None:
        """Stop sending to a page; does nothing for an unknown one."""
        self._pages.pop(page, None)

    def _hear(self, _topic: str, payload: bytes) -> None:
        players = set(orjson.loads(payload)["players"])
        self._tell_soon([page for page in self._pages if page.user_id in players])

    def _moved(self, change: Change) -> None:
        """Users came online or went offline."""
        moved = change.came | change.went
        self._tell_soon([page for page, others in self._pages.items() if others & moved])

    def _tell_soon(self, pages: Collection[Page]) -> None:
        if pages:
            spawn(self._tell(pages))

    async def _tell(self, pages: Collection[Page]) -> None:
        async with self._telling:
            try:
                shown = await in_thread(_shown)(pages)
            except DatabaseError:
                # The database may be down for a while; pages ask again when they reconnect.
                logger.exception("could not read the saved matches")
                return
            for page, (others, message) in shown.items():
                if page in self._pages:
                    self._pages[page] = others
                    page.tell(message)


saved_pages = process.part(SavedMatchPages, process_hub)
"""The saved-match pages of this process."""
