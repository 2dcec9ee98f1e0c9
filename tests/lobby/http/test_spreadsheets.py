"""Tables for spreadsheets: what people have typed is text there."""

import csv

import pytest

from lobby.http.spreadsheets import csv_response


def read(*rows):
    return list(csv.reader(csv_response("table", rows).content.decode("utf-8-sig").splitlines()))


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_name_like_a_formula_is_text(name):
    ((cell,),) = read([name])
    assert cell == f"'{name}"


def test_numbers_and_other_names_stay_as_they_are():
    assert read(["Zoë", "Öö-1", -1, 0.5]) == [["Zoë", "Öö-1", "-1", "0.5"]]


def test_file_says_its_encoding_and_name():
    response = csv_response("table", [["name"]])
    assert response.content.startswith(b"\xef\xbb\xbf")
    assert response["Content-Disposition"] == 'attachment; filename="table.csv"'
