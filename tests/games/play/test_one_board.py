"""Several people at one board, which one of them holds: whoever is on turn moves, and all by one session."""

import asyncio

import orjson
import pytest
from asgiref.sync import async_to_sync, sync_to_async

from games.domain.messages import DeclineCommand, MoveCommand, OfferCommand, ResignCommand
from games.domain.refusals import ForTwo, NoClock, NotHalted, NotSeated, OneBoard, Stale
from games.domain.terms import EVERY_SEAT
from games.models import Match, Ply, Seating
from games.net.hub import Hub
from games.play import begin, matches, permissions
from games.play.matches import Matches
from games.registry import GAMES
from games.rules.base import IllegalMove
from lobby.people.models import User

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Anna", "Ben", "Cleo")


class Viewer:
    """A socket that keeps what it is sent."""

    def __init__(self, seat):
        self.seat = seat
        self.heard = []

    def write(self, frame):
        self.heard.append(orjson.loads(frame.payload))

    async def close(self, code):
        self.closed = code


@pytest.fixture
def holder():
    return User.objects.create_user("Ulno").pk


@pytest.fixture
def stranger():
    return User.objects.create_user("Artjom").pk


def shared(game, preset, names, holder):
    options = GAMES[game].rules.PRESETS[preset]
    return begin.create_shared(game, options, names, User.objects.get(pk=holder)).pk


@pytest.fixture
def kalah(holder):
    return shared("kalah", "circle", NAMES[:2], holder)


@pytest.fixture
async def hub():
    return Hub()


@pytest.fixture
async def service(hub):
    service = Matches(hub)
    yield service
    await service.close()


@pytest.fixture
async def second():
    """Another process, as far as the store can tell."""
    service = Matches(Hub())
    yield service
    await service.close()


def move(after, text, command_id=None):
    return MoveCommand(type="move", id=command_id or f"command-{after}", after=after, move=text)


def offer(after, kind):
    return OfferCommand(type="offer", id=f"offer-{kind}-{after}", after=after, kind=kind)


@sync_to_async
def stored(match_id):
    plies = Ply.objects.filter(match=match_id).order_by("number")
    return list(plies.values_list("number", "seat", "action"))


async def test_holder_moves_for_seat_on_turn(service, kalah, holder):
    assert await service.play(kalah, holder, move(0, "1")) == 1
    assert await service.play(kalah, holder, move(1, "2")) == 2
    assert await stored(kalah) == [(1, 0, "1"), (2, 1, "2")]


async def test_move_by_other_than_holder_refused(service, kalah, holder, stranger):
    for somebody in (stranger, None):
        with pytest.raises(NotSeated):
            await service.play(kalah, somebody, move(0, "1"))
    assert await stored(kalah) == []


async def test_a_command_acts_once_also_when_the_turn_has_passed(service, second, kalah, holder):
    answers = [await service.play(kalah, holder, move(0, "1", "the-same-id")) for _ in range(2)]
    await service.play(kalah, holder, move(1, "2"))
    answers += [await each.play(kalah, holder, move(0, "1", "the-same-id")) for each in (service, second)]
    assert answers == [1, 1, 1, 1]
    assert len(await stored(kalah)) == 2


async def test_move_from_two_tabs_played_once(service, second, kalah, holder):
    tries = await asyncio.gather(
        service.play(kalah, holder, move(0, "1", "one-tab-here")),
        second.play(kalah, holder, move(0, "2", "another-tab")),
        return_exceptions=True,
    )
    assert sorted(map(type, tries), key=str) == sorted([int, Stale], key=str)
    assert len(await stored(kalah)) == 1


async def test_holder_alone_told_allowed_commands(service, hub, kalah, holder):
    viewers = [Viewer(EVERY_SEAT), Viewer(None)]
    for viewer in viewers:
        hub.join(matches.topic(kalah), viewer)
    await service.play(kalah, holder, move(0, "1"))
    ((told,), (watched,)) = [viewer.heard for viewer in viewers]
    assert told.pop("legal") == ["1", "2", "3", "4", "5", "6"]
    assert told.pop("may") == {
        "commands": ["move", "resign", "abort"],
        "offer": ["draw", "take-back"],
        "agree": [],
        "claim": [],
    }
    assert told == watched


