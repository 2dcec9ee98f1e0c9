"""Conditional moves are played once, whichever process sees to it. Nobody else is told of them."""

import asyncio
import time

import pytest
from channels.db import database_sync_to_async

from games.domain.conditional import NoConditionalMoves
from games.domain.messages import MoveCommand, OfferCommand, ResignCommand
from games.domain.refusals import GameOver, NotSeated, Stale, YourOwnTurn
from games.domain.terms import Terms
from games.models import ConditionalMoves, Ply
from games.net.hub import Hub
from games.net.tasks import tasks
from games.play.begin import create
from games.play.matches import Matches
from games.registry import GAMES
from games.store import conditional
from games.store.conditional import Kept
from lobby.people.models import User
from tests.helpers.waiting import eventually
from tools.harness.conditional import costly_lines

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom")]


@pytest.fixture
def begin(people):
    def begin(clock="3d", game="kalah"):
        rules = GAMES[game].rules
        return create(game, rules.PRESETS.get("circle", rules.Options()), people, terms=Terms(clock=clock))

    return begin


@pytest.fixture
def match(begin):
    return begin()


@pytest.fixture
async def service():
    service = Matches(Hub())
    yield service
    # After each ply, the clock of a player on vacation is looked at in a thread.
    while running := list(tasks.running):
        await asyncio.wait(running)
    await service.close()


@pytest.fixture
async def second():
    """Another process, as far as the store can tell."""
    service = Matches(Hub())
    yield service
    await service.close()


def move(after, text):
    return MoveCommand(type="move", id=f"command-{after}-{text}", after=after, move=text)


@database_sync_to_async
def log(match):
    return list(Ply.objects.filter(match=match).order_by("number").values_list("seat", "action"))


@database_sync_to_async
def rows():
    return ConditionalMoves.objects.count()


async def played(match, *expected):
    async def there():
        return await log(match) == list(expected)

    await eventually(there)


async def test_the_answer_is_played_when_the_opponent_plays_what_was_expected(service, match, people):
    await service.keep_conditional(match.pk, people[1].pk, 0, [["1", "2"]])
    await service.play(match.pk, people[0].pk, move(0, "1"))
    await played(match, (0, "1"), (1, "2"))


async def test_a_line_goes_on_through_several_turns(service, match, people):
    await service.keep_conditional(match.pk, people[1].pk, 0, [["1", "2", "4", "4"]])
    await service.play(match.pk, people[0].pk, move(0, "1"))
    await played(match, (0, "1"), (1, "2"))
    await service.play(match.pk, people[0].pk, move(2, "4"))
    await played(match, (0, "1"), (1, "2"), (0, "4"), (1, "4"))


async def test_a_turn_of_several_moves_is_waited_for_to_its_end(service, match, people):
    await service.keep_conditional(match.pk, people[1].pk, 0, [["4", "1", "2"]])
    await service.play(match.pk, people[0].pk, move(0, "4"))
    await service.play(match.pk, people[0].pk, move(1, "1"))
    await played(match, (0, "4"), (0, "1"), (1, "2"))


async def test_an_extra_turn_of_ones_own_is_played_too(service, match, people):
    await service.keep_conditional(match.pk, people[1].pk, 0, [["1", "4", "1"]])
    await service.play(match.pk, people[0].pk, move(0, "1"))
    await played(match, (0, "1"), (1, "4"), (1, "1"))


async def test_lines_are_forgotten_when_the_opponent_plays_something_else(service, match, people):
    await service.keep_conditional(match.pk, people[1].pk, 0, [["1", "2"]])
    await service.play(match.pk, people[0].pk, move(0, "2"))

    async def none():
        return await rows() == 0

    await eventually(none)
    assert await log(match) == [(0, "2")]


async def test_line_left_by_one_process_played_by_another(service, second, match, people):
    await service.play(match.pk, people[0].pk, move(0, "1"))
    # As it is where a process dies between the ply and the answer.
    await database_sync_to_async(conditional.keep)(match.pk, 1, Kept(0, (("1", "2"),)))
    await second._conditional.once()
    assert await log(match) == [(0, "1"), (1, "2")]


