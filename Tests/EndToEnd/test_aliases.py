"""Custom aliases of links are unique."""

from concurrent.futures import ThreadPoolExecutor

from support.visitors import desktop


def test_an_alias_may_have_several_segments_and_is_clicked_where_it_lies(app):
    url = app.create_link(alias="product/id1234/ripe", data={"$desktop_url": "https://orchard.example.com/ripe"})

    assert url == app.server.base_url + "/product/id1234/ripe"
    assert app.read(url)["alias"] == "product/id1234/ripe"
    assert app.click(url, desktop()).location.startswith("https://orchard.example.com/ripe")


def test_an_alias_that_many_want_at_once_is_given_once(app):
    def create_link(number):
        return app.server.post("/v1/url", {"branch_key": app.branch_key, "alias": "wanted/by/many", "data": {"number": number % 2}})

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(create_link, range(8)))

    # Four asked for the same link as the first one did, four for another.
    assert sorted(answer.status for answer in answers) == [200] * 4 + [409] * 4
    assert len(app.server.ask("links", "list", "--app", app.app_id)) == 1


def test_a_deleted_links_alias_stays_reserved(app):
    url = app.create_link(alias="reserved/for/good")
    app.server.send("DELETE", app.link(url), app.secret)

    answer = app.server.post("/v1/url", {"branch_key": app.branch_key, "alias": "reserved/for/good"})

    answer.refusal(409)


def test_an_alias_another_app_holds_is_a_conflict_that_tells_nothing_of_its_link(app, server):
    app.create_link(alias="contested", channel="confidential")

    answer = server.post("/v1/url", {"branch_key": server.create_app("Other").branch_key, "alias": "contested"})

    assert answer.status == 409
    assert "confidential" not in answer.text
