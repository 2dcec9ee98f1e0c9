"""Token buckets; time is an argument, so nobody waits."""

from games.net.limits import Bucket, Buckets


def test_a_full_bucket_gives_its_burst_and_no_more():
    bucket = Bucket.full(rate=1, burst=3, now=0)
    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]


def test_tokens_come_back_at_the_rate():
    bucket = Bucket.full(rate=2, burst=1, now=0)
    assert bucket.take(0)
    assert not bucket.take(0.25)
    assert bucket.take(0.75)


def test_no_more_than_the_burst_is_saved_up():
    bucket = Bucket.full(rate=100, burst=2, now=0)
    assert [bucket.take(1000) for _ in range(3)] == [True, True, False]


def test_a_rate_of_0_is_no_limit():
    bucket = Bucket.full(rate=0, burst=0, now=0)
    assert all(bucket.take(0) for _ in range(100))


def test_everyone_has_a_bucket():
    buckets = Buckets(rate=1, burst=1)
    assert buckets.take("Ulno", 0)
    assert buckets.take("Artjom", 0)
    assert not buckets.take("Ulno", 0)


def test_who_has_been_away_longest_is_forgotten_first():
    buckets = Buckets(rate=1, burst=1, most=2)
    for name in ("Ulno", "Artjom", "Ulno", "Third"):
        buckets.take(name, 0)
    assert not buckets.take("Ulno", 0)
    assert buckets.take("Artjom", 0)
