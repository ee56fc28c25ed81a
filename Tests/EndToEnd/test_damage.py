"""A database file that is damaged, or unexpectedly empty."""

import re
import sqlite3
from contextlib import closing

import pytest

from support.command import linden
from support.server import Server, free_port
from support.waiting import eventually

PAGE = 4096


@pytest.fixture
def damaged(tmp_path):
    """A stopped server with garbage in the middle of its database."""
    server = Server(tmp_path)
    server.start()
    app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/")
    for number in range(300):
        app.create_link(data={"pear": f"{number}" * 500})
    server.stop()
    path = tmp_path / "linden.db"
    pages = path.stat().st_size // PAGE
    with path.open("r+b") as file:
        for page in range(pages - 40, pages - 20):
            file.seek(page * PAGE)
            file.write(b"\xa5" * PAGE)
    yield server
    server.stop()


def test_verify_finds_a_damaged_page(damaged):
    done = damaged.command("verify", "--format", "json")

    assert done.status == 1
    check = done.json["checks"][0]
    assert check["check"] == "storage.pages" and check["problems"]


def test_a_server_reports_a_damaged_page_after_its_start(damaged):
    damaged.start()

    eventually(lambda: "The database is damaged; restore it from a backup" in damaged.log)


def test_monitors_see_the_damage_and_no_backup_of_it_takes_the_place_of_a_good_one(damaged, tmp_path):
    backups, admin = tmp_path / "backups", free_port()
    backups.mkdir(mode=0o700)
    good = backups / "linden-20200101T000000Z.db"
    good.write_text("good")
    damaged.settings |= {
        "LINDEN_HTTP_ADMIN_ADDRESS": f"127.0.0.1:{admin}", "LINDEN_BACKUP_FOLDER": str(backups), "LINDEN_BACKUP_KEEP": "1",
        "LINDEN_LIMITS_MIN_FREE_DISK": "0"}
    damaged.start()

    eventually(lambda: "The database is damaged; restore it from a backup" in damaged.log)
    eventually(lambda: "The copy could not be restored" in damaged.log, within=20)

    shown = linden("status", "--admin-address", f"127.0.0.1:{admin}", "--format", "json")
    assert shown.json["status"] == "ready, but the database is damaged"
    assert list(backups.iterdir()) == [good]


def test_a_file_that_lost_its_content_is_no_new_installation(tmp_path):
    (tmp_path / "linden.db").touch()

    for arguments in (["serve", "--port", "0"], ["apps", "create", "Orchard"], ["apps", "list"]):
        done = linden(*arguments, "--database", f"sqlite:{tmp_path}/linden.db")
        assert done.status == 1
        assert "it is empty (0 bytes)" in done.complaint and "linden migrate" in done.complaint
    assert (tmp_path / "linden.db").read_bytes() == b""
    assert linden("migrate", "--database", f"sqlite:{tmp_path}/linden.db").status == 0


def orphan(path):
    """Deletes an app past the foreign keys of its rows, as a lost page would."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM apps")


def test_verify_finds_a_row_that_names_a_missing_one(tmp_path):
    server = Server(tmp_path)
    server.create_app()
    orphan(server.path)

    done = server.command("verify", "--format", "json")

    assert done.status == 1
    failed = {check["check"]: check["problems"] for check in done.json["checks"] if not check["ok"]}
    assert set(failed) == {"storage.references"}
    assert any("app_keys names a row of apps that is not there" in problem for problem in failed["storage.references"])


def test_a_backup_with_a_row_that_names_a_missing_one_is_not_restored(tmp_path):
    server = Server(tmp_path)
    server.create_app()
    backup = server.ask("backup", str(tmp_path / "backups"))["backup"]
    orphan(backup)

    done = linden("restore", backup, "--database", f"sqlite:{tmp_path}/restored.db")

    assert done.status == 1 and "cannot be restored" in done.complaint and "names a row of apps that is not there" in done.complaint
    assert not list(tmp_path.glob("restored.db*"))


def test_verify_says_what_it_checks(tmp_path):
    server = Server(tmp_path)
    server.create_app()
    kinds = {check["check"].split(".")[0] for check in server.ask("verify")["checks"]}

    described = linden("verify", "--help").out

    assert [kind for kind in kinds if not re.search(rf"\b{kind}(\s+and\s+[a-z]+)?:", described)] == []
