"""The content of the lobby, and its numbered changes.

Every change has a sequence number. A client subscribes first and then gets the whole list with the number
of its last change. It applies changes with higher numbers in order, and asks for the list again if a
number is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.db import connection, transaction
from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet
from django.utils import translation
from django.utils.translation import get_language, gettext

from games.domain import codec, computer_names
from games.domain.options import in_words, preset_in_words, preset_of
from games.models import Match, Seating
from games.net.hub import hub
from games.registry import GAMES
from games.store import history
from games.store.prepared import PreparedQuery
from games.watch.visibility import spectator_access
from games.watch.watcher_counts import watcher_counts
from lobby.clubs.models import Club
from lobby.feed.watched_matches import LISTED, featured, live, matches_to_watch, to_watch
from lobby.people import circles, person
from lobby.people.models import User
from lobby.tables import admission, computers, terms
from lobby.tables.models import Chair, News, Table

COUNT_ON = "UPDATE lobby_news SET number = number + 1 WHERE id = 1"
COUNTED = "SELECT number FROM lobby_news WHERE id = 1"

RECENT_SECONDS = 1
"""For how long the public list is shared. What is not announced may be this stale."""
MAX_LISTED = 200
"""Maximum tables and matches in the list, newest first; the user's own are added to it."""


_numbers = PreparedQuery(lambda: News.objects.order_by("pk").values_list("number")[:1])


def invitations(user: int | OuterRef) -> QuerySet[Table]:
    """The open tables to which a user is challenged."""
    return Table.objects.filter(invited=user, match=None).order_by()


_asked_to = PreparedQuery(lambda user: invitations(user).values_list("pk"))

_concerning = PreparedQuery(
    lambda user: (
        invitations(user)
        .values_list("pk")
        .union(Chair.objects.filter(user=user, table__match=None).order_by().values_list("table"))
    )
)


def topic(language: str) -> str:
    """The hub topic of lobbies in a language."""
    return f"lobby.{language}"


def open_tables() -> QuerySet[Table]:
    """The tables that wait for players, newest first, including unlisted ones."""
    tables = Table.objects.filter(match=None, game__in=GAMES).order_by("-created")
    chairs = Chair.objects.select_related("user").only("table", "number", "user", *User.listed("user"))
    people = (*User.listed("host"), *User.listed("invited"))
    own = [field.name for field in Table._meta.fields]
    return (
        tables.select_related("host", "invited")
        .only(*own, *people)
        .prefetch_related(Prefetch("chairs", chairs))
    )


def tables_for(club: Club) -> QuerySet[Table]:
    """The tables that wait for members of a club, of the games that it plays."""
    return open_tables().filter(club=club, game__in=[slug for slug in GAMES if club.plays(slug)])


def tables_of(user_id: int) -> QuerySet[Table]:
    """The tables at which a user sits or to which the user is challenged."""
    return open_tables().filter(Q(chairs__user=user_id) | Q(invited=user_id)).distinct()


def challenges_to(user_id: int) -> list[dict[str, Any]]:
    """The tables to which a user is challenged, in the active language."""
    # Most users have none, and building the full query takes longer than running the short one.
    challenges = [table for (table,) in _asked_to(user_id)]
    return [table_fields(table) for table in open_tables().filter(pk__in=challenges)] if challenges else []


def matches_in_play() -> QuerySet[Match]:
    """The matches in play, newest first."""
    matches = Match.objects.filter(status=Match.Status.PLAYING, game__in=GAMES).order_by("-created")
    holder = User.listed("holder")
    return (
        matches.select_related("table", "holder")
        .only(*LISTED, *holder)
        .prefetch_related(Seating.with_names())
    )


def matches_of(user_id: int) -> QuerySet[Match]:
    """The matches in play of a user, including hot-seat matches that the user hosts."""
    return matches_in_play().filter(Q(seatings__user=user_id) | Q(holder=user_id)).distinct()


def has_hidden_match(table: Table) -> bool:
    """Whether the match of a table is private."""
    return table.match is not None and not spectator_access(table.match).allowed


def may_know(table: Table, user_id: int | None) -> bool:
    """Whether a user may see a table by its URL."""
    people = {table.host_id, *(chair.user_id for chair in table.chairs.all())}
    if table.invited_id is not None:
        people.add(table.invited_id)
    if user_id in people:
        return True
    return not has_hidden_match(table) and not circles.strangers(user_id, people)


