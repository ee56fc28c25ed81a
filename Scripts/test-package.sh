#!/usr/bin/env bash
# Tests a .deb as the machine of a new user would: a clean Debian, booted with systemd, in which the package is installed, used, upgraded
# while requests come, upgraded while the machine is reset, removed, installed again and purged.
#
#   Scripts/test-package.sh PACKAGE.deb      needs root; a few minutes, the first time a few more
#
# LINDEN_TEST_SUITE names another release of Debian than bookworm.

source "$(dirname "$0")/setup.sh"

[ $# = 1 ] || fail "usage: Scripts/test-package.sh PACKAGE.deb"
package=$(realpath "$1")
source "$(dirname "$0")/clean-debian.sh"

# A newer version of the package, which differs in its number.
dpkg-deb --raw-extract "$package" "$work/newer"
sed -i 's/^Version: \(.*\)$/Version: \1+next/' "$work/newer/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip --build "$work/newer" "$machine/root/newer.deb" >/dev/null
cp "$package" "$machine/root/linden.deb"

boot

desktop="Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
answers() { inside curl -s -o /dev/null --max-time 10 -A "$desktop" -w '%{http_code}' "http://127.0.0.1:8080$1"; }
responds() { [ "$(answers "$1")" = "$2" ]; }

say "Install"
apt update
apt install --no-install-recommends /root/linden.deb
check "the server is active" is active systemctl is-active linden.service
check "both units start with the machine" is "$(printf 'enabled\nenabled')" systemctl is-enabled linden.service linden.socket
check "the server is ready" responds /readyz 200
check "it runs as the user linden" is linden stat -c %U "/proc/$(inside systemctl show -P MainPID linden.service)"
check "the folder of the database is its user's alone" is "700 linden linden" stat -c '%a %U %G' /var/lib/linden
check "so is the database" is "600 linden linden" stat -c '%a %U %G' /var/lib/linden/linden.db
check "the settings are root's, and the server can read them" is "640 root linden" stat -c '%a %U %G' /etc/linden/linden.yaml
check "the binary needs no Swift" bash -c '! nsenter -t '"$init"' -m ldd /usr/bin/linden | grep -E "not found|libswift"'
check "there is a manual page" inside test -s /usr/share/man/man1/linden.1.gz
check "the completions are valid" inside bash -n /usr/share/bash-completion/completions/linden
check "systemd finds no fault in the units" inside systemd-analyze verify --man=no linden.service linden.socket

say "Use"
as_user() { inside setpriv --reuid linden --regid linden --clear-groups linden "$@"; }
key=$(as_user apps create Orchard --default-url https://example.com --format json | sed -n 's/.*"branch_key":"\([^"]*\)".*/\1/p')
link=$(as_user links create --app "$key" --format json | sed -n 's/.*"url":"\([^"]*\)".*/\1/p')
slug=/${link##*/}
check "a command's link leads a visitor to its page" responds "$slug" 302

say "Upgrade while visitors come"
# Visits until there is a file /root/done, one after another, with the status of each in /root/codes.
visit() { inside bash -c 'rm -f /root/done; while [ ! -e /root/done ]; do curl -s -o /dev/null --max-time 30 -A "'"$desktop"'" -w "%{http_code}\n" http://127.0.0.1:8080'"$slug"'; done >/root/codes'; }
visit &
visitors=$!
before=$(inside systemctl show -P MainPID linden.service)
sleep 1
echo '# changed by the operator' | inside tee -a /etc/linden/linden.yaml >/dev/null
apt install --no-install-recommends /root/newer.deb
sleep 1
inside touch /root/done
wait "$visitors"
check "the newer version is installed" bash -c 'nsenter -t '"$init"' -m dpkg-query -W -f "\${Version}" linden | grep -q next'
check "the server is another process" [ "$before" != "$(inside systemctl show -P MainPID linden.service)" ]
check "all $(wc -l <"$machine/root/codes") visits were answered: $(sort "$machine/root/codes" | uniq -c | xargs)" is 302 sort -u /root/codes
check "the operator's settings are kept" inside grep -q 'changed by the operator' /etc/linden/linden.yaml

say "Go back, and reset the machine in an upgrade: before the package is unpacked, and before it is configured"
clicks() { as_user links stats "$link" --format json | sed -n 's/.*"clicks":\([0-9]*\).*/\1/p'; }
package_is() { is "$1" dpkg-query -W -f '${db:Status-Status}' linden; }
# Unpacks the newer package over the former one while visitors come, and resets the machine at the first success of a command there.
upgrade_until() {
    local before dpkg visitors answered
    apt install --allow-downgrades --no-install-recommends /root/linden.deb
    check "the former version serves the database" responds "$slug" 302
    before=$(clicks)
    visit 2>/dev/null &
    visitors=$!
    sleep 1
    inside dpkg --unpack /root/newer.deb >"$work/dpkg" 2>&1 &
    dpkg=$!
    local tries=0
    until inside "$@"; do [ $((tries += 1)) -lt 3000 ] || fail "The upgrade was over before the machine could be reset."; done
    reset_machine
    wait "$dpkg" "$visitors" 2>/dev/null || true
    boot
    check "the server is ready before the package is" responds /readyz 200
    answered=$(grep -c '^302$' "$machine/root/codes" || true)
    check "the $answered visits answered until then are recorded" [ "$(clicks)" -ge $((before + answered)) ]
    check "nothing contradicts them" as_user verify >/dev/null
}
# Completes it as Documentation/upgrading.md says.
complete() {
    inside dpkg --configure -a >/dev/null
    apt install --reinstall --no-install-recommends /root/newer.deb
    check "the newer version is installed" is "installed $newer" dpkg-query -W -f '${db:Status-Status} ${Version}' linden
    check "the link still leads there" responds "$slug" 302
}
newer=$(dpkg-deb --field "$machine/root/newer.deb" Version)
upgrade_until test -e /usr/bin/linden.dpkg-new
check "the package is half installed" package_is half-installed
complete
upgrade_until bash -c '[ "$(dpkg-query -W -f "\${db:Status-Status}" linden)" = unpacked ]'
check "the package is unpacked" package_is unpacked
complete

say "Start again as long as it takes"
inside cp -p /etc/linden/linden.yaml /root/linden.yaml
inside sed -i 's|database:.*|database: postgres://linden@127.0.0.1:1/linden|' /etc/linden/linden.yaml
inside systemctl restart --no-block linden.service
for _ in $(seq 40); do inside curl -s --max-time 0.5 http://127.0.0.1:8080/healthz >/dev/null || true; done
check "the server has tried more than five times, while visitors came" [ "$(inside systemctl show -P NRestarts linden.service)" -gt 5 ]
check "the socket still listens" is active systemctl is-active linden.socket
inside cp -p /root/linden.yaml /etc/linden/linden.yaml
check "the server starts by itself once it can" inside bash -c 'for _ in $(seq 30); do systemctl is-active -q linden.service && exit; sleep 0.5; done; exit 1'
check "the server is ready" responds /readyz 200

say "Upgrade a server that was stopped, and one that was disabled"
inside systemctl stop linden.socket linden.service
apt install --reinstall --no-install-recommends /root/newer.deb
check "a stopped server runs" is active systemctl is-active linden.service
inside systemctl disable --now linden.socket linden.service 2>/dev/null
inside rm /etc/linden/linden.yaml
apt install --reinstall --no-install-recommends /root/newer.deb
check "a disabled server does not" is "$(printf 'inactive\ninactive')" systemctl is-active linden.service linden.socket
check "an upgrade needs no file of settings" inside test ! -e /etc/linden/linden.yaml
inside cp -p /root/linden.yaml /etc/linden/linden.yaml
inside systemctl enable --now linden.socket linden.service 2>/dev/null

say "Remove, and install again"
apt remove linden
check "nothing listens" bash -c '! nsenter -t '"$init"' -a curl -s --max-time 3 http://127.0.0.1:8080/healthz'
check "the database is kept" inside test -s /var/lib/linden/linden.db
apt install --no-install-recommends /root/linden.deb
check "the link still leads there" responds "$slug" 302

say "Purge"
as_user backup /var/lib/linden/backups >/dev/null
as_user backup /var/lib/linden/before-upgrade >/dev/null
inside touch /etc/linden/s3-secret
apt purge linden
check "the backups are kept" inside bash -c 'ls /var/lib/linden/{backups,before-upgrade}/linden-*.db && test ! -e /var/lib/linden/linden.db && stat -c %U /var/lib/linden/backups | grep -q root && rm -r /var/lib/linden' >/dev/null
check "nothing is left of it" inside bash -c 'test ! -e /var/lib/linden -a ! -e /etc/linden -a ! -e /usr/bin/linden && ! getent passwd linden && ! ls /etc/systemd/system/*/linden.* 2>/dev/null'
say "The package passes."
