"""The report of a tournament in TRF16, the format of FIDE's tournament reports (Handbook C.04.A, annex 2).

Columns count characters, and the file is UTF-8. Rounds that are not over are left out, so that a report
always agrees with itself.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime

from lobby.tournaments import refusals
from lobby.tournaments.formats import report, round_robin
from lobby.tournaments.formats.base import PlayerId
from lobby.tournaments.formats.standings import records
from lobby.tournaments.models import Tournament
from lobby.tournaments.sheet import Sheet

TYPES = {"swiss": "Individual: Swiss-System (Dutch)", "round_robin": "Individual: Round-Robin (Berger)"}
"""What a report calls the formats that it can describe, by the word that is stored with a tournament."""
NAME_WIDTH = 33
LINE_END = "\r\n"


def has_report(tournament: Tournament) -> bool:
    """Whether there is a report of a tournament: of a Swiss or a round robin that has begun."""
    return tournament.format in TYPES and tournament.began is not None


def written(tournament: Tournament, sheet: Sheet) -> str:
    """The report of a tournament.

    Raises:
        TournamentError: "no-report".
    """
    if not has_report(tournament):
        raise refusals.NoReport
    done = min((pairing.round for pairing in sheet.open), default=sheet.round + 1) - 1
    if done < sheet.round:
        over = tuple(pairing for pairing in sheet.pairings if pairing.round <= done)
        sheet = replace(sheet, pairings=over, final=None)
    lines = [*_header(tournament, sheet), *_players(tournament, sheet)]
    return "".join(line + LINE_END for line in lines)


def _header(tournament: Tournament, sheet: Sheet) -> Iterator[str]:
    yield f"012 {_plain(tournament.title_in_words)}"
    for code, at in (("042", tournament.began), ("052", tournament.ended)):
        if at is not None:
            yield f"{code} {_date(at)}"
    yield f"062 {len(sheet.entrants)}"
    # Everybody has a rating of this site.
    yield f"072 {len(sheet.entrants)}"
    yield "082 0"
    yield f"092 {TYPES[tournament.format]}"
    yield f"102 {_plain(tournament.organiser.get_username())}"
    if tournament.clock:
        yield f"122 {tournament.clock}"
    yield f"XXR {sheet.form.rounds(len(sheet.players), sheet.options)}"


def _players(tournament: Tournament, sheet: Sheet) -> Iterator[str]:
    computer = sheet.options.computer
    order = [player.id for player in sorted(sheet.players, key=lambda each: each.seed)]
    number = {player: place for place, player in enumerate([*order, *([computer] if computer else [])], 1)}
    rounds, points = _rounds(tournament, sheet), _points(sheet)
    ranks = {line.player: line.rank or place for place, line in enumerate(sheet.standings(), 1)}
    for player, start in number.items():
        entrant = sheet.entrants[player]
        name = _plain(entrant.get_name())[:NAME_WIDTH]
        rank = ranks.get(player, len(number))
        yield (
            f"001 {start:4}      {name:{NAME_WIDTH}} {round(entrant.rating):4}{'':28}"
            f"{points[player]:4.1f} {rank:4}{_results(rounds[player], number, sheet.round)}"
        )


def _results(rounds: Mapping[int, report.Entry], number: Mapping[PlayerId, int], last: int) -> str:
    found = []
    for round in range(1, last + 1):
        entry = rounds.get(round, ABSENT)
        opponent = "0000" if entry.opponent is None else f"{number[entry.opponent]:4}"
        found.append(f"  {opponent} {entry.colour} {entry.code}")
    return "".join(found)


ABSENT = report.Entry(0, None, report.NO_COLOUR, report.ABSENT)
"""Stands for a round of somebody who was not paired."""


def _rounds(tournament: Tournament, sheet: Sheet) -> Mapping[PlayerId, Mapping[int, report.Entry]]:
    """The entries of the players by round, without matches that do not count in the standings."""
    of_robin = tournament.format == "round_robin"
    out = round_robin.struck_out(sheet.players, sheet.pairings) if of_robin else frozenset()
    found = defaultdict[PlayerId, dict[int, report.Entry]](dict)
    for pairing in sheet.pairings:
        if not out & set(pairing.seats):
            for entry in report.entries(pairing):
                found[entry.player][pairing.round] = entry
    return found


def _points(sheet: Sheet) -> dict[PlayerId, float]:
    """The points in the standings, and those of the computer, which has no place there."""
    points = {line.player: line.points for line in sheet.standings()}
    if sheet.options.computer is not None:
        points[sheet.options.computer] = records(sheet.pairings, sheet.options)[sheet.options.computer].points
    return points


def _plain(text: str) -> str:
    """A text that every reader counts alike: composed, printable, and each character one unit of UTF-16."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(each if each.isprintable() and each <= "\uffff" else "?" for each in composed)


def _date(at: datetime) -> str:
    return f"{at:%Y/%m/%d}"
