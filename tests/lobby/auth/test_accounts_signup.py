"""Signing up and in: names that are ours to give, guests who stay who they are, and limits."""

import itertools
import re

import pytest
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, reverse

from games.models import Match
from games.net.hub import hub
from games.play import begin
from games.registry import GAMES
from lobby.auth.afterwards import WorkAfterAnswers, after_answer
from lobby.auth.forms import ResetPasswordForm
from lobby.chat import lines
from lobby.people import names
from lobby.people.models import User
from lobby.tables import tables
from lobby.tables.forms.table import TableForm
from lobby.tables.models import Table
from lobby.tokens import tokens

PASSWORD = "a quiet evening"
SIGN_UP, LOG_IN = "/accounts/signup/", "/accounts/login/"

pytestmark = pytest.mark.django_db


@pytest.fixture
def account():
    return User.objects.create_user("Ulno", "ulno@parlour.example", PASSWORD)


@pytest.fixture
def guest(client):
    client.post("/guest")
    return User.objects.get(is_guest=True)


def sign_up(client, name, email="", again=PASSWORD, **fields):
    form = {"username": name, "password1": PASSWORD, "password2": again, "email": email, **fields}
    return client.post(SIGN_UP, form)


def who(client):
    return client.session.get("_auth_user_id")


def with_key(key):
    """A browser with the key of a session."""
    browser = Client()
    browser.cookies[settings.SESSION_COOKIE_NAME] = key
    return browser


def match_of(*users):
    game = next(iter(GAMES.values()))
    return begin.create(game.slug, next(iter(game.rules.PRESETS.values())), users)


@pytest.fixture
def told(monkeypatch):
    """What browsers are told, by topic."""
    announced = []
    monkeypatch.setattr(hub, "announce", lambda topic, message: announced.append((topic, message)))
    return announced


class TestSigningUp:
    def test_a_name_and_a_password_are_enough(self, client):
        answer = sign_up(client, "Ulno")
        user = User.objects.get(username="Ulno")
        assert answer["Location"] == "/"
        assert who(client) == str(user.pk)
        assert user.check_password(PASSWORD)
        assert not user.is_guest

    def test_one_comes_back_to_where_one_was(self, client):
        assert sign_up(client, "Ulno", next="/m/abc")["Location"] == "/m/abc"

    def test_signup_redirect_stays_on_site(self, client):
        assert sign_up(client, "Ulno", next="https://elsewhere.example/")["Location"] == "/"

    def test_an_email_address_is_confirmed_by_a_link(self, client):
        sign_up(client, "Ulno", "ulno@parlour.example")
        (sent,) = mail.outbox
        link = next(word for word in sent.body.split() if "confirm-email" in word)
        client.post(link.removeprefix("http://testserver"))
        assert User.objects.get().emailaddress_set.get().verified  # type: ignore[attr-defined]

    def test_two_passwords_that_differ_make_no_account(self, client):
        answer = sign_up(client, "Ulno", again="something else")
        assert answer.status_code == 200
        assert not User.objects.exists()

    def test_an_email_that_cannot_be_sent_makes_an_account_all_the_same(self, client, settings):
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
        answer = sign_up(client, "Ulno", "ulno@parlour.example")
        assert answer.status_code == 302
        assert User.objects.get().check_password(PASSWORD)


