"""What the pages of a tournament show: standings, pairings, cross table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext

from games.domain import clock, clock_words, codec
from games.domain.options import preset_in_words, preset_of
from games.net.languages import listed
from games.registry import GAMES
from games.rules.base import gettext_noop
from lobby.tournaments.formats import FORMATS
from lobby.tournaments.formats.base import Kind, Pairing, PlayerId, Standing, TeamId
from lobby.tournaments.formats.simul import Score
from lobby.tournaments.formats.standings import TIE_BREAKS
from lobby.tournaments.formats.words import REASONS, WORDS
from lobby.tournaments.models import Entrant, Team, Tournament
from lobby.tournaments.sheet import Sheet

CROSS_TABLE = 40
"""Most players of a cross table on a page; it would not be read with more."""
OPPONENTS = 4
"""Most clubs that are named of those against whom a club has played."""
HOST_MOVES = {
    "first": gettext_noop("The host moves first"),
    "second": gettext_noop("The players move first"),
    "alternating": gettext_noop("The host moves first at every other board"),
}
"""By where the host of a simul sits."""
PODIUM, MOST_ON_PODIUM = 3, 6
"""Places on the podium, and most players who share them."""


class Named(NamedTuple):
    """A player as everybody is shown them: user id, name, and address of the profile.

    `mine` says whether it is who reads the page, and `club` is the name of the club they play for, or "".
    """

    id: int
    name: str
    page: str
    mine: bool
    club: str

    @classmethod
    def of(cls, entrant: Entrant, reader: int | None = None) -> Named:
        """A player, as the user with the id `reader` is shown them."""
        user = entrant.user
        club = "" if entrant.team is None else entrant.team.get_name()
        return cls(user.pk, entrant.name_in_words(), user.get_absolute_url(), user.pk == reader, club)


class Line(NamedTuple):
    """A line of the standings; points and tie-breaks as text."""

    rank: int | None
    player: Named
    points: str
    tie_breaks: list[str]
    played: int
    on_streak: bool
    withdrawn: bool
    away: bool


class ClubLine(NamedTuple):
    """A line of the standings of clubs.

    Attributes:
        page: the address of the club; "" once it is dissolved.
        counted: the names and points of the players who count, the best first.
        mine: whether who reads the page plays for it.
    """

    rank: int | None
    name: str
    page: str
    points: str
    counted: list[tuple[Named, str]]
    players: int
    mine: bool


class ClubResult(NamedTuple):
    """The name, place and points of a club in a tournament of clubs that is over."""

    name: str
    rank: int | None
    points: float

    @classmethod
    def of(cls, team: Team) -> ClubResult:
        """The result of a club."""
        return cls(team.get_name(), team.rank, team.points or 0.0)


class TieBreakTitle(NamedTuple):
    """The head of a column, and the sentence that explains it."""

    title: str
    sentence: str


class Side(NamedTuple):
    """A player of a pairing and their points as text; "" while it is open."""

    player: Named
    points: str
    won: bool


class Shown(NamedTuple):
    """A pairing."""

    table: int
    sides: list[Side]
    match: str | None
    open: bool
    note: str
    reason: str


class CrossRow(NamedTuple):
    """A line of the cross table: one cell for each round."""

    rank: int | None
    player: Named
    cells: list[str]
    points: str


def described(found: Tournament) -> dict[str, Any]:
    """A tournament in words."""
    game = GAMES[found.game]
    options = codec.decode(game.rules.Options, found.options)
    preset = preset_of(game, options)
    return {
        "tournament": found,
        "game": game,
        "game_title": gettext(game.title),
        "preset": preset_in_words(game, preset),
        "format": WORDS[found.format],
        "clock": _clock_in_words(found),
        "arena": FORMATS[found.format].ARENA,
        "simul": FORMATS[found.format].HOST,
    }


def host(found: Tournament) -> dict[str, str]:
    """The host of a simul, and where the host sits, in words; empty for other tournaments."""
    if not FORMATS[found.format].HOST:
        return {}
    entrant = found.entrants.filter(host=True).select_related("user").first()
    return {
        "host": _future_host(found) if entrant is None else entrant.name_in_words(),
        "host_moves": gettext(HOST_MOVES[found.host_seat]),
    }


def _future_host(found: Tournament) -> str:
    if not found.computer:
        return found.organiser.get_username()
    level = gettext(GAMES[found.game].levels[found.computer - 1].name)
    return gettext("Computer, %(level)s") % {"level": level}


def _clock_in_words(found: Tournament) -> str:
    hosted = FORMATS[found.format].HOST
    words = clock_words.in_words(clock.hosted(found.clock, 0, found.extra_minutes) if hosted else found.clock)
    if found.vacations or not clock.parse(found.clock).per_move:
        return words
    return gettext("%(clock)s, no vacations") % {"clock": words}


def points_in_words(points: float) -> str:
    """Points as people write them: 2½, or with two decimals where a table shares them."""
    whole, part = divmod(points, 1)
    if part == 0:
        return str(int(whole))
    if part == 0.5:
        return f"{int(whole) or ''}½"
    return f"{points:.2f}"


def standings(sheet: Sheet, order: Sequence[Standing], reader: int | None = None) -> list[Line]:
    """All players, the leader first. `order` are the standings of the sheet."""
    found = []
    for line in order:
        entrant = sheet.entrants[line.player]
        found.append(
            Line(
                line.rank,
                Named.of(entrant, reader),
                points_in_words(line.points),
                [points_in_words(each.value) for each in line.tie_breaks],
                line.played,
                line.on_streak,
                entrant.withdrawn is not None or entrant.removed,
                entrant.away is not None,
            )
        )
    return found


def meeting(format: str, mine: ClubResult, others: Sequence[ClubResult]) -> tuple[str, str]:
    """Against whom a club has played, and how it ended, in words."""
    if format == "team_match":
        score = " : ".join(points_in_words(each.points) for each in (mine, *others))
    elif mine.rank is None:
        score = ""
    else:
        place = gettext("Place %(place)d of %(clubs)d") % {"place": mine.rank, "clubs": len(others) + 1}
        score = f"{place} · {points_in_words(mine.points)}"
    names = [each.name for each in others[:OPPONENTS]]
    return ", ".join([*names, "…"] if len(others) > OPPONENTS else names), score


def clubs(sheet: Sheet, order: Sequence[Standing], reader: int | None = None) -> list[ClubLine]:
    """The clubs, the leader first; none where players play for themselves.

    In a team match the organising club comes first.
    """
    lines = sheet.team_standings(order)
    if not sheet.form.ARENA:
        lines = tuple(sorted(lines, key=lambda line: line.team))
    rows = {entrant.team.pk: entrant.team for entrant in sheet.entrants.values() if entrant.team is not None}
    mine = {entrant.team_id for entrant in sheet.entrants.values() if entrant.user_id == reader}
    return [
        ClubLine(
            line.rank,
            rows[line.team].get_name(),
            rows[line.team].get_absolute_url(),
            points_in_words(line.points),
            [
                (Named.of(sheet.entrants[each.player], reader), points_in_words(each.points))
                for each in line.counted
            ],
            line.players,
            line.team in mine,
        )
        for line in lines
    ]


class BoardRow(NamedTuple):
    """A board of a team match: who has played there for each club, and the scores of each round and all."""

    board: int
    home: str
    away: str
    rounds: list[str]
    score: str


def boards(sheet: Sheet) -> list[BoardRow]:
    """The boards of a team match, those of the organising club on the left."""
    home = min((player.team for player in sheet.players if player.team is not None), default=None)
    of_board = defaultdict[int, list[Pairing]](list)
    for pairing in sorted(sheet.pairings, key=lambda each: each.key):
        of_board[pairing.table].append(pairing)
    return [_board(sheet, home, board, found) for board, found in sorted(of_board.items())]


def _board(sheet: Sheet, home: TeamId | None, board: int, pairings: Sequence[Pairing]) -> BoardRow:
    names: tuple[list[str], list[str]] = ([], [])
    total, rounds = [0.0, 0.0], []
    for pairing in pairings:
        sides = [int(sheet.entrants[player].team_id != home) for player in pairing.seats]
        points = [0.0, 0.0]
        for player, side, won in zip(pairing.seats, sides, pairing.points or (0, 0), strict=False):
            points[side] = won
            name = sheet.entrants[player].name_in_words()
            if name not in names[side]:
                names[side].append(name)
        rounds.append("…" if pairing.points is None else _score(points))
        total = [before + won for before, won in zip(total, points, strict=True)]
    return BoardRow(board, listed(names[0]), listed(names[1]), rounds, _score(total))


def _score(points: Sequence[float]) -> str:
    return " : ".join(map(points_in_words, points))


def club_victory(lines: Sequence[ClubLine]) -> str:
    """Which club has won a tournament that is over; "" if none has a place."""
    winners = [line.name for line in lines if line.rank == 1]
    if not winners:
        return ""
    if len(winners) > 1:
        return gettext("%(names)s share first place") % {"names": listed(winners)}
    return gettext("%(name)s wins") % {"name": winners[0]}


def club_score(lines: Sequence[ClubLine]) -> str:
    """The score of a team match that has begun: "Harbour club 5½ : 2½ Garden club"."""
    home, away = lines
    return f"{home.name} {home.points}\u00a0:\u00a0{away.points} {away.name}"


def score(points: Score | None) -> str:
    """The result of a simul so far, the host's points first; "" of other tournaments."""
    if points is None:
        return ""
    words = {"host": points_in_words(points.host), "others": points_in_words(points.others)}
    return gettext("%(host)s to %(others)s") % words


