"""Apps that are divided among installations, each with a database of its own on either engine, behind a proxy that knows their hosts."""

import os
import re
import shutil
import subprocess
from contextlib import nullcontext
from pathlib import Path

import pytest

from support import wire
from support.postgres import POSTGRES, new_database, psql, url
from support.server import Server, free_port, running
from support.visitors import desktop, iphone
from support.waiting import eventually

EXAMPLE = Path(__file__).parents[2] / "Config" / "proxies" / "nginx-installations.conf"
HOSTS = {"orchard": "go.orchard.example", "meadow": "go.meadow.example"}


class Host:
    """An installation as its clients know it: a host behind the proxy."""

    def __init__(self, port, host):
        self.port, self.host = port, host

    def send(self, method, target, body=b"", headers=None):
        return wire.exchange(self.port, wire.request(self.port, method, target, body, {"Host": self.host} | (headers or {})))


@pytest.fixture
def postgres():
    """The URL of an empty database; None without PostgreSQL."""
    with new_database() if POSTGRES else nullcontext() as name:
        yield name and url(name)


@pytest.fixture
def installations(tmp_path, postgres):
    """Two servers, one of them on PostgreSQL where there is one, and the proxy with the example's hosts."""
    os.environ["PATH"] += ":/usr/sbin"
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
    servers = {}
    for name, host in HOSTS.items():
        (tmp_path / name).mkdir()
        servers[name] = Server(tmp_path / name)
        servers[name].base_url = f"https://{host}"
    servers["meadow"].database = postgres or servers["meadow"].database
    port = free_port()
    text = EXAMPLE.read_text()
    for name, number in (("orchard", 8081), ("meadow", 8082)):
        text = text.replace(f"127.0.0.1:{number}", f"127.0.0.1:{servers[name].port}")
    usage = " ".join(re.findall(r"^#   (.+;.*)$", text, re.MULTILINE))
    assert "proxy_pass http://$linden;" in usage
    settings = tmp_path / "nginx.conf"
    settings.write_text(
        f"daemon off; pid {tmp_path}/nginx.pid; error_log {tmp_path}/error.log;\nevents {{}}\nhttp {{ access_log off;\n{text}\n"
        f"server {{ listen 127.0.0.1:{port}; location / {{ {usage} proxy_http_version 1.1;\n"
        'proxy_set_header Host $host; proxy_set_header Connection ""; } } }\n')
    with running(servers["orchard"]), running(servers["meadow"]):
        proxy = subprocess.Popen(["nginx", "-p", tmp_path, "-c", settings])
        try:
            eventually(lambda: answers(Host(port, HOSTS["orchard"])), within=30)
            yield {name: (servers[name], Host(port, host)) for name, host in HOSTS.items()}
        finally:
            proxy.terminate()
            proxy.wait(timeout=30)


def answers(host):
    try:
        return host.send("GET", "/healthz").status == 200
    except wire.CUT_OFF:
        return False


def count(server, table):
    sql = f"SELECT COUNT(*) FROM {table}"
    return int(psql(sql, server.database) if server.database.startswith("postgres:") else server.query(sql)[0][0])


def test_links_and_sdks_reach_the_installation_of_their_host_and_no_other(installations):
    apps, links = {}, {}
    for name, (server, host) in installations.items():
        apps[name] = server.create_app(name, "--default-url", f"https://{name}.example.com/")
        created = host.send("POST", "/v1/url", {"branch_key": apps[name].branch_key, "data": {"name": name}})
        links[name] = created.json["url"]
        assert links[name].startswith(f"https://{HOSTS[name]}/")

    for name, (server, host) in installations.items():
        path = "/" + links[name].rsplit("/", 1)[1]
        visit = host.send("GET", path, headers=desktop().headers)
        assert (visit.status, visit.location.split("?")[0]) == (302, f"https://{name}.example.com/")
        install = host.send("POST", "/v1/install", {
            "branch_key": apps[name].branch_key, "os": "iOS", "os_version": "17.5.1", "link_identifier": links[name]}, iphone().headers)
        assert install.status == 200, install.text
        assert count(server, "clicks") == count(server, "sessions") == 1

    orchard, meadow = installations["orchard"][1], installations["meadow"][1]
    assert meadow.send("GET", "/" + links["orchard"].rsplit("/", 1)[1], headers=desktop().headers).status == 404
    assert orchard.send("POST", "/v1/open", {"branch_key": apps["meadow"].branch_key}).status == 400


def test_a_host_of_no_installation_is_refused(installations):
    port = installations["orchard"][1].port

    assert Host(port, "other.example").send("GET", "/pears", headers=desktop().headers).status == 421
    assert Host(port, "a.links.orchard.example").send("GET", "/healthz").status == 200