class TestNames:
    @pytest.mark.parametrize("name", ["ab", "a" * 21, "two words", "<b>", "a/b"])
    def test_other_signs_or_lengths_are_refused(self, client, name):
        assert sign_up(client, name).status_code == 200
        assert not User.objects.exists()

    @pytest.mark.parametrize("name", ["müller", "Жанна", "小さい", "김철수", "नमस्ते", "שלום", "محمد"])
    def test_names_are_of_any_script(self, client, name):
        sign_up(client, name)
        assert User.objects.get().username == name
        page = client.get(User.objects.get().get_absolute_url())
        assert (page.status_code, name in page.text) == (200, True)

    @pytest.mark.parametrize("written", ["Ｕｌｎｏ", "Mu\u0308ller"])
    def test_a_name_has_one_form_however_it_is_typed(self, client, written):
        sign_up(client, written)
        assert User.objects.get().username in ("Ulno", "Müller")

    @pytest.mark.parametrize("name", ["ULNO", "UIno"])
    def test_a_name_in_other_capitals_or_that_looks_the_same_is_taken(self, client, account, name):
        assert "is already taken" in sign_up(client, name).text

    def test_signup_with_lookalike_name_refused(self, client):
        sign_up(client, "СОВА")
        assert "is already taken" in sign_up(Client(), "COBA").text

    def test_the_database_keeps_two_who_choose_the_same_at_once_apart(self, account):
        for name in ("ulno", "UIno"):
            with pytest.raises(IntegrityError), transaction.atomic():
                User.objects.create_user(name)

    @pytest.mark.parametrize("name", ["admin", "Moderator", "PARLOUR", "system", "deleted", "Guest", "bot"])
    def test_signup_with_name_of_site_refused(self, client, name):
        assert "This name is reserved" in sign_up(client, name).text
        assert not User.objects.exists()

    @pytest.mark.parametrize(
        "name",
        ["Admin-", "Adm1n", "AdmIn1strator", "Adrnin", "m-o-d", "M0D", "Mod99", "admin_7", "Guest-1",
         "Support-Team", "AdminTeam", "RealAdmin", "The-Real-Mod", "Parl0ur", "Админ", "модератор-7",
         "Moderaator"],
    )  # fmt: skip
    def test_signup_with_lookalike_of_reserved_name_refused(self, client, name):
        assert "This name is reserved" in sign_up(client, name).text
        assert not User.objects.exists()

    @pytest.mark.parametrize("name", ["accounts", "settings", "Static", "words", "rules", "healthz"])
    def test_addresses_of_the_site_are_reserved(self, name):
        with pytest.raises(ValidationError, match="reserved"):
            names.not_reserved(name)

    def test_every_first_part_of_an_address_is_reserved(self):
        for first in {str(each.pattern).split("/")[0] for each in get_resolver().url_patterns} - {""}:
            with pytest.raises(ValidationError, match="reserved"):
                names.not_reserved(first)

    def test_name_of_deleted_account_reserved(self):
        with pytest.raises(ValidationError, match="reserved"):
            names.not_reserved("deleted-7")

    def test_a_name_that_only_begins_like_a_reserved_one_is_free(self):
        for name in ("Adminton", "deletedscene", "Modesty", "Supporter", "Botany", "Host-Is-Fun", "Ann-42"):
            names.not_reserved(name)

    def test_a_moderator_cannot_rename_anybody_to_a_reserved_name(self, account):
        account.username = "moderator"
        with pytest.raises(ValidationError, match="reserved"):
            account.full_clean()

    def test_no_guest_is_given_a_reserved_name(self):
        for adjective, animal in itertools.product(names.ADJECTIVES.split(), names.ANIMALS.split()):
            names.not_reserved(f"{adjective}-{animal}")


class TestGuestsBecomeAccounts:
    def test_the_guest_stays_the_same_user_and_keeps_the_games(self, client, guest, account):
        match = match_of(guest, account)
        sign_up(client, "Brand-New")
        user = User.objects.get(pk=guest.pk)
        assert (user.username, user.is_guest) == ("Brand-New", False)
        assert user.check_password(PASSWORD)
        assert match.seatings.get(seat=0).user == user
        assert who(client) == str(guest.pk)

    def test_signup_of_guest_changes_session_key(self, client, guest):
        key = client.session.session_key
        sign_up(client, "Brand-New")
        assert client.session.session_key != key
        assert who(with_key(key)) is None

    def test_lines_of_the_chat_are_shown_under_the_new_name(
        self, client, guest, told, django_capture_on_commit_callbacks
    ):
        with django_capture_on_commit_callbacks(execute=True):
            sign_up(client, "Brand-New")
        assert (lines.NAMES, {"type": "renamed", "old": guest.username, "new": "Brand-New"}) in told

    def test_signup_with_same_name_announces_no_rename(
        self, client, guest, told, django_capture_on_commit_callbacks
    ):
        with django_capture_on_commit_callbacks(execute=True):
            sign_up(client, guest.username)
        assert "renamed" not in {message["type"] for _topic, message in told}

    def test_the_form_offers_the_name_the_guest_is_known_by(self, client, guest):
        assert f'value="{guest.username}"' in client.get(SIGN_UP).text
        assert sign_up(client, guest.username).status_code == 302
        assert User.objects.get(pk=guest.pk).username == guest.username

    def test_a_name_of_somebody_else_stays_theirs(self, client, guest, account):
        assert sign_up(client, "ulno").status_code == 200
        assert User.objects.get(pk=guest.pk).is_guest

    def test_a_refused_form_leaves_the_guest_a_guest(self, client, guest):
        sign_up(client, "Brand-New", again="something else")
        unchanged = User.objects.get(pk=guest.pk)
        assert (unchanged.username, unchanged.is_guest) == (guest.username, True)

    def test_the_lobby_knows_the_table_by_the_new_name(self, client, guest):
        game = next(iter(GAMES.values()))
        form = TableForm(
            game, {"preset": next(iter(game.rules.PRESETS)), "seats": game.rules.SEATS[0], "first": "lot"}
        )
        assert form.is_valid()
        table = tables.set_table(guest, game.slug, form.options(), game.rules.SEATS[0], "lot")
        sign_up(client, "Brand-New")
        assert "Brand-New" in client.get(table.get_absolute_url()).text
        assert Table.objects.get().host_id == guest.pk

    def test_one_account_per_guest_also_from_two_tabs(self, client, guest):
        other = client.__class__()
        other.cookies = client.cookies.copy()
        sign_up(client, "Brand-New")
        # The session of the second tab has gone with the guest.
        sign_up(other, "Other-Name")
        assert User.objects.get(pk=guest.pk).username == "Brand-New"

    def test_an_account_that_signs_up_again_makes_another(self, client, account):
        client.force_login(account)
        sign_up(client, "Brand-New")
        assert {user.username for user in User.objects.all()} == {"Ulno", "Brand-New"}


