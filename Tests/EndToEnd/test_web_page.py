"""Calls from a customer's page of another origin, in a real browser, like those of the Web SDK."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from support.browser import chromium, page
from support.visitors import android, desktop, iphone

# The transports of the SDK: a form by XMLHttpRequest without credentials, and a script for what is asked across sites.
SDK = """
window.post = (path, fields) => new Promise(done => {
  const request = new XMLHttpRequest();
  request.open("POST", arguments[0] + path, true);
  request.setRequestHeader("Content-Type", "application/x-www-form-urlencoded");
  request.onloadend = () => done({status: request.status, text: request.responseText});
  request.send(Object.entries(fields).map(([k, v]) => k + "=" + encodeURIComponent(v)).join("&"));
});
window.script = path => new Promise(done => {
  const name = "branch_callback__" + Math.floor(1e9 * Math.random());
  const element = document.createElement("script");
  window[name] = answer => done({answer: typeof answer === "function" ? String(answer) : answer});
  element.onerror = () => done({error: "blocked"});
  element.src = arguments[0] + path + (path.includes("?") ? "&" : "?") + "callback=" + name;
  document.head.appendChild(element);
});
"""


@pytest.fixture(scope="module")
def browser():
    with chromium() as driver:
        yield driver


@pytest.fixture
def visit(browser, server):
    """Opens a page of another origin and returns a function that runs a line of script in it."""
    with page() as address:
        browser.get(address)
        browser.execute_script(SDK, server.base_url)
        browser.get_log("browser")

        def run(line):
            return browser.execute_async_script(
                f"const done = arguments[arguments.length - 1]; (async () => {line})().then(done, e => done({{error: String(e)}}))")

        yield run


def test_a_page_begins_a_session_and_makes_a_link(visit, orchard):
    number = visit(f"script('/_r?sdk=web2.84.0&branch_key={orchard.branch_key}')")["answer"]
    assert len(number) == 18 and number.isdecimal()

    fields = {"sdk": "web2.84.0", "browser_fingerprint_id": number, "options": "{}", "branch_key": orchard.branch_key}
    opened = visit(f"post('/v1/open', {json.dumps(fields)})")
    assert opened["status"] == 200
    session = json.loads(opened["text"])
    assert session["browser_fingerprint_id"] == number

    fields = {"data": json.dumps({"variety": "Cox"}), "source": "web-sdk", "identity_id": session["identity_id"],
              "branch_key": orchard.branch_key}
    made = visit(f"post('/v1/url', {json.dumps(fields)})")
    assert orchard.read(json.loads(made["text"])["url"])["data"]["variety"] == "Cox"

    seen = visit(f"post('/v1/pageview', {{event: 'pageview', metadata: '{{}}', branch_key: '{orchard.branch_key}'}})")
    assert seen == {"status": 200, "text": "{}"}


def test_a_page_reads_why_a_call_was_refused(visit):
    answer = visit("post('/v1/open', {sdk: 'web2.84.0', branch_key: 'key_live_unknown'})")

    assert answer["status"] == 400
    assert json.loads(answer["text"])["error"]["code"] == 400


@pytest.mark.parametrize("visitor", [desktop(), iphone(), android()], ids=["a computer", "an iPhone", "an Android phone"])
def test_a_page_whose_visitor_comes_from_a_link_gets_its_data(visit, orchard, server, visitor):
    link = orchard.create_link(data={"variety": "Cox", "$web_only": True}, channel="mail")
    location = orchard.click(link, visitor).location
    click, = parse_qs(urlsplit(location).query)["_branch_match_id"]

    fields = {"sdk": "web2.84.0", "browser_fingerprint_id": click, "link_identifier": click, "branch_key": orchard.branch_key}
    session = json.loads(visit(f"post('/v1/open', {json.dumps(fields)})")["text"])

    assert json.loads(session["data"])["variety"] == "Cox"
    assert session["referring_link"] == link


# A call that the browser asks about first, since its body is JSON.
JSON_CALL = ("fetch('%s/v1/open', {method: 'POST', credentials: '%s', headers: {'Content-Type': 'application/json'},"
             " body: JSON.stringify({sdk: 'web2.84.0', branch_key: '%s'})}).then(r => r.json())")


def test_a_call_that_needs_a_preflight_is_allowed(visit, orchard):
    answer = visit(JSON_CALL % (orchard.server.base_url, "omit", orchard.branch_key))

    assert answer["session_id"].isdecimal()


def test_a_page_cannot_read_the_answer_of_a_call_with_cookies(visit, orchard):
    answer = visit(JSON_CALL % (orchard.server.base_url, "include", orchard.branch_key))

    assert "Failed to fetch" in answer["error"]


def test_a_page_reads_the_number_of_a_browser_with_cookies(visit, orchard):
    path = f"/_r?sdk=web2.84.0&branch_key={orchard.branch_key}"
    answer = visit(f"fetch('{orchard.server.base_url}{path}', {{credentials: 'include'}}).then(r => r.json())")

    assert len(answer) == 18 and answer.isdecimal()


def test_the_button_of_a_page_is_given_a_function(visit, orchard, server):
    answer = visit(
        "script('/v1/deepview?data=' + encodeURIComponent(btoa(JSON.stringify("
        "{branch_key: '%s', data: '{\"variety\":\"Cox\"}', channel: 'web'}))))" % orchard.branch_key)

    assert answer["answer"].startswith("function")
    assert f"{server.base_url}/a/{orchard.branch_key}?channel=web&data=" in answer["answer"].replace("\\/", "/")


def test_a_page_sends_its_link_by_text_message(visit, orchard):
    link = orchard.create_link(data={"variety": "Cox"})
    click = visit(f"fetch('{link}?click=click').then(r => r.json())")["click_id"]

    assert visit(f"post('/c/{click}', {{phone: '+15551234567', branch_key: '{orchard.branch_key}'}})")["status"] == 200


def test_the_browsers_console_stays_silent(visit, browser, orchard):
    visit(f"script('/_r?sdk=web2.84.0&branch_key={orchard.branch_key}')")
    visit(f"post('/v1/open', {{sdk: 'web2.84.0', branch_key: '{orchard.branch_key}'}})")

    assert [entry for entry in browser.get_log("browser") if "favicon" not in entry["message"]] == []
