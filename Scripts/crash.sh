#!/usr/bin/env bash
# Verifies that no acknowledged write is lost: kills the server under load repeatedly and checks the database each time.
#
#   Scripts/crash.sh [options]       50 kills, a few minutes; --help lists the options
#
# The table is printed and, with the JSON, written to .build/benchmarks. The exit status is 1 if a write is lost or applied twice.
# LINDEN_BINARY names a binary to use instead of a fresh release build.

source "$(dirname "$0")/setup.sh"

require_linden
command -v python3 >/dev/null || install_packages python3
results=.build/benchmarks
mkdir -p "$results"
python3 Benchmarks/Crash/crash.py --json "$results/crash.json" "$@" | tee "$results/crash.txt"
say "$results/crash.txt and $results/crash.json"
