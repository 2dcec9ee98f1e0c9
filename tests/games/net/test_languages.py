"""Lists, numbers and dates are written as the language of whoever reads writes them."""

from datetime import date, datetime

import pytest
from django.template import Context, Template
from django.utils import translation
from django.utils.formats import date_format, localize

from games.net.languages import listed

NAMES = ["Ulno", "Artjom", "Calm-Heron"]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Ulno, Artjom and Calm-Heron"),
        ("ru", "Ulno, Artjom и Calm-Heron"),
        ("et", "Ulno, Artjom ja Calm-Heron"),
    ],
)
def test_a_list_of_names(language, words):
    with translation.override(language):
        assert listed(NAMES) == words
        assert listed(iter(NAMES[:1])) == "Ulno"
        assert listed([]) == ""
        shown = Template("{% load modules %}{{ names|listed }}").render(Context({"names": ["<b>", "B"]}))
        assert shown.startswith("&lt;b&gt;")


@pytest.mark.parametrize(
    ("language", "number", "day"),
    [("en", "3.5", "2 Nov 2026"), ("ru", "3,5", "2 ноября 2026 г."), ("et", "3,5", "2. november 2026")],
)
def test_numbers_and_dates(language, number, day):
    with translation.override(language):
        assert localize(3.5) == number
        assert date_format(date(2026, 11, 2)) == day
        assert date_format(datetime(2026, 11, 2, 9, 5), "DATETIME_FORMAT") == f"{day}, 09:05"
