"""The group of those who moderate: what they may see, and the one right to act."""

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
    ("admin", "view_logentry"),
)
"""Nothing in the admin may be changed by hand: moderators act through `lobby.moderation.moderation` alone."""


def make_group(using: str, **_: Any) -> None:
    """See that the group is there with its rights. Called after every migration; twice does no harm."""
    wanted = Q()
    for app, codename in RIGHTS:
        wanted |= Q(content_type__app_label=app, codename=codename)
    group, _created = Group.objects.using(using).get_or_create(name=NAME)
    group.permissions.add(*Permission.objects.using(using).filter(wanted))
