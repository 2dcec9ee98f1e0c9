"""Small boards: sends the plies of listed matches to many viewers.

A process has one relay per match, however many pages show it. The relay subscribes like a spectator and
encodes one frame per ply for all pages. It ends with the last page that shows the match. Viewers of small
boards are anonymous and do not count as spectators.
"""

from __future__ import annotations

from typing import Any, Protocol

import orjson

from games.domain import computer_names
from games.net.hub import Frame, Hub, TopicListener
from games.net.hub import hub as process_hub
from games.net.process import process
from games.net.threads import in_thread
from games.play.live import LiveMatch
from games.play.matches import Matches, matches
from games.play.matches import topic as match_topic
from games.watch.delay import Delays, delays
from games.watch.delay import topic as delayed_topic
from games.watch.visibility import View, admitted, may_see


class Page(Protocol):
    """The interface of a socket that a relay uses."""

    def write(self, frame: Frame) -> None:
        """Send a frame. Must not block."""


class Relay(TopicListener):
    """Forwards the plies of one match to all pages that show it."""

    def __init__(self, match_id: str, delayed: bool) -> None:
        self.topic = (delayed_topic if delayed else match_topic)(match_id)
        self.pages: set[Page] = set()
        self._match_id = match_id

    def write(self, frame: Frame) -> None:
        """Translate a message of the match into changes of its small board."""
        message = orjson.loads(frame.payload)
        if message["type"] == "plies":
            for ply in message["plies"]:
                last = ply is message["plies"][-1]
                board = self._board(ply, message["outcome"] if last else None)
                for page in tuple(self.pages):
                    page.write(board)

    def _board(self, ply: dict[str, Any], outcome: dict[str, Any] | None) -> Frame:
        return Frame.of(
            {
                "type": "board",
                "match": self._match_id,
                "ply": ply["number"],
                "events": ply["events"],
                "state": ply["state"],
                "outcome": outcome,
            }
        )


class Boards:
    """The relays of this process."""

    def __init__(self, hub: Hub, matches: Matches, delays: Delays) -> None:
        self._hub, self._matches, self._delays = hub, matches, delays
        self._relays: dict[str, Relay] = {}

    async def show(self, page: Page, match_id: str, user_id: int | None) -> dict[str, Any]:
        """Start to send every ply to a page. Returns the current state of the match, as a message.

        Computer players are named in the active language. Players see their own matches as spectators do.

        Raises `PlayersOnly`, `UnknownMatch` or `SavingUnavailable`.
        """
        view = await self.view(match_id, user_id)
        relay = self._relays.get(match_id)
        if relay is None:
            relay = self._relays[match_id] = Relay(match_id, view.late)
            self._hub.join(relay.topic, relay)
        # Subscribe before reading: a ply in between is sent twice rather than never.
        relay.pages.add(page)
        live = await (self._delays if view.late else self._matches).get(match_id)
        return _shown(live, view)

    async def view(self, match_id: str, user_id: int | None) -> View:
        """What a user may see of a match on a small board. Raises what `show` does."""
        live = await self._matches.get(match_id)
        view = may_see(live.terms, None)
        if not view.allowed:
            view = await in_thread(admitted)(view, match_id, user_id)
        if not view.allowed:
            self._matches.forget(match_id)
        view.check()
        return view

    def hide(self, page: Page, match_id: str) -> None:
        """Stop sending the plies of a match to a page."""
        relay = self._relays.get(match_id)
        if relay is None:
            return
        relay.pages.discard(page)
        if not relay.pages:
            del self._relays[match_id]
            self._hub.leave(relay.topic, relay)
            self._delays.forget(match_id)
            self._matches.forget(match_id)


def _shown(live: LiveMatch, view: View) -> dict[str, Any]:
    return {
        "type": "shown",
        "match": {
            "id": live.id,
            "game": live.game.slug,
            "options": orjson.Fragment(live.options),
            "players": computer_names.at_seats(live.names, live.levels),
            "delay": view.behind,
        },
        **live.position(),
        "outcome": live.outcome_fields(),
    }


boards = process.part(Boards, process_hub, matches, delays)
"""The relays of this process."""
