"""Template tags for modules and for lists in the visitor's language."""

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from config.i18n import js_catalog
from games.net.languages import listed

register = template.Library()

register.filter("listed", listed)


@register.filter
def listed_lines(lines: SafeString) -> SafeString:
    """Join the lines of a `{% filter %}` as a list in the language of the page."""
    stripped = (line.strip() for line in lines.splitlines())
    return mark_safe(listed(filter(None, stripped)))  # noqa: S308 - a template has escaped it


@register.simple_tag
def module(name: str) -> SafeString:
    """The script tags of a page's module and of the catalogue of its language."""
    return format_html(
        '<script defer src="{}"></script>\n    <script type="module" src="{}"></script>',
        js_catalog.address(get_language() or settings.LANGUAGE_CODE),
        static(name),
    )