class TestLoggingIn:
    @pytest.mark.parametrize("login", ["Жанна", "ЖАННА", "жанна"])
    def test_login_by_name_ignores_case_in_any_script(self, client, login):
        sign_up(client, "Жанна")
        account = User.objects.get()
        browser = Client()
        browser.post(LOG_IN, {"login": login, "password": PASSWORD})
        assert who(browser) == str(account.pk)

    @pytest.mark.parametrize("login", ["Ulno", "uLNO", "ulno@parlour.example"])
    def test_login_by_name_or_email_address(self, client, account, login):
        account.emailaddress_set.create(email=account.email, primary=True, verified=True)
        client.post(LOG_IN, {"login": login, "password": PASSWORD})
        assert who(client) == str(account.pk)

    @pytest.mark.parametrize("prepared", ["that of a guest", "made up"])
    def test_login_replaces_prepared_session(self, client, guest, account, prepared):
        key = client.session.session_key if prepared == "that of a guest" else "a" * 32
        victim = Client()
        victim.cookies[settings.SESSION_COOKIE_NAME] = key
        victim.post(LOG_IN, {"login": "Ulno", "password": PASSWORD})
        assert who(victim) == str(account.pk)
        assert victim.session.session_key != key
        assert who(with_key(key)) is None

    def test_a_guest_reads_what_becomes_of_the_guest(self, client, guest, account):
        match_of(guest, account)
        page = client.get(LOG_IN).text
        assert guest.username in page
        assert "you cannot come back to this guest" in page
        assert "One match is still being played" in page

    def test_a_guest_who_logs_in_leaves_the_guest_behind(self, client, guest, account):
        client.post(LOG_IN, {"login": "Ulno", "password": PASSWORD})
        assert who(client) == str(account.pk)
        assert User.objects.get(pk=guest.pk).is_guest

    def test_a_closed_account_cannot_come_in(self, client, account):
        account.is_active = False
        account.save()
        client.post(LOG_IN, {"login": "Ulno", "password": PASSWORD})
        assert who(client) is None

    def test_login_after_five_wrong_passwords_says_to_wait(self, client, account):
        for _ in range(5):
            answer = client.post(LOG_IN, {"login": "Ulno", "password": "wrong"})
            assert "do not match" in answer.text
        # Even the right one: whoever guesses must not learn that they guessed right.
        answer = client.post(LOG_IN, {"login": "Ulno", "password": PASSWORD})
        assert "Too many wrong passwords. Wait five minutes" in answer.text
        assert who(client) is None

    def test_wrong_tries_of_a_stranger_do_not_shut_the_owner_out(self, client, account):
        for _ in range(6):
            stranger = client.post(LOG_IN, {"login": "Ulno", "password": "wrong"}, REMOTE_ADDR="203.0.113.9")
        assert "Too many wrong passwords. Wait five minutes" in stranger.text
        client.post(LOG_IN, {"login": "Ulno", "password": PASSWORD})
        assert who(client) == str(account.pk)

    def test_all_of_a_network_that_one_person_has_is_one_stranger(self, client, account):
        for end in range(6):
            answer = client.post(
                LOG_IN, {"login": "Ulno", "password": "wrong"}, REMOTE_ADDR=f"2001:db8:1:1::{end + 1:x}"
            )
        assert "Too many wrong passwords. Wait five minutes" in answer.text

    def test_an_address_that_tries_on_and_on_gets_a_clear_page(self, client, settings):
        settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login": "3/m/ip"}
        answers = [client.post(LOG_IN, {"login": f"Name-{i}", "password": "x"}) for i in range(4)]
        assert answers[-1].status_code == 429
        assert answers[-1]["Retry-After"] == "60"
        assert "Too many logins from your network" in answers[-1].text

    def test_a_class_behind_one_address_signs_up_mistypes_logs_in_and_sets_tables_within_a_minute(self, db):
        names = [f"Pupil-{number}" for number in range(35)]
        pupils = {name: Client() for name in names}
        assert {sign_up(pupils[name], name).status_code for name in names} == {302}
        for name in names:
            answer = Client().post(LOG_IN, {"login": name, "password": "mistyped"})
            assert (answer.status_code, "do not match" in answer.text) == (200, True)
        for name in names:
            assert pupils[name].post("/accounts/logout/").status_code == 302
            assert pupils[name].post(LOG_IN, {"login": name, "password": PASSWORD}).status_code == 302
            table = pupils[name].post("/new/kalah", {"preset": "circle", "seats": "2", "first": "host"})
            assert (table.status_code, table["Location"][:3]) == (302, "/t/")

    def test_login_from_network_above_limit_says_so(self, client, account, settings):
        settings.WRONG_PASSWORDS_PER_MINUTE = 3
        settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login_failed": "3/60s/ip,5/5m/key"}
        for number in range(3):
            client.post(LOG_IN, {"login": f"Name-{number}", "password": "x"})
        answer = client.post(LOG_IN, {"login": "Ulno", "password": PASSWORD})
        assert (answer.status_code, answer["Retry-After"]) == (429, "60")
        assert "Too many wrong passwords from your network" in answer.text
        assert "Too many wrong passwords. Wait five minutes" not in answer.text

    def test_no_notice_moves_the_page_of_who_has_come_in(self, client, db):
        answer = sign_up(client, "Artjom")
        assert '<p class="notice" role="status">' not in client.get(answer.url).text
        assert who(client) is not None

    def test_logging_out_is_a_form_of_the_menu(self, client, account):
        client.force_login(account)
        page = client.get("/").text
        assert f'<form method="post" action="{reverse("account_logout")}">' in page
        client.post(reverse("account_logout"))
        assert who(client) is None

    def test_a_link_logs_nobody_out(self, client, account):
        client.force_login(account)
        client.get(reverse("account_logout"))
        assert who(client) == str(account.pk)


