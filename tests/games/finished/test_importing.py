"""Files of matches: what was written is read again, and nothing that is false is believed."""

import json
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from random import Random
from typing import Any, cast

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.domain import codec, dice, match_actions
from games.domain.match_actions import Act
from games.domain.matchfile import MOST_BYTES, MOST_PLIES, MatchFile
from games.finished import importing
from games.registry import GAMES
from games.rules.base import ENDED, IllegalMove, Leave
from tests.helpers.playout import option_sets
from tests.helpers.samples import sample
from tools.harness.recorded import HAPPENINGS, Recorder, altered, eventful, imported, refusal

SETS = [
    pytest.param(game, options, seats, id=f"{slug}-{name}-{seats}")
    for slug, game in GAMES.items()
    for name, options in option_sets(game.rules, Random(slug), drawn=3)
    for seats in sorted({game.rules.SEATS[0], game.rules.SEATS[-1]})
]
every_set = pytest.mark.parametrize(("game", "options", "seats"), SETS)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())

DICELESS = next(game for game in GAMES.values() if not game.dice)
DICED = next(game for game in GAMES.values() if game.dice and not game.pure_luck)
FOR_MANY = next(game for game in GAMES.values() if game.rules.SEATS[-1] > 2)


def same(match: Recorder) -> None:
    """Reading the file of a match gives that match."""
    found = imported(match.file())
    record = match.record()
    assert (found.id, found.game, found.start, found.names) == (
        record.id,
        record.game,
        record.start,
        record.names,
    )
    assert [ply.state for ply in found.plies] == match.states[1:]
    assert [(ply.number, ply.seat, ply.text, ply.dice, ply.at) for ply in found.plies] == [
        (entry.number, entry.seat, entry.text, entry.dice, entry.at) for entry in record.plies
    ]
    assert (found.outcome, found.begun, found.ended) == (record.outcome, record.begun, record.ended)
    assert (found.clock, found.rated, found.sealed) == ("5+3", match.rated, record.game.dice)


# What is true


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_that_an_editor_saved_with_a_byte_order_mark_and_its_line_ends_is_read(encoding):
    match = Recorder(DICELESS, next(iter(DICELESS.rules.PRESETS.values())), 2).play_on(Random(1))
    text = json.dumps(json.loads(orjson.dumps(match.file())), indent=1).replace("\n", "\r\n")
    assert importing.read(text.encode(encoding)).id == match.record().id


@every_set
def test_a_match_survives_its_file(game, options, seats):
    same(Recorder(game, options, seats, seats - 1).play_on(Random(1)))


@every_set
def test_a_match_from_a_position_survives_its_file(game, options, seats):
    states = Recorder(game, options, seats, seats - 1).play_on(Random(3), 8).states
    began = [state for state in states if game.rules.legal_moves(state)][-1]
    same(Recorder(game, seats=seats, start=began).play_on(Random(1)))


@every_set
def test_a_match_that_players_left_survives_its_file(game, options, seats):
    same(Recorder(game, options, seats).play_on(Random(2), leaving=0.05))


@every_set
def test_a_match_in_which_everything_happens_survives_its_file(game, options, seats):
    for seed in range(3):
        same(eventful(game, options, seats, Random(seed)))


def test_everything_does_happen():
    seen = {
        match_actions.parse(entry.text).kind
        for game, options, seats in cast(Any, [param.values for param in SETS])
        for entry in eventful(game, options, seats, Random(0)).entries
        if match_actions.parse(entry.text)
    }
    assert seen == set(match_actions.KINDS) - match_actions.ENDINGS
    assert len(HAPPENINGS) == 3


@every_game
@pytest.mark.parametrize("kind", sorted(match_actions.ENDINGS))
def test_a_match_that_an_act_ended_survives_its_file(game, kind):
    match = Recorder(game).play_on(Random(3), 5)
    match.play(Act(kind, 1), 1)
    if kind == match_actions.AGREED and not game.draws:
        assert refusal(match.file()).code == "impossible-act"
    else:
        same(match)


def test_dice_without_their_secret_are_read_and_said_to_be_unsealed():
    file = Recorder(DICED).play_on(Random(1)).file()
    assert not imported(altered(file, lambda file: file.update(dice=None))).sealed


