"""The service: exactly once, no holes, one truth for any number of processes."""

import asyncio
import random

import orjson
import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async

from games.domain import codec, dice
from games.domain.messages import MoveCommand, ResignCommand
from games.domain.refusals import (
    AlreadyBegun,
    GameOver,
    NotOver,
    NotSeated,
    NotYourTurn,
    SavingUnavailable,
    Stale,
    UnknownMatch,
)
from games.models import Match, Ply, Seating
from games.net.hub import Hub
from games.net.measures import measures
from games.net.threads import in_thread
from games.play import begin, matches
from games.play.matches import Matches
from games.registry import GAMES
from games.rules.base import BadOptions, Dice, IllegalMove
from games.store import history
from games.store.journal import Unavailable
from lobby.people.models import User

pytestmark = pytest.mark.django_db(transaction=True)


class Viewer:
    """A socket that keeps what it is sent."""

    def __init__(self, seat=None):
        self.seat = seat
        self.heard = []

    def write(self, frame):
        self.heard.append(orjson.loads(frame.payload))

    async def close(self, code):
        self.closed = code


@pytest.fixture
def players():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom", "Onlooker")]


@pytest.fixture
def match(players):
    return begin.create("kalah", GAMES["kalah"].rules.PRESETS["circle"], players[:2])


@pytest.fixture
async def hub():
    return Hub()


@pytest.fixture
async def service(hub):
    service = Matches(hub)
    yield service
    await service.close()


@pytest.fixture
async def second(hub):
    """Another process, as far as the store can tell."""
    service = Matches(Hub())
    yield service
    await service.close()


def move(after, text, command_id=None):
    return MoveCommand(
        type="move", id=command_id or f"command-{after}-{text}".replace(":", "-"), after=after, move=text
    )


def resign(after):
    return ResignCommand(type="resign", id=f"resign-{after}", after=after)


@database_sync_to_async
def stored_plies(match):
    return list(Ply.objects.filter(match=match).order_by("number").values_list("number", "action", "command"))


async def play_out(service, match, players, seed=0):
    """Play random moves to the end; returns the number of the last ply."""
    choose = random.Random(seed).choice
    while True:
        live = await service.get(match.pk)
        if live.outcome is not None:
            return live.ply
        user = players[live.state.turn]
        await service.play(match.pk, user.pk, move(live.ply, choose(live.legal())))


async def test_a_move_is_stored_before_it_is_answered(service, match, players):
    assert await service.play(match.pk, players[0].pk, move(0, "3")) == 1
    assert await stored_plies(match) == [(1, "3", "command-0-3")]


async def test_a_move_in_another_notation_is_kept_in_that_of_the_rules(service, match, players):
    await service.play(match.pk, players[0].pk, move(0, "1"))
    await service.play(match.pk, players[1].pk, move(1, "12", "command-far"))
    assert (await stored_plies(match))[1] == (2, "6", "command-far")


async def test_ply_announced_with_legal_moves_for_seat_on_turn(service, hub, match, players):
    viewers = [Viewer(0), Viewer(1), Viewer(None)]
    for viewer in viewers:
        hub.join(matches.topic(match.pk), viewer)
    await service.play(match.pk, players[0].pk, move(0, "1"))
    mover, opponent, watcher = [viewer.heard for viewer in viewers]
    assert [m["type"] for m in opponent] == ["plies"]
    assert mover[0].pop("may")["commands"] == ["resign", "decline", "abort"]
    assert opponent[0].pop("may")["commands"] == ["move", "resign", "decline", "abort"]
    assert mover == watcher
    assert opponent[0].pop("legal") == ["1", "2", "3", "4", "5", "6"]
    assert opponent == mover
    assert mover[0]["plies"][0]["number"] == 1


async def test_the_same_command_is_answered_alike_and_played_once(service, match, players):
    answers = [await service.play(match.pk, players[0].pk, move(0, "3", "the-same-id")) for _ in range(3)]
    assert answers == [1, 1, 1]
    assert len(await stored_plies(match)) == 1


async def test_fifty_copies_at_once_make_one_ply_and_fifty_equal_answers(service, match, players):
    copies = [service.play(match.pk, players[0].pk, move(0, "3", "the-same-id")) for _ in range(50)]
    assert await asyncio.gather(*copies) == [1] * 50
    assert len(await stored_plies(match)) == 1


async def test_copies_to_two_processes_make_one_ply_and_equal_answers(service, second, match, players):
    copies = [
        process.play(match.pk, players[0].pk, move(0, "3", "the-same-id"))
        for process in (service, second)
        for _ in range(25)
    ]
    assert await asyncio.gather(*copies) == [1] * 50
    assert len(await stored_plies(match)) == 1


