"""The cluster on one machine: etcd, PostgreSQL under Patroni, Linden's nodes and HAProxy, each with an address of its own."""

import json
import os
import shutil
import signal
import sys
import urllib.request
from pathlib import Path

import psycopg
from files import Layout
from forwarder import Forwarders
from http_client import Client
from processes import Process, children, unprivileged_user, wait_until
from support.app import App
from support.command import BINARY, environment, linden

# The machines with PostgreSQL, and those with etcd.
MEMBERS = (1, 2)
VOTERS = (1, 2, 3)


class Cluster:
    def __init__(self, nodes, network, folder, postgres_programs, say):
        self.layout, self.say, self.user = Layout(network, folder, postgres_programs), say, unprivileged_user()
        self.client = Client(self.layout.machine(1), 8000)
        self.database = self.layout.database
        for number in VOTERS:
            (self.layout.machine_folder(number)).mkdir(parents=True)
        self.etcd = {n: self._process(f"etcd{n}", ["etcd", "--config-file", self.layout.etcd(n)], n) for n in VOTERS}
        programs = Path(sys.executable).parent
        # PostgreSQL's programs are called by Patroni; psql by create-database.sh.
        path = {"PATH": f"{postgres_programs}:{os.environ['PATH']}", "HOME": str(self.layout.folder)}
        self.patroni = {
            n: self._process(f"patroni{n}", [programs / "patroni", self.layout.patroni(n)], n, environment(path)) for n in MEMBERS}
        self.nodes = {
            n: Process(f"linden{n}", [BINARY, "serve", "--config", self.layout.linden(n)], self.layout.machine_folder(n),
                       environment=environment()) for n in range(1, nodes + 1)}
        self.haproxy = self._process("haproxy", ["haproxy", "-db", "-f", self.layout.haproxy(nodes)], 1)
        self.forwarders = None
        self._give_to_user()

    def _process(self, name, command, machine, environment=None):
        return Process(name, command, self.layout.machine_folder(machine), self.user, environment)

    def _give_to_user(self):
        if self.user is None:
            return
        for path in [self.layout.folder, *self.layout.folder.rglob("*")]:
            shutil.chown(path, self.user, self.user)
        # Linden's logs belong to the user that runs the script.
        self.layout.folder.chmod(0o755)

    # MARK: All together

    def start(self):
        self.say("etcd: three voters")
        for voter in self.etcd.values():
            voter.start()
        self.say("PostgreSQL under Patroni: a primary and a synchronous standby")
        for number, member in self.patroni.items():
            member.start()
            if number == MEMBERS[0]:
                wait_until(lambda: self.primary == MEMBERS[0], 60, f"the primary starts ({member.log})")
        wait_until(lambda: self.has_synchronous_standby, 60, "a standby becomes synchronous")
        wait_until(self.has_database, 30, "the database is created")
        self.forwarders = Forwarders(self.layout, self.nodes, MEMBERS)
        self.say(f"Linden: {len(self.nodes)} node{'s' if len(self.nodes) > 1 else ''}")
        for number in self.nodes:
            self.start_node(number)
        self.say("HAProxy")
        self.haproxy.start()
        wait_until(lambda: self.client.answers("/healthz"), 30, f"HAProxy answers ({self.haproxy.log})")

    def stop(self):
        for process in [self.haproxy, *self.nodes.values()]:
            process.stop()
        for process in self.patroni.values():
            process.stop(patience=30)
        for number in MEMBERS:
            # PostgreSQL outlives a Patroni that was killed.
            if pid := self.postmaster(number):
                os.kill(pid, signal.SIGCONT)
                os.kill(pid, signal.SIGQUIT)
        for process in self.etcd.values():
            process.stop()
        if self.forwarders:
            self.forwarders.close()

    # MARK: Nodes

    def start_node(self, number, patience=60):
        node = self.nodes[number].start()
        try:
            wait_until(lambda: self.is_ready(number) or not node.is_running, patience, f"node {number} is ready ({node.log})")
        except TimeoutError as error:
            raise TimeoutError(f"{error}\n{node.last_words}") from None
        if not node.is_running:
            raise RuntimeError(f"node {number} ended by itself:\n{node.last_words}")

    def is_ready(self, number):
        return self.node_client(number).answers("/readyz")

    def node_client(self, number):
        return Client(self.layout.machine(number), 8080)

    # MARK: PostgreSQL

    def postmaster(self, number):
        """The process id of a member's PostgreSQL; None if it does not run."""
        folder = self.layout.data_folder(number)
        try:
            pid = int((folder / "postmaster.pid").read_text().split()[0])
            return pid if str(folder) in Path(f"/proc/{pid}/cmdline").read_text() else None
        except (OSError, ValueError, IndexError):
            return None

    def members(self):
        """What Patroni says of its members, by their numbers; empty if none answers."""
        for number in MEMBERS:
            try:
                with urllib.request.urlopen(f"http://{self.layout.machine(number)}:8008/cluster", timeout=2) as answer:
                    return {int(member["name"].removeprefix("machine")): member for member in json.load(answer)["members"]}
            except (OSError, ValueError):
                continue
        return {}

    @property
    def primary(self):
        """The number of the member that PostgreSQL itself says can be written; None if there is none."""
        for number in MEMBERS:
            try:
                with self.connect(number) as database:
                    if database.execute("SELECT NOT pg_is_in_recovery()").fetchone()[0]:
                        return number
            except psycopg.Error:
                continue
        return None

    @property
    def has_synchronous_standby(self):
        try:
            with self.connect(self.primary or MEMBERS[0]) as database:
                return database.execute("SELECT COUNT(*) FROM pg_stat_replication WHERE sync_state = 'sync'").fetchone()[0] > 0
        except psycopg.Error:
            return False

    def has_database(self):
        try:
            return bool(self.query("SELECT 1"))
        except psycopg.Error:
            return False

    def connect(self, member):
        """A connection to one member as PostgreSQL's superuser."""
        return psycopg.connect(
            host=self.layout.machine(member), user="postgres", password="change-me-postgres", dbname="postgres", connect_timeout=2,
            autocommit=True)

    def query(self, sql, parameters=None):
        """The rows of a query of Linden's database, on the primary."""
        with psycopg.connect(self.database, connect_timeout=2, autocommit=True) as database:
            return database.execute(sql, parameters).fetchall()

    def patronictl(self, *arguments):
        """Runs a command of Patroni to its end."""
        control = Process("patronictl", [
            Path(sys.executable).parent / "patronictl", "-c", self.layout.machine_folder(1) / "patroni.yml", *arguments],
            self.layout.machine_folder(1), self.user).start()
        return control.process.wait(timeout=90)

    def kill_member(self, number):
        """Kills Patroni and PostgreSQL like a machine that fails."""
        pid = self.postmaster(number)
        self.patroni[number].kill()
        os.kill(pid, signal.SIGKILL)

    def processes_of(self, number):
        """Patroni, PostgreSQL and its processes on a machine."""
        pid = self.postmaster(number)
        return [self.patroni[number].pid, pid, *children(pid)]

    # MARK: Linden's command line and calls, as the end-to-end tests' App needs them

    def command(self, *arguments, **options):
        return linden(*arguments, "--database", self.database, **options)

    def ask(self, *arguments):
        done = self.command(*arguments, "--format", "json")
        assert done.status == 0, done.err
        return done.json

    def create_app(self, name="Orchard", *flags):
        return App(self.client, **self.ask("apps", "create", name, *flags))

    def is_whole(self):
        """Whether all nodes are ready, and a standby has every commit."""
        return all(self.is_ready(number) for number in self.nodes) and self.has_synchronous_standby


