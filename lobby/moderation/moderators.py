"""The groups of moderators and of teachers, and their permissions."""

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


TEACHERS = "Teachers"
"""Who may make classes if not everybody may (`lobby.classes.classes.RIGHT`)."""
GROUPS = {NAME: RIGHTS, TEACHERS: (("lobby", "add_schoolclass"),)}


def make_groups(using: str, **_: Any) -> None:
    """Create the groups with their permissions; idempotent, called after every migration."""
    for name, rights in GROUPS.items():
        wanted = Q()
        for app, codename in rights:
            wanted |= Q(content_type__app_label=app, codename=codename)
        group, _created = Group.objects.using(using).get_or_create(name=name)
        group.permissions.add(*Permission.objects.using(using).filter(wanted))
