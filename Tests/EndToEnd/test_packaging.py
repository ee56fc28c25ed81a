"""The packages and the units of the service, without systemd. Scripts/test-package.sh installs them on a clean Debian, where it runs."""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from support.command import BINARY, linden
from support.installed import installed

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "Config"
UNIT = CONFIG / "systemd" / "linden.service"


def run(*arguments, **options):
    done = subprocess.run([*map(str, arguments)], capture_output=True, text=True, timeout=300, **options)
    assert done.returncode == 0, f"{arguments}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def needs(*tools):
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed")


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The packages of the binary under test, made twice at different times, in different folders, and with other locale and umask."""
    needs("dpkg-deb", "dpkg-shlibdeps", "strip")
    made = []
    for number, own in enumerate([{"TZ": "Asia/Tokyo"}, {"LC_ALL": "C.UTF-8"}]):
        folder = tmp_path_factory.mktemp("packages")
        run(ROOT / "Scripts/package.sh", BINARY, folder, umask=0o022 if number else 0o077, env=os.environ | own | {
            "LINDEN_PACKAGE_COMPRESSION": "none", "LINDEN_PACKAGE_LEVEL": "1", "SOURCE_DATE_EPOCH": "1800000000"})
        made.append(folder)
    return made


def only(folder, pattern):
    (path,) = folder.glob(pattern)
    return path


# MARK: The packages

@pytest.mark.parametrize("pattern", ["*.deb", "*.tar.gz"])
def test_the_same_binary_gives_the_same_package(packages, pattern):
    first, second = (hashlib.sha256(only(folder, pattern).read_bytes()).hexdigest() for folder in packages)
    assert first == second


def test_the_deb_has_what_a_server_needs_owned_by_root(packages):
    listed = run("dpkg-deb", "--contents", only(packages[0], "*.deb"))

    assert {line.split()[1] for line in listed.splitlines()} == {"root/root"}
    files = {line.split()[5].lstrip("."): line.split()[0] for line in listed.splitlines()}
    for path, mode in {
            "/usr/bin/linden": "-rwxr-xr-x", "/etc/linden/linden.yaml": "-rw-r--r--", "/usr/lib/systemd/system/linden.service": "-rw-r--r--",
            "/usr/lib/systemd/system/linden.socket": "-rw-r--r--", "/usr/share/man/man1/linden.1.gz": "-rw-r--r--",
            "/usr/share/bash-completion/completions/linden": "-rw-r--r--", "/usr/share/zsh/vendor-completions/_linden": "-rw-r--r--",
            "/usr/share/fish/vendor_completions.d/linden.fish": "-rw-r--r--", "/usr/share/doc/linden/copyright": "-rw-r--r--"}.items():
        assert files[path] == mode, path


def test_the_deb_names_its_version_its_libraries_and_its_settings_file(packages):
    package = only(packages[0], "*.deb")
    field = lambda name: run("dpkg-deb", "--field", package, name).strip()

    assert field("Version") == linden("--version").out.split()[0]
    for library in ("libsqlite3-0", "libc6"):
        assert re.search(rf"(^|, ){library} \(>= ", field("Depends")), field("Depends")
    assert "swift" not in field("Depends")
    control = subprocess.run(["dpkg-deb", "--ctrl-tarfile", package], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(control)) as archive:
        assert archive.extractfile("./conffiles").read() == b"/etc/linden/linden.yaml\n"
        for script in ("postinst", "prerm", "postrm"):
            assert archive.getmember(f"./{script}").mode == 0o755


def test_the_packaged_settings_name_the_database_alone(packages, tmp_path):
    """A file that changed with a version would let dpkg stop an upgrade, to ask whose version to keep."""
    run("dpkg-deb", "--extract", only(packages[0], "*.deb"), tmp_path)

    lines = (tmp_path / "etc/linden/linden.yaml").read_text().splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == ["storage:", "  database: sqlite:/var/lib/linden/linden.db"]
    documents = tmp_path / "usr/share/doc/linden"
    assert (documents / "examples/linden.yaml").read_text() == (CONFIG / "linden.yaml").read_text()
    assert {path.name for path in (documents / "Documentation").iterdir()} == {path.name for path in (ROOT / "Documentation").iterdir()}


def test_every_link_of_a_packaged_page_leads_to_a_file_of_the_package(packages, tmp_path):
    run("dpkg-deb", "--extract", only(packages[0], "*.deb"), tmp_path)
    pages = sorted((tmp_path / "usr/share/doc/linden").rglob("*.md"))

    links = [(page, path) for page in pages for path in re.findall(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)", page.read_text())]

    assert len(links) > 200 and [(page.name, path) for page, path in links if not (page.parent / path).exists()] == []
    proxies = next(page for page in pages if page.name == "proxies.md")
    assert "(../examples/nginx.conf)" in proxies.read_text() and "(privacy.md#addresses)" in "".join(page.read_text() for page in pages)


def test_the_archive_runs_where_it_is_unpacked(packages, tmp_path):
    with tarfile.open(only(packages[0], "*.tar.gz")) as archive:
        members = archive.getmembers()
        archive.extractall(tmp_path, filter="data")
    assert {(member.uid, member.gid, member.mtime) for member in members} == {(0, 0, 1800000000)}
    (folder,) = tmp_path.iterdir()

    assert run(folder / "bin/linden", "--version") == linden("--version").out
    assert {path.name for path in folder.iterdir()} == {"bin", "share", "systemd", "linden.yaml", "LICENSE"}


def commands(command, path=()):
    for child in command.get("subcommands", []):
        if child["commandName"] != "help":
            yield (*path, child["commandName"]), child
            yield from commands(child, (*path, child["commandName"]))


def test_the_manual_page_has_every_command_with_its_options(packages, tmp_path):
    needs("man")
    run("dpkg-deb", "--extract", only(packages[0], "*.deb"), tmp_path)
    page = tmp_path / "usr/share/man/man1/linden.1.gz"

    done = subprocess.run(
        ["man", "--warnings", "--local-file", page], env=os.environ | {"MANWIDTH": "200", "LC_ALL": "C.UTF-8"}, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
    lines = re.sub(r".\x08", "", done.stdout).splitlines()
    described = json.loads(linden("--experimental-dump-help").out)["command"]
    for path, command in commands(described):
        begin = lines.index("   " + " ".join(path))
        section = "\n".join(lines[begin:next((at for at in range(begin + 1, len(lines)) if re.match(r" {0,3}\S", lines[at])), None)])
        for argument in command.get("arguments", []):
            name = (argument.get("preferredName") or {}).get("name")
            if argument["kind"] != "positional" and argument.get("shouldDisplay", True) and name not in ("help", "version"):
                assert f"--{name}" in section, (path, name)


@pytest.mark.parametrize("shell, check", [("bash", ["bash", "-n"]), ("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])])
def test_the_completions_are_valid(shell, check, tmp_path):
    needs(shell)
    script = tmp_path / "completions"
    script.write_text(linden("--generate-completion-script", shell).out)
    run(*check, script)


# MARK: The scripts of the package

@pytest.fixture
def script(tmp_path):
    """Runs a script of the package below a folder, on a system without systemd; owners are only noted."""
    (tmp_path / "tools").mkdir()
    for tool in ("getent", "adduser", "deluser", "chown", "install", "systemctl", "deb-systemd-helper", "deb-systemd-invoke"):
        (tmp_path / "tools" / tool).write_text(f'#!/bin/sh\necho "{tool} $*" >>{tmp_path}/notes\n')
        (tmp_path / "tools" / tool).chmod(0o755)
    for folder in ("etc/linden", "var/lib/linden"):
        (tmp_path / folder).mkdir(parents=True)

    def follow(name, *arguments):
        text = re.sub(r"/(etc|var/lib)/linden|/run/systemd/system", lambda path: f"{tmp_path}{path[0]}", (CONFIG / "debian" / name).read_text())
        (tmp_path / "notes").write_text("")
        done = subprocess.run(["sh", "-c", text, name, *arguments], capture_output=True, text=True,
                              env={"PATH": f"{tmp_path}/tools:{os.environ['PATH']}"})
        assert done.returncode == 0, done.stderr
        return (tmp_path / "notes").read_text(), done.stderr
    return follow


def mode(path):
    return oct(path.stat().st_mode & 0o777)


def test_an_upgrade_leaves_owner_and_mode_of_the_settings_and_needs_no_file_of_them(script, tmp_path):
    settings = tmp_path / "etc/linden/linden.yaml"
    settings.touch(0o644)

    first, _ = script("postinst", "configure", "")
    assert f"chown root:linden {settings}" in first and (mode(settings), mode(settings.parent)) == ("0o640", "0o750")
    settings.chmod(0o600)
    again, _ = script("postinst", "configure", "0.1.0")
    assert "chown" not in again and mode(settings) == "0o600"
    settings.unlink()
    script("postinst", "configure", "0.1.0")
    script("postinst", "configure", "")


def test_a_purge_deletes_database_and_secrets_and_keeps_the_folders_with_backups(script, tmp_path):
    data = tmp_path / "var/lib/linden"
    kept = ["backups/linden-20270131T120000Z.db", "before-upgrade/linden-20270131T120000Z.db", "old.Xy1234/linden.db",
            "linden-20270131T120000Z.db"]
    for path in [*kept, "linden.db", "linden.db-wal", "trial.db", "exports/clicks.csv", "empty/.keep", "../../../etc/linden/s3-secret"]:
        (data / path).parent.mkdir(exist_ok=True)
        (data / path).touch()

    _, said = script("postrm", "purge")

    assert sorted(str(path.relative_to(data)) for path in data.rglob("*") if path.is_file()) == sorted(kept)
    assert not (tmp_path / "etc/linden").exists() and "before-upgrade" in said


def test_a_purge_without_backups_leaves_nothing_and_a_removal_everything(script, tmp_path):
    data = tmp_path / "var/lib/linden"
    (data / "backups").mkdir()
    (data / "linden.db").touch()

    script("postrm", "remove")
    assert (data / "linden.db").exists()
    script("postrm", "purge")
    assert not data.exists()


# MARK: The installed package

@pytest.fixture
def system(packages, tmp_path):
    needs("adduser", "deb-systemd-helper")
    with installed(only(packages[0], "*.deb"), tmp_path) as system:
        yield system


def test_the_package_is_installed_upgraded_removed_and_purged_and_survives_a_dpkg_that_is_killed(system):
    system.dpkg("--install", "/mnt/linden.deb")
    assert system.state == "installed"
    owned = system.run("stat", "--format=%a %U %G", "/etc/linden/linden.yaml", "/etc/linden", "/var/lib/linden").splitlines()
    assert owned == ["640 root linden", "750 root linden", "700 linden linden"]
    assert "nologin" in system.run("getent", "passwd", "linden")
    for unit in ("sockets.target.wants/linden.socket", "multi-user.target.wants/linden.service"):
        assert system.path(f"/etc/systemd/system/{unit}").is_symlink(), unit
    system.apps("create", "Orchard")

    # At any moment of an upgrade the program is whole.
    system.unpack_until_killed("/usr/bin/linden")
    assert system.state in ("half-installed", "unpacked")
    assert [app["name"] for app in system.apps("list")] == ["Orchard"]
    system.dpkg("--unpack", "/mnt/linden.deb")
    assert system.state == "unpacked" and not system.has("/usr/bin/linden.dpkg-new")
    assert [app["name"] for app in system.apps("list")] == ["Orchard"]
    system.dpkg("--configure", "--pending")
    assert system.state == "installed"

    system.dpkg("--remove", "linden")
    assert system.has("/var/lib/linden/linden.db") and system.has("/etc/linden/linden.yaml") and not system.has("/usr/bin/linden")
    system.dpkg("--purge", "linden")
    assert not any(system.has(path) for path in ("/var/lib/linden", "/etc/linden", "/usr/share/doc/linden"))
    assert "linden" not in system.path("/etc/passwd").read_text()


# MARK: The service

@pytest.fixture
def unit(tmp_path):
    """The service with the path of the binary under test, which systemd looks for."""
    needs("systemd-analyze")
    for path in UNIT.parent.iterdir():
        (tmp_path / path.name).write_text(path.read_text().replace("/usr/bin/linden ", f"{BINARY} "))
    return tmp_path / UNIT.name


def test_systemd_finds_no_fault_in_the_units(unit):
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", unit, unit.with_suffix(".socket")], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_service_is_exposed_by_two_of_ten_at_most(unit):
    run("systemd-analyze", "security", "--offline=true", "--threshold=20", unit)


def test_the_service_stops_later_than_the_server_does():
    text = UNIT.read_text()
    assert int(re.search(r"^TimeoutStopSec=(\d+)$", text, re.MULTILINE).group(1)) > 30


@pytest.mark.parametrize("path", [UNIT, CONFIG / "cluster/patroni.service"], ids=lambda path: path.name)
def test_systemd_never_gives_up_a_server_that_cannot_start_yet(path):
    """As while no PostgreSQL is the primary, for longer than five starts take."""
    section = path.read_text().partition("[Unit]")[2].partition("[Service]")
    assert "\nStartLimitIntervalSec=0\n" in section[0]
    assert "\nRestart=on-failure\n" in section[2] and int(re.search(r"^RestartSec=(\d+)$", section[2], re.MULTILINE)[1]) >= 1


def test_no_number_of_connections_ends_the_socket_of_a_server_that_cannot_start_yet():
    assert "\nTriggerLimitIntervalSec=0\n" in UNIT.with_suffix(".socket").read_text().partition("[Socket]")[2]


def test_haproxy_of_the_cluster_drops_the_rights_of_root_which_a_run_on_one_machine_never_has(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "Benchmarks/Cluster")
    from files import Layout
    rights = [r"user haproxy", r"group haproxy", r"chroot /var/lib/haproxy"]
    text = (CONFIG / "cluster/haproxy.cfg").read_text()
    (tmp_path / "machine1").mkdir()

    here = Layout("127.77", tmp_path, "/usr/bin").haproxy(3).read_text()

    assert all(re.search(rf"^    {line}\b", text.partition("defaults")[0], re.MULTILINE) for line in rights)
    assert not any(re.search(line, here) for line in rights) and "server machine3" in here


def test_the_command_of_the_service_is_one_that_the_binary_takes():
    command = re.search(r"^ExecStart=/usr/bin/linden (.*)$", UNIT.read_text(), re.MULTILINE).group(1).split()
    done = linden(*command, "--help")
    assert done.status == 0 and "USAGE: linden serve" in done.out
