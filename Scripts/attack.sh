#!/usr/bin/env bash
# Attacks a server as strangers on the internet would, and says what other visitors and the machine notice.
#
#   Scripts/attack.sh [options]       some 20 minutes; --help lists the options
#   Scripts/attack.sh --short         a minute, as the tests run it
#
# For each attack: requests, the slowest answer, how long others waited, peak memory, how far the database grew. The exit status is 1 for
# any answer of 500 or above that is no refusal, a wait of more than a second, others who wait or are refused, memory or growth above
# 300 MiB, and credits earned beyond the caps. LINDEN_BINARY names another binary than a fresh release build.

source "$(dirname "$0")/setup.sh"

if [ -z "${LINDEN_BINARY-}" ]; then
    require_swift
    require_libraries
    say "Building (the first time takes some minutes)"
    swift build -c release --product linden >&2
    LINDEN_BINARY=$(swift build -c release --show-bin-path)/linden
fi
require_end_to_end_tools
results=.build/benchmarks
mkdir -p "$results"
options=("$@")
if [ "${1-}" = --short ]; then
    # A debug build on a busy machine: every attack is tried, with longer waits allowed than in the long form.
    options=(--seconds 2 --inputs 20000 --fuzz-seconds 120 --examples 3 --latency 2000 --hang 5 "${@:2}")
fi
LINDEN_BINARY=$LINDEN_BINARY "$end_to_end_tools/python" Benchmarks/Attack/attack.py --json "$results/attack.json" "${options[@]}" \
    | tee "$results/attack.txt"
say "$results/attack.txt and $results/attack.json"