async def test_a_move_is_taken_back_at_once_by_whoever_made_it(service, kalah, holder):
    await service.play(kalah, holder, move(0, "1"))
    assert await service.play(kalah, holder, offer(1, "take-back")) == 2
    assert (await stored(kalah))[-1] == (2, 1, "back:0:0")
    live = await service.get(kalah)
    assert (live.state.turn, permissions.may(live, 0)["offer"]) == (0, ["draw"])
    with pytest.raises(IllegalMove):
        await service.play(kalah, holder, offer(2, "take-back"))


async def test_the_seat_on_turn_resigns_and_the_others_play_on(service, holder):
    match_id = await sync_to_async(shared)("cantstop", "strict", NAMES, holder)
    await service.play(match_id, holder, ResignCommand(type="resign", id="resign-it", after=0))
    live = await service.get(match_id)
    assert (live.remaining, live.outcome) == ((1, 2), None)
    assert live.state.turn == 1
    assert await service.play(match_id, holder, offer(live.ply, "end")) > live.ply - 1
    assert (await service.get(match_id)).outcome.reason == "ended"


async def test_men_who_agree_on_a_draw_need_no_answer(service, holder):
    match_id = await sync_to_async(shared)("morris", "nine", NAMES[:2], holder)
    await service.play(match_id, holder, offer(0, "draw"))
    assert (await service.get(match_id)).outcome.reason == "agreed"


async def test_offers_that_need_others_refused(service, kalah, holder):
    for kind, refusal in {"save": OneBoard, "resume": NotHalted, "pause": NoClock, "end": ForTwo}.items():
        with pytest.raises(refusal):
            await service.play(kalah, holder, offer(0, kind))
    decline = DeclineCommand(type="decline", id="decline-it", after=0, kind="draw")
    assert await service.play(kalah, holder, decline) == 0
    assert await stored(kalah) == []


async def test_another_match_begins_at_once_and_another_moves_first(service, second, kalah, holder):
    await service.play(kalah, holder, ResignCommand(type="resign", id="resign-it", after=0))
    again = [await each.rematch(kalah, holder) for each in (service, second, service)]
    assert len(set(again)) == 1
    match = await Match.objects.aget(pk=again[0])
    assert (match.holder_id, match.rematch_of_id) == (holder, kalah)
    names = Seating.objects.filter(match=match).values_list("name", flat=True)
    assert [name async for name in names] == ["Ben", "Anna"]
    assert (await service.get(match.pk)).state.turn == 0


async def test_words_for_the_dice_are_of_whoever_moves_first(service, holder):
    match_id = await sync_to_async(shared)("aces", "standard", NAMES, holder)
    await service.add_words(match_id, holder, "abracadabra")
    assert (await service.get(match_id)).words == ("abracadabra", "", "")


async def test_hiding_the_crowd_can_be_undone_when_another_is_on_turn(service, kalah, holder):
    assert await service.hide_crowd(kalah, holder, hidden=True) == (0,)
    await service.play(kalah, holder, move(0, "1"))
    assert await service.hide_crowd(kalah, holder, hidden=False) == ()


def test_allowed_commands_accepted_in_random_match(holder):
    """At random: every move that is listed is accepted, to the end of a match of three."""
    match_id = shared("cantstop", "strict", NAMES, holder)

    async def play_out():
        service = Matches(Hub())
        live = await service.get(match_id)
        while live.outcome is None and live.ply < 60:
            told = permissions.for_seat(live, EVERY_SEAT)
            await service.play(match_id, holder, move(live.ply, told["legal"][-1]))
            live = await service.get(match_id)
        await service.close()
        return live

    live = async_to_sync(play_out)()
    assert live.flags.acted == {0, 1, 2}