async def test_the_same_command_is_answered_alike_after_a_restart(service, second, match, players):
    await service.play(match.pk, players[0].pk, move(0, "3", "the-same-id"))
    await service.play(match.pk, players[1].pk, move(1, "3"))
    assert await second.play(match.pk, players[0].pk, move(0, "3", "the-same-id")) == 1
    assert len(await stored_plies(match)) == 2


async def test_another_seat_may_use_the_same_id(service, match, players):
    await service.play(match.pk, players[0].pk, move(0, "1", "the-same-id"))
    assert await service.play(match.pk, players[1].pk, move(1, "1", "the-same-id")) == 2


async def test_two_processes_that_judge_the_same_position_write_one_ply(service, second, match, players):
    """Both know the position before ply 1; the one that loses judges anew and refuses."""
    await service.get(match.pk)
    await second.get(match.pk)
    results = await asyncio.gather(
        service.play(match.pk, players[0].pk, move(0, "1", "by-one-door")),
        second.play(match.pk, players[0].pk, move(0, "2", "by-another")),
        return_exceptions=True,
    )
    assert sorted(map(str, results)) == sorted(["1", str(Stale())])
    assert len(await stored_plies(match)) == 1


async def test_two_processes_play_a_whole_match_in_turns(service, second, match, players):
    choose = random.Random(7).choice
    rules = GAMES["kalah"].rules
    state, ply, processes = codec.decode_state(rules, match.start), 0, [service, second]
    while rules.outcome(state) is None:
        text = str(choose(rules.legal_moves(state)))
        process = processes[ply % 2]
        ply = await process.play(match.pk, players[state.turn].pk, move(ply, text))
        state = rules.play(state, rules.parse(text)).state
    last = (await database_sync_to_async(history.plies_since)(match.pk, ply - 1))[0]
    assert codec.decode_state(rules, last.state) == state


async def test_a_stale_move_is_refused_and_changes_nothing(service, match, players):
    await service.play(match.pk, players[0].pk, move(0, "4"))
    live = await service.get(match.pk)
    with pytest.raises(Stale):
        await service.play(match.pk, players[live.state.turn].pk, move(0, "1", "too-late-now"))
    assert len(await stored_plies(match)) == 1


async def test_every_copy_of_a_stale_move_is_stale_also_once_the_match_is_over(
    service, second, match, players
):
    await service.play(match.pk, players[0].pk, move(0, "4"))
    late = move(0, "1", "too-late-now")
    for done in (None, ResignCommand(type="resign", id="resign-1", after=1)):
        if done is not None:
            await service.play(match.pk, players[1].pk, done)
        for process in (service, second):
            with pytest.raises(Stale):
                await process.play(match.pk, players[0].pk, late)


async def test_a_move_ahead_of_the_match_is_stale_as_well(service, match, players):
    with pytest.raises(Stale):
        await service.play(match.pk, players[0].pk, move(3, "1"))


@pytest.mark.parametrize(
    ("who", "text", "refusal"),
    [
        (1, "1", NotYourTurn),
        (2, "1", NotSeated),
        (None, "1", NotSeated),
        (0, "9", IllegalMove),
        (0, "left:1:time", IllegalMove),
        (0, "dice", IllegalMove),
    ],
)
async def test_refusals_change_nothing(service, match, players, who, text, refusal):
    user_id = None if who is None else players[who].pk
    with pytest.raises(refusal):
        await service.play(match.pk, user_id, move(0, text))
    assert await stored_plies(match) == []
    assert (await service.get(match.pk)).ply == 0


async def test_an_unknown_match_is_refused(service, players):
    with pytest.raises(UnknownMatch):
        await service.play("nosuchmatch", players[0].pk, move(0, "1"))


async def test_the_end_is_stored_told_and_final(service, hub, match, players):
    viewer = Viewer()
    hub.join(matches.topic(match.pk), viewer)
    last = await play_out(service, match, players)
    await sync_to_async(match.refresh_from_db)()
    outcome = orjson.loads(match.outcome)
    assert match.status == Match.Status.FINISHED
    assert viewer.heard[-1]["outcome"] == outcome
    assert sum(outcome["scores"]) == 36
    with pytest.raises(GameOver):
        await service.play(match.pk, players[0].pk, move(last, "1"))


async def test_plies_announced_in_order(service, hub, match, players):
    viewer = Viewer()
    hub.join(matches.topic(match.pk), viewer)
    last = await play_out(service, match, players, seed=3)
    numbers = [ply["number"] for message in viewer.heard for ply in message["plies"]]
    assert numbers == list(range(1, last + 1))


async def test_a_seat_may_resign_while_the_other_is_to_move(service, match, players):
    await service.play(match.pk, players[1].pk, resign(0))
    live = await service.get(match.pk)
    assert live.outcome.winners == (0,)
    assert live.outcome.reason == "resigned"


