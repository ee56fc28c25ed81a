"""Requests at a steady rate beside a load: python trickle.py PORT RATE FILE, until it is ended."""

import socket
import subprocess
import sys
import time
from contextlib import contextmanager

from pipeline import read

INTERVAL = 0.05


@contextmanager
def trickling(port, rate, requests):
    process = subprocess.Popen([sys.executable, __file__, str(port), str(rate), requests], stdin=subprocess.DEVNULL)
    try:
        yield
        if process.poll() is not None:
            raise RuntimeError("the requests beside the load came to an end")
    finally:
        process.kill()
        process.wait()


def main(port, rate, path):
    with open(path, "rb") as file:
        requests = [file.read(int(length)) for length in iter(file.readline, b"")]
    burst = max(1, int(rate * INTERVAL))
    due = time.monotonic()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        for start in range(0, len(requests), burst):
            part = requests[start:start + burst]
            connection.sendall(b"".join(part))
            read(connection, len(part))
            due += INTERVAL
            time.sleep(max(0, due - time.monotonic()))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
