#!/usr/bin/env bash
# Checks the vocabulary of code, comments, messages, tests and documentation: prints each line that has a discouraged word, with a
# replacement, and exits with status 1 if there is one. Parts of snake_case and camelCase names count as words. Called by test.sh.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python3 - <<'EOF'
import re
import subprocess
import sys

INSTEAD = {
    "whoever": "the noun: a client, a caller, the operator",
    "nobody": "no user, no client; or a passive: cannot be reached",
    "somebody": "the noun: a user, a visitor, another app",
    "wish": "request, option or setting",
    "anew": "again, or re-: read again, reinstalled",
    "told": "reported, returned or given; for told apart, distinguished",
    "thereof": "of it, or the noun",
    "he": "the noun: the user, the visitor",
    "his": "the noun with 's, or its",
    "him": "the noun: the user, the visitor",
}

# Lines that may have such a word: the path, a text of the line, and the reason.
EXCEPTIONS = [
    ("Scripts/words.sh", "", "this list"),
    ("Sources/RoutePatterns/UniversalLinks/ISOCodes.swift", "gv ha he hi ho", "Hebrew in ISO 639"),
    ("Tests/EndToEnd/test_settings.py", 'user="nobody"', "the system's user of that name"),
]

ENDINGS = "swift py sh sql md yaml yml html mustache css js json jsonl".split()

words = "|".join(INSTEAD)
capitalized = "|".join(word.capitalize() for word in INSTEAD)
PATTERN = re.compile(
    rf"(?<![A-Za-z])(?:{words}|{capitalized}|{words.upper()})(?![A-Za-z])"  # alone, or between underscores
    rf"|(?<=[a-z0-9])(?:{capitalized})(?![a-z])|(?<![A-Za-z])(?:{words})(?=[A-Z])"  # within camelCase, or at its start
)

found = 0
files = subprocess.run(["git", "ls-files", "-z", *(f"*.{ending}" for ending in ENDINGS)], check=True, capture_output=True, text=True)
for path in files.stdout.split("\0")[:-1]:
    try:
        text = open(path, encoding="utf-8").read()
    except FileNotFoundError:  # deleted, and not committed yet
        continue
    for match in PATTERN.finditer(text):
        begin, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.start())
        line = text[begin:end if end >= 0 else len(text)]
        if any(path == file and part in line for file, part, _ in EXCEPTIONS):
            continue
        print(f"{path}:{text.count(chr(10), 0, begin) + 1}: {match.group()!r}: write {INSTEAD[match.group().lower()]}")
        found += 1
if found:
    sys.exit(f"{found} discouraged words. Replace them, or add an exception with its reason to Scripts/words.sh.")
EOF
