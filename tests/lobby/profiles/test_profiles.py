"""The page of somebody who plays here."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Match
from games.registry import GAMES
from games.rules.base import Leave, Roll
from lobby.people.models import User
from lobby.profiles import profiles
from lobby.profiles.summaries import known_results, summed_up
from lobby.puzzles.models import PuzzleBest, PuzzleSolver
from lobby.puzzles.runs import STORM, STREAK
from lobby.ratings.models import Rating, Result
from lobby.ratings.results import settle
from tests.helpers import finished

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PURE_LUCK = next(game for game in GAMES.values() if game.pure_luck)


def play(users, wins, **terms):
    """Matches of two that ended an hour after one another; `wins` says who won each, by seat."""
    for number, winner in enumerate(wins):
        settle(finished.won(users, int(winner), NOON + timedelta(hours=number), **terms).pk)


def page(client, name="Ulno", **query):
    answer = client.get(f"/@/{name}", query)
    assert answer.status_code == 200
    return answer


class TestTheAddress:
    def test_profile_heading_is_name(self, client, ulno):
        assert "<h1>Ulno</h1>" in page(client).text

    def test_other_capitals_lead_to_the_name_as_it_is_written(self, client, ulno):
        answer = client.get("/@/uLNO?page=2")
        assert (answer.status_code, answer["Location"]) == (302, "/@/Ulno?page=2")

    def test_a_name_nobody_has_is_not_found(self, client, db):
        assert client.get("/@/Nobody").status_code == 404

    def test_a_name_that_can_be_nobodys_is_not_found(self, client, db):
        assert client.get("/@/no<b>dy").status_code == 404

    def test_a_name_that_no_store_has_text_for_is_refused(self, client, db):
        assert client.get("/@/no<b>dy%00").status_code == 400

    def test_a_deleted_account_has_a_calm_page_that_names_nobody(self, client, ulno):
        User.objects.update(is_deleted=True)
        answer = client.get("/@/Ulno")
        assert answer.status_code == 410
        assert "This account was deleted" in answer.text
        assert "Ulno" not in answer.text.partition("<main")[2]


class TestWhoItIs:
    def test_profile_of_new_user(self, client, ulno):
        text = page(client).text
        assert "No rated matches yet." in text
        assert "No finished matches yet." in text

    def test_a_guest_has_results_and_no_ratings(self, client, ulno, artjom):
        User.objects.filter(pk=ulno.pk).update(is_guest=True)
        play([ulno, artjom], "0", rated=False)
        text = page(client).text
        assert '<span class="badge">guest</span>' in text
        assert "Guests play casual matches only." in text
        assert "1 won" in text

    def test_profile_own_has_badge_and_no_actions(self, ulno):
        client = Client()
        client.force_login(ulno)
        text = page(client).text
        assert '<span class="badge">You</span>' in text
        assert "person-actions" not in text

    def test_another_persons_has_a_place_for_actions(self, client, ulno):
        client.force_login(User.objects.create_user("Visitor"))
        assert "person-actions" in page(client).text


class TestResults:
    def test_games_are_counted_by_result(self, client, ulno, artjom):
        play([ulno, artjom], "0010")
        (record,) = page(client).context["records"]
        assert (record.title, record.won, record.drawn, record.lost) == ("Kalah", 3, 0, 1)
        assert [part.width for part in record.shares] == [75, 0, 25]

    def test_a_match_that_hardly_began_is_listed_and_not_counted(self, client, ulno, artjom):
        settle(finished.play(finished.begun([ulno, artjom]), Leave(0)).pk)
        answer = page(client)
        assert answer.context["records"] == []
        assert [played.score for played in answer.context["matches"]] == ["aborted"]

    def test_pure_luck_says_why_it_is_not_rated(self, client, ulno, artjom):
        match = finished.begun([ulno, artjom], PURE_LUCK.slug)
        settle(finished.play(match, "roll", Roll((3,) * 5), "roll", Roll((3,) * 5), Leave(1)).pk)
        assert f"{PURE_LUCK.title} is pure luck, so it is never rated." in page(client).text


class TestRatings:
    def test_a_rating_has_a_curve_from_where_it_began(self, client, ulno, artjom):
        play([ulno, artjom], "001")
        (standing,) = page(client).context["standings"]
        rating = Rating.objects.get(user=ulno)
        values = [1500, *Result.objects.filter(user=ulno).values_list("rating_after", flat=True)]
        assert standing.rating == rating
        history = standing.history
        assert (history.first, history.highest, history.lowest) == (1500, max(values), min(values))
        assert len(history.curve.points.split()) == 4

    def test_the_picture_says_in_words_what_it_shows(self, client, ulno, artjom):
        play([ulno, artjom], "01")
        rating, highest = Rating.objects.get(user=ulno).rating, Result.objects.filter(user=ulno)
        highest = max(highest.values_list("rating_after", flat=True))  # type: ignore[assignment]
        assert (
            f'aria-label="Rating curve over 2 rated matches: from 1500 to {rating:.0f}, '
            f'lowest {min(rating, 1500):.0f}, highest {highest:.0f}."' in page(client).text
        )

    def test_families_are_apart(self, client, ulno, artjom):
        play([ulno, artjom], "0")
        play([ulno, artjom], "1", options=GAMES["kalah"].rules.PRESETS["kalaha"])
        assert [standing.rules for standing in page(client).context["standings"]] == ["Classic", "Kalaha"]

    def test_a_provisional_one_is_marked_and_read_out(self, client, ulno, artjom):
        play([ulno, artjom], "0")
        text = page(client).text
        assert '<span aria-hidden="true">?</span><span class="visually-hidden"> provisional</span>' in text

    def test_rating_with_low_deviation_not_provisional(self, client, ulno, artjom):
        play([ulno, artjom], "0")
        Rating.objects.update(deviation=90)
        assert "provisional" not in page(client).text


class TestStreaks:
    @pytest.mark.parametrize(
        ("wins", "current", "longest"),
        [
            ("0", "1 win", 1),
            ("000", "3 wins in a row", 3),
            ("00011", "2 losses in a row", 3),
            ("1101000100", "2 wins in a row", 3),
            ("1", "1 loss", 0),
        ],
    )
    def test_the_present_one_and_the_longest(self, ulno, artjom, wins, current, longest):
        play([ulno, artjom], wins)
        streaks = summed_up(known_results(ulno.pk, ulno.pk, timezone.now())).streaks
        assert (profiles.streak_in_words(streaks), streaks.longest) == (current, longest)


class TestPuzzles:
    def test_ratings_and_best_runs_by_game(self, client, ulno):
        strength = {"deviation": 80, "volatility": 0.06}
        PuzzleSolver.objects.create(user=ulno, game="kalah", rating=1523.4, **strength)
        for game, kind, score in (("kalah", STREAK, 7), ("morris", STORM, 12), ("cant-stop", STREAK, 0)):
            PuzzleBest.objects.create(user=ulno, game=game, kind=kind, score=score, at=NOON)
        assert page(client).context["puzzles"] == [
            ("Kalah", [("Rating", 1523), ("Best streak", 7)]),
            (GAMES["morris"].title, [("Best storm", 12)]),
        ]

    def test_who_has_solved_none_has_no_part_of_them(self, client, ulno):
        assert "puzzles-title" not in page(client).text


class TestOpponents:
    def test_opponents_most_frequent_first_with_score(self, client, ulno, artjom):
        third = User.objects.create_user("Third")
        play([ulno, artjom], "001")
        play([third, ulno], "1")
        assert page(client).context["opponents"] == [("Artjom", 3, 2, 0, 1), ("Third", 1, 1, 0, 0)]

    def test_opponents_of_match_of_three(self, client, ulno, artjom):
        third = User.objects.create_user("Third")
        match = finished.begun([ulno, artjom, third], "cantstop")
        for _ in range(3):
            finished.play(match, "roll", Roll((1, 1, 1, 1)), "2+2", "stop")
        settle(finished.play(match, Leave(1), Leave(2)).pk)
        assert page(client).context["opponents"] == [("Artjom", 1, 1, 0, 0), ("Third", 1, 1, 0, 0)]

    def test_opponents_exclude_deleted_users(self, client, ulno, artjom):
        play([ulno, artjom], "0")
        User.objects.filter(pk=artjom.pk).update(is_deleted=True)
        answer = page(client)
        assert answer.context["opponents"] == []
        assert "Artjom" not in answer.text


class TestRecentMatches:
    def test_the_newest_comes_first_and_leads_to_its_replay(self, client, ulno, artjom):
        play([ulno, artjom], "01")
        answer = page(client)
        scores = [(played.score, [*map(str, played.opponents)]) for played in answer.context["matches"]]
        assert scores == [("lost", ["Artjom"]), ("won", ["Artjom"])]
        for played in answer.context["matches"]:
            assert f'href="/m/{played.match}"' in answer.text

    @pytest.mark.parametrize(("language", "joined"), [("en", "and"), ("ru", "и"), ("et", "ja")])
    def test_recent_match_of_three_lists_opponents_in_readers_language(
        self, client, ulno, artjom, language, joined
    ):
        third = User.objects.create_user("Ludmilla")
        settle(finished.at_random([ulno, artjom, third], PURE_LUCK.slug, 30).pk)
        links = [f'<a href="/@/{name}">{name}</a>' for name in ("Artjom", "Ludmilla")]
        told = client.get("/@/Ulno", headers={"Accept-Language": language}).text
        assert f'<div class="row-title">{f" {joined} ".join(links)}</div>' in told

    def test_the_change_of_the_rating_stands_beside_it(self, client, ulno, artjom):
        play([ulno, artjom], "0")
        rating = Rating.objects.get(user=ulno).rating
        (played,) = page(client).context["matches"]
        assert (played.rating, played.change) == (rating, round(rating) - 1500)

    def test_a_casual_one_says_so(self, client, ulno, artjom):
        play([ulno, artjom], "0", rated=False)
        assert '<span class="soft small">casual</span>' in page(client).text

    @pytest.mark.parametrize(("number", "rows"), [("1", 20), ("2", 2), ("99", 2), ("-1", 2), ("x", 20)])
    def test_recent_matches_twenty_on_a_page(self, client, ulno, artjom, number, rows):
        results(ulno, artjom, 22)
        assert len(page(client, page=number).context["matches"]) == rows


def test_players_only_match_on_profile_for_its_players(ulno, artjom):
    match = finished.won([ulno, artjom], at=NOON)
    Match.objects.filter(pk=match.pk).update(watchable=False)
    settle(match.pk)
    third, now = User.objects.create_user("Ludmilla"), timezone.now()
    known = [known_results(ulno.pk, asker, now).number for asker in (ulno.pk, artjom.pk, third.pk, None)]
    assert known == [1, 1, 0, 0]


def results(ulno, artjom, number):
    """Results of many rated matches, without the matches being played."""
    matches = [finished.begun([ulno, artjom]) for _ in range(number)]
    rows = [
        Result(
            match=match,
            user=user,
            game="kalah",
            family="circle",
            pool="two",
            score=score,
            rated=True,
            rating_before=1500 + i % 50,
            rating_after=1500 + (i + 1) % 50,
            deviation_after=60,
            ended=NOON + timedelta(minutes=i),
            known=NOON + timedelta(minutes=i),
        )
        for i, match in enumerate(matches)
        for user, score in ((ulno, "won"), (artjom, "lost"))
    ]
    Result.objects.bulk_create(rows)
    Match.objects.update(status=Match.Status.FINISHED, ended=NOON)
    shared = {"game": "kalah", "family": "circle", "pool": "two", "deviation": 60, "volatility": 0.06}
    Rating.objects.create(user=ulno, rating=1520, matches=number, updated=NOON, **shared)


@pytest.mark.parametrize("number", [1, 3000])
def test_profile_queries_independent_of_results(client, ulno, artjom, number, django_assert_num_queries):
    results(ulno, artjom, number)
    # The person, unsettled results, how many results there are; all of them, matches of late, who was met
    # there; a page of them, its rows, seats; ratings, also at puzzles, best runs, names of
    # opponents.
    with django_assert_num_queries(13):
        page(client)
    # What they come to is not looked through again.
    with django_assert_num_queries(10):
        page(client)


class TestUnsettledResults:
    """Results are stored a moment after the end of a match; pages show them before."""

    def test_a_match_is_listed_and_counted_from_the_ply_that_ended_it(self, client, ulno, artjom):
        match = finished.won([ulno, artjom])
        before = page(client)
        assert [played.match for played in before.context["matches"]] == [match.pk]
        assert [(record.won, record.lost) for record in before.context["records"]] == [(1, 0)]
        assert 'id="profile" data-unsettled' in before.text
        settle(match.pk)
        after = page(client)
        assert [played.match for played in after.context["matches"]] == [match.pk]
        assert [(record.won, record.lost) for record in after.context["records"]] == [(1, 0)]
        assert "data-unsettled" not in after.text

    def test_an_end_that_watchers_see_later_is_listed_for_its_players_alone(self, client, ulno, artjom):
        match = finished.won([ulno, artjom])
        Match.objects.update(delay=30)
        assert page(client).context["matches"] == []
        client.force_login(artjom)
        assert [played.match for played in page(client).context["matches"]] == [match.pk]

    def test_programs_get_the_same_counts(self, client, ulno, artjom):
        finished.won([ulno, artjom])
        assert client.get("/api/v1/users/Ulno").json()["results"] == [
            {"game": "kalah", "won": 1, "drawn": 0, "lost": 0}
        ]
