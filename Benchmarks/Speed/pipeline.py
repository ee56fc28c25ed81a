"""Sends many requests at once over a few connections, without waiting for each answer."""

import socket
import threading
from itertools import islice

CONNECTIONS = 32
BURST = 16


def send_all(port, requests):
    """Returns when each has been answered with a status below 400."""
    requests, lock, failures = iter(requests), threading.Lock(), []

    def send():
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
                while True:
                    with lock:
                        burst = list(islice(requests, BURST))
                    if not burst:
                        return
                    connection.sendall(b"".join(burst))
                    read(connection, len(burst))
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=send) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def read(connection, count):
    """So many answers, each with a Content-Length."""
    stream = b""
    while count:
        end = stream.find(b"\r\n\r\n")
        if end >= 0:
            head = stream[:end].lower()
            if head[9:10] not in b"23":
                raise RuntimeError(stream[:end].decode("latin-1"))
            length = int(head.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
            if len(stream) >= end + 4 + length:
                stream = stream[end + 4 + length:]
                count -= 1
                continue
        more = connection.recv(1 << 16)
        if not more:
            raise ConnectionError("the server hung up")
        stream += more
