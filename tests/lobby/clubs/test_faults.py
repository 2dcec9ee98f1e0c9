"""Faults that members of clubs have reported for years, each with the rule that prevents it here."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.domain.refusals import Refused
from lobby.accounts import deletion
from lobby.clubs import announcements, clubs, lookup, members
from lobby.clubs import notices as club_notices
from lobby.clubs.models import Announcement, Club, JoinRequest, Membership
from lobby.clubs.refusals import NotMember, UnknownClub
from lobby.feed import lobby_feed
from lobby.moderation import moderation
from lobby.notices.models import Device
from lobby.people.models import User
from lobby.tables import tables
from lobby.tables.models import Chair, Table
from lobby.tables.refusals import InvitedOnly
from lobby.tournaments import entries, organising, tournaments
from lobby.webhooks.models import Hook
from tests.helpers.clubs import Role, club_of, roles
from tests.helpers.tournaments import CIRCLE, begun, command, people, plan
from tests.helpers.two_at_once import meanwhile

pytestmark = pytest.mark.django_db


@pytest.fixture
def five() -> list[User]:
    return people("Ada Bo Cleo Dan Eve")


def code(function: Any, *arguments: Any) -> str:
    """The code with which something is refused, which changes nobody's role."""
    before = list(Membership.objects.order_by("pk").values_list("club", "user", "role"))
    with pytest.raises(Refused) as caught:
        function(*arguments)
    assert caught.value.words
    assert list(Membership.objects.order_by("pk").values_list("club", "user", "role")) == before
    return caught.value.code


def with_device(user: User) -> Hook:
    hook = Hook.objects.create(user=user, url="https://push.example/1", events=["notice"], secret="s" * 32)
    Device.objects.create(hook=hook, name="Phone", p256dh="key", auth="secret")
    return hook


def told(*hooks: Hook) -> list[int]:
    """How many notifications each device has got."""
    return [hook.deliveries.count() for hook in hooks]


class TestFault21TheLastOwnerGoes:
    def test_an_owner_hands_over_before_leaving(self, five: list[User]) -> None:
        ada, bo, *_ = five
        club = club_of(ada, bo)
        assert code(members.leave, ada, club.pk, command()) == "hand-over-first"
        members.offer(ada, club.pk, "Bo", command())
        members.take_over(bo, club.pk, command())
        assert roles(club) == {"Bo": Role.OWNER, "Ada": Role.ORGANISER}
        members.leave(ada, club.pk, command())
        assert roles(club) == {"Bo": Role.OWNER}

    @pytest.mark.parametrize("goes", [deletion.forget, lambda pk: banned(pk)], ids=["deleted", "banned"])
    def test_the_longest_serving_organiser_inherits(self, five: list[User], goes: Any) -> None:
        ada, bo, cleo, dan, eve = five
        club = club_of(ada, bo, organisers=(dan, cleo))
        members.join(eve, club.pk, command())
        goes(ada.pk)
        assert roles(club) == {
            "Dan": Role.OWNER,
            "Cleo": Role.ORGANISER,
            "Bo": Role.MEMBER,
            "Eve": Role.MEMBER,
        }

    def test_ownership_passes_to_longest_member_without_organisers(self, five: list[User]) -> None:
        ada, bo, cleo, *_ = five
        club = club_of(ada, cleo, bo)
        deletion.forget(ada.pk)
        assert roles(club) == {"Cleo": Role.OWNER, "Bo": Role.MEMBER}

    def test_ownership_skips_banned_members_and_bots(self, five: list[User]) -> None:
        ada, bo, cleo, dan, _eve = five
        User.objects.filter(pk=bo.pk).update(is_bot=True)
        club = club_of(ada, bo, cleo, dan)
        banned(cleo.pk)
        banned(ada.pk)
        assert roles(club) == {"Dan": Role.OWNER, "Bo": Role.MEMBER}

    def test_a_club_without_heirs_is_dissolved(self, five: list[User]) -> None:
        club = club_of(five[0])
        deletion.forget(five[0].pk)
        assert not Club.objects.filter(pk=club.pk).exists()

    def test_ownership_offer_above_limit_refused(self, five: list[User], settings: Any) -> None:
        settings.CLUBS_PER_OWNER = 1
        ada, bo, *_ = five
        club = club_of(ada, bo)
        club_of(bo, name="Bo’s own")
        assert code(members.offer, ada, club.pk, "Bo", command()) == "their-limit"

    def test_new_owner_has_accepted(self, five: list[User]) -> None:
        ada, bo, cleo, *_ = five
        hook, club = with_device(bo), club_of(ada, bo, cleo)
        for _ in range(3):
            members.offer(ada, club.pk, "Bo", command())
        assert told(hook) == [1]
        assert lookup.owner(club) == ada
        assert code(members.take_over, cleo, club.pk, command()) == "not-offered"
        members.end_offer(bo, club.pk, command())
        assert code(members.take_over, bo, club.pk, command()) == "not-offered"
        members.offer(ada, club.pk, "Bo", command())
        members.offer(ada, club.pk, "Cleo", command())
        assert code(members.take_over, bo, club.pk, command()) == "not-offered"
        members.take_over(cleo, club.pk, command())
        assert roles(club) == {"Cleo": Role.OWNER, "Ada": Role.ORGANISER, "Bo": Role.MEMBER}

    def test_offer_ends_when_somebody_else_owns_the_club(self, five: list[User]) -> None:
        ada, bo, cleo, *_ = five
        club = club_of(ada, bo, organisers=(cleo,))
        members.offer(ada, club.pk, "Bo", command())
        deletion.forget(ada.pk)
        assert lookup.owner(club) == cleo
        assert code(members.take_over, bo, club.pk, command()) == "not-offered"

    def test_member_accepts_a_club_on_its_page(self, five: list[User], client: Client) -> None:
        ada, bo, *_ = five
        club = club_of(ada, bo)
        members.offer(ada, club.pk, "Bo", command())
        client.force_login(bo, backend="lobby.auth.backends.PasswordBackend")
        page = client.get(club.get_absolute_url()).content.decode()
        assert "Ada wants to hand this club over to you." in page
        client.post(reverse("club-take-over", args=[club.slug]))
        assert lookup.owner(club) == bo


