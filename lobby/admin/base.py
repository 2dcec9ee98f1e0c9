"""Read-only admin pages; moderators change rows by admin actions that require a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import models
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from games.domain.refusals import Refused
from lobby.commands import audit_log

RIGHT = "lobby.moderate"
CONFIRMED = "confirmed"
"""Hidden field that marks the confirmed form, not the first click."""
LOGGED = 200
"""Maximum entries of the audit log shown, the newest."""


def shown_log(
    target: str, details: Callable[[dict[str, Any]], object] = lambda details: details
) -> SafeString:
    """The audit log of an object as HTML, the newest first.

    Args:
        target: the id of the object.
        details: returns what to show for the details of an entry.
    """
    entries = audit_log(target).select_related("user").order_by("-pk")[:LOGGED]
    said = ((each.at, each.user, each.action, details(each.details) or "") for each in entries)
    return format_html_join("", "<div>{:%Y-%m-%d %H:%M} {}: {} {}</div>", said)


class LimitedLookupAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Allows only lookups from `list_filter` in the URL."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Whether `lookup` is one of the filters beside the list."""
        # Django allows every local field in the URL; the number of results would reveal hidden values.
        filters: Any = self.list_filter
        shown = {each if isinstance(each, str) else each[0] for each in filters}
        return lookup.partition(LOOKUP_SEP)[0] in shown


class ModerationAdmin(LimitedLookupAdmin):
    """A model that moderators see; its actions are available on each page and below each list."""

    change_form_template = "admin/lobby/moderated.html"

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        """Whether the user may run the actions."""
        return request.user.has_perm(RIGHT)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes rows here."""
        return False

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The page of one row, with the actions that its list has."""
        actions = filter(None, self.get_actions(request).values())
        page_actions = [(name, description) for _action, name, description in actions]
        context = {**(extra_context or {}), "page_actions": page_actions}
        return super().change_view(request, object_id, form_url, context)

    def apply(
        self,
        request: HttpRequest,
        targets: Iterable[Any],
        action: Callable[..., object],
        done: str,
        **given: Any,
    ) -> None:
        """Run an action for each target, and show a message about each result.

        Args:
            request: the moderator's request.
            targets: the selected objects.
            action: called with the moderator, a target and `given`; a `Refused` becomes an error message.
            done: the message for success, which follows the name of the target.
        """
        for target in targets:
            shown = str(target)
            try:
                action(request.user, target, **given)
            except Refused as error:
                self.message_user(request, f"{shown}: {error.words}", messages.ERROR)
            else:
                self.message_user(request, f"{shown}: {done}", messages.SUCCESS)

    def confirm(  # noqa: PLR0913 - what a page asks, and what follows
        self,
        request: HttpRequest,
        chosen: models.QuerySet[Any],
        title: str,
        form_class: type[forms.Form],
        action: Callable[..., object],
        done: str,
        targets: Iterable[Any] | None = None,
    ) -> HttpResponse | None:
        """`apply` an action with the fields of a form once that is confirmed; else the page that shows it.

        Args:
            request: the moderator's request.
            chosen: the selected objects, which the page lists.
            title: the title of the page.
            form_class: the form; its cleaned data are arguments of the action.
            action: as of `apply`.
            done: as of `apply`.
            targets: what the action is run for, if not the selected objects.
        """
        form = form_class(request.POST if CONFIRMED in request.POST else None)
        if form.is_valid():
            self.apply(request, chosen if targets is None else targets, action, done, **form.cleaned_data)
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "form": form,
            "targets": chosen,
            "opts": self.opts,
            "action": request.POST["action"],
            "checkbox": ACTION_CHECKBOX_NAME,
            "confirmed": CONFIRMED,
        }
        return TemplateResponse(request, "admin/lobby/ask.html", context)


class ReadOnly(ModerationAdmin):
    """A model whose rows cannot be added or edited in the admin."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds rows here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes rows here."""
        return False
