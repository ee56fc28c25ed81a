#!/usr/bin/env bash
# Runs a cluster on this machine from the files of Config/cluster: three Linden nodes behind HAProxy, PostgreSQL under Patroni with
# a synchronous standby, and etcd. Creates an app and a link, clicks it, and installs the app.
#
#   Scripts/cluster.sh                      prints the addresses, and serves until Ctrl-C
#   Scripts/cluster.sh --stop-after-story   stops afterwards; the exit status is 0 only if every step had the expected result
#   Scripts/cluster.sh --kill               kills, pauses and cuts off its parts under load; some ten minutes
#
# --help lists the options. With --kill, the table is printed and, with the JSON, written to .build/benchmarks; the exit status is 1
# if an acknowledged write is lost or done twice, or a fault stops writes for too long. LINDEN_BINARY names a binary to use instead
# of a fresh release build. Addresses are those of 127.77.0.0/16, so each part has the ports that it has on a machine of its own.

source "$(dirname "$0")/setup.sh"

missing=()
[ -n "$(postgres_programs)" ] || missing+=(postgresql)
has_commands etcd || missing+=(etcd-server)
has_commands haproxy || missing+=(haproxy)
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
require_cluster_tools

require_linden
POSTGRES_PROGRAMS=$(postgres_programs)
export POSTGRES_PROGRAMS

if [[ " $* " != *" --kill "* ]]; then
    exec "$cluster_tools/python" Benchmarks/Cluster/cluster.py "$@"
fi
results=.build/benchmarks
mkdir -p "$results"
"$cluster_tools/python" Benchmarks/Cluster/cluster.py --json "$results/cluster.json" "$@" | tee "$results/cluster.txt"
say "$results/cluster.txt and $results/cluster.json"
