"""A link's data is returned exactly as it was stored."""

import json

import pytest

from support.visitors import iphone

# Texts of JSON values, since Python would not keep 1.50 apart from 1.5.
VALUES = {
    "nested": '{"orchard":{"rows":[1,[2,{"tree":null}]],"empty":{},"none":[]}}',
    "null": "null",
    "true": "true",
    "price": "1.50",
    "small": "0.1",
    "exponent": "6.02e23",
    "minus_zero": "-0.0",
    "largest": "9223372036854775807",
    "smallest": "-9223372036854775808",
    "unsigned": "18446744073709551615",
    "long_decimal": "3.14159265358979323846264338327950288",
    "date": '"2026-03-01T08:30:00+01:00"',
    "iso_date_utc": '"2026-03-01T07:30:00.000Z"',
    "empty": '""',
    "umlauts": '"Äpfel & Birnen <b>\\"süß\\"</b> 🍏"',
    "lines": '"one\\ntwo\\tthree\\\\"',
    "$deeplink_path": '"apple/7?ripe=true#top"',
    "$ios_url": '"https://orchard.example.com/ios"',
    "$fallback_url": '"https://orchard.example.com/?a=1&b=%20"',
    "$email_subject": '"Your apples"',
    "$email_html_header": '"<h1 style=\\"color:red\\">Apples</h1>"',
    "$email_html_link_text": '"Open the app"',
    "$canonical_identifier": '"apple/7"',
    "$og_title": '"A fine apple"',
    "$publicly_indexable": "1",
    "$keywords": '["red","sweet"]',
    "$custom_meta_tags": '"{\\"robots\\":\\"noindex\\"}"',
    "$match_duration": "3600",
}
TEXT = "{" + ",".join(f"{json.dumps(key)}:{value}" for key, value in VALUES.items()) + "}"


def exactly(text):
    """Parses JSON with its numbers as written and its members in order."""
    return json.loads(text, parse_float=lambda number: ("decimal", number), parse_int=lambda number: ("integer", number))


def kept(data):
    """The part of a link's data that the customer sent."""
    return {key: value for key, value in data.items() if key in VALUES}


@pytest.fixture(params=["object", "string"])
def link(app, request):
    """Creates a link with the data, sent as an object or as a JSON string."""
    data = TEXT if request.param == "object" else json.dumps(TEXT)
    answer = app.server.post("/v1/url", f'{{"branch_key":"{app.branch_key}","data":{data}}}'.encode())
    assert answer.status == 200, answer.text
    return answer.json["url"]


def test_reading_a_link_gives_its_data_verbatim(app, link):
    answer = app.server.get(app.link(link)).text

    data = kept(exactly(answer)["data"])

    assert data == exactly(TEXT)
    assert list(data) == list(VALUES)


def test_the_app_gets_the_data_verbatim(app, link):
    session = app.open(iphone(), universal_link_url=link)

    assert kept(exactly(session.answer["data"])) == exactly(TEXT)


def test_the_command_line_shows_the_data_verbatim(app, link):
    shown = app.server.command("links", "show", link, "--format", "json").out

    assert kept(exactly(shown)["data"]) == exactly(TEXT)


def test_merging_new_data_leaves_the_rest_verbatim(app, link):
    app.server.put(app.link(link), app.secret | {"data": {"price": "free"}})

    merged = kept(exactly(app.server.get(app.link(link)).text)["data"])

    assert merged == exactly(TEXT) | {"price": "free"}


def test_raw_control_characters_are_accepted_since_ios_sends_them(app):
    body = f'{{"branch_key":"{app.branch_key}","data":{{"text":"one\ntwo\tthree\x01\x1f"}}}}'.encode()

    url = app.server.post("/v1/url", body).json["url"]

    assert app.read(url)["data"]["text"] == "one\ntwo\tthree\x01\x1f"
