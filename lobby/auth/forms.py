"""allauth's forms with our texts. Validation and actions are allauth's."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from allauth.account import forms as account
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base import forms as mfa
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm as TOTPForm
from allauth.mfa.webauthn import forms as webauthn
from allauth.socialaccount.forms import SignupForm as SocialForm
from django import forms
from django.conf import settings
from django.core.cache import cache
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from lobby.accounts.guests import guest_of
from lobby.auth.afterwards import after_answer
from lobby.people import naming
from lobby.people.models import NAME_LENGTH, User

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

NAME_HINT = _("3 to 20 letters of one alphabet, digits, - and _. Everyone can see it.")
PASSWORD_HINT = _("At least 8 characters. Not only digits, not your name, not a common password.")
EMAIL_HINT = _("Private. You need it to reset your password.")


def word(
    form: forms.BaseForm, name: str, label: StrPromise, hint: str | StrPromise = "", **attrs: str
) -> None:
    """Set label, hint and input attributes of a field, if the form has it."""
    field = form.fields.get(name)
    if field is not None:
        field.label, field.help_text = label, hint
        field.widget.attrs.update(attrs)


PASSKEY_NAME_LENGTH = 50
LINK_SECONDS = int(settings.EMAIL_LINK_LIMIT.retry_after["Retry-After"])
"""Minimum seconds between two password links to one address."""


class NewAccount(forms.Form):
    """The fields that both sign-up forms share."""

    def in_our_words(self, request: Any) -> None:
        """Label the fields, and propose a guest's current name."""
        word(self, "username", _("Name"), NAME_HINT, autocapitalize="none", spellcheck="false")
        word(self, "email", _("E-mail address (optional)"), EMAIL_HINT)
        word(self, "password1", _("Password"), PASSWORD_HINT)
        word(self, "password2", _("Repeat password"))
        guest = guest_of(request)
        if guest is not None:
            self.initial["username"] = guest.username


class SignUpForm(NewAccount, account.SignupForm):  # type: ignore[misc]
    """Sign-up with name and password."""

    field_order = ("username", "password1", "password2", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.in_our_words(account.context.request)


class SocialSignUpForm(NewAccount, SocialForm):  # type: ignore[misc]
    """Sign-up with a provider; only the name is asked."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.in_our_words(account.context.request)


class GuestNameForm(forms.Form):
    """A new name for a guest."""

    username = forms.CharField(max_length=NAME_LENGTH)

    def __init__(self, guest: User, data: Any = None) -> None:
        super().__init__(data, initial={"username": guest.username})
        self.guest = guest
        word(self, "username", _("Name"), NAME_HINT, autocapitalize="none", spellcheck="false")

    def clean_username(self) -> str:
        """Raises `ValidationError` if the name is invalid or taken."""
        return naming.choose(self.cleaned_data["username"], self.guest)


class LoginForm(account.LoginForm):  # type: ignore[misc]
    """Login with name or e-mail address, and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(
            self,
            "login",
            _("Name or e-mail address"),
            autocomplete="username",
            autocapitalize="none",
            spellcheck="false",
        )
        word(self, "password", _("Password"))

    def clean_login(self) -> str:
        """The name in its stored spelling, since databases fold the case of few alphabets."""
        login: str = self.cleaned_data["login"]
        person = naming.named(login)
        return login if person is None else person.username


class NewPasswordForm(account.ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password, by a link from an e-mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "password1", _("New password"), PASSWORD_HINT)
        word(self, "password2", _("Repeat new password"))


class ChangePasswordForm(account.ChangePasswordForm):  # type: ignore[misc]
    """A new password, with the current one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "oldpassword", _("Your current password"))
        word(self, "password1", _("New password"), PASSWORD_HINT)
        word(self, "password2", _("Repeat new password"))


class SetPasswordForm(account.SetPasswordForm):  # type: ignore[misc]
    """A password for a user without one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "password1", _("Password"), PASSWORD_HINT)
        word(self, "password2", _("Repeat password"))


