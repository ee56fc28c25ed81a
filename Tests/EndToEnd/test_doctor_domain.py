"""`linden doctor domain`: problems that prevent phones from opening the app."""

import gzip
import json
from dataclasses import dataclass, replace

import pytest

from support.host import CERTIFICATE, Reply, host
from support.server import free_port
from support.waiting import eventually

HOST = "go.orchard.example"
APPLE = "/.well-known/apple-app-site-association"
ROOT = "/apple-app-site-association"
ANDROID = "/.well-known/assetlinks.json"
FINGERPRINTS = [":".join([pair] * 32) for pair in ("AB", "CD")]


@dataclass(frozen=True)
class Report:
    status: int
    answer: dict

    def __getitem__(self, check):
        """The status and the detail of a check."""
        (found,) = [entry for entry in self.answer["checks"] if entry["check"] == check]
        return found["status"], found["detail"]

    def other_than_ok(self):
        return {entry["check"]: entry["status"] for entry in self.answer["checks"] if entry["status"] != "ok"}


@pytest.fixture(scope="module")
def orchard(server):
    """An app with a domain and settings for both phones."""
    app = server.create_app(
        "Orchard", "--domain", HOST, "--ios-team-id", "ABCDE12345", "--ios-bundle-id", "com.example.orchard",
        "--android-package", "com.example.orchard", *[flag for each in FINGERPRINTS for flag in ("--android-sha256", each)])
    eventually(lambda: served(server, APPLE).status == 200)
    return app


def served(server, path, name=HOST):
    """A file as Linden serves it."""
    answer = server.get(path, {"Host": name})
    return Reply(answer.body, answer.status, {"Content-Type": answer.headers["content-type"]})


def examine(server, port, *flags, name=HOST, connect=True):
    done = server.command("doctor", "domain", name, *(["--connect", f"127.0.0.1:{port}"] if connect else []), *flags,
                          "--format", "json")
    report = Report(done.status, done.json)
    assert report.answer["host"] == name
    assert report.answer["ok"] is (done.status == 0)
    return report


def examine_with(server, path, change):
    """Examines a host that differs from Linden in one file."""

    def reply(asked, name):
        answer = served(server, asked, name)
        return change(answer) if asked == path else answer

    with host(reply) as port:
        return examine(server, port, "--insecure-http")


def rewritten(change):
    """Changes the JSON of a file."""

    def rewrite(reply):
        return replace(reply, body=json.dumps(change(json.loads(reply.body))).encode())

    return rewrite


# MARK: Healthy hosts


def test_a_healthy_host_has_no_errors_but_phones_want_https_and_dns(server, orchard):
    report = examine(server, server.port, "--insecure-http")

    assert report.status == 0
    assert report.other_than_ok() == {"dns": "warning", "https": "warning"}
    assert "refuse" in report["https"][1]
    assert "Orchard" in report["host"][1]
    assert "ABCDE12345.com.example.orchard" in report["apple.apps"][1]


def test_a_healthy_host_is_so_over_https_with_a_certificate_that_is_trusted(server, orchard):
    with host(lambda path, name: served(server, path, name), tls=True) as port:
        report = examine(server, port, "--ca", str(CERTIFICATE))

    assert report.status == 0
    assert report.other_than_ok() == {"dns": "warning"}


@pytest.mark.parametrize("tickets, status", [(20, 0), (3000, 1)])
def test_a_host_that_sends_tickets_of_tls_without_end_is_left(server, orchard, tickets, status):
    with host(lambda path, name: served(server, path, name), tls=True, tickets=tickets) as port:
        report = examine(server, port, "--ca", str(CERTIFICATE))

    assert report.status == status


def test_the_old_way_of_writing_the_file_is_good_too(server, orchard):
    old = {"applinks": {"apps": [], "details": [
        {"appID": "ABCDE12345.com.example.orchard", "paths": ["NOT /e/*", "NOT /dashboard/*", "NOT /api/*", "*", "/"]}]}}
    report = examine_with(server, APPLE, rewritten(lambda file: old))

    assert report.status == 0
    assert report["apple.current"][0] == "ok"


def test_people_are_shown_a_table_with_a_mark_for_each_check(server, orchard):
    done = server.command("doctor", "domain", HOST, "--connect", f"127.0.0.1:{server.port}", "--insecure-http")

    heading, *rows = done.out.splitlines()
    assert heading.split() == ["CHECK", "DETAIL"]
    assert {row.split()[0] for row in rows} == {"✓", "!"}


# MARK: What keeps a file from being read


@pytest.mark.parametrize("path, check", [(APPLE, "apple"), (ANDROID, "android")])
def test_a_redirect_is_an_error_and_not_followed(server, orchard, path, check):
    moved = Reply(status=301, headers={"Location": f"https://www.orchard.example{path}"})
    report = examine_with(server, path, lambda _: moved)

    assert report.status == 1
    assert report[f"{check}.redirect"][0] == "error"
    assert "https://www.orchard.example" in report[f"{check}.redirect"][1]
    assert f"{check}.json" not in str(report.answer)


