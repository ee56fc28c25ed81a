#!/usr/bin/env bash
# Follows Documentation/production.md word for word on a clean Debian, booted with systemd: each command of the page is run, must succeed, and
# must print what the page shows below it.
#
#   Scripts/test-production.sh PACKAGE.deb      needs root; some minutes
#
# Two things differ, because the machine's network reaches nothing: go.example.com is the machine itself, and Caddy is its own certificate
# authority.

source "$(dirname "$0")/setup.sh"

[ $# = 1 ] || fail "usage: Scripts/test-production.sh PACKAGE.deb"
package=$(realpath "$1")
page=$(realpath "$(dirname "$0")/../Documentation/production.md")
source "$(dirname "$0")/clean-debian.sh"

mkdir "$machine/root/page"
cp "$package" "$machine/root/page/"
printf "127.0.0.1 localhost go.example.com\n::1 localhost\n" >>"$machine/etc/hosts"
# The commands of the page, each block a file, and beside it what it prints. What apt-get does is for the machine's package manager, which
# needs a network.
awk -v folder="$machine/root/page" '
    /^```/ {
        if (kind) close(file)
        kind = kind ? "" : $0 == "```console" ? "commands" : $0 == "```" ? "output" : "other"
        part = ""
        if (kind == "output") file = sprintf("%s/%02d.expected", folder, count)
        next
    }
    kind == "output" { print > file }
    kind == "commands" {
        type = /^apt-get / ? "apt" : "sh"
        if (type != part) { file = sprintf("%s/%02d.%s", folder, ++count, type); part = type }
        print > file
    }' "$page"

# Whether the output (the second file) has the lines of the first in their order, where … stands for any. Spaces make columns.
shows() {
    awk 'function squeezed(line) { gsub(/ +/, " ", line); return line }
        NR == FNR { if ($0 != "…") wanted[++count] = squeezed($0); next }
        found < count && squeezed($0) == wanted[found + 1] { found++ }
        END { exit found < count }' "$@"
}

boot

for file in "$machine"/root/page/*.{apt,sh}; do echo "$file"; done | sort >"$work/files"
while read -r file; do
    say "$(head -1 "$file")"
    if [[ $file == *.apt ]]; then
        while read -r _ command arguments; do
            # shellcheck disable=SC2086
            apt "$command" ${arguments//.\/linden_/\/root\/page\/linden_}
        done <"$file"
    else
        if grep -q 'restart caddy' "$file"; then
            # A certificate authority of its own, which this machine trusts.
            sed -i 's|^systemctl restart caddy|sed -i "s/on_demand$/on_demand\\n\\t\\tissuer internal/" /etc/caddy/Caddyfile\n&\nsleep 2\ncurl -sk https://go.example.com/healthz >/dev/null; cp /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt /usr/local/share/ca-certificates/caddy.crt \&\& update-ca-certificates >/dev/null 2>\&1|' "$file"
        fi
        inside bash -euo pipefail -c "cd /root/page && source /root/page/$(basename "$file")" </dev/null >"$work/output" ||
            fail "A command of this block failed: $(cat "$file"; inside journalctl -q --no-pager -u linden.service -u caddy.service -n 30 2>/dev/null)"
        cat "$work/output"
        expected=${file%.sh}.expected
        [ ! -e "$expected" ] || shows "$expected" "$work/output" || fail "The page shows another output: $(cat "$expected")"
    fi
done <"$work/files"

check "the service is hardened" bash -c 'nsenter -t '"$init"' -a systemd-analyze security linden.service --no-pager | grep -E "Overall exposure.* [01]\.[0-9] OK"'
check "visitors are answered over TLS" inside bash -c 'curl -s -o /dev/null -w "%{http_code}" https://go.example.com/dashboard/sign-in | grep -q 200'
say "The page is right."
