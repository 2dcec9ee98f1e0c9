"""Who plays which side and who moves first: where sides have names, their host chooses one (seeds/001, 2)."""

from dataclasses import replace

import pytest

from games.models import Match
from games.registry import GAMES
from lobby.models import Table
from lobby.tables import same_again, seat_order, solo, tables
from lobby.tables.challenges import accept, challenge
from lobby.tables.refusals import BadFirst
from lobby.tables.same_again import Plan
from lobby.tables.terms import OPEN

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


def test_who_chooses_white_is_white(ulno, artjom):
    assert sides(begun(ulno, artjom, "host")) == ["Ulno", "Artjom"]


def test_who_chooses_black_is_black(ulno, artjom):
    assert sides(begun(ulno, artjom, "other")) == ["Artjom", "Ulno"]


@pytest.mark.parametrize("opens", [WHITE, BLACK])
@pytest.mark.parametrize(("lot", "seated"), [(0, ["Ulno", "Artjom"]), (1, ["Artjom", "Ulno"])])
def test_sides_are_drawn_by_lot_and_not_who_moves_first(ulno, artjom, monkeypatch, lot, seated, opens):
    monkeypatch.setattr(seat_order.secrets, "randbelow", lambda seats: lot)
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
    plan = same_again.plan_like(begun(ulno, artjom, "other", BLACK).pk, ulno.pk)
    assert (plan.first, plan.terms.opens) == ("other", BLACK)


# Where sides have no names


def test_elsewhere_the_host_has_the_first_seat_whoever_moves_first(ulno, artjom):
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
