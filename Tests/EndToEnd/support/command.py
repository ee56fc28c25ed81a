"""The binary under test, as a command."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

BINARY = str(Path(os.environ.get("LINDEN_BINARY") or Path(__file__).parents[3] / ".build/debug/linden").resolve())


@dataclass(frozen=True)
class Completed:
    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def complaint(self):
        """The line on standard error that describes the error; for arguments, the usage follows it."""
        complaint, *usage = self.err.splitlines()
        if usage:
            assert len(usage) == 2 and usage[0].startswith("Usage: linden ") and usage[1].startswith("  See 'linden "), self.err
        return complaint


def environment(settings=None):
    """The environment without Linden's settings, and with those given."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("LINDEN_")}
    return own | (settings or {})


def linden(*arguments, settings=None, stdin=subprocess.DEVNULL, folder=None, user=None):
    """Runs `linden` until it exits."""
    done = subprocess.run(
        [BINARY, *arguments], env=environment(settings), stdin=stdin, cwd=folder, user=user,
        capture_output=True, text=True, timeout=60)
    return Completed(done.returncode, done.stdout, done.stderr)
