"""The ways in which attacks send their requests."""

import itertools
import time
from multiprocessing.pool import ThreadPool

from traffic import Outcome, connect, pipeline, read_answers, request

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 "
    "Safari/604.1")


def lasting(until):
    """Once at least, and again until the time is over."""
    yield
    while time.time() < until:
        yield


def flood(target, until, requests):
    """Sends requests in batches until the time is over. A function makes new ones each time."""
    outcome = Outcome()
    for _ in lasting(until):
        pipeline(target.port, requests() if callable(requests) else requests, outcome)
    return outcome


def rounds(target, until, requests, pause=0):
    """Sends each list of requests on a connection of its own, and again once all answers have come and the pause in seconds is over. A function
    makes new ones each time."""
    outcome = Outcome()
    make = requests if callable(requests) else lambda: requests
    requests = make()
    connections = [connect(target.port) for _ in requests]
    try:
        for _ in lasting(until):
            began = time.time()
            for connection, sent in zip(connections, requests):
                connection.sendall(b"".join(sent))
            for connection, sent in zip(connections, requests):
                outcome.requests += read_answers(connection, len(sent), sent, outcome)
            requests = make()
            time.sleep(max(0, pause - (time.time() - began)))
    finally:
        for connection in connections:
            connection.close()
    return outcome


def waves(target, until, requests, pause=1):
    """Sends each request on a connection of its own, all at once, again after the pause in seconds."""
    outcome = Outcome()
    with ThreadPool(len(requests)) as threads:
        for _ in lasting(until):
            began = time.time()
            parts = [Outcome() for _ in requests]
            threads.starmap(pipeline, [(target.port, [request], part) for request, part in zip(requests, parts)])
            for part in parts:
                outcome.add(part)
            time.sleep(max(0, pause - (time.time() - began)))
    return outcome


def hold(target, until, count, beginning, headroom=0, pause=0, sources=(None,)):
    """Opens connections from the sources in turn, sends the beginning of something on each and holds them to the end.

    A pause in seconds after each makes the memory that they hold the attack, and not their opening.
    """
    outcome = Outcome()
    connections = []
    try:
        for source, _ in zip(itertools.cycle(sources), range(count)):
            try:
                connections.append(connect(target.port, source=source))
                connections[-1].sendall(beginning)
                outcome.requests += 1
            except OSError:
                outcome.statuses["refused"] += 1
            time.sleep(pause)
            if time.time() > until + headroom:
                break
        while time.time() < until:
            time.sleep(0.1)
    finally:
        for connection in connections:
            connection.close()
    return outcome


def from_addresses(number, count):
    return [f"203.0.{number}.{part}" for part in range(count)]


def of_network(number, count):
    """Senders with addresses of one /48."""
    return [{"X-Forwarded-For": f"2001:db8:{number}:{part:x}::7"} for part in range(count)]