class TestFault22ANewOrganiserEmptiesTheClub:
    def test_member_action_on_equal_or_higher_role_refused(self, five: list[User]) -> None:
        ada, bo, cleo, dan, _eve = five
        club = club_of(ada, dan, organisers=(bo, cleo))
        for other in ("Ada", "Cleo", "Bo"):
            assert code(members.remove, bo, club.pk, other, "", command()) == "rank"
        assert code(members.remove, dan, club.pk, "Bo", "", command()) == "not-organiser"
        assert code(members.remove, ada, club.pk, "Ada", "", command()) == "rank"

    def test_only_the_owner_gives_roles(self, five: list[User]) -> None:
        ada, bo, cleo, *_ = five
        club = club_of(ada, cleo, organisers=(bo,))
        assert code(members.set_role, bo, club.pk, "Cleo", "organiser", command()) == "not-owner"
        assert code(members.offer, bo, club.pk, "Cleo", command()) == "not-owner"
        assert code(members.set_role, ada, club.pk, "Cleo", "owner", command()) == "bad-role"
        assert code(members.set_role, ada, club.pk, "Ada", "member", command()) == "rank"

    def test_removing_many_in_a_day_needs_the_owner(self, five: list[User], settings: Any) -> None:
        settings.CLUB_REMOVALS_PER_DAY = 1
        ada, bo, cleo, dan, eve = five
        club = club_of(ada, dan, eve, organisers=(bo, cleo))
        members.remove(bo, club.pk, "Dan", "", command())
        for organiser in (bo, cleo):
            assert code(members.remove, organiser, club.pk, "Eve", "", command()) == "owner-only"
        members.remove(ada, club.pk, "Eve", "", command())
        assert set(roles(club)) == {"Ada", "Bo", "Cleo"}


