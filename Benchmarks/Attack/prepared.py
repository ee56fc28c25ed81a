"""The database that the attacks find."""

import json
import sqlite3
import time
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from support.app import App

REFERRALS = 20_000
# Links and channels with a visit.
LINKS = 30_000
HELD = 100_000


@dataclass(frozen=True)
class Target:
    """What an attacker knows of the server: anything but the secret and the tokens could be read out of an app. These stand for a
    customer who has bad luck."""

    port: int
    key: str
    secret: str
    app_id: str
    token: str
    # Tokens that may change the app.
    admin_tokens: tuple
    visit: str
    large: tuple
    # The token of a user who brought REFERRALS others.
    referrer: str
    # Idle connections of all processes together.
    idle: int
    # Costly calls that a process sends at the same time.
    at_once: int
    # A link of another app, which legitimate visitors follow meanwhile, and the credentials with which its servers create links.
    others: str
    others_key: str
    others_secret: str
    # Another app of the customer, and a token that may erase its data subjects.
    limited: App
    limited_token: str
    # The cookie of a user of the dashboard who may change the first app's links.
    session: str

    @property
    def names(self):
        return {
            "KEY": self.key, "SECRET": self.secret, "APP": self.app_id, "TOKEN": self.token, "LINK": self.visit,
            "URL": f"http://127.0.0.1:{self.port}{self.visit}",
        }


def prepare(server, options):
    """An app with links, one of them as large as links may be."""
    app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
    server.ask("rewards", "add", "--app", app.branch_key, "--event", "install", "--reward", "actor", "--amount", "10")
    token = server.ask("tokens", "create", "attack", "--role", "analyst", "--app", app.branch_key)["token"]
    admin_tokens = tuple(
        server.ask("tokens", "create", f"change{index}", "--role", "admin", "--app", app.branch_key)["token"] for index in range(8))
    tags = {f"tag{index}": "g" * 300 for index in range(64)}
    large = [
        {"$custom_meta_tags": tags, "$og_title": "g" * 8000}, {"$keywords": ["pear"] * 100, "$og_description": "<&\"" * 10_000},
        {"$og_description": "'" * 60_000, "$og_title": "'" * 2000},
        {"$deeplink_path": "a/" * 4000, "$canonical_url": "https://orchard.example.com/" + "a" * 8000, "pear": "g" * 30_000},
    ]
    grove = server.create_app("Grove", "--default-url", "https://grove.example.com/")
    start = {"branch_key": app.branch_key, "os": "iOS", "sdk": "ios3.0.0", "hardware_id": "referrer", "is_hardware_id_real": True}
    meadow = server.create_app("Meadow", "--default-url", "https://meadow.example.com/")
    limited_token = server.ask("tokens", "create", "erase", "--role", "admin", "--app", meadow.branch_key)["token"]
    return Target(
        # Without the server's process, which the attackers' processes cannot have.
        limited=replace(meadow, server=None), limited_token=limited_token, session=sign_in(server, app),
        referrer=server.post("/v1/install", start).json["randomized_bundle_token"], idle=options.idle, at_once=options.at_once,
        others=urlsplit(grove.create_link()).path, others_secret=grove.branch_secret, others_key=grove.branch_key,
        port=server.port, key=app.branch_key, secret=app.branch_secret, app_id=app.app_id, token=token, admin_tokens=admin_tokens,
        visit=urlsplit(app.create_link()).path, large=tuple(urlsplit(app.create_link(data=data)).path for data in large))


def sign_in(server, app):
    """Creates a user who may change links, and returns the cookie of its session."""
    user = server.ask("users", "create", "editor", "--role", "editor", "--app", app.app_id)
    password = "password=pears+and+plums&repeated=pears+and+plums".encode()
    form = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    answer = server.post(urlsplit(user["set_up_url"]).path, password, form)
    assert answer.status == 303, answer.text
    return answer.headers["set-cookie"].split(";")[0]


def add_rows(database, apps):
    """Adds what would take minutes by calls: users whom the first app's user brought, links and channels that were visited once today, held
    rewards, and other apps."""
    first_link = "(SELECT * FROM links WHERE app_id = (SELECT MIN(id) FROM apps) ORDER BY id LIMIT 1)"
    title = json.dumps({"$og_title": "\N{PEAR}" * 199}, ensure_ascii=False)
    with sqlite3.connect(database) as connection:
        copy_rows(connection, REFERRALS, "sessions", "sessions", {
            "id": "sessions.id + number", "identity_id": "sessions.identity_id + number", "referring_identity_id": "sessions.identity_id"})
        copy_rows(connection, LINKS, "links", first_link, {
            "id": "links.id + number", "path": "'grove/' || number", "has_alias": "1", "data": f"'{title}'"})
        connection.execute(
            f"""
            {numbers(LINKS)} INSERT INTO rollups (app_id, mode, topic, dimension, hours, hour, name, value, count, revenue_millionths)
            SELECT app_id, mode, 'click', 'link', 24, {int(time.time()) // 86400 * 24}, '', links.id + number, 1, 0
            FROM {first_link} AS links, numbers
            UNION ALL SELECT app_id, mode, 'click', 'channel', 1, {int(time.time()) // 3600}, '', 'channel ' || number, 1, 0
            FROM {first_link} AS links, numbers
            """)
        names = {
            "ios_bundle_id": "com.example.app' || number || '", "ios_team_id": "ABCDE12345",
            "android_package_name": "com.example.app' || number || '", "sha256_cert_fingerprints": [":".join(["A7"] * 32)]}
        connection.execute(
            f"""
            {numbers(HELD)} INSERT INTO held_rewards (id, app_id, mode, rule_id, identity_id, reasons, address)
            SELECT number, app_id, mode, id, 1, '[]', 'somewhere' FROM numbers, (SELECT * FROM reward_rules LIMIT 1)
            """)
        copy_rows(connection, apps, "apps", "(SELECT * FROM apps ORDER BY id LIMIT 1)", {
            "id": "apps.id + number", "name": "'Orchard ' || number", "configuration": f"'{json.dumps(names)}'"})
        copy_rows(connection, apps, "app_keys", "(SELECT * FROM app_keys WHERE app_id = (SELECT MIN(id) FROM apps))", {
            "app_id": "app_keys.app_id + number", "branch_key": "SUBSTR(branch_key, 1, 33) || PRINTF('%08d', number)"})
    connection.close()


def numbers(count):
    return f"WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < {count})"


def copy_rows(connection, count, table, source, changed):
    """Copies each row of the source so many times; the expressions of changed columns may use the copy's number."""
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    connection.execute(
        f"""
        {numbers(count)} INSERT INTO {table} ({", ".join(columns)}) SELECT {", ".join(changed.get(column, column) for column in columns)}
        FROM {source} AS {table}, numbers
        """)
