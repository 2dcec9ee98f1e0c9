"""The introductions: each move is legal, leads on, and does what its sentence says."""

import json
import re
from itertools import pairwise

import pytest

from games.pages import introduction
from games.registry import GAMES
from games.rules import aces, cantstop, kalah, morris
from games.rules.base import Roll

INTRODUCED = [slug for slug, game in GAMES.items() if game.introduction]


def events(slug, nth):
    """All that happens in a lesson, by the kind of event: of each way to do it."""
    return [
        [event for step in line for event in step.events]
        for line in introduction.played(slug)[nth].lines.values()
    ]


def only(slug, nth, kind):
    (line,) = events(slug, nth)
    return [event for event in line if isinstance(event, kind)]


def end(slug):
    """The outcomes of the last lesson."""
    lines = introduction.played(slug)[-1].lines.values()
    return {GAMES[slug].rules.outcome(line[-1].state) for line in lines}


@pytest.mark.all_games
@pytest.mark.parametrize("slug", INTRODUCED)
class TestEveryIntroduction:
    def test_introduction_has_three_to_five_moves_of_first_seat(self, slug):
        lessons = introduction.played(slug)
        assert 3 <= len(lessons) <= 5
        assert lessons[0].lesson.position is not None
        assert {each.before.state.turn for each in lessons} == {0}

    def test_introduction_moves_legal_and_others_answered(self, slug):
        for each in introduction.played(slug):
            assert set(each.lesson.moves) <= set(each.legal)
            assert bool(each.lesson.otherwise) == (set(each.lines) != set(each.legal))

    def test_dice_are_thrown_wherever_they_are_due(self, slug):
        rules = GAMES[slug].rules
        for each in introduction.played(slug):
            for line in each.lines.values():
                assert rules.chance(line[-1].state) is None

    def test_a_lesson_with_several_ways_is_followed_by_a_position_of_its_own(self, slug):
        lessons = introduction.played(slug)
        for each, following in pairwise(lessons):
            assert len(each.lines) == 1 or following.lesson.position is not None

    def test_introduction_last_move_wins(self, slug):
        assert {outcome.winners for outcome in end(slug)} == {(0,)}

    def test_introduction_uses_usual_preset(self, slug):
        game = GAMES[slug]
        usual = game.rules.PRESETS[game.usual_preset(rated=False)]
        assert {each.before.state.options for each in introduction.played(slug)} == {usual}


class TestKalah:
    def test_only_the_third_pit_moves_again(self):
        assert only("kalah", 0, kalah.TurnKept)
        start = introduction.played("kalah")[0]
        again = [
            move for move in start.legal if kalah.play(start.before.state, kalah.parse(move)).state.turn == 0
        ]
        assert again == ["3"]

    def test_the_fifth_pit_passes_the_store_and_the_opponent_sows_one_pit(self):
        mine, theirs = only("kalah", 1, kalah.Sown)
        assert mine.path[-1] > 6
        assert theirs.seat == 1

    def test_only_the_first_pit_captures(self):
        assert only("kalah", 2, kalah.Captured)[0].seat == 0
        asked = introduction.played("kalah")[2]
        for move in set(asked.legal) - {"1"}:
            done = kalah.play(asked.before.state, kalah.parse(move)).events
            assert not any(isinstance(event, kalah.Captured) for event in done)

    def test_kalah_introduction_ends_with_sweep_and_win(self):
        assert [event.seat for event in only("kalah", 3, kalah.Swept)] == [1]
        (outcome,) = end("kalah")
        assert outcome.scores == (25, 23)


class TestMorris:
    def closing(self, nth):
        asked = introduction.played("morris")[nth]
        state = asked.before.state
        return [move for move in asked.legal if morris.play(state, morris.parse(move)).state.takes]

    def test_only_the_move_that_is_asked_for_closes_a_mill(self):
        assert self.closing(0) == ["g7"]
        assert self.closing(2) == ["d1-a1"]

    def test_a_man_is_taken_from_the_two_in_a_line_and_no_mill_can_be_closed_then(self):
        asked = introduction.played("morris")[1]
        mills = {}
        for move in asked.legal:
            state = morris.play(asked.before.state, morris.parse(move)).state
            mills[move] = any(morris.play(state, each).state.takes for each in morris.legal_moves(state))
        assert mills == {"xd6": False, "xf6": False, "xg4": True}

    def test_any_man_that_is_taken_leaves_two(self):
        assert len(introduction.played("morris")[3].lines) == 3
        assert {outcome.reason for outcome in end("morris")} == {"reduced"}


class TestAces:
    def test_aces_introduction_shows_centre_left_and_right(self):
        assert [event.count for event in only("aces", 0, aces.Centred)] == [1]
        assert {(event.side, event.to) for event in only("aces", 0, aces.Passed)} == {
            ("left", 1),
            ("right", 2),
        }

    def test_a_throw_that_moves_nothing_ends_the_turn_and_bens_two_comes_to_the_first_seat(self):
        assert only("aces", 1, aces.TurnEnded)[0] == aces.TurnEnded(0, 1, "nothing-moved")
        assert only("aces", 1, aces.Passed) == [aces.Passed(2, 0, 1, "left")]

    def test_aces_introduction_player_without_dice_stays_in(self):
        (line,) = introduction.played("aces")[2].lines.values()
        assert line[-1].state.dice[0] == ()
        assert line[-1].state.present[0]

    def test_the_last_die_is_the_last_of_all(self):
        (outcome,) = end("aces")
        assert outcome.reason == "last-ace"


class TestCantStop:
    def test_a_throw_has_three_pairings_and_a_second_one_two(self):
        asked = introduction.played("cantstop")
        assert asked[1].legal == ("6+8", "3+11", "7+7")
        assert asked[3].legal == ("2+8", "4+6")

    def test_cantstop_introduction_bust_only_with_three_runners(self):
        asked = introduction.played("cantstop")
        assert cantstop.bust_odds(asked[2].before.state) == 0
        (line,) = asked[3].lines.values()
        assert cantstop.bust_odds(line[-1].state) > 0

    def test_a_runner_starts_in_column_4_and_another_goes_on_in_6(self):
        assert [(event.column, event.start) for event in only("cantstop", 3, cantstop.Climbed)] == [
            (4, 0),
            (6, 1),
        ]

    def test_column_8_is_the_third(self):
        assert only("cantstop", 4, cantstop.Claimed) == [cantstop.Claimed(0, 8)]
        (outcome,) = end("cantstop")
        assert outcome.scores[0] == 3


def test_a_throw_is_given_by_its_faces():
    (line,) = introduction.played("aces")[0].lines.values()
    before = aces.play(introduction.played("aces")[0].before.state, aces.ROLL).state
    assert line[-1] == aces.play(before, Roll((1, 2, 5, 3, 4)))


@pytest.mark.django_db
class TestThePage:
    def test_introduction_page_has_board_and_lessons(self, client):
        page = client.get("/rules/kalah/try").content.decode()
        position = json.loads(re.search(r'<script id="position"[^>]*>(.*?)</script>', page)[1])
        assert [len(each["lines"]) for each in position["lessons"]] == [1, 1, 1, 1]
        assert position["lessons"][0]["task"] in page.replace("&#x27;", "'")
        assert position["names"] == ["You", "Opponent"]

    def test_introduction_page_linked_from_rules(self, client):
        assert 'href="/rules/aces/try"' in client.get("/rules/aces").content.decode()

    def test_introduction_page_of_unknown_game_not_found(self, client):
        assert client.get("/rules/chess/try").status_code == 404
