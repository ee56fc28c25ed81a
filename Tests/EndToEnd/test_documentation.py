"""The pages of documentation: links resolve, commands and flags exist, and examples work when pasted."""

import functools
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from support.command import BINARY, environment, linden
from support.server import free_port

ROOT = Path(__file__).parents[2]
GUIDES = sorted((ROOT / "Documentation").glob("*.md"))
PAGES = [*GUIDES, *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Benchmarks/README.md"))]
GETTING_STARTED = ROOT / "Documentation/getting-started.md"
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def name(page):
    return str(page.relative_to(ROOT))


def blocks(page, *languages):
    """The code blocks of a page in these languages, without the indentation of lists."""
    return [
        "\n".join(line.removeprefix(indentation) for line in code.splitlines()) + "\n"
        for indentation, language, code in FENCE.findall(page.read_text()) if language in languages]


def prose(page):
    return FENCE.sub("", page.read_text())


# MARK: Links

def anchors(page):
    """The anchors of a page's headings, in GitHub's form."""
    titles = re.findall(r"^#+ +(.+?) *$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_to_a_file_or_heading_resolves(page):
    targets = [target.split()[0] for target in re.findall(r"\]\(([^)]+)\)", prose(page))]

    broken = []
    for target in targets:
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)

    assert broken == []


def test_the_front_page_is_short_and_leads_to_every_guide():
    text = (ROOT / "README.md").read_text()

    assert len(text.splitlines()) <= 150
    assert [name(page) for page in GUIDES if f"({name(page)})" not in text] == []


# MARK: Commands

@functools.cache
def help_of(*words):
    done = linden(*words, "--help")
    assert done.status == 0, (words, done.err)
    return done.out


def subcommands(text):
    listed = text.partition("\nSUBCOMMANDS:\n")[2].split("\n\n")[0]
    return set(re.findall(r"^  ([a-z][a-z-]*)(?: |$)", listed, re.MULTILINE))


def commands(page):
    """The commands of a page's code blocks as words, from `linden` on."""
    for code in blocks(page, "sh", "console", "bash"):
        for line in re.sub(r"\\\n *", "", code).splitlines():
            for command in re.findall(r"(?:^ *|\$\(|[|;&] *)(linden (?:'[^']*'|\"[^\"]*\"|[^|;&)'\"])*)", line):
                words = shlex.shlex(command, posix=True, punctuation_chars=False)
                words.whitespace_split, words.commenters = True, "#"
                yield list(words)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_and_flag_of_an_example_exists(page):
    unknown = []
    for command in commands(page):
        path, rest = [], command[1:]
        while subcommands(help_of(*path)):
            word = rest.pop(0) if rest else ""
            if word not in subcommands(help_of(*path)):
                break
            path.append(word)
        text = help_of(*path)
        flags = {word.split("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
        known = set(re.findall(r"(?<![\w-])--?[a-z][a-z0-9-]*", text))
        if (not path and not flags) or flags - known:
            unknown.append((" ".join(command), sorted(flags - known)))

    assert unknown == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_that_the_text_names_exists(page):
    unknown = []
    for words in re.findall(r"`linden ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?", prose(page)):
        listed = subcommands(help_of())
        if words[0] not in listed:
            unknown.append(words)
        elif words[1] and subcommands(help_of(words[0])) and words[1] not in subcommands(help_of(words[0])):
            unknown.append(words)

    assert unknown == []


# MARK: Settings

@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    """The names of the server's settings, which it lists for one that it does not know, and of those of an app."""
    file = tmp_path_factory.mktemp("settings") / "linden.yaml"
    file.write_text("unknown: 1\n")
    listed = linden("status", "--config", str(file)).err.partition("The settings are: ")[2].strip(" .\n").split(", ")
    return set(listed), {entry["setting"] for entry in linden("apps", "settings", "--format", "json").json}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_setting_that_the_text_names_exists(page, settings):
    of_server, of_apps = settings
    # Tables of the database and files have such names, too: so only what is in a section of the server, or is said to be set.
    sections = {setting.partition(".")[0] for setting in of_server} - {"clicks", "events", "links"}

    named = {word for word in re.findall(r"`([a-z_0-9]+(?:\.[a-z_0-9]+)+)(?:[:=][^`]*)?`", prose(page)) if word.split(".")[0] in sections}
    named |= set(re.findall(r"`([a-z_0-9]+(?:\.[a-z_0-9]+)+)` (?:is|are) (?:not )?(?:set|on|off)\b", prose(page)))

    known = of_server | of_apps
    assert [word for word in sorted(named - known) if not any(setting.startswith(word + ".") for setting in known)] == []


# MARK: Addresses of PostgreSQL

def test_every_example_that_may_lead_to_a_standby_asks_for_the_primary():
    """Several hosts, or a service's name as in a serve by hand."""
    addresses = [address for file in [*PAGES, *sorted((ROOT / "Config").rglob("*.y*ml"))]
                 for address in re.findall(r"postgres://[^\s`\"')]+", file.read_text())]

    of_several = [address for address in addresses if "," in address or "sslmode=verify-full" in address]
    assert of_several and all("target_session_attrs=read-write" in address for address in of_several)


# MARK: The inventory of data

def test_the_inventory_for_data_protection_names_every_table():
    tables = {table for file in (ROOT / "Migrations/SQL").glob("*.sql")
              for table in re.findall(r"^CREATE TABLE (\w+)", file.read_text(), re.MULTILINE)}
    section = (ROOT / "Documentation/data-protection.md").read_text().partition("## What is kept")[2].partition("\n## ")[0]

    named = re.findall(r"`(\w+)`", section)

    assert tables and sorted(tables - set(named)) == []


# MARK: Certificates

def test_the_hook_of_certbot_puts_the_files_where_the_settings_name_them(tmp_path):
    page = ROOT / "Documentation/proxies.md"
    (hook,) = re.findall(r"(#!/bin/sh\n.*?)^END$", page.read_text(), re.DOTALL | re.MULTILINE)
    settings = re.findall(r"^  (?:certificate|private_key): (\S+)$", page.read_text(), re.MULTILINE)
    assert f"certificate: {settings[0]}\n  # private_key: {settings[1]}\n" in (ROOT / "Config/linden.yaml").read_text()
    for folder, files in (("live", ["fullchain.pem", "privkey.pem"]), ("linden", [])):
        (tmp_path / folder).mkdir()
        for file in files:
            (tmp_path / folder / file).write_text(file)
    here = hook.replace("/etc/linden", str(tmp_path / "linden")).replace("-g linden", "")

    subprocess.run(["sh", "-c", here], env={"RENEWED_LINEAGE": str(tmp_path / "live"), "PATH": os.environ["PATH"]}, check=True)

    written = [Path(path.replace("/etc/linden", str(tmp_path / "linden"))) for path in settings]
    assert [path.read_text() for path in written] == ["fullchain.pem", "privkey.pem"]
    assert [oct(path.stat().st_mode & 0o777) for path in written] == ["0o644", "0o640"] and "-m 640 -g linden" in hook


# MARK: Examples

@pytest.mark.parametrize("page", [ROOT / "README.md", *GUIDES], ids=name)
def test_the_examples_of_a_page_work_when_pasted(page, tmp_path):
    """Blocks marked `sh` run as they stand, after those of the page that all others continue; `console` marks what needs more."""
    begins_alone = page in (GETTING_STARTED, ROOT / "README.md")
    code = "".join(blocks(page, "sh") if begins_alone else blocks(GETTING_STARTED, "sh") + blocks(page, "sh"))
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "linden").symlink_to(BINARY)
    folder = tmp_path / "folder"
    folder.mkdir()
    port = str(free_port())
    settings = environment({"LINDEN_HTTP_PORT": port})
    settings["PATH"] = f"{tools}:{settings['PATH']}"
    script = "set -eo pipefail\ntrap 'kill $(jobs -p)' EXIT\n" + code.replace("localhost:8080", f"localhost:{port}")

    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=settings, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)

    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert '"error":' not in done.stdout, done.stdout
