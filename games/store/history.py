"""Queries about stored matches, for the match service and the sockets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

import orjson
from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now

from games.domain import codec, match_actions
from games.domain.instants import milliseconds
from games.domain.match_actions import Line, Logged, MatchFlags
from games.domain.offers import Offers
from games.domain.plies import PlyRow
from games.domain.refusals import UnknownMatch
from games.domain.terms import EVERY_SEAT, several_seats
from games.models import Match, Ply, Seating
from games.registry import GAMES
from games.rules.base import Seat
from games.store import match_offers
from games.store.prepared import PreparedQuery, fetched

# Raw SQL, since these run for every page view, and building them with the ORM takes ten times as long.
# CROSS JOIN fixes SQLite's join order: otherwise it would scan all matches in play. The status is a literal,
# so that the partial index is used.
IN_PLAY = """
    SELECT games_match.id, games_match.game, games_seating.seat,
        COALESCE(
            (SELECT state FROM games_ply WHERE match_id = games_match.id ORDER BY number DESC LIMIT 1),
            games_match.start
        ),
        EXISTS (SELECT 1 FROM games_ply WHERE match_id = games_match.id AND action LIKE '%%:%%'),
        games_match.created
    FROM games_seating CROSS JOIN games_match
    WHERE games_seating.user_id = %s AND games_match.id = games_seating.match_id
        AND games_match.status = 'playing'
    ORDER BY games_match.created DESC
"""
AT_BOARDS = f"""
    SELECT * FROM ({IN_PLAY}) AS seated
    UNION ALL
    SELECT id, game, NULL, NULL, FALSE, created FROM games_match WHERE holder_id = %s AND status = 'playing'
    ORDER BY 6 DESC, 1 DESC
"""  # noqa: S608 (nothing that anybody typed)
PLAYS = """
    SELECT games_match.id, games_match.created
    FROM games_seating CROSS JOIN games_match
    WHERE games_seating.user_id = %s AND games_match.id = games_seating.match_id
        AND games_match.status = 'playing'
    UNION
    SELECT id, created FROM games_match WHERE holder_id = %s AND status = 'playing'
    ORDER BY 2 DESC, 1 DESC
