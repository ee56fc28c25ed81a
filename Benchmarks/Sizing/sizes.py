"""How many bytes of the database a link, a click, a session or an event takes.

Two databases: one of a server that phones call as the SDKs do, for rows with all that a server stores, and one of generated traffic, for links
and totals. The pages of each table are counted, with its indexes; a page that is half empty counts as a whole one. With --postgres, the
first is on PostgreSQL, and the bytes of its write-ahead log are counted, too. The binary is LINDEN_BINARY, or `linden` in PATH."""

import argparse
import http.client
import json
import os
import socket
import sqlite3
import subprocess
import tempfile
import time
from contextlib import closing
from pathlib import Path

BINARY = os.environ.get("LINDEN_BINARY", "linden")
# What grows with each, the table whose rows are counted first.
SERVED = {
    "click": ["clicks"],
    "install or open": ["sessions"],
    "device": ["devices", "device_addresses"],
    "user": ["identities"],
    "event": ["events"],
}
# On PostgreSQL, pending clicks are rows from the start.
ON_POSTGRES = SERVED | {"pending click": ["pending_clicks"], "claim of a click": ["click_claims"]}
GENERATED = {"link": ["links"], "content": ["universal_objects"]}
TOTALS = ["link_days", "robot_hours", "object_days", "rollups", "rollup_values", "rollup_combinations", "rollup_shares",
          "rollup_changes", "rollup_devices"]
BROWSER = ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
           "Mobile/15E148 Safari/604.1")


def measure(path):
    """The rows and bytes of each table, its indexes included."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        pages = dict(database.execute(
            "SELECT schema.tbl_name, SUM(pages.pgsize) FROM dbstat AS pages JOIN sqlite_schema AS schema ON schema.name = pages.name"
            " GROUP BY 1"))
        return {table: (database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0], size) for table, size in pages.items()}


def command(*arguments):
    return subprocess.run([BINARY, *arguments], check=True, stdout=subprocess.PIPE).stdout


def measure_postgres(database):
    """The rows and bytes of each table on PostgreSQL, its indexes and long values included."""
    tables = psql(database, "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace").split()
    return {table: tuple(map(int, psql(database, f"SELECT COUNT(*), pg_total_relation_size('{table}') FROM {table}").split("|")))
            for table in tables}


def log_position(database):
    """The bytes of PostgreSQL's write-ahead log so far."""
    return int(psql(database, "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"))


