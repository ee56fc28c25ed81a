#!/usr/bin/env bash
# Checks that code stays in pieces that one can read: no target of more than 10,000 lines, no source file of more than 250. Prints what is
# larger and exits with status 1; also for `async let`. Called by test.sh.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

too_large=$(
    for target in Sources/*/; do
        lines=$(find "$target" -name '*.swift' -exec cat {} + | wc -l)
        if [ "$lines" -gt 10000 ]; then echo "$target has $lines lines; a target has at most 10,000. Move what others can hold."; fi
    done
    find Sources Migrations -name '*.swift' -exec awk 'END { if (NR > 250) print FILENAME " has " NR " lines; a file has at most 250." }' {} \;
)
if [ -n "$too_large" ]; then
    echo "$too_large" >&2
    exit 1
fi

# The runtime of Swift up to 6.3 may read the memory of such a child after its parent has freed it (swiftlang/swift#89883).
if grep -rn "async let" Sources --include='*.swift' >&2; then
    echo "Use a Task or a task group instead of async let." >&2
    exit 1
fi
