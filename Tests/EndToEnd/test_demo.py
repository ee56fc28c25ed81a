"""`linden demo`: create, click and install in one command."""

import re
import shlex
import shutil
import subprocess

import pytest

from support.command import BINARY, environment, linden
from support.server import free_port
from support.waiting import eventually


def test_the_story_ends_with_the_parameters_that_the_app_gets(tmp_path):
    done = linden("demo", "--once", settings={"TMPDIR": str(tmp_path)})

    assert (done.status, done.err) == (0, "")
    assert "+clicked_branch_link: true" in done.out
    assert "~channel: " in done.out
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def output(tmp_path):
    """The output so far of a demo that keeps serving."""
    path = tmp_path / "output"
    with path.open("wb") as out:
        demo = subprocess.Popen(
            [BINARY, "demo", "--port", str(free_port())], stdout=out, stdin=subprocess.DEVNULL, cwd=tmp_path,
            env=environment({"TMPDIR": str(tmp_path)}))
    try:
        yield path.read_text
    finally:
        demo.terminate()
        assert demo.wait(timeout=30) == 0


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
def test_what_it_says_to_try_next_works_as_it_stands(output):
    eventually(lambda: "linden links stats " in output(), within=10)

    commands = [line.strip() for line in output().splitlines() if re.match(r" +(curl|linden) ", line)]

    assert len(commands) >= 5
    for command in commands:
        arguments = shlex.split(command)
        arguments[0] = {"linden": BINARY}.get(arguments[0], arguments[0])
        done = subprocess.run(arguments, env=environment(), capture_output=True, text=True, timeout=30)
        assert done.returncode == 0 and done.stdout, command
        assert '"error"' not in done.stdout and " 404 " not in done.stdout, command
