"""From which pages a browser may open a socket."""

import pytest

from config.origins import OriginCheck
from tests.helpers.communicator import Communicator


@pytest.fixture(autouse=True)
def hosts(settings):
    settings.ALLOWED_HOSTS = ["parlour.example", "127.0.0.1", "[::1]"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://public.example", "http://club.example:8080"]


async def opened(**headers):
    """The scope with which the application behind the check is reached; None when it is not."""
    reached = []

    async def application(scope, receive, send):
        reached.append(scope)
        await send({"type": "websocket.accept"})

    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    welcome, _ = await Communicator(OriginCheck(application), "/ws", pairs).connect()
    assert welcome == bool(reached)
    return reached[0] if reached else None


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://parlour.example", "parlour.example"),
        ("https://parlour.example", "parlour.example"),
        ("http://parlour.example", "parlour.example:80"),
        ("https://parlour.example:443", "parlour.example"),
        ("http://127.0.0.1:8000", "127.0.0.1:8000"),
        ("http://[::1]:8000", "[::1]:8000"),
        ("http://PARLOUR.example", "parlour.example"),
        ("https://public.example", "parlour.example"),
        ("http://club.example:8080", "127.0.0.1:8000"),
    ],
)
async def test_welcome(origin, host):
    assert await opened(origin=origin, host=host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        pytest.param("http://elsewhere.example", "parlour.example", id="another site"),
        pytest.param("http://127.0.0.1:9000", "127.0.0.1:8000", id="another port"),
        pytest.param("https://parlour.example", "parlour.example:80", id="another port by its scheme"),
        pytest.param("http://evil.example", "evil.example", id="a host that is not ours"),
        pytest.param("http://public.example", "parlour.example", id="a trusted name, another scheme"),
        pytest.param("https://public.example:444", "parlour.example", id="a trusted name, another port"),
        pytest.param("https://sub.public.example", "parlour.example", id="a trusted name's subdomain"),
        pytest.param("http://parlour.example.evil.example", "parlour.example", id="our name in another's"),
        pytest.param("http://evil.example/parlour.example", "parlour.example", id="our name in a path"),
        pytest.param("http://parlour.example@evil.example", "parlour.example", id="our name as a user"),
        pytest.param("ftp://parlour.example", "parlour.example", id="another scheme"),
        pytest.param("null", "parlour.example", id="a sandbox"),
        pytest.param("", "", id="nothing at all"),
        pytest.param("http://parlour.example:port", "parlour.example", id="nonsense"),
        pytest.param("http://[::1", "[::1]:8000", id="half an address"),
    ],
)
async def test_refused(origin, host):
    assert await opened(origin=origin, host=host) is None


async def test_a_page_keeps_its_cookies():
    scope = await opened(origin="http://parlour.example", host="parlour.example", cookie="sessionid=1")
    assert (b"cookie", b"sessionid=1") in scope["headers"]


async def test_a_program_without_an_origin_loses_its_cookies():
    scope = await opened(host="parlour.example", cookie="sessionid=1")
    assert scope["headers"] == [(b"host", b"parlour.example")]
