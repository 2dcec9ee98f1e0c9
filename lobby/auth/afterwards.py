"""Work that runs after the response, so that response times reveal nothing about it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

from allauth.core import context
from django.http import HttpRequest, HttpResponse
from django.utils import translation

logger = logging.getLogger(__name__)
Work = Callable[[], object]


def after_answer(request: HttpRequest | None, work: Work) -> None:
    """Run `work` after the response, in the request's language; at once without a request in progress."""
    waiting: list[Work] | None = getattr(request, "after_answer", None)
    if waiting is None:
        work()
    else:
        waiting.append(work)


class WorkAfterAnswers:
    """Middleware that runs the work when the response is closed, after its last byte was sent."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, then do the work that the view has put off."""
        waiting: list[Work] = []
        request.after_answer = waiting  # type: ignore[attr-defined]
        response = self._get_response(request)
        request.after_answer = None  # type: ignore[attr-defined]
        language = translation.get_language()
        response._resource_closers += [partial(_do, work, request, language) for work in waiting]  # type: ignore[attr-defined]
        return response


def _do(work: Work, request: HttpRequest, language: str | None) -> None:
    with ExitStack() as stack:
        # Django ignores errors while it closes a response, so log them.
        stack.push(_report)
        stack.enter_context(context.request_context(request))
        stack.enter_context(translation.override(language))
        work()


def _report(_kind: object, error: BaseException | None, _traceback: object) -> None:
    if error is not None:
        logger.error("what follows an answer failed", exc_info=error)
