"""`linden backup` and `linden restore`, and a server's own backups."""

import datetime
import os
import re
import resource
import signal
import sqlite3
import stat
import subprocess
import time
from contextlib import closing

import pytest

from support.command import BINARY, environment, linden
from support.ledger import Ledger
from support.load import Load
from support.server import Server, running
from support.visitors import desktop
from support.volume import volume
from support.waiting import eventually

NAME = re.compile(r"linden-\d{8}T\d{6}Z\.db")


def files(folder):
    return sorted(path.name for path in folder.iterdir())


def back_up(server, folder, *options, **others):
    done = server.command("backup", str(folder), *options, "--format", "json", **others)
    assert done.status == 0, done.err
    return done.json


def restore(backup, target):
    return linden("restore", str(backup), "--database", f"sqlite:{target}", "--format", "json")


def fill(server, rows=40_000):
    """Makes a database of some 40 MB, whose backup takes a while."""
    with closing(sqlite3.connect(server.path, timeout=30)) as database, database:
        database.execute("CREATE TABLE IF NOT EXISTS ballast (text TEXT)")
        database.executemany("INSERT INTO ballast VALUES (?)", ((os.urandom(512).hex(),) for _ in range(rows)))


# MARK: Backups

def test_a_backup_is_a_complete_database_that_only_its_owner_can_read(own_server, tmp_path):
    app = own_server.create_app()
    app.create_link(alias="apples")

    made = back_up(own_server, tmp_path / "backups")

    assert files(tmp_path / "backups") == [os.path.basename(made["backup"])]
    assert NAME.fullmatch(os.path.basename(made["backup"]))
    assert stat.S_IMODE(os.stat(made["backup"]).st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "backups").stat().st_mode) == 0o700
    assert made["bytes"] == os.path.getsize(made["backup"]) and made["removed"] == []
    with closing(sqlite3.connect(made["backup"])) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("SELECT COUNT(*) FROM links").fetchone() == (1,)
    assert linden("verify", "--database", f"sqlite:{made['backup']}").status == 0


def test_backups_during_writes_are_consistent_and_have_all_that_was_acknowledged_before(own_server, tmp_path):
    app = own_server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
    load = Load(app, Ledger())
    load.start()
    made = []
    for number in range(4):
        time.sleep(0.3)
        with load.ledger._lock:
            acknowledged = {kind: set(entries) for kind, entries in load.ledger.acknowledged.items()}
        made.append((back_up(own_server, tmp_path / "backups")["backup"], acknowledged))
    load.stop()

    assert load.refusals == {}
    for number, (backup, acknowledged) in enumerate(made):
        target = tmp_path / f"restored-{number}"
        target.mkdir()
        assert restore(backup, target / "linden.db").status == 0
        with running(Server(target)) as restored:
            findings = load.ledger.compare(restored)
            lost = {(kind, entry) for kind, entry in findings.lost if entry in acknowledged.get(kind, ())}
            assert lost == set() and findings.doubled == []
            assert restored.command("verify").status == 0


