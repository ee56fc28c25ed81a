"""The alert rules, evaluated by Prometheus' own tool: each alert fires in the situation that it is made for, and none at a server that is well."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ALERTS = Path(__file__).parents[2] / "Config/monitoring/alerts.yaml"
GROUPS = yaml.safe_load(ALERTS.read_text())["groups"]
RULES = {rule["alert"]: rule for group in GROUPS for rule in group["rules"]}
MINUTES = 8 * 60
NOW = MINUTES * 60

# What a server shows that is well, minute by minute: a value that stays, or `start+step`; several follow each other, equally long. Times
# begin at 0.
WELL = {
    "up": "1",
    "linden_write_problem": "0",
    "linden_write_stall_seconds": "0",
    "linden_database_damaged": "0",
    "linden_clicks_unrecorded_total": "0",
    'linden_database_refused_total{queue="write"}': "0",
    'linden_http_requests_total{kind="visit",status="3xx"}': "0+6000",
    'linden_http_requests_total{kind="visit",status="5xx"}': "0",
    'linden_http_request_duration_seconds_bucket{kind="visit",le="0.1"}': "0+6000",
    'linden_http_request_duration_seconds_bucket{kind="visit",le="0.5"}': "0+6000",
    'linden_http_request_duration_seconds_bucket{kind="visit",le="+Inf"}': "0+6000",
    'linden_commit_duration_seconds_bucket{le="0.1"}': "0+600",
    'linden_commit_duration_seconds_bucket{le="0.5"}': "0+600",
    'linden_commit_duration_seconds_bucket{le="+Inf"}': "0+600",
    "linden_disk_free_bytes": "100e9",
    "linden_disk_minimum_free_bytes": "268435456",
    'linden_limits_refused_total{setting="limits.min_free_disk",owner=""}': "0",
    'linden_limits_refused_total{setting="limits.visit",owner="address"}': "0",
    "linden_wal_bytes": "16777216",
    'linden_aggregation_lag_seconds{log="clicks"}': "5",
    'linden_jobs_waiting{kind="erasure"}': "0",
    "linden_leader": "1",
    "linden_tls_certificate_expiry_timestamp_seconds": str(NOW + 30 * 86_400),
    "linden_backup_interval_seconds": "3600",
    "linden_backup_last_success_timestamp_seconds": str(NOW - 1800),
    "linden_backup_upload_failures_total": "0",
    "linden_backup_uploaded_timestamp_seconds": str(NOW - 1800),
    "linden_connections_limit": "12000",
    "linden_connections_open": "100",
    "linden_connections_refused_total": "0",
    "linden_request_log_dropped_total": "0",
    "process_start_time_seconds": "1",
}

# For each alert what differs; None for a series that is not there.
CASES = [
    ("LindenDown", {"up": "0"}),
    ("LindenDown", {"up": None}),
    ("LindenWritesFail", {"linden_write_problem": "1"}),
    ("LindenWritesStall", {"linden_write_stall_seconds": "6"}),
    ("LindenDatabaseDamaged", {"linden_database_damaged": "1"}),
    ("LindenClicksUnrecorded", {"linden_clicks_unrecorded_total": "0+1"}),
    ("LindenRefusesWork", {'linden_database_refused_total{queue="write"}': "0+1"}),
    ("LindenServerErrors", {'linden_http_requests_total{kind="visit",status="5xx"}': "0+100"}),
    ("LindenSlowVisits", {'linden_http_request_duration_seconds_bucket{kind="visit",le="0.1"}': "0+5000"}),
    ("LindenSlowCommits", {'linden_commit_duration_seconds_bucket{le="0.1"}': "0+500"}),
    ("LindenDiskAlmostFull", {"linden_disk_free_bytes": "500e6"}),
    ("LindenDiskFillsUp", {"linden_disk_free_bytes": "100e9-25e6"}),
    ("LindenRefusesWrites", {'linden_limits_refused_total{setting="limits.min_free_disk",owner=""}': "0+1"}),
    ("LindenWriteAheadLogGrows", {"linden_wal_bytes": "2e9"}),
    ("LindenAggregationLags", {'linden_aggregation_lag_seconds{log="clicks"}': "1000"}),
    ("LindenJobsWait", {'linden_jobs_waiting{kind="erasure"}': "1"}),
    ("LindenNoLeader", {"linden_leader": "0"}),
    ("LindenCertificateExpires", {"linden_tls_certificate_expiry_timestamp_seconds": str(NOW + 6 * 86_400)}),
    ("LindenBackupMissing", {"linden_backup_last_success_timestamp_seconds": "0"}),
    ("LindenBackupMissing", {"linden_backup_last_success_timestamp_seconds": None}),
    ("LindenBackupNotUploaded", {"linden_backup_uploaded_timestamp_seconds": "0"}),
    ("LindenBackupNotUploaded", {"linden_backup_uploaded_timestamp_seconds": None}),
    ("LindenLimitsRefuse", {'linden_limits_refused_total{setting="limits.visit",owner="address"}': "0+120"}),
    ("LindenConnectionsAlmostFull", {"linden_connections_open": "10000"}),
    ("LindenConnectionsRefused", {"linden_connections_refused_total": "0+1"}),
    ("LindenRestarts", {"process_start_time_seconds": "1+600"}),
    ("LindenRequestLogIncomplete", {"linden_request_log_dropped_total": "0+1"}),
]


@pytest.fixture(scope="module")
def promtool():
    tool = shutil.which("promtool")
    if tool is None:
        pytest.skip("promtool, of Debian's package prometheus, is not installed")
    return tool


def series(name, values, minutes):
    target, brace, labels = name.partition("{")
    labels = f'{{job="linden",instance="one"{"," + labels if brace else "}"}'
    parts = [re.fullmatch(r"([\d.]+(?:e\d+)?)(?:([+-])([\d.e]+))?", part).groups() for part in values.split()]
    return {"series": target + labels, "values": " ".join(
        f"{float(start):.0f}{sign or '+'}{float(step or 0):.0f}x{minutes // len(parts)}" for start, sign, step in parts)}


def fired(promtool, folder, changed, minutes=MINUTES, rules=RULES):
    """The alerts among the rules that fire after eight hours, with their summaries: what promtool finds instead of none."""
    shown = {name: values for name, values in (WELL | changed).items() if values is not None}
    expected = [{"eval_time": f"{minutes}m", "alertname": name, "exp_alerts": []} for name in rules]
    groups = [group | {"rules": [rule for rule in group["rules"] if rule["alert"] in rules]} for group in GROUPS]
    (folder / "alerts.yaml").write_text(yaml.safe_dump({"groups": groups}))
    (folder / "test.yaml").write_text(yaml.safe_dump({
        "rule_files": ["alerts.yaml"], "evaluation_interval": "1m",
        "tests": [{"interval": "1m", "input_series": [series(*item, minutes) for item in shown.items()], "alert_rule_test": expected}]}))
    done = subprocess.run([promtool, "test", "rules", folder / "test.yaml"], capture_output=True, text=True, timeout=60)
    output = done.stdout + done.stderr
    assert done.returncode == 0 or "alertname:" in output, output
    return set(re.findall(r"alertname: (\w+), time", output)), output


def test_no_alert_fires_at_a_server_that_is_well(promtool, tmp_path):
    alerts, output = fired(promtool, tmp_path, {})

    assert alerts == set(), output


@pytest.mark.parametrize("alert, changed", CASES, ids=[f"{alert}-{number}" for number, (alert, _) in enumerate(CASES)])
def test_an_alert_fires_and_names_the_server(promtool, tmp_path, alert, changed):
    alerts, output = fired(promtool, tmp_path, changed)

    assert alerts == {alert}
    summary = re.search(r'summary="([^"]*)"', output)
    assert summary and re.search(r"\b(one|linden)\b", summary[1]), output


@pytest.mark.parametrize("free, days, fires", [
    # A backup of 10 GB, an hour ago or three.
    ("50e9 50e9 50e9 50e9 50e9 50e9 50e9 40e9", 1 / 3, False),
    ("50e9 50e9 50e9 50e9 50e9 40e9 40e9 40e9", 1 / 3, False),
    ("100e9 90e9 90e9", 3, False),
    # One of each day, until there are as many as are kept.
    ("60e9 45e9 30e9", 3, True),
    # What goes on.
    ("100e9-25e6", 1, True),
])
def test_a_backup_is_not_taken_for_the_pace_at_which_the_disk_fills_up(promtool, tmp_path, free, days, fires):
    # The one rule, because all of them over days take promtool minutes on a slow machine.
    alerts, output = fired(promtool, tmp_path, {"linden_disk_free_bytes": free}, round(days * 24 * 60), ["LindenDiskFillsUp"])

    assert alerts == ({"LindenDiskFillsUp"} if fires else set()), output


def test_each_alert_has_a_case():
    assert {alert for alert, _ in CASES} == set(RULES)
