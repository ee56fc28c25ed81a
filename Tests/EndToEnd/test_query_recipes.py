"""Branch's public query recipes, posted like Branch's clients, with results of recorded clicks and events."""

import time

import pytest

from support.app import click_id
from support.visitors import android, crawler, desktop, iphone
from support.waiting import eventually

TOUCH = "last_attributed_touch_data_"
CAMPAIGN, FEATURE, CHANNEL = TOUCH + "tilde_campaign", TOUCH + "tilde_feature", TOUCH + "tilde_channel"
PARTNER, LINK, TAGS, STAGE = (
    TOUCH + "tilde_advertising_partner_name", TOUCH + "tilde_id", TOUCH + "tilde_tags", TOUCH + "tilde_stage")
CURRENT, VIA = TOUCH + "plus_current_feature", TOUCH + "plus_via_features"
PLATFORM, OS, DESKTOP, DAYS = "user_data_platform", "user_data_os", "from_desktop", "days_from_last_attributed_touch_to_event"

# The filters that recur in the recipes.
PEOPLE = {"!" + PLATFORM: ["ROBOT"]}
WEB = {PLATFORM: ["IOS_WEB", "ANDROID_WEB", "DESKTOP_WEB"]}
PHONE_WEB = {PLATFORM: ["IOS_WEB", "ANDROID_WEB"]}
APPS = {PLATFORM: ["IOS_APP", "ANDROID_APP"]}
EVERYWHERE = {PLATFORM: WEB[PLATFORM] + APPS[PLATFORM]}
ATTRIBUTED, ATTRIBUTED_BY_NULL = {"!" + DAYS: ["null"]}, {"!" + DAYS: [None]}
NO_DEEPVIEWS = {"!" + CURRENT: ["MOBILE_DEEPVIEWS", "DESKTOP_DEEPVIEWS"]}
PAID = {FEATURE: ["paid advertising"]}


class Book:
    """An app with clicks, installs, opens, page views and purchases."""

    def __init__(self, app):
        self.app, self.server = app, app.server
        self.spring = app.create_link(channel="mail", campaign="spring", feature="share", stage="stage88", tags=["tag1", "tag2"])
        self.paid = app.create_link(
            channel="ads", campaign="paid1", feature="paid advertising", data={"~advertising_partner_name": "Taptica"})
        self.quick = app.create_link(type=2, campaign="quick", data={"$marketing_title": "On a poster"})
        self.deep = app.create_link(campaign="deep", data={"$ios_deepview": "branch_default", "$android_deepview": "branch_default"})
        self.ids = {name: app.read(getattr(self, name))["data"]["~id"] for name in ("spring", "paid", "quick", "deep")}
        self.happen()

    def happen(self):
        app = self.app
        ann, bob, cho, eve, flo, gus, hal, ida = (
            iphone(), android(), iphone(), android(), iphone(), iphone(), iphone(), android())
        for url, visitor in [
            (self.spring, ann), (self.spring, bob), (self.paid, cho), (self.paid, eve), (self.quick, flo), (self.deep, gus),
            (self.spring, crawler()),
        ]:
            assert app.click(url, visitor).status in (200, 302)
        screen = desktop()
        self.click = click_id(app.click(self.spring, screen))
        # The code on the desktop's page, read by a phone.
        assert app.click(f"{self.server.base_url}/c/{self.click}", hal).status == 200
        texted = self.server.post(f"/c/{self.click}", {"branch_key": app.branch_key, "phone": "+4915112345678"})
        assert texted.status == 200, texted.text

        start = {name: app.install(visitor, **fields) for name, visitor, fields in [
            ("ann", ann, {"ios_vendor_id": "ANN", "country": "DE"}), ("bob", bob, {"country": "FR"}),
            ("cho", cho, {"ios_vendor_id": "CHO", "country": "DE"}), ("gus", gus, {}), ("hal", hal, {}), ("ida", ida, {})]}
        app.open(ann, universal_link_url=self.spring, **start["ann"].tokens)
        app.open(ida, **start["ida"].tokens)
        app.click(self.paid, cho)
        app.install(cho, ios_vendor_id="CHO")

        web = {"branch_key": app.branch_key, "sdk": "web2.84.0", "options": "{}"}
        self.post("/v1/open", web | {"link_identifier": self.click}, screen.headers)
        self.post("/v1/open", web, desktop().headers)
        self.post("/v1/pageview", web | {"event": "pageview"}, desktop().headers)
        for name, event, data in [
            ("ann", "PURCHASE", {"revenue": 12.5}), ("ann", "PURCHASE", {"revenue": 2}), ("cho", "PURCHASE", {"revenue": 3}),
            ("ida", "PURCHASE", {"revenue": 100}), ("bob", "ADD_TO_CART", {}), ("ann", "VIEW_ITEM", {}), ("bob", "LOGIN", {}),
        ]:
            self.event("standard", event, start[name], event_data=data)
        self.event("custom", "cheered", start["ann"])
        self.event("custom", "cheered", start["ida"])
        self.event("custom", "waved", start["ann"])

    def post(self, call, body, headers=None):
        answer = self.server.post(call, body, headers)
        assert answer.status == 200, answer.text
        return answer.json

    def event(self, kind, name, session, **fields):
        body = {"branch_key": self.app.branch_key, "name": name, "user_data": session.tokens} | session.tokens | fields
        self.post(f"/v2/event/{kind}", body)

    def ask(self, limit=100, **fields):
        """The response to a recipe, with days in the time of Los Angeles in winter."""
        noon = time.time() - 8 * 3600
        first, last = (time.strftime("%Y-%m-%d", time.gmtime(noon + 86400 * days)) for days in (-3, 3))
        body = {"start_date": first + "T00:00:00-08:00", "end_date": last + "T23:59:59-08:00", "granularity": "all",
                "aggregation": "unique_count"} | self.app.secret | fields
        return self.post(f"/v1/query/analytics?limit={limit}", body)

    def figures(self, dimensions, **fields):
        """The totals of all days by value."""
        aggregation = fields.setdefault("aggregation", "unique_count")
        names = [name for name in ([dimensions] if isinstance(dimensions, str) else dimensions) if name != "timestamp"]
        figures = {}
        for row in self.ask(dimensions=dimensions, **fields)["results"]:
            assert set(row) == {"timestamp", "result"} and set(row["result"]) == {*names, aggregation}, row
            values = tuple(row["result"][name] for name in names)
            figures[values] = figures.get(values, 0) + row["result"][aggregation]
        return figures


