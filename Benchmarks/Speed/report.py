"""What the rounds say: medians of each arm, and ratios taken within a round."""

from statistics import median

# Measure, heading, width, decimals.
COLUMNS = [
    ("p50_ms", "p50 ms", 8, 2), ("p99_ms", "p99 ms", 8, 2), ("p999_ms", "p99.9 ms", 9, 2), ("cpu_us", "CPU µs", 8, 1),
    ("resident_mb", "MB", 7, 0), ("fsyncs", "fsyncs", 8, 3), ("written_bytes", "bytes", 8, 0), ("failed", "failed", 8, 0),
]


def spread(values):
    values = [value for value in values if value is not None]
    return {"median": median(values), "min": min(values), "max": max(values)} if values else None


def summary(rounds, starts):
    """Of `rounds`, a list with what each arm measured in each round, and of what each arm's start took."""
    arms = list(rounds[0])
    return {
        "starts": starts,
        "arms": {arm: {measure: spread([turn[arm][measure] for turn in rounds]) for measure in rounds[0][arm]} for arm in arms},
        "ratios": {
            f"{one} / {other}": {
                measure: spread([turn[one][measure] / turn[other][measure] for turn in rounds if turn[other][measure]])
                for measure in ("requests_per_second", "p99_ms", "cpu_us")
            } for one, other in pairs(arms)
        },
    }


def pairs(arms):
    """Linden is compared with all others, and each of its variants with the arm whose name it continues."""
    first, *others = arms
    variants = [arm for arm in others if arm.startswith(first)]
    continued = {arm: max((other for other in arms if arm.startswith(other) and arm != other), key=len) for arm in variants}
    return [(first, arm) for arm in others if arm not in variants] + list(continued.items())


def text(load, report):
    width = max(map(len, report["arms"])) + 2
    lines = [load, "", f"{'':{width}}{'req/s':>9}{'(min – max)':>20}" + "".join(f"{head:>{size}}" for _, head, size, _ in COLUMNS)]
    for arm, figures in report["arms"].items():
        rate = figures["requests_per_second"]
        bounds = f"({rate['min']:,.0f} – {rate['max']:,.0f})"
        lines.append(f"{arm:{width}}{rate['median']:9,.0f}{bounds:>20}" + "".join(
            f"{figures[measure]['median'] if figures[measure] else '-':>{size}{f',.{digits}f' if figures[measure] else ''}}"
            for measure, _, size, digits in COLUMNS))
    lines += ["", "within a round, median (min – max):"]
    for names, ratios in report["ratios"].items():
        lines.append(f"  {names}: " + ", ".join(
            f"{label} {ratios[measure]['median']:.2f} ({ratios[measure]['min']:.2f} – {ratios[measure]['max']:.2f})"
            for measure, label in [("requests_per_second", "req/s"), ("p99_ms", "p99"), ("cpu_us", "CPU")] if ratios[measure]))
    lines.append("from the start to the first answer: " + ", ".join(
        f"{arm} {start['ms']:.0f} ms ({start['database_mb']:,.0f} MB)" for arm, start in report["starts"].items()))
    return "\n".join(lines) + "\n"
