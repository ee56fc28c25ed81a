"""What is asked of the servers: the same requests of each."""

import random
import sys
from pathlib import Path

import visitors
from arms import HOST, settle
from pipeline import send_all
from wrk import write_requests

sys.path.insert(0, str(Path(__file__).parents[2] / "Tests/EndToEnd"))

from support import wire  # noqa: E402

SDK = {
    "brand": "Apple", "model": "iPhone15,3", "screen_dpi": 3, "screen_height": 2796, "screen_width": 1290, "os": "iOS",
    "os_version": "18.5", "country": "US", "language": "en", "environment": "FULL_APP", "app_version": "4.17.2",
    "sdk": "ios3.12.1", "ios_bundle_id": "com.example.orchard", "cd": {"mv": "-1", "pn": "com.example.orchard"},
    "instrumentation": {"v1/install-brtt": "212"}, "locale": "en_US", "connection_type": "wifi", "is_hardware_id_real": True,
}
IPHONE = visitors.IPHONE.format("18_5") + " Version/18.5 Mobile/15E148 Safari/604.1"
# Systems of the phones, in turn. If all had one, it would say so little about a phone that no install is matched with its click.
SYSTEMS = ["16.7.10", "17.5.1", "17.6.1", "18.3.2", "18.5"]


def system(number):
    return SYSTEMS[number % len(SYSTEMS)]


def phone(number):
    """What the SDK reports of a phone."""
    return SDK | {"os_version": system(number)}


def safari(number):
    """The browser of the same phone."""
    version = system(number)
    return visitors.IPHONE.format(version.replace(".", "_")) + f" Version/{version} Mobile/15E148 Safari/604.1"


def get(target, user_agent, language, address):
    return wire.head("GET", target, {
        "Host": HOST, "User-Agent": user_agent, "Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": language,
        "Accept-Encoding": "gzip, deflate, br", "X-Forwarded-For": address})


def post(target, fields, address):
    return wire.request(0, "POST", target, fields, {
        "Host": HOST, "Connection": "keep-alive", "User-Agent": "Orchard/4.17.2 CFNetwork/3826.500.131 Darwin/24.5.0",
        "Accept": "application/json", "X-Forwarded-For": address})


class Load:
    """Requests that can be sent any number of times."""

    def __init__(self, folder, requests):
        self.path = folder / (type(self).__name__ + ".requests")
        write_requests(self.path, requests)

    def prepare(self, arm, requests):
        return self.path

    def failures(self, arm):
        """Requests that were answered and yet did not do what they are for."""
        return 0


class Clicks(Load):
    def __init__(self, folder, app, links, dice, count=20_000):
        links, agents = visitors.zipf(links), visitors.Weighted(visitors.USER_AGENTS)
        robots, languages = visitors.Weighted(visitors.ROBOTS), visitors.Weighted(visitors.LANGUAGES)
        super().__init__(folder, (
            get("/" + links.draw(dice), (robots if dice.random() < 0.1 else agents).draw(dice), languages.draw(dice),
                visitors.address(dice.randrange(1 << 17)))
            for _ in range(count)))


class CreateLink(Load):
    def __init__(self, folder, app, links, dice, count=2_000):
        super().__init__(folder, (post("/v1/url", self.link(app, dice, number), "10.0.0.1") for number in range(count)))

    @staticmethod
    def link(app, dice, number):
        """Fifteen fields, as an app that shares content sends them."""
        return {
            "branch_key": app.branch_key, "channel": dice.choice(["facebook", "sms", "email"]), "feature": "share",
            "campaign": f"autumn-{number % 20}", "stage": "new user", "tags": ["apples", f"variety-{number % 50}"],
            "identity": f"user-{number % 500}",
            "data": {
                "$canonical_identifier": f"apple/{number}", "$og_title": f"Apple {number}", "$og_description": "Picked this morning.",
                "$og_image_url": f"https://cdn.example.com/apples/{number}.jpg", "$desktop_url": f"https://orchard.example.com/{number}",
                "$deeplink_path": f"apple/{number}", "variety": "Cox", "price": "2.50",
            },
        }


class Events(Load):
    def __init__(self, folder, app, links, dice, count=2_000, devices=200):
        tokens = [app.server.post("/v1/install", {"branch_key": app.branch_key} | phone(number)).json for number in range(devices)]
        super().__init__(folder, (
            post("/v2/event/custom", self.event(app, tokens[number % devices], number % devices, number), visitors.address(number))
            for number in range(count)))

    @staticmethod
    def event(app, tokens, device, number):
        return {
            "branch_key": app.branch_key, "name": f"basket-{number % 10}", "customer_event_alias": "basket",
            "custom_data": {"variety": "Cox", "weight": str(number % 40), "from": "shelf"}, "metadata": {},
            "user_data": phone(device) | {
                "randomized_device_token": tokens["randomized_device_token"],
                "randomized_bundle_token": tokens["randomized_bundle_token"], "user_agent": safari(device)},
        }


class Opens(Load):
    def __init__(self, folder, app, links, dice, count=2_000, devices=1_000):
        answers = [app.server.post("/v1/install", {"branch_key": app.branch_key} | phone(number)).json for number in range(devices)]
        super().__init__(folder, (
            post("/v1/open", {"branch_key": app.branch_key} | phone(number % devices) | {
                name: answers[number % devices][name] for name in ("randomized_device_token", "randomized_bundle_token")
            }, visitors.address(number)) for number in range(count)))


class Installs:
    """Each follows a click from its own address, which Linden has to find; so none can be sent twice."""

    # Lower numbers are used by other loads.
    first = 1 << 20

    def __init__(self, folder, app, links, dice):
        self.folder, self.app, self.links, self.dice = folder, app, links, dice
        self.next, self.last = {}, {}

    def prepare(self, arm, requests):
        start = self.next.get(arm.name, self.first)
        numbers = range(start, start + requests)
        self.next[arm.name] = start + requests
        if arm.records:
            send_all(arm.port, (self.click(number) for number in numbers))
            settle(arm)
            self.last[arm.name] = arm.server.query("SELECT COALESCE(MAX(id), 0) FROM sessions")[0][0]
        path = self.folder / f"Installs-{arm.port}.requests"
        write_requests(path, (self.install(number) for number in numbers))
        return path

    def failures(self, arm):
        """Those that were not given the click."""
        if not arm.records:
            return 0
        return arm.server.query(f"SELECT COUNT(*) FROM sessions WHERE id > {self.last[arm.name]} AND click_id IS NULL")[0][0]

    def click(self, number):
        return get("/" + self.dice.choice(self.links), safari(number), "en-US,en;q=0.9", visitors.address(number))

    def install(self, number):
        fields = {"branch_key": self.app.branch_key, "hardware_id": f"7A1D0000-0000-4000-8000-{number:012}"}
        return post("/v1/install", fields | phone(number), visitors.address(number))


LOADS = {"clicks": [Clicks], "create": [CreateLink], "sessions": [Installs, Opens], "events": [Events]}


def dice(seed=1):
    return random.Random(seed)
