"""allauth's forms in our words. What they check and do is allauth's."""

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
from lobby.models import NAME_LENGTH, User
from lobby.people import naming

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

NAME_HINT = _("3 to 20 letters of one alphabet, digits, - and _. Everybody sees it.")
PASSWORD_HINT = _(
    "At least 8 characters. Not only digits, not your name, and not a password that many people use."
)
EMAIL_HINT = _("Only for you: to get in again if you forget your password.")


def word(
    form: forms.BaseForm, name: str, label: _StrPromise, hint: str | _StrPromise = "", **attrs: str
) -> None:
    """Give a field its label, its hint and further attributes of the input, if the form has it."""
    field = form.fields.get(name)
    if field is not None:
        field.label, field.help_text = label, hint
        field.widget.attrs.update(attrs)


PASSKEY_NAME_LENGTH = 50
LINK_SECONDS = int(settings.EMAIL_LINK_LIMIT.retry_after["Retry-After"])
"""Seconds after which an address gets another link to choose a password."""


class NewAccount(forms.Form):
    """What both ways of signing up ask for."""

    def in_our_words(self, request: Any) -> None:
        """Label the fields; a guest is offered the name they are known by."""
        word(self, "username", _("Name"), NAME_HINT, autocapitalize="none", spellcheck="false")
        word(self, "email", _("E-mail address (if you like)"), EMAIL_HINT)
        word(self, "password1", _("Password"), PASSWORD_HINT)
        word(self, "password2", _("The password again"))
        guest = guest_of(request)
        if guest is not None:
            self.initial["username"] = guest.username


class SignUpForm(NewAccount, account.SignupForm):  # type: ignore[misc]
    """A name and a password make an account."""

    field_order = ("username", "password1", "password2", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.in_our_words(account.context.request)


class SocialSignUpForm(NewAccount, SocialForm):  # type: ignore[misc]
    """A name makes an account of somebody another site vouches for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.in_our_words(account.context.request)


class GuestNameForm(forms.Form):
    """The name that a guest would rather have."""

    username = forms.CharField(max_length=NAME_LENGTH)

    def __init__(self, guest: User, data: Any = None) -> None:
        super().__init__(data, initial={"username": guest.username})
        self.guest = guest
        word(self, "username", _("Name"), NAME_HINT, autocapitalize="none", spellcheck="false")

    def clean_username(self) -> str:
        """Raises `ValidationError` if the guest may not have the name."""
        return naming.choose(self.cleaned_data["username"], self.guest)


class LoginForm(account.LoginForm):  # type: ignore[misc]
    """A name or an e-mail address, and the password."""

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
        """The name as its owner writes it: databases know the capitals of few alphabets."""
        login: str = self.cleaned_data["login"]
        person = naming.named(login)
        return login if person is None else person.username


class NewPasswordForm(account.ResetPasswordKeyForm):  # type: ignore[misc]
    """The new password, by a link from an e-mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "password1", _("New password"), PASSWORD_HINT)
        word(self, "password2", _("The new password again"))


class ChangePasswordForm(account.ChangePasswordForm):  # type: ignore[misc]
    """The new password, by the old one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "oldpassword", _("Your current password"))
        word(self, "password1", _("New password"), PASSWORD_HINT)
        word(self, "password2", _("The new password again"))


class SetPasswordForm(account.SetPasswordForm):  # type: ignore[misc]
    """A password for somebody who had none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "password1", _("Password"), PASSWORD_HINT)
        word(self, "password2", _("The password again"))


class AddEmailForm(account.AddEmailForm):  # type: ignore[misc]
    """One more e-mail address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "email", _("E-mail address"), _("We send a link to it, to see that it is yours."))


class ResetPasswordForm(account.ResetPasswordForm):  # type: ignore[misc]
    """Where to send the link that lets one choose another password.

    Whether somebody has the address is looked up after the answer, whose time tells nothing of it.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "email", _("E-mail address of your account"))

    def clean_email(self) -> str:
        """Raises `ValidationError` if it is too long."""
        email: str = account.get_adapter().clean_email(self.cleaned_data["email"].lower())
        return email

    def save(self, request: HttpRequest, **_kwargs: Any) -> str:
        """Send a link to whoever confirmed the address, which gets one in `LINK_SECONDS`."""
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
    """The password once more, before something that matters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "password", _("Password"))


CODE_HINT = _("The six digits your app shows now, or one of your recovery codes.")


class AuthenticateForm(mfa.AuthenticateForm):  # type: ignore[misc]
    """The second factor, after the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "code", _("Code"), CODE_HINT, inputmode="numeric")


class CodeAgainForm(mfa.ReauthenticateForm):  # type: ignore[misc]
    """The second factor, before something that matters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "code", _("Code"), CODE_HINT, inputmode="numeric")


class ActivateTOTPForm(TOTPForm):  # type: ignore[misc]
    """The first code of an app, which proves that it has the secret."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        word(self, "code", _("Code"), _("The six digits your app shows now."), inputmode="numeric")


class AddPasskeyForm(webauthn.AddWebAuthnForm):  # type: ignore[misc]
    """A passkey, which the browser has just made. It opens the account by itself."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["passwordless"]
        name_of_passkey(self)

    def clean(self) -> dict[str, Any]:
        """Raises `ValidationError`, also where the browser did not look who is there."""
        self.cleaned_data["passwordless"] = True
        cleaned: dict[str, Any] = super().clean()
        return cleaned


class UsedPasskey(forms.Form):
    """What a browser proves by a passkey, be it to log in, after the password, or once more."""

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
    """A passkey, before something that matters."""


class EditPasskeyForm(webauthn.EditWebAuthnForm):  # type: ignore[misc]
    """Another name for a passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name_of_passkey(self)


def name_of_passkey(form: forms.BaseForm) -> None:
    """Label the name of a passkey; nobody else sees it."""
    hint = _("So that you know it again: the device that has it, for example.")
    word(form, "name", _("Name"), hint, maxlength=str(PASSKEY_NAME_LENGTH))
    form.fields["name"].validators.append(MaxLengthValidator(PASSKEY_NAME_LENGTH))


class GoodbyeForm(forms.Form):
    """The last question before an account is deleted: the password, or a plain yes where there is none."""

    password = account.PasswordField(label=_("Your password"), autocomplete="current-password")
    sure = forms.BooleanField(label=_("Yes, delete everything about me."))

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
