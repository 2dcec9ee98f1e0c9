"""Redis forgets everything, or is gone for a moment, while people play and talk across two servers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from redis import Redis as Client

from tests.conftest import Launcher, Store
from tools.harness.scenario import Evening
from tools.harness.servers import ParlourServer
from tools.harness.services import Redis
from tools.programs import redis_server


@pytest.fixture(scope="module")
def own_redis() -> Iterator[Redis]:
    redis = Redis(redis_server() or pytest.skip("redis-server is not installed"))
    yield redis.start()
    redis.discard()


@pytest.fixture(scope="module")
def servers(launcher: Launcher, own_redis: Redis) -> list[ParlourServer]:
    store = Store(launcher.store("postgres+redis").database_url, own_redis.url())
    return [launcher.open(store, SOCKET_RATE="0") for _ in range(2)]


@pytest.fixture
def evening(servers: list[ParlourServer]) -> Iterator[Evening]:
    with closing(Evening(servers)) as evening:
        evening.go_on()
        yield evening
        evening.nothing_is_lost()


def test_redis_flush_unnoticed(evening: Evening, own_redis: Redis) -> None:
    with Client.from_url(own_redis.url()) as client:
        for _ in range(2):
            client.flushall()
            evening.go_on()


def test_redis_outage_messages_arrive_after_return(evening: Evening, own_redis: Redis) -> None:
    own_redis.kill9()
    said = evening.talk()
    evening.move()
    own_redis.restart()
    evening.heard(said, since=time.monotonic())
    evening.go_on()


def test_a_redis_that_begins_anew_at_once_is_joined_anew(evening: Evening, own_redis: Redis) -> None:
    own_redis.restart()
    evening.go_on()
