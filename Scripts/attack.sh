#!/usr/bin/env bash
# Attacks a server as a client on the internet could, and reports the effect on other visitors and on the machine.
#
#   Scripts/attack.sh [options]       half an hour; --help lists the options
#   Scripts/attack.sh --short         some four minutes, as the tests run it
#
# Prints for each attack: requests, the slowest answer, the longest wait of other visitors, peak memory, growth of the database. The exit
# status is 1 for an answer of 500 or above that is not a refusal, a wait of more than a second, other visitors delayed or refused, memory
# or growth above 300 MiB, or credits earned beyond the caps. LINDEN_BINARY names a binary to use instead of a fresh release build.

source "$(dirname "$0")/setup.sh"

require_linden
require_end_to_end_tools
results=.build/benchmarks
mkdir -p "$results"
options=("$@")
if [ "${1-}" = --short ]; then
    # A debug build on a busy machine: every attack runs, with longer time limits than in the full form.
    # Tasks of a debug build take twice the memory, and calls ten times as long, so there are fewer of them at the same time.
    options=(--seconds 1 --inputs 20000 --fuzz-seconds 120 --examples 3 --latency 2000 --hang 5 --counting 60 --idle 2000
        --at-once 40 "${@:2}")
fi
# A network namespace, in which the attacks on TLS come from many networks, and servers that are attackers have public addresses. Where the
# system allows none, these attacks are left out.
network=(unshare --net)
[ "$(id -u)" = 0 ] || network+=(--map-root-user)
# Its connections have the receive buffers of those from far away.
network+=(sh -c 'echo 4096 2097152 33554432 > /proc/sys/net/ipv4/tcp_rmem && ip link set lo up && ip route add local 10.0.0.0/8 dev lo && ip route add local 93.184.216.0/24 dev lo && exec "$@"' sh)
"${network[@]}" true 2>/dev/null || network=()
"${network[@]}" "$end_to_end_tools/python" Benchmarks/Attack/attack.py --json "$results/attack.json" "${options[@]}" \
    | tee "$results/attack.txt"
say "$results/attack.txt and $results/attack.json"
