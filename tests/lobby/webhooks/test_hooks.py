"""Webhooks: what is told, how it is signed, when it is tried again, and where nothing is ever sent."""

import asyncio
import json
import logging
import re
import socket
import ssl
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpcore
import psycopg
import pytest
from django.db import OperationalError
from django.utils import timezone

from games.domain import instants
from games.domain.messages import MoveCommand, ResignCommand
from games.domain.terms import Terms
from games.net.hub import Hub
from games.net.measures import measures
from games.net.tasks import tasks
from games.net.threads import in_thread
from games.play import begin, matches, signals
from games.registry import GAMES
from games.rules.base import Leave
from lobby.accounts import deletion
from lobby.notices.models import Device
from lobby.people.models import User
from lobby.ratings import results as ratings
from lobby.tournaments.organising import cancel
from lobby.webhooks import deliveries, hooks, outgoing
from lobby.webhooks import events as hook_events
from lobby.webhooks.deliveries import FAILING, JITTER, LEASE, WAITS, Answer, Lane
from lobby.webhooks.events import EVENTS, FINISHED, TURN, PendingTurnEvents
from lobby.webhooks.hooks import HookError
from lobby.webhooks.models import Delivery, Hook
from lobby.webhooks.outgoing import Unsent
from lobby.webhooks.sender import DeliveryWorker, sign
from tests.helpers import accounts, finished, tournaments
from tests.helpers.certificates import own_certificate
from tests.helpers.waiting import eventually
from tools.harness import subprocess_call
from tools.harness.patience import patience, wait_until, within
from tools.harness.services import ROOT
from tools.harness.timed import Time

DOC = (ROOT / "docs" / "reference" / "webhooks.md").read_text()
SITE = "https://parlour.example"
ELSEWHERE = "https://scores.example/hook"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]


class Receiver:
    """A program that hears what it is told, and answers with `statuses` in turn, then with 200."""

    def __init__(self, statuses=(), wait=None):
        self.heard, self.statuses = [], list(statuses)
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.heard.append((self.path, dict(self.headers), body))
                if wait is not None:
                    wait.wait(patience(20))
                self.send_response(receiver.statuses.pop(0) if receiver.statuses else 200)
                self.send_header("Location", f"http://127.0.0.1:{receiver.port}/elsewhere")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/hook?of=club"

    @property
    def told(self):
        return [json.loads(body) for _, _, body in self.heard]

    @contextmanager
    def running(self):
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        yield self
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(autouse=True)
def no_limits(monkeypatch):
    monkeypatch.setattr(hooks.asked, "_buckets", type(hooks.asked._buckets)())


@pytest.fixture
def receiver(settings):
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    with Receiver().running() as receiver:
        yield receiver


@pytest.fixture
def clock():
    return Time(instants.milliseconds(timezone.now()))


@pytest.fixture
def postman(clock):
    return DeliveryWorker(now=clock, chance=lambda: 0.5)


@pytest.fixture
def hook(ulno, receiver):
    return hooks.add(ulno, receiver.url, EVENTS, SITE)


def elsewhere(user, **fields):
    return Hook.objects.create(user=user, url=ELSEWHERE, events=list(EVENTS), site=SITE, **fields)


def snippet():
    """What the documentation shows to receivers."""
    found = {}
    exec(re.search(r"```python\n(.*?)```", DOC, re.DOTALL)[1], found)
    return found["is_from_parlour"]


def refused(code, function, *arguments):
    with pytest.raises((HookError, Unsent)) as error:
        function(*arguments)
    assert error.value.code == code
    assert error.value.sentence


@pytest.mark.django_db
class TestAdding:
    def test_a_secret_is_made_that_nobody_guesses(self, ulno):
        one = hooks.add(ulno, ELSEWHERE, EVENTS, SITE)
        other = hooks.add(ulno, f"{ELSEWHERE}2", EVENTS, SITE)
        assert re.fullmatch(r"whsec_[\w-]{43}", one.secret)
        assert one.secret != other.secret

    @pytest.mark.parametrize("computer", [{"is_guest": True}, {"is_bot": True}])
    def test_guests_and_computers_have_none(self, db, computer):
        somebody = User.objects.create_user("Somebody", **computer)
        refused("no-account", hooks.add, somebody, ELSEWHERE, EVENTS, SITE)
        refused("no-account", hooks.find, somebody, 1)

    def test_add_above_limit_refused(self, ulno):
        for number in range(hooks.MAX_HOOKS):
            hooks.add(ulno, f"{ELSEWHERE}{number}", EVENTS, SITE)
        refused("too-many", hooks.add, ulno, ELSEWHERE, EVENTS, SITE)

    def test_an_address_has_one(self, ulno, artjom):
        hooks.add(ulno, ELSEWHERE, EVENTS, SITE)
        refused("known", hooks.add, ulno, ELSEWHERE, EVENTS, SITE)
        hooks.add(artjom, ELSEWHERE, EVENTS, SITE)

    @pytest.mark.parametrize("events", [[], ["ping"], ["everything"]])
    def test_add_without_events_refused(self, ulno, events):
        refused("no-events", hooks.add, ulno, ELSEWHERE, events, SITE)

    def test_find_webhook_of_other_refused(self, ulno, artjom):
        mine = hooks.add(ulno, ELSEWHERE, EVENTS, SITE)
        refused("unknown", hooks.find, artjom, mine.pk)

    @pytest.mark.parametrize(
        ("url", "code"),
        [
            ("", "bad-url"),
            ("scores.example", "bad-url"),
            ("ftp://scores.example/", "bad-url"),
            ("https:///hook", "bad-url"),
            ("https://.example/", "bad-url"),
            ("https://a..b/", "bad-url"),
            ("https://[scores]/", "bad-url"),
            ("https://scores.example:hook/", "bad-url"),
            ("https://ann:word@scores.example/", "bad-url"),
            ("https://scores.example/#part", "bad-url"),
            ("https://scores.example/a b", "bad-url"),
            ("https://scores.example/\r\nX: y", "bad-url"),
            ("https://sco\u0440es.example/", "bad-url"),
            ("https://scores.example/" + "x" * 500, "bad-url"),
            ("http://scores.example/", "not-https"),
            ("https://127.0.0.1/", "not-public"),
            ("https://[::1]/", "not-public"),
            ("https://10.1.2.3:8443/", "not-public"),
            ("https://169.254.169.254/latest/meta-data", "not-public"),
        ],
    )
    def test_an_address_that_is_refused(self, ulno, url, code):
        refused(code, hooks.add, ulno, url, EVENTS, SITE)
        assert not Hook.objects.exists()