def psql(database, commands):
    return subprocess.run(["psql", "--no-psqlrc", "-At", "-c", commands, database], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def serve(database, phones, after=lambda kind: None):
    """Lets phones click a link, install the app, open it again and report a purchase, all the one before any the next, with a call of `after`
    behind each."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command("migrate", "--database", database)
    key = json.loads(command("apps", "create", "Orchard", "--ios-uri-scheme", "orchard", "--default-url", "https://orchard.example.com/",
                             "--database", database, "--format", "json"))["branch_key"]
    settings = os.environ | {"LINDEN_HTTP_TRUSTED_PROXIES": "127.0.0.1", "LINDEN_LIMITS_ENABLED": "false"}
    server = subprocess.Popen([BINARY, "serve", "--port", str(port), "--database", database], env=settings, stderr=subprocess.DEVNULL)
    try:
        call_as_phones(connect(port), key, phones, after)
    finally:
        server.terminate()
        server.wait()


def connect(port):
    for _ in range(200):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        try:
            connection.request("GET", "/readyz")
            if connection.getresponse().read() is not None:
                return connection
        except OSError:
            time.sleep(0.05)
    raise SystemExit("the server does not answer")


def call_as_phones(connection, key, phones, after):
    def send(method, path, address, body=None):
        headers = {"User-Agent": BROWSER, "X-Forwarded-For": address, "Content-Type": "application/json"}
        connection.request(method, path, body=body and json.dumps({"branch_key": key} | body), headers=headers)
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status < 400, (path, answer.status, text)
        return json.loads(text) if body else None

    path = "/" + send("POST", "/v1/url", "198.18.0.1", {
        "channel": "mail", "campaign": "harvest", "data": {
            "$canonical_identifier": "pear/7", "$og_title": "Pears", "$desktop_url": "https://orchard.example.com/pears", "variety": "Cox"},
    })["url"].rsplit("/", 1)[1]
    phone = {"os": "iOS", "os_version": "17.5.1", "app_version": "3.3.1", "model": "iPhone15,2", "language": "de", "country": "DE",
             "screen_width": 1179, "screen_height": 2556}
    addresses = [f"198.{18 + number % 2}.{number // 2 % 256}.{number // 512 % 256}" for number in range(phones)]
    devices = [{"hardware_id": f"{number:08}-AAAA-4000-8000-000000000000", "is_hardware_id_real": True, "sdk": "ios3.6.0"}
               for number in range(phones)]
    after("")
    for address in addresses:
        send("GET", path, address)
    after("click")
    tokens = []
    for address, device in zip(addresses, devices):
        session = send("POST", "/v1/install", address, phone | device)
        tokens.append({name: session[name] for name in ("randomized_device_token", "randomized_bundle_token")})
    after("install")
    for address, device, token in zip(addresses, devices, tokens):
        send("POST", "/v1/open", address, phone | device | token)
    after("open")
    for number, (address, device, token) in enumerate(zip(addresses, devices, tokens)):
        send("POST", "/v2/event/standard", address, {
            "name": "PURCHASE", "user_data": phone | token | {"idfv": device["hardware_id"], "sdk": "ios", "sdk_version": "3.6.0"},
            "event_data": {"revenue": 9.9, "currency": "EUR", "transaction_id": str(number)}, "custom_data": {"plan": "gold"},
            "content_items": [{"$canonical_identifier": "pear/7", "$og_title": "Pears", "$price": 9.9, "$quantity": 1}]})
    after("event")


def sizes_on_postgres(server, phones):
    """The bytes of rows, and of the write-ahead log of a call, in a database of its own, which is dropped afterwards."""
    name = f"linden_sizes_{os.getpid()}"
    database = f"{server.rpartition('/')[0]}/{name}"
    psql(server, f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
    try:
        positions = {}

        def after(kind):
            positions[kind] = log_position(database)

        serve(database, phones, after)
        tables = measure_postgres(database)
        results = {kind: round(sum(tables[name][1] for name in names) / tables[names[0]][0]) for kind, names in ON_POSTGRES.items()}
        kinds = list(positions)
        for before, kind in zip(kinds, kinds[1:]):
            results[f"write-ahead log of a call: {kind}"] = round((positions[kind] - positions[before]) / phones)
        return results
    finally:
        psql(server, f"DROP DATABASE {name} WITH (FORCE)")


def sizes_on_sqlite(options, amounts):
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        served, generated = Path(folder) / "served.db", Path(folder) / "generated.db"
        serve(f"sqlite:{served}", options.phones)
        command("bench-data", "--database", f"sqlite:{generated}", "--apps", "1",
                *(word for name in amounts for word in (f"--{name}", str(getattr(options, name)))))
        results = {}
        for path, kinds in ((served, SERVED), (generated, GENERATED)):
            tables = measure(path)
            for kind, names in kinds.items():
                results[kind] = round(sum(tables[name][1] for name in names) / tables[names[0]][0])
        results["totals of a day"] = round(sum(tables[name][1] for name in TOTALS) / options.days)
        return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=5000)
    amounts = {"days": 7, "links": 20_000, "clicks": 200_000, "installs": 20_000, "opens": 60_000, "events": 60_000}
    for name, amount in amounts.items():
        parser.add_argument(f"--{name}", type=int, default=amount, help="generated traffic")
    parser.add_argument("--folder", type=Path, help="where the databases are meanwhile")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--postgres", metavar="URL", help="measure on this PostgreSQL, with fewer kinds of rows")
    options = parser.parse_args()

    if options.postgres:
        results = sizes_on_postgres(options.postgres, options.phones)
    else:
        results = sizes_on_sqlite(options, amounts)
    print("| one | bytes, with indexes |\n| --- | ---: |")
    for kind, size in results.items():
        print(f"| {kind} | {size:,} |")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
