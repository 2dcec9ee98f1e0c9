"""What happens to a match beside its rules: what the texts of plies say, and how far a take-back goes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.domain import codec, match_actions
from games.domain.match_actions import AcrossDice, Act, Logged, MatchFlags, NothingToTakeBack
from games.registry import GAMES
from games.rules.base import ENDED, Leave, Roll

KALAH = GAMES["kalah"].rules
START = KALAH.setup(KALAH.PRESETS["circle"], 2)
CANTSTOP = GAMES["cantstop"].rules

kinds = st.sampled_from([kind for kind in match_actions.KINDS if kind != match_actions.TAKEN_BACK])
some_acts = st.builds(Act, kinds, st.integers(0, 7)) | st.builds(
    Act, st.just(match_actions.TAKEN_BACK), st.integers(0, 7), st.integers(0, 9_999_999)
)


def after(*plies):
    flags = MatchFlags()
    for seat, text in plies:
        flags = flags.after(seat, text)
    return flags


class TestTexts:
    @given(some_acts)
    def test_an_act_is_read_as_it_was_written(self, act):
        assert match_actions.parse(str(act)) == act
        assert len(str(act)) <= 32

    @given(some_acts)
    def test_the_log_knows_it_from_moves_throws_and_departures(self, act):
        assert match_actions.action(KALAH, str(act)) == act
        assert codec.departure(str(act)) is None

    @pytest.mark.parametrize(
        "text", ["back:1", "drawn:0", "paused", "paused:0:3", "paused:12", "left:0:resigned", "1", "PAUSED:0"]
    )
    def test_parse_other_text_is_none(self, text):
        assert match_actions.parse(text) is None

    @pytest.mark.parametrize("action", [KALAH.parse("1"), Roll((1,)), Leave(0), Act(match_actions.PAUSED, 0)])
    def test_is_move_only_for_game_moves(self, action):
        assert match_actions.is_move(action) == (action == KALAH.parse("1"))


class TestMatchFlags:
    def test_flags_empty_at_start(self):
        assert after() == MatchFlags("", frozenset(), frozenset(), frozenset())

    def test_flags_acted_excludes_dice(self):
        assert after((0, "roll"), (None, "dice"), (2, "stop")).acted == {0, 2}

    def test_acts_and_departures_are_no_decisions_in_the_game(self):
        assert after((1, "paused:1"), (0, "left:0:resigned"), (1, "back:1:0")).acted == frozenset()

    def test_flags_halted_until_resumed(self):
        assert after((0, "paused:0")).halted == match_actions.PAUSED
        assert after((0, "saved:0"), (1, "left:1:resigned")).halted == match_actions.SAVED
        assert after((0, "saved:0"), (1, "resumed:0")).halted == ""

    def test_a_bot_plays_for_somebody_until_they_are_back_or_have_left(self):
        assert after((0, "caretaker:2")).caretaken == {2}
        assert after((0, "caretaker:2"), (2, "reclaimed:2")).caretaken == frozenset()
        assert after((0, "caretaker:2"), (2, "left:2:resigned")).caretaken == frozenset()

    def test_flags_remaining_excludes_players_who_left(self):
        assert after((1, "left:1:time")).remaining(3) == (0, 2)


class TestOutcomes:
    def outcome(self, text, state=START, rules=KALAH, remaining=(0, 1)):
        return match_actions.outcome(rules, state, text, remaining)

    def test_moves_and_halts_end_nothing(self):
        assert self.outcome(None) is None
        assert self.outcome("1") is None
        assert self.outcome("saved:0") is None
        assert self.outcome("back:0:0") is None

    def test_an_aborted_match_counts_for_nobody(self):
        assert (self.outcome("aborted:1").winners, self.outcome("aborted:1").reason) == ((), "aborted")

    def test_an_agreed_draw_is_one_with_the_points_as_they_are(self):
        state = KALAH.play(START, KALAH.parse("6")).state
        drawn = self.outcome("agreed:0", state)
        assert (drawn.winners, drawn.reason, drawn.scores) == ((0, 1), "agreed", (1, 0))

    def test_abandoned_match_drawn_by_remaining_player(self):
        assert self.outcome("abandoned:1").winners == (0, 1)

    def test_ended_match_outcome_from_rules_standing(self):
        state = CANTSTOP.play(CANTSTOP.setup(CANTSTOP.Options(), 4), Leave(3)).state
        ended = self.outcome("ended:0", state, CANTSTOP, (0, 1, 2))
        assert (ended.winners, ended.reason) == ((0, 1, 2), ENDED)


class TestTakingBack:
    """Plies are written `seat:text`; chance has no seat."""

    def take_back(self, log, seat):
        line = []
        for number, (mover, _, text) in enumerate((ply.partition(":") for ply in log), 1):
            match_actions.follow(
                line, number, Logged(int(mover) if mover else None, text, text == codec.DICE)
            )
        return match_actions.last_decision(line, seat)

    @pytest.mark.parametrize(
        ("log", "seat", "to"),
        [
            (["0:1"], 0, 0),
            (["0:1", "1:4"], 0, 0),
            (["0:1", "1:4"], 1, 1),
            (["0:3", "0:1", "1:4"], 0, 1),
            (["0:1", "1:4", "0:2", "1:5", "0:back:0:2"], 0, 0),
            (["0:1", "1:4", "0:2", "1:5", "0:back:0:2"], 1, 1),
            (["0:1", "1:4", "1:back:1:1", "1:5"], 1, 3),
            (["0:1", "1:4", "1:saved:1", "0:resumed:0"], 1, 1),
        ],
    )
    def test_goes_before_the_last_decision_of_that_seat(self, log, seat, to):
        assert self.take_back(log, seat) == Act(match_actions.TAKEN_BACK, seat, to)

    @pytest.mark.parametrize(
        ("log", "seat"),
        [
            ([], 0),
            (["0:1"], 1),
            (["0:1", "0:back:0:0"], 0),
            (["0:1", "1:left:1:resigned"], 0),
        ],
    )
    def test_take_back_without_own_move_refused(self, log, seat):
        with pytest.raises(NothingToTakeBack) as refused:
            self.take_back(log, seat)
        assert refused.value.code == "nothing-to-take-back"

    @pytest.mark.parametrize("log", [["0:roll", ":dice"], ["0:6+8", "0:roll", ":dice"]])
    def test_take_back_across_throw_refused(self, log):
        with pytest.raises(AcrossDice) as refused:
            self.take_back(log, 0)
        assert refused.value.code == "across-dice"

    def test_take_back_decision_since_throw(self):
        assert self.take_back(["0:roll", ":dice", "0:6+8"], 0) == Act(match_actions.TAKEN_BACK, 0, 2)
