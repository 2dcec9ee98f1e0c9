"""The page of the daily puzzle, its picture, and what the server says of moves."""

from datetime import UTC, datetime, timedelta

import pytest

from games.puzzles import collection, daily
from games.puzzles.daily import FIRST

A_DAY = timedelta(days=1)
DAYS = {daily.former()[number].slug: FIRST + number * A_DAY for number in (0, 1)}
every_game = pytest.mark.parametrize("day", DAYS.values(), ids=DAYS)


def today():
    return datetime.now(UTC).date()


def shown_on(day):
    return daily.of_day(day, today()).puzzle


@pytest.mark.django_db
def test_the_page_shows_the_puzzle_of_today_and_leads_to_yesterdays(client):
    text = client.get("/puzzle").text
    assert f'data-address="/puzzle/{today()}"' in text
    assert f'href="/puzzle/{today() - A_DAY}"' in text
    assert client.get(f"/puzzle/{today()}").status_code == 200


@pytest.mark.django_db
def test_puzzle_of_first_day_links_no_earlier_day(client):
    assert f'href="/puzzle/{FIRST - A_DAY}"' not in client.get(f"/puzzle/{FIRST}").text


@pytest.mark.django_db
def test_the_page_does_not_give_the_answer_away(client):
    shown = client.get(f"/puzzle/{FIRST}")
    assert set(shown.context["position"]) == {"state", "seat", "names", "legal", "before"}
    assert set(shown.context["position"]["legal"]) == set(shown_on(FIRST).worth)


@pytest.mark.django_db
@pytest.mark.parametrize("what", ["", ".svg", "/answer", "/moves/1"])
def test_puzzle_of_future_or_invalid_day_not_found(client, what):
    for day in (today() + A_DAY, FIRST - A_DAY, "2026-02-30", "0000-00-00", "9999-12-31", "today"):
        assert client.get(f"/puzzle/{day}{what}").status_code == 404


@every_game
def test_a_wrong_move_is_told_from_the_right_one_and_shows_nothing(client, day):
    puzzle = shown_on(day)
    wrong = next(move for move in puzzle.worth if move != puzzle.answer)
    told = client.get(f"/puzzle/{day}/moves/{wrong}").json()
    assert (told["right"], told["plies"]) == (False, [])
    assert "Another move" in told["words"]


@every_game
def test_the_right_move_comes_with_the_plies_that_show_it(client, day):
    puzzle = shown_on(day)
    told = client.get(f"/puzzle/{day}/moves/{puzzle.answer}").json()
    assert told["right"] is True
    assert [ply["number"] for ply in told["plies"]] == list(range(1, len(puzzle.line) + 1))
    assert all(ply["events"] and ply["state"] for ply in told["plies"])
    assert client.get(f"/puzzle/{day}/answer").json() == {**told, "right": False}


def test_verdict_on_wrong_move_names_cost(client):
    puzzle = shown_on(DAYS["kalah"])
    wrong = min(puzzle.worth, key=puzzle.worth.get)
    best, lost = puzzle.worth[puzzle.answer], -puzzle.worth[wrong]
    assert client.get(f"/puzzle/{DAYS['kalah']}/moves/{wrong}").json()["words"] == (
        f"That loses by {lost} seeds. Another move wins by {best} seeds."
    )


@every_game
@pytest.mark.parametrize(
    "move", ["nonsense", "%F0%9F%8E%B2", "swap", "-1", "1" * 900, "xa1", "a1-a1", "..", "null"]
)
def test_verdict_on_illegal_move_refused(client, day, move):
    answer = client.get(f"/puzzle/{day}/moves/{move}")
    assert answer.status_code == 422
    assert set(answer.json()) == {"code", "detail"}


@every_game
def test_puzzle_post_not_allowed(client, day):
    for path in ("", ".svg"):
        assert client.post(f"/puzzle/{day}{path}").status_code == 405


@every_game
def test_the_picture_is_the_position_and_may_be_kept(client, day):
    picture = client.get(f"/puzzle/{day}.svg")
    assert picture.text.startswith("<svg")
    assert "max-age" in picture["Cache-Control"]


@every_game
def test_puzzle_answer_in_language_of_reader(client, day):
    said = {
        client.get(f"/puzzle/{day}/answer", headers={"Accept-Language": language}).json()["words"]
        for language in ("en", "ru", "et")
    }
    assert len(said) == 3


