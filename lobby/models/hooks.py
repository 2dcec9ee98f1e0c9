"""Programs of people elsewhere that are told what happens, and what they were told."""

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

URL_LENGTH = 500


def new_secret() -> str:
    """A key to sign with: 32 random bytes as text, after a word by which one knows it in a file."""
    return f"whsec_{secrets.token_urlsafe(32)}"


class Hook(models.Model):
    """A webhook: an address that hears of what happens to its owner.

    Only `lobby.webhooks.hooks` writes it, `lobby.notices.devices` for a device, and
    `lobby.webhooks.deliveries`, which switches it off where nothing arrives.
    """

    class Stopped(models.TextChoices):
        OWNER = "owner", _("by its owner")
        GONE = "gone", _("the address said that it is gone")
        FAILING = "failing", _("nothing arrived for days")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hooks", verbose_name=_("owner")
    )
    url = models.CharField(_("address"), max_length=URL_LENGTH)
    # Kept as it is: signing needs the key itself.
    secret = models.CharField(_("secret"), max_length=64, default=new_secret, editable=False)
    events = models.JSONField(_("events"), default=list)
    # Matches are told with their whole address, and only its owner's browser knows how the site is reached.
    site = models.CharField(_("origin of the site"), max_length=URL_LENGTH)
    stopped = models.CharField(_("why it is off"), max_length=8, choices=Stopped.choices, blank=True)
    failing_since = models.DateTimeField(_("nothing arrived since"), null=True, blank=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = [models.UniqueConstraint(fields=["user", "url"], name="one_webhook_for_an_address")]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.pk}"

    @property
    def active(self) -> bool:
        """Whether it is told anything."""
        return not self.stopped


class Delivery(models.Model):
    """One event for one webhook, and how its delivery stands. Only `lobby.webhooks.deliveries` writes it.

    `due` is when a process may take it up, which is later while one has it; there is none once it was
    delivered or given up. The key (hook, event id) lets an event that is noted twice be told once.
    """

    hook = models.ForeignKey(
        Hook, on_delete=models.CASCADE, related_name="deliveries", verbose_name=_("webhook")
    )
    event = models.CharField(_("event"), max_length=20)
    event_id = models.CharField(_("id of the event"), max_length=40)
    body = models.TextField(_("body"), help_text=_("JSON, as it is sent"))
    created = models.DateTimeField(_("created"))
    due = models.DateTimeField(_("when it is to be sent"), null=True, blank=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    tried = models.DateTimeField(_("last try"), null=True, blank=True)
    status = models.PositiveSmallIntegerField(_("status of the last answer"), null=True, blank=True)
    problem = models.CharField(_("why there was no answer"), max_length=16, blank=True)
    done = models.DateTimeField(_("delivered"), null=True, blank=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        constraints = [models.UniqueConstraint(fields=["hook", "event_id"], name="one_delivery_of_an_event")]
        indexes = [
            models.Index(fields=["due"], name="delivery_by_due", condition=models.Q(due__isnull=False)),
            models.Index(fields=["created"], name="delivery_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.hook_id} {self.event_id}"
