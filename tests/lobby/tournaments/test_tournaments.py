"""What organisers and players do: every action once per command, with typed refusals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.domain.refusals import Refused
from games.models import Match
from lobby.accounts import deletion, guests
from lobby.clubs import clubs, members
from lobby.clubs.models import Club
from lobby.commands.models import AuditEntry
from lobby.moderation import moderation
from lobby.notices.models import Device
from lobby.people import relationships
from lobby.people.models import User
from lobby.ratings.models import Rating
from lobby.tournaments import entries, organising, refusals, sheet, signals, tournaments
from lobby.tournaments.api_fields import TournamentBody, TournamentChanges, tournament_fields
from lobby.tournaments.formats.base import TooFewPlayers
from lobby.tournaments.models import Entrant, Pairing, Tournament
from lobby.tournaments.plans import Plan
from lobby.webhooks.models import Hook
from tests.helpers.clubs import club_of
from tests.helpers.tournaments import (
    CANTSTOP,
    begun,
    changes,
    command,
    entered,
    look,
    matches_of,
    people,
    plan,
    play_round,
    win,
)

pytestmark = pytest.mark.django_db
State = Tournament.State


@pytest.fixture
def four(db: None) -> list[User]:
    return people("Ada Bo Cleo Dan")


def code(function: Any, *arguments: Any) -> str:
    """The code with which something is refused, which changes nothing."""
    before = (AuditEntry.objects.count(), Entrant.objects.count(), Tournament.objects.count())
    with pytest.raises(Refused) as caught:
        function(*arguments)
    assert caught.value.words
    after = (AuditEntry.objects.count(), Entrant.objects.count(), Tournament.objects.count())
    assert after == before
    return caught.value.code


class TestEditing:
    def test_edit_changes_given_fields_only(self, ulno: User) -> None:
        once = command()
        tournament = organising.create(ulno, plan(rounds=5, code="Green"), command())
        for _ in range(2):
            organising.change(ulno, tournament.pk, changes(rounds=7), once)
        tournament.refresh_from_db()
        assert (tournament.rounds, tournament.code, tournament.version) == (7, "Green", 1)

    def test_players_who_do_not_fit_any_more_stay_and_are_told(
        self, ulno: User, artjom: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[str] = []
        listener = (lambda _tournament, user: told.append(user.username),)
        monkeypatch.setattr(signals.terms_changed, "listeners", listener)
        tournament = entered(ulno, [guests.new_guest(), artjom], guests=True)
        organising.change(ulno, tournament.pk, changes(guests=False), command())
        assert tournament.entrants.filter(withdrawn=None).count() == 2
        assert told == [User.objects.get(is_guest=True).username]
        organising.change(ulno, tournament.pk, changes(name="Cup"), command())
        assert len(told) == 1

    def test_terms_changed_back_and_forth_notify_a_player_once(self, ulno: User, artjom: User) -> None:
        hook = Hook.objects.create(
            user=artjom, url="https://push.example/1", events=["notice"], secret="s" * 32
        )
        Device.objects.create(hook=hook, name="Phone", p256dh="key", auth="secret")
        tournament = entered(ulno, [artjom], rated=True)
        for lowest in (None, 1700) * 5:
            organising.change(ulno, tournament.pk, changes(lowest_rating=lowest), command())
        assert hook.deliveries.count() == 1

    def test_edit_queries_independent_of_players(self, ulno: User) -> None:
        def queries(count: int) -> int:
            players = people(" ".join(f"P{count}of{number}" for number in range(count)))
            tournament = entered(ulno, players, rated=True, highest_rating=2000)
            with CaptureQueriesContext(connection) as asked:
                organising.change(ulno, tournament.pk, changes(lowest_rating=1000), command())
            return len(asked)

        assert queries(50) == queries(2)


class TestCreating:
    def test_a_command_creates_one_tournament(self, ulno: User) -> None:
        once = command()
        assert organising.create(ulno, plan(), once) == organising.create(ulno, plan(), once)
        assert Tournament.objects.get().title == "Friday cup"

    def test_guests_organise_none(self) -> None:
        assert code(organising.create, guests.new_guest(), plan(), command()) == "guest"

    def test_a_person_organises_so_many_at_a_time(self, ulno: User, settings: Any) -> None:
        settings.TOURNAMENTS_PER_PERSON = 1
        first = organising.create(ulno, plan(), command())
        assert code(organising.create, ulno, plan(), command()) == "too-many-tournaments"
        organising.cancel(ulno, first.pk, "Rain", command())
        organising.create(ulno, plan(), command())

    @pytest.mark.parametrize(
        ("changes", "refusal"),
        [
            ({"title": " \t"}, "bad-title"),
            ({"title": "x" * 61}, "bad-title"),
            ({"format": "chess"}, "unknown-format"),
            ({"game": "chess"}, "unknown-game"),
            ({"clock": "soon"}, "bad-clock"),
            ({"format": "arena", "minutes": 4}, "bad-minutes"),
            ({"pause": 7 * 24 * 60 + 1}, "bad-pause"),
            ({"computer": 99}, "bad-level"),
            ({"computer": 1, "rated": True}, "computers-casual"),
            ({"lowest_rating": 1500}, "range-casual"),
            ({"game": "cantstop", "options": CANTSTOP, "seats": 4}, "format-seats"),
            ({"format": "tables"}, "format-seats"),
        ],
    )
    def test_a_plan_that_cannot_be(self, ulno: User, changes: dict[str, Any], refusal: str) -> None:
        assert code(organising.create, ulno, replace(plan(), **changes), command()) == refusal

    @pytest.mark.parametrize("ahead", [timedelta(0), timedelta(days=366)])
    def test_a_start_in_the_past_or_far_ahead(self, ulno: User, ahead: timedelta) -> None:
        starts = timezone.now() + ahead
        assert code(organising.create, ulno, plan(starts=starts), command()) == "bad-start"


class TestChanging:
    def test_change_everything_before_start(self, ulno: User) -> None:
        tournament = organising.create(ulno, plan(), command())
        organising.change(ulno, tournament.pk, plan("arena", clock="3+2"), command())
        tournament.refresh_from_db()
        assert (tournament.format, tournament.clock, tournament.minutes) == ("arena", "3+2", 60)

    def test_the_organiser_changes_nothing_after_the_start(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        assert code(organising.change, ulno, tournament.pk, plan(rounds=5), command()) == "started"

    def test_change_by_others_refused(self, ulno: User, artjom: User) -> None:
        tournament = organising.create(ulno, plan(), command())
        for act in (
            lambda: organising.change(artjom, tournament.pk, plan(), command()),
            lambda: organising.start(artjom, tournament.pk, command()),
            lambda: organising.pause(artjom, tournament.pk, True, command()),
            lambda: organising.remove(artjom, tournament.pk, "Ulno", "", command()),
            lambda: organising.decide(artjom, tournament.pk, 1, 1, None, "", command()),
            lambda: organising.cancel(artjom, tournament.pk, "", command()),
        ):
            assert code(act) == "not-organiser"

    def test_change_of_unknown_tournament_refused(self, ulno: User) -> None:
        assert code(organising.start, ulno, "nothing", command()) == "unknown-tournament"


class TestRights:
    """Who may act as the organiser: whoever has the role when they act."""

    @pytest.fixture
    def club(self, ulno: User, four: list[User]) -> Club:
        """Ulno's club; Ada and Bo are organisers, Cleo and Dan members."""
        return club_of(ulno, *four[2:], organisers=(four[0], four[1]))

    def of_the_club(self, club: Club, four: list[User], format: str = "swiss") -> Tournament:
        """Ada's tournament, in play."""
        tournament = begun(four[0], four, format, club_id=club.pk)
        assert tournament.state == State.RUNNING
        return tournament

    def may(self, *people: User, tournament: Tournament) -> list[str]:
        """The names of those who may pause a tournament and go on with it."""
        found = []
        for person in people:
            try:
                organising.pause(person, tournament.pk, True, command())
            except refusals.NotOrganiser:
                continue
            organising.pause(person, tournament.pk, False, command())
            found.append(person.username)
        return found

    def test_only_the_organiser_of_a_club_acts(self, ulno: User, four: list[User], club: Club) -> None:
        tournament = self.of_the_club(club, four)
        assert self.may(ulno, *four, tournament=tournament) == ["Ada"]

    @pytest.mark.parametrize("gone", ["removed", "a member now", "left", "banned", "deleted"])
    def test_an_organiser_without_the_role_hands_over_to_the_leaders_of_the_club(
        self, ulno: User, four: list[User], club: Club, gone: str
    ) -> None:
        tournament = self.of_the_club(club, four)
        ada = four[0]
        acts: dict[str, Callable[[], object]] = {
            "removed": lambda: members.remove(ulno, club.pk, "Ada", "So", command()),
            "a member now": lambda: members.set_role(ulno, club.pk, "Ada", "member", command()),
            "left": lambda: members.leave(ada, club.pk, command()),
            "banned": lambda: moderation.ban(ulno, ada, "Insults"),
            "deleted": lambda: deletion.forget(ada.pk),
        }
        acts[gone]()
        ada.refresh_from_db()
        assert self.may(ulno, *four, tournament=tournament) == ["Ulno", "Bo"]
        assert code(organising.cancel, ada, tournament.pk, "Mine", command()) == "not-organiser"
        organising.decide(ulno, tournament.pk, 1, 1, [1, 0], "Power cut", command())
        organising.cancel(four[1], tournament.pk, "Fire", command())

    @pytest.mark.parametrize("gone", ["banned", "deleted"])
    def test_rights_of_moderators_without_organiser_and_club(
        self, ulno: User, artjom: User, four: list[User], gone: str
    ) -> None:
        tournament = begun(artjom, four)
        moderator = User.objects.create_superuser("Moderator")
        assert self.may(ulno, moderator, tournament=tournament) == []
        if gone == "banned":
            moderation.ban(ulno, artjom, "Insults")
        else:
            deletion.forget(artjom.pk)
        assert self.may(ulno, moderator, *four, tournament=tournament) == ["Moderator"]

    def test_tournament_taken_out_of_club_not_regained_by_former_organiser(
        self, ulno: User, four: list[User], club: Club
    ) -> None:
        tournament = organising.create(four[0], plan(club_id=club.pk), command())
        members.set_role(ulno, club.pk, "Ada", "member", command())
        organising.change(ulno, tournament.pk, plan(club_id=None), command())
        assert code(organising.cancel, four[0], tournament.pk, "Mine", command()) == "not-organiser"
        organising.cancel(ulno, tournament.pk, "Fire", command())

    @pytest.mark.parametrize(("lost", "organises"), [(True, ["Ulno"]), (False, ["Ada"])])
    def test_tournament_of_dissolved_club_not_regained_by_former_organiser(
        self, ulno: User, four: list[User], club: Club, lost: bool, organises: list[str]
    ) -> None:
        tournament = self.of_the_club(club, four)
        if lost:
            members.set_role(ulno, club.pk, "Ada", "member", command())
        clubs.dissolve(ulno, club.pk, command())
        assert self.may(ulno, *four, tournament=tournament) == organises

    def test_a_paused_arena_of_a_removed_organiser_goes_on(
        self, ulno: User, four: list[User], club: Club
    ) -> None:
        tournament = self.of_the_club(club, four, "arena")
        organising.pause(four[0], tournament.pk, True, command())
        members.remove(ulno, club.pk, "Ada", "So", command())
        organising.pause(ulno, tournament.pk, False, command())

    def test_the_page_offers_what_a_person_may_do(self, ulno: User, four: list[User], club: Club) -> None:
        tournament = self.of_the_club(club, four)
        members.remove(ulno, club.pk, "Ada", "So", command())
        for person, offered in ((ulno, True), (four[0], False), (four[2], False)):
            browser = Client()
            browser.force_login(person, backend="lobby.auth.backends.PasswordBackend")
            page = browser.get(f"/tournament/{tournament.pk}").content.decode()
            assert ("For the organiser" in page) == offered


