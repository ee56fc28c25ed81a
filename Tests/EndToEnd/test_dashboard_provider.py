"""Sign-in to the dashboard by an OpenID provider, in a real browser and with a provider on this machine."""

import base64
import hashlib
import json
import re
import time
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc import jwk, jwt
from oidc_provider_mock import User, _app, run_server_in_thread
from selenium.webdriver.common.by import By

from support.accessibility import violations
from support.browser import chromium, heading
from support.forms import fill, follow, press
from support.server import Server, free_port, running
from support.visitors import iphone
from support.waiting import eventually

PEOPLE = {
    "ann": {"email": "ann@orchard.example", "email_verified": True},
    "liar": {"email": "boss@orchard.example", "email_verified": False},
    "new": {"email": "new@orchard.example", "email_verified": True},
    "late": {"email": "ann@orchard.example", "email_verified": True},
    "guest": {"email": "guest@meadow.example", "email_verified": True},
}


@pytest.fixture(scope="module")
def provider():
    users = [User(sub=sub, claims=claims) for sub, claims in PEOPLE.items()]
    with run_server_in_thread(require_nonce=True, user_claims=users) as server:
        yield f"http://localhost:{server.server_port}"


def settings(provider, **others):
    """The settings of the provider; one that is None is not set."""
    all_settings = {"issuer": provider, "client_id": "linden", "client_secret": "a secret: with / and +", "name": "Orchard"} | others
    return {f"LINDEN_DASHBOARD_OPENID_{name.upper()}": value for name, value in all_settings.items() if value is not None}


@pytest.fixture
def server(provider, tmp_path):
    with running(Server(tmp_path, settings(provider))) as server:
        server.ask("users", "create", "ann@orchard.example", "--role", "editor")
        server.ask("users", "create", "boss@orchard.example", "--role", "admin")
        yield server


@pytest.fixture
def browser():
    with chromium() as driver:
        yield driver


def main(browser):
    return browser.find_element(By.TAG_NAME, "main").text


def sign_in(browser, server, sub, page="/dashboard/sign-in"):
    browser.get(server.base_url + page)
    browser.find_element(By.LINK_TEXT, "Sign in with Orchard").click()
    eventually(lambda: heading(browser) == "Authorize Client")
    browser.find_element(By.NAME, "sub").send_keys(sub)
    browser.find_element(By.XPATH, "//button[normalize-space()='Authorize']").click()
    eventually(lambda: browser.current_url.startswith(server.base_url), within=10)


def users(server):
    return {user["name"]: (user["role"], user["status"]) for user in server.ask("users", "list")}


def test_a_user_signs_in_with_a_verified_address_and_comes_to_the_page(browser, server):
    app = server.create_app("Orchard")
    sign_in(browser, server, "ann", f"/dashboard/apps/{app.app_id}/links?search=cox")
    eventually(lambda: heading(browser) == "Links")
    assert browser.current_url.endswith("/links?search=cox")
    assert browser.find_element(By.CSS_SELECTOR, ".who .name").text == "ann@orchard.example"
    assert [cookie["name"] for cookie in browser.get_cookies()] == ["linden"]
    assert users(server)["ann@orchard.example"] == ("editor", "active")

    # Disabled, then enabled again: the account stays linked; another account with the same address is not this user.
    browser.find_element(By.CSS_SELECTOR, "header form button").click()
    server.ask("users", "disable", "ann@orchard.example")
    sign_in(browser, server, "ann")
    assert "may not sign in here" in main(browser)
    server.ask("users", "enable", "ann@orchard.example")
    sign_in(browser, server, "late")
    assert "may not sign in here" in main(browser)
    sign_in(browser, server, "ann")
    eventually(lambda: heading(browser) == "Apps")


def test_a_day_of_an_editor_whom_the_provider_knows(browser, server):
    app = server.create_app("Orchard", "--ios-uri-scheme", "orchard")
    home = f"/dashboard/apps/{app.app_id}"
    sign_in(browser, server, "ann", home + "/live")
    eventually(lambda: heading(browser) == "Live")

    # A link, found again.
    follow(browser, "Links")
    follow(browser, "Create the first link")
    fill(browser, og_title="A crate of Cox", alias="cox", channel="mail")
    follow(browser, "Links")
    fill(browser, search="crate of cox")
    assert "cox" in main(browser)

    # Its click arrives while the page is open; then why the install is the link's.
    follow(browser, "Live")
    eventually(lambda: browser.find_element(By.ID, "live-state").text != "")
    phone = iphone()
    app.click(f"{server.base_url}/cox", phone)
    eventually(lambda: "click" in main(browser).lower() and "cox" in main(browser).lower().partition("time")[2], within=10)
    app.install(phone)
    follow(browser, "Attribution")
    follow(browser, "explain")
    assert "won" in main(browser)

    # The clicks as a file, and signing out.
    follow(browser, "Exports")
    fill(browser, start_date="today", end_date="today")
    eventually(lambda: browser.find_elements(By.LINK_TEXT, "download") or browser.refresh(), within=10)
    press(browser, browser.find_element(By.CSS_SELECTOR, "header form button"))
    assert urlsplit(browser.current_url).path == "/dashboard/sign-in"
    browser.get(server.base_url + home)
    assert urlsplit(browser.current_url).path == "/dashboard/sign-in", "The session has ended here."


