"""The order of the clubs, from the standings of their players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from lobby.tournaments.formats.base import Player, Standing, TeamId
from lobby.tournaments.formats.standings import PLACES


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """One line of the standings of clubs.

    Attributes:
        rank: shared by clubs that nothing separates; None for a club none of whose players has played yet.
        points: the sum of the points that count.
        counted: the lines of the players who count, the best first.
        players: how many play for the club.
        played: the number of matches that its players have ended.
    """

    team: TeamId
    rank: int | None
    points: float
    counted: tuple[Standing, ...]
    players: int
    played: int


def team_standings(
    players: Sequence[Player], order: Sequence[Standing], team_size: int | None
) -> tuple[TeamStanding, ...]:
    """The clubs that have players, the best first.

    Args:
        order: the standings of the players.
        team_size: how many players of a club count; equal clubs are then separated by their best players, one
            by one. None: all count, and equal clubs share a place.
    """
    clubs = {player.id: player.team for player in players}
    lines = defaultdict[TeamId, list[Standing]](list)
    for line in order:
        club = clubs[line.player]
        if club is not None:
            lines[club].append(line)
    found = [_line(team, of_team, team_size) for team, of_team in lines.items()]

    def key(line: TeamStanding) -> tuple[float, ...]:
        best = () if team_size is None else (each.points for each in line.counted if each.points)
        return (line.points, *best)

    found.sort(key=lambda line: line.team)
    found.sort(key=key, reverse=True)
    done: list[TeamStanding] = []
    for _key, group in groupby((line for line in found if line.played), key=key):
        rank = len(done) + 1
        done += [replace(line, rank=rank) for line in group]
    return (*done, *(line for line in found if not line.played))


def _line(team: TeamId, lines: Sequence[Standing], team_size: int | None) -> TeamStanding:
    counted = tuple(sorted(lines, key=lambda line: -line.points)[:team_size])
    points = round(sum(line.points for line in counted), PLACES)
    return TeamStanding(team, None, points, counted, len(lines), sum(line.played for line in lines))
