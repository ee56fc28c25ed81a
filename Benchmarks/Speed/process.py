"""What a server costs, by the system's own account in /proc."""

import os
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Usage:
    """Of processes and those they have started."""

    cpu_seconds: float = 0
    resident_bytes: int = 0
    # Bytes passed to the file systems, whether or not they have reached the disk.
    written_bytes: int = 0


def usage(pids):
    total = Usage()
    for process in [member for pid in pids for member in family(pid)]:
        folder = Path("/proc") / str(process)
        try:
            # The second field, the name in parentheses, may contain spaces.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            io = (folder / "io").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        # With that of children which have ended. Linux adds their bytes to those of the parent, too.
        total.cpu_seconds += sum(map(int, fields[11:15])) / TICKS
        total.resident_bytes += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
        figures = dict(line.split(": ") for line in io.splitlines())
        total.written_bytes += int(figures["write_bytes"])
    return total


def family(pid):
    """A process and its descendants; none for one that has ended, as a session of PostgreSQL may at any time."""
    try:
        children = (Path("/proc") / str(pid) / "task" / str(pid) / "children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [pid] + [member for child in children for member in family(int(child))]
