"""A Linden server under valgrind's callgrind, which counts its instructions."""

import os
import shutil
import subprocess
from pathlib import Path

from arms import HOST
from support import wire
from support.command import BINARY, environment
from support.server import Server


class CountedServer(Server):
    """A server whose instructions are counted: those of all its threads, without the kernel's."""

    def __init__(self, folder, template, settings=None):
        super().__init__(folder, {
            "LINDEN_LOG_LEVEL": "error", "LINDEN_LIMITS_EXEMPT_NETWORKS": "127.0.0.0/8,10.0.0.0/8",
            # Swift's sets and dictionaries then have the same order in every run.
            "SWIFT_DETERMINISTIC_HASHING": "1"} | (settings or {}))
        self.base_url = f"http://{HOST}"
        self.dumps = 0
        shutil.copy(template, self.path)
        # valgrind 3.19 does not read the debugging information of Swift's compiler.
        self.binary = folder / "linden"
        subprocess.run(["strip", "--strip-debug", "-o", self.binary, BINARY], check=True)
        self.library = folder / "sigsuspend.so"
        compiler = shutil.which("cc") or shutil.which("clang")
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-O2", "-o", self.library, Path(__file__).with_name("sigsuspend.c")], check=True)

    def launch(self):
        # On one core there is one event loop, whatever the machine.
        core = str(max(os.sched_getaffinity(0)))
        valgrind = ["taskset", "--cpu-list", core, "valgrind", "--tool=callgrind", f"--callgrind-out-file={self.folder / 'callgrind'}"]
        serve = [self.binary, "serve", "--host", "127.0.0.1", "--port", str(self.port), "--database", self.database,
                 "--base-url", self.base_url]
        with open(self.folder / "server.log", "ab") as log:
            self.process = subprocess.Popen(
                [*valgrind, *serve], env=environment(self.settings) | {"LD_PRELOAD": os.fspath(self.library)},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def zero(self):
        """Counts from here on."""
        self._control("zero")

    def instructions(self):
        """The instructions since the last call of this or of `zero`."""
        self._control("dump")
        self.dumps += 1
        dump = self.folder / f"callgrind.{self.dumps}"
        with open(dump) as lines:
            # The head has it, before megabytes of functions.
            total = next(int(line.split()[1]) for line in lines if line.startswith(("summary:", "totals:")))
        dump.unlink()
        return total

    def _control(self, command):
        subprocess.run(["vgdb", f"--pid={self.process.pid}", command], check=True, capture_output=True, timeout=wire.PATIENCE)
