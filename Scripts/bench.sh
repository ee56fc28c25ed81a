#!/usr/bin/env bash
# Runs a benchmark by its name. The table goes to standard output, and with the JSON to .build/benchmarks.
#
#   Scripts/bench.sh analytics [options]     how soon a log of ten million rows answers, is exported, proved and pruned
#   Scripts/bench.sh accuracy [options]      false match rate and recall of probabilistic attribution
#   Scripts/bench.sh ledger [options]        how fast credits move, and how long the proof of a million transactions takes
#   Scripts/bench.sh clicks [options]        how fast links are followed, against servers that record less
#   Scripts/bench.sh mint [options]          how fast links are made
#   Scripts/bench.sh sessions [options]      how fast installs are matched with clicks, and apps opened
#   Scripts/bench.sh events [options]        how fast events are recorded
#   Scripts/bench.sh all [options]           the last four; --quick compares them with Benchmarks/baseline.json
#
# Options go to the benchmark, see --help. Benchmarks/README.md tells what is measured and how to read it.

source "$(dirname "$0")/setup.sh"
[ "${1-}" != analytics ] || { require_swift && exec python3 Benchmarks/Analytics/bench.py "${@:2}"; }

usage() {
    sed -n '2,/^$/s/^# \{0,1\}//p' Scripts/bench.sh >&2
    exit 64
}

# Builds one product in release mode and prints where it is.
build() {
    say "Building $1 (the first time takes some minutes)"
    swift build -c release --product "$1" >&2
    printf '%s/%s\n' "$(swift build -c release --show-bin-path)" "$1"
}

# Runs one of the benchmarks that are programs of their own.
run_program() {
    SECONDS=0
    local binary
    binary=$(build "$1")
    shift
    say "Built in $SECONDS seconds; running"
    "$binary" --json "$results/$name.json" "$@" | tee "$results/$name.txt"
}

# Runs Linden and others under load. LINDEN_BINARY and BARE_BINARY name other binaries than fresh release builds.
run_speed() {
    require_libraries
    require_bench_tools
    export LINDEN_BINARY=${LINDEN_BINARY:-$(build linden)} BARE_BINARY=${BARE_BINARY:-$(build BareServer)}
    # Each connection is an open file, of the generator and of the server.
    ulimit -n "$(ulimit -Hn)"
    python3 Benchmarks/Speed/bench.py "$name" --folder "$results" --json "$results/$name.json" "$@" | tee "$results/$name.txt"
}

[ $# -gt 0 ] || usage
name=$1
shift
results=$PWD/.build/benchmarks

case "$name" in
    accuracy | ledger | clicks | mint | sessions | events | all) mkdir -p "$results" ;;
    *) usage ;;
esac
require_swift
case "$name" in
    accuracy) run_program AccuracyBenchmark "$@" ;;
    ledger) run_program LedgerBenchmark "$@" ;;
    *) run_speed "$@" ;;
esac
say "$results/$name.txt and $results/$name.json"