class TestPasswords:
    @pytest.fixture(autouse=True)
    def confirmed(self, account):
        account.emailaddress_set.create(email=account.email, primary=True, verified=True)

    @pytest.fixture
    def token(self, account):
        return tokens.make(account, "a program", ["read"])

    def test_a_forgotten_password_that_is_replaced_revokes_the_tokens(self, client, account, token):
        client.post("/accounts/password/reset/", {"email": account.email})
        link = next(word for word in mail.outbox[0].body.split() if "/password/reset/key/" in word)
        form = client.get(link.removeprefix("http://testserver"))["Location"]
        assert tokens.caller(token) is not None
        client.post(form, {"password1": "another evening", "password2": "another evening"})
        assert tokens.caller(token) is None

    def test_password_change_revokes_tokens(self, client, account, token):
        client.force_login(account)
        new = {"oldpassword": PASSWORD, "password1": "another evening", "password2": "another evening"}
        client.post("/accounts/password/change/", new)
        assert tokens.caller(token) is None

    def test_the_same_one_in_a_newer_form_does_not(self, client, account, token, settings):
        settings.PASSWORD_HASHERS = [
            "django.contrib.auth.hashers.ScryptPasswordHasher",
            *settings.PASSWORD_HASHERS,
        ]
        client.post(LOG_IN, {"login": "Ulno", "password": PASSWORD})
        account.refresh_from_db()
        assert account.password.startswith("scrypt")
        assert tokens.caller(token) is not None

    def test_a_forgotten_password_is_replaced_by_a_link(self, client, account):
        client.post("/accounts/password/reset/", {"email": account.email})
        (sent,) = mail.outbox
        assert account.username in sent.body
        link = next(word for word in sent.body.split() if "/password/reset/key/" in word)
        form = client.get(link.removeprefix("http://testserver"))["Location"]
        client.post(form, {"password1": "another evening", "password2": "another evening"})
        account.refresh_from_db()
        assert account.check_password("another evening")
        assert who(client) == str(account.pk)

    def test_a_link_works_once(self, client, account):
        client.post("/accounts/password/reset/", {"email": account.email})
        link = next(word for word in mail.outbox[0].body.split() if "/password/reset/key/" in word)
        path = link.removeprefix("http://testserver")
        form = client.get(path)["Location"]
        client.post(form, {"password1": "another evening", "password2": "another evening"})
        assert "has expired" in client.get(path, follow=True).text

    def test_password_reset_hides_whether_address_is_known(self, client, account):
        told = [
            client.post("/accounts/password/reset/", {"email": email}, follow=True).text
            for email in (account.email, "x@parlour.example")
        ]
        # The proof that a form is ours is another one each time.
        known, unknown = (re.sub(r'(csrfmiddlewaretoken" value=")\w+', r"\1", text) for text in told)
        assert known == unknown
        assert len(mail.outbox) == 1

    def test_a_changed_password_is_told_by_email(self, client, account):
        client.post(LOG_IN, {"login": "Ulno", "password": PASSWORD})
        new = {"oldpassword": PASSWORD, "password1": "another evening", "password2": "another evening"}
        client.post("/accounts/password/change/", new)
        assert mail.outbox[-1].subject == "Your password has changed"
        assert who(client) == str(account.pk)

    def test_an_address_gets_one_link_in_three_minutes(self, client, account):
        for _ in range(3):
            client.post("/accounts/password/reset/", {"email": account.email})
        assert len(mail.outbox) == 1

    def test_a_reset_leads_to_the_passkeys_for_review(self, client, account):
        client.post("/accounts/password/reset/", {"email": account.email})
        link = next(word for word in mail.outbox[0].body.split() if "/password/reset/key/" in word)
        form = client.get(link.removeprefix("http://testserver"))["Location"]
        new = {"password1": "another evening", "password2": "another evening"}
        answer = client.post(form, new, follow=True)
        assert answer.redirect_chain[-1][0] == "/accounts/2fa/"
        assert "Check that all passkeys are yours" in answer.text

    @pytest.mark.parametrize("email", ["ulno@parlour.example", "x@parlour.example"])
    def test_a_reset_looks_nothing_up_before_the_answer(self, rf, email):
        request = rf.post("/accounts/password/reset/")
        request.after_answer = []
        form = ResetPasswordForm({"email": email})
        with CaptureQueriesContext(connection) as queries:
            assert form.is_valid()
            form.save(request)
        assert len(queries) == 0
        assert len(request.after_answer) == 1
        assert mail.outbox == []

    @pytest.mark.parametrize("login", ["ulno@parlour.example", "x@parlour.example", "Ulno", "Nobody-Here"])
    def test_a_wrong_password_is_hashed_as_often_for_unknown_logins(self, client, login, monkeypatch):
        hashed, encode = [], MD5PasswordHasher.encode
        monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *told: hashed.append(told) or encode(*told))
        client.post(LOG_IN, {"login": login, "password": "wrong"})
        assert len(hashed) == 2


