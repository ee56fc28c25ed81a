"""Processes of the cluster: started as an unprivileged user where this is root, and ended by their ids alone."""

import os
import pwd
import signal
import subprocess
import time
from pathlib import Path


class Process:
    """A program with a log of its own, which may be killed, paused and started again."""

    def __init__(self, name, command, folder, user=None, environment=None):
        self.name, self.command, self.user, self.environment = name, [str(part) for part in command], user, environment
        self.log = Path(folder) / f"{name}.log"
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            # A session of its own, so that Ctrl-C reaches only the script, which stops everything in order.
            self.process = subprocess.Popen(
                self.command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                cwd=self.log.parent, **as_user(self.user))
        return self

    @property
    def pid(self):
        return self.process.pid

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def wake(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self, patience=20):
        if not self.is_running:
            return
        self.wake()
        self.process.terminate()
        try:
            self.process.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            self.kill()

    @property
    def last_words(self):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-5:])


def unprivileged_user():
    """The user for programs that refuse to run as root; None where this is not root."""
    return "postgres" if os.geteuid() == 0 else None


def as_user(user):
    """The arguments by which a process becomes a user."""
    if user is None:
        return {}
    entry = pwd.getpwnam(user)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def wait_until(holds, within, what):
    """Waits until a condition holds; fails with a sentence if it does not in time."""
    deadline = time.monotonic() + within
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {within} seconds")
        time.sleep(0.1)


def children(pid):
    """The processes that a process started and that still run."""
    return [int(number) for number in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
