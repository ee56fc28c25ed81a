"""The servers that are measured: Linden on both engines, the same framework recording nothing, and nginx."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from fsync import Fsyncs
from process import usage

sys.path.insert(0, str(Path(__file__).parents[2] / "Tests/EndToEnd"))

from support import wire  # noqa: E402
from support.command import linden  # noqa: E402
from support.server import Server, free_port  # noqa: E402

HOST = "go.orchard.example"


class Linden:
    """A server on a copy of a prepared database."""

    # Seconds until new rows are aggregated: the rows of the last two seconds wait, and maintenance runs once a second.
    lag = 3.2
    records = True

    def __init__(self, name, folder, template, prepare=lambda path: None, delay_ms=0, trickle=None):
        self.name, self.folder = name, folder
        # A background load and its requests per second, besides the measured load.
        self.trickle = trickle
        folder.mkdir()
        self.fsyncs = Fsyncs(folder, delay_ms)
        self.server = measured(Server(folder, self.fsyncs.environment))
        self.port = self.server.port
        shutil.copy(template, self.server.path)
        prepare(self.server.path)

    def start(self):
        begun = time.monotonic()
        self.server.start()
        self.start_ms = (time.monotonic() - begun) * 1000
        self.start_mb = self.server.path.stat().st_size / 1e6
        self.pids, self.ports = [self.server.process.pid], [self.server.port]

    def stop(self):
        if self.server.is_running:
            self.server.stop()


def measured(server):
    # The limits are not measured: a few generators stand for all visitors, so their networks are exempt.
    server.settings |= {"LINDEN_LOG_LEVEL": "error", "LINDEN_LIMITS_EXEMPT_NETWORKS": "127.0.0.0/8,10.0.0.0/8"}
    server.base_url = f"http://{HOST}"
    return server


class LindenOnPostgres:
    """Servers on a copy of a prepared database on PostgreSQL, whose own use of the machine is counted with theirs."""

    lag = 3.2
    records = True
    fsyncs = trickle = None

    def __init__(self, name, folder, template, postgres, count):
        self.name = name
        url, self.process = postgres
        database = f"bench_{folder.name}".replace("-", "_")
        self.url = f"{url.rpartition('/')[0]}/{database}"
        psql(url, f"CREATE DATABASE {database} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
        copied = linden("copy", "--from", f"sqlite:{template}", "--to", self.url)
        if copied.status:
            raise RuntimeError(f"the database was not copied:\n{copied.err}")
        self.servers = []
        for number in range(count):
            (folder / str(number)).mkdir(parents=True)
            server = measured(Server(folder / str(number)))
            server.database = self.url
            server.query = lambda sql: [tuple(map(int, line.split("|"))) for line in psql(self.url, sql).splitlines()]
            self.servers.append(server)
        self.server, self.port = self.servers[0], self.servers[0].port

    def start(self):
        for server in self.servers:
            server.start()
        self.pids = [server.process.pid for server in self.servers] + [self.process]
        self.ports = [server.port for server in self.servers]

    def stop(self):
        for server in self.servers:
            if server.is_running:
                server.stop()


def psql(url, sql):
    command = ["psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--tuples-only", "--no-align", "--command", sql, url]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Program:
    """A server that is a program and its arguments."""

    fsyncs = trickle = None
    lag = 0.2
    records = False

    def __init__(self, name, arguments, port):
        self.name, self.arguments, self.port = name, arguments, port
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.arguments, stdin=subprocess.DEVNULL)
        self.pids, self.ports = [self.process.pid], [self.port]
        deadline = time.monotonic() + wire.PATIENCE
        while True:
            try:
                return wire.connect(self.port).close()
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"{self.name} does not start: {self.arguments}") from None
                time.sleep(0.02)

    def stop(self):
        if self.process is not None:
            self.process.terminate()
            self.process.wait(timeout=wire.PATIENCE)


def bare(binary):
    port = free_port()
    return Program("bare Hummingbird", [binary, str(port)], port)


def nginx(folder, slugs):
    """One worker that looks a link up in a map and redirects, with its access log as it is by default."""
    folder.mkdir()
    port = free_port()
    links = "\n".join(f"    /{slug} https://orchard.example.com/apples/{number};" for number, slug in enumerate(slugs))
    (folder / "links.map").write_text(links)
    (folder / "nginx.conf").write_text(f"""
{'user root;' if os.geteuid() == 0 else ''}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    keepalive_requests 100000000;
    map_hash_max_size 262144;
    map_hash_bucket_size 128;
    map $uri $link {{
        include {folder}/links.map;
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            add_header Cache-Control no-store;
            return 302 $link;
        }}
    }}
}}
""")
    return Program("nginx + access log", [shutil.which("nginx") or "/usr/sbin/nginx", "-p", folder, "-c", folder / "nginx.conf"], port)


def settle(arm, limit=20):
    """Waits until a server has done what it does after a round, such as counting. Gives its usage then."""
    deadline = time.monotonic() + limit
    time.sleep(arm.lag)
    last = usage(arm.pids)
    while time.monotonic() < deadline:
        time.sleep(arm.lag / 2)
        now = usage(arm.pids)
        if now.cpu_seconds - last.cpu_seconds < 0.05:
            return now
        last = now
    return last
