#!/usr/bin/env bash
# Runs every test: the format, the Swift tests, and the end-to-end tests against the built binary.

source "$(dirname "$0")/setup.sh"

require_swift
require_libraries
require_test_tools

say "Format"
swift format lint --strict --recursive --parallel Package.swift Sources Tests Migrations Benchmarks

say "Building (the first time takes some minutes)"
swift build --build-tests

say "Swift tests"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# A line for each case of each table would hide what failed.
swift test --skip-build 2>&1 | tee "$log" | grep -vE '^(◇|✔ Test case|✔ Test .* with [0-9]+ test cases? passed)'

say "End-to-end tests"
venv=.build/end-to-end
if [ ! -x "$venv/bin/pip" ]; then
    python3 -c 'import ensurepip, venv' 2>/dev/null || install_packages python3 python3-venv
    python3 -m venv "$venv"
fi
"$venv/bin/pip" install --quiet --disable-pip-version-check -r Tests/EndToEnd/requirements.txt
LINDEN_BINARY="$(swift build --show-bin-path)/linden" "$venv/bin/pytest" -q -p no:cacheprovider Tests/EndToEnd | tee -a "$log"

say "All passed"
grep -E 'Test run with [0-9]+ tests?|^[0-9]+ passed' "$log"
