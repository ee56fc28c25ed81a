"""`linden domains associate` and `dissociate`: another app can open a host's links, which keep their app."""

import pytest

from support.visitors import desktop
from support.waiting import eventually

HOST = "go.orchard.example"
ANDROID = "/.well-known/assetlinks.json"
# A domain that sends people nowhere of its own.
NO_PAGES = {"root_url": None, "not_found_url": None, "expired_url": None}


@pytest.fixture
def meadow(server):
    """Another app, with its own host."""
    return server.create_app("Meadow", *android("com.example.meadow"))


@pytest.fixture(scope="module", autouse=True)
def owner(server):
    """The app that owns the host."""
    return server.create_app("Orchard", "--domain", HOST, *android("com.example.orchard"))


def android(package):
    return ["--android-package", package, "--android-sha256", ":".join(["AB"] * 32)]


def listed(server):
    return {entry["domain"]: entry for entry in server.ask("domains", "list")}


def packages(server):
    return [statement["target"]["package_name"] for statement in server.get(ANDROID, {"Host": HOST}).json]


def test_an_associated_app_is_in_the_hosts_files_until_it_is_dissociated(server, owner, meadow):
    associated = server.ask("domains", "associate", HOST, "--app", meadow.branch_key)

    assert associated == {"domain": HOST, "app_id": meadow.app_id, "associated": True}
    eventually(lambda: packages(server) == ["com.example.orchard", "com.example.meadow"])
    assert listed(server)[HOST] == {
        "domain": HOST, "app_id": owner.app_id, "mode": "live", "associated_app_ids": [meadow.app_id]} | NO_PAGES
    assert meadow.app_id in server.command("domains", "list").out

    dissociated = server.ask("domains", "dissociate", HOST, "--app", meadow.branch_key)

    assert dissociated == {"domain": HOST, "app_id": meadow.app_id, "associated": False}
    eventually(lambda: packages(server) == ["com.example.orchard"])
    assert listed(server)[HOST]["associated_app_ids"] == []


def test_an_associated_app_owns_no_link_of_the_host(server, owner, meadow):
    server.ask("domains", "associate", HOST, "--app", meadow.branch_key)

    assert meadow.create_link().startswith(server.base_url)
    refused = server.post("/v1/url", {"branch_key": meadow.branch_key, "domain": HOST})
    assert "own domains" in refused.refusal(400)
    assert [entry["domain"] for entry in server.ask("domains", "list", "--app", owner.branch_key)] == [HOST]

    server.ask("domains", "dissociate", HOST, "--app", meadow.branch_key)


def test_apps_may_also_share_the_base_urls_host(server, owner, meadow):
    shared = server.base_url.removeprefix("http://").split(":")[0]

    assert server.ask("domains", "associate", shared, "--app", owner.branch_key)["associated"] is True
    assert listed(server)[shared] == {
        "domain": shared, "app_id": None, "mode": None, "associated_app_ids": [owner.app_id]} | NO_PAGES
    assert server.ask("domains", "dissociate", shared, "--app", owner.branch_key)["associated"] is False


@pytest.mark.parametrize("command, host", [
    ("associate", "links.meadow.example"),  # a domain of no app
    ("associate", "https://go.orchard.example/"),  # not a host
    ("dissociate", HOST),  # not associated
])
def test_what_cannot_be_is_refused_and_changes_nothing(server, meadow, command, host):
    before = server.rows()

    done = server.command("domains", command, host, "--app", meadow.branch_key)

    assert (done.status, done.out) == (1, "")
    assert done.complaint
    assert server.rows() == before


def test_an_app_is_associated_once(server, meadow):
    server.ask("domains", "associate", HOST, "--app", meadow.branch_key)

    done = server.command("domains", "associate", HOST, "--app", meadow.branch_key)

    assert done.status == 1
    assert "already" in done.complaint
    server.ask("domains", "dissociate", HOST, "--app", meadow.branch_key)


def test_a_host_is_its_owners_already(server, owner):
    before = server.rows()

    done = server.command("domains", "associate", HOST, "--app", owner.branch_key)

    assert (done.status, done.out) == (1, "")
    assert "own domain" in done.complaint
    assert server.rows() == before


def test_what_further_apps_a_host_had_goes_with_its_owner(server, meadow):
    first = server.create_app("Pear", "--domain", "pear.example")
    server.ask("domains", "associate", "pear.example", "--app", meadow.branch_key)
    server.ask("domains", "remove", "pear.example", "--app", first.branch_key, "--yes")
    server.ask("domains", "add", "pear.example", "--app", server.create_app("Plum").branch_key)

    assert listed(server)["pear.example"]["associated_app_ids"] == []


def test_taking_the_base_urls_host_reports_the_apps_whose_links_stay_there(server, owner, meadow):
    shared = server.base_url.removeprefix("http://").split(":")[0]
    link = meadow.create_link(data={"$desktop_url": "https://meadow.example.com/"})

    done = server.command("domains", "add", shared, "--app", owner.branch_key)

    assert done.status == 0
    assert "Meadow" in done.err and "base URL" in done.err
    eventually(lambda: "com.example.orchard" in server.get(ANDROID).text)
    assert "com.example.meadow" in server.get(ANDROID).text
    assert meadow.click(link, desktop()).location.startswith("https://meadow.example.com/")
    server.ask("domains", "remove", shared, "--app", owner.branch_key, "--yes")
