"""The report of a tournament, as two programs of others read it."""

from __future__ import annotations

from random import Random

import pytest
from caissify_pairings.trf import TRFParser
from django.test import Client
from django.urls import reverse

from lobby.people.models import User
from lobby.tournaments import entries, organising, sheet
from lobby.tournaments.formats.base import Kind
from lobby.tournaments.models import Entrant, Tournament
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

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser() -> User:
    return User.objects.create_user("Olga")


def downloaded(tournament: Tournament) -> str:
    """The report from the page, which is that of the API."""
    answer = Client().get(reverse("tournament-trf", args=[tournament.pk]))
    assert answer["Content-Disposition"] == f'attachment; filename="{tournament.pk}.trf"'
    told = Client().get(f"/api/v1/tournaments/{tournament.pk}/report")
    assert told.content == answer.content
    return answer.content.decode()


def read_by_one(report: str, tmp_path):
    """Each line of a player, as py4swiss reads and checks it: name, rank, points, and the rounds."""
    trf = pytest.importorskip("py4swiss.trf", reason="there is no package of py4swiss for this computer")
    path = tmp_path / "report.trf"
    path.write_text(report, encoding="utf-8", newline="")
    parsed = trf.TrfParser.parse(path, strict=True)
    return {
        line.starting_number: (
            line.name,
            line.rank,
            line.points_times_ten / 10,
            [(each.id, each.color.value, each.result.value) for each in line.results],
        )
        for line in parsed.player_sections
    }


def read_by_other(report: str):
    """The same as the other library reads it, which tells no ranks, and nothing of an absence."""
    return {
        line["starting_number"]: (
            line["name"],
            line["score"],
            [
                (each["opponent"] or 0, each["color"] or "-", each["result"])
                for _round, each in sorted(line["results"].items())
            ],
        )
        for line in TRFParser(report).parse()["players"]
    }


def check(tournament: Tournament, tmp_path, struck_out: tuple[str, ...] = ()) -> None:
    """Both readers find our standings: names, ranks, points, and opponent and colour of each round."""
    report = downloaded(tournament)
    mine, other = read_by_one(report, tmp_path), read_by_other(report)
    known = sheet.read(tournament)
    numbers = {player: number for number, player in enumerate(known.entrants, 1)}
    assert len(mine) == len(other) == len(known.entrants)
    for line in known.standings():
        name, rank, points, rounds = mine[numbers[line.player]]
        assert name == known.entrants[line.player].get_name()
        assert line.rank in (None, rank)
        assert points == line.points
        assert other[numbers[line.player]] == (name, points, rounds)
        assert len(rounds) == known.round
    for pairing in known.pairings:
        names = [known.entrants[player].get_name() for player in pairing.seats]
        if pairing.kind is Kind.PLAYED and not set(names) & set(struck_out):
            one, two = (numbers[player] for player in pairing.seats)
            codes = ["=" if each == 0.5 else f"{each:g}" for each in pairing.points]
            assert mine[one][3][pairing.round - 1] == (two, "w", codes[0])
            assert mine[two][3][pairing.round - 1] == (one, "b", codes[1])


def finish(tournament: Tournament, chance: Random) -> Tournament:
    """Play until the end; either seat wins."""
    while (tournament := look(tournament)).state == Tournament.State.RUNNING:
        play_round(tournament, [chance.randrange(2) for _ in range(8)])
    return tournament


def test_a_swiss_with_byes_forfeits_decisions_and_a_late_player(organiser, tmp_path):
    *players, late = people("Anna Бен Cleo Dóra Ed Fay")
    tournament = entered(organiser, players, rounds=4)
    entries.ask_bye(players[1], tournament.pk, 2, command())
    organising.start(organiser, tournament.pk, command())
    tournament = look(tournament, players)
    known = sheet.read(tournament)
    organising.decide(organiser, tournament.pk, 1, known.open[0].table, [0.5, 0.5], "Rain", command())
    play_round(tournament)
    entries.enter(late, tournament.pk, "", command())
    tournament = look(tournament)
    organising.decide(
        organiser, tournament.pk, 2, sheet.read(tournament).open[0].table, [0, 1], "Late", command()
    )
    play_round(tournament)
    tournament = look(tournament)
    entries.withdraw(players[0], tournament.pk, command())
    tournament = finish(tournament, Random(4))
    kinds = {pairing.kind for pairing in sheet.read(tournament).pairings}
    assert kinds == {Kind.PLAYED, Kind.FORFEIT, Kind.BYE, Kind.HALF_BYE}
    check(tournament, tmp_path)


