"""People and the tables they meet at."""

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.models import ID_LENGTH, Match, short_id

NAME_LENGTH = 20


class User(AbstractUser):
    """Anyone who plays. A guest is a real user without a usable password."""

    username = models.CharField(
        _("name"),
        max_length=NAME_LENGTH,
        unique=True,
        help_text=_("3 to 20 letters of the English alphabet, digits, - and _."),
        validators=[
            RegexValidator(
                r"\A[A-Za-z0-9_-]{3,20}\Z",
                _("A name has 3 to 20 letters of the English alphabet, digits, - and _."),
            )
        ],
        error_messages={"unique": _("Somebody has this name already.")},
    )
    is_guest = models.BooleanField(_("guest"), default=False)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="one_name_whatever_its_capitals",
                violation_error_message=_("Somebody has this name already."),
            )
        ]


class Table(models.Model):
    """A game that waits for people. Only `lobby.tables` writes it.

    Once the last chair is taken it has a match and is kept, so that its address leads there.
    """

    class First(models.TextChoices):
        HOST = "host", _("the host")
        OTHER = "other", _("whoever sits down next")
        LOT = "lot", _("drawn by lot")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=short_id, editable=False)
    game = models.SlugField(_("game"))
    options = models.JSONField(_("options"))
    seats = models.PositiveSmallIntegerField(_("seats"))
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tables", verbose_name=_("host")
    )
    first = models.CharField(_("who moves first"), max_length=5, choices=First.choices, default=First.LOT)
    match = models.OneToOneField(
        Match, null=True, blank=True, on_delete=models.CASCADE, related_name="table", verbose_name=_("match")
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        indexes = [
            models.Index(fields=["-created"], name="open_tables", condition=models.Q(match__isnull=True))
        ]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.id])


class Chair(models.Model):
    """Who sits at a table; chair 0 is the host's, and chair numbers become seats."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="chairs", verbose_name=_("table"))
    number = models.PositiveSmallIntegerField(_("number"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="chairs", verbose_name=_("player")
    )

    class Meta:
        verbose_name = _("chair")
        verbose_name_plural = _("chairs")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_person_per_chair"),
            models.UniqueConstraint(fields=["table", "user"], name="one_chair_per_person"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.number}"


class News(models.Model):
    """The number of the last thing the lobby was told: one row. Only `lobby.news` writes it.

    Whoever changes what the lobby shows raises it in the same transaction. The row's lock puts
    changes in the order of their numbers, so that a browser that has them all up to n has missed
    nothing.
    """

    number = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name_plural = "news"

    def __str__(self) -> str:
        return str(self.number)
