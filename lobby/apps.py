from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LobbyConfig(AppConfig):
    name = "lobby"
    verbose_name = _("Lobby")

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_out
        from django.db.models.signals import post_migrate, post_save, pre_save

        from games.api import access
        from games.play import matches
        from lobby import receivers
        from lobby.models import User
        from lobby.moderation import moderators
        from lobby.ratings import conduct
        from lobby.tokens import tokens

        matches.match_begun.connect(receivers.match_begun)
        matches.match_over.connect(receivers.match_over)
        matches.match_over.connect(receivers.rooms_open)
        matches.match_over.connect(receivers.settle)
        matches.match_saved.connect(receivers.match_saved)
        matches.match_resumed.connect(receivers.match_resumed)
        matches.call_changed.connect(receivers.call_changed)
        matches.turn_listeners.append(receivers.turn_passed)
        matches.rated_guards.append(conduct.guard)
        access.keepers.append(tokens)
        user_logged_out.connect(receivers.signed_out)
        pre_save.connect(receivers.before_saving, sender=User)
        post_save.connect(receivers.after_saving, sender=User)
        post_migrate.connect(moderators.make_group, sender=self)