async def test_a_match_read_again_is_the_match_that_was_played(service, second, match, players):
    await play_out(service, match, players, seed=5)
    here, there = await service.get(match.pk), await second.get(match.pk)
    for field in ("state", "state_json", "ply", "answers", "outcome"):
        assert getattr(here, field) == getattr(there, field)


async def test_a_failing_database_acknowledges_nothing_and_the_same_command_goes_through_later(
    service, match, players, monkeypatch
):
    await service.get(match.pk)
    broken = True
    real_write = service._journal.write

    async def write(entry):
        if broken:
            raise Unavailable("the disk is full")
        await real_write(entry)

    monkeypatch.setattr(service._journal, "write", write)
    with pytest.raises(SavingUnavailable):
        await service.play(match.pk, players[0].pk, move(0, "1", "the-same-id"))
    assert await stored_plies(match) == []
    broken = False
    assert await service.play(match.pk, players[0].pk, move(0, "1", "the-same-id")) == 1


async def test_a_command_whose_sender_is_gone_is_told_to_everyone_all_the_same(service, hub, match, players):
    viewer = Viewer()
    hub.join(matches.topic(match.pk), viewer)
    await service.get(match.pk)
    playing = asyncio.ensure_future(service.play(match.pk, players[0].pk, move(0, "1")))
    while not service._journal._queue.qsize() and not playing.done():
        await asyncio.sleep(0)
        if service._journal._thread is not None:
            break
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    await service.close()
    await asyncio.sleep(0)
    assert [ply["number"] for message in viewer.heard for ply in message["plies"]] == [1]
    assert (await service.get(match.pk)).ply == 1


async def test_a_rematch_begins_when_all_want_it_and_the_other_moves_first(service, match, players):
    await service.play(match.pk, players[1].pk, resign(0))
    assert await service.rematch(match.pk, players[0].pk) is None
    assert await service.rematch(match.pk, players[0].pk) is None
    begun = await service.rematch(match.pk, players[1].pk)
    seated = await database_sync_to_async(
        lambda: list(Seating.objects.filter(match=begun).values_list("user", flat=True))
    )()
    assert seated == [players[1].pk, players[0].pk]
    assert (await service.get(begun)).state.turn == 0


async def test_a_rematch_accepted_twice_at_once_is_one_match(service, second, match, players):
    await service.play(match.pk, players[1].pk, resign(0))
    both = [service.rematch(match.pk, players[0].pk), second.rematch(match.pk, players[1].pk)]
    await asyncio.gather(*both)
    assert await database_sync_to_async(Match.objects.filter(rematch_of=match).count)() == 1


async def test_no_rematch_before_the_end_or_for_watchers(service, match, players):
    with pytest.raises(NotOver):
        await service.rematch(match.pk, players[0].pk)
    await service.play(match.pk, players[1].pk, resign(0))
    with pytest.raises(NotSeated):
        await service.rematch(match.pk, players[2].pk)


async def test_words_are_for_before_the_first_ply(service, match, players):
    await service.add_words(match.pk, players[0].pk, "a horse")
    assert (await service.get(match.pk)).words == ("a horse", "")
    await service.play(match.pk, players[0].pk, move(0, "1"))
    with pytest.raises(AlreadyBegun):
        await service.add_words(match.pk, players[1].pk, "my kingdom")


@pytest.fixture
def dice_match(players):
    return begin.create("aces", GAMES["aces"].rules.Options(), players[:2])


async def test_words_that_another_process_accepted_go_into_the_dice(service, second, dice_match, players):
    """One process has read the match before the other stores words, and throws first."""
    await service.get(dice_match.pk)
    await second.add_words(dice_match.pk, players[1].pk, "my kingdom")
    await service.play(dice_match.pk, players[0].pk, move(0, "roll"))
    await sync_to_async(dice_match.refresh_from_db)()
    assert orjson.loads(dice_match.words) == ["", "my kingdom"]
    rows = await in_thread(history.plies_since)(dice_match.pk, 1)
    thrown = dice.throw(dice_match.secret, ["", "my kingdom"], dice_match.pk, 2, Dice(5))
    assert orjson.loads(rows[0].dice) == list(thrown.faces)


async def test_a_watcher_makes_nobody_read_the_match_again(service, match, players):
    live = await service.get(match.pk)
    with pytest.raises(NotSeated):
        await service.play(match.pk, players[2].pk, move(1_000_000, "1"))
    assert await service.get(match.pk) is live