def test_two_clocks_of_one_site_may_differ_a_little():
    file = Recorder(DICELESS).play_on(Random(1)).file()
    begun = file["begun"]
    assert not refusal(altered(file, lambda file: file["plies"][3].update(at=begun.replace(":00.", ":02."))))


def test_action_with_extra_space_unparseable():
    file = Recorder(DICELESS).play_on(Random(1)).file()
    typed = file["plies"][2]["action"] + " "
    assert at_ply(file, 3, action=typed) == (3, "unparseable")


# What is false, ply by ply


@pytest.fixture(scope="module")
def quiet():
    """A match without dice."""
    return Recorder(DICELESS).play_on(Random(4)).file()


@pytest.fixture(scope="module")
def lucky():
    """A match with dice."""
    return Recorder(DICED).play_on(Random(4)).file()


def at_ply(file, number, /, **changes):
    """Where and why a file is refused in which one ply is otherwise."""
    error = refusal(altered(file, lambda file: file["plies"][number - 1].update(changes)))
    assert error is None or error.sentence % error.params == str(error)
    return error and (error.ply, error.code)


def first_throw(file):
    return next(ply for ply in file["plies"] if ply["dice"])


def test_a_wrong_face(lucky):
    throw = first_throw(lucky)
    faces = [throw["dice"][0] % 6 + 1, *throw["dice"][1:]]
    assert at_ply(lucky, throw["number"], dice=faces) == (throw["number"], "broken-seal")


def test_a_wrong_face_is_told_with_the_right_one(lucky):
    throw = first_throw(lucky)
    error = refusal(
        altered(lucky, lambda file: file["plies"][throw["number"] - 1].update(dice=throw["dice"][::-1]))
    )
    assert error.params["thrown"] == "\N{NO-BREAK SPACE}".join(map(str, throw["dice"]))


def test_a_face_that_no_die_has(lucky):
    throw = first_throw(lucky)
    number, code = at_ply(lucky, throw["number"], dice=[7, *throw["dice"][1:]])
    assert number == throw["number"]
    assert code == "wrong-dice"


def test_dice_that_were_not_due(quiet):
    assert at_ply(quiet, 2, action="dice", dice=[1], seat=None)[0] == 2


def test_dice_beside_a_move(quiet):
    assert at_ply(quiet, 2, dice=[1]) == (2, "not-a-throw")


def test_a_throw_that_somebody_claims(lucky):
    number = first_throw(lucky)["number"]
    assert at_ply(lucky, number, seat=0) == (number, "wrong-seat")


def test_an_illegal_move_is_refused_in_the_words_of_the_rules():
    match = Recorder(DICELESS).play_on(Random(4))
    rules = DICELESS.rules
    legal = {str(move) for move in rules.legal_moves(match.states[5])}
    known = {str(move) for state in match.states for move in rules.legal_moves(state)}
    move = sorted(known - legal)[0]
    with pytest.raises(IllegalMove) as refused:
        rules.play(match.states[5], rules.parse(move))
    error = refusal(altered(match.file(), lambda file: file["plies"][5].update(action=move)))
    assert (error.ply, error.code, str(error)) == (6, refused.value.code, str(refused.value))


def test_text_that_is_no_move(quiet):
    assert at_ply(quiet, 1, action="please") == (1, "unparseable")


def test_a_wrong_seat(quiet):
    assert at_ply(quiet, 1, seat=1) == (1, "wrong-seat")
    assert at_ply(quiet, 1, seat=None) == (1, "wrong-seat")
    assert at_ply(quiet, 1, seat=9) == (1, "wrong-seat")


def test_a_wrong_number(quiet):
    assert at_ply(quiet, 4, number=5) == (4, "wrong-number")


def test_a_ply_too_few(quiet):
    error = refusal(altered(quiet, lambda file: file["plies"].pop(2)))
    assert error.ply == 3


def test_time_that_goes_backwards(quiet):
    assert at_ply(quiet, 5, at="2026-03-01T11:00:00.000Z") == (5, "backwards")


