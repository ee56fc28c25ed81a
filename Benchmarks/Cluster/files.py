"""The files of Config/cluster as they stand, with the addresses and folders of one machine in place of three."""

import re
from pathlib import Path

FILES = Path(__file__).parents[2] / "Config/cluster"
# The machines of the files. Those of this run are addresses of the loopback network, so that each has all ports to itself.
EXAMPLE = "10.0.0."


class Layout:
    """Where the cluster is: its addresses, by the numbers of machines from 1 on, and its folder."""

    def __init__(self, network, folder, postgres_programs):
        self.network, self.folder, self.postgres_programs = network, Path(folder), postgres_programs

    def machine(self, number):
        return f"{self.network}.0.{number}"

    def forwarder(self, node, machine):
        """The address at which a node reaches a machine's PostgreSQL."""
        return f"{self.network}.{node}.{machine}"

    @property
    def base_url(self):
        return f"http://{self.machine(1)}:8000"

    def machine_folder(self, number):
        return self.folder / f"machine{number}"

    # MARK: The files

    def etcd(self, number):
        return self._write(number, "etcd.yml", {"/var/lib/etcd/linden": str(self.machine_folder(number) / "etcd")})

    def patroni(self, number):
        folder = self.machine_folder(number)
        script = self._write(number, "create-database.sh", {})
        script.chmod(0o755)
        return self._write(number, "patroni.yml", {
            "/var/lib/postgresql/15/linden": str(self.data_folder(number)), "/usr/lib/postgresql/15/bin": self.postgres_programs,
            "/var/run/postgresql": str(folder), "/etc/patroni/create-database.sh": str(script),
            # Connections through the forwarders come from other loopback addresses.
            EXAMPLE + "0/24": "127.0.0.0/8"})

    def data_folder(self, number):
        return self.machine_folder(number) / "postgresql"

    def linden(self, number):
        """The settings of a node, which reaches PostgreSQL through forwarders of its own."""
        forwarded = {f"{EXAMPLE}{machine}:5432": f"{self.forwarder(number, machine)}:5432" for machine in (1, 2)}
        trusted = {"trusted_proxies: [10.0.0.1, 10.0.0.2, 10.0.0.3]": "trusted_proxies: [127.0.0.0/8]"}
        return self._write(number, "linden.yaml", forwarded | trusted | {
            "https://go.example.com": self.base_url, "hsts: 3600": "hsts: off"})

    @property
    def database(self):
        """The address of the database without forwarders, for commands."""
        address = re.search(r"database: (postgres://\S+)", (FILES / "linden.yaml").read_text()).group(1)
        return address.replace(EXAMPLE, self.network + ".0.")

    def haproxy(self, nodes):
        """Without TLS and what only root may do, whose lines are marked, and with as many servers as there are nodes."""
        path = self._write(1, "haproxy.cfg", {
            # So many open files an ordinary user may have.
            "maxconn 20000": "maxconn 2000", "bind :80\n": f"bind {self.machine(1)}:8000\n",
            "bind 127.0.0.1:8404": f"bind {self.machine(1)}:8404",
            "/run/haproxy/admin.sock": str(self.machine_folder(1) / "haproxy.sock")})
        lines = [line for line in path.read_text().splitlines() if not line.endswith(("# TLS", "# root"))]
        server = re.compile(r" *server machine(\d+) ")
        path.write_text("\n".join(line for line in lines if not (found := server.match(line)) or int(found[1]) <= nodes) + "\n")
        return path

    def _write(self, number, name, replacements):
        lines = (FILES / name).read_text().splitlines(keepends=True)
        text = "".join(self._of_machine(line, number) for line in lines)
        for old, new in replacements.items():
            assert old in text, f"Config/cluster/{name} has no {old}"
            text = text.replace(old, new)
        path = self.machine_folder(number) / name
        path.write_text(text.replace(EXAMPLE, self.network + ".0."))
        return path

    @staticmethod
    def _of_machine(line, number):
        if not line.rstrip().endswith("# this machine"):
            return line
        return line.replace("machine1", f"machine{number}").replace(EXAMPLE + "1", f"{EXAMPLE}{number}")
