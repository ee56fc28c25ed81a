"""The example configurations of proxies, in the real servers: TLS, HTTP/2, visitors' addresses, and certificates for new domains."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from ipaddress import ip_address
from pathlib import Path

import pytest

from support.command import BINARY, environment, linden
from support.machine import machine
from support.visitors import desktop
from support.waiting import eventually

EXAMPLES = Path(__file__).parents[2] / "Config" / "proxies"
BASE_URL = "https://go.example.com"
VISITORS = ["203.0.113.7", "2001:db8::7"]
# Where certbot puts the certificate, and the files that it shows to Let's Encrypt.
CERTIFICATES, WEBROOT = "/etc/letsencrypt/live/go.example.com", "/var/www/html"
ASK = "http://127.0.0.1:8080/api/v1/certificates/ask?domain="


@pytest.fixture(params=["nginx", "caddy"])
def proxy(request):
    # Debian has it where only root finds it.
    os.environ["PATH"] += ":/usr/sbin"
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return request.param


@pytest.fixture
def site(tmp_path):
    """Linden on the address and with the settings that the examples name, on a machine of its own."""
    with machine() as own:
        for visitor in VISITORS:
            own.add_address(visitor)
        site = Site(own, tmp_path)
        settings = environment({
            "LINDEN_HTTP_BASE_URL": BASE_URL, "LINDEN_HTTP_TRUSTED_PROXIES": "127.0.0.1", "LINDEN_PRIVACY_ADDRESSES": "raw",
            "LINDEN_HTTP_HSTS": "31536000", "LINDEN_LOG_REQUESTS": "json"})
        with own.running(BINARY, "serve", "--database", site.database, log=tmp_path / "linden.log", env=settings):
            eventually(lambda: site.is_open(8080), within=30)
            yield site


class Site:
    def __init__(self, own, folder):
        self.machine, self.folder = own, folder
        self.database = f"sqlite:{folder / 'linden.db'}"
        self.authority = folder / "authority.pem"

    def ask(self, *arguments):
        done = linden(*arguments, "--database", self.database, "--format", "json")
        assert done.status == 0, done.err
        return done.json

    def is_open(self, port):
        listening = self.machine.run("ss", "-Htln", f"sport = :{port}")
        return listening != ""

    def curl(self, url, *options, visitor=VISITORS[0]):
        """Requests a URL as a visitor at an address; returns status, version of HTTP, redirect, and headers."""
        address = f"[{visitor}]" if ":" in visitor else visitor
        host = url.split("/")[2]
        out = self.machine.run(
            "curl", "--silent", "--show-error", "--max-time", "30", "--cacert", self.authority, "--interface", visitor,
            "--connect-to", f"{host}::{address}:", "--user-agent", desktop().user_agent, "--output", "/dev/null",
            "--write-out", '{"status": %{http_code}, "version": "%{http_version}", "to": "%{redirect_url}", "headers": %{header_json}}',
            *options, url)
        return json.loads(out)

    def addresses(self):
        """The addresses of the clicks' visitors."""
        with closing(sqlite3.connect(f"file:{self.folder / 'linden.db'}?mode=ro", uri=True)) as database:
            return [address for (address,) in database.execute("SELECT address FROM clicks ORDER BY id")]


