"""Team battles: who invites, who answers, who enters for which club, and how clubs fare to the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from games.domain.refusals import Refused
from games.models import Match
from lobby.clubs import clubs, members
from lobby.clubs.models import Club
from lobby.commands.models import AuditEntry
from lobby.notices.models import Device
from lobby.people import relationships
from lobby.people.models import User
from lobby.tournaments import entries, invitations, organising, pairings, sheet, teams
from lobby.tournaments.formats.base import TooFewClubs
from lobby.tournaments.models import Entrant, Team, Tournament
from lobby.webhooks.models import Hook
from tests.helpers.clubs import club_of
from tests.helpers.samples import sample
from tests.helpers.tournaments import changes, command, look, people, plan, win

pytestmark = pytest.mark.django_db
State = Tournament.State


class Battle:
    """A team battle of the clubs Harbour and Garden: each has an owner, an organiser and two members."""

    def __init__(self) -> None:
        self.harbour_people, self.garden_people = people("Ada Bo Cleo Dan"), people("Eve Flo Gil Hal")
        self.outsider = User.objects.create_user("Ida")
        self.harbour, self.garden = (
            club_of(owner, *others, organisers=(organiser,), name=name)
            for name, (owner, organiser, *others) in (
                ("Harbour", self.harbour_people),
                ("Garden", self.garden_people),
            )
        )
        self.organiser = self.harbour_people[1]
        self.tournament = organising.create(
            self.organiser, plan("team_battle", club_id=self.harbour.pk, team_size=2), command()
        )

    def invite(self, club: Club | None = None) -> None:
        invitations.invite(self.organiser, self.tournament.pk, (club or self.garden).pk, command())

    def accept(self, accepted: bool = True) -> None:
        leader, garden = self.garden_people[1], self.garden
        invitations.answer(leader, self.tournament.pk, garden.pk, accepted, command())

    def enter(self, *users: User, club: str = "") -> None:
        for user in users:
            entries.enter(user, self.tournament.pk, "", command(), club=club)

    def begin(self) -> Tournament:
        """Everybody enters, and it begins."""
        self.invite()
        self.accept()
        self.enter(*self.harbour_people, *self.garden_people)
        organising.start(self.organiser, self.tournament.pk, command())
        return self.look()

    def look(self, later: timedelta = timedelta()) -> Tournament:
        self.tournament = look(self.tournament, [*self.harbour_people, *self.garden_people], later)
        return self.tournament

    def states(self) -> dict[str, str]:
        return {team.name: team.state for team in teams.of(self.tournament)}

    def players(self) -> dict[str, list[str]]:
        """The names of those who are in, by club."""
        there = self.tournament.entrants.filter(withdrawn=None).order_by("pk").select_related("team", "user")
        found: dict[str, list[str]] = {}
        for entrant in there:
            assert entrant.team is not None
            found.setdefault(entrant.team.name, []).append(entrant.user.username)
        return found


@pytest.fixture
def battle(db: None) -> Battle:
    return Battle()


def code(function: Callable[..., Any], *arguments: Any, **named: Any) -> str:
    """The code with which something is refused, which changes nothing."""

    def rows() -> tuple[Any, ...]:
        clubs_there = list(Team.objects.order_by("pk").values_list("pk", "state"))
        return AuditEntry.objects.count(), Entrant.objects.count(), clubs_there

    before = rows()
    with pytest.raises(Refused) as caught:
        function(*arguments, **named)
    assert caught.value.words
    assert rows() == before
    return caught.value.code


class TestInvitations:
    def test_organising_club_takes_part_from_the_beginning(self, battle: Battle) -> None:
        assert battle.states() == {"Harbour": "accepted"}
        battle.invite()
        assert battle.states() == {"Harbour": "accepted", "Garden": "invited"}
        battle.accept()
        assert battle.states() == {"Harbour": "accepted", "Garden": "accepted"}

    @pytest.mark.parametrize(
        ("who", "refusal"),
        [
            ("plain member", "not-organiser"),
            ("leader of the other club", "not-member"),
            ("outsider", "not-member"),
        ],
    )
    def test_only_leaders_of_the_organising_club_invite(self, battle: Battle, who: str, refusal: str) -> None:
        user = {
            "plain member": battle.harbour_people[2],
            "leader of the other club": battle.garden_people[0],
            "outsider": battle.outsider,
        }[who]
        where = battle.tournament.pk, battle.garden.pk
        assert code(invitations.invite, user, *where, command()) == refusal
        assert invitations.why_not_invite(user, battle.tournament) is not None
        battle.invite()
        assert code(invitations.uninvite, user, *where, command()) == refusal
        # Any leader of the club invites, not only who organises it.
        invitations.uninvite(battle.harbour_people[0], *where, command())

    @pytest.mark.parametrize(
        ("who", "refusal"),
        [
            ("plain member", "not-organiser"),
            ("leader of the organising club", "not-member"),
            ("outsider", "not-member"),
        ],
    )
    def test_only_leaders_of_the_invited_club_answer(self, battle: Battle, who: str, refusal: str) -> None:
        user = {
            "plain member": battle.garden_people[2],
            "leader of the organising club": battle.organiser,
            "outsider": battle.outsider,
        }[who]
        battle.invite()
        where = battle.tournament.pk, battle.garden.pk
        for accepted in (True, False):
            assert code(invitations.answer, user, *where, accepted, command()) == refusal

    def test_an_invitation_is_told_once_to_every_leader(self, battle: Battle) -> None:
        hooks = [self.device(user) for user in (*battle.garden_people, *battle.harbour_people)]
        once = command()
        for _ in range(2):
            invitations.invite(battle.organiser, battle.tournament.pk, battle.garden.pk, once)
        assert [hook.deliveries.count() for hook in hooks] == [1, 1, 0, 0, 0, 0, 0, 0]
        battle.accept()
        assert [hook.deliveries.count() for hook in hooks] == [1, 1, 0, 0, 0, 1, 0, 0]
        # Nobody is asked again and again.
        invitations.uninvite(battle.organiser, battle.tournament.pk, battle.garden.pk, command())
        battle.invite()
        again = organising.create(
            battle.organiser, plan("team_battle", club_id=battle.harbour.pk, team_size=2), command()
        )
        invitations.invite(battle.organiser, again.pk, battle.garden.pk, command())
        for accepted in (False, True, False, True):
            invitations.answer(battle.garden_people[1], again.pk, battle.garden.pk, accepted, command())
        assert [hook.deliveries.count() for hook in hooks[:2]] == [1, 1]
        # One of the first tournament, one that the club takes part, one that it does not.
        assert hooks[5].deliveries.count() == 3

    def test_a_leader_hears_nothing_from_somebody_blocked(self, battle: Battle) -> None:
        hook = self.device(battle.garden_people[0])
        relationships.block(battle.garden_people[0], battle.organiser)
        battle.invite()
        assert not hook.deliveries.exists()

    def device(self, user: User) -> Hook:
        hook = Hook.objects.create(
            user=user, url="https://push.example/1", events=["notice"], secret="s" * 32
        )
        Device.objects.create(hook=hook, name="Phone", p256dh="key", auth="secret")
        return hook

    def test_what_cannot_be_invited(self, battle: Battle) -> None:
        organiser, cup = battle.organiser, battle.tournament.pk
        battle.invite()
        assert code(invitations.invite, organiser, cup, battle.garden.pk, command()) == "already-invited"
        assert code(invitations.invite, organiser, cup, battle.harbour.pk, command()) == "already-invited"
        assert code(invitations.invite, organiser, cup, "nothing", command()) == "unknown-club"
        other = club_of(battle.outsider, name="Morris club", games=["morris"])
        assert code(invitations.invite, organiser, cup, other.pk, command()) == "club-game"
        assert code(invitations.uninvite, organiser, cup, other.pk, command()) == "not-invited"
        assert code(invitations.uninvite, organiser, cup, battle.harbour.pk, command()) == "own-club"
        answer = (organiser, cup, battle.harbour.pk, False, command())
        assert code(invitations.answer, *answer) == "own-club"

    def test_only_so_many_clubs(self, battle: Battle, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(invitations, "MOST_CLUBS", {"team_battle": 2})
        battle.invite()
        other = club_of(battle.outsider, name="Third club")
        invite = (invitations.invite, battle.organiser, battle.tournament.pk, other.pk)
        assert code(*invite, command()) == "too-many-teams"
        battle.accept(False)
        battle.invite(other)
        # Who has declined may think again while there is room.
        answer = (battle.garden_people[0], battle.tournament.pk, battle.garden.pk, True)
        assert code(invitations.answer, *answer, command()) == "too-many-teams"

    def test_nothing_changes_after_the_start(self, battle: Battle) -> None:
        battle.begin()
        cup = battle.tournament.pk
        other = club_of(battle.outsider, name="Third club")
        assert code(invitations.invite, battle.organiser, cup, other.pk, command()) == "started"
        assert code(invitations.uninvite, battle.organiser, cup, battle.garden.pk, command()) == "started"
        answer = (battle.garden_people[0], cup, battle.garden.pk, False)
        assert code(invitations.answer, *answer, command()) == "started"

    def test_other_tournaments_have_no_invitations(self, battle: Battle) -> None:
        arena = organising.create(battle.organiser, plan("arena", club_id=battle.harbour.pk), command())
        invite = (battle.organiser, arena.pk, battle.garden.pk)
        assert code(invitations.invite, *invite, command()) == "not-of-clubs"

    @pytest.mark.parametrize(
        ("columns", "refusal"),
        [
            ({"club_id": None}, "club-needed"),
            ({"team_size": 0}, "bad-team-size"),
            ({"team_size": 31}, "bad-team-size"),
        ],
    )
    def test_a_plan_that_cannot_be(self, battle: Battle, columns: dict[str, Any], refusal: str) -> None:
        usual = {"club_id": battle.harbour.pk, "team_size": 2}
        wrong = plan("team_battle", **{**usual, **columns})
        assert code(organising.create, battle.organiser, wrong, command()) == refusal

    def test_format_and_club_stay(self, battle: Battle) -> None:
        change = (organising.change, battle.organiser, battle.tournament.pk)
        assert code(*change, changes(format="arena"), command()) == "format-fixed"
        other = club_of(battle.organiser, name="Third club")
        assert code(*change, changes(club=other.pk), command()) == "format-fixed"
        organising.change(battle.organiser, battle.tournament.pk, changes(team_size=3), command())
        arena = organising.create(battle.organiser, plan("arena", club_id=battle.harbour.pk), command())
        battle_now = changes(format="team_battle", team_size=2)
        assert code(organising.change, battle.organiser, arena.pk, battle_now, command()) == "format-fixed"


class TestEntries:
    def test_members_enter_for_their_club(self, battle: Battle) -> None:
        battle.invite()
        battle.enter(battle.harbour_people[2])
        garden = battle.garden_people[2]
        enter = (entries.enter, garden, battle.tournament.pk, "")
        assert code(*enter, command()) == "clubs-only"
        assert entries.why_not(garden, battle.tournament) is not None
        battle.accept()
        battle.enter(garden)
        assert battle.players() == {"Harbour": ["Cleo"], "Garden": ["Gil"]}
        assert code(entries.enter, battle.outsider, battle.tournament.pk, "", command()) == "clubs-only"

    def test_a_member_of_several_clubs_chooses(self, battle: Battle) -> None:
        cleo = battle.harbour_people[2]
        members.join(cleo, battle.garden.pk, command(), battle.garden.token)
        battle.invite()
        battle.accept()
        assert code(entries.enter, cleo, battle.tournament.pk, "", command()) == "choose-club"
        other = club_of(battle.outsider, name="Third club")
        enter = (entries.enter, cleo, battle.tournament.pk, "")
        assert code(*enter, command(), club=other.pk) == "clubs-only"
        battle.enter(cleo, club=battle.garden.pk)
        assert battle.players() == {"Garden": ["Cleo"]}
        # Until the start they may change their mind.
        entries.withdraw(cleo, battle.tournament.pk, command())
        battle.enter(cleo, club=battle.harbour.pk)
        assert battle.players() == {"Harbour": ["Cleo"]}

    def test_who_comes_back_plays_for_the_same_club(self, battle: Battle) -> None:
        cleo = battle.harbour_people[2]
        members.join(cleo, battle.garden.pk, command(), battle.garden.token)
        battle.invite()
        battle.accept()
        battle.enter(cleo, club=battle.harbour.pk)
        battle.enter(*battle.garden_people)
        organising.start(battle.organiser, battle.tournament.pk, command())
        entries.withdraw(cleo, battle.tournament.pk, command())
        enter = (entries.enter, cleo, battle.tournament.pk, "")
        assert code(*enter, command(), club=battle.garden.pk) == "clubs-only"
        battle.enter(cleo)
        assert battle.players()["Harbour"] == ["Cleo"]

    @pytest.mark.parametrize("how", ["declined", "invitation taken back", "dissolved"])
    def test_players_of_a_club_that_is_out_are_out(self, battle: Battle, how: str) -> None:
        battle.invite()
        battle.accept()
        battle.enter(battle.harbour_people[2], *battle.garden_people[2:])
        if how == "declined":
            battle.accept(False)
        elif how == "dissolved":
            clubs.dissolve(battle.garden_people[0], battle.garden.pk, command())
        else:
            invitations.uninvite(battle.organiser, battle.tournament.pk, battle.garden.pk, command())
        assert battle.players() == {"Harbour": ["Cleo"]}
        assert battle.states().get("Garden", "declined") == "declined"

    def test_who_leaves_the_club_leaves_the_battle(self, battle: Battle) -> None:
        battle.begin()
        members.leave(battle.garden_people[2], battle.garden.pk, command())
        members.leave(battle.harbour_people[2], battle.harbour.pk, command())
        assert battle.players() == {"Harbour": ["Ada", "Bo", "Dan"], "Garden": ["Eve", "Flo", "Hal"]}

    def test_who_leaves_another_club_plays_on(self, battle: Battle) -> None:
        cleo = battle.harbour_people[2]
        members.join(cleo, battle.garden.pk, command(), battle.garden.token)
        battle.invite()
        battle.accept()
        battle.enter(cleo, club=battle.garden.pk)
        members.leave(cleo, battle.harbour.pk, command())
        assert battle.players() == {"Garden": ["Cleo"]}

    def test_start_with_one_club_refused(self, battle: Battle) -> None:
        battle.enter(*battle.harbour_people)
        with pytest.raises(TooFewClubs):
            organising.start(battle.organiser, battle.tournament.pk, command())


class TestPlaying:
    def test_only_players_of_other_clubs_meet(self, battle: Battle) -> None:
        battle.begin()
        for pairing in pairings.undecided(battle.tournament):
            assert len({entrant.team_id for entrant in pairings.players(pairing)}) == 2

    def test_the_best_of_each_club_count(self, battle: Battle) -> None:
        tournament = battle.begin()
        for pairing in pairings.undecided(tournament):
            assert pairing.match is not None
            harbour = [
                entrant.team.name == "Harbour" for entrant in pairings.players(pairing) if entrant.team
            ]
            win(pairing.match, harbour.index(True))
        known = sheet.read(battle.look())
        found = known.team_standings(known.standings())
        assert [(line.rank, line.points, line.players) for line in found] == [(1, 4, 4), (2, 0, 4)]
        assert [len(line.counted) for line in found] == [2, 2]

    def test_a_club_that_is_dissolved_meanwhile_keeps_its_name(self, battle: Battle) -> None:
        battle.begin()
        clubs.change(battle.garden_people[0], battle.garden.pk, clubs.Charter("Green garden"), command())
        clubs.dissolve(battle.garden_people[0], battle.garden.pk, command())
        assert [team.get_name() for team in teams.of(battle.tournament)] == ["Harbour", "Green garden"]
        assert len(battle.players()["Green garden"]) == 4
        gil = battle.garden_people[2]
        entries.withdraw(gil, battle.tournament.pk, command())
        assert code(entries.enter, gil, battle.tournament.pk, "", command()) == "clubs-only"

    def test_places_are_stored_at_the_end(self, battle: Battle) -> None:
        self.to_the_end(battle)
        call_command("verify_tournament", battle.tournament.pk)
        stored = teams.of(battle.tournament).values_list("rank", flat=True)
        assert sorted(stored) in ([1, 1], [1, 2])

    def to_the_end(self, battle: Battle) -> None:
        battle.begin()
        for pairing in pairings.undecided(battle.tournament):
            assert pairing.match is not None
            win(pairing.match)
        assert battle.look(timedelta(hours=2)).state == State.FINISHED
        sheet.read(battle.tournament)

    @pytest.mark.parametrize("what", ["place", "club"])
    def test_verification_finds_what_does_not_follow(self, battle: Battle, what: str) -> None:
        self.to_the_end(battle)
        garden = teams.of(battle.tournament).get(name="Garden")
        if what == "place":
            Team.objects.filter(pk=garden.pk).update(points=99)
        else:
            Entrant.objects.filter(user=battle.harbour_people[0]).update(team=garden)
        with pytest.raises(CommandError, match=r"places of the clubs|players of one club"):
            call_command("verify_tournament", battle.tournament.pk)


class TestPages:
    def page(self, battle: Battle, user: User | None, name: str = "tournament") -> str:
        browser = Client()
        if user is not None:
            browser.force_login(user, backend="lobby.auth.backends.PasswordBackend")
        answer = browser.get(reverse(name, args=[battle.tournament.pk]))
        assert answer.status_code == 200
        return answer.content.decode()

    def post(self, battle: Battle, user: User, act: str, **values: str) -> str:
        browser = Client()
        browser.force_login(user, backend="lobby.auth.backends.PasswordBackend")
        where = reverse(f"tournament-{act}", args=[battle.tournament.pk])
        return browser.post(where, {"key": command(), **values}, follow=True).content.decode()

    @pytest.mark.parametrize("format", ["team_battle", "team_match"])
    def test_a_leader_creates_it_by_the_form(self, battle: Battle, format: str) -> None:
        leader, browser = battle.harbour_people[0], Client()
        browser.force_login(leader, backend="lobby.auth.backends.PasswordBackend")
        values = {
            **{"title": "Derby", "format": format, "minutes": "45", "team_size": "3", "preset": "circle"},
            **{"clock": "5+3", "computer": "1", "guests": "on", "zone": "Europe/Tallinn"},
        }
        where = reverse("new-tournament-at", args=["kalah"])
        refused = browser.post(where, {"key": command(), **values})
        assert "Choose the club that organises it" in refused.content.decode()
        browser.post(where, {"key": command(), **values, "club": battle.harbour.pk})
        made = Tournament.objects.get(title="Derby")
        assert (made.format, made.team_size, made.club) == (format, 3, battle.harbour)
        assert (made.guests, made.computer) == (False, 0)
        assert [team.name for team in teams.of(made)] == ["Harbour"]

    def test_only_leaders_of_clubs_are_offered_it(self, battle: Battle) -> None:
        for user, offered in ((battle.harbour_people[0], True), (battle.harbour_people[2], False)):
            browser = Client()
            browser.force_login(user, backend="lobby.auth.backends.PasswordBackend")
            shown = browser.get(reverse("new-tournament-at", args=["kalah"])).content.decode()
            assert ('value="team_battle"' in shown) == offered

    def test_clubs_meet_by_pages_alone(self, battle: Battle) -> None:
        (harbour_leader, _, cleo, _), (garden_leader, _, gil, _) = battle.harbour_people, battle.garden_people
        assert "Invite a club" in self.page(battle, harbour_leader)
        assert "Invite a club" not in self.page(battle, cleo)
        assert "not exist" in self.post(battle, harbour_leader, "invite", name="Nobody’s club")
        assert "Garden" in self.post(battle, harbour_leader, "invite", name="gARDEN")
        assert "Withdraw the invitation" in self.page(battle, harbour_leader)
        of_garden = Client()
        of_garden.force_login(garden_leader, backend="lobby.auth.backends.PasswordBackend")
        assert battle.tournament.title in of_garden.get(battle.garden.get_absolute_url()).content.decode()
        assert "1 invitation" in of_garden.get(reverse("clubs")).content.decode()
        for reader in (gil, cleo, None):
            assert "Take part" not in self.page(battle, reader)
        self.post(battle, garden_leader, "accept", club=battle.garden.pk)
        assert "You play for Garden." in self.post(battle, gil, "enter")
        members.join(cleo, battle.garden.pk, command(), battle.garden.token)
        assert f'<option value="{battle.garden.pk}">Garden' in self.page(battle, cleo)
        assert "You play for Harbour." in self.post(battle, cleo, "enter", club=battle.harbour.pk)

    def test_clubs_are_shown_to_the_end_in_every_place(self, battle: Battle) -> None:
        tournament = battle.begin()
        for pairing in pairings.undecided(tournament):
            assert pairing.match is not None
            win(pairing.match, int(pairings.players(pairing)[0].user in battle.garden_people))
        battle.look(timedelta(hours=2))
        for name in ("tournament", "tournament-wall", "tournament-embed"):
            shown = self.page(battle, None, name)
            assert shown.index("Harbour") < shown.index("Garden")
        assert "Harbour wins" in self.page(battle, None)
        lines = self.page(battle, None, "tournament-csv").splitlines()
        assert lines[0].removeprefix("\ufeff") == "rank,name,club,points,wins,played"
        assert lines[1].split(",")[2:] == ["Harbour", "2", "1", "1"]
        told = json.loads(self.page(battle, None, "tournament-json"))
        assert [(line["rank"], line["name"], line["points"]) for line in told["clubs"]] == [
            (1, "Harbour", 4),
            (2, "Garden", 0),
        ]
        assert told["standings"][0]["club"] == battle.harbour.pk
        answer = Client().get(f"/api/v1/tournaments/{tournament.pk}/clubs").json()
        assert answer["standings"] == told["clubs"]
        garden = {"club": battle.garden.pk, "name": "Garden", "state": "accepted", "players": 4}
        assert {**garden, "handed_in": False, "lineup": None} in answer["clubs"]

    def test_the_page_of_a_club_has_its_battles(self, battle: Battle) -> None:
        TestPlaying().to_the_end(battle)
        shown = Client().get(battle.garden.get_absolute_url()).content.decode()
        part = teams.of(battle.tournament).get(name="Garden")
        assert f"Place {part.rank} of 2 · {part.points:g}" in shown

    def test_a_battle_outlives_its_clubs(self, battle: Battle) -> None:
        battle.begin()
        clubs.dissolve(battle.harbour_people[0], battle.harbour.pk, command())
        for name in ("tournament", "tournament-wall", "tournament-embed", "tournament-json"):
            assert "Harbour" in self.page(battle, battle.harbour_people[0], name)

    def test_a_new_name_of_a_club_is_shown_at_once(self, battle: Battle) -> None:
        battle.begin()
        assert "Garden" in self.page(battle, None)
        clubs.change(battle.garden_people[0], battle.garden.pk, clubs.Charter("Greenery"), command())
        shown = self.page(battle, None)
        assert "Greenery" in shown
        assert "Garden" not in shown


class TestManyClubs:
    COUNT, SIZE, WAVES = sample(10, 4), sample(20, 3), 4

    def test_a_battle_of_many_clubs_is_played_to_its_end(self) -> None:
        chance = Random(7)
        everybody = [
            people(" ".join(f"P{club}-{number}" for number in range(self.SIZE))) for club in range(self.COUNT)
        ]
        made = [club_of(users[0], *users[1:], name=f"Club {n}") for n, users in enumerate(everybody)]
        organiser = everybody[0][0]
        battle = organising.create(organiser, plan("team_battle", club_id=made[0].pk, team_size=5), command())
        for club, users in zip(made[1:], everybody[1:], strict=True):
            invitations.invite(organiser, battle.pk, club.pk, command())
            invitations.answer(users[0], battle.pk, club.pk, True, command())
        players = [user for users in everybody for user in users]
        for user in players:
            entries.enter(user, battle.pk, "", command())
        organising.start(organiser, battle.pk, command())
        for _wave in range(self.WAVES):
            battle = look(battle, players)
            for pairing in pairings.undecided(battle):
                assert pairing.match is not None
                win(pairing.match, chance.randrange(2))
        battle = look(battle, players, timedelta(hours=2))
        assert battle.state == State.FINISHED
        assert Match.objects.count() == self.WAVES * len(players) // 2
        call_command("verify_tournament", battle.pk)
        known = sheet.read(battle)
        points = {line.player: line.points for line in known.standings()}
        for team in teams.of(battle):
            of_club = sorted((points[pk] for pk in team.entrants.values_list("pk", flat=True)), reverse=True)
            assert (team.points, team.entered) == (sum(of_club[:5]), self.SIZE)
