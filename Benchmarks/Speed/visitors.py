"""The people and programs that follow links, by what they say of themselves."""

from bisect import bisect
from itertools import accumulate

WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{}.0.0.0"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS {} like Mac OS X) " + WEBKIT

# User agents and weights; one in ten is a robot.
USER_AGENTS = [
    (IPHONE.format("18_6") + " Version/26.0 Mobile/15E148 Safari/604.1", 12),
    (IPHONE.format("18_5") + " Version/18.5 Mobile/15E148 Safari/604.1", 10),
    (IPHONE.format("17_6_1") + " Version/17.6 Mobile/15E148 Safari/604.1", 6),
    (IPHONE.format("16_7_10") + " Version/16.6 Mobile/15E148 Safari/604.1", 2),
    (IPHONE.format("18_5") + " CriOS/142.0.7499.92 Mobile/15E148 Safari/604.1", 3),
    (IPHONE.format("18_5") + " Mobile/15E148 Instagram 400.0.0.20.70 (iPhone15,3; iOS 18_5; en_US; en; scale=3.00; 1290x2796)", 5),
    (IPHONE.format("17_6_1") + " Mobile/15E148 [FBAN/FBIOS;FBAV/520.0.0.38.101;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.6.1;"
     "FBSS/3;FBCR/;FBID/phone;FBLC/en_US;FBOP/80]", 4),
    ("Mozilla/5.0 (Linux; Android 10; K) " + CHROME.format(142) + " Mobile Safari/537.36", 18),
    ("Mozilla/5.0 (Linux; Android 10; K) " + CHROME.format(138) + " Mobile Safari/537.36", 6),
    ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile "
     "Safari/537.36", 5),
    ("Mozilla/5.0 (Linux; Android 14; SM-S921B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 "
     "Chrome/141.0.7390.97 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/530.0.0.40.73;]", 4),
    ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + CHROME.format(142) + " Safari/537.36", 6),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) " + WEBKIT + " Version/18.5 Safari/605.1.15", 3),
    ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + CHROME.format(142) + " Safari/537.36 Edg/142.0.0.0", 3),
    ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0", 3),
]
ROBOTS = [
    ("facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", 3),
    ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", 3),
    ("WhatsApp/2.25.30.77 A", 2), ("Twitterbot/1.0", 1),
    ("Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", 1),
]
LANGUAGES = [("en-US,en;q=0.9", 5), ("de-DE,de;q=0.9,en;q=0.8", 2), ("es-MX,es;q=0.9", 2), ("pt-BR,pt;q=0.9", 1)]


class Weighted:
    def __init__(self, choices):
        self.values = [value for value, _ in choices]
        self.bounds = list(accumulate(weight for _, weight in choices))

    def draw(self, dice):
        return self.values[bisect(self.bounds, dice.random() * self.bounds[-1])]


def zipf(values):
    """The first is followed twice as often as the second, three times as often as the third."""
    return Weighted([(value, 1 / rank) for rank, value in enumerate(values, 1)])


def address(number):
    """The whole of 10.0.0.0/8 may visit. Consecutive visitors are in different networks, since one network's calls take turns."""
    return f"10.{number & 255}.{number >> 8 & 255}.{number >> 16 & 255}"
