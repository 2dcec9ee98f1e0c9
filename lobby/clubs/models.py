"""Clubs, their members, and who wants to join."""

import secrets

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import ID_LENGTH, short_id
from lobby.people.spelling import LONGEST_SKELETON

CLUB_NAME_LENGTH = 40
SLUG_LENGTH = 60
ABOUT_LENGTH = 1000
ANNOUNCEMENT_LENGTH = 500
REQUEST_LENGTH = 200
WHY_LENGTH = 200
TOKEN_BYTES = 16


def club_token() -> str:
    """The secret part of the link by which people join a club."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Club(models.Model):
    """A club. Written only by `lobby.clubs.clubs`."""

    class Joining(models.TextChoices):
        OPEN = "open", _("everyone with an account")
        REQUEST = "request", _("people whose request an organiser accepts")
        LINK = "link", _("people with the link")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=short_id, editable=False)
    name = models.CharField(_("name"), max_length=CLUB_NAME_LENGTH)
    # Unique regardless of case, and unique in looks, as names of people are.
    folded_name = models.CharField(max_length=3 * CLUB_NAME_LENGTH, unique=True, editable=False)
    skeleton = models.CharField(max_length=LONGEST_SKELETON, unique=True, editable=False)
    # The address follows the name. Former ones lead to the club (`FormerAddress`); rows refer to its id.
    slug = models.CharField(_("address"), max_length=SLUG_LENGTH, unique=True)
    about = models.TextField(_("about the club"), max_length=ABOUT_LENGTH, blank=True)
    games = models.JSONField(_("games; all if there are none"), default=list)
    joining = models.CharField(_("who can join"), max_length=7, choices=Joining.choices, default=Joining.OPEN)
    token = models.CharField(_("token of the link"), max_length=32, default=club_token, editable=False)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["folded_name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The address of the page of the club."""
        return reverse("club", args=[self.slug])

    def plays(self, game: str) -> bool:
        """Whether the club plays a game, by its slug."""
        return not self.games or game in self.games


class FormerAddress(models.Model):
    """An address that a club had before it was renamed. Written only by `lobby.clubs.clubs`.

    Links, open pages and sockets that have it lead to the club. No other club gets it.
    """

    slug = models.CharField(primary_key=True, max_length=SLUG_LENGTH)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="former_addresses")

    def __str__(self) -> str:
        return self.slug


class Membership(models.Model):
    """A member of a club. Written only by `lobby.clubs.members`. The row goes when the member does."""

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        ORGANISER = "organiser", _("organiser")
        MEMBER = "member", _("member")

    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, db_index=False, related_name="memberships", verbose_name=_("club")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="memberships",
        verbose_name=_("member"),
    )
    role = models.CharField(_("role"), max_length=9, choices=Role.choices, default=Role.MEMBER)
    since = models.DateTimeField(_("in this role since"), default=timezone.now)
    joined = models.DateTimeField(_("joined"), default=timezone.now)
    # With the file of the club, to another site (`lobby.club_files`).
    goes_along = models.BooleanField(_("the name moves with the club"), default=False, db_default=False)
    offered = models.DateTimeField(_("since when the owner offers the club to this member"), null=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="one_membership_per_person"),
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(role="owner"), name="one_owner_per_club"
            ),
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(offered__isnull=False), name="one_offer_per_club"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club_id} {self.user_id} {self.role}"


class JoinRequest(models.Model):
    """A person who asks to join a club. Written only by `lobby.clubs.members`.

    The row stays until it is answered or withdrawn. `due` is when the organisers are told of it (again).
    """

    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, db_index=False, related_name="join_requests", verbose_name=_("club")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="join_requests",
        verbose_name=_("who asks"),
    )
    text = models.CharField(_("message"), max_length=REQUEST_LENGTH, blank=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    due = models.DateTimeField(_("when organisers are told of it"))

    class Meta:
        verbose_name = _("request to join a club")
        verbose_name_plural = _("requests to join clubs")
        ordering = ["pk"]
        indexes = [models.Index(fields=["due"], name="join_request_by_due")]
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="one_request_per_person")]

    def __str__(self) -> str:
        return f"{self.club_id} {self.user_id}"


class Exclusion(models.Model):
    """A person who was removed from a club and stays out. Written only by `lobby.clubs.members`."""

    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, db_index=False, related_name="exclusions", verbose_name=_("club")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="exclusions",
        verbose_name=_("who was removed"),
    )
    why = models.CharField(_("reason"), max_length=WHY_LENGTH, blank=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("exclusion from a club")
        verbose_name_plural = _("exclusions from clubs")
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="one_exclusion_per_person")]

    def __str__(self) -> str:
        return f"{self.club_id} {self.user_id}"


class Announcement(models.Model):
    """What a club tells its members. Written only by `lobby.clubs.announcements`.

    `due` is when members are notified, and null when they were. A process that takes it moves `due` forward
    as its lease.
    """

    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, related_name="announcements", verbose_name=_("club")
    )
    # The account of a deleted author stays, without a name.
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="announcements",
        verbose_name=_("author"),
    )
    text = models.CharField(_("text"), max_length=ANNOUNCEMENT_LENGTH)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    due = models.DateTimeField(_("when members are notified"), null=True, blank=True)

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["due"], name="announcement_by_due", condition=models.Q(due__isnull=False))
        ]

    def __str__(self) -> str:
        return self.text