@pytest.mark.parametrize("sub, says", [("liar", "does not vouch for a name"), ("new", "new@orchard.example) may not sign in here")])
def test_others_do_not(browser, server, sub, says):
    before = users(server)
    sign_in(browser, server, sub)
    assert says in main(browser)
    assert browser.get_cookies() == []
    assert violations(browser) == []
    assert users(server) == before
    assert server.query("SELECT COUNT(*) FROM dashboard_users WHERE provider_subject IS NOT NULL") == [(0,)]


def test_a_setting_creates_new_users_of_the_domains_that_it_names(browser, provider, tmp_path):
    (tmp_path / "secret").write_text("a secret\n")
    creating = settings(provider, client_secret=None, client_secret_file=str(tmp_path / "secret"), new_user_role="analyst",
                        allowed_domains="orchard.example, meadow.test", allowed_users="Guest@meadow.example")
    with running(Server(tmp_path, creating)) as server:
        sign_in(browser, server, "new")
        eventually(lambda: heading(browser) == "Apps")
        assert users(server) == {"new@orchard.example": ("analyst", "active")}
        browser.delete_all_cookies()
        sign_in(browser, server, "guest")
        eventually(lambda: heading(browser) == "Apps")
        assert users(server)["guest@meadow.example"] == ("analyst", "active")
        server.stop()

        # What the settings no longer name may not sign in any more, known or not.
        server.settings |= {"LINDEN_DASHBOARD_OPENID_ALLOWED_USERS": "", "LINDEN_DASHBOARD_OPENID_ALLOWED_DOMAINS": "orchard.example"}
        server.start()
        browser.delete_all_cookies()
        sign_in(browser, server, "guest")
        assert "guest@meadow.example) may not sign in here" in main(browser)


def test_a_refusal_by_the_provider_is_said(browser, server):
    browser.get(server.base_url + "/dashboard/sign-in/provider")
    browser.find_element(By.XPATH, "//button[normalize-space()='Deny']").click()
    eventually(lambda: "did not sign you in (access_denied)" in main(browser), within=10)


# MARK: Without a browser, as an attacker would

class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


def fetch(url, cookie="", data=None):
    """The status, the address to go to, the cookies that are set, and the body."""
    opener = urllib.request.build_opener(NoRedirect)
    try:
        answer = opener.open(urllib.request.Request(url, data, {"Cookie": cookie} if cookie else {}), timeout=30)
    except urllib.error.HTTPError as error:
        answer = error
    cookies = "; ".join(line.split(";")[0] for line in answer.headers.get_all("Set-Cookie", []) if "Max-Age=0" not in line)
    return answer.status, answer.headers.get("Location", ""), cookies, answer.read().decode(errors="replace")


def begin(server, page=""):
    _, provider, cookie, _ = fetch(server.base_url + "/dashboard/sign-in/provider" + page)
    return provider, cookie


def authorized(provider, sub="ann"):
    return fetch(provider, data=f"sub={sub}".encode())[1]


def query(url):
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


def test_the_request_has_state_nonce_and_a_challenge_of_its_own(server):
    (first, cookie), (second, _) = begin(server), begin(server)
    one, two = query(first), query(second)
    assert one["redirect_uri"] == server.base_url + "/dashboard/sign-in/provider/return"
    assert one["scope"] == "openid email profile" and one["response_type"] == "code"
    assert one["code_challenge_method"] == "S256" and len(one["code_challenge"]) == 43
    assert re.match(r"linden-sign-in=[A-Za-z0-9.%]+$", cookie)
    for name in ("state", "nonce", "code_challenge"):
        assert one[name] != two[name], name


def test_the_code_is_redeemed_with_the_verifier_of_the_challenge(server, monkeypatch):
    sent = []
    redeem = _app.AuthorizationCodeGrant.validate_token_request
    monkeypatch.setattr(_app.AuthorizationCodeGrant, "validate_token_request",
                        lambda grant: (sent.append(dict(grant.request.form)), redeem(grant))[1])
    provider, cookie = begin(server)
    assert fetch(authorized(provider), cookie)[0] == 303
    digest = hashlib.sha256(sent[0]["code_verifier"].encode()).digest()
    assert base64.urlsafe_b64encode(digest).decode().rstrip("=") == query(provider)["code_challenge"]


