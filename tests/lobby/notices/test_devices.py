"""What devices are told, how it is sealed and signed, and when a device is told nothing more."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone

from games.domain import instants
from games.domain.messages import MoveCommand
from games.domain.terms import Terms
from games.models import Match
from games.net.hub import Hub
from games.net.threads import in_thread
from games.play import begin, matches
from games.play import signals as of_matches
from games.registry import GAMES
from games.store import match_offers
from lobby.accounts import deletion, export
from lobby.notices import devices, push_notifications
from lobby.notices.devices import BadKeys, NotForPrograms, TooMany
from lobby.notices.models import Device, PushKey
from lobby.notices.page_visibility import Looking
from lobby.people import relationships
from lobby.tables import challenges, tables
from lobby.tables.models import Table
from lobby.tables.terms import TableTerms
from lobby.vacations import vacations
from lobby.webhooks import events, hooks, signals, vapid, webpush_encryption
from lobby.webhooks.events import PendingTurnEvents
from lobby.webhooks.models import Delivery, Hook
from lobby.webhooks.outgoing import NotHttps, NotPublic
from lobby.webhooks.sender import DeliveryWorker
from tests.helpers import finished
from tests.helpers.push_service import PushService, unb64
from tests.helpers.waiting import eventually
from tools.harness.timed import Time

# A match is announced once it is stored, and the postman works beside the test.
pytestmark = pytest.mark.django_db(transaction=True)

SITE = "https://parlour.example"
RULES = GAMES["kalah"].rules.PRESETS["circle"]
ENDPOINT = "https://push.example/send/abc"


@pytest.fixture
def service(settings):
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    with PushService().running() as service:
        yield service


@pytest.fixture
def clock():
    return Time(instants.milliseconds(timezone.now()) + 60_000)


@pytest.fixture
def looks(monkeypatch):
    looks = Looking(Hub())
    monkeypatch.setattr(push_notifications, "looking", looks)
    return looks


def add(user, browser, name="Chrome · Android"):
    return devices.add(user, browser.endpoint, **browser.keys, name=name, site=SITE)


def send(clock):
    postman = DeliveryWorker(clock, lambda: 0.5)

    async def all_of_it():
        while await postman.once():
            pass

    asyncio.run(all_of_it())


def match_between(*people, clock="3d"):
    return begin.create("kalah", RULES, people, terms=Terms(clock=clock))


def table_of(host, clock="3d"):
    terms = TableTerms(clock=clock)
    return tables.set_table(host, "kalah", RULES, 2, Table.First.HOST, terms)


class TestSealing:
    def test_the_example_of_rfc_8291(self):
        own = ec.derive_private_key(
            int.from_bytes(unb64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"),
            webpush_encryption.CURVE,
        )
        sealed = webpush_encryption.seal(
            b"When I grow up, I want to be a watermelon",
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
            own,
            unb64("DGv6ra1nlYgDCS1FRnbzlw"),
        )
        assert webpush_encryption.text_of(sealed) == (
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
            "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        )

    def test_vapid_key_created_once(self):
        first = vapid.public()
        assert vapid.public() == first
        assert PushKey.objects.count() == 1
        assert len(unb64(first)) == 65


class TestWhatIsTold:
    def test_device_told_of_turn_in_correspondence_match(self, ulno, artjom, service, clock):
        phone = service.browser()
        add(ulno, phone)
        match = match_between(ulno, artjom)
        send(clock)
        ((headers, message),) = phone.heard
        assert (message["title"], message["text"]) == ("Your turn", "Kalah against Artjom")
        assert message["path"] == f"/m/{match.pk}"
        assert headers["Urgency"] == "high"
        # Told once, however often it is noted.
        signals.turns_came({match.pk: ulno.pk}, timezone.now())
        send(clock)
        assert len(phone.heard) == 1

    async def test_a_turn_that_a_move_passed_on(self, ulno, artjom, service, clock, monkeypatch):
        phone = service.browser()
        await in_thread(add)(artjom, phone)
        match = await in_thread(match_between)(ulno, artjom)
        pending_turns = PendingTurnEvents()
        monkeypatch.setattr(events, "PAUSE", 0.02)
        monkeypatch.setattr(of_matches.turn_passed, "listeners", (pending_turns.passed,))
        play = matches.Matches(Hub())
        await play.play(match.pk, ulno.pk, MoveCommand(type="move", id="move-1-x", after=0, move="1"))
        await eventually(Delivery.objects.aexists)
        await play.close()
        await in_thread(send)(clock)
        assert [message["path"] for message in phone.told] == [f"/m/{match.pk}"]

    def test_device_not_told_of_turn_during_vacation(self, ulno, artjom, service, clock):
        phone = service.browser()
        add(ulno, phone)
        vacations.take(ulno, 7, None, "command-1")
        match_between(ulno, artjom)
        send(clock)
        assert phone.heard == []

    @pytest.mark.parametrize("control", ["", "5+3"])
    def test_device_not_told_of_turn_in_live_match(self, ulno, artjom, service, clock, control):
        phone = service.browser()
        add(ulno, phone)
        match_between(ulno, artjom, clock=control)
        send(clock)
        assert phone.heard == []

    def test_device_of_waiting_player_not_told(self, ulno, artjom, service, clock):
        phone = service.browser()
        add(artjom, phone)
        match = match_between(ulno, artjom)
        push_notifications.turns_came({match.pk: artjom.pk}, timezone.now())
        send(clock)
        assert phone.heard == []

    def test_device_told_of_player_at_own_table(self, ulno, artjom, service, clock):
        phone = service.browser()
        add(ulno, phone)
        table = table_of(ulno, clock="5+3")
        table = tables.sit_down(artjom, table.pk)
        send(clock)
        (message,) = phone.told
        assert (message["title"], message["text"]) == ("Artjom joined your table", "Kalah")
        assert message["path"] == f"/m/{table.match_id}"

    def test_device_not_told_of_added_computer(self, ulno, service, clock):
        phone = service.browser()
        add(ulno, phone)
        tables.add_computer(ulno, table_of(ulno, clock="").pk, 1)
        send(clock)
        assert phone.heard == []

    def test_device_told_of_challenge(self, ulno, artjom, service, clock):
        phone = service.browser()
        add(artjom, phone)
        table = challenges.challenge(ulno, artjom, "kalah", RULES, Table.First.LOT, TableTerms(clock="3d"))
        send(clock)
        (message,) = phone.told
        assert (message["title"], message["text"]) == ("Ulno challenges you", "Kalah · 3 days per move")
        assert message["path"] == f"/t/{table.pk}"

    def test_all_devices_of_a_person_and_nobody_elses(self, ulno, artjom, service, clock):
        phone, tablet, other = service.browser(), service.browser(), service.browser()
        add(ulno, phone)
        add(ulno, tablet)
        add(artjom, other)
        match_between(ulno, artjom)
        send(clock)
        assert (len(phone.heard), len(tablet.heard), len(other.heard)) == (1, 1, 0)

    def test_device_not_told_of_webhook_events(self, ulno, artjom, service, clock):
        phone = service.browser()
        add(ulno, phone)
        hooks.add(ulno, f"{service.origin}/program", ["turn.mine"], SITE)
        match_between(ulno, artjom)
        assert sorted(Delivery.objects.values_list("event", flat=True)) == ["notice", "turn.mine"]


class TestAskedBack:
    """Somebody wants a rematch, or to go on with a saved match."""

    @pytest.fixture
    def over(self, ulno, artjom):
        match = finished.won([ulno, artjom])
        match.seatings.filter(user=ulno).update(wants_rematch=True)
        return match

    def test_a_rematch(self, ulno, artjom, over, service, clock):
        phone, other = service.browser(), service.browser()
        add(artjom, phone)
        add(ulno, other)
        for _ in range(2):
            push_notifications.called(over.pk)
        send(clock)
        ((_, message),) = phone.heard
        assert (message["title"], message["text"]) == ("Ulno offers you a rematch", "Kalah")
        assert message["path"] == f"/m/{over.pk}"
        assert other.heard == []

    def test_a_saved_match(self, ulno, artjom, service, clock):
        phone = service.browser()
        add(artjom, phone)
        match = match_between(ulno, artjom, clock="")
        Match.objects.filter(pk=match.pk).update(status=Match.Status.SAVED)
        now = instants.milliseconds(timezone.now())
        match_offers.agree(match.pk, 0, (0, "resume-1"), "resume", now, needed={0, 1})
        push_notifications.called(match.pk)
        send(clock)
        assert [message["title"] for _, message in phone.heard] == ["Ulno invites you to resume your match"]

    def test_device_not_called_without_rematch_offer(self, ulno, artjom, service, clock):
        add(artjom, service.browser())
        push_notifications.called(finished.won([ulno, artjom]).pk)
        assert not Delivery.objects.exists()

    def test_device_not_called_while_user_online(self, artjom, over, service, looks):
        add(artjom, service.browser())
        looks.note(object(), artjom.pk, "/leaderboards")
        push_notifications.called(over.pk)
        assert not Delivery.objects.exists()

    def test_device_not_called_by_blocked_player(self, ulno, artjom, over, service):
        add(artjom, service.browser())
        relationships.block(artjom, ulno)
        push_notifications.called(over.pk)
        assert not Delivery.objects.exists()


class TestPresent:
    """Nobody is told what they look at."""

    def test_device_not_told_while_user_views_board(self, ulno, artjom, service, clock, looks):
        phone, page = service.browser(), object()
        add(ulno, phone)
        match = match_between(artjom, ulno)
        looks.note(page, ulno.pk, f"/m/{match.pk}")
        # As though the turn had come: Ulno is first in this one.
        other = match_between(ulno, artjom)
        looks.note(page, ulno.pk, f"/m/{other.pk}")
        Delivery.objects.all().delete()
        push_notifications.turns_came({other.pk: ulno.pk}, timezone.now())
        assert not Delivery.objects.exists()
        # Out of sight it is told.
        looks.note(page, ulno.pk, None)
        push_notifications.turns_came({other.pk: ulno.pk}, timezone.now())
        assert Delivery.objects.count() == 1

    def test_another_page_in_sight_keeps_no_turn_back(self, ulno, artjom, service, looks):
        add(ulno, service.browser())
        looks.note(object(), ulno.pk, "/leaderboards")
        match_between(ulno, artjom)
        assert Delivery.objects.count() == 1

    def test_a_challenge_shows_on_any_page(self, ulno, artjom, service, looks):
        add(artjom, service.browser())
        looks.note(object(), artjom.pk, "/leaderboards")
        challenges.challenge(ulno, artjom, "kalah", RULES, Table.First.LOT, TableTerms())
        assert not Delivery.objects.exists()

    def test_a_page_that_is_closed_is_looked_at_by_nobody(self, ulno):
        looks, page = Looking(Hub()), object()
        looks.note(page, ulno.pk, "/")
        looks.note(page, ulno.pk, "/")
        assert looks.at(ulno.pk)
        assert looks.at(ulno.pk, "/")
        assert not looks.at(ulno.pk, "/people")
        looks.forget(page)
        assert not looks.at(ulno.pk)


class TestTheEnd:
    @pytest.mark.parametrize("status", [404, 410])
    def test_a_device_that_listens_no_more_is_forgotten(self, ulno, artjom, service, clock, status):
        phone = service.browser()
        phone.status = status
        add(ulno, phone)
        match_between(ulno, artjom)
        send(clock)
        assert not Hook.objects.exists()
        assert not Device.objects.exists()

    def test_a_push_service_that_is_ill_is_asked_again_and_not_for_ever(self, ulno, artjom, service, clock):
        phone = service.browser()
        phone.status = 503
        add(ulno, phone)
        match_between(ulno, artjom)
        for _ in range(6):
            send(clock)
            clock.now += timedelta(hours=1) // timedelta(milliseconds=1)
        (delivery,) = Delivery.objects.all()
        assert (delivery.tries, delivery.due, delivery.status) == (5, None, 503)
        assert Device.objects.count() == 1

    def test_device_removed_by_owner_only(self, ulno, artjom, service, client):
        device = add(ulno, service.browser())
        client.force_login(artjom, "lobby.auth.backends.PasswordBackend")
        client.post(reverse("end-device", args=[device.pk]))
        assert Device.objects.count() == 1
        client.force_login(ulno, "lobby.auth.backends.PasswordBackend")
        assert "Chrome · Android" in client.get(reverse("settings")).content.decode()
        client.post(reverse("end-device", args=[device.pk]))
        assert not Hook.objects.exists()

    def test_a_browser_that_somebody_else_uses_now_is_theirs(self, ulno, artjom, service):
        phone = service.browser()
        add(ulno, phone)
        add(artjom, phone)
        assert [device.hook.user for device in Device.objects.all()] == [artjom]

    def test_devices_exported_and_deleted_with_account(self, ulno, service):
        add(ulno, service.browser())
        (told_of,) = export.everything_about(ulno)["devices"]
        assert told_of["name"] == "Chrome · Android"
        deletion.forget(ulno.pk)
        assert not Device.objects.exists()


class TestWhoMay:
    KEYS = PushService().browser().keys

    def test_only_the_keys_of_a_browser_are_taken(self, ulno):
        for p256dh, auth in (("", ""), ("nonsense", self.KEYS["auth"]), (self.KEYS["p256dh"], "c2hvcnQ")):
            with pytest.raises(BadKeys):
                devices.add(ulno, ENDPOINT, p256dh, auth, "A browser", SITE)
        assert not Hook.objects.exists()

    @pytest.mark.parametrize("beside", ["!" * 200, "\n", " ", "é", "===="])
    @pytest.mark.parametrize("key", ["p256dh", "auth"])
    def test_a_key_has_no_other_letters_in_it(self, ulno, key, beside):
        keys = {**self.KEYS, key: self.KEYS[key] + beside}
        with pytest.raises(BadKeys):
            devices.add(ulno, ENDPOINT, **keys, name="A browser", site=SITE)

    @pytest.mark.parametrize(
        ("url", "why"), [("http://push.example/", NotHttps), ("https://10.0.0.1/push", NotPublic)]
    )
    def test_device_in_private_network_refused(self, ulno, url, why):
        with pytest.raises(why):
            devices.add(ulno, url, **self.KEYS, name="A browser", site=SITE)

    def test_programs_have_none(self, ulno):
        ulno.is_bot = True
        with pytest.raises(NotForPrograms):
            devices.add(ulno, ENDPOINT, **self.KEYS, name="A browser", site=SITE)

    def test_devices_above_limit_refused(self, ulno):
        for number in range(devices.MAX_DEVICES):
            devices.add(ulno, f"{ENDPOINT}{number}", **self.KEYS, name="A browser", site=SITE)
        with pytest.raises(TooMany):
            devices.add(ulno, ENDPOINT, **self.KEYS, name="A browser", site=SITE)

    def test_devices_not_listed_as_webhooks(self, ulno):
        device = devices.add(ulno, ENDPOINT, **self.KEYS, name="A browser", site=SITE)
        assert hooks.of(ulno) == []
        with pytest.raises(hooks.Unknown):
            hooks.find(ulno, device.pk)

    def test_a_refusal_is_told_in_words_and_changes_nothing(self, client):
        guest = get_user_model().objects.create_user("Guest", is_guest=True)
        client.force_login(guest, "lobby.auth.backends.PasswordBackend")
        answer = client.post(reverse("devices"), {"url": "x", **self.KEYS})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-url")
        assert client.post(reverse("devices"), {"url": ENDPOINT, **self.KEYS, "name": "x"}).status_code == 204
        assert Device.objects.get().hook.user == guest
