"""The main job through HAProxy: a link is created, clicked, and opens the app with its data. Each call is printed in a line."""

import json
import time
from urllib.parse import urlsplit

from support.app import Session, click_id
from support.visitors import iphone

WIDTH = 132
LEFT_OUT = {"branch_key", "branch_secret", "randomized_device_token", "randomized_bundle_token"}


class Story:
    """Tells a story in numbered calls, and fails where an answer is not the expected one."""

    def __init__(self, cluster):
        self.cluster, self.client = cluster, cluster.client

    def tell(self):
        app = self.cluster.create_app("Orchard", "--ios-uri-scheme", "orchard", "--default-url", "https://orchard.example.com/")
        self._print(f"linden apps create Orchard --ios-uri-scheme orchard -> {app.branch_key}")
        key, visitor = {"branch_key": app.branch_key}, iphone()

        data = {"$deeplink_path": "apples/cox", "apple": "Cox"}
        link = self._call("/v1/url", key | {"channel": "mail", "data": data})["url"]
        click = self._click(link, visitor)
        session = Session(self._call("/v1/install", key | visitor.device, visitor, show="data"))
        expect(session.data["apple"] == "Cox" and session.data["+clicked_branch_link"], "the install gets the link's data")
        expect(session.answer["link_click_id"] == click, "the install is matched to the click")
        self._call("/v2/event/custom", key | {"name": "apple_seen", "custom_data": {"apple": "Cox"}} | session.tokens, visitor)
        self._call("/v1/profile", key | {"identity": "ann"} | session.tokens, visitor, show="identity")
        self._call("/v1/credits", app.secret | {"identity": "ann", "amount": 50})
        query = f"identity=ann&branch_key={app.branch_key}&branch_secret={app.branch_secret}"
        balance = self._call(f"/v1/credits?{query}", method="GET")
        expect(balance == {"default": 50}, "the balance is what was granted")
        if len(self.cluster.nodes) > 1:
            self._change(app, link, visitor)

    def _click(self, link, visitor):
        answer = self.client.get(urlsplit(link).path, visitor.headers)
        expect(answer.status in (200, 302), answer.text)
        click = click_id(answer)
        self._print(f"GET {link} by an iPhone at {visitor.address} -> {answer.status}, click {click}")
        return click

    def _change(self, app, link, visitor):
        """Changes the link on one node, and measures when the others lead there."""
        first, *others = (self.cluster.node_client(number) for number in self.cluster.nodes)
        path = urlsplit(link).path
        desktop = visitor.headers | {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}
        host = {"Host": urlsplit(link).netloc}
        for node in [first, *others]:
            node.get(path, desktop | host)
        changed = first.put(app.link(link), app.secret | {"data": {"$desktop_url": "https://orchard.example.com/changed"}}, host)
        expect(changed.status == 200, changed.text)
        begun = time.monotonic()
        for node in others:
            while "/changed" not in node.get(path, desktop | host).headers.get("location", ""):
                expect(time.monotonic() - begun < 2, "every node leads to the new destination within 2 seconds")
                time.sleep(0.01)
        self._print(f"PUT {app.link(link)} on node 1; the other nodes follow within {(time.monotonic() - begun) * 1000:.0f} ms")

    def _call(self, target, body=b"", visitor=None, method="POST", show=None):
        headers = {"X-Forwarded-For": visitor.address} if visitor else {}
        answer = self.client.send(method, target, body, headers)
        # Keys and tokens are left out, so that a line has room for the rest.
        sent = " " + json.dumps({name: body[name] for name in body if name not in LEFT_OUT}) if body else ""
        self._print(f"{method} {target.split('&')[0]}{sent} -> {answer.status} {answer.json[show] if show else answer.text}")
        expect(answer.status == 200, answer.text)
        return answer.json

    def _print(self, line):
        print(line if len(line) <= WIDTH else line[:WIDTH - 1] + "…", flush=True)


def expect(holds, what):
    if not holds:
        raise AssertionError(f"expected: {what}")
