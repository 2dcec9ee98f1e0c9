"""`manage.py makemigrations` of Django, with our autodetector."""

from django.core.management.commands import makemigrations

from config.autodetector import Autodetector


class Command(makemigrations.Command):
    """Django's command, with an autodetector that ignores labels and help texts."""

    autodetector = Autodetector
