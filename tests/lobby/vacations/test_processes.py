"""Vacations at two processes of a site, on both stores, by programs."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest

from tests.helpers.programs import programs
from tests.helpers.samples import in_full
from tools.harness.patience import wait_until
from tools.harness.people import command_id
from tools.harness.timed import timed_match

MATCHES = 6
DEADLINES = "SELECT DISTINCT deadline FROM games_match"
BACK = "SELECT ends FROM lobby_vacation"


@pytest.fixture(scope="module", params=in_full("postgres+redis", "sqlite"))
def servers(request, launcher):
    """Two processes of one site where that can be, else one twice."""
    store = launcher.store(request.param)
    one = launcher.open(store)
    return (one, launcher.open(store)) if store.redis_url else (one, one)


def test_moves_at_one_process_and_a_vacation_at_another(servers):
    here, there = servers
    names = ("Anna", "Bo")
    anna, bo = programs(here, "Anna")[0], programs(there, "Bo")[0]
    matches = [timed_match(here, "3d", [*reversed(names)]) for _ in range(MATCHES)]
    vacation = {"id": command_id(), "days": 7}
    with ThreadPoolExecutor() as pool:
        moves = [pool.submit(bo.command, each, type="move", after=0, move="1") for each in matches]
        taken = [pool.submit(anna.post, "/vacation", **vacation) for _ in range(2)]
        assert [each.result().status for each in (*moves, *taken)] == [200] * (MATCHES + 2)
    assert taken[0].result().fields == taken[1].result().fields

    def all_stand():
        due, ((ends,),) = here.rows(DEADLINES), here.rows(BACK)
        return {_days(each, ends) for (each,) in due} == {3}

    wait_until(all_stand, "the deadlines behind the vacation")
    here.restart()
    assert all_stand()
    (told,) = bo.get(f"/matches/{matches[0]}").fields["vacations"]
    assert told["seat"] == 1
    assert anna.post("/vacation", id=command_id(), days=1).refusal == (409, "on-vacation")
    for _ in range(2):
        ended = anna.post("/vacation/end", id="the-same-end")
        assert (ended.status, ended.fields["begins"], ended.fields["days_left"]) == (200, None, 20)


def _days(due, ends):
    """Whole days between two times as the store has them: in text on SQLite."""
    one, other = (datetime.fromisoformat(str(each)) for each in (due, ends))
    return round((one - other).total_seconds() / 86_400)