SENSITIVE = [
    ("post", "/accounts/email/", {"action_add": "", "email": "thief@parlour.example"}),
    ("post", "/settings/tokens", {"name": "x", "scopes": ["read"]}),
    ("post", "/settings/tokens/1/revoke", {}),
    ("get", "/accounts/2fa/webauthn/add/", {}),
    ("post", "/accounts/sessions/", {}),
    ("post", "/settings/sessions/1/end", {}),
    ("get", "/settings/export", {}),
]


@pytest.mark.parametrize(("method", "path", "fields"), SENSITIVE)
def test_a_stolen_session_is_asked_for_the_password(client, account, method, path, fields):
    client.force_login(account)
    answer = getattr(client, method)(path, fields)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/reauthenticate/")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    again = getattr(client, method)(path, fields)
    assert "reauthenticate" not in again.headers.get("Location", "")


def test_a_stolen_session_deletes_no_account_without_the_password(client, account):
    client.force_login(account)
    assert client.post("/settings/delete", {"sure": "on"}).status_code == 400


class TestAddressesThatNobodyConfirmed:
    """An e-mail address belongs to whoever confirms it."""

    ADDRESS = "ulno@parlour.example"

    def confirm(self, client):
        link = next(word for word in mail.outbox[-1].body.split() if "confirm-email" in word)
        return client.post(link.removeprefix("http://testserver"), follow=True)

    @pytest.mark.parametrize("confirmed", [True, False])
    def test_signing_up_does_not_tell_whether_an_address_is_known(self, client, account, confirmed):
        account.emailaddress_set.create(email=self.ADDRESS, verified=confirmed, primary=True)
        answers = []
        for name, address in (("Known-Mail", self.ADDRESS), ("Other-Mail", "x@parlour.example")):
            browser = Client()
            answer = sign_up(browser, name, address)
            shown = browser.get("/accounts/email/").text
            answers.append(
                (answer.status_code, answer["Location"], "not confirmed" in shown, address in shown)
            )
        assert answers == [(302, "/", True, True)] * 2
        assert [sent.to for sent in mail.outbox] == [[self.ADDRESS], ["x@parlour.example"]]

    def test_an_address_that_nobody_confirmed_gets_no_other_mail(self, client):
        for number in range(5):
            cache.clear()
            sign_up(Client(), f"Flood-{number}", self.ADDRESS)
        mail.outbox.clear()
        for _ in range(5):
            cache.clear()
            client.post("/accounts/password/reset/", {"email": self.ADDRESS})
        flood = User.objects.get(username="Flood-0")
        browser = Client()
        browser.force_login(flood)
        new = {"oldpassword": PASSWORD, "password1": "another evening", "password2": "another evening"}
        browser.post("/accounts/password/change/", new)
        assert mail.outbox == []

    def test_an_address_that_somebody_else_confirmed_is_never_ours(self, client, account):
        account.emailaddress_set.create(email=self.ADDRESS, verified=True, primary=True)
        sign_up(client, "Somebody-Else", self.ADDRESS)
        self.confirm(client)
        assert not User.objects.get(username="Somebody-Else").emailaddress_set.get().verified  # type: ignore[attr-defined]

    def test_unconfirmed_address_does_not_block_its_owner(self, client):
        sign_up(Client(), "Squatter", self.ADDRESS)
        # An address gets one link in three minutes, whoever asks for it.
        cache.clear()
        assert sign_up(client, "Ulno", self.ADDRESS)["Location"] == "/"
        self.confirm(client)
        ulno = User.objects.get(username="Ulno")
        assert ulno.emailaddress_set.get().verified  # type: ignore[attr-defined]
        browser = Client()
        browser.post(LOG_IN, {"login": self.ADDRESS, "password": PASSWORD})
        assert who(browser) == str(ulno.pk)
        mail.outbox.clear()
        browser.post("/accounts/password/reset/", {"email": self.ADDRESS})
        (sent,) = mail.outbox
        assert "Ulno" in sent.body


