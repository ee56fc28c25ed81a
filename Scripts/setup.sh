# Sourced by the other scripts: finds or installs the dependencies of Linden's build.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Some distributions install nginx in a folder that is only in root's PATH.
PATH=$PATH:/usr/sbin

say() { printf '\n== %s\n' "$*" >&2; }

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# Installs Debian packages; if this user may not, fails with a message that names them.
install_packages() {
    say "Installing $*"
    command -v apt-get >/dev/null || fail "apt-get is not here. Please install these packages (Debian's names): $*"
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null && sudo -n true 2>/dev/null || fail "This needs root. Please run: apt-get install $*"
        as_root=(sudo -n)
    fi
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

require_swift() {
    local wanted="Swift 6.2 or later is needed: https://www.swift.org/install" version
    command -v swift >/dev/null || fail "$wanted"
    version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p' | head -1)
    [ "$(printf '%s\n6.2\n' "$version" | sort -V | head -1)" = 6.2 ] || fail "$wanted (here is ${version:-an unknown version})"
}

# The C libraries of the build. Only libsqlite3 is required, see the package's traits.
require_libraries() {
    local missing=()
    has_header sqlite3 sqlite3.h || missing+=(libsqlite3-dev)
    has_header libqrencode qrencode.h || missing+=(libqrencode-dev)
    has_header libpng png.h || missing+=(libpng-dev)
    has_header libturbojpeg turbojpeg.h || missing+=(libturbojpeg0-dev)
    has_header libmaxminddb maxminddb.h || missing+=(libmaxminddb-dev)
    has_header zlib zlib.h || missing+=(zlib1g-dev)
    has_header libargon2 argon2.h || missing+=(libargon2-dev)
    has_header libpq postgresql/libpq-fe.h || missing+=(libpq-dev)
    [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}" pkg-config
}

# Whether a library's header is installed, by its pkg-config name or Debian's path.
has_header() {
    [ -e "/usr/include/$2" ] || { command -v pkg-config >/dev/null && pkg-config --exists "$1"; }
}

# Additional dependencies of the tests: a client for the examples of the documentation, a QR code reader, a browser, the proxies of the
# examples, what evaluates the alert rules, what makes and checks packages, and the shells whose completions are checked. All are installed
# at once, which takes half the time of one after the other.
require_test_tools() {
    local missing=()
    has_commands curl || missing+=(curl)
    has_commands nginx || missing+=(nginx-light)
    has_commands caddy || missing+=(caddy)
    has_commands promtool || missing+=(prometheus)
    has_commands ip ss || missing+=(iproute2)
    has_commands dpkg-shlibdeps strip || missing+=(dpkg-dev binutils)
    has_commands adduser || missing+=(adduser)
    has_commands systemd-analyze || missing+=(systemd)
    has_commands man || missing+=(man-db)
    has_commands zbarimg || missing+=(zbar-tools)
    has_commands zsh fish || missing+=(zsh fish)
    [ -n "$(postgres_programs)" ] || missing+=(postgresql)
    has_commands pgbouncer || missing+=(pgbouncer)
    has_commands chromedriver || missing+=(chromium chromium-driver)
    python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3 python3-venv)
    [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
}

has_commands() {
    local name
    for name; do command -v "$name" >/dev/null || return 1; done
}

# The folder of PostgreSQL's programs, which Debian keeps out of PATH; empty if there is none.
postgres_programs() {
    local programs
    programs=$(printf '%s\n' /usr/lib/postgresql/*/bin/initdb | sort -V | tail -1)
    if [ -x "$programs" ]; then dirname "$programs"; else dirname "$(command -v initdb)" 2>/dev/null || true; fi
}

# Starts a PostgreSQL in a new folder, on a free port of 127.0.0.1, for tests alone: nothing is synced to the disk, unless options for it that are
# passed say otherwise. Sets its URL as LINDEN_TEST_POSTGRES.
start_postgres() {
    local programs as_user=() port
    programs=$(postgres_programs)
    postgres_folder=$(mktemp -d)
    # PostgreSQL refuses to run as root; Debian's package makes a user for it.
    if [ "$(id -u)" = 0 ]; then
        chown postgres "$postgres_folder"
        as_user=(setpriv --reuid postgres --regid postgres --clear-groups)
    fi
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    (
        cd "$postgres_folder"
        "${as_user[@]}" "$programs/initdb" -D data -U linden -A trust -E UTF8 --locale=C --no-sync >initdb.log ||
            fail "PostgreSQL could not be set up: $(tail -3 initdb.log)"
    )
    "${as_user[@]}" "$programs/postgres" -D "$postgres_folder/data" -p "$port" -c listen_addresses=127.0.0.1 \
        -c unix_socket_directories= -c fsync=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=64MB "$@" \
        >"$postgres_folder/log" 2>&1 &
    postgres_process=$!
    for _ in $(seq 100); do
        "$programs/pg_isready" -q -h 127.0.0.1 -p "$port" && break
        sleep 0.1
    done
    "$programs/pg_isready" -q -h 127.0.0.1 -p "$port" || fail "PostgreSQL does not start: $(tail -3 "$postgres_folder/log")"
    export LINDEN_TEST_POSTGRES=postgres://linden@127.0.0.1:$port/postgres
}

# Stops what start_postgres started, if it did.
stop_postgres() {
    [ -n "${postgres_process:-}" ] || return 0
    kill -INT "$postgres_process" 2>/dev/null || true
    wait "$postgres_process" 2>/dev/null || true
    rm -rf "$postgres_folder"
    unset LINDEN_TEST_POSTGRES postgres_process
}

# A Python virtual environment with the dependencies of the end-to-end tests and attacks.
end_to_end_tools=.build/end-to-end/bin
require_end_to_end_tools() {
    if [ ! -x "$end_to_end_tools/pip" ]; then
        python3 -c 'import ensurepip, venv' 2>/dev/null || install_packages python3 python3-venv
        python3 -m venv .build/end-to-end
    fi
    "$end_to_end_tools/pip" install --quiet --disable-pip-version-check -r Tests/EndToEnd/requirements.txt
    "$end_to_end_tools/pip" install --quiet --disable-pip-version-check --no-deps -r Tests/EndToEnd/requirements-alone.txt
}

# A Python virtual environment with Patroni and a client of PostgreSQL. Where this is root, the user postgres runs it: so its Python
# is the system's, and not one in root's home.
cluster_tools=.build/cluster/bin
require_cluster_tools() {
    local python=python3 as_user=()
    if [ "$(id -u)" = 0 ]; then
        python=/usr/bin/python3
        as_user=(setpriv --reuid postgres --regid postgres --clear-groups)
    fi
    if [ ! -x "$cluster_tools/pip" ]; then
        "$python" -c 'import ensurepip, venv' 2>/dev/null || install_packages python3 python3-venv
        "$python" -m venv .build/cluster
    fi
    "$cluster_tools/pip" install --quiet --disable-pip-version-check -r Benchmarks/Cluster/requirements.txt
    "${as_user[@]}" "$cluster_tools/python" -c 'import patroni' ||
        fail "The user postgres cannot read $PWD. Please run this in a folder that it can read, or as another user than root."
}

# Names a binary of linden in LINDEN_BINARY: a fresh release build, unless it names one already.
require_linden() {
    if [ -z "${LINDEN_BINARY-}" ]; then
        require_swift
        require_libraries
        say "Building (the first time takes some minutes)"
        swift build -c release --product linden >&2
        LINDEN_BINARY=$(swift build -c release --show-bin-path)/linden
    fi
    export LINDEN_BINARY
}

# Dependencies of the speed benchmarks: the load generator, the servers compared, and a compiler for the fsync counter.
require_bench_tools() {
    command -v python3 >/dev/null || install_packages python3
    command -v wrk >/dev/null || install_packages wrk
    if ! command -v nginx >/dev/null; then
        install_packages nginx-light
        # Debian starts a service when its package is installed.
        service nginx stop >/dev/null 2>&1 || say "nginx was installed and may be running; it need not"
    fi
    require_c_compiler
}

require_c_compiler() {
    command -v cc >/dev/null || command -v clang >/dev/null || install_packages gcc libc6-dev
}

# callgrind, which counts instructions, and strip, which removes the debugging information that it cannot read.
require_valgrind() {
    command -v python3 >/dev/null || install_packages python3
    command -v vgdb >/dev/null || install_packages valgrind
    command -v strip >/dev/null || install_packages binutils
    require_c_compiler
}
