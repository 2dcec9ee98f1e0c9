"""The measures themselves: CIEDE2000 on published data, and what the browser does to colours."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.eyes.colours import contrast, difference, lab, linear
from tests.browser.eyes.marks import seen_by
from tests.browser.eyes.photographs import photographs

# From table 1 of Sharma, Wu and Dalal: two colours in L*a*b*, and how far they are apart.
SHARMA = [
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
    ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0),
    ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0009), 7.1792),
    ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0011), 7.2195),
    ((50.0, -0.001, 2.49), (50.0, 0.0011, -2.49), 4.7461),
    ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
    ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
]
# What red becomes where a kind of cones is missing, by the matrices of Machado, Oliveira and Fernandes in
# linear light, and as a shade of grey by its luminance.
RED = {
    "none": (255, 0, 0),
    "achromatopsia": (127, 127, 127),
    "protanopia": (109, 95, 0),
    "deuteranopia": (163, 144, 0),
    "tritanopia": (255, 0, 16),
}


@pytest.mark.parametrize(("one", "other", "delta"), SHARMA)
def test_the_difference_is_that_of_the_published_table(one, other, delta):
    assert difference(one, other) == pytest.approx(delta, abs=5e-5)
    assert difference(other, one) == pytest.approx(delta, abs=5e-5)


def test_white_and_black_are_what_they_are():
    black, white = (0.0, 0.0, 0.0), (linear(255),) * 3
    assert contrast(black, white) == pytest.approx(21)
    assert lab(white) == pytest.approx((100, 0, 0), abs=0.01)


def test_the_browser_sees_as_the_paper_says(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<body style='background: #f00'>")
    devtools = page.context.new_cdp_session(page)
    for eye, levels in RED.items():
        seen_by(devtools, eye)
        (pixels,) = photographs(page, [(5, 5, 1, 1)])
        assert pixels[0, 0].tolist() == pytest.approx(levels, abs=1), eye
    page.close()
