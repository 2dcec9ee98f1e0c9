"""Users in the admin: mute, ban, lift either, rename, and remarks."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.registry import GAMES
from lobby.accounts import traces
from lobby.admin.base import ModerationAdmin
from lobby.admin.forms import BanForm, MuteForm, NewPersonForm, NoteForm, RemarkForm, RenameForm
from lobby.moderation import moderation, played_choices
from lobby.people.models import User
from lobby.people.words import rules_in_words
from lobby.ratings.models import Rating

STANDING = (
    "username",
    "is_guest",
    "is_bot",
    "computer",
    "is_deleted",
    "is_active",
    "banned_until",
    "ban_reason",
    "muted_until",
    "mute_reason",
    "seen",
)
"""Read-only fields: set by actions or by the user."""


MOST_COMPARED = 5
"""Maximum users whose moves are analysed by one action."""


@admin.register(User)
class PersonAdmin(ModerationAdmin, UserAdmin):  # type: ignore[type-arg]
    """Users, with a filter for guests."""

    list_display = ("username", "is_guest", "is_staff", "is_active", "banned_until", "muted_until", "seen")
    list_filter = ("is_active", "is_guest", "is_bot", "is_staff", "is_deleted")
    search_fields = ("username",)
    add_form = NewPersonForm
    actions = ("mute", "unmute", "ban", "lift", "rename", "remark", "agreement", "analyse")
    readonly_fields = (*STANDING, "date_joined", "last_login", "remarks", "shared")
    fieldsets = (
        (None, {"fields": (*STANDING, "date_joined", "remarks", "shared")}),
        (
            gettext_lazy("Account"),
            {
                "fields": (
                    "password",
                    "email",
                    "is_staff",
                    "is_superuser",
                    "groups",
                    "user_permissions",
                    "last_login",
                )
            },
        ),
    )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """The first group of fields only, for users who cannot change accounts."""
        # Moderators must not see account data such as the e-mail address.
        fieldsets = super().get_fieldsets(request, obj)
        return fieldsets if self.has_change_permission(request) else fieldsets[:1]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Only new accounts can be filled in."""
        return self.readonly_fields if obj else ()

    @admin.display(description=gettext_lazy("Remarks"))
    def remarks(self, person: User) -> SafeString | str:
        """The moderators' remarks on the user, newest first."""
        written = person.remarks.select_related("author")
        rows = ((f"{each.created:%Y-%m-%d %H:%M}", each.author or "", each.text) for each in written)
        return format_html_join("", "<p>{} <strong>{}</strong>: {}</p>", rows) or _("None.")

    @admin.display(description=gettext_lazy("Accounts with the same address or session"))
    def shared(self, person: User) -> SafeString | str:
        """Users of the same network within 30 days; a whole school may share one."""
        rows = (
            (
                reverse("admin:lobby_user_change", args=[each.other.pk]),
                each.other,
                each.trace.get_kind_display(),
                f"{each.trace.seen:%Y-%m-%d}",
            )
            for each in traces.shared(person)
        )
        return format_html_join("", '<p><a href="{}">{}</a> {} {}</p>', rows) or _("None.")

    @admin.action(permissions=["moderate"], description=gettext_lazy("Mute in chats…"))
    def mute(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        """Mute users for a number of days."""
        return mute(self, request, people, people)

    @admin.action(permissions=["moderate"], description=gettext_lazy("Lift the mute…"))
    def unmute(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        """Lift the mutes of users."""
        return self.confirm(request, people, _("Lift the mute"), NoteForm, moderation.unmute, _("unmuted."))

    @admin.action(permissions=["moderate"], description=gettext_lazy("Ban…"))
    def ban(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        """Ban users for a number of days or permanently."""
        return ban(self, request, people, people)

    @admin.action(permissions=["moderate"], description=gettext_lazy("Lift the ban…"))
    def lift(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        """Lift the bans of users."""
        return self.confirm(request, people, _("Lift the ban"), NoteForm, moderation.lift, _("unbanned."))

    @admin.action(permissions=["moderate"], description=gettext_lazy("Rename…"))
    def rename(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        """Rename users."""
        return self.confirm(request, people, _("Rename"), RenameForm, moderation.rename, _("renamed."))

    @admin.action(permissions=["moderate"], description=gettext_lazy("Write a remark…"))
    def remark(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        """Add a remark for other moderators."""
        return self.confirm(
            request, people, _("Write a remark"), RemarkForm, moderation.remark, _("remark written.")
        )

    @admin.action(permissions=["moderate"], description=gettext_lazy("Signs of engine help"))
    def agreement(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse:
        """Show how often moves agree with the best level, from stored analyses."""
        context = {
            **self.admin_site.each_context(request),
            "title": _("Signs of engine help"),
            "opts": self.opts,
            "people": [
                (person, [(_rating_in_words(found.rating), found) for found in played_choices.signs(person)])
                for person in people[:MOST_COMPARED]
            ],
        }
        return TemplateResponse(request, "admin/lobby/agreement.html", context)

    @admin.action(permissions=["moderate"], description=gettext_lazy("Analyse recent rated matches"))
    def analyse(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """Have the last rated matches of people analysed, in the background."""
        now = timezone.now()

        def ask(_moderator: User, person: User) -> None:
            played_choices.ask(person, now)

        self.apply(request, people[:MOST_COMPARED], ask, _("analysis requested."))


def _rating_in_words(rating: Rating) -> str:
    """The game and the rules of a rating; for games that this site no longer has, the stored slugs."""
    game = GAMES.get(rating.game)
    if game is None:
        return f"{rating.game}, {rating.family}"
    return f"{_(game.title)}, {rules_in_words(game, rating.family, rating.pool)}"


def mute(
    page: ModerationAdmin, request: HttpRequest, chosen: QuerySet[Any], people: QuerySet[User]
) -> HttpResponse | None:
    """Ask for reason and duration, and mute users. Arguments as of `ban`."""
    title = _("Mute in chats")
    return page.confirm(request, chosen, title, MuteForm, moderation.mute, _("muted."), people)


def ban(
    page: ModerationAdmin, request: HttpRequest, chosen: QuerySet[Any], people: QuerySet[User]
) -> HttpResponse | None:
    """Ask for reason and duration, and ban users.

    Args:
        page: the admin page of the action.
        request: the moderator's request.
        chosen: the selected rows, users or reports of them.
        people: the users to ban.
    """
    return page.confirm(request, chosen, _("Ban"), BanForm, moderation.ban, _("banned."), people)
