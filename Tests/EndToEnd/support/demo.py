"""`linden demo`, which keeps serving."""

import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from support.command import BINARY, environment
from support.waiting import eventually


@contextmanager
def demo(port=0, within=240):
    """Yields what the demo says, once it says what to try, and its process."""
    with tempfile.TemporaryDirectory(prefix="linden-demo-test-") as folder:
        path = Path(folder) / "output"
        with path.open("wb") as out:
            process = subprocess.Popen(
                [BINARY, "demo", "--port", str(port)], stdout=out, stdin=subprocess.DEVNULL, cwd=folder,
                env=environment({"TMPDIR": folder}))
        try:
            eventually(lambda: " links stats " in path.read_text() or process.poll() is not None, within=within)
            yield path.read_text(), process
        finally:
            process.terminate()
            assert process.wait(timeout=30) == 0
