"""What other sites show of a page behind a link: title, description, picture, and of a match the board."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import ResolverMatch, reverse
from django.utils.html import escape
from django.utils.http import urlencode
from django.utils.translation import gettext

from games.finished import scoresheet
from games.registry import Game
from games.share.drawing import CARD
from games.signals import Signal
from games.watch.positions import Position

FRAME = (640, 480)
"""Width and height of a frame for which nobody has another room."""
LATE = 70
"""Which position of a finished match is shown, in per cent of its plies: the last of Kalah is empty."""


@dataclass(frozen=True, slots=True)
class Card:
    """A page for those who pass a link on; addresses are whole ones. `picture` says what is on `image`."""

    title: str
    description: str
    address: str
    image: str
    picture: str
    width: int = CARD[0]
    height: int = CARD[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class FramedCard(Card):
    """A match, whose board can be embedded, or another page with a frame for other sites."""

    embed: str
    oembed: str

    def frame(self, width: int = FRAME[0], height: int = FRAME[1]) -> str:
        """The HTML with which another site shows the frame in that many pixels; to this one it is a text."""
        size = f'width="{width}" height="{height}"'
        named = f'src="{escape(self.embed)}" {size} title="{escape(self.title)}"'
        return f'<iframe {named} loading="lazy" style="border:0"></iframe>'


framed_pages = Signal[[ResolverMatch, HttpRequest], FramedCard | None]()
"""The card of another page of the site that has a frame, by where its address leads; None for all others."""


def card_of_page(
    request: HttpRequest, game: Game, title: str, description: str, image: str | None = None
) -> Card:
    """The card of a page about a game; `image` is the path of its picture, by default of a position."""
    image = image or reverse("demonstration-card", args=[game.slug])
    return Card(
        title=title,
        description=description,
        address=request.build_absolute_uri(request.path),
        image=request.build_absolute_uri(image),
        picture=gettext(game.title),
    )


def card_of(shown: Position, request: HttpRequest) -> FramedCard:
    """The card of a match as it stands; the address of its picture stays true when the match goes on.

    Once it is over, the picture is of a position in which there is still much on the board.
    """

    def whole(name: str, *arguments: object) -> str:
        return request.build_absolute_uri(reverse(name, args=arguments))

    address = whole("match", shown.match_id)
    ply = shown.ply if shown.outcome is None else shown.ply * LATE // 100
    return FramedCard(
        title=title_of(shown),
        description=_description(shown),
        address=address,
        image=whole("picture-png-at", shown.match_id, ply),
        picture=picture_title(shown.game, ply),
        embed=whole("embed", shown.match_id),
        oembed=whole("oembed") + "?" + urlencode({"url": address, "format": "json"}),
    )


def title_of(shown: Position) -> str:
    """The game and who plays it."""
    return f"{gettext(shown.game.title)}: {' – '.join(shown.names)}"


def picture_title(game: Game, ply: int) -> str:
    """What a picture shows; without names, which change while the picture is kept."""
    words = {"game": gettext(game.title), "ply": ply}
    return gettext("%(game)s, the position after move %(ply)d") % words


def _description(shown: Position) -> str:
    if shown.outcome is None:
        return gettext("Watch this game of %(game)s live.") % {"game": gettext(shown.game.title)}
    result = scoresheet.result(shown.game, shown.outcome, shown.names)
    return gettext("%(result)s. Replay it move by move.") % {"result": result}
