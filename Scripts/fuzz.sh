#!/usr/bin/env bash
# Fuzzes the parsers with libFuzzer: JSON, bodies, queries, user agents, long links, URLs, patterns, dates, addresses.
#
#   Scripts/fuzz.sh [inputs]     default ten million, some minutes; a hang of a second, memory above 300 MiB or a crash fails
#
# Failing inputs are kept in .build/fuzz/found; Benchmarks/Fuzz/corpus is the seed corpus.

source "$(dirname "$0")/setup.sh"
inputs=${1:-10000000}

require_swift
require_libraries
say "Building with libFuzzer (the first time takes some minutes)"
options=(-c release --product ParserFuzzer --scratch-path .build-fuzz -Xswiftc -DLIBFUZZER -Xswiftc -parse-as-library -Xswiftc "-sanitize=fuzzer")
swift build "${options[@]}" >&2
binary=$(swift build "${options[@]}" --show-bin-path)/ParserFuzzer

folder=.build/fuzz
mkdir -p "$folder/found" "$folder/corpus"
workers=$(nproc)
say "Trying $inputs inputs on $workers cores"
processes=()
for worker in $(seq "$workers"); do
    "$binary" -runs="$((inputs / workers))" -seed="$worker" -max_len=4096 -timeout=1 -rss_limit_mb=300 -print_final_stats=1 \
        -artifact_prefix="$folder/found/" "$folder/corpus" Benchmarks/Fuzz/corpus >"$folder/$worker.log" 2>&1 &
    processes+=($!)
done
failed=
for process in "${processes[@]}"; do wait "$process" || failed=yes; done
grep -hE '^(Done|stat::(number_of_executed_units|average_exec_per_sec|peak_rss_mb|slowest_unit_time_sec))|ERROR|SUMMARY|Fatal' "$folder"/*.log || true
[ -z "$failed" ] || fail "A parser broke: see $folder/*.log; the input is in $folder/found."
say "No parser broke."
