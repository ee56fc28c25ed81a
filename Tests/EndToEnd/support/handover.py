"""A service manager that holds a server's listening socket, as systemd does (sd_listen_fds(3), sd_notify(3))."""

import socket
import subprocess
import time

from . import wire
from .command import BINARY, environment
from .server import Server


class SocketServer(Server):
    """A server whose socket stays open while one process follows the other."""

    def __init__(self, folder, settings=None):
        super().__init__(folder, settings)
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=1024)
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notices.bind(str(folder / "notify"))
        self.notices.settimeout(wire.PATIENCE)

    def launch(self):
        number = self.listener.fileno()
        # The shell keeps its process id when the server replaces it.
        script = f'exec 3<&{number}; LISTEN_PID=$$ exec "$0" "$@"'
        command = ["bash", "-c", script, BINARY, "serve", "--database", self.database, "--base-url", self.base_url]
        own = environment(self.settings | {"LISTEN_FDS": "1", "NOTIFY_SOCKET": str(self.folder / "notify")})
        with open(self.folder / "server.log", "ab") as log:
            self.process = subprocess.Popen(
                command, env=own, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[number])

    def await_notice(self):
        """The next message of the server to its manager."""
        return self.notices.recv(4096).decode()

    def close(self):
        self.listener.close()
        self.notices.close()


def restart(server, overlapping=False):
    """Replaces the process, and returns the seconds until the new one was ready. If overlapping, it is started first."""
    former = server.process
    begun = time.monotonic()
    if overlapping:
        server.launch()
        time.sleep(0.3)
        former.terminate()
    else:
        former.terminate()
        assert former.wait(timeout=wire.PATIENCE) == 0, server.log
        server.launch()
    assert server.await_notice() == "READY=1"
    assert former.wait(timeout=wire.PATIENCE) == 0, server.log
    return time.monotonic() - begun
