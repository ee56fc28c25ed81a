"""A host of links that stands before Linden, or instead of it, and answers as rightly or wrongly as a test wants."""

import ssl
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

# A certificate for go.orchard.example that signs itself, with its key; made for these tests alone and good until 2126.
CERTIFICATE = Path(__file__).parent.parent / "fixtures" / "go.orchard.example.pem"


@dataclass(frozen=True)
class Reply:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})


@contextmanager
def host(reply, tls=False, tickets=2):
    """Serves what `reply` returns for a path and the Host header, and yields the port.

    A client that connects by TLS gets tickets with which it may resume the session.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            answer = reply(self.path, self.headers["Host"])
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, *arguments):
            pass

    class Host(ThreadingHTTPServer):
        def handle_error(self, request, client):
            pass  # A client that does not like the certificate leaves.

    server = Host(("127.0.0.1", 0), Handler)
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        context.num_tickets = tickets
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
