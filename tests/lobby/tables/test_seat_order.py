"""Who plays which side and who moves first: where sides have names, their host chooses one."""

import secrets
from dataclasses import replace

import pytest
from django.utils import timezone

from games.domain import match_actions
from games.models import Match
from games.play import offers
from games.registry import GAMES
from lobby.pairing import queue
from lobby.pairing.models import Seek
from lobby.pairing.pairing_options import Tile
from lobby.tables import solo, table_template, tables
from lobby.tables.challenges import accept, challenge
from lobby.tables.models import Table
from lobby.tables.refusals import BadFirst, RatedFirst
from lobby.tables.table_template import Plan
from lobby.tables.terms import OPEN, TableTerms
from tests.helpers import finished

pytestmark = pytest.mark.django_db

MORRIS, KALAH = GAMES["morris"], GAMES["kalah"]
NINE, CIRCLE = MORRIS.rules.Options(), KALAH.rules.Options()
WHITE, BLACK = 0, 1


def begun(ulno, artjom, first, opens=WHITE):
    """A match of Nine Men's Morris at Ulno's table."""
    table = tables.set_table(ulno, "morris", NINE, 2, first, replace(OPEN, opens=opens))
    return tables.sit_down(artjom, table.pk).match


def sides(match):
    return [seating.user.username for seating in match.seatings.all()]


def turn(match):
    return MORRIS.rules.setup(NINE, 2, 0 if '"turn":0' in match.start else 1).turn


# The document's testwhiteTurnFirst and testblackTurnFirst


def test_white_turn_first(ulno, artjom):
    assert turn(begun(ulno, artjom, "host", opens=WHITE)) == WHITE
    assert turn(begun(ulno, artjom, "other", opens=WHITE)) == WHITE


def test_black_turn_first(ulno, artjom):
    assert turn(begun(ulno, artjom, "host", opens=BLACK)) == BLACK
    assert turn(begun(ulno, artjom, "other", opens=BLACK)) == BLACK


# The host's side


def test_host_choosing_white_is_white(ulno, artjom):
    assert sides(begun(ulno, artjom, "host")) == ["Ulno", "Artjom"]


def test_host_choosing_black_is_black(ulno, artjom):
    assert sides(begun(ulno, artjom, "other")) == ["Artjom", "Ulno"]


@pytest.mark.parametrize("opens", [WHITE, BLACK])
@pytest.mark.parametrize(("lot", "seated"), [(0, ["Ulno", "Artjom"]), (1, ["Artjom", "Ulno"])])
def test_sides_are_drawn_by_lot_and_not_who_moves_first(ulno, artjom, monkeypatch, lot, seated, opens):
    monkeypatch.setattr(secrets, "randbelow", lambda seats: lot)
    match = begun(ulno, artjom, "lot", opens)
    assert (sides(match), turn(match)) == (seated, opens)


def test_a_challenge_keeps_the_side(ulno, artjom):
    table = challenge(ulno, artjom, "morris", NINE, "other", OPEN)
    assert sides(accept(artjom, table.pk).match) == ["Artjom", "Ulno"]


@pytest.mark.parametrize(("first", "seat"), [("host", WHITE), ("other", BLACK)])
def test_against_the_computer_too(ulno, first, seat):
    match = solo.play(ulno, Plan("morris", NINE, 2, first, OPEN, (3,)))
    assert [seating.level for seating in match.seatings.all()][seat] is None
    assert match.seatings.get(seat=seat).user == ulno
    assert match.seatings.get(seat=1 - seat).level == 3
    # The computer is white then, and looks at the board at once.
    assert (match.bot_due is not None) == (seat == BLACK)


def test_the_same_again_has_the_same_sides(ulno, artjom):
    plan = table_template.plan_like(begun(ulno, artjom, "other", BLACK).pk, ulno.pk)
    assert (plan.first, plan.terms.opens) == ("other", BLACK)


# Where sides have no names


def test_host_without_named_sides_has_first_seat(ulno, artjom):
    table = tables.set_table(ulno, "kalah", CIRCLE, 2, "other")
    match = tables.sit_down(artjom, table.pk).match
    assert sides(match) == ["Ulno", "Artjom"]
    assert '"turn":1' in match.start


@pytest.mark.parametrize(("slug", "options", "opens"), [("kalah", CIRCLE, 1), ("morris", NINE, 2)])
def test_a_side_that_is_not_there_cannot_move_first(ulno, slug, options, opens):
    with pytest.raises(BadFirst):
        tables.set_table(ulno, slug, options, 2, "host", replace(OPEN, opens=opens))
    assert not Table.objects.exists()
    assert not Match.objects.exists()


# Where it counts, nobody chooses

RATED = TableTerms(rated=True)


def white(match):
    return match.seatings.get(seat=WHITE).user.username


