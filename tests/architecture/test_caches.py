"""Every cache shows what holds now: all of them are listed here, and each thing that they show is changed."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from games.models import Match
from games.net.process import process
from lobby.accounts import deletion, guests
from lobby.feed import counts, lobby_feed, watched_matches
from lobby.moderation import moderation
from lobby.people import online
from lobby.people.models import User
from lobby.ratings import results
from lobby.sockets import consumers
from lobby.tournaments import entries, organising, tournaments
from lobby.tournaments.models import Tournament
from tests.helpers.tournaments import begun, command, look, matches_of, people, play_round, win

ROOT = Path(__file__).parents[2]
FRAGMENT = re.compile(r"{% cache (\d+) \"(\w+)\"")
NEW_EACH_TIME = re.compile(r'name="(?:csrfmiddlewaretoken|key)" value="[^"]*"')
LONGEST = 10
"""Seconds after which whatever is shown must be what holds now."""

BY_CODE = {
    *("games.bots.aces._throws", "games.bots.aces.roll_shares", "games.bots.cantstop.table"),
    *("games.bots.cantstop_net.load", "games.bots.cantstop_net.mirror"),
    *("games.bots.kalah_kernel.sowing_table", "games.bots.morris.table", "games.bots.morris_index.index"),
    "games.bots.morris.exact_endings",
    *(f"games.bots.morris_patterns.{name}" for name in ("codes", "different", "lines_of_sides", "load")),
    *("games.bots.morris_patterns.nothing", "games.bots.morris_patterns.phases"),
    *("games.bots.kernel_cache._digest", "games.bots.table_file.loaded"),
    *("games.bots.kalah_kernel._numbering", "games.bots.kalah_tables.numbering"),
    *(f"games.bots.morris_numbers.{name}" for name in ("numbering", "representatives", "symmetries")),
    *("games.bots.morris_six.starts", "games.bots.morris_six.positions", "games.bots.kalah_tables._code"),
    *("games.bots.kalah_tables._opened", "games.bots.compiler._name"),
    *(f"games.domain.codec.{name}" for name in ("_adapter", "_by_kind", "_event_head", "_kind", "_names")),
    *("games.domain.codec._state_head", "games.domain.codec._values", "games.domain.computer_names._all"),
    "games.api.routes._games",
    *("games.domain.instants._second_written", "games.pages.demonstrations.demonstration"),
    *("games.examples.examples.rules_of", "games.pages.examples._encoded"),
    *("games.pages.design._late", "games.pages.introduction.played", "games.pictures.kalah._searched"),
    *("games.pictures.plans.plan", "games.puzzles.collection.by_game"),
    *("games.puzzles.daily.coming", "games.puzzles.daily.former", "games.puzzles.difficulty.estimates"),
    *("games.rules.cantstop.bust_odds", "games.rules.kalah._path", "games.share.colours.by_day"),
    *("games.share.colours.by_night", "games.share.drawing.picture_module", "games.store.journal._insertion"),
    *("games.pages.matches._rules", "lobby.tables.forms.table._picture"),
    *(f"lobby.people.names.{name}" for name in ("_addresses", "_all_looks", "_of_reserved")),
    *("lobby.people.spelling._plain", "lobby.people.spelling._prototypes"),
    *("lobby.front.game_menu._presets", "lobby.webhooks.outgoing.trust"),
    *("config.api._document", "config.api_docs._chapters"),
    *("config.i18n.js_catalog._script", "config.i18n.js_catalog.address"),
    *("config.install.shell.version", "config.middleware.request_queue._busy_page"),
}
"""Pure functions of their arguments and of the code: nothing that they show changes."""
BY_ALL_THEY_SHOW = {
    "lobby.templatetags.cached_include._drawn",
    "lobby.templatetags.cached_include._drawn_form",
    "lobby.profiles.summaries.summed_up",
    "lobby.tournaments.sheet.Sheets",
    "games.play.matches.Matches",
}
"""Kept for as long as their key is the same, which has all that they show. Below everything is changed."""
FOR_SECONDS = {
    "lobby.feed.counts.TtlCache": counts.EVERY_SECONDS,
    "lobby.feed.counts.CountBroadcaster": counts.EVERY_SECONDS,
    "lobby.feed.watched_matches.FeaturedBroadcaster": watched_matches.FRESH_SECONDS,
    "lobby.feed.watched_matches.WatchedBroadcaster": watched_matches.TELL_SECONDS,
    "lobby.feed.lobby_feed.django.core.cache": lobby_feed.RECENT_SECONDS,
    "lobby.feed.program_events.django.core.cache": lobby_feed.RECENT_SECONDS,
    "lobby.people.online.TtlCache": online.FRESH_SECONDS,
    "lobby.sockets.consumers.LastNumber": consumers.FRESH_SECONDS,
    "leaderboard": LONGEST,
}
"""Kept for so many seconds, whatever changes."""
OF_NOBODY = {
    *("match_menu", "match_moves", "match_command", "match_actions", "rules"),
    # What a user has typed wrong, by number.
    "lobby.auth.forms.django.core.cache",
}
"""What is kept is of nobody, and follows from its key."""
NO_CACHES = {
    *("AbandonedTables", "Activity", "Boards", "Bucket", "Buckets", "Checker", "Computers"),
    *("Crowd", "Cursors", "Debouncer", "Delays", "DeliveryWorker", "Director", "Disk"),
    *("FlushQueue", "Hints", "Hub", "Looking", "Measures", "Painter", "PendingTurnEvents"),
    *("Periodic", "Places", "Pool", "PoolWatch", "Presence", "Rooms", "SavedMatchPages", "Schema"),
    *("Searches", "Semaphore", "Sessions", "set", "Streams", "Sweeper", "Tasks", "Turns"),
    *("WatcherCounts", "Watchers", "WeakValueDictionary"),
}
"""Parts of the process that hold what goes on in it, and nothing that they have read and show again."""


def named(node: ast.expr) -> str:
    """The last name of an expression: `lru_cache` for `functools.lru_cache(9)`."""
    if isinstance(node, ast.Call):
        return named(node.func)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def found_in(module: str, tree: ast.AST) -> Iterator[str]:
    """The caches of a module: decorated functions, parts of the process, and uses of Django's caches."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if {"cache", "lru_cache"} & {named(each) for each in node.decorator_list}:
                yield f"{module}.{node.name}"
        elif isinstance(node, ast.ImportFrom) and node.module == "django.core.cache":
            yield f"{module}.django.core.cache"
        elif isinstance(node, ast.Call) and named(node) == "TtlCache":
            yield f"{module}.TtlCache"
        elif isinstance(node, ast.Call) and named(node) == "part" and node.args:
            kind = named(node.args[0])
            if kind not in NO_CACHES:
                yield f"{module}.{kind}"


