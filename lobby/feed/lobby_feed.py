"""What the lobby shows, and how it hears of every change.

Every change has a number. A browser that opens the lobby is subscribed first and gets the whole list
afterwards, with the number it is good for; then it applies the changes with higher numbers in order,
and asks for the list again when one is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext

from games.domain import codec
from games.domain.options import in_words, preset_in_words, preset_of
from games.models import Match, Seating
from games.net.hub import hub
from games.registry import GAMES
from games.store import history
from games.store.prepared import PreparedQuery
from games.watch.visibility import spectator_access
from games.watch.watcher_counts import watcher_counts
from lobby.feed.watched_matches import featured, live, matches_to_watch, to_watch
from lobby.models import Chair, News, Table, User
from lobby.people import person
from lobby.tables import admission, computers, terms
from lobby.tables.terms import TableTerms

COUNT_ON = "UPDATE lobby_news SET number = number + 1 WHERE id = 1"
COUNTED = "SELECT number FROM lobby_news WHERE id = 1"

MOST = 200
"""Tables and matches in the list at most, the newest first; one's own come on top of that."""


_numbers = PreparedQuery(lambda: News.objects.order_by("pk").values_list("number")[:1])
_sat_at = PreparedQuery(
    lambda user: Chair.objects.filter(user=user, table__match=None).order_by().values_list("table")
)
_asked_to = PreparedQuery(
    lambda user: Table.objects.filter(invited=user, match=None).order_by().values_list("pk")
)


def topic(language: str) -> str:
    """The hub's topic for lobbies in a language: one message serves all who read it."""
    return f"lobby.{language}"


def open_tables() -> QuerySet[Table]:
    """The tables that wait for people, newest first; also those that the lobby does not show."""
    tables = Table.objects.filter(match=None, game__in=GAMES).order_by("-created")
    return tables.select_related("host", "invited").prefetch_related(
        Prefetch("chairs", Chair.objects.select_related("user"))
    )


def tables_of(user_id: int) -> QuerySet[Table]:
    """The tables at which somebody sits, or to which somebody is challenged."""
    return open_tables().filter(Q(chairs__user=user_id) | Q(invited=user_id)).distinct()


def challenges_to(user_id: int) -> list[dict[str, Any]]:
    """The tables to which somebody is challenged, in the language that is active."""
    # Most people are not, and to put the whole question together takes longer than to answer it.
    challenges = [table for (table,) in _asked_to(user_id)]
    return [table_fields(table) for table in open_tables().filter(pk__in=challenges)] if challenges else []


def matches_in_play() -> QuerySet[Match]:
    """The matches that are being played, newest first."""
    matches = Match.objects.filter(status=Match.Status.PLAYING, game__in=GAMES).order_by("-created")
    return matches.select_related("table", "holder").prefetch_related(Seating.with_people())


def matches_of(user_id: int) -> QuerySet[Match]:
    """Those that somebody plays, also at a board that they hold for all who play there."""
    return matches_in_play().filter(Q(seatings__user=user_id) | Q(holder=user_id)).distinct()


def has_hidden_match(table: Table) -> bool:
    """Whether a table has become a match that its players keep to themselves."""
    return table.match is not None and not spectator_access(table.match).allowed


def may_know(table: Table, user_id: int | None) -> bool:
    """Whether somebody may know of a table, by its address."""
    return not has_hidden_match(table) or table.chairs.filter(user=user_id).exists()


def table_fields(table: Table) -> dict[str, Any]:
    """A table as the lobby shows it, in the language that is active."""
    game = GAMES[table.game]
    options = codec.decode(game.rules.Options, table.options)
    preset = preset_of(game, options)
    return {
        "id": table.pk,
        "game": table.game,
        "title": gettext(game.title),
        "preset": preset_in_words(game, preset),
        "options_in_words": in_words(options),
        "host": table.host.get_username(),
        "seats": table.seats,
        "taken": [chair.user.get_username() for chair in table.chairs.all()],
        "levels": [computers.level_at(game, chair.user) for chair in table.chairs.all()],
        "match": table.match_id,
        "listed": table.listed,
        "invited": None if table.invited is None else table.invited.get_username(),
        "terms_in_words": terms.in_short(TableTerms.of(table)),
        "rated": table.rated,
        "pool": admission.pool_key(table.game, preset, table.seats),
        "lowest_rating": table.lowest_rating,
        "highest_rating": table.highest_rating,
    }