@pytest.mark.parametrize("path, check", [(APPLE, "apple"), (ANDROID, "android")])
@pytest.mark.parametrize("status, advice", [(404, "proxy"), (403, "everybody"), (502, "log")])
def test_a_status_other_than_200_is_an_error_that_says_what_to_do(server, orchard, path, check, status, advice):
    report = examine_with(server, path, lambda reply: replace(reply, status=status))

    assert report.status == 1
    assert report[f"{check}.status"][0] == "error"
    assert str(status) in report[f"{check}.status"][1] and advice in report[f"{check}.status"][1]


@pytest.mark.parametrize("headers", [{"Content-Type": "text/html"}, {"Content-Type": "application/jsonp"}, {}])
def test_google_takes_the_file_as_json_alone_and_apple_prefers_it(server, orchard, headers):
    android = examine_with(server, ANDROID, lambda reply: replace(reply, headers=headers))
    apple = examine_with(server, APPLE, lambda reply: replace(reply, headers=headers))

    assert (android.status, android["android.content_type"][0]) == (1, "error")
    assert (apple.status, apple["apple.content_type"][0]) == (0, "warning")


def test_the_content_type_may_name_its_characters(server, orchard):
    headers = {"Content-Type": "Application/JSON ; charset=utf-8"}

    assert examine_with(server, ANDROID, lambda reply: replace(reply, headers=headers))["android.content_type"][0] == "ok"


@pytest.mark.parametrize("path, check, body", [
    (APPLE, "apple", b'{"applinks":'), (APPLE, "apple", b"<html></html>"), (APPLE, "apple", b"[]"),
    (APPLE, "apple", b'{"applinks":{}}'), (APPLE, "apple", b'{"applinks":{"details":[{"components":[]}]}}'),
    (APPLE, "apple", b'{"applinks":{"details":[{"appIDs":["A.b"]}]}}'), (APPLE, "apple", b"\xef\xbb\xbf{}"),
    (ANDROID, "android", b"[{"), (ANDROID, "android", b"{}"), (ANDROID, "android", b'[{"relation":[]}]'),
])
def test_a_file_that_is_not_json_of_the_right_shape_is_an_error(server, orchard, path, check, body):
    report = examine_with(server, path, lambda reply: replace(reply, body=body))

    assert report.status == 1
    assert report[f"{check}.json"][0] == "error"


def test_apple_reads_no_more_than_128_kilobytes(server, orchard):
    report = examine_with(server, APPLE, lambda reply: replace(reply, body=reply.body + b" " * (128 * 1024)))

    assert report.status == 1
    assert report["apple.size"][0] == "error"
    # Rules that no phone reads are not read here, either.
    assert all(entry["check"] != "apple.json" for entry in report.answer["checks"])


# MARK: What a file says


def test_an_app_that_is_not_in_apples_file_is_named(server, orchard):
    report = examine_with(server, APPLE, rewritten(lambda file: {"applinks": {"details": []}}))

    assert report.status == 1
    assert report["apple.apps"][0] == "error"
    assert "ABCDE12345.com.example.orchard" in report["apple.apps"][1]


def test_a_missing_fingerprint_is_named(server, orchard):
    def without_the_second(file):
        file[0]["target"]["sha256_cert_fingerprints"].pop()
        return file

    report = examine_with(server, ANDROID, rewritten(without_the_second))

    assert report.status == 1
    assert report["android.apps"][0] == "error"
    assert FINGERPRINTS[1] in report["android.apps"][1] and FINGERPRINTS[0] not in report["android.apps"][1]


def test_an_exclusion_that_comes_too_late_is_an_error(server, orchard):
    def reversed_rules(file):
        file["applinks"]["details"][0]["components"].reverse()
        return file

    report = examine_with(server, APPLE, rewritten(reversed_rules))

    assert report.status == 1
    assert report["apple.web_only"][0] == "error"


def test_a_copy_with_more_in_it_works_but_is_warned_of(server, orchard):
    def with_credentials(file):
        return file | {"webcredentials": {"apps": ["ABCDE12345.com.example.orchard"]}}

    report = examine_with(server, APPLE, rewritten(with_credentials))

    assert report.status == 0
    assert report["apple.current"][0] == "warning"


def test_what_is_wrong_at_the_root_alone_is_no_error(server, orchard):
    report = examine_with(server, ROOT, lambda reply: replace(reply, status=404))

    assert report.status == 0
    assert report["apple.root"][0] == "warning"


@pytest.mark.parametrize("path, check, other", [(APPLE, "apple", "android"), (ANDROID, "android", "apple")])
def test_a_file_that_comes_encoded_unasked_is_an_error_that_names_the_encoding(server, orchard, path, check, other):
    report = examine_with(server, path, lambda reply: replace(
        reply, body=gzip.compress(reply.body), headers=reply.headers | {"Content-Encoding": "gzip"}))

    assert report.status == 1
    assert report[f"{check}.content_encoding"][0] == "error"
    assert "gzip" in report[f"{check}.content_encoding"][1]
    assert report[f"{other}.current"][0] == "ok"


