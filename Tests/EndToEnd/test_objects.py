"""Universal objects: the content of links and events, and its totals."""

import time

import pytest

from support.visitors import android, iphone
from support.waiting import eventually


def report(app, name, *items, **data):
    answer = app.server.post("/v2/event/standard", {
        "branch_key": app.branch_key, "name": name, "user_data": {"developer_identity": "ann"}, "event_data": data,
        "content_items": list(items)})
    assert answer.status == 200, answer.text


def item(identifier, **keys):
    return {"$canonical_identifier": identifier} | {f"${key}": value for key, value in keys.items()}


@pytest.fixture
def shop(app):
    """Three universal objects: pears are viewed, apples shared and bought, and a link for plums is clicked."""
    for _ in range(3):
        report(app, "VIEW_ITEM", item("pear", og_title="Pear"))
    report(app, "VIEW_ITEMS", item("pear"), item("apple"), item("plum"))
    report(app, "SHARE", item("apple"))
    report(app, "PURCHASE", item("apple", price=2.5, quantity=2), revenue=9, currency="USD")
    link = app.create_link(data={"$canonical_identifier": "plum"})
    app.click(link, android())
    app.click(link, iphone())
    return app


def top(app, *flags):
    rows = app.server.ask("objects", "top", "--app", app.branch_key, *flags)
    return [row["canonical_identifier"] for row in rows]


def test_content_is_ranked_by_what_came_of_it(shop):
    assert top(shop)[0] == "pear" and len(top(shop)) == 3
    assert top(shop, "--by", "shares") == top(shop, "--by", "purchases") == top(shop, "--by", "revenue") == ["apple"]
    assert top(shop, "--by", "clicks") == ["plum"]
    assert top(shop, "--limit", "1") == ["pear"]
    today = time.strftime("%Y-%m-%d", time.gmtime())
    assert top(shop, "--from", "2020-01-01", "--to", "2020-12-31") == []
    assert top(shop, "--by", "clicks", "--from", "2020-01-01", "--to", "2020-12-31") == []
    assert top(shop, "--by", "clicks", "--from", today) == ["plum"]


def test_clicks_stay_the_same_once_they_are_aggregated(shop, server):
    def figures():
        return server.ask("objects", "show", "plum", "--app", shop.branch_key)

    assert (figures()["views"], figures()["clicks"]) == (1, 2)
    eventually(lambda: server.query("SELECT SUM(clicks) FROM object_days")[0][0], within=8)
    assert (figures()["views"], figures()["clicks"]) == (1, 2)


def test_one_piece_of_content_is_shown_with_all_that_is_known(shop, server):
    apple = server.ask("objects", "show", "apple", "--app", shop.branch_key)
    assert (apple["views"], apple["shares"], apple["purchases"], apple["revenue"], apple["conversion"]) == (1, 1, 1, 5, 1.0)
    assert apple["data"] == {"$canonical_identifier": "apple", "$price": 2.5, "$quantity": 2}
    rows = server.ask("objects", "list", "--app", shop.branch_key)
    assert [row["canonical_identifier"] for row in rows] == ["plum", "apple", "pear"]
    assert rows[2]["title"] == "Pear" and rows[2]["conversion"] == 0
    later = server.ask("objects", "list", "--app", shop.branch_key, "--before", rows[0]["id"], "--limit", "1")
    assert later == rows[1:2]
    table = server.command("objects", "top", "--app", shop.branch_key).out.splitlines()
    assert table[0].split()[:2] == ["ID", "CANONICAL_IDENTIFIER"] and len(table) == 4


def test_the_test_side_has_content_of_its_own(shop, server):
    assert server.ask("objects", "list", "--app", shop.test_branch_key) == []
    assert "no content" in server.command("objects", "list", "--app", shop.test_branch_key).err


@pytest.mark.parametrize(("arguments", "status", "complaint"), [
    (["show", "nothing"], 1, "no content with the canonical identifier nothing"),
    (["top", "--by", "smell"], 64, "smell"), (["top", "--limit", "0"], 64, "--limit must be"),
    (["list", "--limit", "10001"], 64, "--limit must be"), (["top", "--from", "2027-02-30"], 64, "--from must be a day"),
    (["top", "--from", "2027-02-01", "--to", "2027-01-01"], 64, "is after"),
])
def test_a_wrong_question_says_what_is_allowed(server, orchard, arguments, status, complaint):
    done = server.command("objects", *arguments, "--app", orchard.branch_key)
    assert done.status == status and complaint in done.err
