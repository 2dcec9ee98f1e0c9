"""Token buckets; time is an argument, so nobody waits."""

import pytest

from config.environment import BadValue, networks
from games.net.limits import Bucket, Buckets, Places, Rate, address_key, limiter, network


def test_a_full_bucket_gives_its_burst_and_no_more():
    bucket = Bucket.full(rate=1, burst=3, now=0)
    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]


def test_tokens_come_back_at_the_rate():
    bucket = Bucket.full(rate=2, burst=1, now=0)
    assert bucket.take(0)
    assert not bucket.take(0.25)
    assert bucket.take(0.75)


def test_bucket_saves_no_more_than_burst():
    bucket = Bucket.full(rate=100, burst=2, now=0)
    assert [bucket.take(1000) for _ in range(3)] == [True, True, False]


def test_a_rate_of_0_is_no_limit():
    bucket = Bucket.full(rate=0, burst=0, now=0)
    assert all(bucket.take(0) for _ in range(100))


def test_buckets_one_for_each_key():
    buckets = Buckets(rate=1, burst=1)
    assert buckets.take("Ulno", 0)
    assert buckets.take("Artjom", 0)
    assert not buckets.take("Ulno", 0)


def test_buckets_drop_least_recently_used_key():
    buckets = Buckets(rate=1, burst=1, most=2)
    for name in ("Ulno", "Artjom", "Ulno", "Third"):
        buckets.take(name, 0)
    assert not buckets.take("Ulno", 0)
    assert buckets.take("Artjom", 0)


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:0:1::1", "2001:db8:0:1::"),
        ("2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::"),
        ("2001:db8:0:2::1", "2001:db8:0:2::"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
        ("nonsense", "nonsense"),
    ],
)
def test_a_household_counts_as_one_address(address, counted):
    assert network(address) == counted


def test_an_address_that_stands_for_many_people_is_not_limited(settings):
    settings.CROWDED_NETWORKS = networks("203.0.113.0/24, 2001:db8::/32")
    buckets, places = Buckets(1, 1), Places(1)
    for address in ("203.0.113.9", "::ffff:203.0.113.9", "2001:db8::1"):
        # Also as a part of a key.
        key = f"address {address_key(address)}"
        assert all(buckets.take(key, 0) and places.take(key) for _ in range(3))
    other = address_key("203.0.114.1")
    assert [buckets.take(other, 0) for _ in range(2)] == [True, False]
    assert [places.take(other) for _ in range(2)] == [True, False]


def test_networks_invalid_refused():
    with pytest.raises(BadValue, match="must be networks such as"):
        networks("203.0.113.9/24")


def test_each_has_so_many_places_and_gets_them_back():
    places = Places(2)
    assert [places.take("Ulno") for _ in range(3)] == [True, True, False]
    assert places.take("Artjom")
    places.give_back("Ulno")
    assert [places.take("Ulno") for _ in range(2)] == [True, False]


def test_places_are_refused_when_fewer_are_left_but_not_to_who_has_none():
    places = Places(10)
    assert places.take("Ulno", 16)
    assert not places.take("Ulno")
    places.give_back("Ulno", 16)
    assert [places.take("Ulno", 4) for _ in range(3)] == [True, True, False]
    assert places.take("Ulno", 2)


def test_no_places_are_no_limit():
    places = Places(0)
    assert all(places.take("Ulno") for _ in range(1000))


def test_bucket_debt_refills_at_rate():
    bucket = Bucket.full(rate=10, burst=100, now=0)
    bucket.spend(100, 0)
    assert bucket.wait(0) == 0
    bucket.spend(50, 0)
    assert bucket.wait(0) == 5
    assert bucket.wait(4) == 1
    assert bucket.wait(6) == 0


def test_bucket_without_rate_has_no_debt():
    bucket = Bucket.full(rate=0, burst=0, now=0)
    bucket.spend(1_000, 0)
    assert bucket.wait(0) == 0


@pytest.mark.parametrize(
    ("text", "rate"), [("5/15s", (5, 15)), ("60/m", (60, 60)), ("1/3d", (1, 259_200)), ("0", (0, 1))]
)
def test_a_rate_is_read_as_hosts_write_it(text, rate):
    assert Rate.parse(text) == Rate(*rate)


@pytest.mark.parametrize("text", ["", "5", "5/0s", "5/15", "-1/s", "many"])
def test_rate_invalid_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - the text is all there is to say
        Rate.parse(text)


def test_a_rate_comes_at_once_and_says_when_there_is_more():
    buckets = limiter(Rate(2, 30))
    assert [buckets.take("somebody", now) for now in (0, 0, 0, 15, 15)] == [True, True, False, True, False]
    assert Rate(2, 30).retry_after == {"Retry-After": "15"}
    assert limiter(Rate(0, 1)).take("somebody", 0)
