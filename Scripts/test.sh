#!/usr/bin/env bash
# Runs all tests: the checks of words, sizes and format, the Swift tests, and the end-to-end tests against the built binary. With --core first,
# the core is built, too: without any package trait, so that it needs libsqlite3 alone. Further options are passed to the build.

source "$(dirname "$0")/setup.sh"

builds_core=false
if [ "${1:-}" = --core ]; then builds_core=true; shift; fi

require_swift
require_libraries
# Before the build, because a package may change the headers that the build reads.
require_test_tools

# The tests' libraries of Python come while the build runs: the one waits for the network, the other for the processor.
logs=$(mktemp -d)
log=$logs/swift
postgres_log=$logs/postgres
tests_log=$logs/end-to-end
tools_log=$logs/tools
core_log=$logs/core
trap 'stop_postgres; rm -rf "$logs"' EXIT
require_end_to_end_tools >"$tools_log" 2>&1 &
tools=$!

say "Words"
Scripts/words.sh

say "Sizes"
Scripts/sizes.sh

say "Format"
swift format lint --strict --recursive --parallel Package.swift Sources Tests Migrations Benchmarks

# Without random seeds of hashes, by which the package manager orders the names of traits among the compiler's options: another order has
# everything built again.
build() { SWIFT_DETERMINISTIC_HASHING=1 swift build "$@"; }

say "Building (the first time takes some minutes)"
build --build-tests "$@"

say "Libraries of Python"
wait "$tools" || { cat "$tools_log" >&2; fail "The tests' libraries of Python could not be installed."; }

# Prints the tests that began in a log and did not end.
unfinished_tests() {
    comm -23 <(sed -nE 's/^◇ Test ([a-zA-Z0-9_]+\().* started\.$/\1/p' "$1" | sort -u) \
        <(sed -nE 's/^(✔|✘) Test ([a-zA-Z0-9_]+\().* (passed|failed) .*/\2/p' "$1" | sort -u)
}

say "Swift tests"
# Without a bound all tests start at once and share the cores, so that those which wait for a deadline of the server's miss it.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
# Runs the tests that are selected, or all, within a number of seconds, and writes what they say to a file: one that waits for ever fails here,
# and not by the patience of who runs them.
run_swift_tests() {
    local seconds=$1 output=$2
    shift 2
    timeout "$seconds" swift test --skip-build "$@" >"$output" 2>&1
}

# Ends with the failures in the output of Swift tests.
fail_by() {
    say "Failures"
    grep -aE '^✘|recorded an issue|Fatal error|error:' "$1" >&2 || true
    grep -aq '^. Test run with' "$1" || { echo "These tests began and did not end:" >&2; unfinished_tests "$1" >&2; }
    fail "The Swift tests failed."
}

# A copy, because the core's build replaces it.
binary=$logs/linden
cp "$(build --show-bin-path)/linden" "$binary"
run_swift_tests 1500 "$log" || fail_by "$log"
grep -a '^. Test run with' "$log"

# Builds the core in the folder of the tests' build, so that only what depends on a trait is built again.
build_core() {
    local options=("$@" --disable-default-traits) folder
    build --product linden "${options[@]}" || return
    folder=$(build "${options[@]}" --show-bin-path)
    if ldd "$folder/linden" | grep -E 'libpng|libturbojpeg|libqrencode|libmaxminddb|libargon2|libpq'; then
        echo "The core needs a library that it should not."
        return 1
    fi
    "$folder/linden" --version
}

# What runs beside the end-to-end tests, because they leave half a core idle. Returns 3 if the tests fail, 4 if the core does.
run_beside() {
    run_swift_tests 1500 "$postgres_log" --filter '(Storage|Server)Tests\.' || return 3
    $builds_core || return 0
    renice -n 19 "$BASHPID" >/dev/null
    build_core "$@" >"$core_log" 2>&1 || return 4
}

say "End-to-end tests; beside them the tests of the storage and of HTTP on PostgreSQL, and the core alone"
start_postgres
run_beside "$@" &
beside=$!
LINDEN_BINARY="$binary" "$end_to_end_tools/pytest" -q -rs -p no:cacheprovider -n 3 --dist loadfile --no-loadscope-reorder Tests/EndToEnd | tee "$tests_log"
wait "$beside" && failure=0 || failure=$?
[ "$failure" != 3 ] || fail_by "$postgres_log"
[ "$failure" != 4 ] || { cat "$core_log" >&2; fail "The core alone could not be built."; }
grep -a '^. Test run with' "$postgres_log"
stop_postgres

say "Attacks"
LINDEN_BINARY="$binary" Scripts/attack.sh --short

say "All passed"
grep -ahE 'Test run with [0-9]+ tests?' "$log" "$postgres_log"
grep -E '^[0-9]+ passed' "$tests_log"