@pytest.fixture(scope="module")
def book(server):
    book = Book(server.create_app(
        "Orchard", "--ios-uri-scheme", "orchard", "--android-uri-scheme", "orchard",
        "--default-url", "https://orchard.example.com/"))
    # The last of what happened; what is younger than two seconds does not count yet.
    eventually(lambda: book.figures([], data_source="eo_custom_event", filters={"name": ["waved"]}) == {(): 1}, within=8)
    return book


IOS_APP, ANDROID_APP, IOS_WEB, ANDROID_WEB, DESKTOP_WEB = "IOS_APP", "ANDROID_APP", "IOS_WEB", "ANDROID_WEB", "DESKTOP_WEB"
FROM_PHONE, FROM_DESKTOP = "false", "true"
# What stands for a link's id until there is one.
QUICK, SPRING = "id of quick", "id of spring"
LINKS = {LINK: [QUICK, SPRING]}

# What is asked about, how it is counted, by what, with which filters, and the figures.
RECIPES = {
    # Installs of each day.
    "installs": ("install", "unique_count", ["timestamp"], PEOPLE, {(): 6}),
    "attributed installs": ("install", "total_count", ["timestamp"], PEOPLE | ATTRIBUTED, {(): 5}),
    "attributed installs by campaign": (
        "install", "unique_count", [CAMPAIGN], PEOPLE | ATTRIBUTED, {("spring",): 3, ("paid1",): 1, ("deep",): 1}),
    "attributed installs of campaigns": (
        "install", "unique_count", ["timestamp"], PEOPLE | ATTRIBUTED | {CAMPAIGN: ["spring", "deep", "none such"]}, {(): 4}),
    "attributed installs of campaigns by campaign": (
        "install", "unique_count", [CAMPAIGN], PEOPLE | ATTRIBUTED | {CAMPAIGN: ["spring", "deep", "none such"]},
        {("spring",): 3, ("deep",): 1}),
    # From clicks to opened apps.
    "flow: clicks": (
        "click", "unique_count", [PLATFORM, DESKTOP], WEB | NO_DEEPVIEWS,
        {(IOS_WEB, FROM_PHONE): 6, (ANDROID_WEB, FROM_PHONE): 2, (DESKTOP_WEB, FROM_PHONE): 1, (IOS_WEB, FROM_DESKTOP): 1}),
    "flow: redirects": ("web_to_app_auto_redirect", "unique_count", [PLATFORM, DESKTOP], WEB | NO_DEEPVIEWS, {}),
    "flow: text messages": ("sms_sent", "total_count", [PLATFORM], {PLATFORM: [DESKTOP_WEB]}, {(DESKTOP_WEB,): 1}),
    "flow: installs": (
        "install", "unique_count", [PLATFORM, DESKTOP], APPS | ATTRIBUTED_BY_NULL,
        {(IOS_APP, FROM_PHONE): 3, (ANDROID_APP, FROM_PHONE): 1, (IOS_APP, FROM_DESKTOP): 1}),
    "flow: opens": (
        "open", "unique_count", [PLATFORM, DESKTOP], APPS | ATTRIBUTED_BY_NULL, {(IOS_APP, FROM_PHONE): 1}),
    "flow: reinstalls": (
        "reinstall", "unique_count", [PLATFORM, DESKTOP], APPS | ATTRIBUTED_BY_NULL, {(IOS_APP, FROM_PHONE): 1}),
    "flow: clicks of a feature": (
        "click", "unique_count", [PLATFORM, DESKTOP], WEB | NO_DEEPVIEWS | PAID,
        {(IOS_WEB, FROM_PHONE): 2, (ANDROID_WEB, FROM_PHONE): 1}),
    "flow: clicks of a link": (
        "click", "unique_count", [PLATFORM, DESKTOP], WEB | NO_DEEPVIEWS | {LINK: [QUICK]}, {(IOS_WEB, FROM_PHONE): 1}),
    # Banners, of which there are none here.
    "banners: views": ("branch_cta_view", "unique_count", [PLATFORM], PHONE_WEB | {CURRENT: ["MOBILE_JOURNEYS"]}, {}),
    "banners: clicks": ("click", "unique_count", [PLATFORM], PHONE_WEB | {CURRENT: ["MOBILE_JOURNEYS"]}, {}),
    "banners: redirects": ("web_to_app_auto_redirect", "unique_count", [PLATFORM], PHONE_WEB | {CURRENT: ["MOBILE_JOURNEYS"]}, {}),
    "banners: installs": (
        "install", "unique_count", [PLATFORM], APPS | {VIA: ["MOBILE_JOURNEYS"]} | ATTRIBUTED_BY_NULL, {}),
    "banners: opens": ("open", "unique_count", [PLATFORM], APPS | {VIA: ["MOBILE_JOURNEYS"]} | ATTRIBUTED_BY_NULL, {}),
    "banners: reinstalls": ("reinstall", "unique_count", [PLATFORM], APPS | {VIA: ["MOBILE_JOURNEYS"]} | ATTRIBUTED_BY_NULL, {}),
    "banners: views of a tag": (
        "branch_cta_view", "unique_count", [PLATFORM], PHONE_WEB | {CURRENT: ["MOBILE_JOURNEYS"], TAGS: ["tag1"]}, {}),
    # Deepviews, whose views and buttons are no clicks of their own here, but lead to installs.
    "deepviews: views": ("branch_cta_view", "unique_count", [PLATFORM], PHONE_WEB | {CURRENT: ["MOBILE_DEEPVIEWS"]}, {}),
    "deepviews: clicks": ("click", "unique_count", [PLATFORM], PHONE_WEB | {CURRENT: ["MOBILE_DEEPVIEWS"]}, {}),
    "deepviews: redirects": ("web_to_app_auto_redirect", "unique_count", [PLATFORM], PHONE_WEB | {CURRENT: ["MOBILE_DEEPVIEWS"]}, {}),
    "deepviews: installs": (
        "install", "unique_count", [PLATFORM], APPS | {VIA: ["MOBILE_DEEPVIEWS"]} | ATTRIBUTED_BY_NULL, {(IOS_APP,): 1}),
    "deepviews: opens": ("open", "unique_count", [PLATFORM], APPS | {VIA: ["MOBILE_DEEPVIEWS"]} | ATTRIBUTED_BY_NULL, {}),
    "deepviews: reinstalls": ("reinstall", "unique_count", [PLATFORM], APPS | {VIA: ["MOBILE_DEEPVIEWS"]} | ATTRIBUTED_BY_NULL, {}),
    "deepviews: views of a stage": (
        "branch_cta_view", "unique_count", [PLATFORM], PHONE_WEB | {CURRENT: ["MOBILE_DEEPVIEWS"], STAGE: ["stage88"]}, {}),
    # Links one by one.
    "links: clicks": ("click", "unique_count", [LINK], NO_DEEPVIEWS | LINKS | PEOPLE, {(QUICK,): 1, (SPRING,): 5}),
    "links: redirects": ("web_to_app_auto_redirect", "unique_count", [LINK], NO_DEEPVIEWS | LINKS | PEOPLE, {}),
    "links: installs": ("install", "unique_count", [LINK], LINKS | PEOPLE, {(SPRING,): 3}),
    "links: opens": ("open", "unique_count", [LINK], LINKS | PEOPLE, {(SPRING,): 1}),
    "links: reinstalls": ("reinstall", "unique_count", [LINK], LINKS | PEOPLE, {}),
    "links: web sessions": ("web_session_start", "unique_count", [LINK], LINKS | PEOPLE, {(SPRING,): 1}),
    # Sources.
    "sources: clicks": (
        "click", "unique_count", [CAMPAIGN], WEB | NO_DEEPVIEWS, {("spring",): 5, ("paid1",): 3, ("deep",): 1, ("quick",): 1}),
    "sources: installs": (
        "install", "unique_count", [CAMPAIGN], APPS | ATTRIBUTED_BY_NULL, {("spring",): 3, ("paid1",): 1, ("deep",): 1}),
    "sources: opens": ("open", "unique_count", [CAMPAIGN], APPS | ATTRIBUTED_BY_NULL, {("spring",): 1}),
    "sources: web sessions": (
        "web_session_start", "unique_count", [CAMPAIGN], {PLATFORM: [IOS_APP, ANDROID_APP, DESKTOP_WEB]} | ATTRIBUTED_BY_NULL,
        {("spring",): 1}),
    "sources: purchases": (
        "commerce_event", "unique_count", [CAMPAIGN, "name"], EVERYWHERE | ATTRIBUTED_BY_NULL,
        {("spring", "PURCHASE"): 1, ("spring", "ADD_TO_CART"): 1, ("paid1", "PURCHASE"): 1}),
    "sources: revenue": (
        "commerce_event", "revenue", [CAMPAIGN, "name"], EVERYWHERE | ATTRIBUTED_BY_NULL,
        {("spring", "PURCHASE"): 14.5, ("spring", "ADD_TO_CART"): 0, ("paid1", "PURCHASE"): 3}),
    "sources: clicks of a partner": (
        "click", "unique_count", [CAMPAIGN], WEB | NO_DEEPVIEWS | {PARTNER: ["Taptica"]}, {("paid1",): 3}),
    # Ads, with the dimension as one string.
    "ads: installs of each day": ("install", "unique_count", PARTNER, PAID | PEOPLE | ATTRIBUTED_BY_NULL, {("Taptica",): 1}),
    "ads: installs of each day on a platform": (
        "install", "unique_count", PARTNER, PAID | PEOPLE | ATTRIBUTED_BY_NULL | {PLATFORM: [IOS_APP]}, {("Taptica",): 1}),
    "ads: installs of each day on another platform": (
        "install", "unique_count", PARTNER, PAID | PEOPLE | ATTRIBUTED_BY_NULL | {PLATFORM: [ANDROID_APP]}, {}),
    "ads: clicks": ("click", "unique_count", [PARTNER], PAID | PEOPLE, {("Taptica",): 3}),
    "ads: installs": ("install", "unique_count", [PARTNER], PAID | PEOPLE | ATTRIBUTED_BY_NULL, {("Taptica",): 1}),
    "ads: opens": ("open", "unique_count", [PARTNER], PAID | PEOPLE | ATTRIBUTED_BY_NULL, {}),
    "ads: reinstalls": ("reinstall", "unique_count", [PARTNER], PAID | PEOPLE | ATTRIBUTED_BY_NULL, {("Taptica",): 1}),
    "ads: web sessions": ("web_session_start", "unique_count", [PARTNER], PAID | PEOPLE | ATTRIBUTED_BY_NULL, {}),
    "ads: purchases": (
        "commerce_event", "unique_count", [PARTNER, "name"], PAID | PEOPLE | ATTRIBUTED_BY_NULL, {("Taptica", "PURCHASE"): 1}),
    "ads: revenue": (
        "commerce_event", "revenue", [PARTNER, "name"], PAID | PEOPLE | ATTRIBUTED_BY_NULL, {("Taptica", "PURCHASE"): 3}),
    "ads: clicks of a partner": ("click", "unique_count", [PARTNER], PAID | PEOPLE | {PARTNER: ["Taptica"]}, {("Taptica",): 3}),
    "ads: clicks of another partner": ("click", "unique_count", [PARTNER], PAID | PEOPLE | {PARTNER: ["Applovin"]}, {}),
    # The other sources and dimensions, in the same shapes.
    "clicks by system": ("click", "total_count", [OS], PEOPLE, {("IOS",): 7, ("ANDROID",): 2, ("WINDOWS",): 1}),
    "clicks by feature of the product": ("click", "total_count", [CURRENT], PEOPLE, {(None,): 6, ("ADS",): 3, ("QUICK_LINKS",): 1}),
    "clicks by feature, channel and campaign": (
        "click", "total_count", [FEATURE, CHANNEL, CAMPAIGN, CURRENT], NO_DEEPVIEWS,
        {("share", "mail", "spring", None): 5, ("paid advertising", "ads", "paid1", "ADS"): 3, (None, None, "deep", None): 1,
         (None, None, "quick", "QUICK_LINKS"): 1}),
    "clicks by tag": ("click", "total_count", [TAGS], PEOPLE, {("tag1",): 5, ("tag2",): 5, (None,): 5}),
    "clicks of tags": ("click", "total_count", ["timestamp"], PEOPLE | {TAGS: ["tag2", "tag3"]}, {(): 5}),
    "clicks without a tag": ("click", "total_count", [CAMPAIGN], {"!" + TAGS: ["tag2"]}, {("paid1",): 3, ("deep",): 1, ("quick",): 1}),
    "clicks of a stage": ("click", "total_count", ["timestamp"], PEOPLE | {STAGE: ["stage88"]}, {(): 5}),
    "clicks without a stage": ("click", "total_count", [CAMPAIGN], {STAGE: [None]}, {("paid1",): 3, ("deep",): 1, ("quick",): 1}),
    "clicks by their name": ("click", "total_count", ["name"], PEOPLE | {"name": ["CLICK"]}, {("CLICK",): 10}),
    "clicks by an old prefix": ("xx_click", "total_count", ["timestamp"], PEOPLE, {(): 10}),
    "opens by their name": ("open", "total_count", ["name"], {"name": ["OPEN"]}, {("OPEN",): 2}),
    "opens by another name": ("open", "total_count", ["name"], {"name": ["CLICK"]}, {}),
    "installs by country": (
        "install", "unique_count", ["user_data_geo_country_code"], PEOPLE, {("DE",): 2, ("FR",): 1, (None,): 3}),
    "installs by system and channel": (
        "install", "total_count", [OS, CHANNEL], PEOPLE,
        {("IOS", "mail"): 2, ("IOS", "ads"): 1, ("IOS", None): 1, ("ANDROID", "mail"): 1, ("ANDROID", None): 1}),
    "installs on a system": ("install", "total_count", ["timestamp"], {OS: ["IOS"]}, {(): 4}),
    "installs by whether they are attributed": ("install", "total_count", ["attributed"], PEOPLE, {("true",): 5, ("false",): 1}),
    "organic installs": ("install", "total_count", [PLATFORM], {"attributed": ["false"]}, {(ANDROID_APP,): 1}),
    "installs by days since the click": ("install", "total_count", [DAYS], PEOPLE, {("0",): 5, (None,): 1}),
    "reinstalls by campaign": ("reinstall", "total_count", [CAMPAIGN], PEOPLE, {("paid1",): 1}),
    "first sessions": ("install", "total_count", ["first_event_for_user"], PEOPLE, {("true",): 6}),
    "web sessions by platform": ("web_session_start", "total_count", [PLATFORM], PEOPLE, {(DESKTOP_WEB,): 2}),
    "pageviews": ("pageview", "total_count", [PLATFORM, "name"], PEOPLE, {(DESKTOP_WEB, "PAGEVIEW"): 1}),
    "commerce by name": ("commerce_event", "total_count", ["name"], PEOPLE, {("PURCHASE",): 4, ("ADD_TO_CART",): 1}),
    "revenue": ("commerce_event", "revenue", ["timestamp"], PEOPLE, {(): 117.5}),
    "revenue by system": ("commerce_event", "revenue", [OS], {"name": ["PURCHASE"]}, {("IOS",): 17.5, ("ANDROID",): 100}),
    "buyers": ("commerce_event", "unique_count", [PLATFORM], {"name": ["PURCHASE"]}, {(IOS_APP,): 2, (ANDROID_APP,): 1}),
    "content": ("content_event", "total_count", ["name"], PEOPLE, {("VIEW_ITEM",): 1}),
    "life of users": ("user_lifecycle_event", "total_count", ["name", OS], PEOPLE, {("LOGIN", "ANDROID"): 1}),
    "events of the app's own": ("custom_event", "total_count", ["name"], PEOPLE | ATTRIBUTED, {("cheered",): 1, ("waved",): 1}),
    "one of the app's own": ("custom_event", "total_count", [CAMPAIGN], {"name": ["cheered"]}, {("spring",): 1, (None,): 1}),
    "dismissals": ("dismissal", "total_count", ["timestamp"], PEOPLE, {}),
    "impressions": ("impression", "unique_count", [PARTNER], PEOPLE, {}),
    "costs": ("cost", "cost", [PARTNER], PEOPLE, {}),
    "what is never recorded": (
        "open", "total_count", ["last_cta_view_data_tilde_campaign", "user_data_has_app", TOUCH + "tilde_journey_name"], PEOPLE,
        {(None, None, None): 2}),
}