def test_the_oldest_backups_beyond_a_number_are_deleted_and_no_other_file(own_server, tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir()
    others = ["linden-20200101T000000Z.db.gz", "linden-2020.db", "other-20200101T000000Z.db", "notes.txt"]
    # The first was written while the clock was wrong.
    old = ["linden-20990101T000000Z.db", "linden-20200101T000000Z.db", "linden-20210101T000000Z.db"]
    for name in others + old:
        (folder / name).write_text(name)

    made = [back_up(own_server, folder, "--keep", "2") for _ in range(2)]

    assert [os.path.basename(path) for path in made[0]["removed"]] == old[:2]
    assert [os.path.basename(path) for path in made[1]["removed"]] == old[2:]
    assert files(folder) == sorted(others + [os.path.basename(each["backup"]) for each in made])


def test_a_stopped_servers_database_is_backed_up_and_not_changed(tmp_path):
    server = Server(tmp_path)
    with running(server):
        server.create_app()
    before = server.path.read_bytes()

    back_up(server, tmp_path / "backups")

    assert server.path.read_bytes() == before
    with running(Server(tmp_path)) as server:
        assert server.answers("/readyz")


def test_a_database_of_an_older_version_is_backed_up_as_it_is(tmp_path):
    """Before an upgrade; the backup must not be one already."""
    server = Server(tmp_path)
    server.create_app()
    with closing(sqlite3.connect(server.path)) as database, database:
        (last,) = database.execute("SELECT MAX(number) FROM migrations").fetchone()
        database.execute("DELETE FROM migrations WHERE number = ?", (last,))

    made = back_up(server, tmp_path / "backups")

    for path in (server.path, made["backup"]):
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("SELECT MAX(number) FROM migrations").fetchone() == (last - 1,)


def test_a_killed_backup_leaves_no_file_of_a_backups_name_and_the_next_one_succeeds(own_server, tmp_path):
    fill(own_server)
    folder = tmp_path / "backups"
    for attempt in range(5):
        process = subprocess.Popen([BINARY, "backup", str(folder), "--database", own_server.database], env=environment())
        eventually(lambda: (folder / "linden.partial").exists() and (folder / "linden.partial").stat().st_size > 0)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert files(folder) == ["linden.partial"]

    made = back_up(own_server, folder)

    assert files(folder) == [os.path.basename(made["backup"])]
    assert restore(made["backup"], tmp_path / "restored.db").status == 0


def test_two_backups_at_a_time_do_not_mix(own_server, tmp_path):
    fill(own_server)
    folder = tmp_path / "backups"
    processes = [
        subprocess.Popen([BINARY, "backup", str(folder), "--database", own_server.database], env=environment(),
                         stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        for _ in range(4)]
    errors = [process.communicate()[1] for process in processes]

    done = [process.returncode for process in processes]
    assert 0 in done and set(done) <= {0, 1}
    assert all("is being written by another process" in error for error, status in zip(errors, done) if status)
    assert len(files(folder)) == done.count(0) and all(map(NAME.fullmatch, files(folder)))
    for name in files(folder):
        with closing(sqlite3.connect(folder / name)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_disk_without_room_is_named_before_anything_is_written(own_server, tmp_path):
    fill(own_server)
    with volume(tmp_path / "disk", megabytes=8) as disk:
        done = own_server.command("backup", str(disk.folder))
        assert done.status == 1 and str(disk.folder) in done.complaint and "bytes free" in done.complaint
        assert files(disk.folder) == []


def test_a_disk_that_fills_up_during_a_backup_leaves_no_file(own_server, tmp_path):
    fill(own_server)
    folder = tmp_path / "backups"

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 20, 4 << 20))

    done = subprocess.run(
        [BINARY, "backup", str(folder), "--database", own_server.database], env=environment(), preexec_fn=limit, capture_output=True,
        text=True, timeout=60)

    assert done.returncode == 1 and f"{folder}/linden.partial cannot be written" in done.stderr, done.stderr
    assert files(folder) == []
    back_up(own_server, folder)


def test_a_disk_that_another_program_fills_during_a_backup_leaves_no_file(own_server, tmp_path):
    fill(own_server, rows=80_000)
    with volume(tmp_path / "disk", megabytes=200) as disk:
        process = subprocess.Popen(
            [BINARY, "backup", str(disk.folder), "--database", own_server.database], env=environment(), stderr=subprocess.PIPE, text=True)
        eventually(lambda: any(path.stat().st_size for path in disk.folder.glob("*.partial")))
        process.send_signal(signal.SIGSTOP)
        disk.fill()
        process.send_signal(signal.SIGCONT)
        _, complaint = process.communicate(timeout=60)

        assert process.returncode == 1 and "linden.partial cannot be written: its disk is full" in complaint, complaint
        assert files(disk.folder) == ["ballast"]
        disk.make_room()
        back_up(own_server, disk.folder)


def test_a_damaged_database_pushes_out_no_good_backup(tmp_path):
    with running(Server(tmp_path)) as server:
        server.create_app()
        fill(server, rows=4_000)
    good = back_up(server, tmp_path / "backups")["backup"]
    content = server.path.read_bytes()
    server.path.write_bytes(overwrite_end(content))

    done = server.command("backup", str(tmp_path / "backups"), "--keep", "1")

    assert done.status == 1 and "The earlier backups are kept." in done.err, done.err
    assert files(tmp_path / "backups") == [os.path.basename(good)]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can leave files that the server's user cannot open")
def test_what_root_creates_beside_a_database_belongs_to_the_folders_owner(tmp_path):
    folder = tmp_path / "service"
    folder.mkdir(mode=0o700)
    os.chown(folder, 65534, 65534)

    assert linden("apps", "create", "Orchard", "--database", f"sqlite:{folder}/linden.db").status == 0
    assert linden("backup", f"{folder}/backups", "--database", f"sqlite:{folder}/linden.db").status == 0
    with running(Server(folder)):
        made = {str(path.relative_to(folder)): (path.stat().st_uid, path.stat().st_gid) for path in folder.rglob("*")}

    assert {"linden.db", "linden.db-gate", "linden.db-wal", "linden.db-server", "backups"} <= set(made)
    assert {name for name, owner in made.items() if owner != (65534, 65534)} <= {"server.log"}


@pytest.mark.parametrize("arguments, status, named", [
    (["missing/folder"], 1, "missing/folder"), (["linden.db"], 1, "linden.db"), (["backups", "--keep", "0"], 64, "--keep"),
    (["backups", "--keep", "ten"], 64, "--keep")])
def test_a_wrong_folder_or_number_is_named(tmp_path, arguments, status, named):
    linden("migrate", folder=tmp_path)

    done = linden("backup", *arguments, folder=tmp_path)

    assert done.status == status and named in done.err
    assert not (tmp_path / "backups").exists()


@pytest.mark.parametrize("content", [b"", b"These are my notes on apples.\n" * 500], ids=["empty", "notes"])
def test_what_is_no_database_of_linden_is_not_backed_up(tmp_path, content):
    (tmp_path / "linden.db").write_bytes(content)

    done = linden("backup", "backups", folder=tmp_path)

    assert done.status == 1 and "linden.db" in done.complaint
    assert files(tmp_path / "backups") == []
    assert (tmp_path / "linden.db").read_bytes() == content


# MARK: Restoring

@pytest.fixture
def backup(tmp_path):
    """A backup, and the path of a link that it holds."""
    folder = tmp_path / "first"
    folder.mkdir()
    with running(Server(folder)) as server:
        app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
        app.create_link(alias="apples")
        fill(server, rows=200)
        yield back_up(server, tmp_path / "backups")["backup"]


def test_a_restored_database_is_served(backup, tmp_path):
    target = tmp_path / "second"
    target.mkdir()

    done = restore(backup, target / "linden.db")

    assert done.status == 0, done.err
    assert done.json == {"database": f"{target}/linden.db", "restored_from": backup, "pending_migrations": 0}
    assert files(target) == ["linden.db"] and stat.S_IMODE((target / "linden.db").stat().st_mode) == 0o600
    with running(Server(target)) as server:
        assert server.get("/apples", desktop().headers).status == 302
    assert files(tmp_path / "backups") == [os.path.basename(backup)]


def test_a_backup_in_a_folder_that_cannot_be_written_is_restored(backup, tmp_path):
    os.chmod(tmp_path / "backups", 0o500)
    try:
        assert restore(backup, tmp_path / "restored.db").status == 0
    finally:
        os.chmod(tmp_path / "backups", 0o700)


def test_a_copy_of_a_running_servers_files_is_restored_with_its_log(tmp_path):
    (tmp_path / "first").mkdir()
    server = Server(tmp_path / "first").start()
    server.create_app().create_link(alias="apples")
    server.kill()
    for suffix in ("", "-wal"):
        (tmp_path / f"copy.db{suffix}").write_bytes((tmp_path / f"first/linden.db{suffix}").read_bytes())
    assert (tmp_path / "copy.db-wal").stat().st_size > 0

    assert restore(tmp_path / "copy.db", tmp_path / "restored.db").status == 0

    with closing(sqlite3.connect(tmp_path / "restored.db")) as database:
        assert database.execute("SELECT path FROM links").fetchall() == [("apples",)]


def cut(content): return content[:len(content) // 2]
def overwrite(content): return content[:8192] + b"\xa5" * 8192 + content[16384:]
def overwrite_end(content): return content[:-4096] + b"\xa5" * 4096
def replace_head(content): return b"\0" * 100 + content[100:]
def empty(content): return b""


@pytest.mark.parametrize("damage", [cut, overwrite, overwrite_end, replace_head, empty])
def test_a_damaged_backup_is_refused_and_nothing_is_left(backup, tmp_path, damage):
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(damage(open(backup, "rb").read()))
    before = files(tmp_path)

    done = restore(damaged, tmp_path / "restored.db")

    assert done.status == 1 and str(damaged) in done.err, done.err
    assert files(tmp_path) == before


def test_a_backup_of_a_newer_version_is_refused(backup, tmp_path):
    with closing(sqlite3.connect(backup)) as database, database:
        database.execute("INSERT INTO migrations VALUES (1000, 'next', 'checksum', 1)")
    before = files(tmp_path)

    done = restore(backup, tmp_path / "restored.db")

    assert done.status == 1 and "newer" in done.err and backup in done.err
    assert files(tmp_path) == before


@pytest.mark.parametrize("left", ["", "-wal", "-shm", "-journal"])
def test_files_of_another_database_are_neither_replaced_nor_joined(backup, tmp_path, left):
    (tmp_path / f"old.db{left}").write_text("old")
    before = files(tmp_path)

    done = restore(backup, tmp_path / "old.db")

    assert done.status == 1 and f"old.db{left} exists" in done.err
    assert files(tmp_path) == before and (tmp_path / f"old.db{left}").read_text() == "old"


def test_a_database_whose_file_was_moved_away_from_a_running_server_is_not_replaced(backup, own_server, tmp_path):
    for suffix in ("", "-wal", "-shm"):
        own_server.path.with_name("linden.db" + suffix).rename(tmp_path / f"moved.db{suffix}")

    done = restore(backup, own_server.path)

    assert done.status == 1 and "A server has the database" in done.err
    for suffix in ("", "-wal", "-shm"):
        (tmp_path / f"moved.db{suffix}").rename(own_server.path.with_name("linden.db" + suffix))


@pytest.mark.parametrize("target, status, named", [
    (":memory:", 64, "the path of a file"), ("missing/restored.db", 1, "missing/restored.db.partial cannot be written"),
    # Neither may root write there.
    ("/sys/restored.db", 1, "/sys/restored.db.partial cannot be written"), ("folder", 1, "folder exists"), ("folder/", 1, "folder/ exists"),
    ("file/restored.db", 1, "file/restored.db.partial cannot be written"), ("link", 1, "link exists"),
    ("dangling", 1, "dangling exists already"), ("source", 1, "exists")])
def test_a_place_that_cannot_be_restored_into_is_named_and_nothing_is_written(backup, tmp_path, target, status, named):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("apples")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "dangling").symlink_to("pears")
    content = open(backup, "rb").read()
    before = files(tmp_path)

    done = linden("restore", backup, "--database", f"sqlite:{backup if target == 'source' else target}", folder=tmp_path)

    assert done.status == status and named in done.err, done.err
    assert files(tmp_path) == before and files(tmp_path / "folder") == []
    assert (tmp_path / "file").read_text() == "apples" and os.readlink(tmp_path / "dangling") == "pears"
    assert open(backup, "rb").read() == content


def test_a_database_is_restored_into_a_folder_that_a_link_leads_to(backup, tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "data").symlink_to("disk")

    assert restore(backup, tmp_path / "data/restored.db").status == 0

    assert files(tmp_path / "disk") == ["restored.db"]


def test_a_backup_that_does_not_exist_is_named(tmp_path):
    done = restore(tmp_path / "missing.db", tmp_path / "restored.db")

    assert done.status == 1 and f"There is no backup at {tmp_path}/missing.db" in done.complaint
    assert files(tmp_path) == []


def test_what_is_no_file_is_not_restored(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for source in [tmp_path, tmp_path / "pipe", "/dev/zero"]:
        done = restore(source, tmp_path / "restored.db")

        assert done.status == 1 and f"{source} is no file" in done.complaint
    assert files(tmp_path) == ["pipe"]


def test_a_killed_restore_leaves_no_database(own_server, tmp_path):
    fill(own_server)
    backup = back_up(own_server, tmp_path / "backups")["backup"]
    target = tmp_path / "restored.db"
    process = subprocess.Popen([BINARY, "restore", backup, "--database", f"sqlite:{target}"], env=environment())
    eventually((tmp_path / "restored.db.partial").exists)
    process.kill()
    process.wait()

    assert not target.exists()
    assert restore(backup, target).status == 0


# MARK: A server's own backups

def test_a_server_makes_a_backup_at_once_and_again_when_the_newest_is_too_old(tmp_path):
    folder = tmp_path / "backups"
    with running(Server(tmp_path, {"LINDEN_BACKUP_FOLDER": str(folder), "LINDEN_BACKUP_EVERY": "12h", "LINDEN_BACKUP_KEEP": "2",
                                   "LINDEN_LIMITS_MIN_FREE_DISK": "0"})) as server:
        server.create_app()
        eventually(lambda: folder.exists() and any(map(NAME.fullmatch, files(folder))), within=20)
        (first,) = files(folder)
        eventually(lambda: "A backup was written." in server.log)
        time.sleep(7)
        assert files(folder) == [first]

        for hours in (14, 13):
            old = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=hours)
            (folder / first).rename(folder / old.strftime("linden-%Y%m%dT%H%M%SZ.db"))
            eventually(lambda: any(NAME.fullmatch(name) and name >= first for name in files(folder)), within=20)
            (first,) = [name for name in files(folder) if name >= first]

        eventually(lambda: len(files(folder)) == 2)
        assert restore(folder / first, tmp_path / "restored.db").status == 0


def test_a_restart_makes_no_backup_before_it_is_due(tmp_path):
    folder = tmp_path / "backups"
    server = Server(tmp_path, {"LINDEN_BACKUP_FOLDER": str(folder), "LINDEN_LIMITS_MIN_FREE_DISK": "0"})
    for _ in range(2):
        with running(server):
            eventually(lambda: folder.exists() and any(map(NAME.fullmatch, files(folder))), within=20)
            time.sleep(2)
    assert len(files(folder)) == 1


def test_a_backup_of_a_clock_that_was_ahead_does_not_count_as_the_newest(tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir(mode=0o700)
    (folder / "linden-20991231T000000Z.db").write_text("of the future")
    with running(Server(tmp_path, {"LINDEN_BACKUP_FOLDER": str(folder), "LINDEN_LIMITS_MIN_FREE_DISK": "0"})) as server:
        eventually(lambda: len([name for name in files(folder) if NAME.fullmatch(name)]) == 2, within=20)
        made = datetime.datetime.strptime(files(folder)[0], "linden-%Y%m%dT%H%M%SZ.db")

        status = server.command("status", "--format", "json", settings={"LINDEN_BACKUP_FOLDER": str(folder)})

        assert status.json["last_backup"] == made.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def test_a_backup_that_fails_is_logged_once_and_the_server_goes_on(tmp_path):
    (tmp_path / "backups").write_text("a file")
    with running(Server(tmp_path, {"LINDEN_BACKUP_FOLDER": str(tmp_path / "backups")})) as server:
        eventually(lambda: "The backup failed" in server.log, within=20)
        time.sleep(7)
        assert server.answers("/readyz")
        assert server.log.count("The backup failed") == 1 and str(tmp_path / "backups") in server.log
