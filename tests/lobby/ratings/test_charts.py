"""From numbers to shapes."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lobby.ratings import charts
from lobby.ratings.charts import (
    HEIGHT,
    MOST_POINTS,
    WIDTH,
    Part,
    curve,
    histogram,
    parts,
    round_numbers,
    thinned,
)

ratings = st.floats(0, 4000)


def places(drawn):
    return [tuple(map(float, place.split(","))) for place in drawn.points.split()]


class TestACurve:
    @given(st.lists(ratings, min_size=1, max_size=600))
    def test_stays_within_its_picture(self, values):
        for x, y in places(curve(values)):
            assert 0 <= x <= WIDTH
            assert 0 <= y <= HEIGHT

    @given(st.lists(ratings, min_size=2, max_size=100))
    def test_goes_up_where_the_values_do(self, values):
        drawn = places(curve(values))
        for (x1, y1), (x2, y2), before, after in zip(drawn, drawn[1:], values, values[1:], strict=False):
            assert x1 < x2
            # Upwards is the lesser y.
            assert y2 <= y1 if after > before else y2 >= y1

    def test_ends_where_its_dot_is(self):
        drawn = curve([1500, 1520, 1510])
        assert places(drawn)[-1] == drawn.end

    def test_a_small_change_looks_small(self):
        (_, y1), (_, y2) = places(curve([1500, 1510]))
        assert abs(y1 - y2) < HEIGHT / 8

    def test_one_value_is_a_dot(self):
        assert len(places(curve([1500]))) == 1

    def test_thousands_of_values_are_thinned(self):
        assert len(places(curve(range(5000)))) == MOST_POINTS

    @given(st.lists(ratings, min_size=1, max_size=100))
    @example([0, 4000])
    def test_curve_has_round_ticks_at_their_height(self, values):
        drawn = curve([*values, 1000, 2000])
        assert 2 <= len(drawn.ticks) <= 4
        for tick in drawn.ticks:
            assert 0 <= tick.at <= HEIGHT
            assert tick.label % 10 == 0
        assert [tick.at for tick in drawn.ticks] == sorted((tick.at for tick in drawn.ticks), reverse=True)


class TestThinning:
    @given(st.lists(ratings, min_size=1, max_size=300), st.integers(2, 50))
    def test_keeps_the_first_and_the_last(self, values, most):
        kept = thinned(values, most)
        assert len(kept) == min(most, len(values))
        assert (kept[0], kept[-1]) == (values[0], values[-1])

    def test_thinned_keeps_few_values(self):
        assert thinned([3, 1, 2], 3) == [3, 1, 2]


class TestRoundNumbers:
    @pytest.mark.parametrize(
        ("low", "high", "expected"),
        [
            (1483, 1517, [1490, 1500, 1510]),
            (1290, 1710, [1300, 1400, 1500, 1600, 1700]),
            (1501, 1509, []),
            (0, 4000, [0, 1000, 2000, 3000, 4000]),
        ],
    )
    def test_lie_between(self, low, high, expected):
        assert round_numbers(low, high, 5) == expected


class TestAHistogram:
    def test_the_tallest_bar_fills_the_height_and_the_others_their_share(self):
        bars = histogram({1400: 2, 1450: 8, 1500: 4}, 50).bars
        assert [bar.height / bars[1].height for bar in bars] == pytest.approx([0.25, 1, 0.5], abs=0.01)
        assert {round(bar.y + bar.height) for bar in bars} == {HEIGHT - charts.FOOT}

    def test_histogram_has_empty_bars(self):
        bars = histogram({1400: 1, 1550: 1}, 50).bars
        assert [(bar.low, bar.high, bar.count) for bar in bars] == [
            (1400, 1450, 1),
            (1450, 1500, 0),
            (1500, 1550, 0),
            (1550, 1600, 1),
        ]

    def test_the_mark_stands_within_the_bar_it_belongs_to(self):
        drawn = histogram({1400: 2, 1450: 8, 1500: 4}, 50, mark=1475)
        assert drawn.bars[1].x < drawn.mark < drawn.bars[1].x + drawn.bars[1].width

    def test_histogram_of_no_values_is_empty(self):
        assert histogram({}, 50) == ([], [], None)

    @given(st.dictionaries(st.integers(0, 60).map(lambda n: n * 50), st.integers(1, 1000), min_size=1))
    def test_stays_within_its_picture(self, counts):
        drawn = histogram(counts, 50)
        assert sum(bar.count for bar in drawn.bars) == sum(counts.values())
        for bar in drawn.bars:
            assert 0 <= bar.x <= bar.x + bar.width <= WIDTH
            assert 0 <= bar.y <= bar.y + bar.height <= HEIGHT
        assert all(0 <= tick.at <= WIDTH for tick in drawn.ticks)


class TestParts:
    def test_parts_of_a_whole(self):
        assert parts(5, 1, 4) == [Part(0, 50), Part(50, 10), Part(60, 40)]

    @given(st.lists(st.integers(0, 1000), min_size=1, max_size=5).filter(any))
    def test_fill_it(self, counts):
        assert sum(part.width for part in parts(*counts)) == pytest.approx(100, abs=0.1)