@pytest.mark.parametrize("page", ["//evil.example", "https://evil.example/", "/dashboard/../evil", "/evil", "/dashboard/%2e%2e/evil"])
def test_a_sign_in_leads_to_pages_of_the_dashboard_only(server, page):
    provider, cookie = begin(server, "?to=" + page)
    assert fetch(authorized(provider), cookie)[:2] == (303, "/dashboard")
    # The cookie is the browser's own, but may hold anything.
    provider, cookie = begin(server)
    assert fetch(authorized(provider), cookie + page.replace("%", "%25"))[:2] == (303, "/dashboard")


@pytest.mark.parametrize("case", ["no cookie", "another browser", "another state", "no state", "used twice", "no code"])
def test_a_code_is_worth_nothing_elsewhere(server, case):
    provider, cookie = begin(server)
    back = authorized(provider)
    assert fetch(back)[0] != 303
    if case == "no cookie":
        cookie = ""
    elif case == "another browser":
        cookie = begin(server)[1]
    elif case == "another state":
        back = re.sub(r"state=\w+", "state=" + "x" * 64, back)
    elif case == "no state":
        back = re.sub(r"state=\w+", "", back)
    elif case == "no code":
        back = re.sub(r"code=[^&]*", "code=", back)
    else:
        assert fetch(back, cookie)[0] == 303
    status, _, cookies, body = fetch(back, cookie)
    assert status == 401 and "linden=" not in cookies and ("begin again" in body or "no valid code" in body), case
    assert server.query("SELECT COUNT(*) FROM dashboard_sessions") == [(1 if case == "used twice" else 0,)]


def test_a_state_is_brought_back_once_even_with_another_code(server):
    provider, cookie = begin(server)
    back = authorized(provider)
    assert fetch(back, cookie)[0] == 303
    again = re.sub(r"code=[^&]*", "code=" + query(authorized(provider))["code"], back)
    status, _, _, body = fetch(again, cookie)
    assert status == 401 and "has ended before" in body


def test_a_token_for_another_sign_in_is_refused(server):
    """The code of one sign-in with the state of another: the nonce differs."""
    (first, first_cookie), (second, _) = begin(server), begin(server)
    code = query(authorized(second))["code"]
    back = re.sub(r"code=[^&]*", "code=" + code, authorized(first))
    status, _, _, body = fetch(back, first_cookie)
    assert status == 401 and "not for this sign-in" in body


HOUR = 3600


@pytest.mark.parametrize("claims, key, says", [
    ({"iss": "https://login.evil.example"}, None, "is of another issuer"),
    ({"aud": "another client"}, None, "is for another client"),
    ({"aud": ["linden", "another client"], "azp": "another client"}, None, "is for another client"),
    ({"exp": lambda now: now - HOUR}, None, "has expired"),
    ({"iat": lambda now: now + HOUR}, None, "is of a later time"),
    ({"nonce": "another nonce"}, None, "is not for this sign-in"),
    ({"sub": ""}, None, "has no valid subject"),
    ({}, "another key", "is not signed by a key of the provider"),
    ({}, "the client's secret", "is signed by the algorithm HS256, which is not allowed"),
    ({}, "none", "is signed by the algorithm none, which is not allowed"),
])
def test_a_forged_token_is_refused_with_its_reason(server, monkeypatch, claims, key, says):
    encode = _app.OpenIDCode.encode_id_token

    def forge(code, token, request):
        genuine = encode(code, token, request)
        own = _app.storage.jwk.as_dict(is_private=True)
        values = jwt.decode(genuine, jwk.import_key(own), ["RS256"]).claims
        changed = {name: value(int(time.time())) if callable(value) else value for name, value in claims.items()}
        header, signer = {"alg": "RS256"}, jwk.import_key(own)
        if key == "another key":
            signer = jwk.RSAKey.generate_key(2048)
        elif key == "the client's secret":
            header, signer = {"alg": "HS256"}, jwk.OctKey.import_key(b"a secret: with / and +")
        if key == "none":
            def part(text):
                return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
            return ".".join([part('{"alg":"none"}'), genuine.split(".")[1], ""])
        return jwt.encode(header, values | changed, signer, [header["alg"]])

    monkeypatch.setattr(_app.OpenIDCode, "encode_id_token", forge)
    before = server.rows()
    provider, cookie = begin(server)
    status, _, cookies, body = fetch(authorized(provider), cookie)
    assert status == 401 and f"the provider&#39;s ID token {says}." in body and 'name="password"' in body
    assert "linden=" not in cookies
    assert server.rows() == before and users(server)["ann@orchard.example"] == ("editor", "invited")


