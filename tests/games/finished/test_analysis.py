"""Analyses: pure sums over looks, then which positions are looked at, then the page and its file."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from math import isclose, sqrt
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.html import strip_tags
from hypothesis import given
from hypothesis import strategies as st

from games.bots.base import Evaluation, MoveEvaluation
from games.domain import codec
from games.domain.analysis import Played, Summary, analyse, positions
from games.domain.match_actions import Act
from games.domain.record import Entry, move_numbers
from games.finished import analysis_words, archive, reviews
from games.finished.analysis_chart import chart, flags
from games.finished.reviews import TooManyAnalyses
from games.models import Match, Ply
from games.net.limits import Buckets
from games.registry import GAMES
from games.rules.base import Leave, Outcome
from games.store import analysis_queue
from lobby.tokens import tokens
from tests.helpers import thinking
from tests.helpers.finished import at_random, begun, play, won

DOCUMENT = (Path(__file__).parents[3] / "docs" / "explanation" / "analysis.md").read_text()
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FIRST_WON, DRAWN, NOBODY = Outcome((0,), "won"), Outcome((0, 1), "drawn"), Outcome((), "aborted")


def look(seat, *moves, shares=None, proved=False):
    """A look of two seats; moves are (text, share), (text, share, score) or (text, share, score, spread)."""
    best = moves[0][1]
    shares = shares or ((best, 1 - best) if seat == 0 else (1 - best, best))
    return Evaluation(seat, shares, tuple(MoveEvaluation(*move) for move in moves), proved)


def move(number, seat, text, to_move=True):
    return Played(number, seat, text, None, to_move)


def throw(number, *faces, to_move=True):
    return Played(number, None, "dice", faces, to_move)


# What was better


def test_a_decision_is_compared_with_the_best_there_was():
    looks = {0: look(0, ("3", 0.75, 6), ("1", 0.5, 0)), 1: look(1, ("2", 0.5))}
    analysis = analyse([move(1, 0, "1"), move(2, 1, "2", to_move=False)], looks, 2, FIRST_WON, 2)
    first, second = analysis.decisions
    assert (first.best.move, first.loss, first.points, first.blunder) == ("3", 0.25, 6, True)
    assert (second.loss, second.points, second.blunder) == (0, None, False)
    assert analysis.blunders == (first,)


def test_analyse_only_move_is_no_decision():
    looks = {0: look(0, ("3", 0.75))}
    summary, _ = analyse([move(1, 0, "3", to_move=False)], looks, 2, FIRST_WON, 1).summaries
    assert (summary.decisions, summary.average) == (0, 0)


def test_analyse_unknown_positions_left_out():
    analysis = analyse([move(1, 0, "1"), move(2, 1, "2", to_move=False)], {}, 2, NOBODY, 2)
    assert [decision.loss for decision in analysis.decisions] == [None, None]
    assert analysis.curve == ()
    assert [summary.decisions for summary in analysis.summaries] == [0, 0]


def test_a_move_that_todays_rules_do_not_know_is_not_judged():
    (decision,) = analyse([move(1, 0, "9")], {0: look(0, ("3", 0.75))}, 2, NOBODY, 1).decisions
    assert (decision.played, decision.loss, decision.blunder) == (None, None, False)


def test_a_move_that_counts_fewer_points_and_wins_as_surely_loses_no_share():
    looks = {0: look(0, ("3", 1.0, 10), ("1", 1.0, 2), proved=True)}
    (decision,) = analyse([move(1, 0, "1", to_move=False)], looks, 2, FIRST_WON, 1).decisions
    assert (decision.loss, decision.points, decision.blunder) == (0, 8, False)


def test_the_average_is_of_what_was_given_away_a_decision():
    looks = {0: look(0, ("a", 0.5), ("b", 0.3)), 1: look(0, ("a", 0.4), ("b", 0.1))}
    analysis = analyse([move(1, 0, "b"), move(2, 0, "a", to_move=False)], looks, 2, NOBODY, 2)
    assert isclose(analysis.summaries[0].average, 0.1)
    assert analysis.summaries[0].blunders == 1


# Who stood how


def test_the_curve_goes_from_look_to_look_and_ends_with_the_result():
    looks = {0: look(0, ("1", 0.5)), 1: look(1, ("2", 0.25), proved=True)}
    analysis = analyse([move(1, 0, "1"), move(2, 1, "2", to_move=False)], looks, 2, FIRST_WON, 2)
    assert [(each.ply, each.shares, each.proved) for each in analysis.curve] == [
        (0, (0.5, 0.5), False),
        (1, (0.75, 0.25), True),
        (2, (1.0, 0.0), True),
    ]


def test_the_result_waits_for_what_leads_to_it():
    line = [move(1, 0, "1"), move(2, 1, "2", to_move=False)]
    analysis = analyse(line, {0: look(0, ("1", 0.5))}, 2, FIRST_WON, 2)
    assert [each.ply for each in analysis.curve] == [0]


def test_a_match_that_counts_for_nobody_has_no_result_to_show():
    analysis = analyse([move(1, 0, "1")], {0: look(0, ("1", 0.5))}, 2, NOBODY, 2)
    assert [each.ply for each in analysis.curve] == [0]


def test_a_draw_is_half_a_win_each():
    analysis = analyse([move(1, 0, "1", to_move=False)], {0: look(0, ("1", 0.7))}, 2, DRAWN, 1)
    assert analysis.curve[-1].shares == (0.5, 0.5)


def test_the_positions_are_those_in_which_somebody_was_to_move():
    line = [move(1, 0, "roll", to_move=False), throw(2, 3, 4), move(3, 0, "7", to_move=False)]
    assert positions(line, start=True) == [0, 2]


# What decided


def test_the_moments_are_the_three_largest_swings_in_the_order_of_play():
    lost = [0.05, 0.3, 0.0, 0.5, 0.1, 0.4]
    looks = {number: look(number % 2, ("a", 0.55), ("b", 0.55 - each)) for number, each in enumerate(lost)}
    looks[len(lost)] = look(0, ("a", 0.5))
    line = [move(number + 1, number % 2, "b") for number in range(len(lost))]
    analysis = analyse(line, looks, 2, NOBODY, len(line))
    assert [moment.decision.ply for moment in analysis.moments] == [2, 4, 6]
    assert [round(moment.swing, 2) for moment in analysis.moments] == [0.3, 0.5, 0.4]
    first = analysis.moments[0]
    assert (first.seat, first.before, round(first.after, 2)) == (1, 0.55, 0.25)


def test_a_better_estimate_of_the_next_position_is_no_moment():
    looks = {0: look(0, ("a", 1.0), ("b", 1.0)), 1: look(1, ("a", 1.0, None), proved=True)}
    line = [move(1, 0, "a"), move(2, 1, "a", to_move=False)]
    assert analyse(line, looks, 2, Outcome((1,), "won"), 2).moments == ()


def test_a_moment_goes_from_the_best_move_to_the_one_played():
    looks = {0: look(0, ("a", 0.7), ("b", 0.6)), 1: look(1, ("a", 0.9))}
    (moment,) = analyse([move(1, 0, "b"), move(2, 1, "a")], looks, 2, NOBODY, 2).moments
    assert (moment.seat, moment.before, moment.after) == (0, 0.7, 0.6)


def test_a_throw_belongs_to_the_decision_that_threw_it():
    line = [move(1, 0, "roll", to_move=False), throw(2, 5), move(3, 1, "stop")]
    looks = {
        0: look(0, ("roll", 0.5), ("stop", 0.4)),
        2: look(1, ("roll", 0.2), ("stop", 0.1)),
        3: look(0, ("stop", 0.9)),
    }
    moments = analyse(line, looks, 2, NOBODY, 3).moments
    assert [moment.decision.ply for moment in moments] == [1, 3]
    assert moments[0].decision.faces == (5,)


def test_moments_of_many_seats_name_largest_change():
    looks = {
        0: Evaluation(0, (0.4, 0.3, 0.3), (MoveEvaluation("roll", 0.4),)),
        2: Evaluation(1, (0.45, 0.05, 0.5), (MoveEvaluation("roll", 0.05),)),
    }
    line = [move(1, 0, "roll", to_move=False), throw(2, 5)]
    (moment,) = analyse(line, looks, 3, NOBODY, 2).moments
    assert (moment.seat, moment.before, moment.after) == (1, 0.3, 0.05)


def test_resigning_is_no_moment_that_was_played():
    line = [move(1, 0, "a"), Played(2, 1, "left:1:resigned", None, False, True)]
    looks = {0: look(0, ("a", 0.5)), 1: look(1, ("a", 0.5))}
    assert analyse(line, looks, 2, FIRST_WON, 2).moments == ()


def test_numbers_over_the_curve_do_not_hide_each_other():
    assert [(flag.number, flag.x, flag.row) for flag in flags([10, 12, 40], 50)] == [
        (1, 20.0, 0),
        (2, 24.0, 1),
        (3, 80.0, 0),
    ]


# Luck


def test_a_throw_is_worth_what_it_brought_beyond_what_was_expected():
    line = [move(1, 0, "roll", to_move=False), throw(2, 5), move(3, 0, "stop", to_move=False)]
    looks = {0: look(0, ("roll", 0.5, None, 0.2), ("stop", 0.45)), 2: look(0, ("stop", 0.8))}
    first, second = analyse(line, looks, 2, NOBODY, 3).decisions
    assert isclose(first.luck, 0.3)
    assert (first.faces, second.luck) == ((5,), None)


def test_luck_of_throw_that_passes_turn_is_throwers():
    line = [move(1, 0, "roll", to_move=False), throw(2, 1), move(3, 1, "roll", to_move=False)]
    looks = {0: look(0, ("roll", 0.5)), 2: look(1, ("roll", 0.7))}
    assert isclose(analyse(line, looks, 2, NOBODY, 3).decisions[0].luck, -0.2)


def test_the_throw_that_ends_a_match_is_measured_by_the_result():
    line = [move(1, 0, "roll", to_move=False), throw(2, 1, to_move=False)]
    analysis = analyse(line, {0: look(0, ("roll", 0.9))}, 2, FIRST_WON, 2)
    assert isclose(analysis.decisions[0].luck, 0.1)


def test_the_last_throw_of_a_match_that_went_on_without_a_look_is_not_understood():
    line = [
        move(1, 0, "roll", to_move=False),
        throw(2, 1),
        Played(3, 0, "left:0:resigned", None, False, True),
    ]
    (decision,) = analyse(line, {0: look(0, ("roll", 0.9))}, 2, Outcome((1,), "resigned"), 3).decisions
    assert decision.luck is None


def test_the_band_adds_the_squares_of_the_throws():
    line = [
        *(move(1, 0, "roll", to_move=False), throw(2, 1)),
        *(move(3, 0, "roll", to_move=False), throw(4, 1)),
    ]
    looks = {number: look(0, ("roll", 0.5, None, 0.3 if number else 0.4)) for number in (0, 2, 4)}
    summary, other = analyse(line, looks, 2, NOBODY, 4).summaries
    assert (summary.throws, other.throws, other.band) == (2, 0, 0)
    assert isclose(summary.band, sqrt(0.3**2 + 0.4**2))


eighths = st.integers(0, 64).map(lambda number: number / 64)
turns = st.lists(st.tuples(st.integers(0, 1), eighths, eighths, st.booleans()), min_size=1, max_size=30)


@given(start=eighths, turns=turns, first_wins=st.booleans())
def test_losses_and_luck_sum_to_change_of_shares(start, turns, first_wins):
    """Where looks agree with each other, nothing of the way from the start to the result is left over."""
    line, looks, value, number = [], {}, start, 0
    for index, (seat, kept, thrown, with_dice) in enumerate(turns):
        last = index == len(turns) - 1
        best = value if seat == 0 else 1 - value
        share = best * kept
        looks[number] = look(seat, ("best", best), ("played", share), shares=(value, 1 - value))
        line.append(move(number + 1, seat, "played", to_move=not (with_dice or last)))
        after = (1.0 if (seat == 0) == first_wins else 0.0) if last else thrown if with_dice else share
        number += 1
        if with_dice or last:
            line.append(throw(number + 1, 1, to_move=not last))
            number += 1
        value = after if seat == 0 else 1 - after
    outcome = Outcome((0,) if first_wins else (1,), "won")
    mine, theirs = analyse(line, looks, 2, outcome, number).summaries
    way = (mine.luck - mine.lost) - (theirs.luck - theirs.lost)
    assert isclose(way, (1.0 if first_wins else 0.0) - start, abs_tol=1e-9)


# The picture


def test_chart_of_two_seats_has_one_line_and_area():
    looks = {0: look(0, ("1", 0.5)), 1: look(1, ("2", 0.25))}
    line = [move(1, 0, "1"), move(2, 1, "2", to_move=False)]
    drawn = chart(analyse(line, looks, 2, FIRST_WON, 2).curve, 2)
    assert [trace.points for trace in drawn.traces] == ["0.0,50.0 500.0,25.0 1000.0,0.0"]
    assert drawn.area == "0.0,100.0 0.0,50.0 500.0,25.0 1000.0,0.0 1000.0,100.0"
    assert drawn.above == "0.0,0.0 0.0,50.0 500.0,25.0 1000.0,0.0 1000.0,0.0"


def test_chart_of_many_seats_has_one_dashed_line_each():
    shares = (0.5, 0.25, 0.25)
    looks = {number: Evaluation(0, shares, (MoveEvaluation("1", 0.5),)) for number in (0, 1)}
    drawn = chart(analyse([move(1, 0, "1")], looks, 3, NOBODY, 1).curve, 1)
    assert len({trace.dashes for trace in drawn.traces}) == 3
    assert (drawn.area, drawn.above) == ("", "")


def test_chart_marks_proved_stretches():
    looks = {n: look(0, ("1", 0.5), proved=n in (1, 2, 4)) for n in range(5)}
    line = [move(number, 0, "1") for number in range(1, 5)]
    drawn = chart(analyse(line, looks, 2, NOBODY, 4).curve, 4)
    assert [(stretch.x, stretch.width) for stretch in drawn.proved] == [(250, 250)]


def test_a_curve_that_is_not_complete_leaves_room_for_the_rest():
    looks = {0: look(0, ("1", 0.5)), 1: look(1, ("2", 0.25))}
    drawn = chart(analyse([move(1, 0, "1"), move(2, 1, "2")], looks, 2, FIRST_WON, 4).curve, 4)
    assert drawn.traces[0].points == "0.0,50.0 250.0,25.0"
    # Beyond it neither has a share.
    assert drawn.area.endswith(" 250.0,100.0")
    assert drawn.above.endswith(" 250.0,0.0")


def test_one_point_makes_no_picture():
    assert chart(analyse([], {0: look(0, ("1", 0.5))}, 2, NOBODY, 1).curve, 1) is None


# In words

GAME = next(game for game in GAMES.values() if game.unit)
PLAIN = next(game for game in GAMES.values() if not game.unit)
DICE = next(game for game in GAMES.values() if game.dice)


@pytest.mark.parametrize(
    ("prospect", "proved", "words"),
    [
        (MoveEvaluation("3", 0.62), False, "62 %"),
        (MoveEvaluation("3", 1.0, 4), False, "100 %"),
        (MoveEvaluation("3", 1.0, 4), True, f"wins by {GAME.unit[1] % 4}"),
        (MoveEvaluation("3", 1.0, 1), True, f"wins by {GAME.unit[0] % 1}"),
        (MoveEvaluation("3", 0.0, -4), True, f"loses by {GAME.unit[1] % 4}"),
        (MoveEvaluation("3", 0.5, 0), True, "draws"),
        (MoveEvaluation("3", 1.0), True, "wins"),
        (MoveEvaluation("3", 0.0), True, "loses"),
    ],
)
def test_move_worth_in_words(prospect, proved, words):
    assert analysis_words.worth(GAME, prospect, proved=proved) == words


@pytest.mark.parametrize(
    ("decisions", "words"),
    [
        (0, "had no choices"),
        (1, "gave away 28.7 % of the chance to win, in 1 decision"),
        (14, "gave away 28.7 % of the chance to win on average, in 14 decisions"),
    ],
)
def test_average_loss_in_words(decisions, words):
    summary = Summary(0, decisions, 0.287 * decisions, 0, 0, 0.0, 0.0)
    assert analysis_words.average(summary) == words


def test_a_share_is_written_as_its_readers_write_numbers():
    with translation.override("ru"):
        assert "28,7\N{NO-BREAK SPACE}%" in analysis_words.average(Summary(0, 14, 0.287 * 14, 0, 0, 0.0, 0.0))


def test_a_gain_and_a_loss_have_their_signs():
    assert [analysis_words.signed(share) for share in (0.121, -0.03, 0.001)] == ["+12 %", "−3 %", "0 %"]


# Which positions


@pytest.fixture
def match(ulno, artjom):
    return won([ulno, artjom], game=GAME.slug)


def know(match, *, score=4):
    return thinking.know([0.75, 0.25], False, score)


@pytest.mark.django_db
def test_every_position_of_a_match_is_asked_for_once(match):
    record = archive.record(match.pk)
    reviews.ask(record, NOW)
    asked = analysis_queue.asked_for(match.pk)
    # All but the last, after which somebody has resigned.
    assert asked == set(range(match.plies.count()))
    reviews.ask(record, NOW)
    assert len(analysis_queue.take(NOW, 100, timedelta(1))) == len(asked)


@pytest.mark.django_db
def test_review_skips_plies_taken_back(ulno, artjom):
    match = begun([ulno, artjom])
    play(match, "1")
    back = Act("back", 0, 0)
    last = match.plies.get()
    Ply.objects.create(
        match=match, number=2, seat=0, action=str(back), events="[]", state=match.start, at=last.at
    )
    play(match, "2", Leave(1))
    reviews.ask(archive.record(match.pk), NOW)
    assert analysis_queue.asked_for(match.pk) == {0, 3}
    know(match)
    decisions = reviews.review(archive.record(match.pk)).analysis.decisions
    assert [(decision.ply, decision.after, decision.text) for decision in decisions] == [(3, 0, "2")]


@pytest.mark.django_db
def test_a_draw_by_agreement_leaves_a_position_to_look_at(ulno, artjom):
    match = play(begun([ulno, artjom]), "1", Act("agreed", 0))
    reviews.ask(archive.record(match.pk), NOW)
    assert analysis_queue.asked_for(match.pk) == {0, 1}
    know(match)
    assert [each.ply for each in reviews.review(archive.record(match.pk)).analysis.curve] == [0, 1, 2]


@pytest.mark.django_db
def test_review_of_long_match_covers_last_positions(match, monkeypatch):
    monkeypatch.setattr(reviews, "MOST_POSITIONS", 2)
    record = archive.record(match.pk)
    reviews.ask(record, NOW)
    last = match.plies.count() - 1
    assert analysis_queue.asked_for(match.pk) == {last - 1, last}
    assert reviews.review(record).left_out == last - 1


@pytest.mark.django_db
def test_review_requests_limited_by_waiting_matches(match, ulno, artjom, monkeypatch):
    monkeypatch.setattr(reviews, "MOST_WAITING", 1)
    reviews.ask(archive.record(match.pk), NOW)
    other = archive.record(won([ulno, artjom]).pk)
    with pytest.raises(TooManyAnalyses):
        reviews.ask(other, NOW)
    # What waits already may be asked for by others too.
    reviews.ask(archive.record(match.pk), NOW)
    know(match)
    reviews.ask(other, NOW)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
def test_every_game_can_be_analysed_from_beginning_to_end(slug, ulno, artjom):
    record = archive.record(at_random([ulno, artjom], slug, 12).pk)
    reviews.ask(record, NOW)
    thinking.think()
    review = reviews.review(record)
    assert review.complete
    assert review.analysis.decisions
    assert all(decision.loss is not None for decision in review.analysis.decisions)
    assert bool(sum(summary.throws for summary in review.analysis.summaries)) == GAMES[slug].dice
    assert analysis_words.rows(record, review.analysis)


# The page


@pytest.fixture(autouse=True)
def _nobody_has_asked(monkeypatch):
    monkeypatch.setattr(reviews, "askings", Buckets(rate=1, burst=100))


def page_of(client, match, status=200):
    answer = client.get(f"/m/{match.pk}/analysis")
    assert answer.status_code == status
    return answer.content.decode()


@pytest.mark.django_db
def test_a_match_is_analysed_once_somebody_asks(client, match):
    assert "Analyse this match" in page_of(client, match)
    answer = client.post(f"/m/{match.pk}/analysis")
    assert (answer.status_code, answer["Location"]) == (302, f"/m/{match.pk}/analysis")
    page = page_of(client, match)
    assert 'aria-busy="true"' in page
    assert f"0 of {match.plies.count()} positions" in page
    know(match)
    page = page_of(client, match)
    assert 'aria-busy="false"' in page
    assert "<svg" in page
    assert page.count('scope="row"') == match.plies.count() - 1


@pytest.mark.django_db
def test_a_blunder_is_named_in_the_points_of_the_game(client, match):
    reviews.ask(archive.record(match.pk), NOW)
    for wanted in analysis_queue.take(datetime.now(UTC), 100, timedelta(1)):
        moves = (MoveEvaluation("6", 0.75, 6), MoveEvaluation("1", 0.25, 0))
        seat = json.loads(wanted.state)["turn"]
        analysis_queue.store(wanted, Evaluation(seat, (0.5, 0.5), moves))
    assert f"1: 6 was {GAME.unit[1] % 6} better" in strip_tags(page_of(client, match))


@pytest.mark.django_db
def test_the_page_is_led_by_what_decided(client, match):
    reviews.ask(archive.record(match.pk), NOW)
    assert "appear when the analysis is done" in page_of(client, match)
    for number, wanted in enumerate(analysis_queue.take(datetime.now(UTC), 100, timedelta(1))):
        seat = json.loads(wanted.state)["turn"]
        share = 0.9 if number % 3 == 2 else 0.5
        moves = (MoveEvaluation("6", 0.75, 6), MoveEvaluation("1", 0.25, 0))
        analysis_queue.store(wanted, Evaluation(seat, (share, 1 - share), moves))
    page = page_of(client, match)
    shown = [int(ply) for ply in re.findall(r'data-moment="(\d+)"', page)]
    assert shown == [
        moment.decision.ply for moment in reviews.review(archive.record(match.pk)).analysis.moments
    ]
    assert page.index("data-moment") < page.index("analysis-chart") < page.index('<details class="card')
    assert not re.search(r"<details[^>]* open", page)


@pytest.mark.django_db
def test_unfinished_analysis_shows_no_totals(client, match):
    reviews.ask(archive.record(match.pk), NOW)
    wanted, *rest = analysis_queue.take(datetime.now(UTC), 100, timedelta(1))
    seat = json.loads(wanted.state)["turn"]
    evaluation = Evaluation(seat, (0.5, 0.5), (MoveEvaluation("6", 0.75, 6), MoveEvaluation("1", 0.25, 0)))
    analysis_queue.store(wanted, evaluation)
    page = page_of(client, match)
    assert rest
    assert 'id="moves-title"' in page
    for part in ("balance-title", 'id="mistakes"', "None so far"):
        assert part not in page
    assert "analysis-skeleton" in page


@pytest.mark.django_db
@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.pure_luck])
def test_analysis_of_pure_luck_shows_luck_of_each_roll(slug, client, ulno, artjom):
    match = at_random([ulno, artjom], slug, 12)
    assert "Show the luck" in page_of(client, match)
    reviews.ask(archive.record(match.pk), NOW)
    thinking.think()
    page = page_of(client, match)
    assert "How lucky were you?" in page
    assert "Luck" in page
    for words in ("Mistakes", "had no choices", "looks for mistakes"):
        assert words not in page


@pytest.mark.django_db
def test_moment_of_game_without_points_in_per_cent(client, ulno, artjom):
    match = won([ulno, artjom], game=PLAIN.slug)
    first = match.plies.get(number=1).action
    reviews.ask(archive.record(match.pk), NOW)
    for wanted in analysis_queue.take(datetime.now(UTC), 100, timedelta(1)):
        seat = json.loads(wanted.state)["turn"]
        analysis_queue.store(
            wanted, Evaluation(seat, (0.5, 0.5), (MoveEvaluation("d6-d5", 0.68), MoveEvaluation(first, 0.5)))
        )
    assert "1: d6-d5 was 18 % better" in strip_tags(page_of(client, match))


@pytest.mark.django_db
def test_rolling_and_stopping_are_said_as_players_say_them(client, ulno, artjom):
    match = at_random([ulno, artjom], DICE.slug, 8)
    reviews.ask(archive.record(match.pk), NOW)
    for number, wanted in enumerate(analysis_queue.take(datetime.now(UTC), 100, timedelta(1))):
        seat, share = json.loads(wanted.state)["turn"], 0.6 if number else 0.1
        moves = (MoveEvaluation("stop", 0.8), MoveEvaluation("roll", 0.5))
        analysis_queue.store(wanted, Evaluation(seat, (share, 1 - share), moves))
    page = strip_tags(page_of(client, match))
    faces = " ".join(map(str, json.loads(match.plies.get(number=2).dice)))
    assert f"rolled: {faces}." in page
    assert "1: Stopping was 30 % better." in page


@pytest.mark.django_db
def test_a_match_that_is_played_is_not_analysed(client, ulno, artjom):
    match = begun([ulno, artjom])
    assert "not over" in page_of(client, match, 409)
    assert client.post(f"/m/{match.pk}/analysis").status_code == 409
    answer = client.get(f"/m/{match.pk}/analysis.json")
    assert (answer.status_code, answer.json()["code"]) == (409, "not-over")
    assert analysis_queue.asked_for(match.pk) == set()


@pytest.mark.django_db
def test_a_match_among_its_players_is_analysed_for_them_alone(client, match, ulno):
    Match.objects.update(watchable=False)
    assert client.post(f"/m/{match.pk}/analysis").status_code == 403
    assert client.get(f"/m/{match.pk}/analysis.json").json()["code"] == "players-only"
    client.force_login(ulno)
    assert "Analyse this match" in page_of(client, match)


@pytest.mark.django_db
def test_a_match_that_there_is_not(client):
    assert client.get("/m/nothing/analysis").status_code == 404


@pytest.mark.django_db
def test_analysis_request_refused_when_queue_full(client, match, monkeypatch):
    monkeypatch.setattr(reviews, "MOST_WAITING", 0)
    answer = client.post(f"/m/{match.pk}/analysis")
    assert answer.status_code == 429
    assert "Too many matches are waiting" in answer.content.decode()


@pytest.mark.django_db
def test_analysis_requests_limited_by_rate(client, match, monkeypatch):
    monkeypatch.setattr(reviews, "askings", Buckets(rate=0.001, burst=1))
    statuses = [client.post(f"/m/{match.pk}/analysis").status_code for _ in range(2)]
    assert statuses == [302, 429]


@pytest.mark.django_db
def test_programs_ask_within_the_same_limits(client, match, ulno, monkeypatch):
    monkeypatch.setattr(reviews, "askings", Buckets(rate=0.001, burst=2))
    token = tokens.make(ulno, "x", ["read"])

    def ask(address):
        return client.post(
            f"/api/v1/matches/{match.pk}/analysis",
            HTTP_AUTHORIZATION=f"Bearer {token}",
            REMOTE_ADDR=address,
        )

    answers = [ask(f"192.0.2.{number}") for number in range(3)]
    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert (answers[2].json()["code"], int(answers[2]["Retry-After"]) > 0) == ("too-fast", True)
    # Pages of the same address count, too.
    assert [
        client.post(f"/m/{match.pk}/analysis", REMOTE_ADDR="192.0.2.1").status_code for _ in range(2)
    ] == [
        302,
        429,
    ]


@pytest.mark.django_db
def test_a_finished_match_leads_to_its_analysis(client, match):
    assert f"/m/{match.pk}/analysis" in client.get(f"/m/{match.pk}").content.decode()


@pytest.mark.django_db
def test_every_position_can_be_had_for_the_board(client, match, ulno, artjom):
    positions = client.get(f"/m/{match.pk}/positions.json").json()["positions"]
    assert [each["ply"] for each in positions] == list(range(match.plies.count() + 1))
    assert positions[0]["state"] == json.loads(match.start)
    assert positions[1]["events"]
    assert client.get(f"/m/{begun([ulno, artjom]).pk}/positions.json").status_code == 409


def test_moves_are_numbered_as_in_the_move_list():
    def entry(number, seat, text, dice=None):
        return Entry(number, seat, text, dice, NOW, None)

    plies = [
        entry(1, 0, "1"),
        entry(2, None, "roll", (3,)),
        entry(3, 0, "2"),
        entry(4, 1, "3"),
        entry(5, 1, "back:1:3"),
        entry(6, 1, "4"),
        entry(7, 0, codec.action_text(Leave(0, "resigned"))),
    ]
    assert move_numbers(plies) == {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 7: 3}


@pytest.mark.django_db
def test_the_board_knows_what_may_be_played_in_each_position(client, match):
    first = client.get(f"/m/{match.pk}/positions.json").json()["positions"][0]
    rules = GAMES[match.game].rules
    assert (first["move"], first["legal"]) == (
        0,
        [str(each) for each in rules.legal_moves(archive.record(match.pk).start)],
    )


# Another move


@pytest.fixture
def judged(client, match):
    """What the page is told of a move at the start, where the one of the match is neither best nor worst."""
    played = match.plies.get(number=1).action
    best, equal, between = [move for move in "123456" if move != played][:3]
    worst = next(move for move in "654321" if move not in (played, best, equal, between))
    moves = [
        (best, 0.8, None),
        (equal, 0.8, None),
        (between, 0.5, None),
        (played, 0.3, None),
        (worst, 0.1, None),
    ]
    reviews.ask(archive.record(match.pk), NOW)
    for wanted in analysis_queue.take(NOW + timedelta(1), 100, timedelta(1)):
        if wanted.ply == 0:
            analysis_queue.store(wanted, look(0, *moves))
    names = {"best": best, "equal": equal, "between": between, "played": played, "worst": worst}
    return lambda name: client.get(f"/m/{match.pk}/analysis/0/moves/{names.get(name, name)}")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "best", "words"),
    [
        ("best", True, "The best move. Expected: 80 %."),
        ("equal", True, "The best move. Expected: 80 %."),
        ("between", False, "Better than in the match. Expected: 50 %. The best move: 80 %."),
        ("played", False, "This was played in the match. Expected: 30 %. The best move: 80 %."),
        ("worst", False, "There is a better move. Expected: 10 %. The best move: 80 %."),
    ],
)
def test_another_move_is_judged_by_what_is_stored(judged, name, best, words):
    answer = judged(name).json()
    assert (answer["best"], answer["words"]) == (best, words)
    assert answer["ply"]["number"] == 1
    assert answer["ply"]["events"]


@pytest.mark.django_db
def test_move_verdict_invalid_or_not_analysed_refused(client, judged, match):
    assert judged("nothing").status_code == 422
    for after in (1, 10**30):
        answer = client.get(f"/m/{match.pk}/analysis/{after}/moves/1")
        assert (answer.status_code, answer.json()["code"]) == (409, "not-analysed")


# The file


def shape(value):
    """The keys of an object and of what is in it, whatever the values are."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [shape(value[0])]
    return None


@pytest.mark.django_db
def test_the_file_has_the_shape_of_the_document(client, match):
    reviews.ask(archive.record(match.pk), NOW)
    know(match)
    file = client.get(f"/m/{match.pk}/analysis.json").json()
    (example,) = re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)
    assert shape(file) == shape(json.loads(example))
    assert (file["asked"], file["known"]) == (True, file["positions"])