def test_a_match_that_ended_before_its_last_ply(quiet):
    error = refusal(altered(quiet, lambda file: file.update(ended=file["begun"])))
    assert (error.ply, error.code) == (None, "backwards")


def test_a_moment_without_its_zone(quiet):
    assert at_ply(quiet, 5, at="2026-03-01T12:00:00") == (5, "misshapen")


def test_clocks_of_more_seats_than_there_are(quiet):
    assert at_ply(quiet, 2, clocks=[1, 2, 3]) == (2, "wrong-clocks")


def test_a_ply_after_the_end(quiet):
    last = quiet["plies"][-1]
    more = {**last, "number": last["number"] + 1}
    error = refusal(altered(quiet, lambda file: file["plies"].append(more)))
    assert (error.ply, error.code) == (more["number"], "after-the-end")


def test_a_match_that_is_not_over(quiet):
    error = refusal(altered(quiet, lambda file: file["plies"].pop()))
    assert (error.ply, error.code) == (None, "unfinished")


# Acts


def with_act(match: Recorder, act: str, seat: int, **more):
    """Why the match is refused if its next ply were this."""
    number = len(match.entries) + 1
    file = match_so_far(match)
    file["plies"].append(
        {"number": number, "seat": seat, "action": act, "dice": None, "at": file["ended"], **more}
    )
    error = refusal(file)
    return error and (error.ply and error.ply - number, error.code)


def match_so_far(match: Recorder):
    """A file that claims that a running match has been aborted; what comes before that is true."""
    ending = Recorder(match.game, match.start.options, match.seats, match.start.turn)
    for entry in match.entries:
        ending._add(match_actions.action(match.rules, entry.text, entry.dice), entry.seat)
    ending.play(Act(match_actions.ABORTED, 0), 0)
    file = ending.file()
    file["plies"].pop()
    return file


def running(game=DICELESS, seats=2, plies=6):
    return Recorder(game, None, seats).play_on(Random(5), plies)


def test_an_act_where_it_can_happen_is_believed():
    assert with_act(running(), "aborted:0", 0) is None


def test_a_take_back_of_something_else():
    match = running()
    right = match_actions.last_decision(match.line, 0)
    assert with_act(match, f"back:0:{right.ply - 1}", 0) == (0, "wrong-take-back")
    assert with_act(match, "back:0:999", 0) == (0, "wrong-take-back")


def test_a_take_back_across_dice():
    match = running(DICED)
    while not match.entries[-1].dice:
        match.play_on(Random(6), len(match.entries) + 1)
    assert with_act(match, "back:0:0", 0) == (0, "across-dice")


def test_a_take_back_before_the_first_move():
    assert with_act(running(plies=0), "back:0:0", 0) == (0, "nothing-to-take-back")


@pytest.mark.parametrize("kind", sorted(match_actions.HALTS))
@pytest.mark.parametrize("next_act", ["a move", "paused:0", "saved:1", "agreed:0", "ended:0", "caretaker:0"])
def test_a_match_that_stands_still_goes_on_only_once_it_is_resumed(kind, next_act):
    match = running()
    match.play(Act(kind, 0), 1)
    text = str(match.rules.legal_moves(match.state)[0]) if next_act == "a move" else next_act
    assert with_act(match, text, match.state.turn) == (0, "halted")


def test_leave_during_save_imported():
    match = running()
    match.play(Act(match_actions.SAVED, 0), 1)
    match.play(Leave(1), 1)
    same(match)


@pytest.mark.parametrize("act", ["resumed:0", "reclaimed:0", "caretaker:2", "paused:7"])
def test_an_act_that_could_not_happen(act):
    assert with_act(running(), act, 0) == (0, "impossible-act")


@pytest.mark.parametrize(("act", "seat"), [("aborted:1", 0), ("left:1:resigned", 0), ("left:1:time", 0)])
def test_action_by_wrong_seat_refused(act, seat):
    assert with_act(running(), act, seat) == (0, "wrong-seat")


@pytest.mark.parametrize("seat", [None, 2, 9])
def test_an_act_of_nobody(seat):
    assert with_act(running(), "ended:0", seat) == (0, "wrong-seat")


