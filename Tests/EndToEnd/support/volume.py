"""A small file system of its own, which can be full and can be read-only."""

import os
import subprocess
from contextlib import contextmanager

import pytest


class Volume:
    def __init__(self, folder):
        self.folder = folder
        self.ballast = folder / "ballast"

    def fill(self):
        with open(self.ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def make_room(self):
        self.ballast.unlink()

    def make_read_only(self, is_read_only=True):
        subprocess.run(["mount", "-o", "remount," + ("ro" if is_read_only else "rw"), self.folder], check=True)


@contextmanager
def volume(folder, megabytes):
    """A volume in memory, which root may create where the system allows it."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder]
    done = subprocess.run(mount, capture_output=True, text=True) if os.geteuid() == 0 else None
    if done is None or done.returncode != 0:
        pytest.skip("a file system of its own cannot be mounted: " + (done.stderr.strip() if done else "this is not root"))
    try:
        yield Volume(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