def rated(host, other, game="morris", options=NINE):
    """A rated match at a table of `host`."""
    return tables.sit_down(other, tables.set_table(host, game, options, 2, "lot", RATED).pk).match


@pytest.mark.parametrize("first", ["host", "other"])
def test_rated_table_with_chosen_first_move_refused(ulno, artjom, first):
    for refused in (
        lambda: tables.set_table(ulno, "morris", NINE, 2, first, RATED),
        lambda: challenge(ulno, artjom, "morris", NINE, first, RATED),
    ):
        with pytest.raises(RatedFirst) as caught:
            refused()
        assert (caught.value.code, caught.value.status) == ("rated-first", 422)
    assert not Table.objects.exists()


def test_a_table_that_was_set_before_it_was_forbidden_draws_lots(ulno, artjom, monkeypatch):
    monkeypatch.setattr(secrets, "randbelow", lambda seats: 1)
    table = tables.set_table(ulno, "morris", NINE, 2, "lot", RATED)
    Table.objects.filter(pk=table.pk).update(first="host")
    assert white(tables.sit_down(artjom, table.pk).match) == "Artjom"


@pytest.mark.parametrize(("lot", "first"), [(0, "Ulno"), (1, "Artjom")])
def test_two_draw_lots_once_and_take_turns_then(ulno, artjom, monkeypatch, lot, first):
    monkeypatch.setattr(secrets, "randbelow", lambda seats: lot)
    second = "Artjom" if first == "Ulno" else "Ulno"
    assert [white(rated(ulno, artjom)), white(rated(artjom, ulno)), white(rated(ulno, artjom))] == [
        first,
        second,
        first,
    ]


def test_rated_first_move_alternates_without_named_sides(ulno, artjom, monkeypatch):
    monkeypatch.setattr(secrets, "randbelow", lambda seats: 0)
    matches = [rated(ulno, artjom, "kalah", CIRCLE), rated(artjom, ulno, "kalah", CIRCLE)]
    turns = [0 if '"turn":0' in match.start else 1 for match in matches]
    assert [sides(match)[turn] for match, turn in zip(matches, turns, strict=True)] == ["Ulno", "Artjom"]


@pytest.mark.parametrize("kind", [match_actions.ABORTED, match_actions.EXPIRED, match_actions.STOPPED])
def test_rated_first_move_kept_after_abort(ulno, artjom, monkeypatch, kind):
    monkeypatch.setattr(secrets, "randbelow", lambda seats: 0)
    finished.play(rated(ulno, artjom), match_actions.Act(kind, 1))
    assert white(rated(artjom, ulno)) == "Ulno"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("kind", "first"), [(match_actions.ABORTED, "Ulno"), (match_actions.AGREED, "Artjom")]
)
def test_rated_first_move_alternates_in_rematch(ulno, artjom, monkeypatch, kind, first):
    monkeypatch.setattr(secrets, "randbelow", lambda seats: 0)
    match = finished.play(rated(ulno, artjom), match_actions.Act(kind, 1))
    offers.want_rematch(match.pk, 0)
    _, again = offers.want_rematch(match.pk, 1)
    assert white(Match.objects.get(pk=again)) == first


def test_casual_matches_and_other_games_do_not_count(ulno, artjom, monkeypatch):
    monkeypatch.setattr(secrets, "randbelow", lambda seats: 0)
    begun(ulno, artjom, "host")
    rated(ulno, artjom, "kalah", CIRCLE)
    assert white(rated(ulno, artjom)) == "Ulno"


def test_more_than_two_draw_lots_each_time(ulno, artjom, django_user_model, monkeypatch):
    third = django_user_model.objects.create_user("Third")
    strict = GAMES["cantstop"].rules.PRESETS["strict"]
    turns = []
    for lot in (2, 2):
        monkeypatch.setattr(secrets, "randbelow", lambda seats, lot=lot: lot)
        table = tables.set_table(ulno, "cantstop", strict, 3, "lot", RATED)
        tables.sit_down(artjom, table.pk)
        match = tables.sit_down(third, table.pk).match
        turns.append('"turn":2' in match.start)
    assert turns == [True, True]


def test_quick_pairing_takes_turns_as_well(ulno, artjom, monkeypatch):
    monkeypatch.setattr(secrets, "randbelow", lambda seats: 0)
    paired = []
    for _ in range(2):
        for user in (ulno, artjom):
            queue.enter(user, Tile("morris", "nine", "5+3", rated=True))
        assert queue.tick((), timezone.now()) == 1
        paired.append(Match.objects.latest("created"))
        Seek.objects.all().delete()
    assert [white(match) for match in paired] == ["Ulno", "Artjom"]
    assert [turn(match) for match in paired] == [WHITE, WHITE]
