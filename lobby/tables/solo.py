"""Matches of one player against computer players, which begin at once."""

from __future__ import annotations

from django.db import transaction

from games.domain.terms import Terms
from games.models import Match
from games.play import begin
from games.registry import GAMES
from games.rules.base import BadOptions
from lobby.pairing import offer, queue
from lobby.people.models import User
from lobby.tables import computers, refusals, seat_order, tables
from lobby.tables import terms as conditions
from lobby.tables.table_template import Plan


@transaction.atomic
def play(person: User, plan: Plan) -> Match:
    """Begin a match against computer players on the levels of the plan.

    Raises:
        TableError: "unknown-game", "bad-seats", "bad-option", "bad-first", "bad-level", "computers-casual",
            "too-many-computers" or what `lobby.tables.terms.check` raises.
    """
    tables.check_game(plan.game, plan.options, plan.seats, plan.first)
    if len(plan.levels) != plan.seats - 1:
        raise refusals.BadSeats
    if plan.terms.rated:
        raise refusals.ComputersCasual
    computers.check_seatings(person.pk)
    game = GAMES[plan.game]
    conditions.check(plan.terms, person, game, plan.options)
    queue.cancel([person.pk])
    opponents = computers.seat_all(game, plan.levels)
    users, first = seat_order.drawn(
        game, [person, *opponents], plan.first, plan.terms.opens, position=plan.position
    )
    level_of = dict(zip(opponents, plan.levels, strict=True))
    levels = {seat: level_of[user] for seat, user in enumerate(users) if user != person}
    try:
        terms = plan.terms.of_the_match()
        return begin.create(
            plan.game, plan.options, users, first, terms, levels=levels, position=plan.position
        )
    except BadOptions as error:
        raise refusals.RulesBadOption(error) from None


@transaction.atomic
def instead_of_waiting(person: User) -> Match:
    """Begin the match that a player waits for in quick pairing against the offered computer player.

    It is casual, and the player moves first. If the player was paired meanwhile, or asks twice, this returns
    the existing match.

    Raises:
        PairingError: "not-waiting".
        TableError: "too-many-computers".
    """
    seek = queue.held(person.pk)
    if seek.match is not None:
        return seek.match
    computers.check_seatings(person.pk)
    tile, game = queue.tile_of(seek), GAMES[seek.game]
    level = offer.level_for(person.pk, game)
    levels = dict.fromkeys(range(1, tile.seats), level)
    users = [person, *computers.seat_all(game, list(levels.values()))]
    options, terms = game.rules.PRESETS[tile.preset], Terms(clock=tile.clock)
    match = begin.create(tile.game, options, users, 0, terms, levels=levels)
    queue.found([seek], match)
    return match