def table_fields(table: Table) -> dict[str, Any]:
    """A table as the lobby shows it, in the active language."""
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
        "taken": [chair.user.name_in_words() for chair in table.chairs.all()],
        "levels": [computers.level_at(game, chair.user) for chair in table.chairs.all()],
        "match": table.match_id,
        "listed": table.listed,
        "invited": None if table.invited is None else table.invited.get_username(),
        "terms_in_words": terms.of_table_in_short(table),
        "rated": table.rated,
        "pool": admission.pool_key(table.game, preset, table.seats),
        "lowest_rating": table.lowest_rating,
        "highest_rating": table.highest_rating,
    }


def match_fields(match: Match, watchers: int = 0) -> dict[str, Any]:
    """A match as the lobby shows it, with its table (none for a rematch)."""
    table, others = getattr(match, "table", None), spectator_access(match)
    return {
        "id": match.pk,
        "game": match.game,
        "title": gettext(GAMES[match.game].title),
        "players": [_listed_name(seating) for seating in match.seatings.all()],
        "levels": [seating.level for seating in match.seatings.all()],
        "holder": None if match.holder is None else match.holder.get_username(),
        "table": None if table is None else table.pk,
        "watchers": watchers,
        "watchable": others.allowed,
        "delay": others.behind,
    }


def _listed_name(seating: Seating) -> str:
    name = seating.get_username()
    return name if seating.level is None else computer_names.in_words(name)


def number() -> int:
    """The sequence number of the last change."""
    return next((last for (last,) in _numbers()), 0)


@dataclass(frozen=True, slots=True)
class Listed:
    """The public list of the lobby, in one language.

    Attributes:
        number: the last change that is certainly included.
        tables: tables by id.
        matches: matches by id; `everything` adds how many watch them.
        players: user ids of the players, by match.
        waiting: number of players who wait at all public tables, by game.
    """

    number: int
    tables: Mapping[str, dict[str, Any]]
    matches: Mapping[str, dict[str, Any]]
    players: Mapping[str, frozenset[int | None]]
    waiting: Mapping[str, int]


def recently_listed(most: int = MAX_LISTED) -> Listed:
    """`listed` as of the last change, shared by all who ask for it within `RECENT_SECONDS`."""
    last = number()
    key = f"lobby:{get_language()}:{most}:{last}"
    found: Listed | None = caches["local"].get(key)
    if found is None:
        found = listed(most, last)
        caches["local"].set(key, found, RECENT_SECONDS)
    return found


def listed(most: int = MAX_LISTED, last: int | None = None) -> Listed:
    """The public list in the active language, and the number of its last change.

    The number is read first, so the list may include later changes; applying them again does no harm.

    Args:
        most: maximum number of tables and of matches.
        last: the number, if the caller has read it.
    """
    last = number() if last is None else last
    tables = open_tables().filter(listed=True)[:most]
    matches = to_watch(most)
    return Listed(
        last,
        {table.pk: table_fields(table) for table in tables},
        {pk: match_fields(match) for pk, match in matches.items()},
        {pk: frozenset(each.user_id for each in match.seatings.all()) for pk, match in matches.items()},
        dict(_at_tables()),
    )


def everything(
    user_id: int | None, known: Listed | None = None, played: Sequence[str] | None = None
) -> dict[str, Any]:
    """The whole list for a user, in the active language.

    Args:
        user_id: the user; None for a visitor.
        known: the public list, if at hand.
        played: the matches that the user plays or hosts (`history.played_by`), if at hand.
    """
    known = known or listed(MAX_LISTED)
    tables, matches = dict(known.tables), dict(known.matches)
    if user_id is not None:
        tables |= _own_tables(user_id, known)
        # Players learn of the end of their match, and of a rematch, before spectators do.
        matches = {pk: fields for pk, fields in matches.items() if user_id not in known.players[pk]}
        matches |= _own_matches(history.played_by(user_id) if played is None else played, known)
    watchers = watcher_counts.counts()
    return {
        "type": "lobby",
        "number": known.number,
        "tables": list(tables.values()),
        "matches": [{**fields, "watchers": watchers.get(pk, 0)} for pk, fields in matches.items()],
        "featured": featured(),
        "live": live(),
    }


def _own_tables(user_id: int, known: Listed) -> dict[str, dict[str, Any]]:
    """The user's tables that the public list lacks. For most users two index lookups."""
    theirs = {table for (table,) in _concerning(user_id)}
    unlisted = theirs - known.tables.keys()
    if not unlisted:
        return {}
    return {table.pk: table_fields(table) for table in open_tables().filter(pk__in=unlisted)}


def _own_matches(theirs: Sequence[str], known: Listed) -> dict[str, dict[str, Any]]:
    """The user's matches, newest first; only those that the public list lacks are read."""
    unlisted = set(theirs) - known.matches.keys()
    read = matches_in_play().filter(pk__in=unlisted) if unlisted else ()
    fields = {**known.matches, **{match.pk: match_fields(match) for match in read}}
    return {pk: fields[pk] for pk in theirs if pk in fields}


