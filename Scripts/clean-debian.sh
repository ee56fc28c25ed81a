# A clean Debian, booted with systemd in a container, for the tests of the package. To be sourced after setup.sh, by root.
#
# The system is made by debootstrap and kept in /var/tmp. LINDEN_TEST_SUITE names another release of Debian than bookworm. Its network reaches
# nothing; packages are installed over that of this machine. `machine` is its folder, `work` one for files of the test.

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
nspawn=
end() {
    [ -z "$init" ] || kill -RTMIN+4 "$init" 2>/dev/null || true
    for _ in $(seq 100); do [ -n "$init" ] && kill -0 "$init" 2>/dev/null || break; sleep 0.1; done
    [ -z "$init" ] || kill -9 "$init" 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT
cp -a "$clean" "$machine"
cp /etc/resolv.conf "$machine/etc/resolv.conf"

# Starts the system, and returns once it is up.
boot() {
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
    for _ in $(seq 300); do
        if is running systemctl is-system-running || is degraded systemctl is-system-running; then break; fi
        sleep 0.1
    done
}

# Ends the system as a reset of the machine does: all of its processes are killed.
reset_machine() {
    kill -9 "$init"
    wait "$nspawn" || true
    init=
}

# Runs a command in the machine; apt outside its network, which reaches nothing.
inside() { nsenter -t "$init" -m -u -i -n -p env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }
apt() { nsenter -t "$init" -m -u -i -p env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >"$work/apt" 2>&1 || fail "apt-get $*: $(cat "$work/apt")"; }

# Runs a command, and ends the test unless it succeeds.
check() {
    local what=$1
    shift
    "$@" || fail "Not so: $what$(printf '\n'; inside journalctl -q --no-pager -u linden.service -n 30 2>/dev/null)"
    printf '   %s\n' "$what" >&2
}
# Whether a command in the machine prints a text.
is() { [ "$(inside "${@:2}" 2>/dev/null)" = "$1" ]; }
