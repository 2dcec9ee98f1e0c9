"""Template tags for modules and for lists in the visitor's language."""

from collections.abc import Iterable

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from config.i18n import js_catalog, localized_bundles
from games.net.languages import listed
from games.registry import Game

register = template.Library()

register.filter("listed", listed)


@register.filter
def listed_lines(lines: SafeString) -> SafeString:
    """Join the lines of a `{% filter %}` as a list in the language of the page."""
    stripped = (line.strip() for line in lines.splitlines())
    return mark_safe(listed(filter(None, stripped)))  # noqa: S308 - a template has escaped it


@register.simple_tag
def module(name: str, *games: Game | Iterable[Game]) -> SafeString:
    """The script tag of a page's module, preceded by its catalogue and those of the boards of the given
    games.

    A bundle contains its translations.
    """
    language = get_language() or settings.LANGUAGE_CODE
    if bundled := localized_bundles.bundle_in(name, language):
        return format_html('<script type="module" src="{}"></script>', static(bundled))
    boards = [each.board for some in games for each in ([some] if isinstance(some, Game) else some)]
    return format_html(
        '<script defer src="{}"></script>\n    <script type="module" src="{}"></script>',
        js_catalog.address(language, (name, *boards)),
        static(name),
    )


@register.simple_tag
def board(name: str) -> str:
    """The address of the module that draws a game."""
    return static(localized_bundles.bundle_in(name, get_language() or settings.LANGUAGE_CODE) or name)
