"""An invalid setting stops the start with one line that names it."""

import os
import re
import socket
import sqlite3
from pathlib import Path

import pytest

from support.command import linden
from support.server import Server, running
from support.visitors import iphone


def serve(folder, *arguments, settings=None):
    return linden("serve", "--host", "127.0.0.1", "--database", f"sqlite:{folder}/linden.db", *arguments, settings=settings)


def test_a_port_in_use_is_named(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])

        done = serve(tmp_path, "--port", port)

    assert done.status > 0
    assert "http.port" in done.complaint and port in done.complaint


@pytest.mark.parametrize("path", ["missing/folder/linden.db", "."])
def test_a_database_that_cannot_be_written_is_named(tmp_path, path):
    done = linden("serve", "--port", "0", "--database", f"sqlite:{tmp_path}/{path}")

    assert done.status > 0
    assert str(tmp_path) in done.complaint


def test_a_database_that_may_only_be_read_is_named(tmp_path):
    path = tmp_path / "linden.db"
    linden("migrate", "--database", f"sqlite:{path}")
    path.chmod(0o444)

    done = as_another_user(tmp_path, "serve", "--port", "0", "--database", f"sqlite:{path}")

    assert done.status > 0
    assert "linden.db" in done.complaint


def as_another_user(folder, *arguments):
    """Runs the command as a user who is subject to permissions, unlike root."""
    if os.geteuid() != 0:
        return linden(*arguments)
    for parent in [folder, *folder.parents][:3]:
        parent.chmod(parent.stat().st_mode | 0o055)
    try:
        return linden(*arguments, user="nobody")
    except PermissionError:
        pytest.skip("another user may not run the binary at its place")


def test_a_file_that_is_no_database_is_named_and_left_alone(tmp_path):
    path = tmp_path / "linden.db"
    path.write_bytes(b"These are my notes on apples.\n" * 500)
    before = path.read_bytes()

    done = serve(tmp_path, "--port", "0")

    assert done.status > 0
    assert "linden.db" in done.complaint
    assert path.read_bytes() == before


def test_a_database_with_damaged_pages_is_named(tmp_path):
    linden("apps", "create", "Orchard", "--database", f"sqlite:{tmp_path}/linden.db")
    path = tmp_path / "linden.db"
    path.write_bytes(path.read_bytes()[:4096] + b"\xa5" * (path.stat().st_size - 4096))

    done = serve(tmp_path, "--port", "0")

    assert done.status > 0
    assert "linden.db" in done.complaint


def test_a_database_of_a_newer_linden_is_refused(tmp_path):
    linden("migrate", "--database", f"sqlite:{tmp_path}/linden.db")
    with sqlite3.connect(tmp_path / "linden.db") as database:
        (table,) = database.execute("SELECT name FROM sqlite_schema WHERE name LIKE '%migration%'").fetchone()
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        newest = database.execute(f"SELECT * FROM {table} ORDER BY 1 DESC LIMIT 1").fetchone()
        marks = ",".join("?" * len(columns))
        database.execute(f"INSERT INTO {table} VALUES ({marks})", (newest[0] + 1000, *newest[1:]))
    database.close()

    done = serve(tmp_path, "--port", "0")

    assert done.status > 0
    assert "newer" in done.complaint


@pytest.mark.parametrize("name, value", [
    ("http.port", "eighty"), ("http.port", "65536"), ("http.port", "-1"), ("http.base_url", "go.example.com"),
    ("http.base_url", "ftp://go.example.com"), ("http.base_url", "https://go.example.com/links?a=1"),
    ("http.hsts", "-1"), ("http.hsts", "63072001"), ("http.hsts", "1y"), ("http.trusted_proxies", "10.0.0.0/33"), ("http.trusted_proxies", "proxy"), ("http.max_body_bytes", "1MB"),
    ("links.max_bulk_bytes", "-5"), ("links.association", "baroque"), ("storage.durability", "careless"), ("storage.prepared", "always"), ("storage.database", "mysql://localhost/linden"),
    ("clicks.on_failure", "shrug"), ("geo.country_file", "missing/countries.mmdb"),
    ("sms.gateway_url", "ftp://sms.example"), ("attribution.shared_ranges", "missing/ranges.csv"),
    ("attribution.owner_file", "missing/owners.mmdb"), ("attribution.shared_owners", "Carrier"),
    ("attribution.shared_owners", "AS0"), ("limits.enabled", "sometimes"), ("limits.exempt_networks", "loopback"),
    ("limits.min_free_disk", "1GB"), ("limits.create_link.address", "200 a second"), ("limits.visit.address", "0/s"), ("search_ads.exchange_tokens", "perhaps"), ("backup.every", "daily"), ("backup.every", "0h"), ("backup.keep", "0"), ("log.level", "loud"),
    ("log.requests", "xml"), ("http.admin_address", "9091"), ("http.admin_address", "127.0.0.1"), ("http.admin_address", "::1:9091"),
    ("dashboard.openid.issuer", "http://login.example.com"), ("dashboard.openid.issuer", "login.example.com"),
])
def test_a_wrong_value_in_the_environment_or_in_the_file_is_named(tmp_path, name, value):
    *sections, key = name.split(".")
    file = tmp_path / "linden.yaml"
    file.write_text("".join(f'{"  " * depth}{section}:\n' for depth, section in enumerate(sections))
                    + f'{"  " * len(sections)}{key}: "{value}"\n')
    variable = "LINDEN_" + name.replace(".", "_").upper()

    for done in (linden("serve", settings={variable: value}, folder=tmp_path),
                 linden("serve", "--config", str(file), folder=tmp_path)):
        assert done.status > 0
        assert name in done.complaint and value in done.complaint