def people_at_tables(known: Listed, own: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Number of players who wait at the public tables of each game, except at the user's `own` ones."""
    seated = Counter(known.waiting)
    for table in own:
        if table["listed"]:
            seated[table["game"]] -= table["levels"].count(None)
    return seated


_at_tables = PreparedQuery(
    lambda: (
        Chair.objects.filter(table__match=None, table__listed=True, table__game__in=GAMES, user__computer="")
        .order_by()
        .values_list("table__game")
        .annotate(Count("pk"))
    )
)


def tell_table(table: Table, *others: User) -> None:
    """Announce that a table is new, its chairs changed, or its match began.

    `others` have left the table and are told too.
    """
    _tell_of(table, others, lambda: {"type": "table", "table": table_fields(table)})


def tell_table_gone(table: Table) -> None:
    """Announce that a table is about to be deleted."""
    table_id = table.pk
    _tell_of(table, (), lambda: {"type": "table-gone", "id": table_id, "begun": False})


def tell_declined(table: Table) -> None:
    """Tell the host that a challenge was declined."""
    assert table.invited is not None
    table_id, name, title = table.pk, table.invited.get_username(), GAMES[table.game].title
    person.tell_in_words(
        table.host_id,
        lambda: {"type": "declined", "table": table_id, "name": name, "title": gettext(title)},
    )


@transaction.atomic
def tell_renamed(user: User, _before: str) -> None:
    """Announce a user's new name at their tables and matches."""
    for table in open_tables().filter(chairs__user=user):
        tell_table(table)
    tell_matches(list(matches_in_play().filter(seatings__user=user).values_list("pk", flat=True)))


@transaction.atomic
def tell_matches(match_ids: Collection[str]) -> None:
    """Announce that matches began or resumed, or that a player was renamed, except those not in play.

    Only its players are told of a match while spectators may not know of it.
    """
    matches = list(matches_in_play().filter(pk__in=match_ids))
    public = set(matches_to_watch().filter(pk__in=match_ids).values_list("pk", flat=True))
    for_all = [match for match in matches if match.holder_id is None and match.pk in public]
    for match in matches:
        if match not in for_all:
            _tell_of_match(match, False, partial(_begun, match))
    if len(for_all) == 1:
        _tell(partial(_begun, for_all[0]))
    elif for_all:
        _tell(lambda: {"type": "matches", "matches": [match_fields(match) for match in for_all]})


def _begun(match: Match) -> dict[str, Any]:
    return {"type": "match", "match": match_fields(match)}


def tell_match_saved(match_id: str) -> None:
    """Announce that a match was saved, unless it has already resumed."""
    if not matches_in_play().filter(pk=match_id).exists():
        tell_matches_over(match_id)


@transaction.atomic
def tell_matches_over(*match_ids: str) -> None:
    """Announce that matches ended or were saved."""
    for match in Match.objects.filter(pk__in=match_ids):
        _tell_of_match(match, spectator_access(match).allowed, partial(_over, match.pk))


def _over(match_id: str) -> dict[str, Any]:
    return {"type": "match-over", "id": match_id}


def _tell_of_match(match: Match, everybody: bool, build: Callable[[], dict[str, Any]]) -> None:
    """Send a change of a match to every lobby or to its players only; of a hot-seat match to its host."""
    if match.holder_id is not None:
        person.tell_in_words(match.holder_id, build)
        return
    if everybody:
        _tell(build)
        return
    for user_id in match.seatings.values_list("user", flat=True):
        person.tell_in_words(user_id, build)


def _tell_of(table: Table, others: Iterable[User], build: Callable[[], dict[str, Any]]) -> None:
    """Send a change of a table to every lobby; of an unlisted one to the players concerned.

    If its match is private, only these hear of it, and the other lobbies get a "table-gone".
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
    """Number a change in the transaction that makes it, and send it to every lobby after the commit."""
    messages = {}
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            messages[topic(language)] = build()
    with transaction.atomic(savepoint=False):
        last = _next_number()
        for lobby, message in messages.items():
            transaction.on_commit(partial(hub.announce, lobby, {**message, "number": last}), robust=True)


def _next_number() -> int:
    # Raw SQL, because it runs at every change: building the query took ten times as long.
    with connection.cursor() as cursor:
        cursor.execute(COUNT_ON)
        if cursor.rowcount == 0:
            News.objects.get_or_create(pk=1)
            cursor.execute(COUNT_ON)
        cursor.execute(COUNTED)
        found: int = cursor.fetchone()[0]
        return found
