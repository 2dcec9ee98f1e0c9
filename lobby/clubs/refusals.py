"""Errors about clubs."""

from __future__ import annotations

from games.domain.refusals import Refused
from games.rules.base import gettext_noop, ngettext_noop


class ClubError(Refused):
    """A refused action in a club; nothing was changed."""


class UnknownClub(ClubError):
    code, status = "unknown-club", 404
    sentence = gettext_noop("This club does not exist.")


class ClubGuest(ClubError):
    code, status = "guest", 403
    sentence = gettext_noop("Sign up to join or found a club.")


class BadName(ClubError):
    """A name that the validators refuse; the sentence is theirs."""

    code, status = "bad-name", 422
    sentence = gettext_noop("%(why)s")


class BadAbout(ClubError):
    code, status = "bad-about", 422
    sentence = gettext_noop("Describe the club in up to %(most)d characters.")


class UnknownGame(ClubError):
    code, status = "unknown-game", 422
    sentence = gettext_noop("This game does not exist here.")


class BadJoining(ClubError):
    code, status = "bad-joining", 422
    sentence = gettext_noop("Choose who can join.")


class ClubGame(ClubError):
    code, status = "club-game", 422
    sentence = gettext_noop("This club does not play this game.")


class TooManyClubs(ClubError):
    code, status = "too-many-clubs", 409
    sentence, many = ngettext_noop(
        "You can be in at most %(most)d club. Leave it first.",
        "You can be in at most %(most)d clubs. Leave one of them first.",
    )

    def __init__(self, most: int) -> None:
        super().__init__(most=most)


class TooManyOwned(ClubError):
    code, status = "too-many-owned", 409
    sentence, many = ngettext_noop(
        "You can own at most %(most)d club. Hand it over first.",
        "You can own at most %(most)d clubs. Hand over one of them first.",
    )

    def __init__(self, most: int) -> None:
        super().__init__(most=most)


class TheirLimit(ClubError):
    """The other person has reached a limit of theirs."""

    code, status = "their-limit", 409
    sentence = gettext_noop("%(name)s already has the maximum number of clubs.")


class ClubFull(ClubError):
    code, status = "club-full", 409
    sentence = gettext_noop("The club is full.")


class NotMember(ClubError):
    code, status = "not-member", 403
    sentence = gettext_noop("Only members of the club can do that.")


class NotOrganiser(ClubError):
    code, status = "not-organiser", 403
    sentence = gettext_noop("Only organisers of the club can do that.")


class NotOwner(ClubError):
    code, status = "not-owner", 403
    sentence = gettext_noop("Only the owner of the club can do that.")


class SameRank(ClubError):
    """Nobody acts on an equal or higher role."""

    code, status = "rank", 403
    sentence = gettext_noop("You can do that only to members with a lower role than yours.")


class OwnerOnly(ClubError):
    """Organisers have removed many members within a day."""

    code, status = "owner-only", 403
    sentence = gettext_noop(
        "The organisers have already removed many members today. Ask the owner to remove more."
    )


class HandOverFirst(ClubError):
    code, status = "hand-over-first", 409
    sentence = gettext_noop("You own the club. Hand it over first, or dissolve it.")


class ClubRemoved(ClubError):
    code, status = "removed", 403
    sentence = gettext_noop("You were removed from this club. Its organisers can let you in again.")


class ClubBlocked(ClubError):
    """Does not say that there is a block, or whose."""

    code, status = "blocked", 403
    sentence = gettext_noop("You cannot join this club.")


class LinkNeeded(ClubError):
    code, status = "link-needed", 403
    sentence = gettext_noop("Only people with the club’s link can join. Ask an organiser for it.")


class UnknownMember(ClubError):
    code, status = "unknown-member", 404
    sentence = gettext_noop("%(name)s is not in this club.")


class UnknownRequest(ClubError):
    code, status = "unknown-request", 404
    sentence = gettext_noop("%(name)s has not asked to join this club.")


class NotRemoved(ClubError):
    code, status = "not-removed", 409
    sentence = gettext_noop("%(name)s was not removed from this club.")


class BadRole(ClubError):
    code, status = "bad-role", 422
    sentence = gettext_noop("Choose organiser or member.")


class ClubBot(ClubError):
    code, status = "bot", 403
    sentence = gettext_noop("A computer player cannot own a club.")


class NotOffered(ClubError):
    code, status = "not-offered", 409
    sentence = gettext_noop("The owner of this club no longer offers it to you.")


class PageOnly(ClubError):
    """No token gives away or ends a club."""

    code, status = "page-only", 403
    sentence = gettext_noop("Programs cannot do this. Log in, and do it on the page of the club.")


class BadAnnouncement(ClubError):
    code, status = "bad-announcement", 422
    sentence = gettext_noop("Write an announcement of up to %(most)d characters.")


class UnknownAnnouncement(ClubError):
    code, status = "unknown-announcement", 404
    sentence = gettext_noop("This announcement no longer exists.")


class TooManyAnnouncements(ClubError):
    code, status = "too-many-announcements", 429
    sentence = gettext_noop("Too many announcements in this club today. Please try again tomorrow.")
    headers = {"Retry-After": "3600"}
