"""The faults that are injected under load. Each returns when it is over; the cluster may need some time more to be whole."""

import os
import random
import signal
import time

import psycopg
from machines import MEMBERS
from processes import wait_until

# Longer than a node's leases, and than Patroni's ttl.
LONG = 20
# How long all connections are taken.
FULL = 10
# Longer than Patroni's ttl, so that the standby may replace the primary as soon as it can.
UNREPLICATED = 25


def kill_node(cluster, node):
    """A node is killed, and started again three seconds later."""
    cluster.nodes[node].kill()
    time.sleep(3)
    cluster.start_node(node)


def pause_node(cluster, node):
    """A node is paused in the middle of a transaction that has the turn of all writers, for longer than its leases, and woken."""
    is_writing = pause_within_transaction(cluster, node)
    time.sleep(LONG)
    cluster.nodes[node].wake()
    return "in a transaction" if is_writing else "between transactions"


def pause_within_transaction(cluster, node, attempts=300):
    process, dice = cluster.nodes[node], random.Random(node)
    addresses = [cluster.layout.forwarder(node, member) for member in MEMBERS]
    with cluster.connect(cluster.primary) as database:
        for _ in range(attempts):
            process.pause()
            # A statement under way ends, and its transaction is idle then.
            time.sleep(0.02)
            found = database.execute(
                "SELECT 1 FROM pg_stat_activity WHERE client_addr::text = ANY(%s) AND state = 'idle in transaction' "
                "AND backend_xid IS NOT NULL", [[f"{address}/32" for address in addresses]]).fetchone()
            if found:
                return True
            process.wake()
            time.sleep(dice.uniform(0.005, 0.05))
    process.pause()
    return False


def cut_off_node(cluster, node):
    """Nothing passes between a node and the database; no connection is closed."""
    cluster.forwarders.cut_off(node)
    time.sleep(LONG)
    cluster.forwarders.reconnect(node)


def kill_primary(cluster, node):
    """PostgreSQL's primary and its Patroni are killed; the member comes back ten seconds after the failover."""
    former = cluster.primary
    begun = time.monotonic()
    cluster.kill_member(former)
    wait_until(lambda: cluster.primary not in (None, former), 60, "the standby becomes the primary")
    seconds = time.monotonic() - begun
    time.sleep(10)
    cluster.patroni[former].start()
    return f"new primary after {seconds:.1f} s"


def restart_postgres(cluster, node):
    """patronictl restarts both members."""
    status = cluster.patronictl("restart", "linden", "--force")
    assert status == 0, "patronictl restart failed"


def fill_connections(cluster, node):
    """All connections that PostgreSQL allows are taken, also those that the nodes had."""
    taken, end = [], time.monotonic() + FULL
    try:
        with cluster.connect(cluster.primary) as superuser:
            while time.monotonic() < end:
                try:
                    taken.append(psycopg.connect(cluster.database, connect_timeout=2, application_name="filler"))
                except psycopg.OperationalError:
                    # Nodes that have connected again make room again.
                    ended = superuser.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE usename = 'linden' AND application_name <> 'filler'").rowcount
                    if not ended:
                        time.sleep(0.02)
    finally:
        for connection in taken:
            connection.close()
    return f"{len(taken)} connections"


def pause_standby(cluster, node):
    """The machine of the standby stands still; its connections stay open."""
    processes = cluster.processes_of(next(member for member in MEMBERS if member != cluster.primary))
    send(processes, signal.SIGSTOP)
    time.sleep(LONG)
    send(processes, signal.SIGCONT)


def kill_unreplicated(cluster, node):
    """Commits wait for a standby that stands still; then the primary is gone, and the standby replaces it without them.

    Patroni of the primary is paused, as when it cannot reach etcd: it would release the commits, on one machine only.
    """
    former = cluster.primary
    standby = next(member for member in MEMBERS if member != former)
    processes = cluster.processes_of(standby)
    send([*processes, cluster.patroni[former].pid], signal.SIGSTOP)
    time.sleep(UNREPLICATED)
    cluster.kill_member(former)
    send(processes, signal.SIGCONT)
    begun = time.monotonic()
    wait_until(lambda: cluster.primary == standby, 60, "the standby becomes the primary")
    seconds = time.monotonic() - begun
    time.sleep(5)
    cluster.patroni[former].start()
    return f"new primary {seconds:.1f} s after the kill"


def send(processes, number):
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


FAULTS = {
    "kill-node": kill_node, "pause-node": pause_node, "kill-primary": kill_primary, "restart-postgres": restart_postgres,
    "fill-connections": fill_connections, "cut-off-node": cut_off_node, "pause-standby": pause_standby,
    "kill-unreplicated": kill_unreplicated,
}
# Seconds for which no write can be acknowledged while a fault lasts.
OUTAGES = {"fill-connections": FULL, "kill-unreplicated": UNREPLICATED}
# Those that stop one node, while others go on.
OF_NODES = {"kill-node", "pause-node", "cut-off-node"}