@pytest.mark.parametrize("settings, named", [
    ({"CLIENT_ID": ""}, ["dashboard.openid.issuer", "needs dashboard.openid.client_id"]),
    ({"ISSUER": ""}, ["dashboard.openid.client_id", "needs dashboard.openid.issuer"]),
    ({"USER_CLAIM": "nickname"}, ["dashboard.openid.user_claim", "nickname", "email or preferred_username"]),
    ({"ALLOWED_DOMAINS": "ann@example.com"}, ["dashboard.openid.allowed_domains", "ann@example.com", "example.com, or *"]),
    ({"NEW_USER_ROLE": "guest", "ALLOWED_DOMAINS": "example.com"}, ["dashboard.openid.new_user_role", "guest", "admin or editor"]),
    ({"NEW_USER_ROLE": "analyst"}, ["dashboard.openid.new_user_role", "analyst", "needs dashboard.openid.allowed_domains"]),
    ({"CLIENT_SECRET_FILE": "missing.txt"}, ["dashboard.openid.client_secret_file", "missing.txt", "can be read"]),
    ({"CLIENT_SECRET_FILE": "missing.txt", "CLIENT_SECRET": "s"}, ["dashboard.openid.client_secret_file", "set one of them"])])
def test_settings_of_the_provider_that_do_not_fit_together_are_named(tmp_path, settings, named):
    whole = {"ISSUER": "https://login.example.com", "CLIENT_ID": "linden"} | settings

    done = linden("serve", "--port", "0", settings={f"LINDEN_DASHBOARD_OPENID_{name}": value for name, value in whole.items()},
                  folder=tmp_path)

    assert done.status > 0
    for text in named:
        assert text in done.complaint


@pytest.mark.parametrize("arguments, named", [
    (["--port", "eighty"], "eighty"), (["--base-url", "nonsense"], "nonsense"), (["--database", "mysql://x"], "mysql://x"),
    (["--host", "no.such.host.invalid"], "no.such.host.invalid"), (["--host", "192.0.2.1"], "192.0.2.1"),
    (["--config", "missing.yaml"], "missing.yaml")])
def test_a_wrong_flag_is_named(tmp_path, arguments, named):
    done = linden("serve", "--port", "0", *arguments, folder=tmp_path)

    assert done.status > 0
    assert named in done.complaint


def test_a_file_that_is_not_yaml_is_named(tmp_path):
    (tmp_path / "linden.yaml").write_text("http: [unclosed\n")

    done = linden("serve", "--config", "linden.yaml", folder=tmp_path)

    assert done.status > 0
    assert "linden.yaml" in done.complaint


def test_flags_beat_the_environment_which_beats_the_file(tmp_path):
    server = Server(tmp_path)
    (tmp_path / "linden.yaml").write_text("http:\n  base_url: https://file.example.com\nstorage:\n  database: sqlite:file.db\n")
    settings = {"LINDEN_CONFIG": "linden.yaml", "LINDEN_HTTP_BASE_URL": "https://environment.example.com"}

    def domain(*flags):
        done = linden("apps", "create", "Orchard", *flags, "--format", "json", settings=settings, folder=tmp_path)
        return done.json["short_url_domain"]

    assert domain() == "environment.example.com"
    assert (tmp_path / "file.db").exists()
    domain("--database", server.database)
    assert server.path.exists()


def test_a_forwarded_address_is_believed_only_from_a_trusted_proxy(tmp_path):
    with running(Server(tmp_path, {"LINDEN_HTTP_TRUSTED_PROXIES": "10.0.0.0/8"})) as server:
        app = server.create_app("Orchard", "--ios-uri-scheme", "orchard")
        app.click(app.create_link(), iphone())

        # Both come from this machine, whatever they say.
        assert app.install(iphone()).data["+clicked_branch_link"] is True


@pytest.mark.parametrize("text, named", [
    ("http:\n  prot: 80\n", "http.prot"), ("storage: full\n", "storage"), ("storage:\n  durability: {a: 1}\n", "storage.durability"),
    ("http:\n  max_body_bytes: [5000]\n", "http.max_body_bytes"), ("nonsense\n", "settings.yaml")])
def test_what_is_no_setting_is_named(tmp_path, text, named):
    file = tmp_path / "settings.yaml"
    file.write_text(text)

    done = serve(tmp_path, "--port", "0", "--config", str(file))

    assert done.status == 1
    assert named in done.complaint