class TestEntering:
    def test_entering_twice_is_entering_once(self, ulno: User, artjom: User) -> None:
        tournament = organising.create(ulno, plan(), command())
        first = entries.enter(artjom, tournament.pk, "", command())
        assert entries.enter(artjom, tournament.pk, "", command()) == first
        assert AuditEntry.objects.filter(action="tournament-enter").count() == 1

    @pytest.mark.parametrize("given", ["", "blue"])
    def test_the_entry_code_is_asked_for(self, ulno: User, artjom: User, given: str) -> None:
        tournament = organising.create(ulno, plan(code="Green"), command())
        assert code(entries.enter, artjom, tournament.pk, given, command()) == "wrong-code"
        entries.enter(artjom, tournament.pk, " gREEN", command())

    def test_codes_cannot_be_guessed(self, ulno: User, artjom: User) -> None:
        tournament = organising.create(ulno, plan(code="Green"), command())
        for _ in range(settings.ENTRY_CODE_LIMIT.count):
            assert code(entries.enter, artjom, tournament.pk, "Red", command()) == "wrong-code"
        assert code(entries.enter, artjom, tournament.pk, "Green", command()) == "too-many-codes"

    def test_an_address_cannot_guess_codes_with_many_accounts(self, ulno: User, four: list[User]) -> None:
        tournament = organising.create(ulno, plan(code="Green"), command())
        there = "2001:db8::"
        codes = [
            code(entries.enter, user, tournament.pk, "Red", command(), there)
            for user in people(" ".join(f"Guesser-{number}" for number in range(13)))
            for _ in range(settings.ENTRY_CODE_LIMIT.count)
        ]
        # A slow machine refills the limit meanwhile.
        assert 0 <= codes.index("too-many-codes") - settings.ENTRY_CODE_ADDRESS_LIMIT.count < 10
        entries.enter(four[0], tournament.pk, "Green", command(), "2001:db8:0:1::")

    def test_guests_enter_where_they_may(self, ulno: User) -> None:
        guest = guests.new_guest()
        closed = organising.create(ulno, plan(), command())
        assert code(entries.enter, guest, closed.pk, "", command()) == "guest"
        entries.enter(guest, organising.create(ulno, plan(guests=True), command()).pk, "", command())

    def test_bots_enter_where_they_may(self, ulno: User) -> None:
        bot = User.objects.create_user("Robot", is_bot=True)
        closed = organising.create(ulno, plan(), command())
        assert code(entries.enter, bot, closed.pk, "", command()) == "bot"
        entries.enter(bot, organising.create(ulno, plan(bots=True), command()).pk, "", command())

    @pytest.mark.parametrize("by_organiser", [True, False])
    def test_a_block_keeps_out(self, ulno: User, artjom: User, by_organiser: bool) -> None:
        tournament = organising.create(ulno, plan(), command())
        relationships.block(*(ulno, artjom) if by_organiser else (artjom, ulno))
        assert code(entries.enter, artjom, tournament.pk, "", command()) == "blocked"

    def test_ratings_outside_the_range(self, ulno: User, artjom: User) -> None:
        tournament = organising.create(ulno, plan(rated=True, lowest_rating=1600), command())
        assert code(entries.enter, artjom, tournament.pk, "", command()) == "out-of-range"
        shared = {"game": "kalah", "family": "circle", "deviation": 50.0, "volatility": 0.06}
        Rating.objects.create(user=artjom, pool="two", rating=1700.0, updated=timezone.now(), **shared)
        assert entries.enter(artjom, tournament.pk, "", command()).rating == 1700

    def test_a_full_tournament(self, ulno: User, four: list[User], settings: Any) -> None:
        settings.TOURNAMENT_PLAYERS = 3
        tournament = entered(ulno, four[:3])
        assert code(entries.enter, four[3], tournament.pk, "", command()) == "full"

    def test_a_late_player_enters_the_next_round(self, ulno: User, artjom: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        late = entries.enter(artjom, tournament.pk, "", command())
        assert (late.seed, late.joined) == (5, 2)

    @pytest.mark.parametrize("columns", [{"late": False}, {"format": "round_robin"}])
    def test_no_late_entry(self, ulno: User, artjom: User, four: list[User], columns: dict[str, Any]) -> None:
        tournament = begun(ulno, four, **columns)
        assert code(entries.enter, artjom, tournament.pk, "", command()) == "no-late-entry"

    @pytest.mark.parametrize(
        ("format", "players", "rounds"),
        [
            ("round_robin", "Ada Bo Cleo", 3),
            ("round_robin", "Ada Bo Cleo Dan", 3),
            ("knockout", "Ada Bo Cleo", 2),
        ],
    )
    def test_format_that_knows_its_rounds_tells_programs_how_many(
        self, ulno: User, format: str, players: str, rounds: int
    ) -> None:
        tournament = begun(ulno, people(players), format)
        assert tournament_fields(tournament, 3, 1, None)["rounds"] == tournament.rounds == rounds

    def test_enter_running_round_robin_refused(self, ulno: User, artjom: User, four: list[User]) -> None:
        tournament = begun(ulno, four, "round_robin")
        entries.withdraw(four[0], tournament.pk, command())
        assert code(entries.enter, artjom, tournament.pk, "", command()) == "no-late-entry"

    def test_enter_finished_tournament_refused(self, ulno: User, artjom: User) -> None:
        tournament = organising.create(ulno, plan(), command())
        organising.cancel(ulno, tournament.pk, "Rain", command())
        assert code(entries.enter, artjom, tournament.pk, "", command()) == "tournament-over"


class TestLeaving:
    def test_withdrawn_player_not_paired_until_return(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        entries.withdraw(four[0], tournament.pk, command())
        play_round(tournament)
        look(tournament)
        assert four[0].pk not in players_of_round(tournament, 2)
        entries.enter(four[0], tournament.pk, "", command())
        play_round(tournament)
        look(tournament)
        assert four[0].pk in players_of_round(tournament, 3)

    def test_leaving_and_coming_back_gives_no_points(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        play_round(tournament)
        before = points(tournament)
        entries.withdraw(four[3], tournament.pk, command())
        entries.enter(four[3], tournament.pk, "", command())
        assert points(tournament) == before
        assert Entrant.objects.get(user=four[3]).joined == 1

    def test_removed_player_cannot_return(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        assert code(organising.remove, ulno, tournament.pk, "Ada", " ", command()) == "no-reason"
        organising.remove(ulno, tournament.pk, "Ada", "Unkind", command())
        assert code(entries.enter, four[0], tournament.pk, "", command()) == "removed"
        # The log outlives the account.
        assert "Ada" not in str(AuditEntry.objects.get(action="tournament-remove").details)

    def test_a_name_that_is_not_there(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        assert code(organising.remove, ulno, tournament.pk, "Eve", "No", command()) == "unknown-entrant"
        assert code(entries.withdraw, ulno, tournament.pk, command()) == "not-entered"

    def test_half_point_byes_are_limited(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        ada = four[0]
        assert code(entries.ask_bye, ada, tournament.pk, 1, command()) == "bye-too-late"
        assert code(entries.ask_bye, ada, tournament.pk, 4, command()) == "bye-too-late"
        entries.ask_bye(ada, tournament.pk, 2, command())
        entries.ask_bye(ada, tournament.pk, 2, command())
        assert code(entries.ask_bye, ada, tournament.pk, 3, command()) == "no-byes"
        play_round(tournament)
        look(tournament)
        assert Pairing.objects.get(round=2, seats__entrant__user=ada).kind == "half_bye"

    def test_a_bye_in_the_last_round_is_refused(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        assert code(entries.ask_bye, four[0], tournament.pk, 3, command()) == "bye-too-late"

    def test_a_bye_that_fewer_rounds_take_is_told_and_given_back(
        self, ulno: User, four: list[User], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[str] = []
        listener = (lambda _tournament, user: told.append(user.username),)
        monkeypatch.setattr(signals.terms_changed, "listeners", listener)
        tournament = entered(ulno, four, rounds=7)
        ada, bo = four[:2]
        entries.ask_bye(ada, tournament.pk, 5, command())
        entries.ask_bye(bo, tournament.pk, 2, command())
        organising.start(ulno, tournament.pk, command())
        assert told == ["Ada"]
        entries.ask_bye(ada, tournament.pk, 2, command())
        assert code(entries.ask_bye, bo, tournament.pk, 1, command()) == "no-byes"
        tournament.refresh_from_db()
        assert tournaments.lost_byes(tournament.entrants.get(user=ada), tournament) == []

    def test_a_change_that_takes_a_bye_is_told(
        self, ulno: User, four: list[User], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[str] = []
        listener = (lambda _tournament, user: told.append(user.username),)
        monkeypatch.setattr(signals.terms_changed, "listeners", listener)
        tournament = entered(ulno, four, rounds=7)
        entries.ask_bye(four[0], tournament.pk, 5, command())
        organising.change(ulno, tournament.pk, changes(rounds=5), command())
        assert told == ["Ada"]

    def test_the_page_says_which_byes_are_given(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, four, rounds=7, half_byes=2)
        for number in (2, 5):
            entries.ask_bye(four[0], tournament.pk, number, command())
        organising.start(ulno, tournament.pk, command())
        browser = Client()
        browser.force_login(four[0], backend="lobby.auth.backends.PasswordBackend")
        page = browser.get(f"/tournament/{tournament.pk}")
        told = (page.context["my_byes"], page.context["lost_byes"], page.context["bye_rounds"])
        assert told == ([2], [5], [1])

    def test_a_deleted_account_leaves(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, four)
        deletion.forget(four[0].pk)
        assert tournament.entrants.get(user=four[0]).withdrawn is not None
        deletion.forget(ulno.pk)
        tournament.refresh_from_db()
        assert tournament.state == State.CANCELLED


class TestStarting:
    def test_players_are_seeded_by_rating_then_by_entry(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, four)
        Entrant.objects.filter(user=four[2]).update(rating=1800)
        organising.start(ulno, tournament.pk, command())
        order = tournament.entrants.order_by("seed").values_list("user__username", flat=True)
        assert list(order) == ["Cleo", "Ada", "Bo", "Dan"]

    def test_starting_twice_is_starting_once(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, four)
        began = organising.start(ulno, tournament.pk, command()).began
        assert organising.start(ulno, tournament.pk, command()).began == began

    def test_start_without_withdrawn_players(self, ulno: User, four: list[User]) -> None:
        tournament = entered(ulno, four)
        entries.withdraw(four[0], tournament.pk, command())
        organising.start(ulno, tournament.pk, command())
        assert len(sheet.read(tournament).players) == 3

    def test_start_with_too_few_players_refused(self, ulno: User) -> None:
        tournament = organising.create(ulno, plan(), command())
        with pytest.raises(TooFewPlayers):
            organising.start(ulno, tournament.pk, command())
        tournament.refresh_from_db()
        assert tournament.state == State.OPEN

    def test_a_command_enters_one_tournament(self, ulno: User, artjom: User, settings: Any) -> None:
        settings.TOURNAMENTS_PER_PERSON = 2
        first, second = (organising.create(ulno, plan(), command()) for _ in range(2))
        once = command()
        entries.enter(artjom, first.pk, "", once)
        assert code(entries.enter, artjom, second.pk, "", once) == "command-used"


class TestDeciding:
    def test_a_table_is_decided_once_with_a_reason(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        once = command()
        for _ in range(2):
            organising.decide(ulno, tournament.pk, 1, 1, [1, 0], "Phone broke", once)
        assert (
            code(organising.decide, ulno, tournament.pk, 1, 1, [0, 1], "Phone broke", once) == "command-used"
        )
        pairing = Pairing.objects.get(round=1, table=1)
        assert [seat.points for seat in pairing.seats.order_by("seat")] == [1, 0]
        assert pairing.why == "Phone broke"
        entry = AuditEntry.objects.get(action="tournament-decide")
        assert entry.details == {"round": 1, "table": 1, "points": [1, 0], "why": "Phone broke"}

    def test_decided_table_match_counts_no_more(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        match = matches_of(tournament)[0]
        organising.decide(ulno, tournament.pk, 1, 1, [0, 1], "Late", command())
        win(match, 0)
        assert sheet.read(tournament).pairings[0].points == (0, 1)

    def test_an_annulled_table_counts_as_never_paired(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        organising.decide(ulno, tournament.pk, 1, 1, None, "Wrong board", command())
        told = sheet.read(tournament).pairings[0]
        assert (told.kind, told.points, told.open) == ("void", None, False)

    @pytest.mark.parametrize("given", [[1], [1, 1], [2, -1], [1, 0, 0]])
    def test_points_that_cannot_be(self, ulno: User, four: list[User], given: list[float]) -> None:
        tournament = begun(ulno, four)
        assert code(organising.decide, ulno, tournament.pk, 1, 1, given, "So", command()) == "bad-points"

    def test_past_rounds_stay(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        play_round(tournament)
        look(tournament)
        again = (ulno, tournament.pk, 1, 1, [0, 1], "Sorry", command())
        assert code(organising.decide, *again) == "round-over"
        assert code(organising.decide, ulno, tournament.pk, 9, 1, [0, 1], "", command()) == "unknown-table"

    def test_cancelling_annuls_what_is_open(self, ulno: User, four: list[User]) -> None:
        tournament = begun(ulno, four)
        win(matches_of(tournament)[0])
        organising.cancel(ulno, tournament.pk, "Fire", command())
        kinds = list(Pairing.objects.order_by("table").values_list("kind", flat=True))
        assert kinds == ["played", "void"]
        assert Match.objects.count() == 2

    def test_a_moderator_cancels_with_an_entry_in_the_log(self, ulno: User, four: list[User]) -> None:
        tournament = begun(four[0], four)
        moderation.cancel_tournament(ulno, tournament, "A name that insults")
        tournament.refresh_from_db()
        assert tournament.state == State.CANCELLED
        entry = LogEntry.objects.get(user=ulno)
        assert entry.change_message == "Tournament cancelled. Reason: A name that insults"
        assert code(moderation.cancel_tournament, ulno, tournament, "Again") == "tournament-over"


def players_of_round(tournament: Tournament, round: int) -> set[int]:
    seats = Pairing.objects.filter(tournament=tournament, round=round)
    return set(seats.values_list("seats__entrant__user", flat=True))


def points(tournament: Tournament) -> dict[int, float]:
    return {standing.player: standing.points for standing in sheet.read(tournament).standings()}


def test_programs_send_every_field_of_a_plan():
    chosen = {field.name for field in fields(Plan)} - {"title", "club_id", "chat"}
    sent = chosen | {"id", "name", "club", "preset"}
    bodies = (TournamentBody.model_fields, TournamentChanges.model_fields)
    assert all(body.keys() == sent for body in bodies)
    required = [{name for name, field in body.items() if field.is_required()} for body in bodies]
    assert required == [{"id", "name", "game", "format"}, {"id"}]
