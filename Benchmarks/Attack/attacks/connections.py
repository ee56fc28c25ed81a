"""Many connections, most of which are held."""

import collections
import itertools
import json
import socket
import time

from attacks.registry import attack, holding
from attacks.sending import hold, lasting, rounds
from traffic import PROCESSES, Outcome, connect, has_networks, request


@holding
@attack
def short_requests_behind_one_that_waits(target, until, number):
    """on 1,000 connections of two networks, an event that waits for its turn, and 330 requests of 25 bytes behind it"""
    # Without these addresses, only the events are those of a network: loopback is exempt.
    sources = [f"10.100.{number}.{host}" for host in range(1, 251)] if has_networks() else [None]
    sender = {} if has_networks() else {"X-Forwarded-For": f"2001:db8:{number}::7"}
    event = {"branch_key": target.key, "name": "pear", "user_data": {"os": "Android", "android_id": "p"}, "note": "n" * 7600}
    sent = request("POST", "/v2/event/custom", event, sender) + b"GET / HTTP/1.1\r\nHost:\r\n\r\n" * 330
    return hold(target, until, 5 * target.at_once // 2, sent, sources=sources)


@holding
@attack
def requests_ahead_of_the_end_of_a_connection(target, until, number):
    """on 900 connections of six networks, 13,000 visits, most of them above the rate, and the end of the client's side; beside 7,000 idle ones"""
    networks = [f"10.{104 + part}.{number}" for part in range(3)] if has_networks() else []
    sources = [f"{network}.{host}" for host in range(1, 76) for network in networks] or [None]
    visits = request("GET", target.visit) * 13_000
    outcome, connections = Outcome(), []
    try:
        for _ in range(7 * target.idle // 10 // PROCESSES):
            connections.append(connect(target.port))
            time.sleep(0.001)
        for source, _ in zip(itertools.cycle(sources), range(9 * target.at_once // 4)):
            # A server that reads no more of it lets it wait.
            connections.append(connect(target.port, timeout=0.5, source=source))
            try:
                connections[-1].sendall(visits[:690_000])
                connections[-1].shutdown(socket.SHUT_WR)
                outcome.requests += 1
            except OSError:
                outcome.statuses["cut"] += 1
            if time.time() > until:
                break
        time.sleep(max(0, until - time.time()))
    finally:
        for connection in connections:
            connection.close()
    return outcome


@holding
@attack
def requests_answered_before_their_end(target, until, number):
    """bodies of 420 KB that are refused before they are read, on connections that end with them or do not, half of which their clients leave open"""
    sender = {"X-Forwarded-For": f"198.32.{number}.7"}
    many = {f"Abcdefghi{index}": "bcdefgh" for index in range(30)}
    body = b"[" + b" " * 420_000 + b"]"
    whole = request("POST", f"/v1/url/bulk/{target.key}", body, sender | {"Connection": "close"})
    # The end of the body does not come.
    part = request("POST", "/nothing", body, sender | many)[:-400_000]
    outcome, connections = Outcome(), collections.deque()
    try:
        for index, _ in enumerate(lasting(until)):
            connections.append(connect(target.port))
            try:
                connections[-1].sendall(part if index % 4 == 1 else whole)
                outcome.statuses[int(connections[-1].recv(4096)[9:12])] += 1
                outcome.requests += 1
            except OSError:
                outcome.statuses["cut"] += 1
            if index % 2 == 0:
                connections.pop().close()
            elif len(connections) > 4 * target.idle // 10 // PROCESSES:
                connections.popleft().close()
    finally:
        for connection in connections:
            connection.close()
    return outcome


@attack
def health_checks_on_many_connections(target, until, number):
    """health checks of one address, which have no rate, pipelined over 400 connections"""
    sender = {"X-Forwarded-For": f"203.0.{100 + number}.7"}
    requests = [request("GET", path, headers=sender) for path in ("/healthz", "/readyz")] * 10
    return rounds(target, until, [requests] * target.at_once)


@holding
@attack
def unfinished_headers(target, until, number):
    """2,000 connections with 60 KB of headers that never end"""
    return hold(target, until, 5 * target.at_once, b"GET / HTTP/1.1\r\n" + b"X-Pear: " + b"g" * 60_000)


@holding
@attack
def unfinished_bodies(target, until, number):
    """1,000 connections with bodies of 500 KB that never end"""
    head = b"POST /v1/url HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\n"
    return hold(target, until, 5 * target.at_once // 2, head + b"{" + b" " * 400_000)


@holding
@attack
def unfinished_small_bodies(target, until, number):
    """10,000 connections with bodies of 100 bytes of which half comes"""
    head = b"POST /v1/open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
    return hold(target, until, target.idle // PROCESSES, head + b" " * 50, headroom=20, pause=0.003)


@holding
@attack
def idle_connections_after_a_call(target, until, number):
    """10,000 connections that are kept open after a call with a body of 7 KB"""
    body = json.dumps({"branch_key": "key_live_none", "text": "g" * 7000}).encode()
    call = request("POST", "/v1/credits", body, {"Content-Type": "application/json"})
    return hold(target, until, target.idle // PROCESSES, call, headroom=20, pause=0.01)


@holding
@attack
def idle_connections(target, until, number):
    """10,000 connections on which nothing is requested"""
    return hold(target, until, target.idle // PROCESSES, b"", headroom=20)
