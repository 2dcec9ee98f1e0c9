"""Signs of engine help: what counts, the statistics, and what a moderator sees."""

from math import comb

import pytest
from django.utils import timezone

from games.bots.base import Evaluation, MoveEvaluation
from games.models import AnalysisTask
from games.rules.base import Leave
from games.store import analysis_queue
from lobby.moderation import agreement, played_choices
from lobby.moderation.agreement import Choice, Tally, compare, tallies, upper_tail
from lobby.ratings.models import Rating, Result
from tests.helpers import finished


def look(*shares, seat=0):
    moves = tuple(MoveEvaluation(f"{number}", share) for number, share in enumerate(shares, 1))
    return Evaluation(seat, (0.5, 0.5), tuple(sorted(moves, key=lambda move: -move.share)))


def test_a_decision_agrees_if_no_move_was_better():
    position = look(0.5, 0.5, 0.2)
    counted = tallies([Choice(text, position, 0.0) for text in ("1", "2", "3")])
    assert counted[0] == Tally(decisions=3, agreed=2)


@pytest.mark.parametrize(
    ("text", "position"),
    [("1", look(0.5)), ("2", look(0.5, 0.5)), ("offer:draw", look(0.5, 0.2))],
    ids=["forced", "all-alike", "no-move"],
)
def test_tally_skips_choices_without_information(text, position):
    assert tallies([Choice(text, position, 0.0)]) == (Tally(), Tally(), Tally())


def test_phases_are_thirds_of_the_match():
    counted = tallies([Choice("1", look(0.9, 0.1), part) for part in (0.0, 0.3, 0.34, 0.99, 1.0)])
    assert [each.decisions for each in counted] == [2, 1, 2]


@pytest.mark.parametrize(("least", "number", "rate"), [(0, 5, 0.3), (3, 5, 0.3), (5, 5, 0.9), (40, 60, 0.5)])
def test_the_tail_is_that_of_the_binomial_distribution(least, number, rate):
    exact = sum(comb(number, k) * rate**k * (1 - rate) ** (number - k) for k in range(least, number + 1))
    assert upper_tail(least, number, rate) == pytest.approx(exact)


def test_a_player_like_the_others_is_no_surprise_and_one_far_above_is():
    peers = [Tally(998, 499)] * 3
    usual = compare([Tally(100, 50)] * 3, peers)
    assert usual.z == pytest.approx(0)
    assert usual.chance == pytest.approx(0.5)
    strange = compare([Tally(100, 80)] * 3, peers)
    # 90 more than the expected 150 of 300 at one half: 90 / sqrt(75) standard deviations.
    assert strange.z == pytest.approx(10.39, abs=0.01)
    assert strange.chance < 1e-20
    assert all(phase.chance < 1e-8 for phase in strange.phases)


def test_compare_with_too_few_decisions_has_no_result():
    found = compare([Tally(10, 10)] * 3, [Tally(agreement.MIN_DECISIONS - 1, 50)] * 3)
    assert (found.z, found.chance) == (None, None)
    assert [phase.chance for phase in found.phases] == [None] * 3


@pytest.mark.django_db
def test_stored_analyses_are_counted_for_the_seat_of_the_player(ulno, artjom):
    match = finished.play(finished.begun([ulno, artjom]), "1", "4")
    rules = {"game": match.game, "family": "circle", "pool": "two"}
    now = timezone.now()
    figures = {"rating": 1500, "deviation": 60, "volatility": 0.06, "matches": 9, "updated": now}
    for user in (ulno, artjom):
        Rating.objects.create(user=user, **rules, **figures)
        Result.objects.create(match=match, user=user, score="won", rated=True, ended=now, **rules)
    analysis_queue.want(match.pk, [0, 1], timezone.now())
    for ply, shares in ((0, (0.9, 0.1)), (1, (0.1, 0.1, 0.1, 0.9))):
        wanted = analysis_queue.Wanted(match.pk, ply, match.game, "", 2, timezone.now())
        mover = match.plies.get(number=ply + 1).seat
        analysis_queue.store(wanted, look(*shares, seat=mover))
    (found,) = played_choices.signs(ulno)
    assert (found.matches, found.matches_of_peers) == (1, 1)
    own = [phase.own for phase in found.comparison.phases]
    theirs = [phase.peers for phase in found.comparison.phases]
    # Of two plies, the first begins the first third, and the second the second.
    assert own == [Tally(1, 1), Tally(), Tally()]
    assert theirs == [Tally(), Tally(1, 1), Tally()]


@pytest.mark.django_db
def test_recent_rated_matches_are_queued_for_analysis(ulno, artjom):
    match = finished.play(finished.begun([ulno, artjom]), "1", Leave(1))
    Result.objects.create(
        match=match,
        user=ulno,
        game=match.game,
        family="circle",
        pool="two",
        score="won",
        rated=True,
        ended=timezone.now(),
    )
    assert played_choices.ask(ulno, timezone.now()) == 1
    assert AnalysisTask.objects.filter(match=match).exists()