def test_a_round_robin_in_which_one_is_struck_out(organiser, tmp_path):
    players = people("Anna Ben Cleo Dora Ed")
    tournament = begun(organiser, players, "round_robin")
    play_round(tournament)
    tournament = look(tournament)
    entries.withdraw(players[0], tournament.pk, command())
    check(finish(tournament, Random(2)), tmp_path, ("Anna",))


def test_the_computer_in_the_odd_chair_is_a_player(organiser, tmp_path):
    tournament = begun(organiser, people("Anna Ben Cleo"), rounds=2, computer=1)
    tournament = finish(tournament, Random(1))
    check(tournament, tmp_path)
    computer = Entrant.objects.get(tournament=tournament, user__computer__gt="")
    numbers = list(sheet.read(tournament).entrants)
    assert read_by_one(downloaded(tournament), tmp_path)[numbers.index(computer.pk) + 1][3]


def rounds(tournament: Tournament, tmp_path) -> list[list[tuple[int, str, str]]]:
    """The rounds of all players in the report."""
    return [line[3] for line in read_by_one(downloaded(tournament), tmp_path).values()]


def test_a_round_in_play_is_left_out(organiser, tmp_path):
    tournament = begun(organiser, people("Anna Ben Cleo Dora"))
    assert rounds(tournament, tmp_path) == [[]] * 4
    play_round(tournament)
    tournament = look(tournament)
    over = rounds(tournament, tmp_path)
    assert [len(each) for each in over] == [1] * 4
    win(matches_of(tournament, 2)[0])
    assert rounds(look(tournament), tmp_path) == over


def test_a_decision_that_no_report_knows_neither_breaks_it_nor_the_pairing(organiser):
    tournament = begun(organiser, people("Anna Ben Cleo Dora"))
    for table, points in ((1, [0.3, 0.3]), (2, [0.75, 0.2])):
        organising.decide(organiser, tournament.pk, 1, table, points, "Rain", command())
    tournament = look(tournament)
    assert sheet.read(tournament).round == 2
    codes = [each[2][0][2] for each in read_by_other(downloaded(tournament)).values()]
    assert sorted(codes) == ["F", "H", "H", "Z"]


@pytest.mark.parametrize("name", ["Anna" * 12, "A\u0301nna", "Ann 😀 a", "Ann\u2028a\r\nb"])
def test_a_name_moves_no_column(organiser, tmp_path, name):
    tournament = begun(organiser, people("Anna Ben Cleo"))
    Tournament.objects.update(title=f"Cup\n001 {name}")
    Entrant.objects.filter(user__username="Anna").update(name=name)
    play_round(tournament)
    tournament = look(tournament)
    found = [line for line in downloaded(tournament).split("\r\n") if line.startswith("001")]
    assert sorted(line[80:84] for line in found) == [" 0.0", " 1.0", " 1.0"]
    assert [len(each) for each in rounds(tournament, tmp_path)] == [1] * 3


@pytest.mark.parametrize("format", ["arena", "knockout", "tables", "swiss"])
def test_only_a_swiss_and_a_round_robin_that_have_begun_have_a_report(organiser, format):
    of_tables = {"game": "cantstop", "options": CANTSTOP, "seats": 4} if format == "tables" else {}
    make = entered if format == "swiss" else begun
    tournament = make(organiser, people("Anna Ben Cleo Dora"), format, **of_tables)
    assert Client().get(reverse("tournament-trf", args=[tournament.pk])).status_code == 404
    refused = Client().get(f"/api/v1/tournaments/{tournament.pk}/report")
    assert (refused.status_code, refused.json()["code"]) == (404, "no-report")
    shown = Client().get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert "results.trf" not in shown
