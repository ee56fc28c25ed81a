"""`linden explain`: why a session was attributed to its link, or to none."""

import time

import pytest

from support.visitors import crawler, iphone


@pytest.fixture
def explain(server):
    """The explanation of a session as JSON."""
    return lambda session: server.ask("explain", session.answer["session_id"])


def test_a_match_names_its_click_and_what_spoke_for_it(app, explain):
    phone = iphone()
    url = app.create_link()
    app.click(url, phone)
    explanation = explain(app.install(phone))

    assert (explanation["outcome"], explanation["matcher"], explanation["link"]) == ("matched", "fingerprint", url)
    (candidate,) = explanation["candidates"]
    assert candidate["won"] is True and candidate["reason"].startswith("It fits")
    assert {"address", "os_version", "age", "density"} <= {signal["name"] for signal in candidate["signals"]}
    assert explanation["rule_version"] >= 4


def test_a_tie_is_refused_and_names_both_clicks(app, explain):
    phone = iphone()
    for pear in ["conference", "williams"]:
        app.click(app.create_link(data={"pear": pear}), phone)
    explanation = explain(app.install(phone))

    assert explanation["outcome"] == "refused" and "different data" in explanation["reason"]
    assert len(explanation["candidates"]) == 2
    assert all("fits about as well" in candidate["reason"] for candidate in explanation["candidates"])
    assert len({candidate["link"] for candidate in explanation["candidates"]}) == 2


def test_a_click_that_came_too_long_ago_is_named(app, explain):
    phone = iphone()
    app.click(app.create_link(duration=1), phone)
    time.sleep(2.1)
    explanation = explain(app.install(phone))

    assert explanation["outcome"] == "refused" and "window is 1 second" in explanation["reason"]


def test_a_click_that_another_device_was_given_is_named(app, explain):
    phone = iphone()
    app.click(app.create_link(), phone)
    app.install(phone)
    explanation = explain(app.install(phone))

    assert explanation["outcome"] == "refused" and "given to another installation" in explanation["reason"]


def test_an_organic_install_says_that_nothing_was_there(app, explain):
    phone = iphone()
    app.click(app.create_link(), crawler().at(phone.address))
    explanation = explain(app.install(phone))

    assert (explanation["outcome"], explanation["candidates"]) == ("organic", [])
    assert explanation["reason"] == "There is no pending click from the same address and OS."


def test_a_click_id_is_certain(app, explain, server):
    phone = iphone()
    page = app.click(app.create_link(), phone).text
    click = page.split("link_click_id=")[1].split('"')[0]
    explanation = explain(app.install(phone.at("198.18.99.99"), link_identifier=click))

    assert (explanation["matcher"], explanation["match_guaranteed"], explanation["click_id"]) == ("link_click", True, click)


def test_a_person_can_read_it(app, server):
    phone = iphone()
    app.click(app.create_link(), phone)
    text = server.command("explain", app.install(phone).answer["session_id"]).out

    assert "Attributed to http" in text and "probabilistic and likely (an estimated " in text
    assert "✓ click" in text and "os_version: both 17.5.1 (+8)" in text
    assert "link_click: The open has no click id." in text


def test_sessions_are_listed_and_shown(app, server):
    tokens = [app.install(iphone()).answer["session_id"] for _ in range(3)]
    ids = [server.ask("sessions", "show", token)["session_id"] for token in tokens]
    assert all(id.startswith("session_") for id in ids)
    listed = server.ask("sessions", "list", "--app", app.branch_key, "--limit", "2")

    assert [session["session_id"] for session in listed] == ids[:0:-1]
    for before in (ids[1], tokens[1]):
        older = server.ask("sessions", "list", "--app", app.branch_key, "--before", before)
        assert [session["session_id"] for session in older] == ids[:1]
    assert server.ask("sessions", "show", ids[0])["data"]["+is_first_session"] is True
    assert server.ask("explain", ids[0]) == server.ask("explain", tokens[0])


@pytest.mark.parametrize("session", ["1", "nothing", "123456789012345678", "session_123456789012345678", "identity_123456789012345678"])
def test_an_unknown_session_is_one_line(server, session):
    done = server.command("explain", session)

    assert (done.status, done.out) == (1, "")
    assert len(done.err.strip().splitlines()) == 1


def test_a_token_reads_it_over_http(app, server):
    session = app.install(iphone()).answer["session_id"]
    path = f"/api/v1/sessions/{session}/explanation"
    token = server.ask("tokens", "create", "support", "--role", "analyst", "--app", app.branch_key)["token"]

    assert server.get(path, {"Authorization": f"Bearer {token}"}).json["outcome"] == "organic"
    assert server.get(path).status == 401
    other = server.create_app("Other")
    stranger = server.ask("tokens", "create", "stranger", "--role", "analyst", "--app", other.branch_key)["token"]
    assert server.get(path, {"Authorization": f"Bearer {stranger}"}).status == 404
