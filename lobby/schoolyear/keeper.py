"""Background task that ends classes; runs in every process, and each class is ended by one."""

from __future__ import annotations

import logging
from datetime import datetime

from django.utils import timezone

from games.net.process import process
from games.net.tasks import Periodic
from games.net.threads import in_thread
from games.play.matches import matches
from lobby.classes import pupils
from lobby.schoolyear import ends, notices
from lobby.schoolyear.models import ClassEnd

EVERY = 3600.0
"""Polling interval in seconds; what a teacher asks for in this process is done at once."""

logger = logging.getLogger(__name__)


async def end_classes() -> None:
    """Attend to the classes that are due. A class that fails is tried again, and delays no other."""
    now = timezone.now()
    for found in await in_thread(ends.take)(now):
        try:
            await attend(found, now)
        except Exception:
            logger.exception("a class could not be ended", extra={"class": found.pk})


async def attend(found: ClassEnd, now: datetime) -> None:
    """Do what is due with a class: archive or erase it, or tell its teachers that nobody uses it."""
    if found.kind == ClassEnd.Kind.NONE and await in_thread(ends.look)(found, now):
        await in_thread(notices.tell_teachers)(found)
    if found.kind != ClassEnd.Kind.NONE:
        await _end(found)


async def _end(found: ClassEnd) -> None:
    """Archive or erase a class. Each step may be repeated."""
    pupil_ids, match_ids = await in_thread(ends.stop)(found.school_class)
    for match_id in match_ids:
        await matches.stop(match_id)
    await pupils.erase(pupil_ids)
    await in_thread(ends.finish)(found)


class_keeper = process.part(Periodic, EVERY, end_classes)
