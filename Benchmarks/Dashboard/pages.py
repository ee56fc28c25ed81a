"""Reads pages of the dashboard on one connection that is kept."""

import gzip
import http.client
import re
import time
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

PASSWORD = "a crate of twelve apples"


def percentile(values, percent):
    """The value below which a percentage of the values lie, by the nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    sent: bytes

    @property
    def body(self):
        return gzip.decompress(self.sent) if self.headers["Content-Encoding"] == "gzip" else self.sent

    @property
    def bytes(self):
        """What is transferred: the head and the body, compressed as for a browser."""
        return len(self.sent) + sum(len(name) + len(value) + 4 for name, value in self.headers.items()) + 17

    @property
    def is_kept(self):
        """Whether a browser keeps it for later views."""
        return "immutable" in self.headers.get("Cache-Control", "")

    def assets(self):
        return re.findall(r'(?:href|src)="(/dashboard/assets/[^"]+)"', self.body.decode())


class Reader:
    def __init__(self, port, cookie, app_id="", key=""):
        self.port, self.cookie, self.app_id, self.key = port, cookie, app_id, key
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    @classmethod
    def signed_in(cls, server, app):
        address = urlsplit(server.ask("users", "create", "bench", "--role", "admin")["set_up_url"])
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request(
            "POST", address.path, urlencode({"password": PASSWORD, "repeated": PASSWORD}),
            {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 303:
            raise SystemExit(f"signing in was answered {answer.status}")
        return cls(server.port, answer.headers["Set-Cookie"].split(";")[0], app["app_id"], app["branch_key"])

    def get(self, path):
        """The answer, and after how many seconds it was complete."""
        began = time.monotonic()
        self.connection.request("GET", path, headers={"Cookie": self.cookie, "Accept-Encoding": "gzip"})
        response = self.connection.getresponse()
        body = response.read()
        seconds = time.monotonic() - began
        if response.status != 200:
            raise SystemExit(f"{path} was answered {response.status}: {body[:300].decode(errors='replace')}")
        return Answer(response.status, response.headers, body), seconds

    def pages(self):
        """The pages of the app by name, of lists also one thing of theirs."""
        home = f"/dashboard/apps/{self.app_id}"
        found = [("apps", "/dashboard"), ("users", "/dashboard/users"), ("overview", home), ("links", home + "/links")]
        found += [(f"overview of {name}", f"{home}?{query}") for name, query in (
            ("installs", "show=installs"), ("events", "show=events"), ("7 days", "from=7d"), ("90 days", "from=90d"))]
        found += [(f"links, {name}", f"{home}/links?{query}") for name, query in (
            ("searched", "search=page"), ("by channel", "channel=facebook"))]
        for name, pattern in (("links", rf"{home}/links/\d+"), ("sessions", rf"{home}/sessions/[0-9a-zA-Z]+")):
            page, _ = self.get(f"{home}/{name}")
            one = re.search(f'href="({pattern})"', page.body.decode())
            if one:
                found.append((f"one of the {name}", one[1]))
        found += [(f"analytics, {name}", f"{home}/analytics?{query}") for name, query in (
            ("counts", "question=counts"), ("counts by channel", "question=counts&by=channel"),
            ("top links", "question=top&by=link"), ("funnel", "question=funnel"), ("cohorts", "question=cohort"),
            ("attribution", "question=attribution"), ("lifetime value", "question=ltv"))]
        return found + [(name, f"{home}/{name}") for name in (
            "live", "events", "content", "content?by=views", "sessions", "identities", "credits", "rewards", "held-rewards",
            "exports", "domains", "settings", "tokens", "set-up")]
