#!/usr/bin/env bash
# Tests a .deb as the machine of a new user would: a clean Debian, booted with systemd, in which the package is installed, used, upgraded
# while requests come, removed, installed again and purged.
#
#   Scripts/test-package.sh PACKAGE.deb      needs root; a few minutes, the first time a few more
#
# The clean system is made by debootstrap and kept in /var/tmp. LINDEN_TEST_SUITE names another release of Debian than bookworm.

source "$(dirname "$0")/setup.sh"

[ $# = 1 ] || fail "usage: Scripts/test-package.sh PACKAGE.deb"
package=$(realpath "$1")
[ "$(id -u)" = 0 ] || fail "A container with systemd needs root."
command -v debootstrap >/dev/null || install_packages debootstrap
command -v systemd-nspawn >/dev/null || install_packages systemd-container

suite=${LINDEN_TEST_SUITE:-bookworm}
clean=/var/tmp/linden-test-$suite
if [ ! -e "$clean/complete" ]; then
    say "Making a clean Debian in $clean"
    rm -rf "$clean"
    debootstrap --variant=minbase --include=ca-certificates,curl,dbus,systemd,systemd-sysv "$suite" "$clean" http://deb.debian.org/debian >&2
    echo "deb http://deb.debian.org/debian-security $suite-security main" >"$clean/etc/apt/sources.list.d/security.list"
    touch "$clean/complete"
fi

work=$(mktemp -d)
machine=$work/machine
init=
end() {
    [ -z "$init" ] || kill -RTMIN+4 "$init" 2>/dev/null || true
    for _ in $(seq 100); do [ -n "$init" ] && kill -0 "$init" 2>/dev/null || break; sleep 0.1; done
    [ -z "$init" ] || kill -9 "$init" 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT
cp -a "$clean" "$machine"
cp /etc/resolv.conf "$machine/etc/resolv.conf"

# A newer version of the package, which differs in its number.
dpkg-deb --raw-extract "$package" "$work/newer"
sed -i 's/^Version: \(.*\)$/Version: \1+next/' "$work/newer/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip --build "$work/newer" "$machine/root/newer.deb" >/dev/null
cp "$package" "$machine/root/linden.deb"

say "Booting"
systemd-nspawn --quiet --directory="$machine" --boot --private-network --register=no --keep-unit --resolv-conf=off --console=pipe \
    </dev/null >"$work/console" 2>&1 &
nspawn=$!
for _ in $(seq 100); do
    init=$(pgrep -P "$nspawn" | head -1 || true)
    if [ -n "$init" ] && nsenter -t "$init" -m test -S /run/systemd/private 2>/dev/null; then break; fi
    sleep 0.1
done
[ -n "$init" ] || fail "The container did not boot: $(cat "$work/console")"

desktop="Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"

# Runs a command in the machine; apt outside its network, which reaches nothing.
inside() { nsenter -t "$init" -m -u -i -n -p env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }
apt() { nsenter -t "$init" -m -u -i -p env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >"$work/apt" 2>&1 || fail "apt-get $*: $(cat "$work/apt")"; }
check() {
    local what=$1
    shift
    "$@" || fail "Not so: $what$(printf '\n'; inside journalctl -q --no-pager -u linden.service -n 30 2>/dev/null)"
    printf '   %s\n' "$what" >&2
}
is() { [ "$(inside "${@:2}" 2>/dev/null)" = "$1" ]; }
answers() { inside curl -s -o /dev/null --max-time 10 -A "$desktop" -w '%{http_code}' "http://127.0.0.1:8080$1"; }
responds() { [ "$(answers "$1")" = "$2" ]; }
for _ in $(seq 300); do
    if is running systemctl is-system-running || is degraded systemctl is-system-running; then break; fi
    sleep 0.1
done

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
inside bash -c 'while [ ! -e /root/done ]; do curl -s -o /dev/null --max-time 30 -A "'"$desktop"'" -w "%{http_code}\n" http://127.0.0.1:8080'"$slug"'; done >/root/codes' &
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

say "Remove, and install again"
apt remove linden
check "nothing listens" bash -c '! nsenter -t '"$init"' -a curl -s --max-time 3 http://127.0.0.1:8080/healthz'
check "the database is kept" inside test -s /var/lib/linden/linden.db
apt install --no-install-recommends /root/linden.deb
check "the link still leads there" responds "$slug" 302

say "Purge"
apt purge linden
check "nothing is left of it" inside bash -c 'test ! -e /var/lib/linden -a ! -e /etc/linden -a ! -e /usr/bin/linden && ! getent passwd linden && ! ls /etc/systemd/system/*/linden.* 2>/dev/null'
say "The package passes."
