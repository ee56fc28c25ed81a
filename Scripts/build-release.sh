#!/usr/bin/env bash
# Builds the last commit as it is released: one stripped binary with Swift's runtime inside, a .deb and a .tar.gz.
#
#   Scripts/build-release.sh [--resolved FILE] [FOLDER]    writes to .build/release-packages unless another folder is given
#
# Reproducible: the same commit, compiler and versions of the dependencies give the same bytes. The dependencies' versions are written
# beside the packages as Package.resolved; --resolved builds with those of an earlier release. What is not committed is not built.
# LINDEN_BUILD_FOLDER moves the folder of the build, whose path is part of the binary.

source "$(dirname "$0")/setup.sh"

resolved=
if [ "${1-}" = --resolved ]; then
    resolved=$(realpath "${2:?--resolved needs a file}")
    shift 2
fi
output=${1:-.build/release-packages}
mkdir -p "$output"
output=$(realpath "$output")

require_swift
require_libraries

commit=$(git rev-parse HEAD)
# The path is in messages of libraries, and the folder's name in what the compiler writes.
folder=${LINDEN_BUILD_FOLDER:-/var/tmp/linden-release}/linden
rm -rf "$folder"
mkdir -p "$folder"
git archive "$commit" | tar -x -C "$folder"
[ -z "$resolved" ] || cp "$resolved" "$folder/Package.resolved"

say "Building $commit (some minutes)"
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
options=(-c release --product linden --static-swift-stdlib -Xlinker --no-export-dynamic --package-path "$folder"
    -debug-info-format none)
swift build "${options[@]}" >&2
binary=$(swift build "${options[@]}" --show-bin-path)/linden

if ldd "$binary" | grep -E 'libswift|libFoundation|libdispatch'; then fail "The binary needs Swift's libraries."; fi
cp "$folder/Package.resolved" "$output"
Scripts/package.sh "$binary" "$output"
"$binary" --version
