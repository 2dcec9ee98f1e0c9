"""The private services of the tests hold what the tests lean on."""

from collections.abc import Iterator

import pytest

from tests.conftest import House, Store
from tools.harness.servers import ParlourServer
from tools.harness.services import DidNotStart, Postgres, Redis
from tools.programs import postgres_bin

pytestmark = [pytest.mark.services, pytest.mark.cold]


@pytest.fixture
def durable_postgres() -> Iterator[Postgres]:
    directory = postgres_bin()
    if directory is None:
        pytest.skip("PostgreSQL is not installed")
    server = Postgres(directory, durable=True)
    yield server.start()
    server.discard()


def test_parlour_is_ready_on_every_pair(server: ParlourServer) -> None:
    assert server.get("/readyz").status == 200


def test_two_servers_share_a_store(house: House, store: Store, server: ParlourServer) -> None:
    second = house.open(store)
    assert second.port != server.port
    assert second.rows("SELECT COUNT(*) FROM games_match WHERE status = ?", "playing") == [(0,)]


def test_a_killed_server_comes_back_at_its_port(house: House) -> None:
    server = house.open(house.store("sqlite"))
    port = server.port
    server.kill9()
    assert not server.running
    assert server.restart().port == port


def test_a_killed_database_keeps_what_it_committed(durable_postgres: Postgres) -> None:
    durable_postgres.execute("CREATE TABLE kept (number integer)")
    durable_postgres.kill9()
    durable_postgres.restart().execute("INSERT INTO kept VALUES (1)")


def test_a_killed_redis_comes_back_at_its_port(redis: Redis) -> None:
    url = redis.url()
    redis.kill9()
    assert redis.restart().url() == url


def test_a_server_that_cannot_start_shows_its_log(house: House) -> None:
    with pytest.raises(DidNotStart, match="SECRET_KEY"):
        house.open(house.store("sqlite"), SECRET_KEY="")
