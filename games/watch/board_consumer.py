"""The feed of boards: shows many matches at once on small boards."""

from __future__ import annotations

from django.utils import translation
from pydantic import ValidationError

from games.domain import strict_json
from games.domain.refusals import SavingUnavailable, UnknownMatch
from games.net.sockets import CLOSE_MALFORMED, Feed
from games.rules.base import gettext_noop
from games.watch.board_messages import ShowRequest, incoming
from games.watch.boards import boards
from games.watch.visibility import ADMITTED, PlayersOnly

TOPIC = "watching.boards"
"""Topic of all these feeds, so that the hub can close them; nothing is published on it."""

ERRORS = (UnknownMatch, PlayersOnly, SavingUnavailable)
"""Why a board is not shown."""


class BoardsFeed(Feed):
    """A viewer of small boards, signed in or anonymous."""

    async def opened(self) -> None:
        """Greet; no board is shown yet."""
        self._shown: dict[str, None] = {}
        self.join(TOPIC)
        self.tell({"type": "hello"})

    async def resync(self) -> None:
        """Find out whether the end of a right was lost; plies are numbered."""
        await self.look_again()

    async def look_again(self) -> None:
        """Show the boards no longer that the user may not see any more."""
        for match_id in list(self._shown):
            try:
                await boards.view(match_id, self.user_id)
            except ERRORS as error:
                if match_id in self._shown:
                    self._refuse(match_id, error.code)

    def closed(self) -> None:
        """Show no board any more."""
        for match_id in self._shown:
            boards.hide(self, match_id)

    async def received(self, text: str) -> None:
        """Show the boards that the page lists."""
        try:
            message = strict_json.adapted(incoming, text)
        except ValidationError:
            sentence = gettext_noop("This message does not say which boards to show.")
            await self.close_with(CLOSE_MALFORMED, "malformed", sentence)
            return
        if isinstance(message, ShowRequest):
            await self._show(message.matches)
        else:
            self.tell({"type": "pong", "t": message.t})

    async def _show(self, wanted: list[str]) -> None:
        for match_id in set(self._shown).difference(wanted):
            self._forget(match_id)
        for match_id in wanted:
            if match_id not in self._shown:
                await self._add(match_id)

    async def _add(self, match_id: str) -> None:
        self._shown[match_id] = None
        try:
            if (await boards.view(match_id, self.user_id)).admitted:
                # Before it is shown: the right may end meanwhile.
                self.join(ADMITTED)
            with translation.override(self.language):
                self.tell(await boards.show(self, match_id, self.user_id))
        except ERRORS as error:
            self._refuse(match_id, error.code)
        if self._over:
            boards.hide(self, match_id)  # closed meanwhile: nothing else would

    def _refuse(self, match_id: str, code: str) -> None:
        self._forget(match_id)
        self.tell({"type": "not-shown", "match": match_id, "code": code})

    def _forget(self, match_id: str) -> None:
        del self._shown[match_id]
        boards.hide(self, match_id)