def running_nginx(site):
    """nginx as Debian starts it, with the example in the folder that its own configuration includes."""
    folder = site.folder
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=Test CA",
            "-keyout", folder / "authority.key", "-out", site.authority)
    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=go.example.com",
            "-keyout", folder / "privkey.pem", "-out", folder / "request.pem")
    (folder / "names").write_text("subjectAltName=DNS:go.example.com\n")
    openssl("x509", "-req", "-in", folder / "request.pem", "-CA", site.authority, "-CAkey", folder / "authority.key", "-CAcreateserial",
            "-days", "2", "-extfile", folder / "names", "-out", folder / "fullchain.pem")
    # The folders of certbot, here.
    text = (EXAMPLES / "nginx.conf").read_text()
    assert text.count(CERTIFICATES + "/") == 2 and text.count(WEBROOT) == 1
    (folder / "linden.conf").write_text(text.replace(CERTIFICATES, str(folder)).replace(WEBROOT, str(folder / "html")))
    main = folder / "nginx.conf"
    main.write_text(
        f"user root; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;\nevents {{}}\n"
        f"http {{ access_log {folder}/access.log; include {folder}/linden.conf; }}\n")
    return site.machine.running("nginx", "-p", folder, "-c", main, log=folder / "nginx.log")


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def running_caddy(site):
    """Caddy with the example, but for its certificate authority: Caddy's own in place of Let's Encrypt."""
    adapted = json.loads(subprocess.run(
        ["caddy", "adapt", "--config", EXAMPLES / "Caddyfile", "--adapter", "caddyfile"], check=True, capture_output=True).stdout)
    for policy in adapted["apps"]["tls"]["automation"]["policies"]:
        policy["issuers"] = [{"module": "internal"}]
    adapted["apps"]["pki"] = {"certificate_authorities": {"local": {"install_trust": False}}}
    adapted["admin"] = {"disabled": True}
    (site.folder / "caddy.json").write_text(json.dumps(adapted))
    site.authority = site.folder / "caddy/pki/authorities/local/root.crt"
    own = os.environ | {"XDG_DATA_HOME": str(site.folder), "XDG_CONFIG_HOME": str(site.folder), "HOME": str(site.folder)}
    return site.machine.running("caddy", "run", "--config", site.folder / "caddy.json", log=site.folder / "caddy.log", env=own)


RUNNING = {"nginx": running_nginx, "caddy": running_caddy}


def test_a_link_is_visited_over_http_2_and_the_visitors_own_address_is_stored(site, proxy):
    app = site.ask("apps", "create", "Orchard", "--default-url", "https://orchard.example.com/")
    link = site.ask("links", "create", "--app", app["branch_key"])["url"]
    assert link.startswith(BASE_URL + "/")

    with RUNNING[proxy](site):
        eventually(lambda: site.is_open(443), within=30)
        for visitor in VISITORS:
            answer = site.curl(link, "--http2", "--header", "X-Forwarded-For: 198.51.100.1", visitor=visitor)
            assert (answer["status"], answer["version"]) == (302, "2")
            assert answer["to"].startswith("https://orchard.example.com/")
            assert answer["headers"]["strict-transport-security"] == ["max-age=31536000"]

        created = site.curl(
            BASE_URL + "/v1/url", "--json", json.dumps({"branch_key": app["branch_key"]}), "--fail-with-body")
        assert created["status"] == 200
        plain = site.curl(link.replace("https:", "http:"))
        assert plain["status"] in (301, 308) and plain["to"] == link

        # What is for the proxy itself is not for visitors.
        for path in ("/readyz", "/api/v1/certificates/ask?domain=go.example.com"):
            assert site.curl(BASE_URL + path)["status"] == 404

    # Of IPv6 the network is kept.
    assert [ip_address(address.split("/")[0]) for address in site.addresses()] == [ip_address("203.0.113.7"), ip_address("2001:db8::")]
    doctor = linden("doctor", "app", app["branch_key"], "--database", site.database, "--format", "json")
    assert [check["detail"] for check in doctor.json["checks"] if check["check"] == "server.proxies"] == []


def test_nginx_serves_what_a_renewal_of_the_certificate_asks_for_without_tls(site):
    os.environ["PATH"] += ":/usr/sbin"
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
    challenge = site.folder / "html/.well-known/acme-challenge"
    challenge.mkdir(parents=True)
    (challenge / "token").write_text("answer")

    with running_nginx(site):
        eventually(lambda: site.is_open(80), within=30)
        plain = BASE_URL.replace("https:", "http:")
        assert site.curl(plain + "/.well-known/acme-challenge/token")["status"] == 200
        assert site.curl(plain + "/.well-known/assetlinks.json")["to"] == BASE_URL + "/.well-known/assetlinks.json"


def test_proxies_close_idle_connections_before_linden_does():
    """Linden does after 60 seconds."""
    for name in ("nginx.conf", "nginx-installations.conf"):
        upstreams = re.findall(r"^upstream .*?^}", (EXAMPLES / name).read_text(), re.DOTALL | re.MULTILINE)
        assert upstreams and all("\n    keepalive_timeout 50s;\n" in upstream for upstream in upstreams)
    assert re.search(r"\n\t\ttransport http \{\n\t\t\tkeepalive 50s\n", (EXAMPLES / "Caddyfile").read_text())


