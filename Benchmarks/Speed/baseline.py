"""Holds a report against an earlier one: what costs more now, and what less."""

import json
from pathlib import Path

FILE = Path(__file__).parents[1] / "baseline.json"
# The relative change below which a figure counts as unchanged. The kernel counts CPU in hundredths of a second, and machines vary.
TOLERANCE = 0.10


def figures(reports):
    """What does not depend on how fast the machine is today: CPU per request, and ratios within a round."""
    kept = {}
    for load, report in reports.items():
        for arm, measures in report["arms"].items():
            kept[f"{load}: {arm}, CPU µs"] = round(measures["cpu_us"]["median"], 2)
        for names, ratios in report["ratios"].items():
            kept[f"{load}: {names}, req/s"] = round(ratios["requests_per_second"]["median"], 3)
    return kept


def save(reports):
    before = json.loads(FILE.read_text()) if FILE.exists() else {}
    FILE.write_text(json.dumps(before | figures(reports), indent=2, ensure_ascii=False) + "\n")


def comparison(reports):
    if not FILE.exists():
        return f"There is no {FILE.name} to compare with; --save-baseline makes one."
    before, lines = json.loads(FILE.read_text()), []
    for name, now in figures(reports).items():
        if name not in before:
            lines.append(f"  new      {name}: {now}")
            continue
        change = now / before[name] - 1 if before[name] else 0
        if abs(change) > TOLERANCE:
            # More requests are better, more CPU time is worse.
            is_better = (change > 0) == name.endswith("req/s")
            lines.append(f"  {'better' if is_better else 'WORSE':8} {name}: {before[name]} → {now} ({change:+.0%})")
    return "\n".join([f"Against {FILE.name}, by more than {TOLERANCE:.0%}:"] + (lines or ["  nothing has moved"]))
