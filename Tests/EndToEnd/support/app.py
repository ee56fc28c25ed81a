"""A customer's app: it creates links, people click them, and its SDK opens sessions."""

import json
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit


@dataclass(frozen=True)
class Session:
    """A response to an SDK."""

    answer: dict[str, Any]

    @property
    def data(self):
        """The parameters that the SDK passes to the app."""
        return json.loads(self.answer["data"])

    @property
    def tokens(self):
        """The tokens that the SDK stores and sends again."""
        return {name: self.answer[name] for name in ("randomized_device_token", "randomized_bundle_token")}


@dataclass(frozen=True)
class App:
    server: Any
    app_id: str
    branch_key: str
    branch_secret: str
    test_branch_key: str
    test_branch_secret: str
    short_url_domain: str

    @property
    def secret(self):
        """Key and secret, which changes require."""
        return {"branch_key": self.branch_key, "branch_secret": self.branch_secret}

    def create_link(self, **fields):
        """Creates a link and returns its URL."""
        answer = self.server.post("/v1/url", {"branch_key": self.branch_key} | fields)
        assert answer.status == 200, answer.text
        return answer.json["url"]

    def link(self, url):
        """The path of the calls about a link, for `GET`, `PUT` and `DELETE`."""
        return f"/v1/url?url={quote(url, safe='')}&branch_key={self.branch_key}"

    def read(self, url):
        answer = self.server.get(self.link(url))
        assert answer.status == 200, answer.text
        return answer.json

    def click(self, url, visitor, query=""):
        return self.server.get(urlsplit(url).path + query, visitor.headers)

    def install(self, visitor, **fields):
        return self._start("/v1/install", visitor, fields)

    def open(self, visitor, **fields):
        return self._start("/v1/open", visitor, fields)

    def _start(self, call, visitor, fields):
        body = {"branch_key": self.branch_key} | visitor.device | fields
        answer = self.server.post(call, body, {"X-Forwarded-For": visitor.address})
        assert answer.status == 200, answer.text
        return Session(answer.json)

    def statistics(self, url):
        return self.server.ask("links", "stats", url)


def click_id(answer):
    """The click's id in the page or redirect of a visitor's response."""
    text = answer.headers.get("location", "") + answer.text
    return re.search(r"(?:link_click_id|_branch_match_id)=(\d+)", text).group(1)
