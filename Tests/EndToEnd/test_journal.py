"""The log in systemd's journal, where each message has its priority."""

import pytest

from support.server import Server, running
from support.waiting import eventually


@pytest.fixture
def server(tmp_path):
    """A server whose log is the journal as far as it can see, with a request log, and with a backup that fails."""
    (tmp_path / "server.log").touch()
    stream = (tmp_path / "server.log").stat()
    (tmp_path / "backups").write_text("a file")
    return Server(tmp_path, {"JOURNAL_STREAM": f"{stream.st_dev}:{stream.st_ino}", "LINDEN_LOG_REQUESTS": "text",
                             "LINDEN_BACKUP_FOLDER": str(tmp_path / "backups")})


def line(server, text):
    return next(line for line in server.log.splitlines() if text in line)


def test_a_message_begins_with_its_priority_and_a_line_about_a_request_has_none(server):
    with running(server):
        eventually(lambda: "The backup failed" in server.log and " GET /readyz 200 " in server.log, within=20)

    assert line(server, "Linden is ready.").startswith("<6>2")
    assert line(server, "The backup failed").startswith("<3>2")
    # The journal takes it as information.
    assert line(server, " GET /readyz 200 ").startswith("2")


def test_the_reason_why_a_server_does_not_start_is_an_error(server):
    server.settings["LINDEN_LOG_LEVEL"] = "loud"
    server.launch()

    assert server.wait() == 1
    assert line(server, "log.level").startswith("<3>Error: The setting log.level")


def test_elsewhere_messages_have_no_priority(server):
    server.settings["JOURNAL_STREAM"] = "8:1"
    with running(server):
        pass

    assert line(server, "Linden is ready.").startswith("2")