def match_fields(match: Match, watchers: int = 0) -> dict[str, Any]:
    """A match as the lobby shows it, with the table it began at (none for a rematch)."""
    table, others = getattr(match, "table", None), spectator_access(match)
    return {
        "id": match.pk,
        "game": match.game,
        "title": gettext(GAMES[match.game].title),
        "players": [seating.get_name() for seating in match.seatings.all()],
        "levels": [seating.level for seating in match.seatings.all()],
        "holder": None if match.holder is None else match.holder.get_username(),
        "table": None if table is None else table.pk,
        "watchers": watchers,
        "watchable": others.allowed,
        "delay": others.behind,
    }


def number() -> int:
    """The number of the last change."""
    return next((last for (last,) in _numbers()), 0)


@dataclass(frozen=True, slots=True)
class Listed:
    """What the lobby lists for everybody, in one language.

    Attributes:
        number: of the last change that is in it for certain.
        tables: by their ids.
        matches: by their ids.
        players: of each match, who sit at it.
    """

    number: int
    tables: Mapping[str, dict[str, Any]]
    matches: Mapping[str, dict[str, Any]]
    players: Mapping[str, frozenset[int | None]]


def listed(most: int | None = None) -> Listed:
    """The list for everybody, in the language that is active, and the number it is good for.

    It has at most so many tables and matches, `MOST` by default. The number is read
    first: the list may know of later changes, which do no harm when they come.
    """
    most = MOST if most is None else most
    last = number()
    tables = open_tables().filter(listed=True)[:most]
    watchers = watcher_counts.counts()
    matches = to_watch(most)
    return Listed(
        last,
        {table.pk: table_fields(table) for table in tables},
        {pk: match_fields(match, watchers.get(pk, 0)) for pk, match in matches.items()},
        {pk: frozenset(each.user_id for each in match.seatings.all()) for pk, match in matches.items()},
    )


def everything(user_id: int | None, known: Listed | None = None) -> dict[str, Any]:
    """The whole list for somebody, in the active language; `known` is what everybody has in common."""
    known = known or listed()
    tables, matches = dict(known.tables), dict(known.matches)
    if user_id is not None:
        tables |= _own_tables(user_id, known)
        # Players know that their match has ended, and of a rematch, before those who watch.
        matches = {pk: fields for pk, fields in matches.items() if user_id not in known.players[pk]}
        matches |= _own_matches(user_id, known)
    return {
        "type": "lobby",
        "number": known.number,
        "tables": list(tables.values()),
        "matches": list(matches.values()),
        "featured": featured(),
        "live": live(),
    }


def _own_tables(user_id: int, known: Listed) -> dict[str, dict[str, Any]]:
    """The tables of somebody that are not listed for everybody: for most people a look at two indexes."""
    theirs = {table for (table,) in [*_sat_at(user_id), *_asked_to(user_id)]}
    unlisted = theirs - known.tables.keys()
    if not unlisted:
        return {}
    return {table.pk: table_fields(table) for table in open_tables().filter(pk__in=unlisted)}


def _own_matches(user_id: int, known: Listed) -> dict[str, dict[str, Any]]:
    """The matches that somebody plays, newest first; those are read that are not listed for everybody."""
    theirs = history.played_by(user_id)
    unlisted = set(theirs) - known.matches.keys()
    watchers = watcher_counts.counts()
    read = matches_in_play().filter(pk__in=unlisted) if unlisted else ()
    fields = {**known.matches, **{match.pk: match_fields(match, watchers.get(match.pk, 0)) for match in read}}
    return {pk: fields[pk] for pk in theirs if pk in fields}


def people_at_tables(user_id: int | None) -> dict[str, int]:
    """How many people wait at the tables of each game, without those where `user_id` sits or is asked to."""
    return dict(_at_tables() if user_id is None else _at_tables_of_others(user_id))


def _people_at(tables: QuerySet[Table]) -> QuerySet[Chair, tuple[str, int]]:
    waiting = tables.filter(match=None, listed=True, game__in=GAMES)
    people = Chair.objects.filter(table__in=waiting, user__computer="").order_by()
    return people.values_list("table__game").annotate(Count("pk"))


