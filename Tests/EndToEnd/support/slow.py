"""Clients that take their time, and how long others wait beside them."""

import resource
import time
from contextlib import contextmanager

from . import wire
from .visitors import desktop


@contextmanager
def room_for(connections):
    """Raises the limit of open files of this process and its servers; yields how many connections are possible."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # What is open besides.
    spare = 200
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, connections + spare)), hard))
    try:
        yield max(0, min(connections, hard - spare))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class SlowClients:
    """Connections that stay open after sending nothing, half a head or half a body."""

    def __init__(self, app, count):
        self.app = app
        port = app.server.port
        self.whole = wire.request(port, "POST", "/v1/url", {"branch_key": app.branch_key, "channel": "sms"})
        self.beginnings = [b"", self.whole[:20], self.whole[:-10]]
        self.connections = []
        try:
            for number in range(count):
                self.connections.append(wire.connect(port))
                self.connections[-1].sendall(self.beginnings[number % 3])
        except OSError:
            self.close()
            raise

    def finish(self, number):
        """Completes a request and returns its response."""
        connection = self.connections[number]
        connection.sendall(self.whole[len(self.beginnings[number % 3]):])
        return wire.read_answer(connection)

    def close(self):
        for connection in self.connections:
            connection.close()


def click_times(app, link, count=100):
    """The seconds that redirects of other visitors take, one after the other, sorted."""
    times = []
    for _ in range(count):
        begun = time.monotonic()
        answer = app.click(link, desktop())
        assert answer.status == 302, answer.text
        times.append(time.monotonic() - begun)
    return sorted(times)