def test_a_match_of_a_guest_is_one_of_the_account_afterwards(client, guest, account):
    match = match_of(account, guest)
    sign_up(client, "Brand-New")
    assert "Brand-New" in client.get("/").text
    assert Match.objects.get(seatings__user=guest.pk) == match


class TestTooLong:
    """PostgreSQL fails where SQLite stores what is too long; a form refuses it on both."""

    ADDRESS = f"{'a' * 64}@{'.'.join(['b' * 60] * 4)}.example"

    def test_an_email_address_above_254_characters_is_refused_at_sign_up(self, client):
        assert sign_up(client, "Ulno", self.ADDRESS).status_code == 200
        assert not User.objects.exists()

    def test_an_email_address_above_254_characters_is_not_added(self, client, account):
        client.force_login(account)
        client.post("/accounts/email/", {"action_add": "", "email": self.ADDRESS})
        assert not account.emailaddress_set.filter(email=self.ADDRESS).exists()


def test_work_that_fails_after_an_answer_is_logged(rf, caplog):
    def answer(request):
        after_answer(request, lambda: 1 / 0)
        return HttpResponse("the answer")

    response = WorkAfterAnswers(answer)(rf.get("/"))
    assert caplog.records == []
    response.close()
    (record,) = caplog.records
    assert record.exc_info[0] is ZeroDivisionError