class TestFault23WhoLeftKeepsTheRole:
    @pytest.fixture
    def club(self, five: list[User]) -> Club:
        ada, bo, cleo, *_ = five
        return club_of(ada, cleo, organisers=(bo,), joining="request")

    def test_rights_end(self, five: list[User], club: Club) -> None:
        _ada, bo, _cleo, dan, _eve = five
        members.join(dan, club.pk, command())
        members.leave(bo, club.pk, command())
        assert code(members.remove, bo, club.pk, "Cleo", "", command()) == "not-member"
        assert code(members.answer, bo, club.pk, "Dan", True, command()) == "not-member"
        assert code(announcements.announce, bo, club.pk, "Hello", command()) == "not-member"

    def test_the_role_does_not_come_back(self, five: list[User], club: Club) -> None:
        _ada, bo, *_ = five
        members.leave(bo, club.pk, command())
        members.join(bo, club.pk, command(), club.token)
        assert roles(club)["Bo"] == Role.MEMBER

    def test_messages_to_the_organisers_end(self, five: list[User], club: Club) -> None:
        ada, bo, _cleo, dan, _eve = five
        hooks = [with_device(ada), with_device(bo)]
        members.join(dan, club.pk, command())
        members.leave(bo, club.pk, command())
        for asked in club_notices.take_requests(timezone.now(), 10):
            club_notices.request(asked)
        assert told(*hooks) == [1, 0]

    def test_announcements_end(self, five: list[User], club: Club) -> None:
        ada, bo, cleo, dan, _eve = five
        hooks = [with_device(bo), with_device(cleo), with_device(dan)]
        announcements.announce(ada, club.pk, "Games on Friday", command())
        members.leave(cleo, club.pk, command())
        for found in announcements.take(timezone.now(), 10):
            club_notices.announcement(found)
        assert told(*hooks) == [1, 0, 0]

    def test_the_limits_count_no_clubs_that_ended(self, five: list[User], settings: Any) -> None:
        settings.CLUBS_PER_PERSON = 1
        ada, bo, cleo, dan, _eve = five
        first, second = club_of(ada, bo, dan), club_of(cleo, name="Second club")
        assert code(members.join, bo, second.pk, command()) == "too-many-clubs"
        members.leave(bo, first.pk, command())
        members.join(bo, second.pk, command())
        members.remove(ada, first.pk, "Dan", "", command())
        members.join(dan, second.pk, command())
        assert set(roles(second)) == {"Cleo", "Bo", "Dan"}


class TestFault24ARemovedPersonJoinsAgain:
    @pytest.mark.parametrize("joining", Club.Joining.values)
    def test_a_removed_person_stays_out(self, five: list[User], joining: str) -> None:
        ada, bo, *_ = five
        club = club_of(ada, bo, joining=joining)
        members.remove(ada, club.pk, "Bo", "Rude", command())
        for token in ("", club.token):
            assert code(members.join, bo, club.pk, command(), token) == "removed"

    def test_an_organiser_lets_them_in_again(self, five: list[User]) -> None:
        ada, bo, cleo, *_ = five
        club = club_of(ada, bo, organisers=(cleo,))
        members.remove(ada, club.pk, "Bo", "", command())
        members.let_in(cleo, club.pk, "Bo", command())
        members.join(bo, club.pk, command())
        assert roles(club)["Bo"] == Role.MEMBER
        assert code(members.let_in, cleo, club.pk, "Bo", command()) == "not-removed"

    def test_a_removed_person_plays_on_in_no_tournament_of_the_club(self, five: list[User]) -> None:
        ada, bo, cleo, *_ = five
        club = club_of(ada, bo, cleo)
        cup = begun(ada, [ada, bo, cleo], club_id=club.pk)
        members.remove(ada, club.pk, "Bo", "", command())
        assert cup.entrants.get(user=bo).withdrawn is not None
        assert [each.user for each in tournaments.present(cup).order_by("pk")] == [ada, cleo]
        assert code(entries.enter, bo, cup.pk, "", command()) == "members-only"
        members.let_in(ada, club.pk, "Bo", command())
        assert code(entries.enter, bo, cup.pk, "", command()) == "members-only"

    def test_a_removed_person_sits_at_no_table_of_the_club(self, five: list[User]) -> None:
        ada, bo, *_ = five
        club = club_of(ada, bo)
        table = set_table(bo, club)
        members.remove(ada, club.pk, "Bo", "", command())
        assert not Table.objects.filter(pk=table.pk).exists()
        table = set_table(ada, club)
        assert code(tables.sit_down, bo, table.pk) == "invited-only"

    @pytest.mark.django_db(transaction=True)
    def test_member_leaving_concurrently_gets_no_seat(self) -> None:
        ada, bo = people("Ada Bo")
        club = club_of(ada, bo)
        table = set_table(ada, club)

        def leave() -> None:
            members.leave(bo, club.pk, command())

        refused = meanwhile(leave, lambda: set_table(bo, club))
        assert isinstance(refused, NotMember)
        members.join(bo, club.pk, command())
        refused = meanwhile(leave, lambda: tables.sit_down(bo, table.pk))
        assert isinstance(refused, InvitedOnly)
        assert list(Chair.objects.values_list("user", flat=True)) == [ada.pk]