@pytest.mark.parametrize("path, check, other", [(APPLE, "apple", "android"), (ANDROID, "android", "apple")])
def test_what_is_wrong_with_one_file_keeps_the_other_from_nothing(server, orchard, path, check, other):
    report = examine_with(server, path, lambda reply: replace(reply, body=b" " * (2 << 20)))

    assert report.status == 1
    assert report[f"{check}.status"][0] == "error"
    assert report[f"{other}.current"][0] == "ok"


# MARK: Hosts and their certificates


def test_a_host_that_is_not_known_is_an_error_that_says_how_to_add_it(server, orchard):
    report = examine(server, server.port, "--insecure-http", name="links.meadow.example")

    assert report.status == 1
    assert [entry["check"] for entry in report.answer["checks"]] == ["host"]
    assert "linden domains add" in report["host"][1]


def test_a_certificate_without_a_trusted_issuer_is_an_error(server, orchard):
    with host(lambda path, name: served(server, path, name), tls=True) as port:
        report = examine(server, port)

    assert report.status == 1
    assert report["https"][0] == "error"
    assert "certificate is not to be trusted" in report["https"][1]


def test_a_certificate_for_another_name_is_an_error(server, orchard):
    server.ask("domains", "add", "shop.orchard.example", "--app", orchard.branch_key)
    with host(lambda path, name: served(server, path, name), tls=True) as port:
        report = examine(server, port, "--ca", str(CERTIFICATE), name="shop.orchard.example")

    assert report.status == 1
    assert "other names" in report["https"][1]


def test_a_server_without_tls_and_no_server_at_all_are_distinguished(server, orchard):
    assert "does not speak TLS" in examine(server, server.port)["https"][1]
    assert "there is no connection" in examine(server, free_port())["https"][1]


def test_a_name_that_leads_nowhere_is_an_error(server, orchard):
    server.ask("domains", "add", "orchard.invalid", "--app", orchard.branch_key)
    report = examine(server, None, name="orchard.invalid", connect=False)

    assert report.status == 1
    assert report["dns"][0] == "error"


# MARK: Settings


@pytest.mark.parametrize("flags, check, named", [
    (["--ios-bundle-id", "com.example.pear"], "settings.ios", "--ios-team-id"),
    (["--ios-uri-scheme", "pear"], "settings.ios", "--ios-bundle-id"),
    (["--android-package", "com.example.pear"], "settings.android", "--android-sha256"),
])
def test_what_an_apps_settings_lack_is_an_error_that_says_how_to_add_it(server, flags, check, named):
    name = named.strip("-").split()[0] + ".pear.example"
    server.create_app("Pear", "--domain", name, *flags)
    report = examine(server, server.port, "--insecure-http", name=name)

    assert report.status == 1
    assert report[check][0] == "error"
    assert named in report[check][1]


def test_an_app_that_is_on_no_phone_is_warned_of(server):
    app = server.create_app("Quince", "--domain", "quince.example")
    report = examine(server, server.port, "--insecure-http", name="quince.example")

    assert report.status == 0
    assert report["settings.apps"][0] == "warning"
    assert f"linden apps update {app.app_id}" in report["settings.apps"][1]
    assert not [entry for entry in report.answer["checks"] if entry["check"] == "apple.web_only"]


def test_findings_of_several_apps_say_which(server):
    owner = server.create_app("Plum", "--domain", "plum.example", "--ios-uri-scheme", "plum")
    other = server.create_app("Peach", "--ios-uri-scheme", "peach")
    server.ask("domains", "associate", "plum.example", "--app", other.branch_key)
    report = examine(server, server.port, "--insecure-http", name="plum.example")

    entries = [entry for entry in report.answer["checks"] if entry["check"] == "settings.ios"]
    assert [entry["app"] for entry in entries] == [owner.app_id, other.app_id]
    assert "app" not in report.answer["checks"][0]


def test_a_name_that_leads_nowhere_but_home_is_an_error(server, orchard):
    server.ask("domains", "add", "localhost", "--app", orchard.branch_key)
    report = examine(server, None, name="localhost", connect=False)

    assert report.status == 1
    assert report["dns"][0] == "error"
    assert "127.0.0.1" in report["dns"][1]


def test_a_deleted_apps_host_is_an_error_until_it_is_given_away(server):
    app = server.create_app("Damson", "--domain", "damson.example", "--android-package", "com.example.damson")
    eventually(lambda: served(server, ANDROID, "damson.example").status == 200)
    server.ask("apps", "delete", app.branch_key, "--yes")

    eventually(lambda: served(server, ANDROID, "damson.example").status == 404)
    report = examine(server, server.port, "--insecure-http", name="damson.example")
    assert report["host"][0] == "error"
    server.create_app("Damson", "--domain", "damson.example")
    eventually(lambda: served(server, ANDROID, "damson.example").status == 200)


@pytest.mark.parametrize("flags, status", [
    (["--connect", "http://127.0.0.1:80"], 64), (["--connect", "127.0.0.1:eighty"], 64), (["--ca", "missing.pem"], 1)])
def test_a_wrong_flag_is_named(server, orchard, flags, status):
    done = server.command("doctor", "domain", HOST, *flags)

    assert (done.status, done.out) == (status, "")
    assert flags[1] in done.err
