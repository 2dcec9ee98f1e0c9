"""What readers are shown of a tournament: as it ended, with the names that hold now, and computed once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.domain import codec
from games.models import Match
from games.rules.base import Leave
from lobby.accounts import deletion, guests
from lobby.moderation import moderation
from lobby.people.models import User
from lobby.templatetags import cached_include
from lobby.tournaments import director, organising, sheet, tournaments, verification
from lobby.tournaments.models import FinalSheet, Tournament
from lobby.tournaments.sheet import Ended, Final, Result, sheets
from tests.helpers import finished
from tests.helpers.tournaments import (
    CANTSTOP,
    begun,
    command,
    entered,
    look,
    matches_of,
    people,
    play_round,
    win,
)
from tools.harness.patience import wait_until

pytestmark = pytest.mark.django_db
State = Tournament.State
PAGES = ("tournament", "tournament-wall", "tournament-embed", "tournament-certificates")


def played(organiser: User, last: User) -> Tournament:
    """A round robin of three that is over; all tables of the last player were decided."""
    players = [*people("Ada Bo"), last]
    tournament = begun(organiser, players, "round_robin", guests=True)
    while tournament.state == State.RUNNING:
        for table in sheet.read(tournament).open:
            seats = [sheet.read(tournament).entrants[pk].user for pk in table.seats]
            if last in seats:
                points = [float(user != last) for user in seats]
                organising.decide(
                    organiser, tournament.pk, table.round, table.table, points, "Absent", command()
                )
        play_round(tournament)
        tournament = look(tournament, players)
    for match in Match.objects.exclude(status=Match.Status.FINISHED):
        finished.play(match, Leave(0))
    return tournament


def told(tournament: Tournament) -> dict[str, str]:
    """What programs are told of a tournament, by address."""
    addresses = [
        *(reverse(name, args=[tournament.pk]) for name in ("tournament-csv", "tournament-json")),
        *(f"/api/v1/tournaments/{tournament.pk}{part}" for part in ("", "/standings", "/pairings")),
    ]
    return {address: Client().get(address).content.decode() for address in addresses}


def shown(tournament: Tournament) -> str:
    """The pages of a tournament."""
    return "".join(Client().get(reverse(page, args=[tournament.pk])).content.decode() for page in PAGES)


def delete(user: User) -> None:
    deletion.forget(user.pk)


def ban(user: User) -> None:
    moderator = User.objects.create_user("Moira", is_staff=True, is_superuser=True)
    moderation.ban(moderator, user, "Rude")


def purge(user: User) -> None:
    User.objects.filter(pk=user.pk).update(seen=timezone.now())
    assert deletion.purge_guests(timezone.now() + timedelta(days=1))["forgotten"] == 1


class TestAfterTheEnd:
    @pytest.mark.parametrize("leave", [delete, ban, purge])
    def test_a_player_who_leaves_changes_no_place_and_only_a_deleted_name(
        self, leave: Callable[[User], None], ulno: User
    ) -> None:
        last = guests.named("Cleo", "203.0.113.7") if leave is purge else people("Cleo")[0]
        tournament = played(ulno, last)
        before = told(tournament)
        assert "Cleo" in shown(tournament)
        leave(last)
        last.refresh_from_db()
        after = told(tournament)
        assert after == {
            address: text.replace("Cleo", last.get_username()) for address, text in before.items()
        }
        assert ("Cleo" in shown(tournament)) == (last.username == "Cleo")
        assert verification.breaches(tournament) == []

    def test_finished_tournament_read_as_stored(
        self, ulno: User, django_capture_on_commit_callbacks: Any
    ) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            tournament = played(ulno, people("Cleo")[0])
        row = FinalSheet.objects.get(tournament=tournament)
        final = codec.decode(Final, row.content)
        reordered = Final(final.standings[::-1], final.pairings)
        FinalSheet.objects.filter(pk=row.pk).update(content=codec.encode(reordered).decode())
        assert sheet.read(tournament).standings() == final.standings[::-1]
        assert verification.breaches(tournament) == ["the standings are not those of the plies"]

    def test_a_tournament_that_ended_before_is_stored_by_its_first_reader(self, ulno: User) -> None:
        tournament = played(ulno, people("Cleo")[0])
        assert not FinalSheet.objects.exists()
        first = sheet.read(tournament)
        assert FinalSheet.objects.get().tournament == tournament
        # Somebody else was as fast.
        assert sheet.keep(tournament) == sheet.read(tournament) == first

    def test_a_cancelled_tournament_is_stored_too(
        self, ulno: User, django_capture_on_commit_callbacks: Any
    ) -> None:
        tournament = begun(ulno, people("Ada Bo Cleo"), "round_robin")
        with django_capture_on_commit_callbacks(execute=True):
            organising.cancel(ulno, tournament.pk, "Rain", command())
        assert FinalSheet.objects.get().tournament == tournament


class TestVersions:
    def test_matches_are_told_that_were_made_after_the_pairings_were_read(self, ulno: User) -> None:
        tournament = entered(ulno, people("Ada Bo Cleo Dan"))
        organising.start(ulno, tournament.pk, command())
        path = f"/api/v1/tournaments/{tournament.pk}/pairings"

        def made() -> list[bool]:
            return [each["match"] is not None for each in Client().get(path).json()["pairings"]]

        assert director.pair(tournament.pk, timezone.now(), ())
        assert made() == [False, False]
        director.make_matches(tournament.pk)
        wait_until(lambda: made() == [True, True], "the matches in the pairings")

    def test_a_reader_who_is_late_does_not_bring_an_earlier_version_back(self, ulno: User) -> None:
        tournament = begun(ulno, people("Ada Bo Coco Dan"), "swiss")
        before = tournaments.find(tournament.pk)
        organising.pause(ulno, tournament.pk, True, command())
        now = sheets.cached(tournaments.find(tournament.pk))
        assert sheets.cached(before) is now


def test_a_new_name_is_shown_at_once(ulno: User) -> None:
    cleo = guests.named("Cleo", "203.0.113.7")
    tournament = begun(ulno, [cleo, *people("Ada Bo")], "swiss", guests=True)
    assert "Cleo" in "".join(told(tournament).values())
    guests.rename(cleo.pk, "Clea")
    texts = [*told(tournament).values(), shown(tournament)]
    assert "Clea" in "".join(texts)
    assert not any("Cleo" in text for text in texts)


def test_the_results_of_large_tables_take_as_many_queries_for_many_matches_as_for_one(ulno: User) -> None:
    def queries(count: int) -> int:
        players = people(" ".join(f"P{count}of{number}" for number in range(count)))
        tournament = begun(ulno, players, "tables", seats=4, game="cantstop", options=CANTSTOP)
        for match in matches_of(tournament):
            for seat in range(3):
                finished.play(match, Leave(seat))
        with CaptureQueriesContext(connection) as asked:
            known = sheet.read(tournament)
        assert known.open == []
        return len(asked)

    assert queries(16) == queries(4)


def test_rows_of_a_tournament_are_drawn_once_for_all_readers(ulno: User) -> None:
    tournament = begun(ulno, people("Ada Bo Coco Dan"), "swiss")
    path = reverse("tournament", args=[tournament.pk])
    # Another test may have drawn the same row.
    cached_include._drawn.cache_clear()

    def drawn() -> list[str | None]:
        return [each.name for each in Client().get(path).templates]

    rows = ("tournaments/_line.html", "tournaments/_pairing.html")
    first, second = drawn(), drawn()
    assert [first.count(row) for row in rows] == [4, 2]
    assert [second.count(row) for row in rows] == [0, 0]


@pytest.mark.django_db(transaction=True)
def test_concurrent_readers_share_one_computation(ulno: User, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = begun(ulno, people("Ada Bo Coco Dan"), "swiss")
    win(matches_of(tournament)[0])
    tournament = tournaments.find(tournament.pk)
    everybody, computed = threading.Barrier(8), []
    original = sheet.results_of

    def counted(ended: Sequence[Ended]) -> dict[str, Result]:
        computed.append(len(ended))
        return original(ended)

    monkeypatch.setattr(sheet, "results_of", counted)

    def read(_number: int) -> sheet.Shown:
        everybody.wait()
        try:
            return sheets.cached(tournament)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(read, range(8)))
    assert computed == [1]
    assert all(each is found[0] for each in found)
