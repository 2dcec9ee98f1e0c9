"""Tables and chairs, until the match begins. The only module that writes chairs, and most of `Table`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from games.domain import codec
from games.domain.position import Position, parse
from games.play import begin
from games.registry import GAMES
from games.rules.base import BadOptions
from lobby.clubs import lookup
from lobby.clubs.models import Club
from lobby.pairing import queue
from lobby.people.models import User
from lobby.tables import admission, computers, refusals, seat_order, signals
from lobby.tables import terms as conditions
from lobby.tables.models import Chair, Table
from lobby.tables.terms import OPEN, TableTerms


@transaction.atomic
def set_table(  # noqa: PLR0913 - what a table is made of, which nothing else groups
    host: User,
    game: str,
    options: Any,
    seats: int,
    first: str,
    terms: TableTerms = OPEN,
    invited: User | None = None,
    club_id: str | None = None,
    position: Position | None = None,
) -> Table:
    """Set up a table and seat its host.

    Args:
        host: the user who sets up the table.
        game: slug of a registered game.
        options: an `Options` of that game.
        seats: number of players, including the host.
        first: who moves first, a `Table.First`.
        terms: all other settings.
        invited: the only player who may sit down, for a challenge (`lobby.tables.challenges`).
        club_id: the club whose members may sit down, at a table that the lobby does not show then.
        position: where the match begins if not at the start.

    Raises:
        BadPosition: no match with so many players can begin there.
        RatedPosition: such a match is casual.
        TableError: "unknown-game", "bad-option", "bad-seats", "bad-first", "rated-first", "too-many-tables"
            or what `lobby.tables.terms.check` raises.
        ClubError: "unknown-club", "not-member" or "club-game".
    """
    if position is not None:
        begin.check_position(position, game, seats, terms.rated)
    check_game(game, options, seats, first)
    # Seeks are locked before clubs (`lobby.clubs.lookup`).
    queue.cancel([host.pk])
    if club_id is not None:
        # Lock the club, so that nobody who leaves it meanwhile hosts one of its tables.
        club = lookup.locked(club_id)
        lookup.needs(club, host, lookup.Role.MEMBER)
        lookup.check_game(club, game)
        terms = replace(terms, listed=False)
    if host.pupil_of_id is not None:
        # The page of the class shows it.
        terms = replace(terms, listed=False)
    conditions.check(terms, host, GAMES[game], options)
    if terms.rated and first != Table.First.LOT:
        raise refusals.RatedFirst
    _check_number_of_tables(host)
    table = Table.objects.create(
        game=game,
        options=asdict(options),
        seats=seats,
        host=host,
        first=first,
        invited=invited,
        club_id=club_id,
        # Without its note, which is a text for the public like those of a chat.
        position=None if position is None else str(replace(position, note="")),
        **asdict(terms),
    )
    Chair.objects.create(table=table, number=0, user=host)
    signals.table_changed(table)
    return table


def check_game(game: str, options: Any, seats: int, first: str) -> None:
    """Check that a game can be played with these settings.

    Raises:
        TableError: "unknown-game", "bad-option", "bad-seats" or "bad-first".
    """
    if game not in GAMES:
        raise refusals.UnknownGame
    if first not in Table.First.values:
        raise refusals.BadFirst
    try:
        GAMES[game].rules.setup(options, seats)
    except BadOptions as error:
        raise refusals.RulesBadOption(error) from None


@transaction.atomic
def sit_down(user: User, table_id: str, by_invitation: bool = False) -> Table:
    """Take the first free chair. The last one begins the match, which is then in `match`.

    `by_invitation`: the player has a valid invitation (`lobby.tables.invites`).

    Raises:
        TableError: "gone", "seated", "full" or what `lobby.tables.admission.check` raises.
    """
    table = locked(table_id, coming=user)
    chairs = _chairs(table)
    if user in chairs.values():
        raise refusals.Seated
    free = _free(table, chairs)
    if table.match_id is not None or free is None:
        raise refusals.Full
    admission.check(user, table, chairs.values(), by_invitation)
    chairs[free] = user
    _take(table, chairs, free)
    signals.chair_taken(table, user)
    return table


@transaction.atomic
def add_computer(host: User, table_id: str, level: int, fill: bool = False) -> Table:
    """Seat a computer player on the first free chair, or with `fill` on each. The last one begins the match.

    Raises:
        TableError: "gone", "begun", "not-host", "for-one-person", "full", "computers-casual",
            "too-many-computers" or "bad-level".
    """
    table = _hosted(host, table_id)
    if table.invited_id is not None:
        raise refusals.ForOnePerson
    if table.rated:
        raise refusals.ComputersCasual
    chairs = _chairs(table)
    if _free(table, chairs) is None:
        raise refusals.TableFull
    computers.check_seatings(host.pk)
    while (free := _free(table, chairs)) is not None:
        besides = [user.pk for user in chairs.values()]
        chairs[free] = computers.seat(GAMES[table.game], level, besides)
        _take(table, chairs, free)
        if not fill:
            break
    return table


@transaction.atomic
def remove_computer(host: User, table_id: str, name: str) -> Table:
    """Remove a computer player from a table by its name in the active language; idempotent.

    Raises:
        TableError: "gone", "begun" or "not-host".
    """
    table = _hosted(host, table_id)
    chairs = table.chairs.exclude(user__computer="").select_related("user")
    gone = [chair for chair in chairs if chair.user.name_in_words() == name]
    for chair in gone:
        chair.delete()
    if gone:
        signals.table_changed(table)
    return table


@transaction.atomic
def stand_up(user: User, table_id: str) -> None:
    """Leave a chair. If the host leaves, the table is cancelled.

    Raises:
        TableError: "gone", "begun" or "not-seated".
    """
    table = locked(table_id)
    if table.match_id is not None:
        raise refusals.BegunForYou
    if user == table.host:
        cancel(table)
        return
    left, _by_model = table.chairs.filter(user=user).delete()
    if not left:
        raise refusals.NotSeated
    signals.chair_left(table, user)


@transaction.atomic
def leave_all(users: Collection[User]) -> None:
    """Leave every chair, and cancel the challenges to these users. Call it before they are locked."""
    concerned = _open().filter(Q(chairs__user__in=users) | Q(invited__in=users)).distinct()
    for table in concerned.select_related("host").prefetch_related("chairs").order_by("pk"):
        seated = {chair.user_id for chair in table.chairs.all()}
        leaving = [user for user in users if user.pk in seated]
        for user in [table.host] if table.invited in users else leaving:
            _leave(user, table.pk)


def member_gone(club: Club, user: User) -> None:
    """Have a user who is no member of a club any more leave its tables whose match has not begun."""
    mine = _open().filter(club=club, chairs__user=user).order_by("pk")
    for table_id in mine.values_list("pk", flat=True):
        _leave(user, table_id)


@transaction.atomic
def start(user: User, table_id: str) -> Table:
    """Begin the match with the seated players; free chairs are dropped.

    Raises:
        TableError: "gone", "begun", "not-host" or "too-few".
    """
    table = _hosted(user, table_id)
    chairs = _chairs(table)
    if len(chairs) < fewest(table):
        raise refusals.TooFew
    _begin(table, chairs)
    return table


def fewest(table: Table) -> int:
    """The number of players with whom the match of a table can begin."""
    return GAMES[table.game].rules.SEATS[0] if table.position is None else table.seats


def position_of(table: Table) -> Position | None:
    """The position at which the match of a table begins; None if it begins at the start."""
    return None if table.position is None else parse(table.position)


def cancel(table: Table) -> None:
    """Delete a locked table whose match has not begun."""
    signals.table_gone(table)
    table.delete()


def locked(table_id: str, coming: User | None = None) -> Table:
    """The table, locked until the transaction ends, so that two players cannot take one chair.

    Lock order: seeks, clubs and memberships, tournaments, tables, users. So what the beginning of its match
    changes besides is locked before.

    Args:
        coming: a user who may sit down, perhaps as a member of a club.

    Raises:
        TableError: "gone".
    """
    players = list(Chair.objects.filter(table=table_id).values_list("user", flat=True))
    if coming is not None:
        players.append(coming.pk)
    queue.hold(players)
    if coming is not None:
        lookup.hold(coming, tables=table_id)
    table = Table.objects.select_for_update().filter(pk=table_id, game__in=GAMES).first()
    if table is None:
        raise refusals.Gone
    return table


def _open() -> QuerySet[Table]:
    return Table.objects.filter(match=None)


def _leave(user: User, table_id: str) -> None:
    try:
        stand_up(user, table_id)
    except refusals.TableError:
        # Its match has just begun, or it was just cancelled.
        return


def _hosted(user: User, table_id: str) -> Table:
    table = locked(table_id)
    if table.match_id is not None:
        raise refusals.Begun
    if user != table.host:
        raise refusals.NotHost
    return table


def _chairs(table: Table) -> dict[int, User]:
    return {chair.number: chair.user for chair in table.chairs.select_related("user")}


def _free(table: Table, chairs: Collection[int]) -> int | None:
    return next((number for number in range(table.seats) if number not in chairs), None)


def _take(table: Table, chairs: Mapping[int, User], number: int) -> None:
    """Store the player of a chair of a locked table; if it was the last one, begin the match.

    `chairs`: all players, the new one included.
    """
    user = chairs[number]
    if len(chairs) < table.seats:
        queue.cancel([user.pk])
    Chair.objects.create(table=table, number=number, user=user)
    if len(chairs) == table.seats:
        _begin(table, chairs)
    else:
        signals.table_changed(table)


def _check_number_of_tables(host: User) -> None:
    # Lock the host's row, so that two concurrent requests cannot both pass the limit.
    User.objects.select_for_update().get(pk=host.pk)
    most = settings.TABLES_PER_HOST
    if Table.objects.filter(host=host, match=None).count() >= most:
        raise refusals.TooManyTables(most)


def _begin(table: Table, chairs: Mapping[int, User]) -> None:
    """Begin the match of a table with its seated players, in the order of their chairs."""
    game = GAMES[table.game]
    in_order = [chairs[number] for number in sorted(chairs)]
    position = position_of(table)
    users, first = seat_order.drawn(game, in_order, table.first, table.opens, table.rated, position)
    queue.cancel(user.pk for user in users)
    known = ((seat, computers.level_at(game, user)) for seat, user in enumerate(users))
    levels = {seat: level for seat, level in known if level is not None}
    try:
        options = codec.decode(game.rules.Options, table.options)
        terms = TableTerms.of(table).of_the_match()
        table.match = begin.create(table.game, options, users, first, terms, levels=levels, position=position)
    except BadOptions as error:
        raise refusals.RulesBadOption(error) from None
    table.save(update_fields=["match"])


__all__ = [
    "TableTerms",
    "add_computer",
    "cancel",
    "check_game",
    "fewest",
    "leave_all",
    "locked",
    "member_gone",
    "position_of",
    "remove_computer",
    "set_table",
    "sit_down",
    "stand_up",
    "start",
]
