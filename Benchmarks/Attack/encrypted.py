"""Attacks on Linden's own TLS. A handshake counts for the address of its connection, so these come from many networks: those of 10.0.0.0/8,
which are this machine's in a network namespace that Scripts/attack.sh makes."""

import itertools
import ssl
import time

from support.secure import SecureServer
from traffic import PROCESSES, Outcome, connect

ALL = {}
# Seconds that an attack takes at least: its connections are not open at once.
LEAST_SECONDS = 8


def attack(function):
    """Registers an attack under its name; its doc comment is what the report calls it."""
    ALL[function.__name__] = function
    return function


class EncryptedServer(SecureServer):
    """A server whose legitimate visitors come from 200 networks, none of which attacks."""

    sources = itertools.cycle(f"10.200.{network}.7" for network in range(200))

    def connect(self, *arguments, **options):
        return super().connect(*arguments, source=next(self.sources), **options)


def of_networks(number, count, each):
    """The addresses of a process: `each` in every one of its part of `count` networks."""
    networks = range(number, count, PROCESSES)
    return [f"10.{100 + network // 200}.{network % 200}.{host}" for network in networks for host in range(1, each + 1)]


def hold(target, until, addresses, begin, go_on=b"", reopened=None, pause=0):
    """Holds a connection for each of the addresses, opens those again that are closed, and all of them after `reopened` seconds.

    `begin` sends the first bytes of a connection and returns what is held. Each second, `go_on` is sent on all of them. A pause in seconds
    before each spreads the openings.
    """
    outcome = Outcome()
    held = {}
    until = max(until, time.time() + LEAST_SECONDS)
    sent = time.time()
    try:
        while time.time() < until:
            for number, address in enumerate(addresses):
                if number not in held and time.time() < until:
                    time.sleep(pause)
                    open_one(target, number, address, begin, held, outcome)
                if go_on and time.time() > sent + 1:
                    sent = time.time()
                    drip(held, go_on, outcome)
            for number, (connection, opened) in list(held.items()):
                if reopened and time.time() > opened + reopened:
                    connection.close()
                    del held[number]
            time.sleep(0.02)
    finally:
        for connection, _ in held.values():
            connection.close()
    return outcome


def open_one(target, number, address, begin, held, outcome):
    try:
        connection = begin(connect(target.port, source=address))
        connection.setblocking(False)
        held[number] = (connection, time.time())
        outcome.requests += 1
    except OSError:
        outcome.statuses["refused"] += 1


def drip(held, part, outcome):
    for number, (connection, _) in list(held.items()):
        try:
            connection.send(part)
        except (BlockingIOError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
            pass
        except OSError:
            outcome.statuses["cut"] += 1
            connection.close()
            del held[number]


@attack
def dripping_requests_of_many_networks(target, until, number):
    """over TLS, 700 requests of 140 networks with 76 KB that grow by a byte a second, and never end"""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    first = b"POST /v1/url HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\nX-Pear: " + b"g" * 60_000 + b"\r\n\r\n" + b" " * 16_000

    def begin(connection):
        connection = context.wrap_socket(connection)
        connection.sendall(first)
        return connection

    return hold(target, until, of_networks(number, 140, 5), begin, go_on=b" ")


@attack
def first_bytes_of_many_networks(target, until, number):
    """on the port of TLS, single bytes on 840 connections of 120 networks, which are opened again every 1.8 seconds"""
    def begin(connection):
        # The first of a handshake.
        connection.sendall(b"\x16")
        return connection

    return hold(target, until, of_networks(number, 120, 7), begin, reopened=1.8, pause=0.004)


@attack
def unfinished_records_of_many_networks(target, until, number):
    """over TLS, 4,000 connections of 400 networks, each with a record of 16 KB whose last bytes never come"""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    # Application data of TLS 1.3; that it cannot be decrypted would show at its end only.
    record = b"\x17\x03\x03\x40\x11" + b"g" * 16_000

    def begin(connection):
        # The socket without TLS, on which the record is sent as it is.
        raw = connection.dup()
        held.append(context.wrap_socket(connection))
        raw.sendall(record)
        return raw

    held = []
    try:
        return hold(target, until, of_networks(number, 400, 10), begin, pause=0.002)
    finally:
        for connection in held:
            connection.close()


@attack
def used_connections_of_two_networks(target, until, number):
    """over TLS, 2,000 connections of two networks, on each of which a health check is sent every second"""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return hold(
        target, until, of_networks(number, PROCESSES, 4) * 250, context.wrap_socket,
        go_on=b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", pause=0.006)


@attack
def handshakes_that_begin_together(target, until, number):
    """on the port of TLS, every 2.1 seconds the first messages of 1,600 handshakes of two networks at once"""
    outcome = Outcome()
    hello = first_message()
    addresses = of_networks(number, PROCESSES, 8)
    until = max(until, time.time() + LEAST_SECONDS)
    while time.time() < until:
        began = time.time()
        connections = [connect(target.port, source=address) for address in addresses for _ in range(1600 // PROCESSES // len(addresses))]
        for connection in connections:
            connection.sendall(hello)
        outcome.requests += len(connections)
        time.sleep(1)
        for connection in connections:
            connection.close()
        time.sleep(max(0, 2.1 - (time.time() - began)))
    return outcome


def first_message():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    sent = ssl.MemoryBIO()
    client = context.wrap_bio(ssl.MemoryBIO(), sent)
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        return sent.read()
