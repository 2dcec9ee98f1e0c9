"""Which matches may be rated, and who may play them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext as _

from games.domain.options import preset_of
from games.domain.refusals import Refused
from games.registry import Game
from games.rules.base import gettext_noop
from lobby.models import User
from lobby.ratings import conduct


class NotRated(Refused):
    """Why a match cannot be rated."""


class PureLuck(NotRated):
    code, status = "pure-luck", 422
    sentence = gettext_noop("%(game)s is pure luck, so its matches are never rated.")


class OwnRules(NotRated):
    code, status = "own-rules", 422
    sentence = gettext_noop("Matches with rules of your own are never rated.")


class GuestsCasual(NotRated):
    code, status = "guest", 403
    sentence = gettext_noop("Guests play casual matches. Rated ones are for players with an account.")


class BotsCasual(NotRated):
    code, status = "bot", 403
    sentence = gettext_noop("Computer players play casual matches.")


class ClosedToYou(NotRated):
    code, status = "conduct", 403
    sentence = gettext_noop("You left games lately. Rated games are open to you again in %(wait)s.")


def may_be_rated(game: Game, options: Any) -> NotRated | None:
    """None if matches of a game with these `Options` may be rated, else "pure-luck" or "own-rules"."""
    if game.pure_luck:
        return PureLuck(game=_(game.title))
    if preset_of(game, options) is None:
        return OwnRules()
    return None


def may_have_rating(person: User | AnonymousUser) -> NotRated | None:
    """None if somebody may have a rating at all, else "guest" or "bot".

    Who is nobody yet would play as a guest.
    """
    if not person.is_authenticated or person.is_guest:
        return GuestsCasual()
    if person.is_bot:
        return BotsCasual()
    return None


def may_play_rated(person: User | AnonymousUser) -> NotRated | None:
    """None if somebody may begin a rated match now, else "guest", "bot" or "conduct" (`.conduct`)."""
    never = may_have_rating(person)
    if never is not None or not person.is_authenticated:
        return never
    wait = conduct.closed_for(person.pk, timezone.now())
    return None if wait is None else ClosedToYou(wait=wait)


def can_be_rated(game: Game, options: Any, person: User | AnonymousUser) -> NotRated | None:
    """Why a match cannot be rated: the game, the rules or somebody who takes part; None if it can."""
    return may_be_rated(game, options) or may_play_rated(person)
