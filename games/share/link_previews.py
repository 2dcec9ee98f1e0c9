"""Link previews: title, description and picture of a page, and the embedded board of a match."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest

from django.http import HttpRequest
from django.urls import ResolverMatch, reverse
from django.utils.html import escape
from django.utils.http import urlencode
from django.utils.translation import gettext

from games.finished import scoresheet
from games.registry import Game
from games.share.drawing import CARD, CardWords
from games.signals import Signal
from games.watch.positions import Position

FRAME = (640, 480)
"""Default width and height of the embedded frame in pixels."""


@dataclass(frozen=True, slots=True)
class Card:
    """The preview of a page. URLs are absolute; `picture` is the text alternative of `image`."""

    title: str
    description: str
    address: str
    image: str
    picture: str
    width: int = CARD[0]
    height: int = CARD[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class FramedCard(Card):
    """The preview of a page that other sites can embed, such as a match."""

    embed: str
    oembed: str

    def frame(self, width: int = FRAME[0], height: int = FRAME[1]) -> str:
        """The HTML that embeds the frame on another site; width and height in pixels."""
        size = f'width="{width}" height="{height}"'
        named = f'src="{escape(self.embed)}" {size} title="{escape(self.title)}"'
        return f'<iframe {named} loading="lazy" style="border:0"></iframe>'


framed_pages = Signal[[ResolverMatch, HttpRequest], FramedCard | None]()
"""Asks for the preview of a page that has a frame, by its resolved URL; None if it has none."""


def card_of_page(
    request: HttpRequest, game: Game, title: str, description: str, image: str | None = None
) -> Card:
    """The preview of a page about a game; `image` is the path of its picture, by default of a position."""
    image = image or reverse("demonstration-card", args=[game.slug])
    return Card(
        title=title,
        description=description,
        address=request.build_absolute_uri(request.path),
        image=request.build_absolute_uri(image),
        picture=gettext(game.title),
    )


def card_of(shown: Position, request: HttpRequest) -> FramedCard:
    """The preview of a match.

    The picture shows the current position, and its URL names the ply. That of a finished match shows the
    result.
    """

    def whole(name: str, *arguments: object) -> str:
        return request.build_absolute_uri(reverse(name, args=arguments))

    address = whole("match", shown.match_id)
    over = shown.outcome is not None
    at_ply = whole("picture-png-at", shown.match_id, shown.ply)
    return FramedCard(
        title=title_of(shown),
        description=_description(shown),
        address=address,
        image=whole("result-png", shown.match_id) if over else at_ply,
        picture=title_of(shown) if over else picture_title(shown.game, shown.ply),
        embed=whole("embed", shown.match_id),
        oembed=whole("oembed") + "?" + urlencode({"url": address, "format": "json"}),
    )


def title_of(shown: Position) -> str:
    """The title of a match: the game and the players."""
    return f"{gettext(shown.game.title)}: {' – '.join(shown.names)}"


def picture_title(game: Game, ply: int) -> str:
    """The text alternative of a picture; without names, which may change while the picture is cached."""
    words = {"game": gettext(game.title), "ply": ply}
    return gettext("%(game)s, the position after move %(ply)d") % words


def invites_you(inviter: str, game: Game) -> str:
    """Who invites to which game, as a sentence."""
    return gettext("%(name)s invites you to play %(game)s") % {"name": inviter, "game": gettext(game.title)}


def invitation_words(inviter: str, game: Game) -> CardWords:
    """The words on the card of an invitation."""
    return CardWords(invites_you(inviter, game), gettext("Parlour"))


def result_words(shown: Position) -> CardWords:
    """The words on the card of a finished match."""
    assert shown.outcome is not None
    pairs = zip_longest(shown.names, shown.outcome.scores)
    players = [name if score is None else f"{name} {score}" for name, score in pairs]
    result = scoresheet.result(shown.game, replace(shown.outcome, scores=()), shown.names)
    note = [result, gettext(shown.game.title), gettext("Parlour")]
    return CardWords(" – ".join(players), " · ".join(note))


def _description(shown: Position) -> str:
    if shown.outcome is None:
        return gettext("Watch this game of %(game)s live.") % {"game": gettext(shown.game.title)}
    result = scoresheet.result(shown.game, shown.outcome, shown.names)
    return gettext("%(result)s. Replay it move by move.") % {"result": result}
