"""Every page of allauth's is ours: it extends our base, and its inputs tell what they are."""

import re
from html.parser import HTMLParser

import pytest
from allauth.account import urls as account_urls
from allauth.mfa import urls as mfa_urls
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount import urls as social_urls
from allauth.usersessions import urls as session_urls
from django.template import engines
from django.template.loader import get_template
from django.urls import URLResolver, reverse

from lobby.people.models import User

PASSWORD = "a quiet evening"
SKIP_LINK = "Skip to content"
NO_PAGE = {"mfa_download_recovery_codes"}
"""A file."""


def names(patterns):
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from names(pattern.url_patterns)
        else:
            yield pattern.name


PAGES = sorted(
    {name for urls in (account_urls, mfa_urls, social_urls, session_urls) for name in names(urls.urlpatterns)}
)
ARGUMENTS = {
    "account_confirm_email": ["no-such-key"],
    "account_reset_password_from_key": ["1", "no-such-key"],
    "mfa_edit_webauthn": [1],
    "mfa_remove_webauthn": [1],
}


@pytest.fixture
def account(db):
    return User.objects.create_user("Ulno", "ulno@parlour.example", PASSWORD)


def log_in(client, user):
    """By the form, so that allauth knows how one came in; and once more, since it asks for that."""
    client.post(reverse("account_login"), {"login": user.username, "password": PASSWORD})
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


class Inputs(HTMLParser):
    """The inputs of a page, and what stands for their labels."""

    def __init__(self, html):
        super().__init__()
        self.inputs, self.labelled, self.ids = [], set(), set()
        self.feed(html)

    def handle_starttag(self, tag, pairs):
        attrs = dict(pairs)
        self.ids.add(attrs.get("id"))
        if tag == "label":
            self.labelled.add(attrs.get("for"))
        if tag in ("input", "textarea", "select") and attrs.get("type") not in (
            "hidden",
            "radio",
            "checkbox",
        ):
            self.inputs.append(attrs)


def check_page(answer):
    assert answer.status_code < 500
    assert SKIP_LINK in answer.text, "not our base"
    page = Inputs(answer.text)
    for each in page.inputs:
        assert each["id"] in page.labelled, each
        assert {"input", "select"} & set(each["class"].split()), each
        # What a field is for stands beside it; only the chat of the lobby says it in the field.
        assert "placeholder" not in each or each["id"] == "chat-text", each
        for part in (each.get("aria-describedby") or "").split():
            assert part in page.ids, each


@pytest.mark.parametrize("name", [name for name in PAGES if name not in NO_PAGE])
@pytest.mark.parametrize("who", ["visitor", "account", "with-second-factor"])
def test_every_page_extends_our_base(client, account, name, who):
    if who != "visitor":
        log_in(client, account)
    if who == "with-second-factor":
        TOTP.activate(account, generate_totp_secret())
        RecoveryCodes.activate(account)
    answer = client.get(reverse(name, args=ARGUMENTS.get(name, [])), follow=True)  # type: ignore[arg-type]
    check_page(answer)


def test_a_file_of_recovery_codes_has_nothing_but_codes(client, account):
    log_in(client, account)
    RecoveryCodes.activate(account)
    text = client.get(reverse("mfa_download_recovery_codes")).text
    assert re.fullmatch(r"(\d{8}\n){10}\s*", text)


def test_the_layouts_of_allauth_are_ours_so_that_no_page_can_be_unstyled():
    for layout in ("base", "entrance", "manage"):
        html = engines["django"].from_string(f"{{% extends 'allauth/layouts/{layout}.html' %}}").render({})
        assert SKIP_LINK in html


@pytest.mark.parametrize(
    "name", ["account/phone_change.html", "account/request_login_code.html", "mfa/webauthn/signup_form.html"]
)
def test_pages_that_we_do_not_use_would_have_our_base_too(name):
    source = get_template(name).template  # type: ignore[attr-defined]
    while source.nodelist and (parent := getattr(source.nodelist[0], "parent_name", None)):
        source = get_template(parent.resolve({})).template  # type: ignore[attr-defined]
    assert source.name == "base.html"


@pytest.mark.django_db
class TestForms:
    def test_inputs_say_what_belongs_into_them(self, client):
        page = Inputs(client.get(reverse("account_signup")).text)
        by_name = {each["name"]: each for each in page.inputs}
        assert by_name["username"]["autocomplete"] == "username"
        assert by_name["password1"]["autocomplete"] == by_name["password2"]["autocomplete"] == "new-password"
        assert by_name["password1"]["type"] == "password"
        assert (by_name["email"]["type"], by_name["email"]["autocomplete"]) == ("email", "email")
        assert "required" not in by_name["email"]

    def test_an_error_is_tied_to_its_input(self, client):
        answer = client.post(reverse("account_signup"), {"username": "x", "password1": "12345678"})
        check_page(answer)
        page = Inputs(answer.text)
        name = next(each for each in page.inputs if each["name"] == "username")
        assert name["aria-invalid"] == "true"
        assert "id_username_error" in name["aria-describedby"].split()

    def test_a_wrong_password_is_said_in_words(self, client):
        answer = client.post(reverse("account_login"), {"login": "Nobody9", "password": "wrong"})
        assert "This name and password do not match." in answer.text


@pytest.mark.django_db
class TestGuestsAtPagesOfAccounts:
    @pytest.mark.parametrize(
        "name",
        [
            *("account_email", "account_set_password", "account_change_password", "mfa_index"),
            *("mfa_activate_totp", "socialaccount_connections", "account_reauthenticate"),
        ],
    )
    def test_a_guest_is_sent_to_sign_up(self, client, name):
        client.post("/guest")
        answer = client.get(reverse(name))
        assert answer.status_code == 302
        assert answer["Location"].startswith(reverse("account_signup"))

    def test_a_guest_cannot_get_a_password_without_an_account(self, client):
        client.post("/guest")
        client.post(reverse("account_set_password"), {"password1": PASSWORD, "password2": PASSWORD})
        assert not User.objects.get().has_usable_password()
