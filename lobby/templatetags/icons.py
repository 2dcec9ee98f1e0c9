"""All icons of buttons and labels. They were drawn for Parlour."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.share import drawing

register = template.Library()

ICONS = {
    "back": '<path d="M19 12H5M11 6l-6 6 6 6"/>',
    "bell": '<path d="M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 22h4"/>',
    "bin": '<path d="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5"/>',
    "board": '<path d="M4 4h16v16H4zM4 12h16M12 4v16"/>',
    "book": '<path d="M12 6c-2-2-5-2-8-2v14c3 0 6 0 8 2 2-2 5-2 8-2V4c-3 0-6 0-8 2zM12 6v14"/>',
    "chair": '<path d="M7 3v18M7 13h10v8M7 13V8"/>',
    "chart": '<path d="M4 4v16h16M7 15l4-5 4 3 5-7"/>',
    "chat": '<path d="M4 5h16v11H10l-5 4v-4H4z"/>',
    "check": '<path d="M5 13l5 5L19 7"/>',
    "clock": '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 3"/>',
    "close": '<path d="M6 6l12 12M18 6L6 18"/>',
    "copy": '<path d="M9 9h11v11H9zM5 15H4V4h11v1"/>',
    "dice": '<path d="M7 4h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3z"/>'
    '<path d="M8.5 8.5v.01M15.5 8.5v.01M12 12v.01M8.5 15.5v.01M15.5 15.5v.01"/>',
    "download": '<path d="M12 4v11M7 11l5 5 5-5M5 20h14"/>',
    "down": '<path d="M6 9l6 6 6-6"/>',
    "draw": '<circle cx="12" cy="12" r="9"/><path d="M8 10h8M8 14h8"/>',
    "eye": '<path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z"/><circle cx="12" cy="12" r="3"/>',
    "first": '<path d="M6 5v14M19 5l-9 7 9 7z"/>',
    "flag": '<path d="M6 21V4M6 4h11l-2 4 2 4H6"/>',
    "flip": '<path d="M4 12a8 8 0 0 1 14-5.3L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.3L4 15M4 20v-5h5"/>',
    "hint": '<path d="M9 17a6 6 0 1 1 6 0v2H9zM10 22h4M12 13v4"/>',
    "home": '<path d="M4 11l8-7 8 7M6 10v10h12V10M10 20v-6h4v6"/>',
    "hourglass": '<path d="M6 3h12M6 21h12M7 3v4l5 5 5-5V3M7 21v-4l5-5 5 5v4"/>',
    "info": '<circle cx="12" cy="12" r="9"/><path d="M12 11v6M12 7v.5"/>',
    "last": '<path d="M18 5v14M5 5l9 7-9 7z"/>',
    "letter": '<path d="M3 6h18v12H3zM3 7l9 7 9-7"/>',
    "link": '<path d="M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1'
    'M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1"/>',
    "lock": '<path d="M5 11h14v10H5zM8 11V8a4 4 0 0 1 8 0v3"/>',
    "menu": '<path d="M4 7h16M4 12h16M4 17h16"/>',
    "more": '<circle cx="5" cy="12" r="1"/><circle cx="12" cy="12" r="1"/><circle cx="19" cy="12" r="1"/>',
    "more-down": '<circle cx="12" cy="5" r="1"/><circle cx="12" cy="12" r="1"/>'
    '<circle cx="12" cy="19" r="1"/>',
    "mute": '<path d="M4 9v6h4l5 4V5L8 9zM17 10l4 4M21 10l-4 4"/>',
    "next": '<path d="M8 5l9 7-9 7z"/>',
    "pause": '<path d="M9 5v14M15 5v14"/>',
    "pencil": '<path d="M4 20l1-5L16 4l4 4L9 19zM13.5 6.5l4 4"/>',
    "people": '<circle cx="9" cy="8" r="4"/>'
    '<path d="M2 20c0-4 3-6 7-6s7 2 7 6M16 4a4 4 0 0 1 0 8M18 14c3 1 4 3 4 6"/>',
    "person": '<circle cx="12" cy="8" r="4"/><path d="M4 21c0-5 3-7 8-7s8 2 8 7"/>',
    "phone": '<path d="M8 3h8v18H8zM11 18h2M4 9v6M20 9v6"/>',
    "play": '<path d="M8 5l11 7-11 7z"/>',
    "plus": '<path d="M12 5v14M5 12h14"/>',
    "previous": '<path d="M16 5l-9 7 9 7z"/>',
    "puzzle": '<path d="M4 8h5a2.5 2.5 0 1 1 5 0h5v5a2.5 2.5 0 1 0 0 4v3H4z"/>',
    "qr": '<path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM20 14v2M18 18h2v2h-2zM14 19v1"/>',
    "robot": '<path d="M5 9h14v10H5zM12 9V5M9 16h6"/><circle cx="12" cy="4" r="1"/>'
    '<circle cx="9" cy="13" r="0.5"/><circle cx="15" cy="13" r="0.5"/>',
    "save": '<path d="M7 4h10v16l-5-4-5 4z"/>',
    "search": '<circle cx="10" cy="10" r="6"/><path d="M15 15l6 6"/>',
    "send": '<path d="M4 12l16-8-6 16-3-7z"/>',
    "settings": '<path d="M4 7h9M19 7h1M4 17h1M11 17h9"/><circle cx="16" cy="7" r="3"/>'
    '<circle cx="8" cy="17" r="3"/>',
    "share": '<circle cx="6" cy="12" r="2.5"/><circle cx="18" cy="6" r="2.5"/>'
    '<circle cx="18" cy="18" r="2.5"/>'
    '<path d="M8.2 10.9l7.6-3.8M8.2 13.1l7.6 3.8"/>',
    "sound": '<path d="M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11"/>',
    "star": '<path d="M12 3l2.6 6 6.4.5-4.9 4.2 1.6 6.3L12 16.6 6.3 20l1.6-6.3L3 9.5 9.4 9z"/>',
    "stop": '<path d="M6 6h12v12H6z"/>',
    "take-back": '<path d="M9 5L4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3"/>',
    "trophy": '<path d="M7 4h10v5a5 5 0 0 1-10 0zM12 14v5M8 20h8M7 6H4c0 3 1 4 3 4M17 6h3c0 3-1 4-3 4"/>',
    "up": '<path d="M6 15l6-6 6 6"/>',
    "warning": '<path d="M12 3L2 20h20zM12 9v5M12 17v.5"/>',
}
"""SVG shapes in a square of 24 by 24 units, by name."""


@register.simple_tag
def icon(name: str, look: str = "") -> SafeString:
    """An icon, hidden from screen readers: the label beside it or the name of its button is read.

    Args:
        name: a key of `ICONS`.
        look: an additional CSS class.
    """
    return drawn(ICONS[name], look)


@register.simple_tag
def icon_names() -> list[str]:
    """The names of all icons."""
    return list(ICONS)


@register.simple_tag
def game_icon(slug: str) -> SafeString:
    """The icon of a game."""
    return drawn(drawing.icon(slug))


def drawn(strokes: str, look: str = "") -> SafeString:
    """An `<svg>` with the given shapes, which must be trusted."""
    return format_html(
        '<svg class="{}" viewBox="0 0 24 24" aria-hidden="true">{}</svg>',
        f"icon {look}".strip(),
        mark_safe(strokes),  # noqa: S308 (nothing that anybody typed)
    )
