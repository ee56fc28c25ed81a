#!/usr/bin/env bash
# Runs a benchmark by its name. The table is printed and, with the JSON, written to .build/benchmarks.
#
#   Scripts/bench.sh analytics [options]     queries, exports, audits and pruning of a log of ten million rows
#   Scripts/bench.sh dashboard [options]     pages of the dashboard on ten million rows, and redirects beside its users
#   Scripts/bench.sh accuracy [options]      false match rate and recall of probabilistic attribution
#   Scripts/bench.sh attribution [options]   CPU time that probabilistic attribution adds to an install
#   Scripts/bench.sh ledger [options]        throughput of credits, and the audit of a million transactions
#   Scripts/bench.sh clicks [options]        throughput of clicks, compared with servers that record less
#   Scripts/bench.sh create [options]          throughput of link creation
#   Scripts/bench.sh sessions [options]      throughput of attributed installs and of app opens
#   Scripts/bench.sh events [options]        throughput of events
#   Scripts/bench.sh all [options]           the last four; --quick compares them with Benchmarks/baseline.json
#   Scripts/bench.sh cluster [options]       the same on PostgreSQL, with one server and with two, compared with SQLite
#   Scripts/bench.sh copy [options]          rows a second that are copied from SQLite to PostgreSQL and back
#   Scripts/bench.sh sizing [options]        bytes of the database for each link, click, session and event
#   Scripts/bench.sh backup [options]        clicks beside the server's own backups, and the time of a restore
#   Scripts/bench.sh restart [options]       memory after five million clicks, and the start after a kill with a million pending ones
#   Scripts/bench.sh instructions [options]  user instructions per request; fails above Benchmarks/instructions.json by more than 5 %
#
# Options are passed to the benchmark, see --help. Benchmarks/README.md describes the measurements and how to read them.

source "$(dirname "$0")/setup.sh"
[ "${1-}" != analytics ] || { require_swift && exec python3 Benchmarks/Analytics/bench.py "${@:2}"; }

usage() {
    sed -n '2,/^$/s/^# \{0,1\}//p' Scripts/bench.sh >&2
    exit 64
}

# Builds one product in release mode and prints the path of its binary.
build() {
    say "Building $1 (the first time takes some minutes)"
    swift build -c release --product "$1" >&2
    printf '%s/%s\n' "$(swift build -c release --show-bin-path)" "$1"
}

# Runs a benchmark that is an executable of its own.
run_program() {
    SECONDS=0
    local binary
    binary=$(build "$1")
    shift
    say "Built in $SECONDS seconds; running"
    "$binary" --json "$results/$name.json" "$@" | tee "$results/$name.txt"
}

# Runs Linden and other servers under load. LINDEN_BINARY and BARE_BINARY name binaries to use instead of fresh release builds.
run_speed() {
    require_libraries
    require_bench_tools
    export LINDEN_BINARY=${LINDEN_BINARY:-$(build linden)} BARE_BINARY=${BARE_BINARY:-$(build BareServer)}
    # Each connection needs an open file in the generator and in the server.
    ulimit -n "$(ulimit -Hn)"
    python3 Benchmarks/Speed/bench.py "$name" --folder "$results" --json "$results/$name.json" "$@" | tee "$results/$name.txt"
}

# Runs a script that starts Linden alone. LINDEN_BINARY names a binary to use instead of a fresh release build.
run_script() {
    require_libraries
    export LINDEN_BINARY=${LINDEN_BINARY:-$(build linden)}
    python3 "$1" --folder "$results" --json "$results/$name.json" "${@:2}" | tee "$results/$name.txt"
}

# Starts a PostgreSQL that syncs to the disk, for a benchmark.
start_measured_postgres() {
    trap stop_postgres EXIT
    start_postgres -c fsync=on -c full_page_writes=on -c shared_buffers=1GB -c max_wal_size=4GB
}

# Copies a database from SQLite to PostgreSQL and back.
run_copy() {
    require_libraries
    export LINDEN_BINARY=${LINDEN_BINARY:-$(build linden)}
    start_measured_postgres
    run_script Benchmarks/Speed/copying.py --postgres "$LINDEN_TEST_POSTGRES" "$@"
}

# Runs the loads on SQLite and on PostgreSQL.
run_cluster() {
    require_libraries
    require_bench_tools
    export LINDEN_BINARY=${LINDEN_BINARY:-$(build linden)}
    ulimit -n "$(ulimit -Hn)"
    start_measured_postgres
    local load=all
    case "${1-}" in all | clicks | create | sessions | events) load=$1; shift ;; esac
    python3 Benchmarks/Speed/bench.py "$load" --folder "$results" --json "$results/$name.json" --more-connections 0 \
        --postgres "$LINDEN_TEST_POSTGRES" "$postgres_process" "$@" | tee "$results/$name.txt"
}

[ $# -gt 0 ] || usage
name=$1
shift
results=$PWD/.build/benchmarks

case "$name" in
    accuracy | attribution | ledger | clicks | create | sessions | events | all | cluster | copy | backup | restart | instructions | dashboard | sizing) mkdir -p "$results" ;;
    *) usage ;;
esac
require_swift
case "$name" in
    accuracy) run_program AccuracyBenchmark "$@" ;;
    attribution) run_program AttributionBenchmark "$@" ;;
    ledger) run_program LedgerBenchmark "$@" ;;
    backup | restart) require_bench_tools; run_script "Benchmarks/Speed/$name.py" "$@" ;;
    instructions) require_valgrind; run_script Benchmarks/Speed/instructions.py "$@" ;;
    sizing) run_script Benchmarks/Sizing/sizes.py "$@" ;;
    cluster) run_cluster "$@" ;;
    copy) run_copy "$@" ;;
    dashboard) run_script Benchmarks/Dashboard/bench.py "$@" ;;
    *) run_speed "$@" ;;
esac
say "$results/$name.txt and $results/$name.json"
