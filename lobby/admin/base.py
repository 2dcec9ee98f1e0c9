"""Pages of the admin on which nothing is edited by hand: what moderators do are deeds, with a reason."""

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

from games.domain.refusals import Refused

RIGHT = "lobby.moderate"
CONFIRMED = "confirmed"
"""In the form that asks, so that its answer is told from the press that led to it."""


class Desk(admin.ModelAdmin):  # type: ignore[type-arg]
    """A list that answers nothing but what it shows: by its address it is filtered as beside it."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        # Django lets the address ask about every field, and the length of the answer tells its value.
        filters: Any = self.list_filter
        shown = {each if isinstance(each, str) else each[0] for each in filters}
        return lookup.partition(LOOKUP_SEP)[0] in shown


class ModerationAdmin(Desk):
    """A model that moderators look at; their deeds stand above each page and below each list."""

    change_form_template = "admin/lobby/moderated.html"

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        """Whether somebody may do deeds."""
        return request.user.has_perm(RIGHT)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        actions = filter(None, self.get_actions(request).values())
        deeds = [(name, description) for _do, name, description in actions]
        context = {**(extra_context or {}), "deeds": deeds}
        return super().change_view(request, object_id, form_url, context)

    def do(
        self, request: HttpRequest, targets: Iterable[Any], deed: Callable[[Any], object], done: str
    ) -> None:
        """Do a deed to each of `targets`, and say of each what came of it."""
        for target in targets:
            shown = str(target)
            try:
                deed(target)
            except Refused as error:
                self.message_user(request, f"{shown}: {error.words}", messages.ERROR)
            else:
                self.message_user(request, f"{shown}: {done}", messages.SUCCESS)

    def asked(
        self,
        request: HttpRequest,
        targets: models.QuerySet[Any],
        title: str,
        form_class: type[forms.Form],
        initial: dict[str, Any] | None = None,
    ) -> forms.Form | HttpResponse:
        """The form once it has been filled in; until then the page that asks."""
        confirmed = CONFIRMED in request.POST
        form = form_class(request.POST) if confirmed else form_class(initial=initial)
        if confirmed and form.is_valid():
            return form
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "form": form,
            "targets": targets,
            "opts": self.opts,
            "action": request.POST["action"],
            "checkbox": ACTION_CHECKBOX_NAME,
            "confirmed": CONFIRMED,
        }
        return TemplateResponse(request, "admin/lobby/ask.html", context)


class ReadOnly(ModerationAdmin):
    """A model of which nothing at all is edited by hand."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
