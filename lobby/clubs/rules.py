"""The rules of clubs, as members read them."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext, ngettext

from games.rules.base import gettext_noop


class Section(NamedTuple):
    """A part of the rules: its title, and sentences to translate."""

    title: str
    sentences: tuple[str, ...]


RULES = (
    Section(
        gettext_noop("Owner"),
        (
            gettext_noop("A club always has one owner."),
            gettext_noop("The owner cannot leave before handing over or dissolving the club."),
            gettext_noop(
                "If the owner deletes the account or is banned, the longest-serving organiser inherits."
            ),
            gettext_noop("If there is no organiser, the longest-serving member inherits."),
            gettext_noop("If there is nobody else, the club is dissolved."),
        ),
    ),
    Section(
        gettext_noop("Roles"),
        (
            gettext_noop("The owner ranks above organisers, organisers above members."),
            gettext_noop("Nobody can remove or change a member with an equal or higher role."),
            gettext_noop("Organisers answer requests, remove members, announce and create tournaments."),
            gettext_noop("Only the owner gives roles, changes the club, hands it over and dissolves it."),
        ),
    ),
    Section(
        gettext_noop("Leaving"),
        (
            gettext_noop("When you leave or are removed, your role, its rights and its notifications end."),
            gettext_noop("You can no longer read or write in the chat of the club."),
            gettext_noop("A club you are no longer in does not count against your limit."),
            gettext_noop("A banned person leaves all clubs."),
        ),
    ),
    Section(
        gettext_noop("Removal"),
        (
            gettext_noop("A removed member stays out until an organiser lets them in again."),
            gettext_noop("Who is no member any more is withdrawn from the club’s tournaments and tables."),
        ),
    ),
    Section(
        gettext_noop("Requests and games"),
        (
            gettext_noop("A request to join reaches the owner and every organiser."),
            gettext_noop("It stays listed until somebody answers it. After three days they are reminded."),
            gettext_noop("A club of certain games has tables and tournaments of these games only."),
        ),
    ),
)
"""The rules, part by part."""


def limits() -> list[str]:
    """The limits of this site, as texts in the active language."""
    clubs, owned = settings.CLUBS_PER_PERSON, settings.CLUBS_PER_OWNER
    members, news = settings.CLUB_MEMBERS, settings.CLUB_ANNOUNCEMENTS_PER_DAY
    removals = settings.CLUB_REMOVALS_PER_DAY
    return [
        ngettext(
            "You can be in %(n)d club. Requests to join count.",
            "You can be in %(n)d clubs. Requests to join count.",
            clubs,
        )
        % {"n": clubs},
        ngettext("You can own %(n)d club.", "You can own %(n)d clubs.", owned) % {"n": owned},
        ngettext("A club can have %(n)d member.", "A club can have %(n)d members.", members) % {"n": members},
        ngettext(
            "A club can make %(n)d announcement a day.", "A club can make %(n)d announcements a day.", news
        )
        % {"n": news},
        ngettext(
            "All organisers together can remove %(n)d member a day. After that only the owner can.",
            "All organisers together can remove %(n)d members a day. After that only the owner can.",
            removals,
        )
        % {"n": removals},
        gettext("An owner who inherits a club can have more than that."),
    ]
