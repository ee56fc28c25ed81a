#!/usr/bin/env bash
# Builds Linden and demonstrates its main job: a link is created, clicked, and opens the app.
#
#   Scripts/demo.sh          makes up two months of data, runs the demonstration, and keeps serving a dashboard
#   Scripts/demo.sh --once   makes up no data, and stops afterwards; the exit status is 0 only if every step had the expected result
#
# Other options are passed to `linden demo`, see `linden demo --help`.

source "$(dirname "$0")/setup.sh"

require_swift
require_libraries
say "Building (the first time takes some minutes)"
swift build -c release --product linden >&2
exec "$(swift build -c release --show-bin-path)/linden" demo "$@"
