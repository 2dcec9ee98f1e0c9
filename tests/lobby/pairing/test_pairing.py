"""The queue of quick pairing: who gets in, who is paired, who is dropped."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.domain import codec
from games.models import Match, Seating
from games.net.hub import hub
from games.play import begin
from games.registry import GAMES
from lobby.pairing import offer, queue
from lobby.pairing.models import Seek
from lobby.pairing.pairing_options import CLOCKS, CLOCKS_OF_MANY, Tile, games, seats_of
from lobby.pairing.queue import AWAY_AFTER, FETCHED_WITHIN, GONE_AFTER, JUST_NOW, PairingError
from lobby.people.models import Relationship, User
from lobby.ratings.glicko2 import AVERAGE
from lobby.ratings.models import Pool, Rating, Result
from lobby.ratings.rated import NotRated
from lobby.tables import computers, solo
from lobby.tables.tables import set_table, sit_down

TILE = Tile("kalah", "circle", "5+3", rated=False)
FOUR = Tile("cantstop", "strict", "5+3", rated=False, seats=4)
OTHER = Tile("kalah", "circle", "15+10", rated=False)
SECOND = timedelta(seconds=1)


@pytest.fixture
def ann(db):
    return User.objects.create_user("Ann")


@pytest.fixture
def bo(db):
    return User.objects.create_user("Bob")


@pytest.fixture
def told(transactional_db, monkeypatch):
    """What is said through the hub: (topic, message)."""
    said = []
    monkeypatch.setattr(hub, "announce", lambda topic, message: said.append((topic, message)))
    return said


def tick(after=timedelta(), here=()):
    return queue.tick(here, timezone.now() + after)


def code(function, *arguments):
    with pytest.raises((NotRated, PairingError)) as caught:
        function(*arguments)
    assert caught.value.sentence
    return caught.value.code


def players(match):
    return {seating.user for seating in match.seatings.all()}


class TestEntering:
    def test_one_waits_for_what_the_tile_says(self, ann):
        assert queue.tile_of(queue.enter(ann, TILE)) == TILE
        assert queue.situation(ann.pk)["seek"]["clock"] == "5+3"

    def test_pressing_the_same_tile_again_does_not_begin_the_wait_anew(self, ann):
        began = queue.enter(ann, TILE).created
        assert queue.enter(ann, TILE).created == began
        assert Seek.objects.count() == 1

    def test_another_tile_takes_the_place_of_the_first(self, ann):
        began = queue.enter(ann, TILE).created
        again = queue.enter(ann, OTHER)
        assert (queue.tile_of(again), Seek.objects.count()) == (OTHER, 1)
        assert again.created > began

    @pytest.mark.parametrize(
        "tile",
        [
            None,
            Tile("chess", "circle", "5+3", rated=False),
            Tile("kalah", "own", "5+3", rated=False),
            Tile("kalah", "circle", "7+77", rated=False),
        ],
    )
    def test_enter_with_unknown_tile_refused(self, ann, tile):
        queue.enter(ann, TILE)
        assert code(queue.enter, ann, tile) == "no-such-tile"
        assert queue.tile_of(Seek.objects.get()) == TILE

    def test_guests_do_not_play_rated(self, ann):
        ann.is_guest = True
        assert code(queue.enter, ann, TILE._replace(rated=True)) == "guest"
        assert not Seek.objects.exists()

    def test_accounts_do(self, ann):
        assert queue.enter(ann, TILE._replace(rated=True)).rated

    def test_the_rating_of_the_game_and_rules_counts(self, ann):
        about = {"deviation": 50, "volatility": 0.06, "updated": timezone.now(), "user": ann}
        Rating.objects.create(game="kalah", family="circle", pool=Pool.TWO, rating=1800, **about)
        Rating.objects.create(game="kalah", family="kalaha", pool=Pool.TWO, rating=1200, **about)
        assert queue.enter(ann, TILE).rating == 1800

    def test_enter_without_rating_uses_average(self, ann):
        assert queue.enter(ann, TILE).rating == AVERAGE


class TestPairing:
    def test_two_who_want_the_same_play_it(self, ann, bo):
        queue.enter(ann, TILE)
        queue.enter(bo, TILE)
        assert tick() == 1
        match = Match.objects.get()
        assert players(match) == {ann, bo}
        assert (match.game, match.clock, match.rated, match.watchable) == ("kalah", "5+3", False, True)
        assert not Seek.objects.filter(match=None).exists()

    @pytest.mark.parametrize(
        "change", [{"clock": ""}, {"preset": "kalaha"}, {"game": "morris", "preset": "nine"}]
    )
    def test_two_who_want_different_things_go_on_waiting(self, ann, bo, change):
        queue.enter(ann, TILE)
        queue.enter(bo, TILE._replace(**change))
        assert tick() == 0

    def test_rated_and_casual_do_not_meet(self, ann, bo):
        queue.enter(ann, TILE)
        queue.enter(bo, TILE._replace(rated=True))
        assert tick() == 0

    def test_a_rated_match_is_rated(self, ann, bo):
        for user in (ann, bo):
            queue.enter(user, TILE._replace(rated=True))
        tick()
        assert Match.objects.get().rated

    @pytest.mark.parametrize("turned", [False, True])
    def test_pairing_excludes_blocked_pairs(self, ann, bo, turned):
        Relationship.objects.create(
            user=bo if turned else ann, other=ann if turned else bo, kind=Relationship.Kind.BLOCK
        )
        queue.enter(ann, TILE)
        queue.enter(bo, TILE)
        Seek.objects.update(created=timezone.now() - timedelta(hours=1))
        assert tick() == 0

    @pytest.mark.parametrize("kind", [Relationship.Kind.FOLLOW, Relationship.Kind.MUTE])
    def test_other_ties_do_not_matter(self, ann, bo, kind):
        Relationship.objects.create(user=ann, other=bo, kind=kind)
        queue.enter(ann, TILE)
        queue.enter(bo, TILE)
        assert tick() == 1

    def test_ratings_far_apart_wait_until_the_range_is_wide_enough(self, ann, bo):
        queue.enter(ann, TILE)
        queue.enter(bo, TILE)
        Seek.objects.filter(user=ann).update(rating=2100)
        here = {ann.pk, bo.pk}
        assert tick(20 * SECOND, here) == 0
        assert tick(40 * SECOND, here) == 1

    def test_pairing_excludes_banned_user(self, ann, bo):
        queue.enter(ann, TILE)
        queue.enter(bo, TILE)
        User.objects.filter(pk=bo.pk).update(is_active=False)
        assert tick() == 0

    def test_the_first_move_is_drawn_by_lot(self, ann, bo):
        first = set()
        for _ in range(40):
            Seek.objects.all().delete()
            queue.enter(ann, TILE)
            queue.enter(bo, TILE)
            tick()
            seating = Seating.objects.order_by("-match__created", "seat")[:2]
            start = codec.decode_state(GAMES["kalah"].rules, json.loads(seating[0].match.start))
            first.add(seating[start.turn].user)
        assert first == {ann, bo}

    def test_many_are_all_paired_at_once(self, db):
        users = [User.objects.create_user(f"user{n}") for n in range(130)]
        for user in users:
            queue.enter(user, TILE)
        assert tick() == 65
        assert Seating.objects.values("user").distinct().count() == 130

    def test_pairing_announced_to_players_and_lobby_after_commit(self, told, ann, bo):
        queue.enter(ann, TILE)
        queue.enter(bo, TILE)
        tick()
        match = Match.objects.get().pk
        for user, opponent in ((ann, "Bob"), (bo, "Ann")):
            mine = [message for topic, message in told if topic == f"person.{user.pk}"]
            assert [each["seek"] is not None for each in mine] == [True, False]
            assert mine[-1] == {
                "type": "pairing",
                "seek": None,
                "paired": {"match": match, "opponents": [opponent]},
            }
        assert any(message["type"] == "match" and message["match"]["id"] == match for _, message in told)


class TestMoreThanTwo:
    @pytest.fixture
    def people(self, ann, bo):
        return [ann, bo, *(User.objects.create_user(name) for name in ("Cyd", "Dan"))]

    def test_four_who_want_the_same_play_it(self, people):
        for user in people:
            queue.enter(user, FOUR)
        assert tick() == 1
        match = Match.objects.get()
        assert players(match) == set(people)
        assert (match.game, match.seatings.count()) == ("cantstop", 4)
        assert not Seek.objects.filter(match=None).exists()

    def test_three_of_four_go_on_waiting(self, people):
        for user in people[:3]:
            queue.enter(user, FOUR)
        assert tick() == 0

    def test_pairing_waits_for_wanted_number_of_players(self, people):
        for user, seats in zip(people, (3, 3, 4, 2), strict=True):
            queue.enter(user, FOUR._replace(seats=seats))
        assert tick() == 0

    def test_pairing_of_three_names_opponents(self, told, people):
        for user in people[:3]:
            queue.enter(user, FOUR._replace(seats=3))
        tick()
        others = queue.situation(people[0].pk)["paired"]["opponents"]
        assert set(others) == {"Bob", "Cyd"}
        paired = [topic for topic, message in told if message.get("paired")]
        assert set(paired) == {f"person.{user.pk}" for user in people[:3]}

    def test_pairing_of_three_excludes_blocked_pairs(self, people):
        Relationship.objects.create(user=people[3], other=people[1], kind=Relationship.Kind.BLOCK)
        for user in people:
            queue.enter(user, FOUR)
        Seek.objects.update(created=timezone.now() - timedelta(hours=1))
        assert tick() == 0
        fifth = User.objects.create_user("Eve")
        queue.enter(fifth, FOUR)
        assert tick() == 1
        assert len({people[1], people[3]} & players(Match.objects.get())) == 1

    def test_the_rating_against_more_than_one_counts(self, ann):
        about = {"deviation": 50, "volatility": 0.06, "updated": timezone.now(), "user": ann}
        Rating.objects.create(game="cantstop", family="strict", pool=Pool.TWO, rating=1200, **about)
        Rating.objects.create(game="cantstop", family="strict", pool=Pool.MANY, rating=1800, **about)
        assert queue.enter(ann, FOUR).rating == 1800

    def test_pairing_of_four_rated(self, people):
        for user in people:
            queue.enter(user, FOUR._replace(rated=True))
        tick()
        assert Match.objects.get().rated

    def test_pure_luck_is_not(self, ann):
        luck = Tile("aces", "standard", "", rated=True, seats=4)
        assert code(queue.enter, ann, luck) == "pure-luck"
        assert queue.enter(ann, luck._replace(rated=False)).seats == 4

    @pytest.mark.parametrize("tile", [TILE._replace(seats=3), FOUR._replace(seats=5), FOUR._replace(seats=1)])
    def test_a_number_that_is_not_offered_is_refused(self, ann, tile):
        assert code(queue.enter, ann, tile) == "no-such-tile"


class TestTheComputerThatIsOffered:
    def level(self, user, slug="kalah"):
        return offer.level_for(user.pk, GAMES[slug])

    def beat(self, user, level, score=Result.Score.WON):
        """A finished match of somebody against a computer player."""
        computer = computers.seat(GAMES["kalah"], level)
        options = GAMES["kalah"].rules.PRESETS["circle"]
        match = begin.create("kalah", options, [user, computer], levels={1: level})
        about = {"game": "kalah", "pool": Pool.TWO, "reason": "swept", "ended": timezone.now()}
        Result.objects.create(match=match, user=user, score=score, **about)

    def rate(self, user, rating, deviation):
        about = {"game": "kalah", "family": "circle", "pool": Pool.TWO, "updated": timezone.now()}
        Rating.objects.create(user=user, rating=rating, deviation=deviation, volatility=0.06, **about)

    def test_a_newcomer_is_offered_the_first_level(self, ann):
        assert self.level(ann) == 1

    def test_computer_offered_one_level_above_beaten(self, ann):
        self.beat(ann, 3)
        self.beat(ann, 1)
        assert self.level(ann) == 4

    def test_computer_offered_at_first_level_after_losses(self, ann):
        self.beat(ann, 3, Result.Score.LOST)
        assert self.level(ann) == 1

    def test_computer_offered_by_level_beaten_in_same_game(self, ann):
        self.beat(ann, 3)
        assert self.level(ann, "morris") == 1

    def test_computer_offered_at_highest_level_at_most(self, ann):
        highest = len(GAMES["kalah"].levels)
        self.beat(ann, highest)
        assert self.level(ann) == highest

    @pytest.mark.parametrize(
        ("rating", "deviation", "level"), [(1500, 350, 1), (1500, 100, 3), (1800, 60, 6), (2400, 60, 8)]
    )
    def test_a_rating_counts_by_what_it_surely_is(self, ann, rating, deviation, level):
        self.rate(ann, rating, deviation)
        assert self.level(ann) == level

    def test_computer_offer_told_with_seconds(self, ann, settings):
        settings.COMPUTER_OFFERED_AFTER = 7.5
        queue.enter(ann, TILE)
        computer = queue.situation(ann.pk)["seek"]["computer"]
        assert computer == {"name": "Sprout", "level": 1, "after": 7.5}

    def test_taking_it_begins_a_casual_match_and_ends_the_wait(self, told, ann):
        queue.enter(ann, TILE._replace(rated=True))
        match = solo.instead_of_waiting(ann)
        assert [(s.seat, s.level) for s in match.seatings.order_by("seat")] == [(0, None), (1, 1)]
        assert (match.game, match.clock, match.rated, match.bot_due) == ("kalah", "5+3", False, None)
        assert not Seek.objects.filter(match=None).exists()
        assert told[-1][1]["paired"] == {"match": match.pk, "opponents": ["Sprout"]}

    def test_computer_offer_fills_table_of_four(self, ann):
        queue.enter(ann, FOUR)
        match = solo.instead_of_waiting(ann)
        assert [s.level for s in match.seatings.order_by("seat")] == [None, 1, 1, 1]
        assert match.seatings.values("user").distinct().count() == 4

    def test_pressing_twice_is_one_match(self, ann):
        queue.enter(ann, TILE)
        assert solo.instead_of_waiting(ann) == solo.instead_of_waiting(ann)
        assert Match.objects.count() == 1

    def test_computer_offer_accepted_after_pairing_plays_paired_match(self, ann, bo):
        queue.enter(ann, TILE)
        queue.enter(bo, TILE)
        tick()
        assert players(solo.instead_of_waiting(ann)) == {ann, bo}
        assert Match.objects.count() == 1

    def test_computer_offer_accepted_without_seek_refused(self, ann):
        assert code(solo.instead_of_waiting, ann) == "not-waiting"
        queue.enter(ann, TILE)
        queue.cancel([ann.pk])
        assert code(solo.instead_of_waiting, ann) == "not-waiting"
        assert not Match.objects.exists()

    def test_an_old_match_is_not_what_is_waited_for(self, ann):
        queue.enter(ann, TILE)
        solo.instead_of_waiting(ann)
        Match.objects.update(status=Match.Status.FINISHED)
        assert code(solo.instead_of_waiting, ann) == "not-waiting"


class TestBeingThere:
    def test_seek_of_absent_user_not_paired(self, ann, bo):
        queue.enter(ann, TILE)
        queue.enter(bo, TILE)
        assert tick(AWAY_AFTER + SECOND, here={ann.pk}) == 0
        assert Seek.objects.filter(match=None).count() == 2

    def test_seek_of_returned_user_paired(self, ann, bo):
        queue.enter(ann, TILE)
        queue.enter(bo, TILE)
        assert tick(AWAY_AFTER + SECOND, here={ann.pk, bo.pk}) == 1

    def test_seek_of_user_gone_deleted(self, ann, bo):
        queue.enter(ann, TILE)
        queue.enter(bo, TILE)
        tick(GONE_AFTER + SECOND, here={ann.pk})
        assert [seek.user for seek in Seek.objects.all()] == [ann]

    def test_looking_at_the_page_without_scripts_is_being_there(self, ann):
        queue.enter(ann, TILE)
        Seek.objects.update(present=timezone.now() - timedelta(hours=1))
        queue.seen(ann.pk)
        tick(GONE_AFTER - SECOND)
        assert Seek.objects.exists()

    def test_a_game_that_is_no_longer_offered_holds_nobody_up(self, ann, bo):
        third, fourth = (User.objects.create_user(name) for name in ("Cyd", "Dan"))
        for user in (ann, bo, third, fourth):
            queue.enter(user, TILE)
        Seek.objects.filter(user__in=[ann, bo]).update(game="chess")
        assert tick() == 1


class TestLeaving:
    def test_seek_cancelled(self, told, ann):
        queue.enter(ann, TILE)
        queue.cancel([ann.pk])
        assert queue.situation(ann.pk) == {"seek": None, "paired": None}
        assert told[-1] == (f"person.{ann.pk}", {"type": "pairing", "seek": None, "paired": None})

    def test_cancelling_what_is_not_there_does_nothing(self, told, ann):
        queue.cancel([ann.pk])
        assert told == []

    def test_seek_ends_when_table_created(self, ann):
        queue.enter(ann, TILE)
        set_table(ann, "kalah", GAMES["kalah"].rules.Options(), 2, "lot")
        assert not Seek.objects.exists()

    def test_seek_ends_when_table_joined(self, ann, bo):
        table = set_table(ann, "kalah", GAMES["kalah"].rules.Options(), 2, "lot")
        queue.enter(ann, TILE)
        queue.enter(bo, OTHER)
        sit_down(bo, table.pk)
        assert not Seek.objects.exists()

    def test_seek_ends_when_rematch_begins(self, ann, bo):
        queue.enter(ann, TILE)
        queue.enter(bo, TILE)
        tick()
        queue.enter(ann, OTHER)  # the same press
        Match.objects.update(created=timezone.now() - JUST_NOW - SECOND)
        queue.enter(ann, OTHER)
        queue.cancel_players(Match.objects.get().pk)
        assert not Seek.objects.filter(match=None).exists()


class TestWhoMissedTheNews:
    @pytest.fixture
    def match(self, ann, bo):
        queue.enter(ann, TILE)
        queue.enter(bo, TILE)
        tick()
        return Match.objects.get()

    def paired(self, user):
        return queue.situation(user.pk)["paired"]

    def test_paired_told_on_return(self, match, ann):
        assert self.paired(ann) == {"match": match.pk, "opponents": ["Bob"]}

    def test_cancelling_too_late_tells_it_too(self, match, ann):
        queue.cancel([ann.pk])
        assert self.paired(ann) is not None

    def test_pressing_again_at_once_leads_there_too(self, match, ann):
        assert queue.enter(ann, TILE).match == match
        assert Match.objects.count() == 1

    def test_pressing_later_is_a_new_wait(self, match, ann):
        Match.objects.update(created=timezone.now() - JUST_NOW - SECOND)
        assert queue.enter(ann, TILE).match is None
        assert self.paired(ann) is None

    def test_paired_not_told_after_end(self, match, ann):
        Match.objects.update(status=Match.Status.FINISHED)
        assert self.paired(ann) is None

    def test_paired_not_told_after_limit(self, match, ann):
        Match.objects.update(created=timezone.now() - FETCHED_WITHIN - SECOND)
        assert self.paired(ann) is None

    def test_paired_told_until_own_first_move(self, match, ann, bo):
        seat = match.seatings.get(user=ann).seat
        match.plies.create(
            number=1, seat=seat, action="1", events="[]", state="{}", at=datetime(2030, 1, 1, tzinfo=UTC)
        )
        assert self.paired(ann) is None
        assert self.paired(bo) is not None


class TestTiles:
    @pytest.mark.parametrize("game", games(), ids=lambda game: game.slug)
    def test_every_preset_of_every_game_for_two_has_one_for_each_clock(self, game):
        for preset in game.rules.PRESETS:
            assert {"", *game.clocks}.issuperset(CLOCKS)
            for clock in CLOCKS:
                tile = Tile(game.slug, preset, clock, rated=False)
                assert Tile.parse(tile.name, rated=False) == tile

    @pytest.mark.parametrize("game", games(), ids=lambda game: game.slug)
    def test_every_preset_has_some_for_each_number_of_players_up_to_four(self, game):
        assert seats_of(game) == [seats for seats in (2, 3, 4) if seats in game.rules.SEATS]
        for preset in game.rules.PRESETS:
            for seats in seats_of(game)[1:]:
                for clock in CLOCKS_OF_MANY:
                    tile = Tile(game.slug, preset, clock, rated=False, seats=seats)
                    assert Tile.parse(tile.name, rated=False) == tile

    @pytest.mark.parametrize(
        "text",
        ["kalah/circle/5+3/3", "cantstop/strict/5+3/2", "cantstop/strict/5+3/5", "cantstop/strict/5+3/03"],
    )
    def test_a_number_that_cannot_play_is_no_tile(self, text):
        assert Tile.parse(text, rated=False) is None

    @pytest.mark.parametrize("text", ["", "/", "//", "kalah", "kalah/circle", "kalah/circle/5+3/x", "x/y/z"])
    def test_nonsense_is_no_tile(self, text):
        assert Tile.parse(text, rated=False) is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("tile", [TILE, FOUR], ids=["two", "four"])
def test_several_threads_at_once_pair_everybody_once(tile):
    users = [User.objects.create_user(f"user{n}") for n in range(40)]
    ids = {user.pk for user in users}

    def work(number):
        try:
            for user in users[number::4]:
                queue.enter(user, tile)
                queue.tick(ids, timezone.now())
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    queue.tick(ids, timezone.now())
    seated = list(Seating.objects.values_list("user", flat=True))
    assert (len(seated), set(seated)) == (40, ids)
    assert Match.objects.count() == 40 // tile.seats
