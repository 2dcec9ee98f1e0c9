from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LobbyConfig(AppConfig):
    name = "lobby"
    verbose_name = _("Lobby")

    def ready(self) -> None:
        from games import matches
        from lobby import receivers

        matches.match_begun.connect(receivers.match_begun)
        matches.match_over.connect(receivers.match_over)