class TestPublicAddresses:
    @pytest.mark.parametrize(
        "address",
        [
            *("127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1"),
            *("169.254.169.254", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255", "198.18.0.1"),
            *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1"),
            *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"),
            *("2002:a9fe:a9fe::", "2001:0:7f00:1::", "2001:db8::1"),
        ],
    )
    def test_address_not_public(self, address):
        assert not outgoing.is_public(address)

    @pytest.mark.parametrize("address", ["93.184.215.14", "1.1.1.1", "2606:4700::1111", "2a00:1450::5"])
    def test_public(self, address):
        assert outgoing.is_public(address)


def names(monkeypatch, *addresses):
    """Have every name lead to these addresses; returns a list with an entry for each look-up."""
    asked = []

    async def getaddrinfo(self, host, port, **_):
        asked.append(host)
        family = {True: socket.AF_INET6, False: socket.AF_INET}
        return [(family[":" in each], socket.SOCK_STREAM, 6, "", (each, port)) for each in addresses]

    monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "getaddrinfo", getaddrinfo)
    return asked


class TestSending:
    async def unsent(self, url, body=b"{}"):
        with pytest.raises(Unsent) as error:
            await outgoing.post(url, {}, body)
        return error.value.code

    @pytest.mark.parametrize(
        "host", ["localhost", "127.0.0.1", "[::1]", "127.1", "0x7f000001", "2130706433", "[::ffff:7f00:1]"]
    )
    async def test_send_to_own_computer_refused(self, host):
        with Receiver().running() as receiver:
            code = await self.unsent(f"https://{host}:{receiver.port}/")
        assert code in ("not-public", "unknown-host")
        assert receiver.heard == []

    @pytest.mark.parametrize(
        "addresses", [["127.0.0.1"], ["10.0.0.9"], ["1.1.1.1", "192.168.0.1"], ["169.254.169.254"], ["::1"]]
    )
    async def test_a_name_that_leads_to_a_private_address(self, monkeypatch, addresses):
        names(monkeypatch, *addresses)
        assert await self.unsent(ELSEWHERE) == "not-public"

    async def test_the_connection_goes_to_the_address_that_was_checked(self, monkeypatch):
        asked, opened = names(monkeypatch, "2606:4700::1111", "1.1.1.1"), []

        async def connect_tcp(_, host, port, *__):
            opened.append((host, port))
            raise httpcore.ConnectError

        monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect_tcp)
        assert await self.unsent(ELSEWHERE) == "unreachable"
        assert asked == ["scores.example"]
        assert opened == [("1.1.1.1", 443), ("2606:4700::1111", 443)]

    async def test_the_certificate_is_that_of_the_name(self, monkeypatch):
        names(monkeypatch, "1.1.1.1")
        secured = []

        class Stream(httpcore.AsyncMockStream):
            async def start_tls(self, ssl_context, server_hostname=None, **_):  # type: ignore[override]
                secured.append((ssl_context.verify_mode, ssl_context.check_hostname, server_hostname))
                return self

        async def connect_tcp(*_):
            return Stream([b"HTTP/1.1 204 No Content\r\n\r\n"])

        monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect_tcp)
        assert await outgoing.post(ELSEWHERE, {}, b"{}") == 204
        assert secured == [(ssl.CERT_REQUIRED, True, "scores.example")]

    async def test_a_name_that_nobody_has(self, monkeypatch):
        async def getaddrinfo(*_, **__):
            raise socket.gaierror

        monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "getaddrinfo", getaddrinfo)
        assert await self.unsent(ELSEWHERE) == "unknown-host"

    async def test_a_redirect_is_an_answer_and_is_not_followed(self, receiver):
        receiver.statuses = [307]
        assert await outgoing.post(receiver.url, {}, b"{}") == 307
        assert len(receiver.heard) == 1

    async def test_a_proxy_of_the_environment_would_not_check_addresses(self, receiver, monkeypatch):
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
        assert await outgoing.post(receiver.url, {}, b"{}") == 200

    async def test_send_to_closed_port_unreachable(self, settings):
        settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            assert await self.unsent(f"http://127.0.0.1:{taken.getsockname()[1]}/") == "unreachable"

    async def test_send_times_out(self, settings, monkeypatch):
        settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
        monkeypatch.setattr(outgoing, "SECONDS", 0.2)
        never = threading.Event()
        with Receiver(wait=never).running() as receiver:
            assert await self.unsent(receiver.url) == "timeout"
            never.set()

    @pytest.mark.parametrize(
        "said",
        [
            b"SSH-2.0-x\r\n\r\n",
            b"",
            b"HTTP/1.1 2000 OK\r\n\r\n",
            b"HTTP/1.1 200 " + b"x" * 40_000,
            b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 40_000,
        ],
    )
    async def test_send_answer_not_http_refused(self, settings, said):
        settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]

        async def speak(reader, writer):
            await reader.readuntil(b"\r\n\r\n{}")
            writer.write(said)
            writer.close()

        server = await asyncio.start_server(speak, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        assert await self.unsent(url) == "not-http"
        server.close()

    @pytest.mark.parametrize(
        ("said", "status"),
        [
            (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", 204),
            (b"HTTP/1.1 500 No\r\nContent-Length: 1000000000\r\n\r\n" + b"x" * 1_000_000, 500),
        ],
    )
    async def test_the_status_is_that_of_the_answer_and_no_more_is_read(self, settings, said, status):
        settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]

        async def speak(reader, writer):
            await reader.readuntil(b"\r\n\r\n{}")
            writer.write(said)

        server = await asyncio.start_server(speak, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        assert await outgoing.post(url, {}, b"{}") == status
        server.close()

    async def test_a_certificate_that_nobody_vouches_for_is_refused(self, settings, tmp_path):
        settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
        heard = []

        async def speak(reader, _writer):
            heard.append(await reader.read(1))

        secured = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        secured.load_cert_chain(*own_certificate(tmp_path))
        server = await asyncio.start_server(speak, "127.0.0.1", 0, ssl=secured)
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        assert await self.unsent(url) == "insecure"
        assert heard == []
        server.close()


async def play_out(match, people, hub):
    """Two moves, then the second player resigns; and the match is settled."""
    service = matches.Matches(hub)
    for ply, (user, text) in enumerate([(people[0], "1"), (people[1], "1")]):
        await service.play(
            match.pk, user.pk, MoveCommand(type="move", id=f"m-{ply}-xxxx", after=ply, move=text)
        )
    await service.play(match.pk, people[1].pk, ResignCommand(type="resign", id="resign-now", after=2))
    await service.close()
    await in_thread(ratings.settle)(match.pk)


def shape(value):
    """The fields and types of a JSON value, whatever stands in them."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


def example(event):
    texts = re.findall(r"```json\n(.*?)```", DOC, re.DOTALL)
    return next(each for each in map(json.loads, texts) if each["event"] == event)


@pytest.mark.django_db(transaction=True)
class TestRealPlay:
    @pytest.fixture
    def people(self, ulno, artjom):
        return ulno, artjom

    @pytest.fixture
    def pending_turns(self, monkeypatch):
        pending_turns = PendingTurnEvents()
        monkeypatch.setattr(hook_events, "PAUSE", 0.05)
        monkeypatch.setattr(signals.turn_passed, "listeners", (pending_turns.passed,))

    @pytest.fixture
    def match(self, people):
        return begin.create("kalah", CIRCLE, people, terms=Terms(clock="5+3", rated=True))

    @pytest.fixture
    def hook(self, match, hook):
        """Added once the match has begun, so that the first turn is not told."""
        return hook

    async def send_all(self, postman):
        while await postman.once():
            pass

    async def test_a_match_that_was_played_is_told_once(self, hook, match, people, postman, receiver, clock):
        await play_out(match, people, Hub())
        await in_thread(ratings.settle)(match.pk)
        clock.now += 60_000
        await self.send_all(postman)
        ((path, headers, body),) = receiver.heard
        told = json.loads(body)
        assert path == "/hook?of=club"
        assert headers["Parlour-Event"] == told["event"] == FINISHED
        assert headers["Parlour-Event-Id"] == told["id"] == f"{match.pk}.finished"
        assert headers["Content-Type"] == "application/json"
        assert told["match"]["url"] == f"{SITE}/m/{match.pk}"
        assert told["match"]["players"] == ["Ulno", "Artjom"]
        assert (told["seat"], told["result"], told["winners"]) == (0, "won", [0])
        assert told["rating"]["before"] == 1500 < told["rating"]["after"]
        assert shape(told) == shape(example(FINISHED))

    async def test_the_signature_is_as_the_documentation_says(
        self, hook, match, people, postman, receiver, clock
    ):
        await play_out(match, people, Hub())
        clock.now += 60_000
        await self.send_all(postman)
        ((_, headers, body),) = receiver.heard
        check = snippet()
        assert check(hook.secret, headers["Parlour-Signature"], body)
        assert not check("whsec_another", headers["Parlour-Signature"], body)
        assert not check(hook.secret, headers["Parlour-Signature"], body + b" ")
        old = sign(hook.secret, int(time.time()) - 600, body)
        assert not check(hook.secret, old, body)

    async def test_the_turn_is_told_when_it_comes(
        self, people, hook, match, postman, receiver, clock, pending_turns
    ):
        service = matches.Matches(Hub())
        for ply, user in enumerate(people):
            command = MoveCommand(type="move", id=f"move-{ply}-x", after=ply, move="1")
            await service.play(match.pk, user.pk, command)
        await self.noted(1)
        await service.close()
        clock.now += 60_000
        await self.send_all(postman)
        (told,) = receiver.told
        assert (told["event"], told["id"], told["seat"]) == (TURN, f"{match.pk}.turn.2", 0)
        assert told["match"]["ply"] == 2
        assert shape(told) == shape(example(TURN))

    async def noted(self, count):
        async def is_noted():
            return await in_thread(Delivery.objects.count)() == count

        await eventually(is_noted)

    async def test_turn_event_not_sent_after_move(self, people, hook, match):
        await play_out(match, people, Hub())
        await in_thread(Delivery.objects.all().delete)()
        await in_thread(hook_events.turns_came)({match.pk: people[0].pk}, timezone.now())
        assert await in_thread(Delivery.objects.count)() == 0

    async def test_a_store_that_is_away_for_a_moment_loses_no_turn(self, monkeypatch, hook, match, people):
        calls = []

        def turns_came(noted, now):
            calls.append(noted)
            if len(calls) == 1:
                raise OperationalError

        monkeypatch.setattr(hook_events, "PAUSE", 0.02)
        monkeypatch.setattr(hook_events, "turns_came", turns_came)
        PendingTurnEvents().passed(match.pk, {}, people[0].pk, None)
        await eventually(lambda: len(calls) > 1)
        assert calls == [{match.pk: people[0].pk}] * 2

    def test_the_first_move_is_a_turn_too(self, people):
        elsewhere(people[0])
        match = begin.create("kalah", CIRCLE, people)
        assert [each.event_id for each in Delivery.objects.all()] == [f"{match.pk}.turn.0"]


@pytest.mark.django_db
class TestTournaments:
    def told(self, event):
        bodies = [json.loads(each.body) for each in Delivery.objects.filter(event=event).order_by("pk")]
        assert all(shape(body) == shape(example(event)) for body in bodies if body.get("match", True))
        return bodies

    def test_players_and_the_organiser_are_told_of_start_and_end(self, ulno, artjom):
        organiser = User.objects.create_user("Organiser")
        for user in (ulno, organiser):
            elsewhere(user)
        tournament = tournaments.begun(organiser, [ulno, artjom], "arena")
        events = list(
            Delivery.objects.filter(event="tournament.started").values_list("hook__user", flat=True)
        )
        assert sorted(events) == sorted([ulno.pk, organiser.pk])
        assert self.told("tournament.started")[0]["tournament"]["state"] == "running"
        cancel(organiser, tournament.pk, "Rain", tournaments.command())
        bodies = [json.loads(each.body) for each in Delivery.objects.filter(event="tournament.finished")]
        assert [body["tournament"]["state"] for body in bodies] == ["cancelled"] * 2

    def test_a_player_is_told_of_each_pairing(self, ulno, artjom):
        elsewhere(ulno)
        tournament = tournaments.begun(artjom, [ulno, artjom], "arena")
        (body,) = self.told("tournament.round")
        (match,) = tournaments.matches_of(tournament)
        assert (body["round"], body["match"]["id"]) == (1, match.pk)
        assert body["match"]["players"][body["seat"]] == "Ulno"

    def test_a_bye_is_told_without_a_match(self, ulno, artjom):
        players = [artjom, User.objects.create_user("Third"), ulno]
        elsewhere(ulno)
        elsewhere(artjom)
        elsewhere(players[1])
        tournaments.begun(artjom, players, "round_robin")
        bodies = self.told("tournament.round")
        assert sorted((body["kind"], body["match"] is None) for body in bodies) == [
            *[("bye", True)] * (len(bodies) - 2),
            *[("played", False)] * 2,
        ]


@pytest.mark.django_db
class TestWhoIsTold:
    def settled(self, *people):
        match = finished.won(people)
        ratings.settle(match.pk)
        return match

    def test_both_players_and_each_of_their_webhooks(self, ulno, artjom):
        hooks.add(ulno, f"{ELSEWHERE}1", [FINISHED], SITE)
        hooks.add(ulno, f"{ELSEWHERE}2", [FINISHED], SITE)
        hooks.add(artjom, f"{ELSEWHERE}1", [FINISHED], SITE)
        self.settled(ulno, artjom)
        results = [json.loads(each.body)["result"] for each in Delivery.objects.order_by("pk")]
        assert results == ["won", "won", "lost"]

    def test_event_not_subscribed_not_sent(self, ulno, artjom):
        hooks.add(ulno, ELSEWHERE, [TURN], SITE)
        self.settled(ulno, artjom)
        assert not Delivery.objects.exists()

    def test_event_not_sent_to_webhook_turned_off(self, ulno, artjom):
        hook = hooks.add(ulno, ELSEWHERE, [FINISHED], SITE)
        self.settled(ulno, artjom)
        hooks.switch_off(hook)
        self.settled(ulno, artjom)
        assert deliveries.take(timezone.now() + timedelta(days=1), 9) == []
        assert Delivery.objects.count() == 1
        hooks.switch_on(hook)
        self.settled(ulno, artjom)
        assert Delivery.objects.filter(due__isnull=False).count() == 1

    def test_event_not_sent_to_banned_user(self, ulno, artjom):
        hooks.add(ulno, ELSEWHERE, [FINISHED], SITE)
        User.objects.filter(pk=ulno.pk).update(is_active=False)
        self.settled(ulno, artjom)
        assert not Delivery.objects.exists()

    def test_more_than_a_thousand_do_not_wait(self, ulno, artjom, monkeypatch):
        monkeypatch.setattr(deliveries, "MOST_WAITING", 1)
        hooks.add(ulno, ELSEWHERE, [FINISHED], SITE)
        self.settled(ulno, artjom)
        self.settled(ulno, artjom)
        assert Delivery.objects.count() == 1

    def test_event_without_webhooks_costs_one_query(self, ulno, artjom, django_assert_num_queries):
        with django_assert_num_queries(1):
            hook_events.turns_came({"m1": ulno.pk, "m2": artjom.pk}, NOW)


@pytest.mark.django_db(transaction=True)
class TestTryingAgain:
    def test_the_schedule(self):
        assert [deliveries.wait_after(n, 0.5) for n in range(1, 9)] == [
            *(timedelta(seconds=wait) for wait in (10, 60, 300, 1800, 7200, 21600, 86400)),
            None,
        ]

    @pytest.mark.parametrize(("chance", "factor"), [(0.0, 1 - JITTER), (1.0, 1 + JITTER)])
    def test_waits_are_spread(self, chance, factor):
        assert deliveries.wait_after(2, chance).total_seconds() == pytest.approx(60 * factor)

    async def test_delivery_retried_on_schedule_then_given_up(self, hook, postman, clock, receiver):
        receiver.statuses = [500, 404, 302, 429, 503, 500, 500, 500]
        await in_thread(hooks.ping)(hook)
        clock.now += 60_000
        for wait in WAITS:
            assert await postman.once()
            clock.now += wait * 1000 - 1
            assert not await postman.once()
            clock.now += 1
        assert await postman.once()
        delivery = await in_thread(Delivery.objects.get)()
        assert (delivery.tries, delivery.status, delivery.due, delivery.done) == (8, 500, None, None)
        assert len({headers["Parlour-Event-Id"] for _, headers, _ in receiver.heard}) == 1
        assert hooks._words(delivery) == "Failed: The answer was 500."

    async def test_delivery_accepted_on_retry_done(self, hook, postman, clock, receiver):
        receiver.statuses = [500]
        await in_thread(hooks.ping)(hook)
        for _ in range(2):
            clock.now += 60_000
            assert await postman.once()
        clock.now += 60_000
        assert not await postman.once()
        delivery = await in_thread(Delivery.objects.get)()
        assert (delivery.tries, delivery.status) == (2, 200)
        await in_thread(hook.refresh_from_db)()
        assert hook.failing_since is None

    async def test_every_try_is_counted_by_what_came_of_it(self, hook, postman, clock, receiver):
        before = dict(measures.deliveries)
        receiver.statuses = [500]
        await in_thread(hooks.ping)(hook)
        for _ in range(2):
            clock.now += 60_000
            assert await postman.once()
        counted = {key: number - before.get(key, 0) for key, number in measures.deliveries.items()}
        assert {key: number for key, number in counted.items() if number} == {
            ("webhook", "refused"): 1,
            ("webhook", "arrived"): 1,
        }

    async def test_410_switches_it_off_at_once(self, hook, postman, clock, receiver):
        receiver.statuses = [410]
        for _ in range(2):
            await in_thread(hooks.ping)(hook)
        clock.now += 60_000
        assert await postman.once()
        assert not await postman.once()
        await in_thread(hook.refresh_from_db)()
        assert hook.stopped == Hook.Stopped.GONE
        assert len(receiver.heard) == 1

    async def test_webhook_failing_for_days_turned_off(self, hook, postman, clock, receiver):
        receiver.statuses = [500] * 3
        clock.now += 60_000
        for _ in range(2):
            await in_thread(hooks.ping)(hook)
            assert await postman.once()
            clock.now += FAILING // timedelta(milliseconds=1)
        await in_thread(hook.refresh_from_db)()
        assert hook.stopped == Hook.Stopped.FAILING
        assert not await postman.once()

    async def test_another_try_may_be_asked_for(self, hook, postman, clock, receiver):
        receiver.statuses = [500]
        await in_thread(hooks.ping)(hook)
        clock.now += 60_000
        assert await postman.once()
        delivery = await in_thread(Delivery.objects.get)()
        await in_thread(Delivery.objects.update)(due=None)
        await in_thread(hooks.send_again)(hook, delivery.pk)
        assert await postman.once()
        await in_thread(delivery.refresh_from_db)()
        assert (delivery.tries, delivery.status) == (1, 200)
        assert receiver.told[0] == receiver.told[1]

    async def test_slow_receiver_does_not_delay_others(self, ulno, artjom, settings, clock, postman):
        settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
        wait = threading.Event()
        with Receiver(wait=wait).running() as slow, Receiver().running() as quick:
            for _ in range(3):
                for user, receiver in ((ulno, slow), (artjom, quick)):
                    hook = await in_thread(self.hook_to)(user, receiver)
                    await in_thread(hooks.ping)(hook)
            clock.now += 60_000
            for _ in range(3):
                await postman._take_up()
                if quick_task := postman._work.get((await in_thread(self.hook_to)(artjom, quick)).pk):
                    await quick_task
            assert (len(quick.heard), len(slow.heard)) == (3, 1)
            wait.set()
            await asyncio.gather(*postman._work.values())

    def hook_to(self, user, receiver):
        known = Hook.objects.filter(user=user).first()
        return known or hooks.add(user, receiver.url, EVENTS, SITE)


@pytest.mark.django_db
class TestAsking:
    @pytest.fixture
    def mine(self, ulno):
        return hooks.add(ulno, ELSEWHERE, EVENTS, SITE)

    def test_pings_look_as_documented(self, mine):
        hooks.ping(mine)
        told = json.loads(Delivery.objects.get().body)
        assert shape(told) == shape(example("ping"))

    def test_ping_of_webhook_turned_off_refused(self, mine):
        hooks.switch_off(mine)
        mine.refresh_from_db()
        refused("off", hooks.ping, mine)

    def test_ping_above_rate_refused(self, mine):
        for _ in range(10):
            hooks.ping(mine)
        refused("too-fast", hooks.ping, mine)

    def test_send_again_of_waiting_delivery_refused(self, mine):
        hooks.ping(mine)
        refused("on-its-way", hooks.send_again, mine, Delivery.objects.get().pk)

    def test_send_again_of_unknown_delivery_refused(self, mine):
        refused("unknown-delivery", hooks.send_again, mine, 1)

    def test_another_secret_signs_what_waits(self, mine):
        hooks.ping(mine)
        before, after = mine.secret, hooks.replace_secret(mine)
        (claimed,) = deliveries.take(timezone.now(), 1)
        assert claimed.secret == after != before


@pytest.mark.django_db
class TestLog:
    def log_of(self, hook, count, **fields):
        made = [
            Delivery(hook=hook, event="ping", event_id=f"p{n}", body="{}", **{"created": NOW, **fields})
            for n in range(count)
        ]
        Delivery.objects.bulk_create(made)

    def test_the_last_hundred_are_kept_and_what_waits(self, ulno):
        hook = elsewhere(ulno)
        self.log_of(hook, 130)
        Delivery.objects.filter(event_id="p0").update(due=NOW)
        deliveries.trim(NOW)
        kept = list(Delivery.objects.order_by("pk").values_list("event_id", flat=True))
        assert kept == ["p0", *(f"p{n}" for n in range(30, 130))]

    def test_log_kept_for_thirty_days(self, ulno):
        self.log_of(elsewhere(ulno), 3)
        deliveries.trim(NOW + deliveries.KEPT_FOR)
        assert Delivery.objects.count() == 3
        deliveries.trim(NOW + deliveries.KEPT_FOR + timedelta(seconds=1))
        assert Delivery.objects.count() == 0


@pytest.mark.django_db(transaction=True)
class TestSecrets:
    async def test_no_secret_is_ever_logged(self, ulno, receiver, postman, clock, caplog, monkeypatch):
        hook = await in_thread(hooks.add)(ulno, receiver.url, EVENTS, SITE)
        caplog.set_level(logging.DEBUG)
        await in_thread(hooks.ping)(hook)
        clock.now += 60_000
        (claimed,) = await in_thread(deliveries.take)(instants.moment(clock.now), 1)
        assert hook.secret not in repr(claimed)
        clock.now += 60_000

        def broken(*_):
            raise OperationalError

        monkeypatch.setattr(deliveries, "note", broken)
        assert await postman.once()
        assert "could not note" in caplog.text
        assert hook.secret not in caplog.text
        assert "of=club" not in caplog.text

    def test_the_export_has_the_webhook_and_not_its_secret(self, client, ulno):
        hook = elsewhere(ulno)
        hooks.ping(hook)
        client.force_login(ulno)
        answer = client.get("/settings/export")
        (told,) = answer.json()["webhooks"]
        assert (told["url"], told["events"], len(told["deliveries"])) == (ELSEWHERE, list(EVENTS), 1)
        assert hook.secret not in answer.text

    def test_webhooks_deleted_with_account(self, ulno):
        hooks.ping(elsewhere(ulno))
        deletion.forget(ulno.pk)
        assert not Hook.objects.exists()
        assert not Delivery.objects.exists()


@pytest.mark.django_db
class TestPages:
    @pytest.fixture
    def at_home(self, client, ulno):
        client.force_login(ulno)
        return client

    def add(self, client, **fields):
        return client.post("/settings/webhooks", {"url": ELSEWHERE, "events": list(EVENTS), **fields})

    def test_the_secret_is_shown_once(self, at_home):
        answer = self.add(at_home)
        hook = Hook.objects.get()
        assert hook.secret in answer.text
        assert "no-store" in answer["Cache-Control"]
        assert hook.site == "http://testserver"
        for path in ("/settings/webhooks", f"/settings/webhooks/{hook.pk}"):
            assert hook.secret not in at_home.get(path).text
        assert Hook.objects.get().secret == hook.secret

    def test_a_form_sent_twice_shows_the_same_secret(self, at_home):
        answers = [self.add(at_home, key="k7w2m9xqd4") for _ in range(2)]
        assert all(Hook.objects.get().secret in answer.text for answer in answers)

    def test_secret_replaced(self, at_home):
        self.add(at_home)
        before = Hook.objects.get().secret
        answer = at_home.post(f"/settings/webhooks/{Hook.objects.get().pk}/secret")
        assert before not in answer.text
        assert Hook.objects.get().secret in answer.text

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            (
                {"url": "http://scores.example/"},
                "Webhook addresses must start with https://",
            ),
            ({"url": "https://10.0.0.1/"}, "to a private network"),
            ({"events": []}, "Choose at least one event."),
        ],
    )
    def test_a_refusal_stands_in_the_form(self, at_home, fields, words):
        answer = self.add(at_home, **fields)
        assert answer.status_code == 400
        assert words in answer.text

    def test_switched_off_on_and_deleted(self, at_home):
        self.add(at_home)
        page = f"/settings/webhooks/{Hook.objects.get().pk}"
        assert "You turned this webhook off." in at_home.post(f"{page}/off", follow=True).text
        at_home.post(f"{page}/on")
        assert Hook.objects.get().active
        assert at_home.post(f"{page}/delete")["Location"] == "/settings/webhooks"
        assert at_home.get(page).status_code == 404

    def test_the_log_says_how_a_delivery_stands(self, at_home, ulno):
        hook = elsewhere(ulno)
        at_home.post(f"/settings/webhooks/{hook.pk}/ping")
        page = f"/settings/webhooks/{hook.pk}"
        assert "Sending." in at_home.get(page).text
        (claimed,) = deliveries.take(timezone.now(), 1)
        deliveries.note(claimed, Answer(None, "timeout"), timezone.now(), 0.5)
        shown = at_home.get(page).text
        assert "The answer took too long." in shown
        assert "Next try:" in shown
        Delivery.objects.update(due=None)
        assert "Failed: The answer took too long." in at_home.get(page).text
        at_home.post(f"{page}/again/{Delivery.objects.get().pk}")
        assert Delivery.objects.get().due is not None

    @pytest.mark.parametrize(
        ("why", "words"), [("gone", "answered 410"), ("failing", "no delivery succeeded for days")]
    )
    def test_page_says_why_webhook_was_turned_off(self, at_home, ulno, why, words):
        hook = elsewhere(ulno, stopped=why)
        assert words in at_home.get(f"/settings/webhooks/{hook.pk}").text

    def test_page_of_webhook_of_other_not_found(self, at_home, artjom):
        page = f"/settings/webhooks/{elsewhere(artjom).pk}"
        assert at_home.get(page).status_code == 404
        for act in ("ping", "off", "on", "secret", "delete", "again/1"):
            assert at_home.post(f"{page}/{act}").status_code == 404
        assert Hook.objects.get().active

    def test_page_unknown_action_not_found(self, at_home, ulno):
        assert at_home.post(f"/settings/webhooks/{elsewhere(ulno).pk}/polish").status_code == 404

    def test_page_action_by_get_not_allowed(self, at_home, ulno):
        assert at_home.get(f"/settings/webhooks/{elsewhere(ulno).pk}/delete").status_code == 405

    def test_a_form_of_another_site_does_nothing(self, at_home):
        at_home.handler.enforce_csrf_checks = True
        assert self.add(at_home).status_code == 403

    def test_visitors_log_in_and_guests_are_sent_away(self, client):
        assert client.get("/settings/webhooks")["Location"].startswith("/accounts/login/")
        client.post("/guest")
        assert "You need an account for webhooks." in client.get("/settings/webhooks", follow=True).text
        assert "/settings/webhooks" not in client.get("/settings").text


# In processes of their own


def make_deliveries(count):
    """So many webhooks of as many people, each with a delivery that is due; call it with `inside`."""
    for number in range(count):
        hook = elsewhere(User.objects.create_user(f"owner-{number}"))
        hooks.ping(hook)


def go_through_everything():
    """A match from its first move to its end, all of it told once; the ids. Call it with `inside`."""
    people = [User.objects.create_user(name) for name in ("Ulno", "Artjom")]
    for person in people:
        elsewhere(person)
    match = finished.begun(people, rated=True)
    finished.play(match, "1")
    hook_events.turns_came({match.pk: people[1].pk}, timezone.now())
    finished.play(match, "1", Leave(1))
    ratings.settle(match.pk)
    told = []
    while taken := deliveries.take(timezone.now() + timedelta(seconds=1), 9):
        for claimed in taken:
            deliveries.note(claimed, Answer(200), timezone.now(), 0.5)
            told.append(claimed.event_id.partition(".")[2])
    deliveries.trim(timezone.now() + deliveries.KEPT_FOR)
    return [told, Delivery.objects.count()]


def take_all(at, most):
    """Take up everything that is due, a few at a time; the ids. Call it with `inside`."""
    taken = []
    while claims := deliveries.take(instants.moment(at), most):
        taken += [claimed.delivery for claimed in claims]
    return taken


def take_and_hang(at):
    """Take one up and never come back; call it with `inside`."""
    deliveries.take(instants.moment(at), 1)
    time.sleep(600)


def add_hook(name, url):
    """A webhook of somebody by name; call it with `inside`."""
    Hook.objects.create(user=User.objects.get(username=name), url=url, events=list(EVENTS), site=SITE)


def ping_all():
    """Have every webhook sent a ping; call it with `inside`."""
    for hook in Hook.objects.all():
        hooks.ping(hook)


@pytest.mark.services
class TestProcesses:
    @pytest.fixture
    def store(self, launcher):
        return launcher.store("postgres+redis")

    def rows(self, store, sql):
        with psycopg.connect(store.database_url) as connection:
            return connection.execute(sql).fetchall()

    def test_two_processes_take_nothing_twice(self, store):
        subprocess_call.call(store.database_url, make_deliveries, 60)
        at = instants.now() + 1000
        both = [subprocess_call.start(store.database_url, take_all, at, 3) for _ in range(2)]
        taken = [each for call in both for each in call.result()]
        assert len(taken) == len(set(taken)) == 60

    def test_all_of_it_is_what_this_database_can_do(self, store):
        told, left = subprocess_call.call(store.database_url, go_through_everything)
        assert sorted(told) == ["finished", "finished", "turn.0", "turn.1"]
        assert left == 0

    def test_deliveries_of_killed_process_retaken(self, store):
        subprocess_call.call(store.database_url, make_deliveries, 1)
        at = instants.now() + 1000
        process = subprocess_call.start(store.database_url, take_and_hang, at).process
        until = instants.moment(at) + LEASE
        wait_until(lambda: self.rows(store, "SELECT due FROM lobby_delivery") == [(until,)], "taking it up")
        process.kill()
        process.wait()
        lease = LEASE // timedelta(milliseconds=1)
        assert subprocess_call.call(store.database_url, take_all, at + lease - 1, 1) == []
        assert len(subprocess_call.call(store.database_url, take_all, at + lease, 1)) == 1


class TestServer:
    def test_a_running_server_tells_of_a_match(self, launcher):
        store = launcher.store("sqlite")
        with Receiver().running() as receiver:
            server = launcher.open(store, WEBHOOK_ALLOWED_HOSTS="127.0.0.1")
            one, other = accounts.registered(server, "Ulno", "Artjom")
            subprocess_call.call(store.database_url, add_hook, "Ulno", receiver.url)
            match = subprocess_call.call(
                store.database_url, accounts.begin_match, [one.user_id, other.user_id], "kalah", False
            )
            people = [accounts.person(server, each) for each in (one, other)]
            with people[0].watch(match) as mine, people[1].watch(match) as theirs:
                mine.move(0, "1")
                theirs.move(1, "1")
                ids = lambda: {told["id"] for told in receiver.told}  # noqa: E731
                wait_until(lambda: f"{match}.turn.2" in ids(), "being told of the turn")
                theirs.ask({"type": "resign", "id": "resign-now", "after": 2})
                wait_until(lambda: f"{match}.finished" in ids(), "being told of the end")
            wait_until(
                lambda: server.rows("SELECT COUNT(*) FROM lobby_delivery WHERE done IS NULL") == [(0,)],
                "noting that all was delivered",
            )

    def test_a_server_that_is_stopped_waits_for_no_receiver(self, launcher):
        store, never = launcher.store("sqlite"), threading.Event()
        with Receiver(wait=never).running() as receiver:
            server = launcher.open(store, WEBHOOK_ALLOWED_HOSTS="127.0.0.1")
            accounts.registered(server, "Ulno")
            subprocess_call.call(store.database_url, add_hook, "Ulno", receiver.url)
            subprocess_call.call(store.database_url, ping_all)
            wait_until(lambda: len(receiver.heard) == 1, "sending the ping")
            with within(outgoing.SECONDS):
                assert server.terminate() == 0
            never.set()
        assert server.rows("SELECT tries FROM lobby_delivery WHERE due IS NOT NULL") == [(0,)]
        assert "Traceback" not in server.log
        assert "whsec_" not in server.log


@pytest.mark.django_db
class TestShares:
    def hooks_of(self, user, count):
        urls = [f"{ELSEWHERE}{number}" for number in range(count)]
        return Hook.objects.bulk_create(Hook(user=user, url=url, events=EVENTS, site=SITE) for url in urls)

    def test_one_person_has_a_share_of_what_is_under_way(self, ulno, artjom):
        theirs, other = self.hooks_of(ulno, 40), self.hooks_of(artjom, 1)
        waiting = [
            Delivery(hook=hook, event="ping", event_id=f"{hook.pk}-{n}", body="{}", created=NOW, due=NOW)
            for hook in (*theirs, *other)
            for n in range(10)
        ]
        Delivery.objects.bulk_create(waiting)
        taken = deliveries.take(NOW, 16)
        assert [each.owner for each in taken] == [ulno.pk] * deliveries.SHARE + [artjom.pk]
        assert deliveries.take(NOW, 11, taken) == []

    def due(self, hook, moment=NOW):
        return Delivery.objects.create(
            hook=hook, event="ping", event_id=f"{hook.pk}-{moment}", body="{}", created=NOW, due=moment
        )

    def test_users_take_turns(self, ulno, artjom):
        for hook in self.hooks_of(ulno, 3):
            self.due(hook, NOW - timedelta(seconds=5))
        (other,) = self.hooks_of(artjom, 1)
        self.due(other)
        assert [each.owner for each in deliveries.take(NOW, 2)] == [ulno.pk, artjom.pk]

    def test_slow_webhook_has_places_of_its_own_until_it_is_quick_again(self, ulno):
        (hook,) = self.hooks_of(ulno, 1)
        for seconds, lane, other in ((9.0, Lane.WEBHOOKS, Lane.SLOW), (0.1, Lane.SLOW, Lane.WEBHOOKS)):
            self.due(hook, NOW - timedelta(seconds=seconds))
            assert deliveries.take(NOW, 1, lane=other) == []
            (claimed,) = deliveries.take(NOW, 1, lane=lane)
            deliveries.note(claimed, Answer(200, seconds=seconds), NOW, 0.5)
        self.due(hook)
        assert deliveries.take(NOW, 1, lane=Lane.SLOW) == []
        assert deliveries.take(NOW, 1)

    def test_device_has_a_place_while_webhooks_take_all_theirs(self, ulno):
        (hook,) = self.hooks_of(ulno, 1)
        Device.objects.create(hook=hook, p256dh="", auth="")
        self.due(hook)
        assert deliveries.take(NOW, 1) == []
        assert [each.hook for each in deliveries.take(NOW, 1, lane=Lane.DEVICES)] == [hook.pk]


@pytest.mark.django_db(transaction=True)
async def test_thirty_slow_webhooks_of_six_users_hold_up_nobody_else(ulno, settings):
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    wait = threading.Event()

    def add_slow(url):
        for user in [User.objects.create_user(f"Slow{number}") for number in range(6)]:
            for number in range(hooks.MAX_HOOKS):
                hook = hooks.add(user, f"{url}&{number}", EVENTS, SITE)
                deliveries.enqueue([hook_events.ping(hook, str(n)) for n in range(10)], timezone.now())

    with Receiver(wait=wait).running() as slow, Receiver().running() as quick:
        await in_thread(add_slow)(slow.url)
        hook = await in_thread(hooks.add)(ulno, quick.url, EVENTS, SITE)
        DeliveryWorker().begin()
        await eventually(lambda: len(slow.heard) >= 6)
        began = time.monotonic()
        await in_thread(hooks.ping)(hook)
        await eventually(lambda: quick.heard)
        waited = time.monotonic() - began
        wait.set()
        await cancel_tasks()
    assert waited < patience(outgoing.SECONDS / 2)


async def cancel_tasks():
    """End all background tasks."""
    for task in tuple(tasks.running):
        task.cancel()
    await asyncio.gather(*tasks.running, return_exceptions=True)
