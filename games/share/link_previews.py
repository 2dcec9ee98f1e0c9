"""What other sites show of a match behind a link: title, description and picture, and a board to embed."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import escape
from django.utils.http import urlencode
from django.utils.translation import gettext

from games.finished import scoresheet
from games.share.drawing import CARD
from games.watch.positions import Position

FRAME = (640, 480)
"""Width and height of a frame for which nobody has another room."""


@dataclass(frozen=True, slots=True)
class Card:
    """A match for those who pass a link on; addresses are whole ones. `picture` says what is on `image`."""

    title: str
    description: str
    address: str
    image: str
    picture: str
    embed: str
    oembed: str
    width: int = CARD[0]
    height: int = CARD[1]

    def frame(self, width: int = FRAME[0], height: int = FRAME[1]) -> str:
        """The HTML with which another site shows the board in that many pixels; to this one it is a text."""
        size = f'width="{width}" height="{height}"'
        named = f'src="{escape(self.embed)}" {size} title="{escape(self.title)}"'
        return f'<iframe {named} loading="lazy" style="border:0"></iframe>'


def card_of(shown: Position, request: HttpRequest) -> Card:
    """The card of a match as it stands; the address of its picture stays true when the match goes on."""

    def whole(name: str, *arguments: object) -> str:
        return request.build_absolute_uri(reverse(name, args=arguments))

    address = whole("match", shown.match_id)
    return Card(
        title=title_of(shown),
        description=_description(shown),
        address=address,
        image=whole("picture-png-at", shown.match_id, shown.ply),
        picture=picture_title(shown),
        embed=whole("embed", shown.match_id),
        oembed=whole("oembed") + "?" + urlencode({"url": address, "format": "json"}),
    )


def title_of(shown: Position) -> str:
    """The game and who plays it."""
    return f"{gettext(shown.game.title)}: {' – '.join(shown.names)}"


def picture_title(shown: Position) -> str:
    """What a picture shows; without names, which change while the picture is kept."""
    words = {"game": gettext(shown.game.title), "ply": shown.ply}
    return gettext("%(game)s, the position after move %(ply)d") % words


def _description(shown: Position) -> str:
    if shown.outcome is None:
        return gettext("Watch this game of %(game)s live.") % {"game": gettext(shown.game.title)}
    result = scoresheet.result(shown.game, shown.outcome, shown.names)
    return gettext("%(result)s. Replay it move by move.") % {"result": result}
