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
            gettext_noop("To leave, the owner must first hand over the club or dissolve it."),
            gettext_noop(
                "If the owner deletes their account or is banned, the longest-serving organiser takes over."
            ),
            gettext_noop("If there is no organiser, the longest-serving member takes over."),
            gettext_noop("If there is nobody else, the club is dissolved."),
        ),
    ),
    Section(
        gettext_noop("Roles"),
        (
            gettext_noop("The owner ranks above organisers, organisers above members."),
            gettext_noop("Nobody can remove or change a member with an equal or higher role."),
            gettext_noop(
                "Organisers answer requests, remove members, post announcements and create tournaments."
            ),
            gettext_noop("Only the owner can give roles, edit the club, hand it over or dissolve it."),
        ),
    ),
    Section(
        gettext_noop("Leaving"),
        (
            gettext_noop(
                "When you leave or are removed, you lose your role and get no more club notifications."
            ),
            gettext_noop("You can no longer read or write in the club’s chat."),
            gettext_noop("A club that you have left does not count towards your limit."),
            gettext_noop("A banned person leaves all clubs."),
        ),
    ),
    Section(
        gettext_noop("Removal"),
        (
            gettext_noop("A removed member stays out until an organiser lets them in again."),
            gettext_noop(
                "Anyone who is no longer a member is withdrawn from the club’s tournaments and tables."
            ),
        ),
    ),
    Section(
        gettext_noop("Requests and games"),
        (
            gettext_noop("A request to join reaches the owner and every organiser."),
            gettext_noop(
                "It stays on their list until one of them answers. After three days they get a reminder."
            ),
            gettext_noop(
                "If a club has chosen certain games, its tables and tournaments are only for these."
            ),
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
            "A club can post %(n)d announcement a day.", "A club can post %(n)d announcements a day.", news
        )
        % {"n": news},
        ngettext(
            "All organisers together can remove %(n)d member a day. After that only the owner can.",
            "All organisers together can remove %(n)d members a day. After that only the owner can.",
            removals,
        )
        % {"n": removals},
        gettext("If a club passes to you because its owner is gone, you can own more than that."),
    ]
