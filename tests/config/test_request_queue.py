"""How many requests are worked on at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse

from config.middleware import request_queue
from config.middleware.request_queue import RequestQueue

PATIENCE = 60.0


class Site:
    """Works on each request until it is let go, and counts."""

    def __init__(self) -> None:
        self.counted, self.working, self.most = threading.Condition(), 0, 0
        self.let_go = threading.Event()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with self.counted:
            self.working += 1
            self.most = max(self.most, self.working)
            self.counted.notify_all()
        assert self.let_go.wait(PATIENCE)
        with self.counted:
            self.working -= 1
        if request.path == "/wrong":
            raise LookupError
        return HttpResponse("done")

    def wait_for(self, number: int) -> None:
        """Until so many requests are worked on."""
        with self.counted:
            assert self.counted.wait_for(lambda: self.working >= number, PATIENCE)


def request(method: str, path: str = "/") -> HttpRequest:
    made = HttpRequest()
    made.method, made.path = method, path
    return made


@pytest.fixture
def site(settings: Any) -> Site:
    settings.PAGES_AT_ONCE, settings.FORMS_AT_ONCE = 2, 2
    return Site()


def test_forms_wait_for_their_turn_and_pages_do_not_wait_behind_them(site: Site) -> None:
    queue = RequestQueue(site)
    with ThreadPoolExecutor(20) as pool:
        forms = [pool.submit(queue, request("POST")) for _ in range(10)]
        site.wait_for(2)
        pages = [pool.submit(queue, request("GET")) for _ in range(2)]
        site.wait_for(4)
        site.let_go.set()
        assert all(each.result().content == b"done" for each in forms + pages)
    assert site.most == 4


def test_a_request_that_fails_gives_its_turn_back(site: Site) -> None:
    queue = RequestQueue(site)
    site.let_go.set()
    for _ in range(5):
        with pytest.raises(LookupError):
            queue(request("POST", "/wrong"))
    assert queue(request("POST")).status_code == 200


def test_a_request_whose_turn_does_not_come_is_told_to_try_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = RequestQueue(site)
    with ThreadPoolExecutor(2) as pool:
        busy = [pool.submit(queue, request("POST")) for _ in range(2)]
        site.wait_for(2)
        monkeypatch.setattr(request_queue, "WAIT_SECONDS", 0.01)
        refused = queue(request("POST"))
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
        site.let_go.set()
        assert all(each.result().status_code == 200 for each in busy)
