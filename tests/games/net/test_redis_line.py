"""A line to a real Redis: what is said on it is heard, whatever way leads there, and its end is told."""

import asyncio
import signal

import hiredis
import pytest
import redis as redis_client

from games.net.redis_line import RedisLine
from tests.helpers.certificates import own_certificate
from tools.harness.services import Redis, free_port
from tools.programs import redis_server

PATIENCE = 20
WAYS = ("plain", "password", "user", "socket", "tls")


@pytest.fixture(scope="module")
def keeper(tmp_path_factory):
    """A Redis that can be reached in every way."""
    directory = tmp_path_factory.mktemp("redis")
    chain, key = own_certificate(directory)
    redis = Redis(redis_server() or pytest.skip("redis-server is not installed"))
    redis.options = {
        "unixsocket": directory / "redis.sock",
        "tls-port": free_port(),
        "tls-cert-file": chain,
        "tls-key-file": key,
        "tls-ca-cert-file": chain,
        "tls-auth-clients": "no",
    }
    redis.start()
    with redis_client.Redis.from_url(redis.url()) as asked:
        asked.execute_command("ACL", "SETUSER", "teller", "on", ">a b", "allchannels", "+@all")
    yield redis
    redis.discard()


@pytest.fixture
def url_of(keeper):
    """The address of that Redis by one of the ways."""

    def url(way):
        place, options = f"127.0.0.1:{keeper.port}", keeper.options
        return {
            "plain": f"redis://{place}/3",
            "password": f"redis://:secret@{place}",
            "user": f"redis://teller:a%20b@{place}",
            "socket": f"unix://{options['unixsocket']}?db=1",
            "tls": f"rediss://127.0.0.1:{options['tls-port']}?ssl_ca_certs={options['tls-ca-cert-file']}",
        }[way]

    return url


@pytest.fixture
def locked(keeper):
    """It lets nobody in who does not say the password, for as long as a test lasts."""
    with redis_client.Redis.from_url(keeper.url()) as asked:
        asked.config_set("requirepass", "secret")
        yield
        asked.config_set("requirepass", "")


async def soon(waits):
    return await asyncio.wait_for(waits, PATIENCE)


async def line_at(url, channel="news"):
    heard = asyncio.Queue()
    line = await soon(RedisLine.open(url, lambda *message: heard.put_nowait(message)))
    await soon(line.subscribe(channel))
    return line, heard


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_published_is_heard_and_counted(url_of, way, request):
    if way == "password":
        request.getfixturevalue("locked")
    line, heard = await line_at(url_of(way))
    receivers = asyncio.Queue()
    for data in (b"one\r\ntwo", b"x" * 300_000, b""):
        line.publish("news", data, receivers.put_nowait)
        assert await soon(heard.get()) == (b"news", data)
        assert await soon(receivers.get()) == 1
    line.publish("nobody", b"", receivers.put_nowait)
    assert await soon(receivers.get()) == 0
    assert line.untaken == 0
    line.close()
    await soon(line.lost)


@pytest.mark.parametrize("way", ["plain", "user"])
async def test_a_wrong_password_is_told(url_of, locked, way):
    with pytest.raises(ConnectionRefusedError, match=r"NOAUTH|WRONGPASS"):
        await soon(RedisLine.open(url_of(way).replace("a%20b", "ab"), print))


async def test_a_certificate_that_nobody_vouches_for_is_refused(url_of):
    with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
        await soon(RedisLine.open(url_of("tls").partition("?")[0], print))


async def test_where_nobody_listens_is_told():
    with pytest.raises(ConnectionRefusedError):
        await soon(RedisLine.open("redis://127.0.0.1:1", print))


async def test_what_redis_refuses_is_told_as_such(url_of, keeper):
    line, _ = await line_at(url_of("user"))
    with redis_client.Redis.from_url(keeper.url()) as asked:
        asked.execute_command("ACL", "SETUSER", "teller", "-publish")
        answers = asyncio.Queue()
        line.publish("news", b"", answers.put_nowait)
        assert isinstance(await soon(answers.get()), hiredis.ReplyError)
        asked.execute_command("ACL", "SETUSER", "teller", "+publish")
    line.close()


async def test_a_channel_that_is_closed_to_somebody_is_told(url_of, keeper):
    with redis_client.Redis.from_url(keeper.url()) as asked:
        asked.execute_command("ACL", "SETUSER", "teller", "resetchannels")
        with pytest.raises(ConnectionRefusedError, match="NOPERM"):
            await line_at(url_of("user"))
        asked.execute_command("ACL", "SETUSER", "teller", "allchannels")


@pytest.fixture
def mortal():
    """A Redis of one test."""
    redis = Redis(redis_server() or pytest.skip("redis-server is not installed"))
    yield redis.start()
    redis.discard()


async def test_its_end_is_told_with_what_was_not_taken(mortal):
    line, _ = await line_at(mortal.url())
    mortal.signal(signal.SIGSTOP)
    for _ in range(3):
        line.publish("news", b"", print)
    assert line.untaken == 3
    waiting = asyncio.ensure_future(line.answer("PING"))
    mortal.kill9()
    assert await soon(line.lost)
    with pytest.raises(ConnectionResetError):
        await waiting
    assert line.untaken == 3
