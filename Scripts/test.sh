#!/usr/bin/env bash
# Runs all tests: the checks of words, sizes and format, the Swift tests, and the end-to-end tests against the built binary. Options are
# passed to the build.

source "$(dirname "$0")/setup.sh"

require_swift
require_libraries
# Before the build, because a package may change the headers that the build reads.
require_test_tools

# The tests' libraries of Python come while the build runs: the one waits for the network, the other for the processor.
log=$(mktemp)
tools_log=$(mktemp)
trap 'stop_postgres; rm -f "$log" "$tools_log"' EXIT
require_end_to_end_tools >"$tools_log" 2>&1 &
tools=$!

say "Words"
Scripts/words.sh

say "Sizes"
Scripts/sizes.sh

say "Format"
swift format lint --strict --recursive --parallel Package.swift Sources Tests Migrations Benchmarks

say "Building (the first time takes some minutes)"
swift build --build-tests "$@"

say "Libraries of Python"
wait "$tools" || { cat "$tools_log" >&2; fail "The tests' libraries of Python could not be installed."; }

# Prints the tests that began in the log and did not end.
unfinished_tests() {
    comm -23 <(sed -nE 's/^◇ Test ([a-zA-Z0-9_]+\().* started\.$/\1/p' "$log" | sort -u) \
        <(sed -nE 's/^(✔|✘) Test ([a-zA-Z0-9_]+\().* (passed|failed) .*/\2/p' "$log" | sort -u)
}

say "Swift tests"
# Without a bound all tests start at once and share the cores, so that those which wait for a deadline of the server's miss it.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
# Runs the tests that a filter selects, or all, within a number of seconds: one that waits for ever fails here, and not by the patience of who
# runs them. One line per case of parameterized tests would hide the failures, which are printed once more at the end.
run_swift_tests() {
    local seconds=$1
    shift
    if ! timeout "$seconds" swift test --skip-build "$@" 2>&1 | tee "$log" | grep -vE '^(◇|✔ Test case|✔ Test .* with [0-9]+ test cases? passed)'; then
        say "Failures"
        grep -aE '^✘|recorded an issue|Fatal error|error:' "$log" >&2 || true
        grep -aq '^. Test run with' "$log" || { echo "These tests began and did not end:" >&2; unfinished_tests >&2; }
        fail "The Swift tests failed."
    fi
    totals+=$(grep -a '^. Test run with' "$log")$'\n'
}
totals=
run_swift_tests 1500

say "Swift tests of the storage on PostgreSQL"
start_postgres
run_swift_tests 600 --filter 'StorageTests\.'

say "End-to-end tests"
LINDEN_BINARY="$(swift build --show-bin-path)/linden" "$end_to_end_tools/pytest" -q -p no:cacheprovider -n 3 --dist loadfile Tests/EndToEnd | tee -a "$log"
stop_postgres

say "Attacks"
LINDEN_BINARY="$(swift build --show-bin-path)/linden" Scripts/attack.sh --short

say "All passed"
printf %s "$totals"
grep -E '^[0-9]+ passed' "$log"
