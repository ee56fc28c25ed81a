"""Many connections, most of which are held."""

import json

from attacks.registry import attack, holding
from attacks.sending import hold, rounds
from traffic import PROCESSES, has_networks, request


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