async def test_two_processes_play_an_answer_once(service, second, match, people):
    await service.play(match.pk, people[0].pk, move(0, "1"))
    await database_sync_to_async(conditional.keep)(match.pk, 1, Kept(0, (("1", "2", "4", "4"),)))
    await asyncio.gather(*(each._conditional.once() for each in (service, second, service, second)))
    assert await log(match) == [(0, "1"), (1, "2")]


async def test_lines_checked_once_per_ply(service, match, people):
    await service.keep_conditional(match.pk, people[1].pk, 0, [["4", "1", "2"]])
    await service.play(match.pk, people[0].pk, move(0, "4"))
    await service._conditional.once()
    assert await database_sync_to_async(conditional.due)(10) == []


async def test_the_lines_of_a_match_that_is_over_are_forgotten(service, match, people):
    await service.keep_conditional(match.pk, people[1].pk, 0, [["1", "2"]])
    await service.play(match.pk, people[0].pk, ResignCommand(type="resign", id="i-resign-1", after=0))
    await service._conditional.once()
    assert await rows() == 0


async def test_lines_end_with_match_action(service, match, people):
    await service.keep_conditional(match.pk, people[1].pk, 0, [["1", "2"]])
    save = OfferCommand(type="offer", id="to-save-it", after=0, kind="save")
    await service.play(match.pk, people[0].pk, save)
    await service._conditional.once()
    assert await rows() == 0


async def test_new_lines_take_the_place_of_those_before_and_none_remove_them(service, match, people):
    await service.keep_conditional(match.pk, people[1].pk, 0, [["1", "2"]])
    await service.keep_conditional(match.pk, people[1].pk, 0, [["2", "3"]])
    known = await service.known_conditional(match.pk, people[1].pk)
    assert known == (0, [("2", "3")], [[False, True]])
    await service.keep_conditional(match.pk, people[1].pk, 0, [])
    assert await rows() == 0


async def test_lines_hidden_from_others(service, match, people):
    await service.keep_conditional(match.pk, people[1].pk, 0, [["1", "2"]])
    assert await service.known_conditional(match.pk, people[0].pk) == (0, [], [])
    stranger = await database_sync_to_async(User.objects.create_user)("Stranger")
    with pytest.raises(NotSeated):
        await service.known_conditional(match.pk, stranger.pk)


@pytest.mark.parametrize(("clock", "game"), [("", "kalah"), ("5+3", "kalah"), ("3d", "cantstop")])
async def test_lines_need_correspondence_and_game_without_dice(service, begin, people, clock, game):
    match = await database_sync_to_async(begin)(clock, game)
    with pytest.raises(NoConditionalMoves):
        await service.keep_conditional(match.pk, people[1].pk, 0, [["1", "2"]])


@pytest.mark.parametrize(
    ("seat", "after", "error"), [(0, 0, YourOwnTurn), (1, 3, Stale), (None, 0, NotSeated)]
)
async def test_lines_of_wrong_seat_or_ply_refused(service, match, people, seat, after, error):
    user_id = None if seat is None else people[seat].pk
    with pytest.raises(error):
        await service.keep_conditional(match.pk, user_id, after, [["1", "2"]])
    assert await rows() == 0


async def test_lines_after_end_refused(service, match, people):
    await service.play(match.pk, people[0].pk, ResignCommand(type="resign", id="i-resign-1", after=0))
    with pytest.raises(GameOver):
        await service.keep_conditional(match.pk, people[1].pk, 1, [["1", "2"]])


async def test_costly_lines_are_checked_outside_the_event_loop(service, begin, people):
    match = await database_sync_to_async(begin)(game="morris")
    live = await service.get(match.pk)
    lines = costly_lines(live.game.rules, live.state)
    in_loop, in_all = time.thread_time(), time.process_time()
    for _ in range(5):
        await service.keep_conditional(match.pk, people[1].pk, 0, lines)
        await service.known_conditional(match.pk, people[1].pk)
        await service.position(match.pk, people[1].pk, 0, lines[0])
    in_loop, in_all = time.thread_time() - in_loop, time.process_time() - in_all
    assert in_loop < in_all / 3
