"""Metrics, the request log and `linden status`: what an operator sees of a server, and the alerts and the dashboard that are made for it."""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from support import wire
from support.command import linden
from support.server import Server, free_port, running
from support.visitors import crawler, desktop, iphone
from support.waiting import eventually

ROOT = Path(__file__).parents[2]
ALERTS = ROOT / "Config/monitoring/alerts.yaml"
BOARD = ROOT / "Config/monitoring/grafana.json"


class Monitored:
    """A server with some traffic, and its address for monitors."""

    def __init__(self, folder):
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.server = Server(folder, {
            "LINDEN_HTTP_ADMIN_ADDRESS": self.address, "LINDEN_LOG_REQUESTS": "json", "LINDEN_BACKUP_FOLDER": str(folder / "backups")})

    def get(self, target):
        return wire.exchange(self.port, wire.request(self.port, "GET", target, b"", None))

    def samples(self):
        return [sample for family in text_string_to_metric_families(self.get("/metrics").text) for sample in family.samples]

    def value(self, name, **labels):
        return value(self.samples(), name, **labels)


def value(samples, name, **labels):
    return sum(sample.value for sample in samples if sample.name == name and labels.items() <= sample.labels.items())


@pytest.fixture(scope="module")
def monitored(tmp_path_factory):
    monitored = Monitored(tmp_path_factory.mktemp("monitored"))
    with running(monitored.server) as server:
        app = server.create_app("Orchard", "--ios-uri-scheme", "orchard", "--default-url", "https://orchard.example.com/")
        link = app.create_link(alias="pears")
        phone = iphone()
        app.click(link, phone)
        app.click(link, desktop(), "?name=ann")
        app.click(link, crawler())
        app.install(phone)
        server.get("/dashboard/sign-in")
        server.get("/api/v1/apps")
        server.send("GET", "/nothing", headers=desktop().headers)
        eventually(lambda: monitored.value("linden_backup_last_success_timestamp_seconds") > 0, within=20)
        yield monitored


def test_prometheus_can_read_the_metrics(monitored):
    answer = monitored.get("/metrics")

    families = list(text_string_to_metric_families(answer.text))
    assert answer.status == 200 and answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert len(families) > 30
    assert all(family.documentation.endswith(".") and family.type != "unknown" for family in families)
    assert monitored.server.get("/metrics").status == 404


def test_the_metrics_count_what_happened(monitored):
    assert monitored.value("linden_clicks_total", visitor="person") == 2
    assert monitored.value("linden_clicks_total", visitor="robot") == 1
    assert monitored.value("linden_sessions_total", outcome="matched", reason="fingerprint") == 1
    assert monitored.value("linden_http_requests_total", kind="visit", status="4xx") == 1
    assert monitored.value("linden_http_request_duration_seconds_count", kind="visit") == 4
    assert monitored.value("linden_http_requests_total", kind="sdk", call="install", status="2xx") == 1
    assert monitored.value("linden_http_request_duration_seconds_count", kind="sdk", call="link") == 1
    # The server goes on to commit work of its own, so both are of one reading.
    samples = monitored.samples()
    assert value(samples, "linden_commit_batch_size_sum") >= value(samples, "linden_commit_batch_size_count") > 0
    assert 1e6 < monitored.value("process_resident_memory_bytes") < 1e10
    assert monitored.value("linden_database_bytes") > 4096


def queries():
    """All queries of the alerts and of the dashboard."""
    rules = [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]
    board = json.loads(BOARD.read_text())
    panels = [target["expr"] for panel in board["panels"] for target in panel.get("targets", [])]
    asked = [variable["query"]["query"] for variable in board["templating"]["list"] if variable["type"] == "query"]
    return [rule["expr"] for rule in rules] + panels + asked + [note["expr"] for note in board["annotations"]["list"]]


def test_alerts_and_dashboard_ask_only_for_metrics_that_are_there(monitored):
    # The others are of servers that speak TLS themselves, and that upload their backups: see test_tls and test_backup_upload.
    known = {"up", "linden_tls_certificate_expiry_timestamp_seconds", "linden_backup_uploaded_timestamp_seconds",
             "linden_backup_upload_failures_total"}
    labels = {}
    for sample in monitored.samples():
        known.add(sample.name)
        for label, value in sample.labels.items():
            labels.setdefault((sample.name, label), set()).add(value)

    unknown = []
    for query in queries():
        for name, matchers in re.findall(r"\b(up|(?:linden|process)_\w+)\b(?:\{([^}]*)\})?", query):
            unknown += [name] * (name not in known)
            for label, value in re.findall(r'(\w+)="([^"]*)"', matchers or ""):
                # Prometheus itself adds the job. Not every class of statuses occurred here, but all have a series.
                if label != "job" and value not in labels.get((name, label), ()):
                    unknown.append(f"{name}{{{label}={value}}}")
    assert unknown == []


