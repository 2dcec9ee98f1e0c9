"""Words of headings: what no line may end in the middle of stays together, and nothing else changes."""

import pytest

from lobby.templatetags.parts import whole


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Confirm your e-mail address", 'Confirm your <span class="whole">e-mail</span> address'),
        ("E-posti aadressid", '<span class="whole">E-posti</span> aadressid'),
        ("Well-known <b>", "Well-known &lt;b&gt;"),
        ("5-3 a-b", '5-3 <span class="whole">a-b</span>'),
    ],
)
def test_a_letter_and_its_word_stay_on_one_line(words, shown):
    assert whole(words) == shown
