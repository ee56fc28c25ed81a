"""Raw requests in numbers: pipelined, counted by the status of their answers."""

import json
import re
import socket
import time
from collections import Counter
from dataclasses import dataclass, field

STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
# The time limit in seconds for the whole response to a request.
PATIENCE = 10
# Processes that attack at the same time.
PROCESSES = 2


@dataclass
class Outcome:
    """What an attack saw of the server."""

    requests: int = 0
    # Bytes of the requests that were sent, where they are counted.
    sent: int = 0
    statuses: Counter = field(default_factory=Counter)
    slowest: float = 0
    # Requests without an answer, or with one that no request may get.
    faults: list = field(default_factory=list)

    def add(self, other):
        self.requests += other.requests
        self.sent += other.sent
        self.statuses += other.statuses
        self.slowest = max(self.slowest, other.slowest)
        self.faults += other.faults[: 20 - len(self.faults)]

    def fault(self, text):
        if len(self.faults) < 20:
            self.faults.append(text)

    def answer(self, status, retry_after, request):
        self.statuses[status] += 1
        # 503 with Retry-After is a refusal under load, not a fault.
        if status >= 500 and not (status == 503 and retry_after):
            self.fault(f"{status} to {request[:300]!r}")


def connect(port, timeout=PATIENCE, source=None):
    return socket.create_connection(("127.0.0.1", port), timeout=timeout, source_address=source and (source, 0))


def has_networks(address="10.1.1.1"):
    """Whether this machine has an address: by default one of 10.0.0.0/8, as in the network namespace that Scripts/attack.sh makes."""
    with socket.socket() as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


def request(method, target, body=b"", headers=None):
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    lines = [f"{method} {target} HTTP/1.1"]
    # Browsers announce no body of a GET.
    if body or method != "GET":
        lines.append(f"Content-Length: {len(body)}")
    lines += [f"{name}: {value}" for name, value in ({"Host": "localhost"} | (headers or {})).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace") + body


def ask(port, method, target, body, headers=None):
    """Sends a request on a connection of its own and returns the JSON of the answer."""
    with connect(port) as connection:
        connection.sendall(request(method, target, body, {"Connection": "close"} | (headers or {})))
        received = b""
        while more := connection.recv(1 << 16):
            received += more
    return json.loads(received.split(b"\r\n\r\n", 1)[1])


def read_answers(connection, count, requests, outcome):
    """Reads the answers to pipelined requests; fewer if the server closes the connection, as it does after what is no HTTP."""
    received = b""
    seen = 0
    while seen < count:
        try:
            more = connection.recv(1 << 16)
        except TimeoutError:
            outcome.fault(f"no answer within {PATIENCE} s to {requests[seen][:300]!r}")
            return seen
        except OSError:
            return seen
        if not more:
            return seen
        received += more
        while (end := received.find(b"\r\n\r\n")) >= 0:
            head = received[:end]
            status = STATUS.match(head)
            if not status:
                outcome.fault(f"not an answer: {received[:100]!r}")
                return seen
            code = int(status[1])
            length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
            rest = end + 4
            if length and code not in (204, 304):
                is_head = requests[min(seen, len(requests) - 1)].startswith(b"HEAD ")
                rest += 0 if is_head else int(length[1])
            elif re.search(rb"(?i)\r\ntransfer-encoding: chunked", head):
                last = received.find(b"\r\n0\r\n\r\n", end)
                if last < 0:
                    break
                rest = last + 7
            if len(received) < rest:
                break
            outcome.answer(code, b"etry-" in head, requests[min(seen, len(requests) - 1)])
            received = received[rest:]
            seen += 1
            if re.search(rb"(?i)\r\nconnection: close", head):
                return seen
    return seen


def pipeline(port, requests, outcome):
    """Sends requests over one connection and reads their answers; a server that closes it is connected to again."""
    position = 0
    while position < len(requests):
        part = requests[position:]
        began = time.monotonic()
        with connect(port) as connection:
            try:
                connection.sendall(b"".join(part))
            except OSError:
                pass
            seen = read_answers(connection, len(part), part, outcome)
        outcome.slowest = max(outcome.slowest, time.monotonic() - began)
        # The request that closed the connection was answered or was invalid: continue after it.
        position += max(1, seen)
    outcome.requests += len(requests)
    outcome.sent += sum(map(len, requests))


def send_alone(port, message, outcome):
    """Sends bytes that may be no HTTP over a connection of their own, ends its sending side, and reads an answer, if there is one."""
    began = time.monotonic()
    with connect(port) as connection:
        try:
            connection.sendall(message)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        read_answers(connection, 1, [message], outcome)
    outcome.slowest = max(outcome.slowest, time.monotonic() - began)
    outcome.requests += 1
