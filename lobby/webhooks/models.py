"""Webhooks and their deliveries."""

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

URL_LENGTH = 500


def new_secret() -> str:
    """A signing key: 32 random bytes as URL-safe base64, with a recognizable prefix."""
    return f"whsec_{secrets.token_urlsafe(32)}"


class Hook(models.Model):
    """A webhook: a URL that receives the events of its owner.

    Written only by `lobby.webhooks.hooks`, by `lobby.notices.devices` for devices, and by
    `lobby.webhooks.deliveries`, which stops a hook whose deliveries keep failing.
    """

    class Stopped(models.TextChoices):
        OWNER = "owner", _("by its owner")
        GONE = "gone", _("the address said that it is gone")
        FAILING = "failing", _("nothing arrived for days")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hooks", verbose_name=_("owner")
    )
    url = models.CharField(_("address"), max_length=URL_LENGTH)
    # Stored in plain text: signing needs the key itself.
    secret = models.CharField(_("secret"), max_length=64, default=new_secret, editable=False)
    events = models.JSONField(_("events"), default=list)
    # Events contain absolute URLs; only the owner's browser knows the public origin of the site.
    site = models.CharField(_("origin of the site"), max_length=URL_LENGTH)
    stopped = models.CharField(_("why it is off"), max_length=8, choices=Stopped.choices, blank=True)
    failing_since = models.DateTimeField(_("nothing arrived since"), null=True, blank=True)
    # The last answer took long: until then, deliveries do not take the turns of quick ones.
    slow_until = models.DateTimeField(_("slow until"), null=True, blank=True, editable=False)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        constraints = [models.UniqueConstraint(fields=["user", "url"], name="one_webhook_for_an_address")]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.pk}"

    @property
    def active(self) -> bool:
        """Whether the webhook receives events."""
        return not self.stopped


class Delivery(models.Model):
    """The delivery of one event to one webhook. Written only by `lobby.webhooks.deliveries`.

    `due` is the earliest time at which a process may send it. A process that takes it moves `due` forward
    as its lease; null once it is delivered or given up. The unique (hook, event id) makes it idempotent.
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
