"""Pages about the site, with the host's own texts if there are any: privacy, contact, imprint, terms."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games.net.shared_pages import for_a_second

HEADING = "# "


class Block(NamedTuple):
    """A heading or a paragraph."""

    heading: bool
    text: str


@require_safe
@for_a_second
def privacy(request: HttpRequest) -> HttpResponse:
    """The privacy page, with the host's own text if there is one."""
    if settings.PRIVACY_FILE is None:
        return render(request, "about/privacy.html")
    return render(request, "about/own_privacy.html", {"blocks": blocks(in_language(settings.PRIVACY_FILE))})


@require_safe
@for_a_second
def imprint(request: HttpRequest) -> HttpResponse:
    """The imprint of the site's host."""
    if settings.IMPRINT_FILE is None:
        raise Http404
    return render(request, "about/imprint.html", {"blocks": blocks(in_language(settings.IMPRINT_FILE))})


@require_safe
@for_a_second
def terms(request: HttpRequest) -> HttpResponse:
    """The terms of use of the site's host."""
    if settings.TERMS_FILE is None:
        raise Http404
    return render(request, "about/terms.html", {"blocks": blocks(in_language(settings.TERMS_FILE))})


@require_safe
@for_a_second
def contact(request: HttpRequest) -> HttpResponse:
    """The contact page of the site's host."""
    if not settings.CONTACT_EMAIL and not settings.CONTACT_URL:
        raise Http404
    context = {"email": settings.CONTACT_EMAIL, "address": settings.CONTACT_URL}
    return render(request, "about/contact.html", context)


def in_language(path: Path) -> str:
    """The text of a file, or of its translation to the active language (`privacy.ru.txt`)."""
    translated = path.with_name(f"{path.stem}.{get_language()}{path.suffix}")
    return (translated if translated.is_file() else path).read_text(encoding="utf-8-sig")


def blocks(text: str) -> list[Block]:
    """The headings and paragraphs of a text, in order."""
    found: list[Block] = []
    for part in text.replace("\r\n", "\n").split("\n\n"):
        lines = part.strip().split("\n")
        while lines and lines[0].startswith(HEADING):
            found.append(Block(True, lines.pop(0).removeprefix(HEADING).strip()))
        if rest := "\n".join(lines).strip():
            found.append(Block(False, rest))
    return found