@pytest.mark.parametrize("granularity", ["all", "day"])
@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_has_the_figures_of_what_happened(book, recipe, granularity):
    source, aggregation, dimensions, filters, expected = RECIPES[recipe]

    def real(value):
        return book.ids[value.removeprefix("id of ")] if value in (QUICK, SPRING) else value

    figures = book.figures(
        dimensions, data_source=source if source == "cost" or source.startswith("xx_") else "eo_" + source, aggregation=aggregation,
        filters={name: [real(value) for value in values] for name, values in filters.items()}, granularity=granularity)
    assert figures == {tuple(real(value) for value in values): figure for values, figure in expected.items()}


def test_a_day_stands_under_its_start_in_the_zone_that_was_asked_for(book):
    answer = book.ask(data_source="eo_install", dimensions=["timestamp"], granularity="day", zero_fill=True, ordered_by="timestamp")
    days = [row["timestamp"] for row in answer["results"]]
    assert all(day.endswith("T00:00:00.000-08:00") for day in days) and days == sorted(days, reverse=True)
    today = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 8 * 3600))
    assert days[0].startswith(today), "days that have not begun are not there"
    assert [row["result"]["unique_count"] for row in answer["results"]][1:] in ([0, 0, 0], [6, 0, 0])


@pytest.mark.parametrize("days", [0, 1])
def test_the_same_date_twice_is_that_day_and_a_later_end_does_not_count(book, days):
    today, end = (time.strftime("%Y-%m-%d", time.gmtime(time.time() + 86400 * more)) for more in (0, days))
    fields = {"data_source": "eo_install", "dimensions": [], "start_date": today, "end_date": end}
    assert [row["result"] for row in book.ask(**fields)["results"]] == [{"unique_count": 6}]


