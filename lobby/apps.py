"""Django's configuration of `lobby`."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LobbyConfig(AppConfig):
    """The app of everything between matches."""

    name = "lobby"
    verbose_name = _("Lobby")

    def ready(self) -> None:
        """Connect the signals of all features."""
        from lobby import signal_handlers

        signal_handlers.connect(self)
