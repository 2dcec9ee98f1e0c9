"""Database work beside the event loop."""

import time

from games.net.threads import ThrottledExecutor

SECONDS = 0.05


def work():
    """Use the processor for `SECONDS`; the moment at which that was done."""
    end = time.thread_time() + SECONDS
    while time.thread_time() < end:
        pass
    return time.perf_counter()


def test_the_answer_comes_before_the_rest_and_the_next_work_after_it():
    executor = ThrottledExecutor("resting")
    answered = executor.submit(work).result()
    assert executor.submit(time.perf_counter).result() - answered >= SECONDS
