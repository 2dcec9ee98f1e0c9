"""Words the pages and sockets of the lobby share."""

from django.utils.translation import gettext


def preset_in_words(slug: str | None) -> str:
    """What people call a preset; None stands for options that are no preset."""
    return gettext("Own rules") if slug is None else gettext(slug.replace("-", " ").capitalize())