_at_tables = PreparedQuery(lambda: _people_at(Table.objects.all()))
_at_tables_of_others = PreparedQuery(
    lambda user: _people_at(Table.objects.exclude(pk__in=tables_of(user).values("pk")))
)


def tell_table(table: Table, *others: User) -> None:
    """A table is new, or its chairs have changed, or its match began.

    `others` do not sit there any more, and are told all the same.
    """
    _tell_of(table, others, lambda: {"type": "table", "table": table_fields(table)})


def tell_table_gone(table: Table) -> None:
    """A table will be cancelled."""
    table_id = table.pk
    _tell_of(table, (), lambda: {"type": "table-gone", "id": table_id, "begun": False})


def tell_declined(table: Table) -> None:
    """Tell the host of a challenge that it was declined."""
    assert table.invited is not None
    table_id, name, title = table.pk, table.invited.get_username(), GAMES[table.game].title
    person.tell_in_words(
        table.host_id,
        lambda: {"type": "declined", "table": table_id, "name": name, "title": gettext(title)},
    )


@transaction.atomic
def tell_renamed(user: User) -> None:
    """Show the tables and matches of somebody with the name that they have now."""
    for table in open_tables().filter(chairs__user=user):
        tell_table(table)
    for match in matches_in_play().filter(seatings__user=user):
        tell_match(match.pk)


@transaction.atomic
def tell_match(match_id: str) -> None:
    """A match is being played, if it is: it began, or goes on, or its players have other names.

    While nobody else may know of it, its players are told.
    """
    match = matches_in_play().filter(pk=match_id).first()
    if match is not None:
        everybody = matches_to_watch().filter(pk=match_id).exists()
        _tell_of_match(match, everybody, lambda: {"type": "match", "match": match_fields(match)})


def tell_match_saved(match_id: str) -> None:
    """A match was saved, unless it goes on already."""
    if not matches_in_play().filter(pk=match_id).exists():
        tell_matches_over(match_id)


@transaction.atomic
def tell_matches_over(*match_ids: str) -> None:
    """Matches ended, or were put away."""
    for match in filter(None, map(history.match, match_ids)):
        _tell_of_match(match, spectator_access(match).allowed, partial(_over, match.pk))


def _over(match_id: str) -> dict[str, Any]:
    return {"type": "match-over", "id": match_id}


def _tell_of_match(match: Match, everybody: bool, build: Callable[[], dict[str, Any]]) -> None:
    """Tell every lobby of a match, or its players alone; of one at one board who holds that."""
    if match.holder_id is not None:
        person.tell_in_words(match.holder_id, build)
        return
    if everybody:
        _tell(build)
        return
    for user_id in match.seatings.values_list("user", flat=True):
        person.tell_in_words(user_id, build)


def _tell_of(table: Table, others: Iterable[User], build: Callable[[], dict[str, Any]]) -> None:
    """Tell every lobby of a table; of one that the lobby does not show, those whom it concerns.

    These alone hear of a match that nobody else may see; for the others its table is there no more.
    """
    hidden = has_hidden_match(table)
    if table.listed and hidden:
        _tell(lambda: {"type": "table-gone", "id": table.pk, "begun": True})
    elif table.listed:
        _tell(build)
        return
    concerned = {user.pk for user in others} | {chair.user_id for chair in table.chairs.all()}
    if table.invited_id is not None:
        concerned.add(table.invited_id)
    for user_id in concerned:
        person.tell_in_words(user_id, build)


def _tell(build: Callable[[], dict[str, Any]]) -> None:
    """Give a change its number in the transaction that makes it, and tell every lobby after the commit."""
    messages = {}
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            messages[topic(language)] = build()
    with transaction.atomic(savepoint=False):
        last = _next_number()
        for lobby, message in messages.items():
            transaction.on_commit(partial(hub.announce, lobby, {**message, "number": last}), robust=True)


def _next_number() -> int:
    # Written out, as it is asked for at every change: to have it put together took ten times as long.
    with connection.cursor() as cursor:
        cursor.execute(COUNT_ON)
        if cursor.rowcount == 0:
            News.objects.get_or_create(pk=1)
            cursor.execute(COUNT_ON)
        cursor.execute(COUNTED)
        found: int = cursor.fetchone()[0]
        return found
