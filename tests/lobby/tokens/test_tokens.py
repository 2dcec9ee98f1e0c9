"""Tokens: made and shown once, stored as a digest, good for what they are good for, and revoked."""

from __future__ import annotations

import hashlib
import re
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.utils import timezone

from games.api import access
from games.api.scopes import SCOPES
from lobby.accounts import deletion
from lobby.accounts.export import everything_about
from lobby.people.models import User
from lobby.tokens import tokens
from lobby.tokens.models import Event, Token
from lobby.tokens.tokens import MAX_TOKENS, PREFIX, TokenError

TOKEN = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")


@pytest.fixture
def token(ulno: User) -> str:
    return tokens.make(ulno, "my program", ["read", "play"])


class TestService:
    def test_a_token_is_256_bits_behind_a_prefix(self, token):
        assert TOKEN.fullmatch(token)

    def test_only_its_digest_is_stored(self, token):
        stored = Token.objects.values().get()
        assert stored["digest"] == hashlib.sha256(token.encode()).hexdigest()
        assert token not in str(stored)

    def test_token_identifies_owner(self, token, ulno):
        caller = tokens.caller(token)
        assert caller is not None
        assert (caller.user_id, caller.name, caller.scopes) == (ulno.pk, "Ulno", {"read", "play"})  # type: ignore[comparison-overlap]

    @pytest.mark.parametrize("change", [str.upper, lambda token: token[:-1], lambda token: token[4:]])
    def test_token_altered_is_unknown(self, token, change):
        assert tokens.caller(change(token)) is None

    def test_token_use_noted(self, token):
        assert Token.objects.get().used is None
        tokens.caller(token)
        used = Token.objects.get().used
        assert used is not None
        tokens.caller(token)
        assert Token.objects.get().used == used
        Token.objects.update(used=used - timedelta(hours=1))
        tokens.caller(token)
        assert Token.objects.get().used >= used

    def test_a_revoked_one_is_good_for_nothing(self, token, ulno, artjom):
        number = Token.objects.get().pk
        tokens.revoke(artjom, number)
        assert access.is_good(tokens.caller(token))
        caller = tokens.caller(token)
        tokens.revoke(ulno, number)
        assert tokens.caller(token) is None
        assert not access.is_good(caller)

    def test_token_of_banned_user_invalid(self, token, ulno):
        User.objects.filter(pk=ulno.pk).update(is_active=False)
        assert tokens.caller(token) is None

    @pytest.mark.parametrize(
        ("name", "scopes", "code"),
        [(" \u200b", ["read"], "empty"), ("x", [], "no-scope"), ("x", ["everything"], "no-scope")],
    )
    def test_make_token_invalid_refused(self, ulno, name, scopes, code):
        with pytest.raises(TokenError) as error:
            tokens.make(ulno, name, scopes)
        assert error.value.code == code

    def test_guests_have_none(self, ulno):
        ulno.is_guest = True
        with pytest.raises(TokenError) as error:
            tokens.make(ulno, "x", ["read"])
        assert error.value.code == "no-account"

    def test_make_token_above_limit_refused(self, ulno):
        for _ in range(MAX_TOKENS):
            tokens.make(ulno, "x", ["read"])
        with pytest.raises(TokenError) as error:
            tokens.make(ulno, "x", ["read"])
        assert error.value.code == "too-many-tokens"

    def test_tokens_exported_without_secret(self, token, ulno):
        (mine,) = everything_about(ulno)["tokens"]
        assert (mine["name"], mine["scopes"]) == ("my program", ["read", "play"])
        assert token not in str(mine)
        assert Token.objects.get().digest not in str(mine)


@pytest.mark.django_db(transaction=True)
def test_tokens_deleted_with_account(ulno, token):
    Event.objects.create(user=ulno, data={}, at=timezone.now())
    async_to_sync(deletion.delete_account)(ulno.pk)
    assert not Token.objects.exists()
    assert not Event.objects.exists()


class TestPage:
    def test_a_new_token_is_shown_once(self, client, ulno):
        client.force_login(ulno)
        answer = client.post("/settings/tokens", {"name": "My <b>bot</b>", "scopes": ["read", "play"]})
        (shown,) = set(TOKEN.findall(answer.content.decode()))
        assert tokens.caller(shown) is not None
        assert "no-store" in answer["Cache-Control"]
        page = client.get("/settings/tokens").content.decode()
        assert "My &lt;b&gt;bot&lt;/b&gt;" in page
        assert not TOKEN.search(page)

    def test_a_form_sent_twice_makes_one_and_says_so(self, client, ulno):
        client.force_login(ulno)
        form = {"name": "bot", "scopes": ["read"], "key": "k7w2m9xqd4"}
        client.post("/settings/tokens", form)
        page = client.post("/settings/tokens", form, follow=True).text
        assert Token.objects.count() == 1
        assert "You sent this form twice, and one token was created." in page
        assert not TOKEN.search(page)

    @pytest.mark.parametrize(
        "form", [{"name": "", "scopes": "read"}, {"name": "x"}, {"name": "x", "scopes": "all"}]
    )
    def test_token_form_missing_field_refused(self, client, ulno, form):
        client.force_login(ulno)
        answer = client.post("/settings/tokens", form)
        assert answer.status_code == 400
        assert b"field-error" in answer.content
        assert not Token.objects.exists()

    def test_token_revoked_from_page(self, client, ulno, token):
        client.force_login(ulno)
        answer = client.post(f"/settings/tokens/{Token.objects.get().pk}/revoke", follow=True)
        assert b"no longer works" in answer.content
        assert tokens.caller(token) is None

    def test_token_of_other_not_revoked(self, client, artjom, token):
        client.force_login(artjom)
        client.post(f"/settings/tokens/{Token.objects.get().pk}/revoke")
        assert tokens.caller(token) is not None

    def test_every_scope_is_said_in_a_sentence(self, client, ulno):
        client.force_login(ulno)
        page = client.get("/settings/tokens").content.decode()
        assert all(sentence in page for sentence in SCOPES.values())

    def test_visitors_log_in_and_guests_sign_up(self, client, ulno):
        assert "/accounts/login/" in client.get("/settings/tokens")["Location"]
        User.objects.filter(pk=ulno.pk).update(is_guest=True)
        client.force_login(ulno)
        assert "/accounts/signup/" in client.get("/settings/tokens")["Location"]