class AddEmailForm(account.AddEmailForm):  # type: ignore[misc]
    """Another e-mail address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "email", _("E-mail address"), _("We’ll send a link to confirm it."))


class ResetPasswordForm(account.ResetPasswordForm):  # type: ignore[misc]
    """The address to which a password link is sent.

    The address is looked up after the response, so that its timing reveals nothing.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "email", _("E-mail address of your account"))

    def clean_email(self) -> str:
        """Raises `ValidationError` if the address is too long."""
        email: str = account.get_adapter().clean_email(self.cleaned_data["email"].lower())
        return email

    def save(self, request: HttpRequest, **_kwargs: Any) -> str:
        """Send a link to the user who confirmed the address, at most one per `LINK_SECONDS`."""
        email: str = self.cleaned_data["email"]
        after_answer(request, partial(self._send_link, request, email))
        return email

    def _send_link(self, request: HttpRequest, email: str) -> None:
        owner = User.objects.filter(is_active=True, emailaddress__email=email, emailaddress__verified=True)
        self.users = list(owner)
        digest = sha256(email.encode()).hexdigest()
        if self.users and cache.add(f"password-reset:{digest}", 1, LINK_SECONDS):
            super().save(request)


class ReauthenticateForm(account.ReauthenticateForm):  # type: ignore[misc]
    """The password again, before a sensitive action."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "password", _("Password"))


CODE_HINT = _("The six digits in your app, or a recovery code.")


class AuthenticateForm(mfa.AuthenticateForm):  # type: ignore[misc]
    """The second factor, after the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "code", _("Code"), CODE_HINT, inputmode="numeric")


class CodeAgainForm(mfa.ReauthenticateForm):  # type: ignore[misc]
    """The second factor, before a sensitive action."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "code", _("Code"), CODE_HINT, inputmode="numeric")


class ActivateTOTPForm(TOTPForm):  # type: ignore[misc]
    """The first code of an authenticator app, which proves that it has the secret."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "code", _("Code"), _("The six digits in your app."), inputmode="numeric")


class AddPasskeyForm(webauthn.AddWebAuthnForm):  # type: ignore[misc]
    """A passkey that the browser has just created. It suffices for a login."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["passwordless"]
        name_of_passkey(self)

    def clean(self) -> dict[str, Any]:
        """Raises `ValidationError`, also if the browser did not verify the user."""
        self.cleaned_data["passwordless"] = True
        cleaned: dict[str, Any] = super().clean()
        return cleaned


class UsedPasskey(forms.Form):
    """A passkey's assertion, for login, as the second factor, or for reauthentication."""

    def clean_credential(self) -> Authenticator:
        """Raises `ValidationError`."""
        try:
            found: Authenticator = super().clean_credential()  # type: ignore[misc]
        except forms.ValidationError as error:
            if error.code == "incorrect_code":
                raise get_mfa_adapter().validation_error("incorrect_passkey") from None
            raise
        return found


class LogInByPasskeyForm(UsedPasskey, webauthn.LoginWebAuthnForm):  # type: ignore[misc]
    """A passkey instead of name and password."""


class PasskeyAfterPasswordForm(UsedPasskey, webauthn.AuthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey as the second factor."""


class PasskeyAgainForm(UsedPasskey, webauthn.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey, before a sensitive action."""


class EditPasskeyForm(webauthn.EditWebAuthnForm):  # type: ignore[misc]
    """A new name for a passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_of_passkey(self)


def name_of_passkey(form: forms.BaseForm) -> None:
    """Label the name of a passkey and limit its length."""
    hint = _("A name to recognise it by, such as the device.")
    word(form, "name", _("Name"), hint, maxlength=str(PASSKEY_NAME_LENGTH))
    form.fields["name"].validators.append(MaxLengthValidator(PASSKEY_NAME_LENGTH))


class GoodbyeForm(forms.Form):
    """Confirms the deletion of an account: by the password, or a checkbox if there is none."""

    password = account.PasswordField(label=_("Your password"), autocomplete="current-password")
    sure = forms.BooleanField(label=_("Yes, delete all my data."))

    def __init__(self, user: User, data: Any = None) -> None:
        super().__init__(data)
        self.user = user
        del self.fields["sure" if user.has_usable_password() else "password"]

    def clean_password(self) -> str:
        """Raises `ValidationError`, also after too many tries."""
        adapter = account.get_adapter()
        password: str = self.cleaned_data["password"]
        if not adapter.reauthenticate(self.user, password):
            raise adapter.validation_error("incorrect_password")
        return password
