"""Events: their revenue in the app's currency, reports of invalid ones, and the rates that the operator loads."""

import pytest

from support.waiting import eventually


def report(app, name="PURCHASE", **fields):
    user = {"user_data": {"developer_identity": "ann", "os": "iOS"}}
    answer = app.server.post("/v2/event/standard", {"branch_key": app.branch_key, "name": name} | user | fields)
    assert answer.status == 200 and answer.json == {"branch_view_enabled": False}


def purchase(app, revenue, currency="USD", **data):
    report(app, event_data={"revenue": revenue, "currency": currency} | data)


def faults(app):
    """The doctor's findings about the app's events, by check."""
    checks = app.server.ask("doctor", "app", app.branch_key)["checks"]
    return {check["check"]: check["detail"] for check in checks if check["check"].startswith("events.")}


def load(server, tmp_path, text, *flags):
    path = tmp_path / "rates.csv"
    path.write_text(text)
    return server.command("rates", "import", str(path), *flags, "--format", "json")


def earned(server):
    return server.query("SELECT revenue, revenue_text, currency FROM events ORDER BY id")


def test_revenue_is_converted_at_the_rate_of_its_day(own_server, tmp_path):
    app = own_server.create_app("Orchard", "--set", "currency=EUR")
    assert load(own_server, tmp_path, "date,currency,rate\n2020-01-01,USD,1.25\n2020-06-01,USD,1.6\n2099-01-01,USD,9\n",
                "--base", "EUR").status == 0
    purchase(app, 8)
    purchase(app, "12.70", "EUR")
    assert faults(app) == {}
    purchase(app, 8, "GBP")
    assert "rates import" in faults(app)["events.rate.missing"]
    assert earned(own_server) == [(5_000_000, "8", "USD"), (12_700_000, "12.70", "EUR"), (None, "8", "GBP")]
    assert own_server.ask("rates", "list") == [{"currency": "USD", "rate": 1.6, "base": "EUR", "since": "2020-06-01"}]


def test_rates_without_a_date_hold_from_a_day_on(own_server, tmp_path):
    done = load(own_server, tmp_path, "\ufeff# mid-market\r\n\r\nEUR,0.8\r\n\"JPY\",\"150\"\r\nUSD,1\r\n", "--date", "2026-01-31")
    assert done.json == {"rates": 2, "base": "USD", "currencies": 2, "from": "2026-01-31", "to": "2026-01-31"}
    assert [rate["since"] for rate in own_server.ask("rates", "list")] == ["2026-01-31"] * 2
    refused = load(own_server, tmp_path, "USD,1.2\n", "--base", "EUR")
    assert refused.status == 1 and "must be USD" in refused.complaint and "--base" in refused.complaint and "--replace" in refused.complaint
    assert load(own_server, tmp_path, "rate,currency\n1.2,USD\n", "--base", "EUR", "--replace", "--yes").status == 0
    assert [rate["base"] for rate in own_server.ask("rates", "list")] == ["EUR"]


@pytest.mark.parametrize(("text", "complaint"), [
    ("", "has no rates"), ("date,currency,rate\n", "has no rates"), ("EUR\n", "not 1 columns"),
    ("2027-01-31,EUR,0.9,x\n", "not 4 columns"), ("EUR,0.9\nGBP\n", "line 2: It must have 2 columns"),
    ("EUR,0.9\nXTS,1\n", "line 2: currency must be a code"), ("EUR,0\n", "line 1: rate must be a positive number"),
    ("EUR,-1\n", "rate must be"), ("EUR,0.9.1\n", "rate must be"), ("EUR,1e5\n", "rate must be"),
    ("EUR,1234567890123\n", "rate must be"), ("2027-02-30,EUR,0.9\n", "line 1: date must be a day"),
    ("2027-01-31,EUR,0.9\n\n31.1.2027,EUR,0.9\n", "line 3: date must be a day"), ("EUR,0.9\nUSD,1.1\n", "against itself must be 1"),
])
def test_an_invalid_file_of_rates_is_refused_with_the_line_and_nothing_is_stored(server, tmp_path, text, complaint):
    before = server.rows()
    done = load(server, tmp_path, text)
    assert done.status == 1 and complaint in done.complaint and "rates.csv" in done.complaint
    assert server.rows() == before


def test_files_and_flags_that_cannot_be_are_refused(server, tmp_path):
    assert "cannot be read" in server.command("rates", "import", str(tmp_path / "none.csv")).complaint
    (tmp_path / "latin.csv").write_bytes(b"EUR,0.9\n\xff\n")
    assert "UTF-8" in server.command("rates", "import", str(tmp_path / "latin.csv")).complaint
    assert server.command("rates", "import", "x.csv", "--base", "money").status == 64
    assert server.command("rates", "import", "x.csv", "--date", "someday").status == 64


@pytest.mark.parametrize(("data", "fault"), [
    ({"revenue": "12,70", "currency": "USD"}, "revenue.malformed"), ({"revenue": {}, "currency": "USD"}, "revenue.malformed"),
    ({"revenue": 1e300, "currency": "USD"}, "revenue.too_large"), ({"revenue": 1, "currency": "Dollar"}, "currency.unknown"),
    ({"revenue": 1, "currency": "USD", "tax": "some"}, "amount.malformed"), ({"revenue": 1}, "currency.missing"),
    ({}, "revenue.missing"),
])
def test_a_faulty_event_is_recorded_and_counted(server, app, data, fault):
    before = server.rows()["events"]
    report(app, event_data=data)
    assert list(faults(app)) == [f"events.{fault}"]
    assert server.rows()["events"] == before + 1


def test_the_doctor_counts_what_was_wrong_with_events(server, app):
    for _ in range(2):
        purchase(app, "a lot")
    report(app, "ADD_TO_BASKET")
    assert faults(app)["events.revenue.malformed"].startswith("2 PURCHASE events")
    assert faults(app)["events.name.unknown"].startswith("1 event")


def test_a_transaction_counts_once_where_the_app_wants_it(server, app):
    server.ask("apps", "update", app.branch_key, "--set", "events.unique_transactions=true")
    # The server sees the setting within a second.
    def is_seen():
        purchase(app, 1, transaction_id="order-0")
        return server.rows()["event_transactions"] > 0

    eventually(is_seen)
    before = server.rows()["events"]
    purchase(app, 1, transaction_id="order-1")
    purchase(app, 1, transaction_id="order-1")
    assert "was recorded for its user or device before" in faults(app)["events.transaction_id.repeated"]
    assert server.rows()["events"] == before + 1
    refused = server.command("apps", "update", app.branch_key, "--set", "currency=Euro")
    assert refused.status == 1 and "ISO 4217" in refused.complaint


def test_an_erased_users_transactions_are_deleted_with_the_events(own_server):
    app = own_server.create_app("Orchard", "--set", "events.unique_transactions=true")
    purchase(app, 1, transaction_id="order-1")
    assert own_server.rows()["event_transactions"] == 1
    own_server.ask("identities", "erase", "ann", "--app", app.branch_key, "--yes")
    assert own_server.rows()["event_transactions"] == own_server.rows()["events"] == 0
