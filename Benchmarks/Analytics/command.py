"""Runs `linden` and tells how long it took and how much memory it had."""

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from support.command import BINARY, environment


@dataclass(frozen=True)
class Run:
    seconds: float
    #: Peak resident memory in MB.
    memory: float
    out: str
    err: str


def run(database, *arguments, quiet=True):
    """To its end, however long that takes. What it writes goes nowhere with `quiet`, but for the standard error stream."""
    began = time.monotonic()
    process = subprocess.Popen(
        [BINARY, *arguments, "--database", database], env=environment(), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if quiet else subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    memory = 0
    if quiet:
        while process.poll() is None:
            memory = max(memory, peak(process.pid))
            time.sleep(0.01)
    out, err = process.communicate()
    seconds = time.monotonic() - began
    if process.returncode != 0:
        raise SystemExit(f"linden {' '.join(arguments)} failed:\n{err or out}")
    return Run(seconds, memory, out, err)


def peak(pid):
    """The most that a process ever had resident (VmHWM, proc(5)), in MB."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)
