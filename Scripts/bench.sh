#!/usr/bin/env bash
# Runs a benchmark by its name. The table goes to standard output, and with the JSON to .build/benchmarks.
#
#   Scripts/bench.sh analytics [options]     how soon a log of ten million rows answers, is exported, proved and pruned
#   Scripts/bench.sh accuracy [options]      how often installs are given to the right click
#   Scripts/bench.sh ledger [options]        how fast credits move, and how long the proof of a million transactions takes
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

case "${1-}" in
    accuracy) product=AccuracyBenchmark ;;
    ledger) product=LedgerBenchmark ;;
    *) usage ;;
esac
name=$1
shift

require_swift
results=.build/benchmarks
mkdir -p "$results"
SECONDS=0
binary=$(build "$product")
say "Built in $SECONDS seconds; running"
"$binary" --json "$results/$name.json" "$@" | tee "$results/$name.txt"
say "$results/$name.txt and $results/$name.json"