def test_a_misspelled_setting_of_the_file_is_refused_with_the_nearest(tmp_path):
    (tmp_path / "settings.yaml").write_text("http:\n  trusted_proxis: 10.0.0.0/8\n")

    done = serve(tmp_path, "--port", "0", "--config", str(tmp_path / "settings.yaml"))

    assert "Did you mean http.trusted_proxies?" in done.complaint


ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "Config/linden.yaml"


def reference_with_every_setting():
    """The text of the reference, with the settings that are commented out."""
    return re.sub(r"^(  |    )# (\w+):(?= |$)", r"\1\2:", REFERENCE.read_text(), flags=re.MULTILINE)


def settings_of(text):
    """The settings of a file as names with dots."""
    names, sections = set(), []
    for indentation, name, value in re.findall(r"^( *)(\w+):(.*)$", text, re.MULTILINE):
        sections = sections[:len(indentation) // 2] + [name]
        names -= {".".join(sections[:-1])}
        names.add(".".join(sections))
    return names


def reader():
    """The source of what reads the settings."""
    folder = ROOT / "Sources/LindenCommand/Configuration"
    return "".join(path.read_text() for path in sorted({*folder.glob("*Settings+ConfigReader.swift"), folder / "TraceSettings.swift"}))


def allowed_settings(folder):
    """The settings that a file may have, as the message about another one lists them."""
    (folder / "unknown.yaml").write_text("unknown: 1\n")
    message = linden("migrate", "--config", str(folder / "unknown.yaml"), folder=folder).complaint
    return set(message.partition("The settings are: ")[2].strip().removesuffix(".").split(", "))


def test_the_reference_of_all_settings_is_a_settings_file(tmp_path):
    settings = {"LINDEN_STORAGE_DATABASE": f"sqlite:{tmp_path}/linden.db"}
    assert linden("migrate", "--config", str(REFERENCE), settings=settings).status == 0


def test_the_reference_has_exactly_the_settings_that_a_file_may_have(tmp_path):
    assert settings_of(reference_with_every_setting()) == allowed_settings(tmp_path)


def test_the_server_reads_exactly_the_settings_that_a_file_may_have(tmp_path):
    source = reader()
    allowed = allowed_settings(tmp_path)
    sections = "|".join({name.partition(".")[0] for name in allowed})
    literals = set(re.findall(rf'"((?:{sections})\.[^" ]+)"', source))
    # A secret may also be in a file.
    literals |= {key + "_file" for key in re.findall(r'reader\.secret\("([^"]+)"\)', source)}
    patterns = [re.sub(r"\\\([^)]*(?:\([^)]*\))?[^)]*\)", "@", text).replace(".", r"\.").replace("@", r"\w+") for text in literals]

    assert [name for name in allowed if not any(re.fullmatch(pattern, name) for pattern in patterns)] == []
    assert [pattern for pattern in patterns if not any(re.fullmatch(pattern, name) for name in allowed)] == []


def test_the_reference_states_the_defaults_of_the_reader():
    """Defaults that are written beside their key; those that are constants of a type are compared in SettingsReferenceTests.swift."""
    source = reader()
    found = re.findall(r'reader\.\w+\("([a-z_.]+)"(?:, in: [\d.]+)?\) \?\? (?:"([^"]+)"|\.(\w+)|(\d+|true|false)\b)', source)
    defaults = {key: text or case or literal for key, text, case, literal in found}
    written, sections = {}, []
    for indentation, name, value in re.findall(r"^( *)(\w+):(.*)$", REFERENCE.read_text(), re.MULTILINE):
        sections = sections[:len(indentation) // 2] + [name]
        written[".".join(sections)] = value.strip()

    assert {"http.host", "http.port", "storage.durability", "limits.enabled", "log.level"} <= defaults.keys()
    assert {key: written.get(key) for key in defaults} == defaults


def test_the_documentation_names_only_settings_that_exist(tmp_path):
    allowed = allowed_settings(tmp_path)
    of_apps = set(re.findall(r'"([a-z_]+\.[a-z_]+)"', (ROOT / "Sources/Linden/Apps/AppSetting+All.swift").read_text()))
    # `clicks` is also a table, whose columns the pages name.
    sections = "|".join({name.partition(".")[0] for name in allowed} - {"clicks"})
    unknown = []
    for page in [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "Documentation").glob("*.md"))]:
        text = page.read_text()
        names = re.findall(rf"`((?:{sections})\.[a-z_.]*[a-z])(?=[`:= ])", text)
        variables = set(re.findall(r"LINDEN_[A-Z_]+", text)) - {"LINDEN_CONFIG"}
        unknown += [(page.name, name) for name in names if name not in allowed | of_apps]
        unknown += [(page.name, name) for name in variables
                    if name.removeprefix("LINDEN_") not in {known.replace(".", "_").upper() for known in allowed}]

    assert unknown == []


def test_a_rate_may_be_set_for_each_kind_of_call_and_owner(tmp_path):
    (tmp_path / "linden.yaml").write_text("limits:\n  visit:\n    key: 5/s\n")

    done = serve(tmp_path, "--port", "0", "--config", str(tmp_path / "linden.yaml"))

    assert done.status > 0
    assert "limits.visit.key" in done.complaint and "limits.visit.address" in done.complaint
