"""A system in which dpkg installs the package: this machine's files, where what is written stays in memory."""

import json
import os
from contextlib import contextmanager
from pathlib import Path

import pytest

from .machine import machine

OWN = ("/etc/linden", "/var/lib/linden", "/usr/bin/linden")


class System:
    def __init__(self, machine, root):
        self.machine = machine
        self.root = root

    def run(self, *arguments, user="root"):
        return self.machine.run(
            "chroot", f"--userspec={user}", self.root, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *arguments)

    def dpkg(self, *arguments):
        self.run("dpkg", "--force-unsafe-io", "--no-triggers", *arguments)

    def unpack_until_killed(self, name):
        """Kills dpkg as soon as it has begun to unpack a file."""
        self.run("bash", "-c", f"""
            dpkg --force-unsafe-io --unpack /mnt/linden.deb &
            until [ -e {name}.dpkg-new ] || [ -z "$(jobs -rp)" ]; do :; done
            kill -9 $!
            wait || true""")

    def path(self, name):
        return Path(f"/proc/{self.machine.process.pid}/root{self.root}{name}")

    def has(self, name):
        return self.path(name).exists()

    @property
    def state(self):
        return self.run("dpkg-query", "--show", "--showformat=${db:Status-Status}", "linden")

    def apps(self, *arguments):
        return json.loads(self.run("linden", "apps", *arguments, "--format", "json", user="linden:linden"))


@contextmanager
def installed(package, folder):
    """A system that has a package as /mnt/linden.deb. Root may have one where the kernel allows it, and no package is installed."""
    if any(os.path.exists(path) for path in OWN):
        pytest.skip("the package is installed here")
    with machine() as namespaces:
        root = folder / "memory/root"
        try:
            namespaces.run("sh", "-ec", f"""
                cd {folder}
                mkdir memory packages
                ln {package} packages/linden.deb
                mount -t tmpfs tmpfs memory
                mkdir memory/upper memory/work {root}
                mount -t overlay -o lowerdir=/,upperdir=memory/upper,workdir=memory/work overlay {root}
                mount -t tmpfs tmpfs {root}/run
                for name in dev proc; do mount --rbind /$name {root}/$name; done
                mount --bind packages {root}/mnt""")
        except AssertionError as refused:
            pytest.skip(f"this system allows no copy of its files: {refused}")
        yield System(namespaces, root)