def all_caches() -> Iterator[str]:
    for package in ("games", "lobby", "config"):
        for path in sorted((ROOT / package).rglob("*.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            yield from found_in(module, ast.parse(path.read_text()))
    for path in sorted((ROOT / "templates").rglob("*.html")):
        yield from (name for _seconds, name in FRAGMENT.findall(path.read_text()))


def test_every_cache_is_listed():
    assert set(all_caches()) == BY_CODE | BY_ALL_THEY_SHOW | FOR_SECONDS.keys() | OF_NOBODY


def test_timed_caches_kept_for_seconds():
    assert max(FOR_SECONDS.values()) <= LONGEST
    shown = (ROOT / "templates" / "people" / "leaderboard.html").read_text()
    assert FRAGMENT.findall(shown) == [(str(FOR_SECONDS["leaderboard"]), "leaderboard")]


def settle(played: list[Match]) -> None:
    results.settle(*(match.pk for match in played))


class World:
    """A tournament whose first round is over, of which Cleo has won a match; the second one is in play."""

    def __init__(self) -> None:
        self.olga = User.objects.create_user("Olga")
        self.cleo = guests.named("Cleo", "203.0.113.7")
        self.players = [self.cleo, *people("Ada Bo Dan")]
        self.tournament = begun(self.olga, self.players, "swiss", guests=True)
        play_round(self.tournament)
        self.tournament = look(self.tournament)
        settle(matches_of(self.tournament, 1))

    @property
    def addresses(self) -> list[str]:
        pages = (
            "tournament",
            "tournament-wall",
            "tournament-embed",
            "tournament-csv",
            "tournament-json",
            "tournament-trf",
        )
        programs = ("", "/standings", "/pairings", "/open-tables", "/report")
        names = (
            User.objects.filter(is_deleted=False).exclude(username="Moira").values_list("username", flat=True)
        )
        return [
            *(reverse(name, args=[self.tournament.pk]) for name in pages),
            *(f"/api/v1/tournaments/{self.tournament.pk}{part}" for part in programs),
            *(reverse("profile", args=[name]) for name in sorted(names)),
        ]


def rename(world: World) -> None:
    guests.rename(world.cleo.pk, "Clea")


def delete(world: World) -> None:
    deletion.forget(world.cleo.pk)


def ban(world: World) -> None:
    moderator = User.objects.create_user("Moira", is_staff=True, is_superuser=True)
    moderation.ban(moderator, world.cleo, "Rude")


def withdraw(world: World) -> None:
    entries.withdraw(world.cleo, world.tournament.pk, command())


def come_late(world: World) -> None:
    entries.enter(people("Eve")[0], world.tournament.pk, "", command())


def decide(world: World) -> None:
    last = tournaments.last_round(world.tournament)
    organising.decide(world.olga, world.tournament.pk, last, 1, [1.0, 0.0], "Late", command())


def get_result(world: World) -> None:
    settle([win(matches_of(world.tournament)[0])])


def get_next_match(world: World) -> None:
    play_round(world.tournament)
    settle(matches_of(world.tournament))
    look(world.tournament)


def end(world: World) -> None:
    while Tournament.objects.get(pk=world.tournament.pk).state == Tournament.State.RUNNING:
        get_next_match(world)


def call_off(world: World) -> None:
    organising.cancel(world.olga, world.tournament.pk, "Rain", command())


CHANGES = (rename, delete, ban, withdraw, come_late, decide, get_result, get_next_match, end, call_off)


def read(addresses: list[str]) -> dict[str, str]:
    """What a visitor gets, without what is new in each answer."""
    found = {address: Client().get(address).content.decode() for address in addresses}
    return {address: NEW_EACH_TIME.sub("", text) for address, text in found.items()}


def begin_process() -> None:
    process.renew()
    for cache in caches.all():
        cache.clear()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", CHANGES)
def test_caches_show_what_has_changed(change: Callable[[World], None]) -> None:
    world = World()
    before = read(world.addresses)
    change(world)
    kept = read(world.addresses)
    begin_process()
    assert kept == read(world.addresses)
    assert kept != before
