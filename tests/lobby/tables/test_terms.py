"""The terms of a table: what goes together, and what becomes of it in the match."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from games.domain import clock
from games.models import Match
from games.registry import GAMES
from lobby.people.models import Relationship, User
from lobby.ratings.models import Rating
from lobby.ratings.rated import NotRated, RatedGuest, may_have_rating
from lobby.tables.admission import unfit
from lobby.tables.forms.table import TableForm
from lobby.tables.models import Table
from lobby.tables.refusals import BadRange, TableError, TooManyTables
from lobby.tables.table_template import plan_like
from lobby.tables.tables import TableTerms, set_table, sit_down
from lobby.tables.terms import DELAYS, in_short, watchers_in_words

pytestmark = pytest.mark.django_db

CIRCLE = GAMES["kalah"].rules.PRESETS["circle"]
STRICT = GAMES["cantstop"].rules.PRESETS["strict"]
RATED = TableTerms(rated=True)


@pytest.fixture
def guest():
    return User.objects.create_user("Brave-Otter", is_guest=True)


def kalah(host, options=CIRCLE, **terms):
    return set_table(host, "kalah", options, 2, "lot" if terms.get("rated") else "host", TableTerms(**terms))


def rate(user, rating, game="kalah", family="circle", pool="two"):
    Rating.objects.create(
        user=user,
        game=game,
        family=family,
        pool=pool,
        rating=rating,
        deviation=80,
        volatility=0.06,
        updated=timezone.now(),
    )


def code(function, *arguments, **named):
    with pytest.raises((NotRated, TableError)) as caught:
        function(*arguments, **named)
    assert caught.value.sentence
    return caught.value.code


class TestWhatGoesTogether:
    @pytest.mark.parametrize(
        ("terms", "refusal"),
        [
            ({"clock": "181+0"}, "bad-clock"),
            ({"clock": "5+61"}, "bad-clock"),
            ({"clock": "0.5+1"}, "bad-clock"),
            ({"clock": "5 + 3"}, "bad-clock"),
            ({"delay": 7}, "bad-delay"),
            ({"delay": -15}, "bad-delay"),
            ({"delay": 60, "watchable": False}, "delay-unwatched"),
            ({"lowest_rating": 1400}, "range-casual"),
            ({"highest_rating": 1400}, "range-casual"),
            ({"rated": True, "lowest_rating": 1600, "highest_rating": 1500}, "bad-range"),
            ({"rated": True, "lowest_rating": -1}, "bad-range"),
            ({"rated": True, "highest_rating": 4001}, "bad-range"),
        ],
    )
    def test_terms_incompatible_refused(self, ulno, terms, refusal):
        assert code(kalah, ulno, **terms) == refusal
        assert not Table.objects.exists()

    @pytest.mark.parametrize("notation", [*clock.CONTROLS, "7+4", "180+d60"])
    def test_every_clock_on_offer_and_a_custom_one_can_be_chosen(self, ulno, notation):
        assert kalah(ulno, clock=notation).clock == notation

    @pytest.mark.parametrize("delay", DELAYS)
    def test_every_delay_on_offer_can_be_chosen(self, ulno, delay):
        assert kalah(ulno, delay=delay).delay == delay

    def test_a_guest_sets_no_rated_table(self, guest):
        assert code(kalah, guest, rated=True) == "guest"

    def test_own_rules_are_never_rated(self, ulno):
        assert code(kalah, ulno, replace(CIRCLE, seeds=5), rated=True) == "own-rules"

    @pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.pure_luck])
    def test_pure_luck_is_never_rated(self, ulno, slug):
        options = next(iter(GAMES[slug].rules.PRESETS.values()))
        assert code(set_table, ulno, slug, options, 2, "lot", RATED) == "pure-luck"

    def test_the_same_rating_on_both_sides_is_a_range(self, ulno):
        assert kalah(ulno, rated=True, lowest_rating=1500, highest_rating=1500).lowest_rating == 1500

    def test_the_match_has_the_terms_of_the_table(self, ulno, artjom):
        table = kalah(ulno, clock="5+3", rated=True, watchable=True, delay=60)
        match = sit_down(artjom, table.pk).match
        assert (match.clock, match.rated, match.watchable, match.delay) == ("5+3", True, True, 60)

    def test_a_table_nobody_may_watch_makes_such_a_match(self, ulno, artjom):
        assert not sit_down(artjom, kalah(ulno, watchable=False).pk).match.watchable


class TestWhoMaySitDown:
    def test_no_guest_at_a_rated_table(self, ulno, guest):
        assert code(sit_down, guest, kalah(ulno, rated=True).pk) == "guest"

    @pytest.mark.parametrize(
        ("rating", "fits"), [(1399.4, False), (1399.6, True), (1600.4, True), (1601, False)]
    )
    def test_only_ratings_within_the_range(self, ulno, artjom, rating, fits):
        rate(artjom, rating)
        table = kalah(ulno, rated=True, lowest_rating=1400, highest_rating=1600)
        if fits:
            assert sit_down(artjom, table.pk).match is not None
        else:
            assert code(sit_down, artjom, table.pk) == "out-of-range"
            assert table.chairs.count() == 1

    def test_a_stranger_counts_as_1500(self, ulno, artjom):
        assert code(sit_down, artjom, kalah(ulno, rated=True, lowest_rating=1501).pk) == "out-of-range"

    def test_the_rating_of_other_rules_does_not_count(self, ulno, artjom):
        rate(artjom, 1900, family="kalaha")
        rate(artjom, 1900, game="morris")
        rate(artjom, 1900, pool="many")
        assert code(sit_down, artjom, kalah(ulno, rated=True, lowest_rating=1600).pk) == "out-of-range"

    def test_rating_range_of_three_seats_uses_own_pool(self, ulno, artjom):
        rate(artjom, 1700, game="cantstop", family="strict", pool="many")
        terms = TableTerms(rated=True, lowest_rating=1600)
        sit_down(artjom, set_table(ulno, "cantstop", STRICT, 3, "lot", terms).pk)

    def test_a_guest_is_told_of_accounts_rather_than_of_ratings(self):
        assert unfit(may_have_rating(AnonymousUser()), 1500, 1600, None).code == "guest"

    @pytest.mark.parametrize("blocker", ["host", "sitter"])
    def test_two_who_blocked_each_other_do_not_share_a_table(self, ulno, artjom, blocker):
        user, other = (ulno, artjom) if blocker == "host" else (artjom, ulno)
        Relationship.objects.create(user=user, other=other, kind=Relationship.Kind.BLOCK)
        table = kalah(ulno)
        with pytest.raises(TableError) as caught:
            sit_down(artjom, table.pk)
        assert (caught.value.code, caught.value.sentence) == ("blocked", "You cannot join this table.")
        assert not Match.objects.exists()

    def test_a_block_of_anybody_seated_counts(self, ulno, artjom):
        third = User.objects.create_user("Third")
        table = set_table(ulno, "cantstop", STRICT, 4, "lot")
        sit_down(artjom, table.pk)
        Relationship.objects.create(user=artjom, other=third, kind=Relationship.Kind.BLOCK)
        assert code(sit_down, third, table.pk) == "blocked"

    @pytest.mark.parametrize("kind", [Relationship.Kind.MUTE, Relationship.Kind.FOLLOW])
    def test_sit_down_of_muted_or_followed_user(self, ulno, artjom, kind):
        Relationship.objects.create(user=ulno, other=artjom, kind=kind)
        assert sit_down(artjom, kalah(ulno).pk).match is not None

    def test_a_table_by_link_is_for_the_invited_only(self, ulno, artjom):
        assert code(sit_down, artjom, kalah(ulno, listed=False).pk) == "invited-only"


class TestInWords:
    @pytest.mark.parametrize(
        ("lowest", "highest", "words"),
        [
            (None, None, ["Rated", "No clock"]),
            (1400, None, ["Rated", "No clock", "Ratings from 1400"]),
            (None, 1600, ["Rated", "No clock", "Ratings up to 1600"]),
            (1400, 1600, ["Rated", "No clock", "Ratings from 1400 to 1600"]),
        ],
    )
    def test_ranges(self, lowest, highest, words):
        assert in_short(replace(RATED, lowest_rating=lowest, highest_rating=highest)) == words

    @pytest.mark.parametrize(
        ("terms", "words"),
        [
            ({}, "Everyone can watch live"),
            ({"delay": 15}, "Everyone can watch, 15 seconds later"),
            ({"delay": 60}, "Everyone can watch, 1 minute later"),
            ({"watchable": False}, "Nobody can watch"),
        ],
    )
    def test_watchers(self, terms, words):
        assert watchers_in_words(TableTerms(**terms)) == words


class TestTheForm:
    FORM = {"preset": "circle", "seats": "2", "first": "host"}

    def terms(self, **fields):
        form = TableForm(GAMES["kalah"], {**self.FORM, **fields})
        assert form.is_valid(), form.errors
        return form.terms()

    def test_form_defaults(self):
        assert self.terms() == TableTerms()

    def test_all_terms_can_be_chosen(self):
        chosen = self.terms(
            listed="no", rated="yes", clock="3d", lowest="1400", highest="1600", watchers="60"
        )
        assert chosen == TableTerms(False, "3d", True, True, 60, 1400, 1600)

    def test_form_watchers_nobody(self):
        assert self.terms(watchers="nobody") == TableTerms(watchable=False)

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("clock", "181+0"),
            ("watchers", "7"),
            ("rated", "maybe"),
            ("listed", "?"),
            ("lowest", "-1"),
            ("highest", "x"),
        ],
    )
    def test_form_unknown_choice_refused(self, field, value):
        form = TableForm(GAMES["kalah"], {**self.FORM, field: value})
        assert form.errors.keys() == {field}

    @pytest.mark.parametrize(
        ("error", "field"),
        [(BadRange(), "lowest"), (RatedGuest(), "rated"), (TooManyTables(1), "__all__")],
    )
    def test_a_refusal_stands_where_it_belongs(self, error, field):
        form = TableForm(GAMES["kalah"], self.FORM)
        form.refuse(error)
        assert form.errors == {field: [error.words]}

    def test_a_guest_reads_why_nothing_is_rated(self):
        assert (
            "Guests play casual"
            in TableForm(GAMES["kalah"], casual=may_have_rating(AnonymousUser())).why_casual
        )
        assert TableForm(GAMES["kalah"]).why_casual == ""

    @pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.pure_luck])
    def test_pure_luck_says_so_to_everyone(self, slug):
        assert "pure luck" in TableForm(GAMES[slug], casual=may_have_rating(AnonymousUser())).why_casual
        assert "pure luck" in TableForm(GAMES[slug]).why_casual


class TestTheSameAgain:
    def test_plan_like_copies_table(self, ulno, artjom):
        terms = TableTerms(False, "3d", False, True, 60)
        table = set_table(ulno, "kalah", CIRCLE, 2, "other", terms)
        Table.objects.filter(pk=table.pk).update(listed=True)
        plan = plan_like(sit_down(artjom, table.pk).match_id, ulno.pk)
        assert (plan.game, plan.options, plan.seats, plan.first) == ("kalah", CIRCLE, 2, "other")
        assert plan.terms == replace(terms, listed=True)

    def test_a_rematch_has_no_table_and_draws_lots(self, ulno, artjom):
        match = sit_down(artjom, kalah(ulno, clock="5+3").pk).match
        Table.objects.all().delete()
        plan = plan_like(match.pk, ulno.pk)
        assert (plan.first, plan.terms) == ("lot", TableTerms(clock="5+3"))

    def test_the_form_shows_it(self, ulno, artjom):
        match = sit_down(artjom, kalah(ulno, replace(CIRCLE, seeds=5), clock="3d").pk).match
        form = TableForm(GAMES["kalah"], like=plan_like(match.pk, ulno.pk))
        shown = {name: form[name].value() for name in ("preset", "rule_seeds", "clock", "rated", "watchers")}
        assert shown == {"preset": "own", "rule_seeds": "5", "clock": "3d", "rated": "no", "watchers": "0"}

    def test_plan_like_unknown_match_is_none(self):
        assert plan_like("nowhere", None) is None
