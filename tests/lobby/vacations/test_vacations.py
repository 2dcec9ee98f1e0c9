"""Vacations: the clock of a player with days per move stands, for 21 days a year and not longer."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db.models import F
from django.test import Client
from django.utils import timezone

from games.domain import clock, instants
from games.domain.clock import DAY
from games.domain.messages import MoveCommand, ResignCommand
from games.domain.terms import Terms
from games.models import Match
from games.net.hub import Hub
from games.net.tasks import tasks
from games.net.threads import in_thread
from games.play.begin import create
from games.play.matches import Matches
from games.registry import GAMES
from lobby.accounts import deletion
from lobby.accounts.export import everything_about
from lobby.commands import CommandUsed
from lobby.people.models import User
from lobby.tournaments import tables
from lobby.vacations import vacations
from lobby.vacations.models import Vacation
from lobby.vacations.vacations import DAYS_A_YEAR, VacationError
from tests.helpers.tournaments import begun, matches_of
from tools.harness.timed import Time

pytestmark = pytest.mark.django_db(transaction=True)

DAYS = timedelta(days=1)


@pytest.fixture
def players():
    return [User.objects.create_user(name) for name in ("Ulno", "Artjom")]


@pytest.fixture
def match(players):
    """A match of Kalah with three days for each move, Ulno to move."""
    return create("kalah", GAMES["kalah"].rules.PRESETS["circle"], players, terms=Terms(clock="3d"))


@pytest.fixture
async def service(match):
    service = Matches(Hub(), Time(instants.milliseconds(match.created)))
    yield service
    await service.close()


def take(user, days=7, begins=None, command=None):
    return vacations.take(user, days, begins, command or f"command-{Vacation.objects.count()}-{days}")


def refused(act):
    with pytest.raises(VacationError) as refusal:
        act()
    return refusal.value.code


def granted(match, since=None):
    """The time from the beginning of a match, or from another one, until a flag would fall, in seconds."""
    time = Match.objects.get(pk=match.pk).deadline - (since or match.created)
    return timedelta(seconds=round(time.total_seconds()))


async def play(service, match, user, text):
    live = await service.get(match.pk)
    command = MoveCommand(type="move", id=f"command-{live.ply}-{text}", after=live.ply, move=text)
    await service.play(match.pk, user.pk, command)
    while running := list(tasks.running):
        await asyncio.wait(running)


# The clock


def test_a_vacation_moves_the_deadline_by_its_length(players, match):
    take(players[0], 7)
    assert granted(match) == 10 * DAYS


def test_a_planned_vacation_counts_before_it_begins(players, match):
    take(players[0], 5, match.created + 2 * DAYS)
    assert granted(match) == 8 * DAYS


def test_a_vacation_after_the_deadline_changes_nothing(players, match):
    take(players[0], 5, match.created + 4 * DAYS)
    assert granted(match) == 3 * DAYS


def test_the_clock_of_an_opponent_runs(players, match):
    take(players[1], 7)
    assert granted(match) == 3 * DAYS


def test_an_early_end_gives_back_only_the_days_away(players, match):
    take(players[0], 14)
    Vacation.objects.update(begins=F("begins") - 2 * DAYS)
    Match.objects.update(created=F("created") - 3 * DAYS)
    vacations.end(players[0], "command-end")
    assert abs(granted(Match.objects.get()) - 5 * DAYS) < timedelta(minutes=1)


def test_a_cancelled_vacation_leaves_the_clock_as_it_was(players, match):
    take(players[0], 5, match.created + 2 * DAYS)
    vacations.end(players[0], "command-end")
    assert granted(match) == 3 * DAYS
    assert not Vacation.objects.exists()


def test_a_live_clock_runs(players):
    live = create("kalah", GAMES["kalah"].rules.PRESETS["circle"], players, terms=Terms(clock="5+3"))
    before = Match.objects.get(pk=live.pk).deadline
    take(players[0], 7)
    assert Match.objects.get(pk=live.pk).deadline == before


def test_a_match_that_begins_during_a_vacation_waits(players):
    vacation = take(players[0], 7)
    options = GAMES["kalah"].rules.PRESETS["circle"]
    begins = create("kalah", options, players, terms=Terms(clock="3d"))
    assert granted(begins, vacation.ends) == 3 * DAYS


async def test_a_turn_that_comes_during_a_vacation_waits(service, players, match):
    vacation = await sync_to_async(take)(players[1], 7)
    await play(service, match, players[0], "1")
    assert await sync_to_async(granted)(match, vacation.ends) == 3 * DAYS


async def test_who_is_on_vacation_may_move_and_the_next_turn_waits_as_well(service, players, match):
    vacation = await sync_to_async(take)(players[0], 7)
    await play(service, match, players[0], "1")
    await play(service, match, players[1], "1")
    assert await sync_to_async(granted)(match, vacation.ends) == 3 * DAYS


async def test_a_vacation_counts_once_if_somebody_else_leaves(service, players):
    third = await User.objects.acreate(username="Third")
    options = GAMES["aces"].rules.Options()
    aces = await sync_to_async(create)("aces", options, [*players, third], terms=Terms(clock="3d"))
    await sync_to_async(take)(players[0], 7, aces.created + DAYS)
    assert await sync_to_async(granted)(aces) == 10 * DAYS
    await service.play(aces.pk, third.pk, ResignCommand(type="resign", id="command-resign", after=0))
    while running := list(tasks.running):
        await asyncio.wait(running)
    assert await sync_to_async(granted)(aces) == 10 * DAYS


async def test_a_flag_falls_after_the_vacation_and_not_before(service, players, match):
    await sync_to_async(take)(players[0], 7)
    for days, over in ((3, False), (9, False), (10, True)):
        service._heartbeat._now.now = instants.milliseconds(match.created) + days * DAY
        await service._heartbeat.once()
        assert ((await service.get(match.pk)).outcome is not None) is over


async def test_no_flag_falls_by_a_deadline_that_a_dead_process_left(service, players, match):
    """The process ended between the ply and the pause."""
    begins = match.created + DAYS
    await Vacation.objects.acreate(user=players[0], begins=begins, ends=begins + 5 * DAYS)
    await service.get(match.pk)
    service._heartbeat._now.now += 4 * DAY
    await service._heartbeat.once()
    assert (await service.get(match.pk)).outcome is None
    assert await sync_to_async(granted)(match) == 8 * DAYS


async def test_a_late_move_during_a_vacation_that_was_not_known_is_in_time(service, players, match):
    begins = match.created + DAYS
    await Vacation.objects.acreate(user=players[0], begins=begins, ends=begins + 5 * DAYS)
    service._heartbeat._now.now += 4 * DAY
    await play(service, match, players[0], "1")
    assert (await service.get(match.pk)).ply == 1


@pytest.mark.parametrize("attempt", range(3))
async def test_a_move_and_a_vacation_at_the_same_moment(service, players, match, attempt):
    take_vacation = in_thread(vacations.take)
    await asyncio.gather(
        play(service, match, players[0], "1"), take_vacation(players[1], 7, None, "command-race")
    )
    vacation = await Vacation.objects.aget()
    while running := list(tasks.running):
        await asyncio.wait(running)
    assert await sync_to_async(granted)(match, vacation.ends) == 3 * DAYS


async def test_players_see_the_vacation_and_a_clock_that_is_not_charged(service, players, match):
    await service.get(match.pk)
    vacation = await sync_to_async(take)(players[0], 7)
    other = Matches(Hub(), service._heartbeat._now)
    live = await other.get(match.pk)
    told = live.clock_fields(service._heartbeat._now.now)
    begins, ends = map(instants.milliseconds, (vacation.begins, vacation.ends))
    assert told["vacations"] == [{"seat": 0, "begins": begins, "ends": ends}]
    assert told["clocks"].at == instants.milliseconds(match.created)
    assert clock.deadline(live.control, live.clocks) - told["clocks"].at == 10 * DAY
    await other.close()


# Tournaments


@pytest.mark.parametrize(("allowed", "days"), [(True, 10), (False, 3)])
def test_a_tournament_decides_whether_vacations_count(players, allowed, days):
    everybody = [*players, User.objects.create_user("Third")]
    cup = begun(everybody[0], everybody, clock="3d", vacations=allowed)
    (match,) = matches_of(cup)
    mover, opponent = (seating.user for seating in match.seatings.select_related("user"))
    take(mover, 7)
    assert granted(match) == days * DAYS
    assert vacations.of_opponents(opponent.pk).exists() is allowed
    assert ("no vacations" in tables.described(cup)["clock"]) is not allowed


# The days of a year


def test_a_year_has_21_days_of_vacation(players):
    user, next_year = players[0], timezone.now().year + 1
    spring, summer = (datetime(next_year, month, 1, tzinfo=UTC) for month in (3, 7))
    Vacation.objects.create(user=user, begins=spring - 400 * DAYS, ends=spring - 385 * DAYS)
    assert refused(lambda: take(user, DAYS_A_YEAR + 1, summer)) == "too-long"
    take(user, DAYS_A_YEAR, summer)
    assert vacations.days_left(user.pk, next_year) == 0
    assert vacations.days_left(user.pk, next_year + 1) == DAYS_A_YEAR


def test_each_year_counts_its_own_days(players):
    user = players[0]
    turn = datetime(2027, 1, 1, tzinfo=UTC)
    Vacation.objects.create(user=user, begins=turn - 10 * DAYS, ends=turn + 5 * DAYS)
    assert [vacations.days_left(user.pk, year) for year in (2026, 2027, 2028)] == [11, 16, 21]


def test_an_early_end_leaves_the_days_for_later(players):
    user = players[0]
    take(user, 21)
    vacations.end(user, "command-end")
    assert vacations.days_left(user.pk, timezone.now().year) == 20
    take(user, 20, command="command-again")


def test_refusals(players):
    user = players[0]
    assert refused(lambda: vacations.end(user, "command-none")) == "not-on-vacation"
    assert refused(lambda: take(user, 1, timezone.now() - DAYS)) == "bad-beginning"
    assert refused(lambda: take(user, 1, timezone.now() + 400 * DAYS)) == "bad-beginning"
    assert refused(lambda: take(User.objects.create_user("Guest", is_guest=True))) == "no-account"
    take(user)
    assert refused(lambda: take(user, 1)) == "on-vacation"


def test_a_command_acts_once(players):
    user = players[0]
    first = take(user, 7, command="command-once")
    assert take(user, 7, command="command-once") == first
    assert Vacation.objects.count() == 1
    with pytest.raises(CommandUsed):
        take(user, 8, command="command-once")
    for _ in range(2):
        vacations.end(user, "command-end")


# Pages, and accounts that go


def signed_in(user):
    client = Client()
    client.force_login(user, backend="lobby.auth.backends.PasswordBackend")
    return client


def test_the_page_takes_and_ends_a_vacation(players, match):
    client = signed_in(players[0])
    assert "You have 21 days left" in client.get("/settings/vacation").content.decode()
    wrong = client.post("/settings/vacation", {"days": "3", "begins": "2020-01-01", "key": "form-key-wrong"})
    assert wrong.status_code == 400
    assert client.post("/settings/vacation", {"days": "3", "key": "form-key-take"}).status_code == 302
    assert "You are on vacation" in client.get("/settings/vacation").content.decode()
    assert "Opponents on vacation" in signed_in(players[1]).get("/inbox").content.decode()
    assert "Opponents on vacation" not in client.get("/inbox").content.decode()
    client.post("/settings/vacation/end", {"key": "form-key-end"})
    assert vacations.current(players[0].pk) is None


def test_a_guest_is_told_to_sign_up():
    guest = User.objects.create_user("Guest", is_guest=True)
    assert "Sign up to take a vacation." in signed_in(guest).get("/settings/vacation").content.decode()


def test_a_deleted_account_has_no_vacation(players):
    take(players[0])
    assert len(everything_about(players[0])["vacations"]) == 1
    deletion.forget(players[0].pk)
    assert not Vacation.objects.exists()
