"""The text score: who, what and how it ended, then the turns as people write them."""

from random import Random

import pytest
from django.utils import translation

from games.domain import match_actions
from games.domain.match_actions import Act
from games.domain.position import Position, of_notation
from games.finished.scoresheet import WIDTH, result, score
from games.registry import GAMES
from games.rules.base import ENDED, Leave, Outcome
from tools.harness.recorded import Recorder, eventful

DICED = next(game for game in GAMES.values() if game.dice)
COUNTED = next(game for game in GAMES.values() if game.unit)
DRAWS = next(game for game in GAMES.values() if game.draws)
FOR_MANY = next(game for game in GAMES.values() if game.rules.SEATS[-1] > 2)


def head_and_body(match: Recorder) -> tuple[dict[str, str], list[str]]:
    head, body = score(match.record()).split("\n\n")
    lines = [line.partition(": ") for line in head.splitlines() if not line.startswith(" ")]
    return {label: words.strip() for label, _, words in lines}, body.splitlines()


def running(game=DRAWS, plies=3):
    return Recorder(game).play_on(Random(1), plies)


def test_the_header_says_who_played_what_and_how_it_ended():
    match = running()
    match.play(Leave(1), 1)
    head, _ = head_and_body(match)
    assert head["Game"] == DRAWS.title
    assert head["Match"] == "k7fw2mz9xq, rated"
    assert head["Date"] == "2026-03-01 12:00 – 2026-03-01 12:00 UTC"
    assert (head["Seat 1"], head["Seat 2"]) == ("Player 1", "Player 2")
    assert head["Clock"] == "5 minutes + 3 seconds per move"
    assert head["Result"].startswith("Won by Player 1 (by resignation)")


def test_the_header_says_at_which_position_the_match_began():
    began = running(plies=4).state
    head, _ = head_and_body(Recorder(DRAWS, start=began).play_on(Random(1)))
    assert head["Match"] == "k7fw2mz9xq, casual"
    assert head["Position"] == str(Position(DRAWS, began, 2))
    assert "Position" not in head_and_body(running(plies=10**6))[0]


def test_the_header_has_the_match_as_other_programs_write_it():
    game = GAMES["morris"]
    match = Recorder(game).play_on(Random(1), 12)
    state = match.state
    match.play(Leave(1), 1)
    head, _ = head_and_body(match)
    assert of_notation(game, "sanmill", head["Sanmill"]).state == state
    small = Recorder(game, start=game.rules.setup(game.rules.PRESETS["six"], 2)).play_on(Random(1))
    assert "Sanmill" not in head_and_body(small)[0]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_result_header_has_reason_in_words(game):
    match = Recorder(game).play_on(Random(2))
    head, _ = head_and_body(match)
    assert f" ({game.endings[match.record().outcome.reason]})" in head["Result"]


def test_each_score_stands_with_its_name():
    reason, words = next(iter(COUNTED.endings.items()))
    outcome = Outcome((0,), reason, (22, 14))
    assert result(COUNTED, outcome, ["Ada", "Ben"]) == f"Won by Ada ({words}). Ada: 22, Ben: 14"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_every_ply_stands_in_the_score_in_its_order(game):
    match = Recorder(game).play_on(Random(2))
    _, body = head_and_body(match)
    plies = " ".join(line[line.index("Player ") + 10 :] if "Player" in line else line for line in body)
    written = [f"[{' '.join(map(str, e.dice))}]" if e.dice else e.text for e in match.entries]
    assert plies.split() == " ".join(written).split()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_turns_are_numbered_and_lines_are_not_too_long(game):
    _, body = head_and_body(eventful(game, None, game.rules.SEATS[-1], Random(2)))
    numbers = [int(line.split(".")[0]) for line in body if not line.startswith("      ")]
    assert numbers == list(range(1, len(numbers) + 1))
    assert max(map(len, body)) <= WIDTH


@pytest.mark.parametrize(("language", "roll"), [("en", "roll"), ("ru", "бросить"), ("et", "viska")])
def test_moves_that_are_words_are_written_in_the_language_of_the_reader(language, roll):
    match = running(DICED)
    match.play(Leave(0), 0)
    with translation.override(language):
        first = score(match.record()).split("\n\n")[1].splitlines()[0]
    assert f"  {roll} [" in first


def test_throws_stand_with_the_turn_of_who_threw():
    match = running(DICED)
    match.play(Leave(0), 0)
    assert "[" in head_and_body(match)[1][0]


@pytest.mark.parametrize(
    ("kind", "result"),
    [
        (match_actions.ABORTED, "Aborted (no result)"),
        (match_actions.AGREED, "Draw (by agreement)"),
        (match_actions.ABANDONED, "Draw (by abandonment)"),
    ],
)
def test_result_header_has_match_action_in_words(kind, result):
    match = running()
    match.play(Act(kind, 1), 1)
    head, body = head_and_body(match)
    assert head["Result"].partition(". ")[0] == result
    assert "Player 2" in body[-1]
    assert f"{kind}:" not in body[-1]


def test_a_match_ended_as_it_stood():
    match = Recorder(FOR_MANY, None, 3).play_on(Random(1), 9)
    match.play(Act(ENDED, 2), 0)
    assert head_and_body(match)[1][-1].endswith("Ended early by agreement, as Player 3 proposed.")


def test_a_take_back_says_what_was_taken_back():
    match = running(DRAWS, 1)
    move = match.entries[0].text
    assert match.take_back(0)
    match.play(Leave(0, "time"), 0)
    assert head_and_body(match)[1] == [
        f"1. Player 1  {move}",
        f"2. Player 1 took back “{move}” of turn 1 and everything after it.",
        "3. Player 1 ran out of time.",
    ]


@pytest.mark.parametrize("kind", [match_actions.PAUSED, match_actions.SAVED, match_actions.CARETAKER])
def test_moves_have_match_actions_in_words(kind):
    match = running()
    match.play(Act(kind, 0), 1)
    match.play(
        Act(match_actions.RECLAIMED if kind == match_actions.CARETAKER else match_actions.RESUMED, 0), 0
    )
    match.play(Leave(0, "abandoned"), 1)
    sentences = head_and_body(match)[1][-3:]
    assert all("Player 1" in sentence and ":" not in sentence for sentence in sentences)
