"""Backups in a bucket: `backup.s3` and `linden backup --upload`, with a real server of the protocol."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from support import wire
from support.command import linden
from support.server import Server, free_port, running
from support.waiting import eventually

ACCESS, SECRET = "orchard", "a secret with / and +"
WEED = Path(sys.executable).parent / "weed"


class Store:
    """A server of objects on this machine, with one user."""

    def __init__(self, folder):
        self.folder = folder
        self.port, self.filer = free_port(), free_port()
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.settings = {
            "LINDEN_BACKUP_S3_BUCKET": "backups", "LINDEN_BACKUP_S3_ENDPOINT": self.endpoint, "LINDEN_BACKUP_S3_PREFIX": "linden/",
            "LINDEN_BACKUP_S3_ACCESS_KEY": ACCESS, "LINDEN_BACKUP_S3_SECRET_KEY": SECRET}

    def start(self):
        (self.folder / "s3.json").write_text(json.dumps({"identities": [
            {"name": "orchard", "credentials": [{"accessKey": ACCESS, "secretKey": SECRET}], "actions": ["Admin"]}]}))
        others = {name: str(free_port()) for name in ["master.port", "volume.port"]}
        arguments = ["server", f"-dir={self.folder}", "-ip=127.0.0.1", "-filer", "-s3", f"-s3.port={self.port}", f"-filer.port={self.filer}",
                     f"-s3.config={self.folder / 's3.json'}", *(f"-{name}={port}" for name, port in others.items())]
        with open(self.folder / "weed.log", "wb") as log:
            self.process = subprocess.Popen([WEED, *arguments], stdout=log, stderr=log)
        eventually(lambda: self.put("/buckets/backups/.keep", b"x"), within=60)

    def put(self, path, body):
        request = urllib.request.Request(f"http://127.0.0.1:{self.filer}{path}", data=body, method="PUT")
        try:
            return urllib.request.urlopen(request, timeout=10).status == 201
        except OSError:
            return False

    def names(self):
        request = urllib.request.Request(f"http://127.0.0.1:{self.filer}/buckets/backups/linden/", headers={"Accept": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return [Path(entry["FullPath"]).name for entry in json.load(answer)["Entries"] or []]
        except OSError:
            return []

    def get(self, name):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.filer}/buckets/backups/linden/{name}", timeout=30) as answer:
            return answer.read()


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    if not WEED.exists():
        pytest.skip("SeaweedFS is not installed")
    store = Store(tmp_path_factory.mktemp("store"))
    store.start()
    yield store
    store.process.kill()
    store.process.wait()


def uploads(admin):
    """What the metrics say about uploads."""
    text = wire.exchange(admin, wire.request(admin, "GET", "/metrics", b"", None)).text
    return {sample.name: sample.value for family in text_string_to_metric_families(text) for sample in family.samples
            if sample.name.startswith("linden_backup_upload")}


def test_a_servers_backups_are_uploaded_also_those_that_could_not_be_before(store, tmp_path):
    backups, admin = tmp_path / "backups", free_port()
    server = Server(tmp_path, store.settings | {
        "LINDEN_BACKUP_FOLDER": str(backups), "LINDEN_BACKUP_S3_ENDPOINT": f"http://127.0.0.1:{free_port()}",
        "LINDEN_HTTP_ADMIN_ADDRESS": f"127.0.0.1:{admin}"})
    with running(server):
        server.create_app().create_link(alias="apples")
        eventually(lambda: "The backup could not be uploaded; it will be tried again in ten minutes." in server.log, within=30)
        assert uploads(admin) == {"linden_backup_upload_failures_total": 1}
        assert linden("status", "--admin-address", f"127.0.0.1:{admin}", "--format", "json").json["last_uploaded_backup"] is None
    (name,) = [path.name for path in backups.iterdir()]
    assert SECRET not in server.log

    server.settings = server.settings | store.settings
    with running(server):
        eventually(lambda: name in store.names(), within=30)
        begun = datetime.strptime(name, "linden-%Y%m%dT%H%M%SZ.db").replace(tzinfo=timezone.utc)
        eventually(lambda: uploads(admin) == {
            "linden_backup_upload_failures_total": 0, "linden_backup_uploaded_timestamp_seconds": begun.timestamp()}, within=10)

    assert store.get(name) == (backups / name).read_bytes()
    assert "The backup is in the bucket." in server.log


def test_an_object_of_another_size_is_replaced(store, tmp_path):
    backups = tmp_path / "backups"
    server = Server(tmp_path, {"LINDEN_BACKUP_FOLDER": str(backups)})
    with running(server):
        eventually(lambda: "A backup was written." in server.log, within=30)
    (backup,) = backups.iterdir()
    assert store.put(f"/buckets/backups/linden/{backup.name}", b"the beginning")

    server.settings = server.settings | store.settings
    with running(server):
        eventually(lambda: "The backup is in the bucket." in server.log, within=30)

    assert store.get(backup.name) == backup.read_bytes()


def test_a_large_backup_is_uploaded_in_parts_and_can_be_restored(store, own_server, tmp_path):
    own_server.create_app().create_link(alias="pears")
    with closing(sqlite3.connect(own_server.path, timeout=30)) as database, database:
        database.execute("CREATE TABLE ballast (text TEXT)")
        database.executemany("INSERT INTO ballast VALUES (?)", ((os.urandom(512).hex(),) for _ in range(35_000)))

    done = own_server.command("backup", str(tmp_path / "backups"), "--upload", "--format", "json", settings=store.settings)

    assert done.status == 0, done.err
    assert done.json["bytes"] > 2 * (16 << 20)
    fetched = tmp_path / "fetched.db"
    fetched.write_bytes(store.get(os.path.basename(done.json["backup"])))
    assert fetched.read_bytes() == Path(done.json["backup"]).read_bytes()
    restored = linden("restore", str(fetched), "--database", f"sqlite:{tmp_path}/restored.db")
    assert restored.status == 0, restored.err


@pytest.mark.parametrize("changed, complaint", [
    ({"LINDEN_BACKUP_S3_SECRET_KEY": "another"}, "SignatureDoesNotMatch"),
    ({"LINDEN_BACKUP_S3_ACCESS_KEY": "stranger"}, "InvalidAccessKeyId"),
    ({"LINDEN_BACKUP_S3_BUCKET": ""}, "--upload needs the settings backup.s3.bucket"),
    ({"LINDEN_BACKUP_S3_ACCESS_KEY": ""}, 'The setting backup.s3.bucket is "backups" but needs backup.s3.endpoint'),
    ({"LINDEN_BACKUP_S3_ENDPOINT": "s3.example.com"}, "must be https:// or http:// and a host"),
])
def test_a_refused_upload_says_why_and_keeps_the_backup(store, own_server, tmp_path, changed, complaint):
    done = own_server.command("backup", str(tmp_path / "backups"), "--upload", settings=store.settings | changed)

    assert done.status == 1
    assert complaint in done.complaint and SECRET not in done.err
    shutil.rmtree(tmp_path / "backups", ignore_errors=True)


def test_old_backups_are_deleted_also_while_the_bucket_cannot_be_reached(own_server, tmp_path):
    backups = tmp_path / "backups"
    own_server.create_app()
    settings = {"LINDEN_BACKUP_S3_BUCKET": "backups", "LINDEN_BACKUP_S3_ENDPOINT": f"http://127.0.0.1:{free_port()}",
                "LINDEN_BACKUP_S3_ACCESS_KEY": ACCESS, "LINDEN_BACKUP_S3_SECRET_KEY": SECRET}

    made = [own_server.command("backup", str(backups), "--keep", "2", "--upload", "--format", "json", settings=settings) for _ in range(3)]

    assert [done.status for done in made] == [1, 1, 1] and all("cannot be reached" in done.err for done in made)
    assert made[2].json["removed"] == [made[0].json["backup"]]
    assert sorted(str(path) for path in backups.iterdir()) == [made[1].json["backup"], made[2].json["backup"]]


@pytest.mark.parametrize("others, complaint", [
    ({}, "backup.s3.bucket is set but backup.folder is not"),
    ({"LINDEN_BACKUP_FOLDER": "backups", "LINDEN_BACKUP_EVERY": "off"}, 'The setting backup.every is "off" but backup.s3.bucket is set'),
])
def test_a_server_with_a_bucket_that_would_make_no_backups_does_not_start(tmp_path, others, complaint):
    settings = {"LINDEN_BACKUP_S3_BUCKET": "backups", "LINDEN_BACKUP_S3_ENDPOINT": f"http://127.0.0.1:{free_port()}",
                "LINDEN_BACKUP_S3_ACCESS_KEY": ACCESS, "LINDEN_BACKUP_S3_SECRET_KEY": SECRET}

    done = linden("serve", "--port", "0", "--database", f"sqlite:{tmp_path}/linden.db", settings=settings | others)

    assert done.status == 1
    assert complaint in done.complaint
    assert not (tmp_path / "linden.db").exists()
