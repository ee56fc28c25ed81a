"""People who click and whose phones open apps, each at an address of its own unless the test says otherwise."""

from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from itertools import count

# Counted rather than generated: threads ask for addresses at the same time.
_numbers = count(1)


def _new_address():
    """An address from a network reserved for benchmarks (RFC 2544), in another /24 than the one before."""
    position, network = divmod(next(_numbers), 512)
    return str(ip_address("198.18.0.0") + network * 256 + position % 256)


@dataclass(frozen=True)
class Visitor:
    user_agent: str
    # What the SDK on that device says of it.
    device: dict[str, str] = field(default_factory=dict)
    address: str = field(default_factory=_new_address)

    @property
    def headers(self):
        """The headers of the browser, through a proxy that the server trusts."""
        return {"User-Agent": self.user_agent, "X-Forwarded-For": self.address, "Accept": "text/html,*/*;q=0.8"}

    def at(self, address):
        return replace(self, address=address)


def iphone(version="17.5.1"):
    system = version.replace(".", "_")
    return Visitor(
        f"Mozilla/5.0 (iPhone; CPU iPhone OS {system} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        "Version/17.5 Mobile/15E148 Safari/604.1",
        {"os": "iOS", "os_version": version, "sdk": "ios3.6.0"})


def android(version="14", level="34"):
    return Visitor(
        f"Mozilla/5.0 (Linux; Android {version}; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 "
        "Mobile Safari/537.36",
        {"os": "Android", "os_version": level, "os_version_android": version, "sdk": "android5.12.0"})


def desktop():
    return Visitor(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36")


def crawler():
    return Visitor("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")


def previewer():
    return Visitor("facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)")