def victory(sheet: Sheet, order: Sequence[Standing]) -> str:
    """Who has won a tournament that is over, or the result of a simul; "" if nobody has a place."""
    if sheet.options.host is not None:
        host = sheet.entrants[sheet.options.host].name_in_words()
        return gettext("%(host)s: %(score)s") % {"host": host, "score": score(sheet.score)}
    winners = [line for line in order if line.rank == 1]
    names = listed(sheet.entrants[line.player].name_in_words() for line in winners)
    if not winners:
        return ""
    if len(winners) > 1:
        return gettext("%(names)s share first place") % {"names": names}
    if sheet.form.ARENA or winners[0].points > sheet.round:
        return gettext("%(name)s wins") % {"name": names}
    values = {"name": names, "points": points_in_words(winners[0].points), "rounds": sheet.round}
    return gettext("%(name)s wins with %(points)s of %(rounds)s") % values


def podium(sheet: Sheet, lines: Sequence[Line]) -> list[Line]:
    """The players on the first three places, if they can stand there together; nobody in a simul."""
    if sheet.form.HOST:
        return []
    best = [line for line in lines if line.rank is not None and line.rank <= PODIUM]
    return best if len(best) <= MOST_ON_PODIUM else []


def tie_breaks(order: Sequence[Standing]) -> list[TieBreakTitle]:
    """The tie-breaks of the format in the order in which they decide, each explained."""
    names = [each.name for each in order[0].tie_breaks] if order else []
    return [TieBreakTitle(*(gettext(words) for words in TIE_BREAKS[name])) for name in names]