@pytest.mark.django_db
def test_the_archive_leads_to_every_game_and_theme(client):
    text = client.get("/puzzles").text
    for slug, puzzles in collection.by_game().items():
        assert f'href="/puzzles/{slug}"' in text
        for theme in {theme for each in puzzles.values() for theme in each.themes}:
            assert f'href="?theme={theme}"' in client.get(f"/puzzles/{slug}").text


@pytest.mark.django_db
def test_a_theme_has_its_puzzles_alone_on_pages_that_keep_it(client):
    of_theme = [each for each in collection.by_game()["kalah"].values() if "race" in each.themes]
    seen = []
    for number in range(1, 99):
        shown = client.get(f"/puzzles/kalah?theme=race&page={number}")
        seen += [row["key"] for row in shown.context["rows"]]
        if 'rel="next"' not in shown.text:
            break
        assert f"?theme=race&amp;page={number + 1}" in shown.text
    assert seen == [each.key for each in of_theme]


@pytest.mark.django_db
def test_each_puzzle_of_a_theme_leads_to_the_next(client):
    keys = [key for key, each in collection.by_game()["morris"].items() if "blockade" in each.themes]
    shown = client.get(f"/puzzles/morris/{keys[-1]}?theme=blockade")
    assert f'href="/puzzles/morris/{keys[0]}?theme=blockade"' in shown.text


@pytest.mark.django_db
@pytest.mark.parametrize("slug", [*collection.by_game()])
def test_a_puzzle_of_the_collection_is_shown_and_judged(client, slug):
    key, puzzle = next(iter(collection.by_game()[slug].items()))
    address = f"/puzzles/{slug}/{key}"
    assert f'data-address="{address}"' in client.get(address).text
    told = client.get(f"{address}/moves/{puzzle.answer}").json()
    assert told["right"] is True
    assert len(told["plies"]) == len(puzzle.line)
    wrong = next(move for move in puzzle.worth if move != puzzle.answer)
    assert client.get(f"{address}/moves/{wrong}").json()["plies"] == []
    assert client.get(f"{address}/answer").json()["move"] == puzzle.answer
    assert client.get(f"{address}.svg").text.startswith("<svg")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["/aces", "/days/nothing", "/nothing", "/kalah/nothing", "/kalah/nothing/answer", "/kalah?theme=nothing"],
)
def test_no_puzzles_where_there_are_none(client, path):
    assert client.get(f"/puzzles{path}").status_code == 404


@pytest.mark.django_db
def test_a_set_has_the_same_puzzles_for_everybody_with_its_link(client):
    made = client.get("/puzzles/morris/set?theme=blockade&count=5")
    keys = made.url.partition("?set=")[2].split(".")
    assert len({*keys}) == 5
    assert all("blockade" in collection.by_game()["morris"][key].themes for key in keys)
    shown = client.get(made.url)
    assert [row["key"] for row in shown.context["rows"]] == keys
    following = client.get(shown.context["rows"][4]["address"])
    assert f'href="/puzzles/morris/{keys[0]}?set={".".join(keys)}"' in following.text


@pytest.mark.django_db
@pytest.mark.parametrize("count", ["", "0", "-1", "999", "many"])
def test_a_set_of_an_unknown_size_has_the_least(client, count):
    assert len(client.get(f"/puzzles/kalah/set?count={count}").url.split(".")) == 5


@pytest.mark.django_db
def test_a_set_leaves_out_what_is_no_puzzle_and_is_not_longer_than_the_longest(client):
    keys = [*collection.by_game()["kalah"]]
    shown = client.get(f"/puzzles/kalah?set=nothing.{keys[0]}.{keys[0]}.%3Cb%3E")
    assert [row["key"] for row in shown.context["rows"]] == keys[:1]
    assert len(client.get(f"/puzzles/kalah?set={'.'.join(keys)}").context["rows"]) == 20
    assert client.get("/puzzles/kalah?set=nothing").status_code == 404


@pytest.mark.django_db
def test_all_days_are_listed_from_today_back(client):
    shown = client.get("/puzzles/days")
    days = [today() - number * A_DAY for number in range(20)]
    assert [row["address"] for row in shown.context["rows"]] == [f"/puzzle/{day}" for day in days]
    last = client.get(f"/puzzles/days?page={shown.context['page'].paginator.num_pages}")
    assert last.context["rows"][-1]["address"] == f"/puzzle/{FIRST}"
