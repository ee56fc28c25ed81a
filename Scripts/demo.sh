#!/usr/bin/env bash
# Builds Linden and shows its main job: a link is minted, clicked, and opens the app.
#
#   Scripts/demo.sh          tells the story and keeps serving
#   Scripts/demo.sh --once   stops afterwards; the exit status is 0 only if every step gave what it should
#
# Other options go to `linden demo`, see `linden demo --help`.

source "$(dirname "$0")/setup.sh"

require_swift
require_libraries
say "Building (the first time takes some minutes)"
swift build -c release --product linden >&2
exec "$(swift build -c release --show-bin-path)/linden" demo "$@"