def test_pages_of_a_recipe_that_reads_rows_are_of_one_answer(book):
    fields = {"data_source": "eo_click", "dimensions": [TAGS, OS], "aggregation": "total_count", "filters": PEOPLE}
    rows = book.ask(**fields)["results"]
    assert len(rows) == 8
    first = book.ask(limit=3, **fields)
    assert first["results"] == rows[:3] and first["paging"]["total_count"] == 8
    book.app.click(book.paid, android())
    eventually(lambda: book.ask(**fields)["results"] != rows, within=8)
    query = first["paging"]["next_url"].split("limit=3")[1]
    assert book.ask(limit=f"3{query}", **fields)["results"] == rows[3:6]


def test_a_link_that_asks_for_no_credit_has_none_in_figures_and_exports(app, server):
    url, phone = app.create_link(channel="mail", data={"$deeplink_no_attribution": True}), iphone()
    app.click(url, phone)
    assert app.install(phone).data["+clicked_branch_link"] is True
    day = time.strftime("%Y-%m-%d", time.gmtime())
    body = {"start_date": day, "end_date": day, "data_source": "eo_install", "aggregation": "total_count"} | app.secret

    def by(dimension):
        return [row["result"][dimension] for row in server.post(
            "/v1/query/analytics", body | {"dimensions": [dimension]}).json["results"]]

    eventually(lambda: by("attributed") == ["false"], within=8)
    assert by(DAYS) == [None] == by(CHANNEL) == by(LINK)
    done = server.command("export", "--app", app.branch_key, "--topic", "eo_install", "--fields", f"attributed,{DAYS}", "--from", day, "--to", day)
    assert done.out.splitlines()[1:] == ["false,"], done.err