"""
_match = PreparedQuery(lambda pk: Match.objects.filter(pk=pk), Match)
_log = PreparedQuery(
    lambda match: Ply.objects.filter(match=match).order_by("number").values_list("seat", "action", "command")
)
_plies = PreparedQuery(
    lambda match, last: (
        Ply.objects.filter(match=match, number__lte=last)
        .order_by("number")
        .values_list("number", "seat", "action", "dice", "command")
    )
)
_rematch = PreparedQuery(lambda match: Match.objects.filter(rematch_of=match).values_list("pk"))
_seated = PreparedQuery(
    lambda match: Seating.objects.filter(match=match).order_by("seat").values_list("user_id", "level")
)
UNTOUCHED = MatchFlags()
"""The flags of a match without departures and match actions."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A match as stored; JSON columns are text.

    Attributes:
        players: seats of users with accounts; `EVERY_SEAT` for the host of a hot-seat match, and
            `several_seats` for a user at whose device others play.
        levels: levels of the computer players, by seat.
        over: whether the match has ended.
        gone: seats of players who cannot play any more, because they are deleted or banned.
        asked_back: seats that have asked to resume the halted match.
    """

    match: Match
    players: Mapping[int, Seat]
    names: tuple[str, ...]
    levels: Mapping[Seat, int]
    words: tuple[str, ...]
    offered: tuple[Seat, ...]
    rematch: str | None
    hidden_by: tuple[Seat, ...]
    last: PlyRow | None
    answers: dict[tuple[Seat, str], int]
    flags: MatchFlags
    line: Line
    offers: Offers
    asked_back: frozenset[Seat]
    over: bool
    gone: frozenset[Seat]


class MatchChanges(NamedTuple):
    """Data of a match that changes without a ply and has no number."""

    words: tuple[str, ...]
    offered: tuple[Seat, ...]
    rematch: str | None
    hidden_by: tuple[Seat, ...]
    offers: Offers


@dataclass(frozen=True, slots=True)
class Participation:
    """Who took part in a match.

    Attributes:
        acted: seats with at least one ply of their own other than leaving.
        left: seats that left, in order, each with the reason.
        ended_by_leaving: whether the last ply was a departure.
        beside: the plies that are neither moves nor dice rolls: text and command id.
    """

    acted: frozenset[Seat]
    left: Mapping[Seat, str]
    ended_by_leaving: bool
    beside: Sequence[tuple[str, str | None]] = ()


def match(match_id: str) -> Match | None:
    """The row of a match; None if there is none."""
    return _match.first(match_id)


def seated(match_id: str) -> Sequence[tuple[int | None, int | None]]:
    """By seat, the user id and the level of the computer player."""
    return _seated(match_id)


def load(match_id: str, until: datetime | None = None) -> Stored:
    """Everything a process needs to serve a match. Raises `UnknownMatch`.

    With `until`, the match as it was at that time. The times of client seeds and rematch offers are not
    stored, so they are included from the first ply and from the end on, respectively. Answers to commands
    are left out, since no one sends commands to the past.
    """
    match = _match.first(match_id)
    if match is None:
        raise UnknownMatch(match_id)
    seatings = list(Seating.objects.filter(match=match).select_related("user"))
    last = _last_ply(match_id, until)
    over = match.ended is not None and (until is None or match.ended <= until)
    number = 0 if last is None else last.number
    answers, flags, line = _read_log(match_id, number)
    rematch = next((pk for (pk,) in _rematch(match_id)), None)
    return Stored(
        match=match,
        players=_players(match, seatings),
        names=tuple(s.get_name() for s in seatings),
        levels={s.seat: s.level for s in seatings if s.level is not None},
        words=_words(match.words, seatings) if until is None or last is not None else ("",) * len(seatings),
        offered=tuple(s.seat for s in seatings if s.wants_rematch) if until is None or over else (),
        rematch=rematch if until is None or over else None,
        hidden_by=tuple(s.seat for s in seatings if s.hides_crowd),
        last=last,
        answers=answers if until is None else {},
        flags=flags,
        line=line,
        offers=match_offers.open_offers(match.offers, number) if until is None else (),
        asked_back=match_offers.asked_back(match.offers, number) if until is None else frozenset(),
        over=over,
        gone=frozenset(s.seat for s in seatings if s.user is not None and not s.user.is_active),
    )


def _players(match: Match, seatings: Iterable[Seating]) -> dict[int, Seat]:
    if match.holder_id is not None:
        return {match.holder_id: EVERY_SEAT}
    players = {s.user_id: s.seat for s in seatings if s.user_id is not None}
    kept = defaultdict[int, list[Seat]](list)
    for seating in seatings:
        if seating.keeper_id is not None:
            kept[seating.keeper_id].append(seating.seat)
    for keeper, seats in kept.items():
        own = [players[keeper]] if keeper in players else []
        players[keeper] = several_seats([*seats, *own])
    return players


def _words(frozen: str | None, seatings: Iterable[Any]) -> tuple[str, ...]:
    """The client seeds by seat: those frozen by the first ply, or the current ones."""
    return tuple(orjson.loads(frozen) if frozen is not None else [s.words for s in seatings])


def _last_ply(match_id: str, until: datetime | None) -> PlyRow | None:
    plies = Ply.objects.filter(match=match_id)
    if until is not None:
        # Clocks of two processes may differ slightly: exclude everything after the first future ply.
        to_come = plies.filter(at__gt=until).order_by("number").values_list("number", flat=True).first()
        # Also exclude a ply written between the two queries.
        plies = plies.filter(at__lte=until)
        if to_come is not None:
            plies = plies.filter(number__lt=to_come)
    last = plies.order_by("-number").first()
    return None if last is None else _row(last)


def _read_log(match_id: str, last: int) -> tuple[dict[tuple[Seat, str], int], MatchFlags, Line]:
    """Read from the plies up to number `last` what the position does not contain.

    Returns the executed commands by seat and id, each with its last ply (dice rolls after a command have no
    id and belong to it); the flags; and the plies of the game that led to the position.
    """
    answers: dict[tuple[Seat, str], int] = {}
    flags = MatchFlags()
    line: Line = []
    command: tuple[Seat, str] | None = None
    for number, seat, action, faces, command_id in _plies(match_id, last):
        if seat is not None:
            command = None if command_id is None else (seat, command_id)
        if command is not None:
            answers[command] = number
        flags = flags.after(seat, action)
        match_actions.follow(line, number, Logged(seat, action, faces is not None))
    return answers, flags, line


def state_after(match_id: str, number: int) -> Any:
    """The state after ply `number` of a match, 0 being the start."""
    match = Match.objects.get(pk=match_id)
    plies = Ply.objects.filter(match=match).values_list("state", flat=True)
    text = plies.get(number=number) if number else match.start
    return codec.decode_state(GAMES[match.game].rules, text)


def states(match_id: str) -> dict[int, str]:
    """The states after all plies of a match by their numbers, the start as that of 0, as JSON."""
    start = Match.objects.values_list("start", flat=True).get(pk=match_id)
    return {0: start, **dict(Ply.objects.filter(match=match_id).values_list("number", "state"))}


def positions(match_id: str) -> list[dict[str, Any]]:
    """The start and the result of every ply, ready for `orjson`: `ply`, `state` and `events`."""
    start = Match.objects.values_list("start", flat=True).get(pk=match_id)
    return [
        {"ply": 0, "state": orjson.Fragment(start), "events": []},
        *(
            {"ply": row.number, "state": orjson.Fragment(row.state), "events": orjson.Fragment(row.events)}
            for row in plies_since(match_id, 0)
        ),
    ]


def plies_since(match_id: str, after: int, most: int | None = None) -> list[PlyRow]:
    """The stored plies with numbers above `after`, in order: all of them, or the first `most`."""
    plies = Ply.objects.filter(match=match_id, number__gt=after).order_by("number")
    return [_row(ply) for ply in plies[:most]]


def last_of_a_computer(match_id: str, seats: Iterable[Seat], until: int) -> PlyRow | None:
    """The last move that a computer player at one of the seats chose, up to ply `until`; None without one."""
    plies = Ply.objects.filter(match=match_id, seat__in=list(seats), number__lte=until)
    # Offers and answers have a colon in their text.
    chosen = (
        plies.filter(command__regex=r"^computer[-:]")
        .exclude(action__contains=":")
        .order_by("-number")
        .first()
    )
    return None if chosen is None else _row(chosen)


def participation(match_id: str) -> Participation:
    """Who has acted in a match so far, and who has left it."""
    return _participation(_log(match_id))


def participations(match_ids: Collection[str]) -> dict[str, Participation]:
    """Who has acted in matches so far, and who has left them, by match; one query for all of them."""
    rows = Ply.objects.filter(match__in=match_ids).order_by("match", "number")
    by_match = groupby(rows.values_list("match", "seat", "action", "command").iterator(), itemgetter(0))
    return {match_id: _participation(ply[1:] for ply in plies) for match_id, plies in by_match}


def _participation(plies: Iterable[tuple[Any, ...]]) -> Participation:
    acted: set[Seat] = set()
    left: dict[Seat, str] = {}
    beside: list[tuple[str, str | None]] = []
    leave = None
    for seat, text, command in plies:
        leave, act = codec.departure(text), match_actions.parse(text)
        if leave is not None:
            left[leave.seat] = leave.reason
        elif act is None and seat is not None:
            acted.add(seat)
        if leave is not None or act is not None:
            beside.append((text, command))
    return Participation(frozenset(acted), left, leave is not None, beside)


def last_actions(match_ids: Collection[str]) -> dict[str, str]:
    """The last ply of each match, as text; one query for all of them."""
    later = Ply.objects.filter(match=OuterRef("match"), number__gt=OuterRef("number"))
    last = Ply.objects.filter(~Exists(later), match__in=match_ids)
    return dict(last.values_list("match", "action"))


def last_number(match: OuterRef) -> Coalesce:
    """An expression: the number of the last ply of a match, 0 without any."""
    last = Ply.objects.filter(match=match).order_by("-number").values("number")[:1]
    return Coalesce(Subquery(last), 0)


def last_numbers(match_ids: Iterable[str]) -> dict[str, int]:
    """The number of the last ply of each match that has any."""
    plies = Ply.objects.filter(match__in=match_ids).values("match_id").annotate(last=Max("number"))
    return {row["match_id"]: row["last"] for row in plies}


def match_changes(match_ids: Iterable[str], numbers: Mapping[str, int]) -> dict[str, MatchChanges]:
    """The data without plies of each match; `numbers` has the last ply numbers."""
    seatings = Seating.objects.filter(match__in=match_ids).order_by("match", "seat")
    of_match = ("match", "match__words", "match__rematch", "match__offers")
    rows = seatings.values_list(*of_match, "seat", "words", "wants_rematch", "hides_crowd", named=True)
    return {
        match_id: _match_changes(list(seats), numbers.get(match_id, 0))
        for match_id, seats in groupby(rows, attrgetter("match"))
    }


def _match_changes(seats: Sequence[Any], last: int) -> MatchChanges:
    return MatchChanges(
        words=_words(seats[0].match__words, seats),
        offered=tuple(row.seat for row in seats if row.wants_rematch),
        rematch=seats[0].match__rematch,
        hidden_by=tuple(row.seat for row in seats if row.hides_crowd),
        offers=match_offers.open_offers(seats[0].match__offers, last),
    )


def has_won(user_id: int) -> bool:
    """Whether a user has ever won a match; a draw is no win."""
    ended = Seating.objects.filter(user=user_id, match__outcome__isnull=False).order_by("-match__ended")
    outcomes = ended.values_list("seat", "match__outcome")
    return any(orjson.loads(str(outcome))["winners"] == [seat] for seat, outcome in outcomes.iterator())


def played_by(user_id: int) -> list[str]:
    """Ids of the matches that a user plays or hosts, newest first."""
    return [match for match, _ in fetched(PLAYS, [user_id, user_id])]


def waiting_for(user_id: int) -> list[str]:
    """Ids of the matches in which a user is to move, newest first. At most two queries."""
    return _waiting(fetched(IN_PLAY, [user_id]))


def at_boards(user_id: int) -> tuple[list[str], list[str]]:
    """`played_by` and `waiting_for` of a user, in one query less."""
    rows = fetched(AT_BOARDS, [user_id, user_id])
    played = list(dict.fromkeys(match for match, *_ in rows))
    return played, _waiting(row for row in rows if row[2] is not None)


def _waiting(rows: Iterable[tuple[Any, ...]]) -> list[str]:
    """The matches among rows of `IN_PLAY` in which the user is to move."""
    on_turn = [
        (match, seat, acted_upon)
        for match, game, seat, state, acted_upon, _created in rows
        if game in GAMES and codec.decode_state(GAMES[game].rules, state).turn == seat
    ]
    flags = _match_flags(match for match, _, acted_upon in on_turn if acted_upon)
    return [match for match, seat, _ in on_turn if flags.get(match, UNTOUCHED).waits_for(seat)]


def deadlines(match_ids: Iterable[str]) -> dict[str, datetime]:
    """When the time of the player to move is up, in those of the matches that have a running clock."""
    timed = Match.objects.filter(pk__in=list(match_ids), deadline__isnull=False)
    return {match.pk: match.deadline for match in timed.only("deadline") if match.deadline is not None}


def asked_back(user: int | OuterRef, within: timedelta) -> QuerySet[Seating]:
    """The seats of a user in matches that another player may have called back to.

    These are saved ones with an open offer, and ones that ended `within` a time with a rematch offer.
    """
    match, wanted = OuterRef("match"), Seating.objects.filter(match=OuterRef("pk"), wants_rematch=True)
    followed = Match.objects.filter(rematch_of=OuterRef("pk"))
    saved = Q(status=Match.Status.SAVED, offers__isnull=False)
    ended = Q(status=Match.Status.FINISHED, ended__gt=Now() - within)
    matches = Match.objects.filter(saved | (ended & Exists(wanted) & ~Exists(followed)), pk=match)
    return Seating.objects.filter(Exists(matches), user=user)


def _match_flags(match_ids: Iterable[str]) -> dict[str, MatchFlags]:
    """The flags of each match by its departures and match actions. Leaves `acted` empty."""
    found = dict.fromkeys(match_ids, UNTOUCHED)
    if not found:
        return found
    # Only these plies have a colon in their text.
    plies = Ply.objects.filter(match__in=list(found), action__contains=":").order_by("match", "number")
    for match_id, seat, text in plies.values_list("match_id", "seat", "action"):
        found[match_id] = found[match_id].after(seat, text)
    return found


def _row(ply: Ply) -> PlyRow:
    return PlyRow(
        number=ply.number,
        seat=ply.seat,
        action=ply.action,
        dice=ply.dice,
        events=ply.events,
        state=ply.state,
        command=ply.command,
        at=milliseconds(ply.at),
        clocks=ply.clocks,
    )
