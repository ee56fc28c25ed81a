"""A clock that a test sets for the server alone."""

import shutil
import struct
import subprocess
from pathlib import Path

import pytest


class Clock:
    """An adjustable clock, loaded into a server by its environment."""

    def __init__(self, folder):
        compiler = shutil.which("cc") or shutil.which("clang")
        if compiler is None:
            pytest.skip("there is no C compiler for the library that sets the clock")
        library = folder / "clock.so"
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-O1", "-o", library, Path(__file__).with_suffix(".c")], check=True)
        self.file = folder / "clock"
        self.set(0)
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_FILE": str(self.file)}

    def set(self, seconds):
        """The offset of the clock from the real one; negative if behind."""
        with open(self.file, "r+b" if self.file.exists() else "w+b") as file:
            file.write(struct.pack("q", seconds))
