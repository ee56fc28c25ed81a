"""A click is stored with the class of its address, by the operator's files: whether it is shared by many people."""

import pytest

from support.command import linden
from support.maxmind import write_owners
from support.server import Server, running
from support.visitors import iphone
from support.waiting import eventually

RELAY, RELAY_V6, CARRIER, HOME = "172.224.224.1", "2a02:26f7:b000::1", "203.0.113.9", "198.51.100.1"

RANGES = """# as its publisher writes it
172.224.224.0/31,GB,GB-EN,London,

2a02:26f7:b000::/64,DE,DE-BE,Berlin,
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "ranges.csv").write_text(RANGES)
    write_owners(tmp_path / "owners.mmdb", {"203.0.113.0/24": 64500, "198.51.100.0/24": 64501})
    return tmp_path


@pytest.fixture
def server(files):
    settings = files / "linden.yaml"
    settings.write_text(
        f"attribution:\n  shared_ranges: {files}/ranges.csv\n  owner_file: {files}/owners.mmdb\n  shared_owners: [AS64500, 64502]\n")
    with running(Server(files, {"LINDEN_CONFIG": str(settings)})) as server:
        yield server


def classes(server):
    return [row[0] for row in server.query("SELECT address_class FROM clicks ORDER BY id")]


def test_a_click_is_stored_with_the_class_of_its_address(app, server):
    link = app.create_link()
    for address in (RELAY, RELAY_V6, CARRIER, HOME):
        app.click(link, iphone().at(address))

    assert classes(server) == ["listed", "listed", "owner", None]


def test_another_file_of_owners_takes_over_without_a_restart(app, server, files):
    link = app.create_link()
    write_owners(files / "owners.new", {"198.51.100.0/24": 64502})
    (files / "owners.new").replace(files / "owners.mmdb")

    def click_at_home():
        app.click(link, iphone().at(HOME))
        return classes(server)[-1]

    eventually(lambda: click_at_home() == "owner")
    app.click(link, iphone().at(CARRIER))
    assert classes(server)[-1] is None


def test_without_files_every_address_is_plain(tmp_path):
    with running(Server(tmp_path)) as server:
        app = server.create_app("Orchard", "--ios-uri-scheme", "orchard")
        app.click(app.create_link(), iphone().at(RELAY))

        assert classes(server) == [None]


@pytest.mark.parametrize("variable, yaml", [
    ("64500,AS64502", None), ("as64500", None), (" 64502, 64500 ", None), (None, "64500"), (None, "[64500, 64502]"),
    (None, '["AS64502", 64500]'), (None, "AS64502, AS64500")])
def test_owners_are_read_however_they_are_written(files, variable, yaml):
    (files / "linden.yaml").write_text(
        f"attribution:\n  owner_file: {files}/owners.mmdb\n" + (f"  shared_owners: {yaml}\n" if yaml else ""))
    settings = {"LINDEN_CONFIG": str(files / "linden.yaml")} | ({"LINDEN_ATTRIBUTION_SHARED_OWNERS": variable} if variable else {})
    with running(Server(files, settings)) as server:
        app = server.create_app("Orchard", "--ios-uri-scheme", "orchard")
        app.click(app.create_link(), iphone().at(CARRIER))

        assert classes(server) == ["owner"]


def serve(folder, settings):
    return linden("serve", "--port", "0", settings=settings, folder=folder)


@pytest.mark.parametrize("text, named", [
    (RANGES + "pears,GB\n", "line 5 "), ("network,country\n" + RANGES, "line 1 "), ("192.0.2.0/40\n", "line 1 "), ("", "at least one")])
def test_a_wrong_line_stops_the_start_and_is_named(tmp_path, text, named):
    path = tmp_path / "ranges.csv"
    path.write_text(text)

    done = serve(tmp_path, {"LINDEN_ATTRIBUTION_SHARED_RANGES": str(path)})

    assert done.status == 1
    assert done.complaint.count("\n") <= 1
    for word in ("attribution.shared_ranges", str(path), named, "172.224.224.0/31"):
        assert word in done.complaint
    assert not (tmp_path / "linden.db").exists()


def test_a_folder_is_no_list_of_networks(tmp_path):
    done = serve(tmp_path, {"LINDEN_ATTRIBUTION_SHARED_RANGES": str(tmp_path)})

    assert done.status == 1
    assert "attribution.shared_ranges" in done.complaint and str(tmp_path) in done.complaint


def test_owners_that_nothing_tells_stop_the_start(tmp_path):
    done = serve(tmp_path, {"LINDEN_ATTRIBUTION_SHARED_OWNERS": "AS64500"})

    assert done.status == 1
    assert "attribution.shared_owners" in done.complaint and "attribution.owner_file" in done.complaint


def test_a_file_that_tells_no_owners_stops_the_start(files):
    done = serve(files, {"LINDEN_ATTRIBUTION_OWNER_FILE": str(files / "ranges.csv")})

    assert done.status == 1
    assert "attribution.owner_file" in done.complaint and "GeoLite2-ASN.mmdb" in done.complaint