def pairings(sheet: Sheet, number: int, reader: int | None = None) -> list[Shown]:
    """The pairings of a round, by table."""
    found = sorted(
        (pairing for pairing in sheet.pairings if pairing.round == number), key=lambda each: each.key
    )
    return [shown(sheet, pairing, reader) for pairing in found]


def shown(sheet: Sheet, pairing: Pairing, reader: int | None = None) -> Shown:
    """One pairing."""
    points = pairing.points or ("",) * len(pairing.seats)
    best = max(pairing.points) if pairing.points and len(pairing.seats) > 1 else None
    sides = [
        Side(
            Named.of(sheet.entrants[player], reader),
            points_in_words(won) if isinstance(won, float) else "",
            best is not None and won == best and len(set(points)) > 1,
        )
        for player, won in zip(pairing.seats, points, strict=True)
    ]
    reason = gettext(REASONS[pairing.reason]) if pairing.reason in REASONS else ""
    return Shown(pairing.table, sides, sheet.matches.get(pairing.key), pairing.open, _note(pairing), reason)


def _note(pairing: Pairing) -> str:
    """What is unusual about a pairing."""
    notes = {
        Kind.FORFEIT: gettext("Forfeit"),
        Kind.VOID: gettext("Annulled"),
        Kind.BYE: gettext("Bye"),
        Kind.HALF_BYE: gettext("Bye for half a point"),
        Kind.PLAYED: gettext("Faster match") if pairing.replay else "",
    }
    return notes[pairing.kind]


def cross_table(sheet: Sheet, order: Sequence[Standing], most: int | None = None) -> list[CrossRow]:
    """By player and round: the points, and the places of the opponents; empty in an arena and in a simul.

    Args:
        most: with more players than that it is empty; None: there is no limit.
    """
    too_many = most is not None and len(sheet.players) > most
    if sheet.form.ARENA or sheet.form.HOST or not sheet.round or too_many:
        return []
    rounds = defaultdict[tuple[PlayerId, int], list[Pairing]](list)
    for pairing in sorted(sheet.pairings, key=lambda each: each.key):
        for player in pairing.seats:
            rounds[player, pairing.round].append(pairing)
    place = {line.player: number for number, line in enumerate(order, 1)}
    return [
        CrossRow(
            line.rank,
            Named.of(sheet.entrants[line.player]),
            [_cell(line.player, rounds[line.player, number], place) for number in range(1, sheet.round + 1)],
            points_in_words(line.points),
        )
        for line in order
    ]


def _cell(player: PlayerId, pairings: Sequence[Pairing], place: dict[PlayerId, int]) -> str:
    """What a player did in the pairings of a round: "1 : 4" is a point against the player on line 4."""
    words = []
    for pairing in pairings:
        if pairing.kind is not Kind.VOID:
            points = (
                "…"
                if pairing.points is None
                else points_in_words(pairing.points[pairing.seats.index(player)])
            )
            others = ", ".join(str(place[each]) for each in pairing.seats if each in place and each != player)
            words.append(f"{points} : {others}" if others else points)
    return "; ".join(words) or "–"
