"""Texts of the same combining marks in many orders, which are canonically equal: those who compare characters normalize each."""

import json
import random
import unicodedata
from urllib.parse import quote

from attacks.registry import attack, counted
from attacks.sending import IPHONE, rounds
from traffic import Outcome, pipeline, request

# One mark of each of 30 classes, which a normal form sorts.
MARKS = list({
    unicodedata.combining(mark): mark for mark in map(chr, range(0x300, 0x700))
    if unicodedata.combining(mark) and not unicodedata.decomposition(mark)}.values())[:30]


def in_an_order(dice, letter):
    """A letter with all marks in a random order, four times: 124 of the 128 characters that a label may have."""
    return "".join(letter + "".join(dice.sample(MARKS, len(MARKS))) for _ in range(4))


@counted
@attack
def labels_of_permuted_marks(target, until, number):
    """visits of long links by eight addresses, whose labels are 48 times 48 texts of the same combining marks in many orders"""
    dice = random.Random(number)
    senders = [{"X-Forwarded-For": f"198.28.{4 * number + network}.7", "User-Agent": IPHONE} for network in range(4)]

    def visit(sender):
        channel, feature = (f"{in_an_order(dice, letter)}{dice.randrange(48):02}" for letter in "cf")
        query = f"channel={quote(channel)}&feature={quote(feature)}&campaign={quote(in_an_order(dice, 'g'))}"
        return request("GET", f"/a/{target.key}?{query}", headers=sender)

    # As many as the limits admit: one counts as four, for its length.
    return rounds(target, until, lambda: [[visit(sender) for _ in range(12)] for sender in senders], pause=0.5)


@attack
def editors_of_links_with_many_tags(target, until, number):
    """the form of a new link on 16 connections of a user, of an app whose last 100 links have 63 tags of the same combining marks each"""
    dice = random.Random(number)

    def link(index):
        labels = {field: in_an_order(dice, field[0]) for field in ("channel", "feature", "campaign", "stage")}
        # The last ones differ, so that all before them are compared.
        tags = [in_an_order(dice, chr(97 + tag % 26))[:62] for tag in range(62)] + [f"{number}-{index}"]
        body = {"branch_key": target.key, "tags": tags} | labels
        return request("POST", "/v1/url", json.dumps(body, ensure_ascii=False).encode(), {"X-Forwarded-For": f"198.29.{number}.7"})

    outcome = Outcome()
    pipeline(target.port, [link(index) for index in range(min(50, target.at_once // 2))], outcome)
    user = {"Cookie": target.session, "X-Forwarded-For": f"198.29.{number}.8"}
    form = request("GET", f"/dashboard/apps/{target.app_id}/links/new", headers=user)
    outcome.add(rounds(target, until, [[form]] * min(8, target.at_once // 10)))
    return outcome