@pytest.mark.parametrize("version", ["--http1.1", "--http2"])
def test_a_link_that_is_all_in_its_address_may_be_long(site, proxy, version):
    app = site.ask("apps", "create", "Orchard", "--default-url", "https://orchard.example.com/")

    with RUNNING[proxy](site):
        eventually(lambda: site.is_open(443), within=30)
        answer = site.curl(f"{BASE_URL}/a/{app['branch_key']}?pear={'g' * 60_000}", version)

    assert answer["status"] == 302
    assert answer["to"].startswith("https://orchard.example.com/")


def test_visitors_do_not_decide_what_is_traced(site, proxy):
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    sent = ("--header", f"traceparent: 00-{trace}-00f067aa0ba902b7-01")

    with RUNNING[proxy](site):
        eventually(lambda: site.is_open(443), within=30)
        through = site.curl(BASE_URL + "/openapi.yaml", *sent)
    direct = site.machine.run("curl", "--silent", "--head", *sent, "http://127.0.0.1:8080/openapi.yaml")

    # A request without an id of its own is known by that of its trace.
    assert f"x-request-id: {trace}" in direct.lower()
    assert through["headers"]["x-request-id"] != [trace]


def test_a_body_that_is_too_large_gets_lindens_own_answer(site, proxy):
    app = site.ask("apps", "create", "Orchard")
    body = site.folder / "body.json"
    body.write_text(json.dumps({"branch_key": app["branch_key"], "data": {"text": "a" * 700_000}}))

    with RUNNING[proxy](site):
        eventually(lambda: site.is_open(443), within=30)
        answer = site.curl(BASE_URL + "/v1/url", "--json", f"@{body}")

    assert answer["status"] == 413
    assert answer["headers"]["content-type"][0].startswith("application/json")


def test_caddy_gets_certificates_for_the_domains_of_apps_as_they_are_added_and_for_no_other_host(site):
    if shutil.which("caddy") is None:
        pytest.skip("caddy is not installed")
    app = site.ask("apps", "create", "Orchard", "--default-url", "https://orchard.example.com/")
    url = "https://go.orchard.example/"

    with running_caddy(site):
        eventually(lambda: site.is_open(443), within=30)
        assert site.curl(BASE_URL + "/nothing")["status"] == 404
        with pytest.raises(AssertionError, match="(?i)ssl|tls"):
            site.curl(url)

        site.ask("domains", "add", "go.orchard.example", "--app", app["branch_key"])
        link = site.ask("links", "create", "--app", app["branch_key"])["url"]
        assert link.startswith(url)

        eventually(lambda: site.machine.run(*asking("go.orchard.example")) == "200")
        assert site.curl(link)["status"] == 302
        with pytest.raises(AssertionError, match="(?i)ssl|tls"):
            site.curl("https://other.example/")


def asking(host, *options):
    return "curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", *options, ASK + host


def test_only_the_proxy_itself_may_ask_about_hosts(site):
    app = site.ask("apps", "create", "Orchard")
    site.ask("domains", "add", "go.orchard.example", "--app", app["branch_key"])
    ask = lambda host, *options: site.machine.run(*asking(host, *options))

    for host in ("go.orchard.example", "GO.orchard.example", "go.example.com"):
        assert ask(host) == "200", host
    for host in ("orchard.example", "a.go.orchard.example", "", "127.0.0.1:8080", "a" * 300, "*.orchard.example", "%00"):
        assert ask(host) == "404", host
    assert ask("go.orchard.example", "--header", "X-Forwarded-For: 203.0.113.7") == "404"


def test_asking_about_many_unknown_hosts_keeps_no_host_from_its_certificate(site):
    app = site.ask("apps", "create", "Orchard")
    site.ask("domains", "add", "go.orchard.example", "--app", app["branch_key"])

    codes = site.machine.run(
        "curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}\n", ASK + "h[1-900].example").split()
    site.ask("domains", "add", "new.orchard.example", "--app", app["branch_key"])

    assert set(codes) == {"404"} and len(codes) == 900
    # The first has been in no cache since the second was added.
    for host in ("go.orchard.example", "new.orchard.example", "go.example.com"):
        eventually(lambda: site.machine.run(*asking(host)) == "200")
