"""The memory of a server that has nothing to do."""

import re
from pathlib import Path

from support.waiting import eventually


def test_the_code_that_only_the_start_needs_is_given_back(own_server):
    status = Path(f"/proc/{own_server.process.pid}/status")

    def resident_file_pages():
        return int(re.search(r"RssFile:\s+(\d+) kB", status.read_text())[1])

    before = resident_file_pages()
    eventually(lambda: resident_file_pages() < 0.8 * before, within=30)
    assert own_server.get("/readyz").status == 200