class TestFault25RequestsAreLost:
    @pytest.fixture
    def club(self, five: list[User]) -> Club:
        ada, bo, *_ = five
        return club_of(ada, organisers=(bo,), joining="request")

    def test_a_request_reaches_every_organiser_and_the_owner(self, five: list[User], club: Club) -> None:
        ada, bo, cleo, dan, _eve = five
        members.join(cleo, club.pk, command(), club.token)
        hooks = [with_device(ada), with_device(bo), with_device(cleo)]
        members.join(dan, club.pk, command(), text="May I?")
        for asked in club_notices.take_requests(timezone.now(), 10):
            club_notices.request(asked)
        assert told(*hooks) == [1, 1, 0]

    def test_a_muted_person_asks_without_words(self, five: list[User], club: Club) -> None:
        dan = five[3]
        moderation.mute(five[4], dan, "Insults", timezone.now() + timedelta(days=1))
        assert code(members.join, dan, club.pk, command(), "", "Insults") == "muted"
        assert not JoinRequest.objects.exists()
        members.join(dan, club.pk, command(), text=" ")
        assert JoinRequest.objects.get().text == ""

    @pytest.mark.django_db(transaction=True)
    def test_notice_failure_does_not_delay_others(
        self, five: list[User], club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        ada, bo, cleo, dan, _eve = five
        said: list[str] = []

        def tell(user_id: int, _id: str, _path: str, words: Any, _now: Any) -> None:
            text = words()[1]
            if text == "Fails":
                raise ValueError
            said.append(text)

        monkeypatch.setattr(club_notices, "tell", tell)
        with_device(bo)
        members.join(cleo, club.pk, command(), text="Fails")
        members.join(dan, club.pk, command(), text="May I?")
        for text in ("Fails", "Friday at eight"):
            announcements.announce(ada, club.pk, text, command())
        for _ in range(2):
            async_to_sync(club_notices.tell_clubs)()
        assert said == ["May I?", "May I?", "Friday at eight"]
        assert len(caplog.records) == 2
        # It is tried again, but not for ever.
        failed = Announcement.objects.get(text="Fails")
        assert announcements.take(timezone.now() + announcements.LEASE, 10) == [failed]
        Announcement.objects.update(created=timezone.now() - announcements.TRIED)
        Announcement.objects.filter(pk=failed.pk).update(due=timezone.now())
        async_to_sync(club_notices.tell_clubs)()
        assert not Announcement.objects.filter(due__isnull=False).exists()

    def test_request_listed_until_answered(self, five: list[User], club: Club) -> None:
        ada, bo, _cleo, dan, _eve = five
        members.join(dan, club.pk, command())
        for organiser in (ada, bo):
            assert lookup.waiting_for(organiser.pk) == {club.pk: 1}
        members.leave(bo, club.pk, command())
        assert lookup.waiting_for(ada.pk) == {club.pk: 1}
        members.answer(ada, club.pk, "Dan", True, command())
        assert lookup.waiting_for(ada.pk) == {club.pk: 0}
        assert roles(club)["Dan"] == Role.MEMBER

    def test_organisers_are_reminded_and_no_process_does_it_twice(self, five: list[User], club: Club) -> None:
        members.join(five[3], club.pk, command())
        now = timezone.now()
        assert len(club_notices.take_requests(now, 10)) == 1
        assert club_notices.take_requests(now, 10) == []
        assert club_notices.take_requests(now + club_notices.REMIND - timedelta(minutes=1), 10) == []
        assert len(club_notices.take_requests(now + club_notices.REMIND, 10)) == 1
        assert JoinRequest.objects.count() == 1

    def test_a_club_of_one_game_lists_tables_of_this_game_only(self, five: list[User]) -> None:
        ada, bo, *_ = five
        club = club_of(ada, bo, name="Sowers", games=["kalah"])
        other = club_of(ada, name="Climbers", games=["cantstop"])
        table = set_table(bo, club)
        assert list(lobby_feed.tables_for(club)) == [table]
        assert list(lobby_feed.tables_for(other)) == []
        assert code(set_table, ada, other) == "club-game"
        assert code(organising.create, ada, plan(club_id=other.pk), command()) == "club-game"
        club = clubs.change(ada, club.pk, clubs.Charter("Sowers", games=["morris"]), command())
        assert list(lobby_feed.tables_for(club)) == []


def set_table(host: User, club: Club) -> Table:
    return tables.set_table(host, "kalah", CIRCLE, 2, "lot", club_id=club.pk)


def banned(user_id: int) -> None:
    moderator = User.objects.filter(username="Moderator").first() or User.objects.create_user("Moderator")
    moderation.ban(moderator, User.objects.get(pk=user_id), "Insults")


class TestCommands:
    def test_a_command_acts_once(self, five: list[User]) -> None:
        ada, bo, *_ = five
        once = command()
        charter = clubs.Charter("Harbour club")
        club = clubs.found(ada, charter, once)
        assert clubs.found(ada, charter, once) == club
        again = command()
        for _ in range(2):
            members.join(bo, club.pk, again)
        assert set(roles(club)) == {"Ada", "Bo"}
        gone = command()
        for _ in range(2):
            clubs.dissolve(ada, club.pk, gone)
        assert not Club.objects.exists()

    def test_a_command_of_one_club_is_refused_at_another(self, five: list[User]) -> None:
        ada, bo, *_ = five
        first, second = club_of(ada), club_of(ada, name="Second club")
        once = command()
        members.join(bo, first.pk, once)
        assert code(members.join, bo, second.pk, once) == "command-used"
        assert code(members.leave, bo, first.pk, once) == "command-used"


class TestClubTablesAndTournaments:
    def test_members_sit_down_and_nobody_else(self, five: list[User]) -> None:
        ada, bo, cleo, *_ = five
        club = club_of(ada, bo)
        table = set_table(ada, club)
        assert not table.listed
        assert code(tables.sit_down, cleo, table.pk) == "invited-only"
        assert tables.sit_down(bo, table.pk).match is not None
        assert code(set_table, cleo, club) == "not-member"

    def test_organisers_create_tournaments_for_members(self, five: list[User]) -> None:
        ada, bo, cleo, dan, _eve = five
        club = club_of(ada, bo, organisers=(cleo,))
        assert code(organising.create, bo, plan(club_id=club.pk), command()) == "not-organiser"
        assert code(organising.create, cleo, plan(club_id="nothing"), command()) == "unknown-club"
        cup = organising.create(cleo, plan(club_id=club.pk), command())
        entries.enter(bo, cup.pk, "", command())
        assert code(entries.enter, dan, cup.pk, "", command()) == "members-only"

    @pytest.mark.django_db(transaction=True)
    def test_a_club_that_is_dissolved_at_this_moment_gets_no_tournament(self) -> None:
        (ada,) = people("Ada")
        club = club_of(ada)
        refused = meanwhile(
            lambda: clubs.dissolve(ada, club.pk, command()),
            lambda: organising.create(ada, plan(club_id=club.pk), command()),
        )
        assert isinstance(refused, UnknownClub)
        club = club_of(ada)
        cup = organising.create(ada, plan(), command())
        refused = meanwhile(
            lambda: clubs.dissolve(ada, club.pk, command()),
            lambda: organising.change(ada, cup.pk, plan(club_id=club.pk), command()),
        )
        assert isinstance(refused, UnknownClub)

    def test_a_dissolved_club_takes_its_open_tournaments_along(self, five: list[User]) -> None:
        ada, bo, cleo, dan, _eve = five
        club = club_of(ada, bo, cleo)
        running = begun(ada, [ada, bo, cleo], club_id=club.pk)
        waiting = organising.create(ada, plan(club_id=club.pk), command())
        clubs.dissolve(ada, club.pk, command())
        waiting.refresh_from_db()
        assert waiting.state == waiting.State.CANCELLED
        assert code(entries.enter, dan, running.pk, "", command()) == "no-late-entry"
