"""Team matches: lineups that stay hidden until both are in, boards, the score of the match."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from lobby.accounts import export
from lobby.clubs.models import Club
from lobby.people.models import User
from lobby.tournaments import entries, invitations, lineups, organising, pairings, sheet, tables, teams
from lobby.tournaments.models import Tournament
from tests.helpers.clubs import club_of
from tests.helpers.tournaments import command, look, matches_of, plan, seated, win
from tests.lobby.tournaments.test_director import look_and_die
from tests.lobby.tournaments.test_team_battle import Battle, code

pytestmark = pytest.mark.django_db
State = Tournament.State


class Match(Battle):
    """A team match over two boards, for which everybody has entered; those of Harbour are stronger."""

    def __init__(self) -> None:
        super().__init__()
        self.tournament = organising.create(
            self.organiser, plan("team_match", club_id=self.harbour.pk, team_size=2), command()
        )
        self.invite()
        self.accept()
        self.enter(*self.harbour_people, *self.garden_people)

    def hand_in(self, harbour: str = "", garden: str = "") -> None:
        """Hand in lineups: the names by board."""
        if harbour:
            lineup = (self.harbour_people[0], self.tournament.pk, self.harbour.pk, harbour.split())
            lineups.hand_in(*lineup, command())
        if garden:
            lineup = (self.garden_people[0], self.tournament.pk, self.garden.pk, garden.split())
            lineups.hand_in(*lineup, command())

    def start(self) -> None:
        organising.start(self.organiser, self.tournament.pk, command())
        self.look()

    def play_round(self, *winners: str) -> None:
        """Play the open boards: these players win."""
        for pairing in pairings.undecided(self.tournament):
            assert pairing.match is not None
            names = [entrant.user.username for entrant in pairings.players(pairing)]
            win(pairing.match, next(seat for seat, name in enumerate(names) if name in winners))
        self.look()

    def page(self, user: User | None = None) -> str:
        browser = Client()
        if user is not None:
            browser.force_login(user, backend="lobby.auth.backends.PasswordBackend")
        return browser.get(reverse("tournament", args=[self.tournament.pk])).content.decode()

    def told(self) -> Any:
        return Client().get(f"/api/v1/tournaments/{self.tournament.pk}/clubs").json()["clubs"]


@pytest.fixture
def match(db: None) -> Match:
    return Match()


class TestLineups:
    def test_boards_are_those_of_the_lineups_and_sides_change(self, match: Match) -> None:
        match.hand_in("Dan Ada", "Flo Hal")
        match.start()
        assert seated(match.tournament, 1) == [["Dan", "Flo"], ["Hal", "Ada"]]
        match.play_round("Dan", "Ada")
        assert seated(match.tournament, 2) == [["Flo", "Dan"], ["Ada", "Hal"]]

    def test_without_a_lineup_ratings_decide(self, match: Match) -> None:
        match.tournament.entrants.filter(user__username="Cleo").update(rating=1900)
        match.hand_in(garden="Hal Gil")
        match.start()
        assert seated(match.tournament, 1) == [["Cleo", "Hal"], ["Gil", "Ada"]]

    def test_a_lineup_moves_up_when_somebody_withdraws_before_the_start(self, match: Match) -> None:
        match.hand_in("Dan Cleo", "Flo Hal")
        entries.withdraw(match.harbour_people[3], match.tournament.pk, command())
        match.start()
        assert seated(match.tournament, 1) == [["Cleo", "Flo"], ["Hal", "Ada"]]

    def test_a_lineup_is_hidden_until_both_are_in(self, match: Match) -> None:
        match.hand_in("Dan Ada")
        for reader in (None, match.garden_people[0], match.harbour_people[2], match.outsider):
            assert "<li>Dan</li>" not in match.page(reader)
            assert "Lineup is in" in match.page(reader)
        assert "<li>Dan</li>" in match.page(match.harbour_people[0])
        assert [(team["handed_in"], team["lineup"]) for team in match.told()] == [(True, None), (False, None)]
        match.hand_in("Dan Cleo")
        match.hand_in(garden="Flo Hal")
        for reader in (None, match.garden_people[0], match.outsider):
            assert "<li>Dan</li>" in match.page(reader)
        assert [team["lineup"] for team in match.told()] == [["Dan", "Cleo"], ["Flo", "Hal"]]

    def test_a_lineup_is_never_longer_than_the_players(
        self, match: Match, django_assert_max_num_queries: Any
    ) -> None:
        lineup = (match.harbour_people[0], match.tournament.pk, match.harbour.pk, ["Ada"] * 999)
        with django_assert_max_num_queries(30):
            assert code(lineups.hand_in, *lineup, command()) == "bad-lineup"

    def test_a_club_that_declines_and_comes_back_has_not_seen_the_lineup_it_meets(self, match: Match) -> None:
        match.hand_in("Dan Ada", "Flo Hal")
        leader, where = match.garden_people[0], (match.tournament.pk, match.garden.pk)
        for accepted in (False, True):
            invitations.answer(leader, *where, accepted, command())
        match.enter(*match.garden_people)
        match.hand_in(garden="Hal Flo")
        assert [team["handed_in"] for team in match.told()] == [False, True]
        match.hand_in("Ada Dan")
        assert [team["lineup"] for team in match.told()] == [["Ada", "Dan"], ["Hal", "Flo"]]

    def test_lineups_stay_once_both_are_in(self, match: Match) -> None:
        match.hand_in("Dan Ada", "Flo Hal")
        lineup = (match.harbour_people[0], match.tournament.pk, match.harbour.pk, ["Ada"])
        assert code(lineups.hand_in, *lineup, command()) == "lineups-in"

    @pytest.mark.parametrize(
        ("who", "refusal"),
        [
            ("plain member", "not-organiser"),
            ("leader of the other club", "not-member"),
            ("outsider", "not-member"),
        ],
    )
    def test_only_leaders_of_the_club_hand_it_in(self, match: Match, who: str, refusal: str) -> None:
        user = {
            "plain member": match.harbour_people[2],
            "leader of the other club": match.garden_people[0],
            "outsider": match.outsider,
        }[who]
        lineup = (user, match.tournament.pk, match.harbour.pk, ["Ada"])
        assert code(lineups.hand_in, *lineup, command()) == refusal
        assert "Hand in the lineup" not in match.page(user) or who == "leader of the other club"
        assert f'value="{match.harbour.pk}"' not in match.page(user)

    @pytest.mark.parametrize("names", [[], ["Ada", "Ada"], ["Ada", "Eve"], ["Ada", "Nobody"], ["Ida"]])
    def test_a_lineup_that_cannot_be(self, match: Match, names: list[str]) -> None:
        lineup = (match.harbour_people[0], match.tournament.pk, match.harbour.pk, names)
        assert code(lineups.hand_in, *lineup, command()) == "bad-lineup"

    def test_only_clubs_of_a_team_match_have_lineups(self, match: Match) -> None:
        ada = match.harbour_people[0]
        battle = organising.create(
            match.organiser, plan("team_battle", club_id=match.harbour.pk, team_size=2), command()
        )
        assert code(lineups.hand_in, ada, battle.pk, match.harbour.pk, ["Ada"], command()) == "not-match"
        match.accept(False)
        lineup = (match.garden_people[0], match.tournament.pk, match.garden.pk, ["Eve"])
        assert code(lineups.hand_in, *lineup, command()) == "not-invited"

    def test_another_club_does_not_see_the_lineup_that_the_first_one_saw(self, match: Match) -> None:
        match.hand_in("Dan Ada", "Flo Hal")
        match.accept(False)
        assert "<li>Dan</li>" not in match.page(match.outsider)
        match.hand_in("Ada Dan")

    def test_lineups_end_with_the_start(self, match: Match) -> None:
        match.start()
        lineup = (match.harbour_people[0], match.tournament.pk, match.harbour.pk, ["Ada"])
        assert code(lineups.hand_in, *lineup, command()) == "started"

    def test_a_leader_hands_it_in_on_the_page(self, match: Match) -> None:
        browser = Client()
        browser.force_login(match.harbour_people[1], backend="lobby.auth.backends.PasswordBackend")
        where = reverse("tournament-lineup", args=[match.tournament.pk])
        values = {"key": command(), "club": match.harbour.pk, "board": ["Cleo", ""]}
        shown = browser.post(where, values, follow=True).content.decode()
        assert "<li>Cleo</li>" in shown
        team = teams.of(match.tournament).get(name="Harbour")
        assert [each.user.username for each in lineups.of(match.tournament, team)] == ["Cleo"]


class TestPlaying:
    def test_score_of_boards_and_of_the_match(self, match: Match) -> None:
        match.hand_in("Ada Bo", "Eve Flo")
        match.start()
        match.play_round("Ada", "Flo")
        assert match.tournament.state == State.RUNNING
        assert "Harbour 1\u00a0:\u00a01 Garden" in match.page()
        match.play_round("Ada", "Bo")
        assert match.tournament.state == State.FINISHED
        known = sheet.read(match.tournament)
        rows = tables.boards(known)
        assert [(row.board, row.home, row.away, row.rounds, row.score) for row in rows] == [
            (1, "Ada", "Eve", ["1 : 0", "1 : 0"], "2 : 0"),
            (2, "Bo", "Flo", ["0 : 1", "1 : 0"], "1 : 1"),
        ]
        assert "Harbour 3\u00a0:\u00a01 Garden" in match.page()
        call_command("verify_tournament", match.tournament.pk)
        stored = teams.of(match.tournament).values_list("name", "rank", "points")
        assert list(stored) == [("Harbour", 1, 3), ("Garden", 2, 1)]

    def test_who_has_left_is_replaced_or_the_board_is_lost(self, match: Match) -> None:
        match.hand_in("Ada Bo", "Eve Flo")
        match.start()
        match.play_round("Ada", "Bo")
        match.tournament = look(match.tournament)
        assert seated(match.tournament, 2) == [["Eve", "Ada"], ["Bo", "Flo"]]
        entries.withdraw(match.garden_people[0], match.tournament.pk, command())
        match.play_round("Ada", "Bo")
        assert "Harbour 4\u00a0:\u00a00 Garden" in match.page()

    def test_an_absent_player_is_replaced_in_the_second_round(self, match: Match) -> None:
        match.hand_in("Ada Bo", "Eve Flo")
        match.start()
        match.tournament.entrants.filter(user=match.garden_people[0]).update(away="2026-11-28T12:00:00Z")
        match.play_round("Ada", "Bo")
        assert seated(match.tournament, 2) == [["Gil", "Ada"], ["Bo", "Flo"]]
        rows = tables.boards(sheet.read(match.tournament))
        assert [row.away for row in rows] == ["Eve and Gil", "Flo"]

    def test_a_club_with_fewer_players_loses_the_other_boards(self, match: Match) -> None:
        for user in match.garden_people[1:]:
            entries.withdraw(user, match.tournament.pk, command())
        match.start()
        match.play_round("Eve")
        match.play_round("Eve")
        assert "Harbour 2\u00a0:\u00a02 Garden" in match.page()
        assert list(teams.of(match.tournament).values_list("rank", flat=True)) == [1, 1]

    def test_a_process_dies_at_any_write(self, match: Match) -> None:
        match.start()
        for _round in range(2):
            for each in matches_of(match.tournament):
                win(each)
            for number in count():
                if not look_and_die(match.tournament, number):
                    break
            match.look()
        assert match.tournament.state == State.FINISHED
        assert match.tournament.pairings.count() == 4
        call_command("verify_tournament", match.tournament.pk)

    def test_the_pages_of_the_clubs_have_what_they_played(self, match: Match) -> None:
        match.hand_in("Ada Bo", "Eve Flo")
        match.start()
        match.play_round("Ada", "Flo")
        assert "Against other clubs" not in self.club_page(match.harbour)
        match.play_round("Ada", "Bo")
        # Nobody has read it since it ended, so that its result is not stored yet.
        for club, other, score in (
            (match.harbour, "Garden", "3 : 1"),
            (match.garden, "Harbour", "1 : 3"),
        ):
            shown = self.club_page(club).partition("Against other clubs")[2]
            assert score in shown
            assert other in shown
        (told,) = Client().get(f"/api/v1/clubs/{match.garden.pk}/meetings").json()["meetings"]
        assert told["tournament"] == match.tournament.pk
        assert [(club["name"], club["rank"], club["points"]) for club in told["clubs"]] == [
            ("Harbour", 1, 3),
            ("Garden", 2, 1),
        ]

    def test_certificates_and_the_data_of_an_account_name_the_club_of_the_player(self, match: Match) -> None:
        match.hand_in("Ada Bo", "Eve Flo")
        match.start()
        for _ in range(2):
            match.play_round("Ada", "Flo")
        page = Client().get(reverse("tournament-certificates", args=[match.tournament.pk])).content.decode()
        flo = page.partition(">Flo<")[2].partition("</li>")[0]
        assert '<p class="certificate-club">Garden</p>' in flo
        (entry,) = export.everything_about(match.garden_people[1])["tournaments"]
        assert entry["club"] == "Garden"

    def club_page(self, club: Club) -> str:
        return Client().get(club.get_absolute_url()).content.decode()

    def test_only_two_clubs(self, match: Match) -> None:
        other = club_of(match.outsider, name="Third club")
        invite = (invitations.invite, match.organiser, match.tournament.pk, other.pk)
        assert code(*invite, command()) == "too-many-teams"
