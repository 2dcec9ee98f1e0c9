"""The group of moderators and its permissions."""

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db.models import Q

NAME = "Moderators"
RIGHTS = (
    ("lobby", "moderate"),
    ("lobby", "view_report"),
    ("lobby", "view_appeal"),
    ("lobby", "view_chatline"),
    ("lobby", "view_user"),
    ("lobby", "view_table"),
    ("lobby", "view_tournament"),
    ("lobby", "view_club"),
    ("lobby", "view_study"),
    ("admin", "view_logentry"),
)
"""View permissions only: moderators change things through `lobby.moderation.moderation`, not in the admin."""


def make_group(using: str, **_: Any) -> None:
    """Create the group with its permissions; idempotent, called after every migration."""
    wanted = Q()
    for app, codename in RIGHTS:
        wanted |= Q(content_type__app_label=app, codename=codename)
    group, _created = Group.objects.using(using).get_or_create(name=NAME)
    group.permissions.add(*Permission.objects.using(using).filter(wanted))
