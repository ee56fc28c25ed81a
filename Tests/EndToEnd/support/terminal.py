"""`linden` as a person runs it, at a terminal."""

import os
import pty
import re
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

from .command import BINARY, environment


@dataclass(frozen=True)
class Seen:
    status: int
    # What was piped away.
    out: str
    # What the terminal showed of the standard error stream, and of what was typed.
    screen: str


def linden_at_terminal(*arguments, typed="", settings=None, folder=None, patience=60):
    """Runs `linden` until it exits, with a terminal for input and messages. Results are piped, as to a file."""
    terminal, end = pty.openpty()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            [BINARY, *arguments], stdin=end, stdout=out, stderr=end, env=environment(settings), cwd=folder, start_new_session=True)
        os.close(end)
        os.write(terminal, typed.encode())
        try:
            screen = _read(terminal, time.monotonic() + patience)
            status = process.wait(timeout=patience)
        finally:
            process.kill()
            process.wait()
            os.close(terminal)
        out.seek(0)
        return Seen(status, out.read().decode(), screen)


def serving_at_terminal(*arguments, until, patience=60):
    """Runs `linden serve` until its terminal shows a pattern, then stops it. Returns what was shown."""
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        [BINARY, "serve", *arguments], stdin=end, stdout=end, stderr=end, env=environment(None), start_new_session=True)
    os.close(end)
    shown, deadline = b"", time.monotonic() + patience
    try:
        while not re.search(until, shown.decode(errors="replace")) and time.monotonic() < deadline:
            shown += os.read(terminal, 65536)
        process.send_signal(signal.SIGTERM)
        while process.poll() is None:
            try:
                os.read(terminal, 65536)  # a full terminal would keep the process waiting
            except OSError:
                break
        process.wait(timeout=patience)
    finally:
        process.kill()
        process.wait()
        os.close(terminal)
    return shown.decode(errors="replace")


def _read(terminal, deadline):
    shown = b""
    while time.monotonic() < deadline:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # the last process has closed it
            break
        if not chunk:
            break
        shown += chunk
    return shown.decode(errors="replace").replace("\r\n", "\n")
