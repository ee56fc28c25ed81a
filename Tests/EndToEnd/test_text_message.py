"""Sending a link from a desktop to a phone by text message."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode, urlsplit

import pytest

from support.app import click_id
from support.browser import chromium, dress
from support.server import Server, running
from support.visitors import desktop, iphone
from support.waiting import eventually


class Gateway(BaseHTTPRequestHandler):
    """A text message gateway like an operator's."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.sent.append(body | {"authorization": self.headers["Authorization"]})
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def gateway():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Gateway)
    server.sent, server.status = [], 202
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def server(tmp_path_factory, gateway):
    settings = {"LINDEN_SMS_GATEWAY_URL": f"http://127.0.0.1:{gateway.server_port}/send", "LINDEN_SMS_GATEWAY_TOKEN": "hush"}
    with running(Server(tmp_path_factory.mktemp("linden"), settings)) as server:
        yield server


@pytest.fixture
def app(server):
    return server.create_app("Orchard", "--ios-uri-scheme", "orchard")


def ask(server, app, url, phone, visitor=None):
    """Submits the form of a link's page for desktops and returns the response."""
    visitor = visitor or desktop()
    page = app.click(url, visitor, "?" + urlsplit(url).query).text
    action = page.split('<form method="post" action="')[1].split('"')[0]
    form = urlencode({"branch_key": app.branch_key, "phone": phone}).encode()
    return server.post(action, form, visitor.headers | {"Content-Type": "application/x-www-form-urlencoded"})


def test_the_page_for_desktops_sends_the_link_to_a_phone(server, app, gateway):
    url = app.create_link(**app.secret, data={"$custom_sms_text": "Pears! {{ link }} See you.", "pear": "conference"})
    with chromium() as browser:
        dress(browser, desktop())
        browser.get(url)
        browser.find_element("id", "phone").send_keys("+1 (555) 010-0001")
        browser.find_element("css selector", "form button").click()
        eventually(lambda: "on its way" in browser.page_source)

    message = gateway.sent[-1]
    assert message["to"] == "+15550100001"
    assert message["authorization"] == "Bearer hush"
    assert message["text"].startswith(f"Pears! {server.base_url}/c/") and message["text"].endswith(" See you.")


@pytest.mark.parametrize("choice, is_sent", [(None, False), ("all", True), ("none", False)])
def test_words_of_a_link_that_anyone_can_make_are_sent_only_if_the_app_wants_it(server, gateway, choice, is_sent):
    app = server.create_app("Orchard", "--ios-uri-scheme", "orchard")
    if choice:
        server.ask("apps", "update", app.branch_key, "--set", f"sms.custom_text={choice}")
    url = app.create_link(data={"$custom_sms_text": "Your bank: {{ link }}"})

    # Each from an address of its own, as the limits by address count.
    assert ask(server, app, url, f"+1 555 010 010{len(choice or '')}", desktop()).status == 200

    assert gateway.sent[-1]["text"].startswith("Your bank: " if is_sent else "Open Orchard: ")


def test_a_visitor_from_the_message_is_identified_by_the_number(server, app, gateway):
    url = app.create_link(data={"pear": "conference"}) + "?ripe=yes"
    assert ask(server, app, url, "+1 555 010 0002").status == 200
    sent = gateway.sent[-1]["text"].split()[-1]
    phone = iphone()

    data = app.install(phone, link_identifier=click_id(app.click(sent, phone))).data

    assert (data["pear"], data["ripe"], data["+phone_number"]) == ("conference", "yes", "+15550100002")


def test_a_visitor_who_is_matched_by_a_guess_is_identified_by_no_number(server, app, gateway):
    assert ask(server, app, app.create_link(data={"pear": "williams"}), "+1 555 010 0005").status == 200
    phone = iphone()

    assert app.click(gateway.sent[-1]["text"].split()[-1], phone).status == 200
    data = app.install(phone).data

    assert (data["pear"], data["+match_guaranteed"]) == ("williams", False)
    assert "+phone_number" not in data


def test_the_app_may_open_the_message_by_itself(server, app, gateway):
    assert ask(server, app, app.create_link(data={"pear": "quince"}), "+1 555 010 0003").status == 200
    sent = gateway.sent[-1]["text"].split()[-1]

    data = app.install(iphone(), universal_link_url=sent).data

    assert (data["pear"], data["+phone_number"]) == ("quince", "+15550100003")


def test_a_number_identifies_no_other_visitor(app, server):
    phone = iphone()
    app.click(app.create_link(), phone)

    assert "+phone_number" not in app.install(phone).data


@pytest.mark.parametrize("phone", ["", "pear", "12345", "+1234567890123456", "+1 555 010 0000; DROP"])
def test_what_is_no_phone_number_is_sent_nothing(server, app, gateway, phone):
    before = len(gateway.sent)

    assert ask(server, app, app.create_link(), phone).status == 400
    assert len(gateway.sent) == before


def test_a_number_is_sent_three_messages_an_hour(server, app, gateway):
    url = app.create_link()
    answers = [ask(server, app, url, "+1 555 010 0004") for _ in range(4)]

    assert [answer.status for answer in answers] == [200, 200, 200, 429]
    assert int(answers[-1].headers["retry-after"]) > 0
    assert sum(message["to"] == "+15550100004" for message in gateway.sent) == 3


def test_an_address_asks_for_five_an_hour(server, app):
    url, visitor = app.create_link(), desktop()
    answers = [ask(server, app, url, f"+1 555 010 01{number:02}", visitor) for number in range(6)]

    assert [answer.status for answer in answers] == [200] * 5 + [429]


def test_a_refusal_by_the_gateway_is_reported(server, app, gateway):
    gateway.status = 500
    try:
        answer = ask(server, app, app.create_link(), "+1 555 010 0005")
    finally:
        gateway.status = 202

    assert answer.status == 503
    assert "could not be sent" in answer.text


def test_without_a_gateway_the_page_has_no_form(tmp_path):
    with running(Server(tmp_path)) as plain:
        orchard = plain.create_app("Orchard", "--ios-uri-scheme", "orchard")
        page = orchard.click(orchard.create_link(), desktop()).text

    assert "<form" not in page and "<svg" in page
