"""Invalid HTTP, and requests for other protocols."""

from attacks.registry import attack
from attacks.sending import lasting
from traffic import Outcome, connect, read_answers, request, send_alone


@attack
def wrong_http(target, until, number):
    """requests that are not HTTP, or that two readers may read in two ways"""
    messages = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), b"GET / HTTP/9.9\r\n\r\n", b"GET /\r\n\r\n", b"\x00" * 1000,
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"g" * 100_000 + b"\r\n\r\n", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: g\r\n" * 20_000 + b"\r\n",
    ]
    outcome = Outcome()
    for _ in lasting(until):
        for message in messages:
            send_alone(target.port, message, outcome)
    return outcome


@attack
def upgrade(target, until, number):
    """requests for other protocols, each followed by a request on the same connection"""
    upgrades = [{"Connection": "Upgrade", "Upgrade": name} for name in ("websocket", "h2c", "foo")]
    firsts = [request(method, path, headers=headers) for headers in upgrades
              for method, path in (("GET", target.visit), ("GET", "/x"), ("POST", "/v1/open"))]
    firsts.append(b"CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    outcome = Outcome()
    for _ in lasting(until):
        for first in firsts:
            # A connection that neither answers the second request nor ends is a fault.
            both = [first, request("GET", "/healthz")]
            with connect(target.port) as connection:
                connection.sendall(first)
                seen = read_answers(connection, 1, both, outcome)
                try:
                    connection.sendall(both[1])
                except OSError:
                    pass
                read_answers(connection, 1, both[1:], outcome)
            outcome.requests += 2
            if not seen:
                outcome.fault(f"no answer to {first[:300]!r}")
    return outcome
