"""Which matches may be rated, and who may play them."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext as _

from games.law.options import preset_of
from games.registry import Game
from lobby.models import User
from lobby.ratings import conduct


class Refusal(NamedTuple):
    """Why a match cannot be rated: `code` for programs, `sentence` for people."""

    code: str
    sentence: str


def may_be_rated(game: Game, options: Any) -> Refusal | None:
    """None if matches of a game with these `Options` may be rated, else "pure-luck" or "own-rules"."""
    if game.pure_luck:
        sentence = _("%(game)s is pure luck, so its matches are never rated.")
        return Refusal("pure-luck", sentence % {"game": _(game.title)})
    if preset_of(game, options) is None:
        return Refusal("own-rules", _("Matches with rules of your own are never rated."))
    return None


def may_have_rating(person: User | AnonymousUser) -> Refusal | None:
    """None if somebody may have a rating at all, else "guest" or "bot".

    Who is nobody yet would play as a guest.
    """
    if not person.is_authenticated or person.is_guest:
        return Refusal("guest", _("Guests play casual matches. Rated ones are for players with an account."))
    if person.is_bot:
        return Refusal("bot", _("Computer players play casual matches."))
    return None


def may_play_rated(person: User | AnonymousUser) -> Refusal | None:
    """None if somebody may begin a rated match now, else "guest", "bot" or "conduct" (`.conduct`)."""
    never = may_have_rating(person)
    if never is not None or not person.is_authenticated:
        return never
    closed = conduct.closed_to(person.pk, timezone.now())
    return None if closed is None else Refusal("conduct", closed)


def can_be_rated(game: Game, options: Any, person: User | AnonymousUser) -> Refusal | None:
    """Why a match cannot be rated: the game, the rules or somebody who takes part; None if it can."""
    return may_be_rated(game, options) or may_play_rated(person)
