"""Counts a server's fsyncs, and can make them slow."""

import os
import shutil
import struct
import subprocess
from pathlib import Path


class Fsyncs:
    def __init__(self, folder, delay_ms=0):
        library = folder / "fsync.so"
        compiler = shutil.which("cc") or shutil.which("clang")
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", library, Path(__file__).with_suffix(".c")], check=True)
        self.file = folder / "fsyncs"
        self.file.write_bytes(bytes(8))
        self.environment = {
            "LD_PRELOAD": os.fspath(library), "FSYNC_COUNT": os.fspath(self.file), "FSYNC_DELAY_US": str(int(delay_ms * 1000))}

    @property
    def count(self):
        return struct.unpack("Q", self.file.read_bytes())[0]
