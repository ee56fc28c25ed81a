"""Traces of requests for a collector of OpenTelemetry: `traces.endpoint` and `traces.percent`."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from support.command import linden
from support.server import Server, free_port, running
from support.visitors import iphone
from support.waiting import eventually

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
RECORDED = {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}
IGNORED = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"}


class Collector(ThreadingHTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.bodies = []
        self.headers = []
        self.endpoint = f"http://127.0.0.1:{self.server_port}/v1/traces"

    @property
    def spans(self):
        return [span for body in self.bodies for resource in body["resourceSpans"] for scope in resource["scopeSpans"]
                for span in scope["spans"]]

    def trace(self, trace_id):
        return [span for span in self.spans if span["traceId"] == trace_id]


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/json"
        self.server.headers.append(dict(self.headers))
        self.server.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


@contextmanager
def collecting():
    collector = Collector()
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    yield collector
    collector.shutdown()
    collector.server_close()


@pytest.fixture(scope="module")
def collector():
    with collecting() as collector:
        yield collector


@pytest.fixture(scope="module")
def server(collector, tmp_path_factory):
    # These tests are the trusted proxy.
    settings = {"LINDEN_TRACES_ENDPOINT": collector.endpoint, "LINDEN_TRACES_PERCENT": "0", "LINDEN_LOG_REQUESTS": "json"}
    with running(Server(tmp_path_factory.mktemp("traced"), settings)) as server:
        yield server


def value(span, name):
    return next((list(item["value"].values())[0] for item in span["attributes"] if item["key"] == name), None)


def test_a_slow_install_can_be_followed_through_its_look_ups_to_the_commit(server, collector):
    app = server.create_app()
    phone = iphone()
    app.click(app.create_link(alias="pears"), phone)
    body = {"branch_key": app.branch_key} | phone.device
    answer = server.post("/v1/install", body, {"X-Forwarded-For": phone.address} | RECORDED)
    assert answer.status == 200
    server.post("/v1/install", body, {"X-Forwarded-For": phone.address} | IGNORED)
    server.post("/v1/install", body, {"X-Forwarded-For": phone.address})
    eventually(lambda: collector.trace(TRACE), within=10)

    spans = collector.trace(TRACE)
    root, = [span for span in spans if span["kind"] == 2]
    assert root["name"] == "POST /v1/install" and root["parentSpanId"] == "00f067aa0ba902b7"
    assert value(root, "http.response.status_code") == "200" and value(root, "http.route") == "/v1/install"
    assert value(root, "linden.request_id") == answer.headers["x-request-id"]
    writes = [span for span in spans if span["parentSpanId"] == root["spanId"] and span["name"] == "database.write"]
    phases = [[span["name"] for span in spans if span["parentSpanId"] == write["spanId"]] for write in writes]
    assert ["wait", "find", "wait", "run", "commit"] in phases
    for span in spans:
        assert int(root["startTimeUnixNano"]) <= int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"]) <= int(root["endTimeUnixNano"])
    # The others were not traced, and nothing tells who it was.
    assert {span["traceId"] for span in collector.spans} == {TRACE}
    text = json.dumps(collector.bodies)
    assert all(secret not in text for secret in (phone.address, app.branch_key, "pears", *map(str, phone.device.values())))


def test_the_collector_gets_the_headers_that_it_asks_for(tmp_path):
    (tmp_path / "headers").write_text("authorization=Basic%20b3JjaGFyZDpwZWFy==, x-scope=orchard\n")
    with collecting() as collector:
        settings = {"LINDEN_TRACES_ENDPOINT": collector.endpoint, "LINDEN_TRACES_PERCENT": "100",
                    "LINDEN_TRACES_HEADERS_FILE": str(tmp_path / "headers")}
        with running(Server(tmp_path, settings)) as server:
            server.get("/healthz")
            eventually(lambda: collector.headers, within=10)
        sent = collector.headers[0]
    assert (sent["authorization"], sent["x-scope"]) == ("Basic b3JjaGFyZDpwZWFy==", "orchard")


def test_headers_of_another_form_stop_the_start_and_are_not_shown(tmp_path):
    done = linden("serve", "--database", f"sqlite:{tmp_path}/linden.db", settings={"LINDEN_TRACES_HEADERS": "Bearer secret-pear"})

    assert done.status == 1
    assert "The setting traces.headers must be headers such as" in done.complaint and "pear" not in done.err


def test_a_stranger_does_not_decide_and_a_collector_that_is_gone_is_said_once(tmp_path):
    settings = {"LINDEN_TRACES_ENDPOINT": f"http://127.0.0.1:{free_port()}/v1/traces", "LINDEN_TRACES_PERCENT": "100",
                "LINDEN_HTTP_TRUSTED_PROXIES": "10.0.0.0/8"}
    with running(Server(tmp_path, settings)) as server:
        for _ in range(3):
            assert server.get("/v1/app/none", RECORDED).status == 400
        eventually(lambda: "Traces could not be sent." in server.log, within=10)
        server.get("/v1/app/none")
    assert server.log.count("Traces could not be sent.") == 1 and TRACE not in server.log
