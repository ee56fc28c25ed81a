"""Visitors are redirected by country, with a database of the operator."""

import pytest

from support.command import linden
from support.maxmind import write_countries
from support.server import Server, running
from support.visitors import desktop, iphone
from support.waiting import eventually

GERMAN, FRENCH, UNKNOWN = "203.0.113.9", "2001:db8:1:2:3:4:5:6", "192.0.2.1"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "countries.mmdb"
    write_countries(path, {"203.0.113.0/24": "DE", "2001:db8:1::/48": "FR"})
    return path


@pytest.fixture
def server(tmp_path, file):
    with running(Server(tmp_path, {"LINDEN_GEO_COUNTRY_FILE": str(file)})) as server:
        yield server


@pytest.fixture
def link(app):
    return app.create_link(data={
        "$web_only": True, "$ios_url": "https://shop.example/", "$ios_url_de": "https://shop.example/de",
        "$fallback_url": "https://shop.example/", "$fallback_url_fr": "https://shop.example/desktop/fr"})


def test_a_visitor_is_redirected_by_country(app, link, server):
    assert app.click(link, iphone().at(GERMAN)).location.startswith("https://shop.example/de?")
    assert app.click(link, iphone().at(UNKNOWN)).location.startswith("https://shop.example/?")
    assert app.click(link, desktop().at(FRENCH)).location.startswith("https://shop.example/desktop/fr?")

    assert server.query("SELECT country FROM clicks ORDER BY id") == [("DE",), (None,), ("FR",)]


def test_another_file_takes_over_without_a_restart(app, link, file):
    write_countries(file.with_suffix(".new"), {"192.0.2.0/24": "DE"})
    file.with_suffix(".new").replace(file)

    eventually(lambda: app.click(link, iphone().at(UNKNOWN)).location.startswith("https://shop.example/de?"))
    assert app.click(link, iphone().at(GERMAN)).location.startswith("https://shop.example/?")


@pytest.mark.parametrize("content", [None, b"", b"These are my notes on apples.\n" * 100])
def test_a_file_that_tells_no_countries_stops_the_start_and_writes_nothing(tmp_path, content):
    path = tmp_path / "countries.mmdb"
    if content is not None:
        path.write_bytes(content)

    done = linden("serve", "--port", "0", settings={"LINDEN_GEO_COUNTRY_FILE": str(path)}, folder=tmp_path)

    assert done.status == 1
    assert "geo.country_file" in done.complaint and str(path) in done.complaint
    assert "GeoLite2-Country.mmdb" in done.complaint
    assert not (tmp_path / "linden.db").exists()
