"""What a customer does whose app has reached a limit."""

import time

from attacks.registry import attack, on_rows
from attacks.sending import lasting, rounds
from prepared import numbers
from traffic import Outcome, ask, pipeline, request

# The most values of a dimension that have totals of their own on a day.
VALUES = 20_000
# The beginning of labels of 480 bytes: 118 of their 126 characters.
LABEL = "\U0001F605" * 118


def reach_limit_of_values(connection, target):
    """Adds as many values of today as have totals of their own, in four dimensions of an app."""
    day = int(time.time()) // 86400
    label = f"'{LABEL}' || PRINTF('%08d', number)"
    for dimension, value in (("channel", label), ("campaign", label), ("feature", label), ("link", "'1' || PRINTF('%017d', number)")):
        connection.execute(
            f"""
            {numbers(VALUES)} INSERT INTO rollup_values (app_id, mode, dimension, day, value)
            SELECT {target.limited.app_id}, 0, '{dimension}', {day}, {value} FROM numbers
            """)
        # Their number, as that of values which the app itself introduced by its links.
        connection.execute(
            f"""
            INSERT INTO rollup_shares (app_id, mode, dimension, day, kind, owner_kind, owner, number)
            VALUES ({target.limited.app_id}, 0, '{dimension}', {day}, 0, 0, 0, {VALUES})
            """)


@on_rows(reach_limit_of_values)
@attack
def labels_at_the_days_limit(target, until, number):
    """opens by links with new labels, of an app that has 20,000 labels on this day, and erasures of the devices before they are counted"""
    app = target.limited
    secret = {"branch_key": app.branch_key, "branch_secret": app.branch_secret}
    senders = [{"X-Forwarded-For": f"198.30.{4 * number + network}.7"} for network in range(4)]
    start = secret | {
        "server_to_server": True, "os": "iOS", "os_version": "17.0", "app_version": "1", "model": "iPhone",
        "is_hardware_id_real": True, "ad_tracking_enabled": True}
    # From loopback, which is exempt.
    urls = [
        ask(target.port, "POST", "/v1/url", secret | dict.fromkeys(("channel", "campaign", "feature"), f"{LABEL}{number}n{link:06}"))["url"]
        for link in range(target.at_once // 5)]
    outcome = Outcome()
    for index, _ in enumerate(lasting(until)):
        device = f"{number}-{index}"
        opens = [
            [request("POST", "/v1/open", start | {"hardware_id": device, "universal_link_url": url}, sender) for url in urls]
            for sender in senders]
        outcome.add(rounds(target, 0, opens, pause=1))
        erasure = {
            "app_id": app.app_id, "subject_request_type": "erasure",
            "subject_identities": [{"identity_type": "DEVICE_ID", "identity_value": device}]}
        pipeline(target.port, [request("POST", "/v1/gdpr", erasure, senders[0] | {"Access-Token": target.limited_token})], outcome)
    return outcome
