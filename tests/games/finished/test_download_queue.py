"""Who may have what takes long: one after the other, few of one address, few at all."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from games.finished import download_queue as module
from games.finished.download_queue import MOST_DOWNLOADS, MOST_OF_ADDRESS, TooBusy, Turns
from tools.harness.patience import wait_until


def test_downloads_of_one_address_run_one_at_a_time():
    turns, inside, most = Turns(), [], []
    together = Barrier(MOST_DOWNLOADS)

    def have(number):
        together.wait()
        with turns.take(f"address {number}"):
            inside.append(number)
            most.append(len(inside))
            inside.remove(number)

    with ThreadPoolExecutor(MOST_DOWNLOADS) as pool:
        list(pool.map(have, range(MOST_DOWNLOADS)))
    assert most == [1] * MOST_DOWNLOADS


def test_an_address_has_few_and_all_together_have_few():
    turns, begun, over = Turns(), Event(), Event()

    def have(address):
        with turns.take(address):
            begun.set()
            over.wait()

    with ThreadPoolExecutor(MOST_DOWNLOADS) as pool:
        first = [pool.submit(have, "one") for _ in range(MOST_OF_ADDRESS)]
        begun.wait()
        try:
            with pytest.raises(TooBusy), turns.take("one"):
                pass
            others = [
                pool.submit(have, f"other {number}") for number in range(MOST_DOWNLOADS - MOST_OF_ADDRESS)
            ]
            wait_until(lambda: len(turns._addresses._taken) == 1 + len(others), "that they stand in line")
            with pytest.raises(TooBusy) as refused, turns.take("another"):
                pass
        finally:
            over.set()
        for each in (*first, *others):
            each.result()
    assert (refused.value.status, refused.value.headers["Retry-After"]) == (503, "3")
    with turns.take("one"):
        pass


def test_download_wait_times_out(monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    turns = Turns()
    with turns.take("one"), pytest.raises(TooBusy), turns.take("other"):
        pass
    with turns.take("other"):
        pass


def test_download_failure_frees_place():
    turns = Turns()
    for _ in range(MOST_DOWNLOADS + 1):
        with pytest.raises(ValueError, match="no"), turns.take("one"):
            raise ValueError("no")
