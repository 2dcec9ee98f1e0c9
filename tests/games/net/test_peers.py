"""Who listens to what elsewhere, and whether all that was said was heard."""

import pytest

from games.net.peers import FORGOTTEN_AFTER, SILENT_AFTER, Announcement, Peers


@pytest.fixture
def peers():
    peers = Peers("me")
    for name in ("one", "two"):
        peers.heard(name, "all", 7, now=0)
    return peers


def test_topics_are_joined_and_left(peers):
    peers.changes_topics("one", ["a", "b"], [], whole=False)
    peers.changes_topics("two", ["b"], [], whole=False)
    assert (peers.listening("a"), peers.listening("b"), peers.listening("c")) == ({"one"}, {"one", "two"}, ())
    peers.changes_topics("one", [], ["b"], whole=False)
    assert (peers.listening("a"), peers.listening("b")) == ({"one"}, {"two"})


def test_the_whole_list_replaces_what_was_known(peers):
    peers.changes_topics("one", ["a", "b"], [], whole=False)
    peers.changes_topics("one", ["b", "c"], [], whole=True)
    assert [peers.listening(topic) for topic in "abc"] == [(), {"one"}, {"one"}]


def test_a_number_that_is_missing_is_noticed_once(peers):
    assert peers.heard("one", "all", 8, now=0)
    assert not peers.heard("one", "all", 10, now=0)
    assert peers.heard("one", "all", 11, now=0)


def test_each_channel_has_its_own_numbers(peers):
    assert peers.heard("one", "me", 1, now=0)
    assert peers.heard("one", "all", 8, now=0)
    assert peers.heard("one", "me", 2, now=0)


def test_the_first_message_to_this_process_alone_may_be_the_one_that_was_lost(peers):
    assert not peers.heard("one", "me", 2, now=0)
    assert peers.all_heard("two", 0)
    assert not peers.all_heard("two", 1)
    assert peers.all_heard("two", 1)


def test_after_a_while_without_hearing_any_number_will_do(peers):
    peers.expect_anything()
    assert peers.heard("one", "all", 30, now=0)
    assert peers.all_heard("one", 12)
    assert not peers.heard("one", "me", 14, now=0)


def test_the_silent_are_known_for_a_while_and_then_forgotten(peers):
    peers.changes_topics("one", ["a"], [], whole=False)
    peers.heard("two", "all", 8, now=SILENT_AFTER + 1)
    assert (peers.silent(SILENT_AFTER + 1), peers.speaking(SILENT_AFTER + 1)) == ({"one"}, {"two"})
    assert peers.forget(FORGOTTEN_AFTER) == []
    assert peers.listening("a") == {"one"}
    assert peers.forget(FORGOTTEN_AFTER + 1) == ["one"]
    assert (peers.listening("a"), len(peers)) == ((), 1)


def test_one_that_says_again_who_it_is_was_cut_off(peers):
    assert not peers.introduced("one")
    assert not peers.introduced("two")
    assert peers.introduced("one")


def test_an_announcement_is_done_when_all_whom_it_reached_have_confirmed():
    announcement = Announcement({"one"}, silent=0)
    announcement.confirmed("one")
    # How many it reached is known from Redis alone, and one of them is new here.
    assert not announcement.done
    announcement.reached(2)
    assert not announcement.done
    announcement.confirmed("new")
    assert announcement.done


def test_nobody_waits_for_those_who_are_silent():
    announcement = Announcement({"one"}, silent=1)
    announcement.reached(2)
    assert not announcement.done
    announcement.confirmed("one")
    assert announcement.done


def test_one_that_has_just_died_is_not_waited_for():
    announcement = Announcement({"one", "dead"}, silent=0)
    announcement.reached(1)
    announcement.confirmed("one")
    assert announcement.done
