"""Tells teachers that nobody uses a class: by notification, and by e-mail to a confirmed address."""

from __future__ import annotations

import logging
from smtplib import SMTPException

from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext

from lobby.notices import reminders
from lobby.notices.push_notifications import tell
from lobby.people import preferences
from lobby.people.models import User
from lobby.schoolyear.ends import NOTICE
from lobby.schoolyear.models import ClassEnd

logger = logging.getLogger(__name__)


def tell_teachers(found: ClassEnd) -> None:
    """Tell the teachers of a class that it will be deleted."""
    teachers = User.objects.filter(
        teaches__school_class=found.school_class_id, teaches__since__isnull=False, is_active=True
    )
    for teacher in teachers:
        _notify(found, teacher)
        address = reminders.address_of(teacher.pk)
        if address is not None:
            _write(found, teacher, address)


def _notify(found: ClassEnd, teacher: User) -> None:
    def words() -> tuple[str, str]:
        return found.school_class.title, gettext("Nobody uses this class. It will be deleted in a month.")

    path, now = reverse("class-ending", args=[found.school_class.code]), timezone.now()
    tell(teacher.pk, f"class-{found.pk}.unused.{now:%Y%m%d}", path, words, now)


def _write(found: ClassEnd, teacher: User, address: str) -> None:
    try:
        letter(found, teacher, address).send()
    except (OSError, SMTPException):
        logger.warning(
            "an e-mail about a class could not be sent", exc_info=True, extra={"person": teacher.pk}
        )


def letter(found: ClassEnd, teacher: User, address: str) -> EmailMessage:
    """The e-mail to a teacher, in the teacher's language."""
    assert found.noticed is not None
    with translation.override(preferences.of(teacher)[preferences.LANGUAGE]):
        title = found.school_class.title
        context = {
            "name": teacher.get_username(),
            "class": title,
            "day": date_format(timezone.localdate(found.noticed + NOTICE)),
        }
        return EmailMessage(
            gettext("Your class %(class)s will be deleted") % {"class": title},
            render_to_string("schoolyear/notice.txt", context),
            to=[address],
            headers={"Auto-Submitted": "auto-generated"},
        )
