"""Errors about evenings."""

from __future__ import annotations

from django.conf import settings

from games.domain.refusals import Refused
from games.rules.base import gettext_noop


class EveningError(Refused):
    """A refused action at an evening; nothing was changed."""


class UnknownEvening(EveningError):
    """Also for expired codes, so that they do not reveal that they once were valid."""

    code, status = "unknown-evening", 404
    sentence = gettext_noop("There is no evening with this code. Ask the host for the right one.")


class TooManyTries(EveningError):
    code, status = "too-many-tries", 429
    sentence = gettext_noop("Too many wrong codes. Please wait a few minutes and try again.")
    headers = settings.EVENING_TRIES.retry_after


class TooManyEvenings(EveningError):
    code, status = "too-many-evenings", 409
    sentence = gettext_noop("You already host the maximum number of evenings. Delete one of them first.")


class NotHost(EveningError):
    code, status = "not-host", 403
    sentence = gettext_noop("Only the host of the evening can do that.")


class EveningFull(EveningError):
    code, status = "full", 409
    sentence = gettext_noop("The evening is full. Nobody else can come in.")


class RemovedByHost(EveningError):
    code, status = "removed", 403
    sentence = gettext_noop("The host has removed you from this evening.")


class UnknownPerson(EveningError):
    code, status = "unknown-person", 404
    sentence = gettext_noop("This person is not at the evening.")


class OwnAccount(EveningError):
    code, status = "account", 409
    sentence = gettext_noop("People keep the name that they had before this evening.")


class NameTaken(EveningError):
    code, status = "name-taken", 409
    sentence = gettext_noop("Somebody here already has this name. Add a letter of your last name.")


class Started(EveningError):
    """The plan cannot be changed after the start."""

    code, status = "started", 409
    sentence = gettext_noop("The evening has already begun. The plan can no longer be changed.")


class BadPlan(EveningError):
    code, status = "bad-plan", 422
    sentence = gettext_noop("This plan does not fit the game. Choose a format, rounds and a clock again.")


class BadMinutes(EveningError):
    code, status = "bad-minutes", 422
    sentence = gettext_noop("An evening lasts %(least)d to %(most)d minutes.")
