"""A tournament in memory: pairs by a format, and makes up the results."""

from dataclasses import dataclass, field, replace
from random import Random

from lobby.tournaments.formats import FORMATS, MOST_CLUBS
from lobby.tournaments.formats.base import Kind, Options, Pairing, Player, finished

HOST = 100
"""The host of a simul."""


def roster(count, clubs=0):
    """Players 101, 102, … by seed, who play for so many clubs in turn, or for themselves."""
    return [Player(100 + seed, seed, team=seed % clubs if clubs else None) for seed in range(1, count + 1)]


@dataclass
class Event:
    """A tournament that is played step by step."""

    options: Options
    players: list[Player]
    pairings: list[Pairing] = field(default_factory=list)

    @property
    def form(self):
        return FORMATS[self.options.format]

    @property
    def round(self):
        return max((pairing.round for pairing in self.pairings), default=0)

    @property
    def open(self):
        return [pairing for pairing in self.pairings if pairing.open]

    @property
    def over(self):
        return finished(self.form, self.players, self.pairings, self.options)

    def pair(self, *waiting, patient=()):
        """Pair and keep what is due now."""
        new = self.form.pair(self.players, self.pairings, self.options, waiting, patient)
        self.pairings += new
        return new

    def end(self, pairing, *points, kind=None):
        """End an open match."""
        place = self.pairings.index(pairing)
        order = 1 + sum(each.ended is not None for each in self.pairings)
        self.pairings[place] = replace(pairing, points=points, ended=order, kind=kind or pairing.kind)

    def end_all(self, decide=lambda _pairing: None):
        """End all open matches: as `decide` says, or the better seeds win."""
        for pairing in self.open:
            places = sorted(pairing.seats)
            share = len(places) - 1
            points = decide(pairing) or tuple(
                (share - places.index(player)) / share for player in pairing.seats
            )
            self.end(pairing, *points)

    def play(self, decide=lambda _pairing: None):
        """Pair and play until there is nothing left to pair."""
        while self.pair() or self.open:
            self.end_all(decide)

    def change(self, player, **changes):
        """Change a player, such as withdrawn=True."""
        self.players = [replace(each, **changes) if each.id == player else each for each in self.players]

    def withdraw(self, player):
        """Withdraw a player; an open match is lost by forfeit, as the director decides it."""
        self.change(player, withdrawn=True)
        for pairing in self.open:
            if player in pairing.seats:
                points = (float(each != player) for each in pairing.seats)
                self.end(pairing, *points, kind=Kind.FORFEIT)

    def standings(self):
        return self.form.standings(self.players, self.pairings, self.options)

    def ranks(self):
        """Rank by player."""
        return {line.player: line.rank for line in self.standings()}

    def points(self):
        """Points by player."""
        return {line.player: line.points for line in self.standings()}


def event(form, count, clubs=2, **options):
    """A tournament of `count` players that has not begun; only where clubs play, there are some."""
    host = HOST if FORMATS[form].HOST else None
    return Event(
        Options(form, lot="a lot", host=host, **options), roster(count, clubs if form in MOST_CLUBS else 0)
    )


def random_result(chance: Random, draws=True):
    """Results by chance for `Event.end_all`."""

    def decide(pairing):
        if len(pairing.seats) > 2:
            return None
        return chance.choice(((1.0, 0.0), (0.0, 1.0), (0.5, 0.5)) if draws else ((1.0, 0.0), (0.0, 1.0)))

    return decide
