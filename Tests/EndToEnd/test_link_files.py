"""`linden links export`, `import` and `bulk`: many links at once."""

import csv
import io

import pytest


def test_links_are_written_and_read_as_csv(server, app, tmp_path):
    server.ask("links", "create", "--app", app.branch_key, "--alias", "file/a", "--channel", "=1+1", "--tag", "red", "--tag", "a,b",
               "--data", '{"text":"two\\nlines"}')
    server.ask("links", "create", "--app", app.branch_key, "--alias", "file/b", "--max-clicks", "5")

    out = server.command("links", "export", "--app", app.branch_key, "--search", "file/", "--sort", "oldest").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["alias"] for row in rows] == ["file/a", "file/b"]
    assert (rows[0]["channel"], rows[1]["max_clicks"]) == ("'=1+1", "5")

    path = tmp_path / "links.csv"
    done = server.command("links", "export", "--app", app.branch_key, "--search", "file/", "--sort", "oldest", "--output", str(path))
    assert done.status == 0, done.err
    assert path.read_bytes().decode().replace("\r\n", "\n") == out.replace("\r\n", "\n")
    assert server.command("links", "export", "--app", app.branch_key, "--output", str(path)).status == 64
    report = server.ask("links", "import", str(path), "--app", app.branch_key)
    assert (report["created"], report["unchanged"], report["refused"]) == (0, 2, 0)


def test_an_import_says_what_became_of_each_row(server, app, tmp_path):
    app.create_link(alias="taken", channel="sms")
    path = tmp_path / "links.csv"
    path.write_text("alias,channel\nnew,mail\ntaken,mail\n", encoding="utf-8")

    dry = server.command("links", "import", str(path), "--app", app.branch_key, "--dry-run", "--format", "json")
    done = server.command("links", "import", str(path), "--app", app.branch_key)

    assert (dry.status, done.status) == (1, 1)
    assert [row["outcome"] for row in dry.json["rows"]] == ["created", "refused"]
    assert "differs in channel" in done.out
    assert "1 created, 0 unchanged, 1 refused." in done.err
    assert app.read(server.base_url + "/new")["channel"] == "mail"


@pytest.mark.parametrize("content, says", [
    (b"", "is empty"), (b"colour\nred\n", "not a column"), (b"alias\n\xe4\n", "UTF-8"), (None, "cannot be read")])
def test_a_file_that_cannot_be_read_is_refused(server, app, tmp_path, content, says):
    path = tmp_path / "links.csv"
    if content is not None:
        path.write_bytes(content)

    done = server.command("links", "import", str(path), "--app", app.branch_key)

    assert (done.status, done.out) == (1, "")
    assert says in done.err


def test_several_links_are_changed_and_deleted_at_once(server, app):
    ids = [server.ask("links", "create", "--app", app.branch_key, "--tag", "red")["id"] for _ in range(2)]

    changed = server.ask("links", "bulk", *ids, "--app", app.branch_key, "--add-tag", "ripe", "--remove-tag", "red",
                         "--campaign", "harvest")
    links = [server.ask("links", "show", id) for id in ids]
    deleted = server.ask("links", "bulk", *ids, "--app", app.branch_key, "--delete", "--yes")
    again = server.command("links", "bulk", *ids, "--app", app.branch_key, "--channel", "x", "--format", "json")

    assert [outcome["changed"] for outcome in changed] == [True, True]
    assert [(link["tags"], link["campaign"]) for link in links] == [(["ripe"], "harvest")] * 2
    assert [outcome["deleted"] for outcome in deleted] == [True, True]
    assert again.status == 1 and all("error" in outcome for outcome in again.json)


def test_links_are_kept_in_folders(server, app):
    ids = [server.ask("links", "create", "--app", app.branch_key, "--folder", folder)["id"] for folder in ("autumn", "autumn", "")]

    def folders():
        return [folder["folder"] for folder in server.ask("links", "folders", "--app", app.branch_key)]

    def listed(folder):
        return {link["id"] for link in server.ask("links", "list", "--app", app.branch_key, "--folder", folder)}

    assert folders() == ["autumn"] and listed("autumn") == set(ids[:2])
    server.ask("links", "bulk", *ids[1:], "--app", app.branch_key, "--folder", "spring fair")
    assert folders() == ["autumn", "spring fair"] and listed("spring fair") == set(ids[1:])
    assert server.ask("links", "update", ids[0], "--folder", "")["folder"] is None
    assert folders() == ["spring fair"] and listed("autumn") == set()
    assert "go on with --after" not in server.command("links", "folders", "--app", app.branch_key, "--limit", "1").err


@pytest.mark.parametrize("flags", [[], ["--delete", "--channel", "x"], ["--expires-at", "soon"]])
def test_an_unclear_change_of_links_is_wrong_usage(server, app, flags):
    assert server.command("links", "bulk", "1", "--app", app.branch_key, *flags).status == 64
