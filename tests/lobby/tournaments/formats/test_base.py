"""The words that all formats share (lobby/tournaments/formats/base.py)."""

import pytest

from lobby.tournaments.formats.base import Kind, Options, Pairing, drawn_lot, points_by_place


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2), (1, 0)),
        ((2, 1), (0, 1)),
        ((1, 1), (0.5, 0.5)),
        ((3, 1, 2), (0, 1, 0.5)),
        ((1, 1, 3), (0.75, 0.75, 0)),
        ((1, 1, 1, 1), (0.5, 0.5, 0.5, 0.5)),
    ],
)
def test_a_place_is_worth_the_share_of_opponents_beaten(places, points):
    assert points_by_place(places) == points


def test_a_match_is_open_until_it_has_points_or_is_annulled():
    assert Pairing(1, 1, (1, 2)).open
    assert not Pairing(1, 1, (1, 2), points=(1, 0)).open
    assert not Pairing(1, 1, (1, 2), Kind.VOID).open


def test_only_players_of_a_match_have_met():
    assert Pairing(1, 1, (1, 2)).met
    assert not Pairing(1, 1, (1, 2), Kind.FORFEIT, points=(1, 0)).met
    assert not Pairing(1, 1, (1,), Kind.BYE, points=(1,)).met


def test_a_lot_depends_on_the_tournament_and_on_what_it_is_about():
    lots = {drawn_lot(Options("knockout", lot=lot), *about) for lot in "ab" for about in ((1, 2), (2, 1))}
    assert len(lots) == 4
    assert drawn_lot(Options("knockout", lot="a"), 1, 2) == drawn_lot(Options("swiss", lot="a"), 1, 2)