def test_every_metric_and_every_alert_is_explained(monitored):
    page = (ROOT / "Documentation/monitoring.md").read_text()
    names = {re.sub(r"_(bucket|sum|count)$", "", sample.name) for sample in monitored.samples()}
    alerts = re.findall(r"alert: (\w+)", ALERTS.read_text())

    assert [name for name in sorted(names) if f"`{name}`" not in page] == []
    assert alerts and [alert for alert in alerts if f"### {alert}\n" not in page] == []
    assert re.findall(r"runbook: \S+/monitoring.md#(\w+)", ALERTS.read_text()) == [alert.lower() for alert in alerts]


def test_the_request_log_has_a_line_for_each_request_and_nothing_about_people(monitored):
    marker = monitored.server.get("/openapi.yaml", {"X-Request-Id": "last-of-the-test"})
    assert marker.headers["x-request-id"] == "last-of-the-test"
    eventually(lambda: "last-of-the-test" in monitored.server.log)

    lines = [json.loads(line) for line in monitored.server.log.splitlines() if line.startswith('{"time":')]
    assert {(line["kind"], line["route"]) for line in lines} >= {
        ("visit", "/{link}"), ("sdk", "/v1/url"), ("sdk", "/v1/install"), ("dashboard", "/dashboard/**"), ("management", "/api/v1/apps")}
    assert all(line["status"] and line["milliseconds"] >= 0 and line["id"] for line in lines)
    assert not re.search(r"pears|ann\b|Mozilla|key_live", "\n".join(json.dumps(line) for line in lines))


def test_status_shows_the_server_and_fails_without_one(monitored, tmp_path):
    shown = linden("status", "--admin-address", monitored.address, "--format", "json")
    table = linden("status", "--admin-address", monitored.address)
    gone = linden("status", "--admin-address", f"127.0.0.1:{free_port()}", folder=tmp_path)

    assert shown.status == 0 and shown.json["status"] == "ready"
    assert shown.json["clicks_of_people"] == 2 and shown.json["database_bytes"] > 4096
    assert re.search(r"^clicks of people +2$", table.out, re.MULTILINE)
    assert f"\n{table.out.splitlines()[0]}\n" in (ROOT / "Documentation/production.md").read_text()
    assert gone.status == 1 and "No server answers at http.admin_address" in gone.complaint


def test_top_shows_what_a_server_does_reading_by_reading(monitored, tmp_path):
    shown = linden("top", "--admin-address", monitored.address, "--every", "1", "--count", "2", "--format", "json")
    table = linden("top", "--admin-address", monitored.address, "--every", "1", "--count", "1")
    without = linden("top", folder=tmp_path)

    readings = [json.loads(line) for line in shown.out.splitlines()]
    assert shown.status == 0 and [reading["status"] for reading in readings] == ["ready", "ready"]
    assert all(reading["failed_requests_per_second"] == 0 and reading["memory_bytes"] > 0 for reading in readings)
    # What was counted before the first reading is not shown.
    assert all(reading["clicks_of_people_per_second"] == 0 for reading in readings)
    assert re.search(r"^visits +0/s$", table.out, re.MULTILINE)
    assert without.status == 1 and "http.admin_address is not set" in without.complaint


class Stranger(BaseHTTPRequestHandler):
    """Answers with metrics of another program, whose values are no whole numbers."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(
            b"linden_http_requests_total 1e300\nlinden_database_bytes NaN\nlinden_wal_bytes -Inf\nprocess_resident_memory_bytes +Inf\n"
            b"process_start_time_seconds -1e300\nlinden_backup_last_success_timestamp_seconds 1e300\n"
            b'linden_commit_duration_seconds_bucket{le="1e300"} 5\nlinden_limits_refused_total NaN\nprocess_cpu_seconds_total 1e300\n')

    def log_message(self, *arguments):
        pass


def test_status_and_top_show_any_metrics_without_an_exit():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stranger)
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"127.0.0.1:{server.server_port}"
    try:
        shown = [
            linden(*command, "--admin-address", address, "--format", form)
            for command in (("status",), ("top", "--every", "1", "--count", "1")) for form in ("json", "table")]
    finally:
        server.shutdown()

    assert [(done.status, done.err) for done in shown] == [(0, "")] * 4


def test_status_without_an_address_shows_what_the_database_tells(monitored):
    shown = monitored.server.ask("status")

    assert {"version", "database_bytes", "disk_free_bytes", "exports_waiting"} <= shown.keys()
    assert "requests" not in shown


def test_an_address_in_use_is_named(tmp_path, monitored):
    done = linden(
        "serve", "--port", "0", "--database", f"sqlite:{tmp_path}/linden.db", settings={"LINDEN_HTTP_ADMIN_ADDRESS": monitored.address})

    assert done.status > 0
    assert f'The setting http.admin_address is "{monitored.address}"' in done.err
