"""A machine's network and folders of its own, so that servers run with the very files that a real machine has: ports 80 and 443, /etc."""

import os
import shutil
import subprocess
from contextlib import contextmanager

import pytest

TOOLS = ("unshare", "nsenter", "ip", "mount")


class Machine:
    """Namespaces of the kernel, which a sleeping process holds."""

    def __init__(self, process):
        self.process = process
        self._enter = ["nsenter", "--target", str(process.pid), "--net", "--mount", "--"]
        self.run("ip", "link", "set", "lo", "up")

    def run(self, *arguments, **options):
        """Runs a command to its end, and returns what it printed."""
        done = subprocess.run([*self._enter, *map(str, arguments)], capture_output=True, text=True, timeout=60, **options)
        assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout

    def add_address(self, address):
        self.run("ip", "addr", "add", address, "dev", "lo", *(["nodad"] if ":" in address else []))

    @contextmanager
    def running(self, *arguments, log, **options):
        """Runs a server until the end of the block."""
        with open(log, "ab") as output:
            process = subprocess.Popen(
                [*self._enter, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=output, stderr=output, **options)
        try:
            yield process
            assert process.poll() is None, log.read_text()
        finally:
            process.terminate()
            try:
                process.wait(timeout=45)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def machine():
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if os.geteuid() != 0 or missing:
        pytest.skip(f"a network of its own needs root and {', '.join(missing) or 'its tools'}")
    command = ["unshare", "--net", "--mount", "sh", "-c", "mount --make-rprivate / && echo ready && exec sleep 600"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout.readline() != "ready\n":
                pytest.skip("this system allows no network of its own")
            yield Machine(process)
        finally:
            process.kill()