async def heard_of_the_first_ply(service, second, match, players, text):
    """The memory of one process before and after it hears of the first ply, which another process wrote."""
    elsewhere = Viewer()
    second._hub.join(matches.topic(match.pk), elsewhere)
    before = await service.get(match.pk)
    await second.play(match.pk, players[0].pk, move(0, text))
    service._memory._hear(matches.topic(match.pk), orjson.dumps(elsewhere.heard[0]))
    return before, await service.get(match.pk)


async def test_the_first_ply_of_another_process_is_followed_without_a_look_at_the_store(
    service, second, match, players
):
    before, after = await heard_of_the_first_ply(service, second, match, players, "1")
    assert after is before
    assert (after.ply, after.state.turn) == (1, 1)


async def test_the_words_that_the_first_ply_froze_are_read(service, second, dice_match, players):
    before, after = await heard_of_the_first_ply(service, second, dice_match, players, "roll")
    assert after is not before
    assert after.ply == 2


async def test_lost_plies_are_found_in_the_store_with_the_moves_they_allow(
    service, second, hub, match, players
):
    """The channel layer lost what the other process said."""
    viewer = Viewer(1)
    hub.join(matches.topic(match.pk), viewer)
    await service.get(match.pk)
    await second.play(match.pk, players[0].pk, move(0, "1"))
    before = measures.resyncs["process"]
    await service._memory.catch_up()
    assert measures.resyncs["process"] == before + 1
    assert [ply["number"] for ply in viewer.heard[0]["plies"]] == [1]
    assert viewer.heard[0]["legal"] == ["1", "2", "3", "4", "5", "6"]


async def test_viewers_hear_of_a_lost_ply_also_when_a_refused_command_found_it(
    service, second, hub, match, players
):
    """The journal said that another process was faster, and so memory moved on."""
    viewer = Viewer()
    hub.join(matches.topic(match.pk), viewer)
    await service.get(match.pk)
    await second.play(match.pk, players[0].pk, move(0, "1"))
    with pytest.raises(Stale):
        await service.play(match.pk, players[0].pk, move(0, "2"))
    assert [message["plies"][-1]["number"] for message in viewer.heard] == [1]


async def test_words_that_the_channel_layer_lost_are_found_in_the_store(
    service, second, hub, dice_match, players
):
    viewer = Viewer()
    hub.join(matches.topic(dice_match.pk), viewer)
    await service.get(dice_match.pk)
    await second.add_words(dice_match.pk, players[1].pk, "my kingdom")
    for _ in range(2):
        await service._memory.catch_up()
    assert viewer.heard == [{"type": "words", "words": ["", "my kingdom"]}]


async def test_a_rematch_that_the_channel_layer_lost_is_found_in_the_store(
    service, second, hub, match, players
):
    viewer = Viewer()
    hub.join(matches.topic(match.pk), viewer)
    await service.play(match.pk, players[0].pk, resign(0))
    viewer.heard.clear()
    await second.rematch(match.pk, players[0].pk)
    await service._memory.catch_up()
    begun = await second.rematch(match.pk, players[1].pk)
    for _ in range(2):
        await service._memory.catch_up()
    assert viewer.heard == [
        {"type": "rematch", "offered": [0], "match": None},
        {"type": "rematch", "offered": [0, 1], "match": begun},
    ]


async def test_a_crowd_is_hidden_as_long_as_any_seat_wants_it(service, second, match, players):
    assert await service.hide_crowd(match.pk, players[0].pk, True) == (0,)
    assert await service.hide_crowd(match.pk, players[0].pk, True) == (0,)
    assert await service.hide_crowd(match.pk, players[1].pk, True) == (0, 1)
    assert await service.hide_crowd(match.pk, players[0].pk, False) == (1,)
    assert (await second.get(match.pk)).hidden_by == (1,)


async def test_watchers_cannot_hide_the_crowd(service, match, players):
    for user_id in (players[2].pk, None):
        with pytest.raises(NotSeated):
            await service.hide_crowd(match.pk, user_id, True)
    assert not await sync_to_async(Seating.objects.filter(hides_crowd=True).exists)()


def test_a_match_that_cannot_be_is_not_half_there(players):
    options = GAMES["kalah"].rules.Options(pits=99)
    with pytest.raises(BadOptions):
        begin.create("kalah", options, players[:2])
    with pytest.raises(BadOptions):
        begin.create("kalah", GAMES["kalah"].rules.Options(), players)
    assert not Match.objects.exists()
    assert not Seating.objects.exists()


async def test_a_match_nobody_looks_at_is_forgotten_and_read_again(service, hub, match, players):
    viewer = Viewer()
    hub.join(matches.topic(match.pk), viewer)
    live = await service.get(match.pk)
    service.forget(match.pk)
    assert await service.get(match.pk) is live
    hub.leave(matches.topic(match.pk), viewer)
    service.forget(match.pk)
    assert await service.get(match.pk) is not live
