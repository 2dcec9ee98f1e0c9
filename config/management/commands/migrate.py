"""`manage.py migrate` of Django, with our autodetector."""

from django.core.management.commands import migrate

from config.autodetector import Autodetector


class Command(migrate.Command):
    """Django's command, with an autodetector that ignores labels and help texts."""

    autodetector = Autodetector
