"""The settings of a table besides the options of the game, and which of them fit together."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.domain import clock, clock_words
from games.domain.terms import Terms
from games.registry import Game
from lobby.people.models import User
from lobby.ratings.rated import can_be_rated
from lobby.tables import refusals
from lobby.tables.models import Table

DELAYS = (0, 15, 60, 300)
"""Possible delays for spectators, in seconds."""
HIGHEST_RATING = 4000


@dataclass(frozen=True, slots=True)
class TableTerms:
    """The terms of a table, named like its columns.

    Attributes:
        listed: whether the lobby shows the table; otherwise players need an invitation.
        clock: a notation that passes `games.domain.clock.may_be_chosen`.
        rated: whether the match is rated.
        watchable: whether spectators may watch.
        delay: how many seconds later spectators see everything, one of `DELAYS`.
        lowest_rating: the minimum rating to sit down, None for any; `highest_rating` likewise.
        opens: the seat that moves first, where the sides of a game have names; otherwise 0.
        chat: whether the match has a chat.
    """

    listed: bool = True
    clock: str = ""
    rated: bool = False
    watchable: bool = True
    delay: int = 0
    lowest_rating: int | None = None
    highest_rating: int | None = None
    opens: int = 0
    chat: bool = True

    @classmethod
    def of(cls, table: Table) -> TableTerms:
        """The terms of a stored table."""
        return cls(**{field.name: getattr(table, field.name) for field in fields(cls)})

    @classmethod
    def like(cls, terms: Terms) -> TableTerms:
        """Terms of a table whose match would have these terms."""
        return cls(**asdict(terms))

    def of_the_match(self) -> Terms:
        """The terms of the match."""
        return Terms(self.clock, self.rated, self.watchable, self.delay, self.chat)


OPEN = TableTerms()
"""Public, watchable, casual."""


def check(terms: TableTerms, host: User, game: Game, options: Any) -> None:
    """Check that the terms are valid and fit together.

    Raises:
        TableError: "bad-clock", "bad-delay", "delay-unwatched", "bad-range", "range-casual" or "bad-first".
        NotRated: why the match cannot be rated (`lobby.ratings.rated.can_be_rated`).
    """
    if not clock.may_be_chosen(terms.clock):
        raise refusals.BadClock
    if terms.delay not in DELAYS:
        raise refusals.BadDelay
    if terms.delay and not terms.watchable:
        raise refusals.DelayUnwatched
    if terms.opens and terms.opens not in range(len(game.sides)):
        raise refusals.BadFirst
    lowest, highest = terms.lowest_rating, terms.highest_rating
    if (lowest, highest) != (None, None):
        if not terms.rated:
            raise refusals.RangeCasual
        check_range(lowest, highest)
    if terms.rated:
        why = can_be_rated(game, options, host)
        if why is not None:
            raise why


def check_range(lowest: int | None, highest: int | None) -> None:
    """Check the limits of a rating; None is no limit.

    Raises:
        TableError: "bad-range".
    """
    if not 0 <= (lowest or 0) <= (HIGHEST_RATING if highest is None else highest) <= HIGHEST_RATING:
        raise refusals.BadRange


def delay_in_words(seconds: int) -> str:
    """The spectators' delay as text."""
    if seconds < 60:
        return ngettext("%(n)d second later", "%(n)d seconds later", seconds) % {"n": seconds}
    minutes = seconds // 60
    return ngettext("%(n)d minute later", "%(n)d minutes later", minutes) % {"n": minutes}


def in_short(terms: TableTerms) -> list[str]:
    """The terms that matter most in a list of tables, as texts."""
    words = [_("Rated") if terms.rated else _("Casual"), clock_words.in_words(terms.clock)]
    if terms.lowest_rating is not None and terms.highest_rating is not None:
        words.append(
            _("Ratings from %(lowest)d to %(highest)d")
            % {"lowest": terms.lowest_rating, "highest": terms.highest_rating}
        )
    elif terms.lowest_rating is not None:
        words.append(_("Ratings from %(lowest)d") % {"lowest": terms.lowest_rating})
    elif terms.highest_rating is not None:
        words.append(_("Ratings up to %(highest)d") % {"highest": terms.highest_rating})
    return words


def of_table_in_short(table: Table) -> list[str]:
    """The same for a table, and that its match begins at a position."""
    started = [] if table.position is None else [_("From a position")]
    return [*started, *in_short(TableTerms.of(table))]


def chat_in_words(terms: TableTerms) -> list[str]:
    """What is unusual about the chat of a match, as texts; empty if nothing is."""
    return [] if terms.chat else [_("No chat in this match")]


def first_in_words(table: Table, game: Game) -> list[str]:
    """Who moves first or, where sides have names, who plays which side, as texts."""
    first = table.get_first_display()
    if not game.sides:
        return [_("Moves first: %(first)s") % {"first": first}]
    sides = [capfirst(_(side)) for side in game.sides]
    opens = [_("%(side)s moves first") % {"side": sides[table.opens]}] if table.opens else []
    if table.first == Table.First.LOT:
        return [_("Random sides"), *opens]
    return [_("%(side)s: %(who)s") % {"side": sides[0], "who": first}, *opens]


def watchers_in_words(terms: TableTerms) -> str:
    """Who may watch, and with which delay, as text."""
    if not terms.watchable:
        return _("Nobody can watch")
    if not terms.delay:
        return _("Everyone can watch live")
    return _("Everyone can watch, %(later)s") % {"later": delay_in_words(terms.delay)}