def test_an_address_that_only_the_user_endpoint_tells_counts_too(server, monkeypatch):
    encode = _app.OpenIDCode.encode_id_token
    tell = _app.OpenIDCode.generate_user_info

    def without_address(code, token, request):
        with monkeypatch.context() as patch:
            patch.setattr(_app.OpenIDCode, "generate_user_info",
                          lambda self, user, scope: {"sub": tell(self, user, scope)["sub"]})
            return encode(code, token, request)

    monkeypatch.setattr(_app.OpenIDCode, "encode_id_token", without_address)
    provider, cookie = begin(server)
    assert fetch(authorized(provider), cookie)[0] == 303
    assert users(server)["ann@orchard.example"] == ("editor", "active")


def test_an_account_stays_the_user_whatever_becomes_of_its_address(tmp_path):
    with run_server_in_thread(user_claims=[User(sub="ann", claims=PEOPLE["ann"])]) as mock:
        issuer = f"http://localhost:{mock.server_port}"
        with running(Server(tmp_path, settings(issuer))) as server:
            server.ask("users", "create", "ann@orchard.example", "--role", "editor")
            server.ask("users", "create", "boss@orchard.example", "--role", "admin")
            for claims in (PEOPLE["ann"], {"email": "boss@orchard.example", "email_verified": True}, {}):
                change = urllib.request.Request(
                    issuer + "/users/ann", json.dumps(claims).encode(), {"Content-Type": "application/json"}, method="PUT")
                urllib.request.urlopen(change, timeout=30).close()
                provider, cookie = begin(server)
                status, _, session, _ = fetch(authorized(provider), cookie)
                assert status == 303
                assert "ann@orchard.example" in fetch(server.base_url + "/dashboard", session)[3]
            assert users(server)["boss@orchard.example"] == ("admin", "invited")


def test_failures_are_limited(server):
    for _ in range(20):
        provider, cookie = begin(server)
        back = re.sub(r"code=[^&]*", "code=wrong", authorized(provider))
        assert fetch(back, cookie)[0] == 401
    provider, cookie = begin(server)
    assert fetch(authorized(provider), cookie)[0] == 429


def test_new_keys_of_the_provider_are_looked_for_once_a_minute_at_most(tmp_path):
    """A provider that was replaced by another at its address, as if it had new keys."""
    port = free_port()
    with running(Server(tmp_path, settings(f"http://localhost:{port}"))) as server:
        server.ask("users", "create", "ann@orchard.example", "--role", "editor")
        with run_server_in_thread(port, user_claims=[User(sub="ann", claims=PEOPLE["ann"])]):
            provider, cookie = begin(server)
            assert fetch(authorized(provider), cookie)[0] == 303
        with run_server_in_thread(port, user_claims=[User(sub="ann", claims=PEOPLE["ann"])]):
            provider, cookie = begin(server)
            status, _, _, body = fetch(authorized(provider), cookie)
            assert status == 401 and "is not signed by a key of the provider" in body


# MARK: A provider that does not answer

@pytest.mark.parametrize("issuer", ["http://localhost:1", "http://localhost:1/realms/orchard/"])
def test_an_absent_provider_leaves_passwords(tmp_path, issuer):
    with running(Server(tmp_path, settings(issuer))) as server:
        status, _, _, body = fetch(server.base_url + "/dashboard/sign-in/provider")
        assert status == 503 and "The sign-in provider cannot be used" in body and 'name="password"' in body


def test_a_provider_of_another_name_is_not_used(provider, tmp_path):
    with running(Server(tmp_path, settings(provider.replace("localhost", "127.0.0.1") + "/"))) as server:
        status, _, _, body = fetch(server.base_url + "/dashboard/sign-in/provider")
        assert status == 503 and "its metadata has another issuer" in body


def test_a_provider_that_fails_afterwards_stores_nothing(tmp_path):
    port = free_port()
    with running(Server(tmp_path, settings(f"http://localhost:{port}"))) as server:
        server.ask("users", "create", "ann@orchard.example", "--role", "editor")
        with run_server_in_thread(port, user_claims=[User(sub="ann", claims=PEOPLE["ann"])]):
            provider, cookie = begin(server)
            back = authorized(provider)
        before = server.rows()
        status, _, cookies, body = fetch(back, cookie)
        assert status == 503 and "there is no connection to it" in body and "linden=" not in cookies
        assert server.rows() == before and users(server)["ann@orchard.example"] == ("editor", "invited")


def test_without_a_provider_there_is_no_button(own_server):
    _, _, _, body = fetch(own_server.base_url + "/dashboard/sign-in")
    assert "Sign in with" not in body
    assert fetch(own_server.base_url + "/dashboard/sign-in/provider")[0] == 404
    assert fetch(own_server.base_url + "/dashboard/sign-in/provider/return?code=a&state=b")[0] in (401, 404)
