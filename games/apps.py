"""Django's configuration of `games`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """The app that stores matches."""

    name = "games"
    verbose_name = _("Games")