# Recipes that counters answer: those that nearly every other one is made of.
COUNTED = [
    ("eo_install", "total_count", ["timestamp"], PEOPLE, {(): 1}),
    ("eo_install", "total_count", ["timestamp"], PEOPLE | ATTRIBUTED, {(): 1}),
    ("eo_install", "total_count", [CAMPAIGN], PEOPLE | NO_DEEPVIEWS, {("spring",): 1}),
    ("eo_install", "total_count", ["attributed"], {}, {("true",): 1}),
    ("eo_commerce_event", "revenue", ["timestamp"], PEOPLE | ATTRIBUTED_BY_NULL, {(): 12.5}),
    ("eo_commerce_event", "revenue", [CHANNEL, "name"], PEOPLE, {("mail", "PURCHASE"): 12.5}),
    ("eo_commerce_event", "total_count", [LINK], {"name": ["PURCHASE"]}, {("the link",): 1}),
]


@pytest.mark.parametrize("is_counted", [False, True], ids=["before it is counted", "after it is counted"])
def test_an_erasure_leaves_the_figures_of_the_hour(server, is_counted):
    app = server.create_app("Orchard", "--ios-uri-scheme", "orchard")
    url, phone = app.create_link(channel="mail", campaign="spring"), iphone()
    app.click(url, phone)
    session = app.install(phone, identity="ann")
    body = {"branch_key": app.branch_key, "name": "PURCHASE", "event_data": {"revenue": 12.5}} | session.tokens
    assert server.post("/v2/event/standard", body).status == 200
    link = app.read(url)["data"]["~id"]
    day = time.strftime("%Y-%m-%d", time.gmtime())

    def figures(source, aggregation, dimensions, filters):
        body = {"start_date": day, "end_date": day, "data_source": source, "aggregation": aggregation, "dimensions": dimensions,
                "filters": filters} | app.secret
        rows = [row["result"] for row in server.post("/v1/query/analytics", body).json["results"]]
        return {tuple(row[name] for name in dimensions if name != "timestamp"): row[aggregation] for row in rows}

    def are_right():
        return all(
            figures(*recipe) == {tuple(link if value == "the link" else value for value in values): figure
                                 for values, figure in expected.items()}
            for *recipe, expected in COUNTED)

    if is_counted:
        eventually(are_right, within=8)
        eventually(lambda: server.query(f"SELECT SUM(count) FROM rollups WHERE app_id = {app.app_id} AND topic = 'commerce_event' AND hours = 1 AND dimension = ''") == [(1,)])
    done = server.command("identities", "erase", "ann", "--app", app.branch_key, "--yes")
    assert done.status == 0, done.err
    assert server.query(f"SELECT COUNT(*) FROM events WHERE app_id = {app.app_id}") == [(0,)]
    for *recipe, expected in COUNTED:
        expected = {tuple(link if value == "the link" else value for value in values): figure for values, figure in expected.items()}
        assert figures(*recipe) == expected, recipe
    command = server.ask(
        "query", "counts", "--app", app.branch_key, "--from", day, "--to", day, "--topic", "commerce_event", "--aggregation", "revenue")
    assert [row["revenue"] for row in command] == [12.5]