def test_leave_by_absence_imported():
    match = running()
    match.play(Leave(1, "abandoned"), 0)
    same(match)


def test_a_reason_to_leave_that_there_is_not():
    assert with_act(running(), "left:0:bored", 0) == (0, "wrong-seat")


def test_action_after_leaving_refused():
    match = running(FOR_MANY, FOR_MANY.rules.SEATS[-1])
    match.play(Leave(0), 0)
    assert with_act(match, "ended:1", 0) == (0, "wrong-seat")
    assert with_act(match, "ended:0", 1) == (0, "impossible-act")


# What is false beside the plies


def refused(file, **changes):
    error = refusal(altered(file, lambda file: file.update(changes)))
    assert error.sentence % error.params == str(error)
    return error.ply, error.code


def test_a_wrong_outcome(quiet):
    outcome = quiet["outcome"]
    for changes in ({"winners": [0, 1]}, {"winners": []}, {"reason": "luck"}, {"scores": [1, 2]}):
        if outcome | changes != outcome:
            assert refused(quiet, outcome=outcome | changes) == (None, "wrong-outcome")


@every_game
def test_altered_options(game):
    file = Recorder(game).play_on(Random(1)).file()
    preset = next(iter(game.rules.PRESETS.values()))
    for name, options in option_sets(game.rules, Random(1)):
        if options != preset:
            assert refused(file, options=orjson.loads(codec.encode(options))) == (None, "wrong-start"), name


def test_options_that_there_are_not(quiet):
    assert refused(quiet, options={"luck": 5}) == (None, "misshapen")
    name, value = next(iter(quiet["options"].items()))
    if type(value) is int:
        assert refused(quiet, options={**quiet["options"], name: 999}) == (None, "bad-option")


def test_an_altered_start(quiet):
    other = running(plies=2).state
    assert refused(quiet, start=orjson.loads(codec.encode(other))) == (None, "wrong-start")
    match = Recorder(DICELESS, start=other).play_on(Random(1))
    assert refused(match.file(), terms={"clock": "5+3", "rated": True}) == (None, "wrong-start")
    over = orjson.loads(codec.encode(match.state))
    assert refused(match.file(), start=over) == (None, "wrong-start")
    assert refused(quiet, start={**quiet["start"], "turn": 99}) == (None, "wrong-start")
    assert refused(quiet, start={}) == (None, "misshapen")


def test_more_seats_than_the_game_has(quiet):
    assert refused(quiet, seats=[{"name": "A"}] * 9)[0] is None


def test_an_altered_secret(lucky):
    assert refused(lucky, dice={**lucky["dice"], "secret": "f" * 64}) == (None, "wrong-commitment")


def test_another_secret_that_fits_its_promise(lucky):
    secret = "f" * 64
    sealed = {**lucky["dice"], "secret": secret, "commitment": dice.commitment(secret)}
    assert refused(lucky, dice=sealed) == (first_throw(lucky)["number"], "broken-seal")


def test_altered_words_or_another_match(lucky):
    number = first_throw(lucky)["number"]
    assert refused(lucky, dice={**lucky["dice"], "words": ["", ""]}) == (number, "broken-seal")
    assert refused(lucky, id="another1") == (number, "broken-seal")


def test_words_of_more_seats_than_there_are(lucky):
    assert refused(lucky, dice={**lucky["dice"], "words": [""] * 5}) == (None, "misshapen")


def test_dice_in_a_game_without_any(quiet, lucky):
    assert refused(quiet, dice=lucky["dice"]) == (None, "misshapen")


def test_an_unknown_game(quiet):
    assert refused(quiet, game="go") == (None, "unknown-game")


def test_another_game(quiet, lucky):
    assert refused(quiet, game=lucky["game"])[0] is None


def test_an_unknown_version(quiet):
    assert refused(quiet, version=2) == (None, "unknown-version")


def test_rules_that_are_newer(quiet):
    assert refused(quiet, rules=999) == (None, "newer-rules")


def test_another_format(quiet):
    assert refused(quiet, format="parlour-dice-1") == (None, "unknown-format")


def test_a_clock_that_there_is_not(quiet):
    assert refused(quiet, terms={"clock": "soon", "rated": True}) == (None, "bad-clock")


def test_more_than_the_format_has(quiet):
    assert refused(quiet, referee="Ann") == (None, "misshapen")


@pytest.mark.parametrize(
    "moment", ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00"]
)
def test_times_that_nobody_can_reckon_with(quiet, moment):
    assert refused(quiet, begun=moment) == (None, "misshapen")
    assert refused(quiet, ended=moment) == (None, "misshapen")
    assert at_ply(quiet, 1, at=moment) == (1, "misshapen")


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (b"", "not-json"),
        (b"\xff\xfe", "not-json"),
        (b"\xff\xfe{", "not-json"),
        (b'{"name": "\xe4"}', "not-json"),
        (b"[" * 100_000, "not-json"),
        (b"[]", "unknown-format"),
        (b"{}", "unknown-format"),
        (b"null", "unknown-format"),
        (b" " * (MOST_BYTES + 1), "too-large"),
    ],
)
def test_garbage(document, code):
    error = refusal(document)
    assert (error.ply, error.code) == (None, code)


def test_a_match_that_is_too_long(quiet):
    error = refusal(altered(quiet, lambda file: file.update(plies=file["plies"][:1] * (MOST_PLIES + 1))))
    assert (error.ply, error.code) == (None, "too-long")
    assert str(error) == "The match has more than 2000 plies."


def test_words_that_are_no_text(lucky):
    document = orjson.dumps(lucky).replace("words, слова".encode(), rb"\ud800")
    assert refusal(document) is not None


# Whatever is altered


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**70) | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def places(value, path=()):
    """Every place in parsed JSON."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*path, key))


@every_game
@given(data=st.data())
@settings(max_examples=sample(60, 25))
def test_file_with_any_altered_value_refused_or_read(game, data):
    file = Recorder(game).play_on(Random(1), leaving=0.02).file()
    path = data.draw(st.sampled_from([path for path in places(file) if path]))
    value = data.draw(JSON)

    def alter(file):
        for key in path[:-1]:
            file = file[key]
        file[path[-1]] = value

    error = refusal(altered(file, alter))
    assert error is None or str(error)


@every_game
@given(data=st.data())
@settings(max_examples=sample(60, 25))
def test_another_action_is_refused_or_leads_to_a_match_that_ends_as_it_says(game, data):
    match = Recorder(game).play_on(Random(1))
    file = match.file()
    number = data.draw(st.integers(1, len(match.entries)))
    entry = match.entries[number - 1]
    if entry.dice:
        change = {
            "dice": data.draw(st.lists(st.integers(1, 6), min_size=len(entry.dice), max_size=len(entry.dice)))
        }
    else:
        moves = {str(move) for state in match.states for move in match.rules.legal_moves(state)}
        change = {"action": data.draw(st.sampled_from(sorted(moves)))}
    error = refusal(altered(file, lambda file: file["plies"][number - 1].update(change)))
    if error is None:
        # The same, or a move that made no difference in the end.
        assert not entry.dice or change["dice"] == list(entry.dice)
    else:
        assert error.ply is None or error.ply >= number


def test_a_match_ended_by_the_others_as_it_stood():
    match = running(FOR_MANY, 3)
    match.play(Act(ENDED, 1), 2)
    same(match)


def test_moments_are_compared_as_moments(quiet):
    there = datetime.fromisoformat(quiet["plies"][4]["at"]).astimezone(timezone(timedelta(hours=5)))
    assert at_ply(quiet, 5, at=there.isoformat()) is None


# docs/reference/match-file.md

DOCUMENT = (Path(__file__).parents[3] / "docs" / "reference" / "match-file.md").read_text()


def test_the_example_of_the_documentation_is_a_true_match():
    example = json.loads(re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)[0])
    found = imported(example)
    assert found.sealed
    assert [ply.number for ply in found.plies] == [1, 2, 3, 4, 5]


def test_the_documentation_names_every_part_and_every_act():
    table = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (.*?) \|", DOCUMENT, re.MULTILINE))))
    assert table == set(MatchFile.model_fields)
    for kind in match_actions.KINDS:
        assert f"`{kind}:<seat>" in DOCUMENT
