"""The table of what a cluster did under faults."""


def table(report):
    nodes = "1 node" if report["nodes"] == 1 else f"{report['nodes']} nodes"
    lines = [
        f"{nodes}, {report['customers']} customers, {report['seconds']:.0f} seconds, seed {report['seed']}", "",
        f"{'':10}{'acknowledged':>13}{'stored':>9}{'lost':>7}{'doubled':>9}{'longest gap in s':>18}"]
    for kind, figures in report["writes"].items():
        lines.append(
            f"{kind:10}{figures['acknowledged']:13,}{figures['stored']:9,}{figures['lost']:7,}{figures['doubled']:9,}"
            f"{figures['longest_gap']:18.1f}")
    kinds = list(report["writes"])
    columns = "".join(f"{kind:>10}" for kind in kinds)
    lines += ["", f"{'longest gap in s':20}{columns}{'done':>8}{'503':>7}{'cut off':>9}"]
    for fault in report["faults"]:
        gaps = "".join(f"{fault['gaps'][kind]:10.1f}" for kind in kinds)
        remark = "; ".join(filter(None, [fault["remark"], "TOO LONG" if fault["is_too_long"] else ""]))
        lines.append(
            f"{fault['fault']:20}{gaps}{fault['acknowledged']:8,}{fault['refused']:7,}{fault['cut_off']:9,}  {remark}".rstrip())
    unanswered = sum(figures["unanswered"] for figures in report["writes"].values())
    lines += [
        "",
        f"Stored without an answer that said so: {unanswered}",
        f"Stored without having been sent: {sum(figures['never_sent'] for figures in report['writes'].values())}",
        f"Clicks claimed by two installs: {report['claims']['doubled']}",
        f"Installs without their click: {report['claims']['mismatched']}",
        f"Clicks that a reader by ascending id missed: {report['missed_by_order']}",
        "Answers by status: " + ", ".join(f"{count:,} of {status}" for status, count in report["answers"].items()),
        f"Calls without an answer: {report['cut_off']['calls']:,}, the longest {report['cut_off']['longest']:.1f} s "
        f"(allowed {report['cut_off']['longest_allowed']:.1f})",
        "Answers other than success and 503 with Retry-After: " + (", ".join(
            f"{count} of {answer}" for answer, count in report["wrong_answers"].items()) or "none"),
        *(f"  {answer}: {text}" for answer, text in report["examples"].items()),
        "verify, balances and totals: " + ("clean" if not report["problems"] else "\n  ".join(["", *report["problems"]])),
        "The cluster kept its word." if report["holds"] else "The cluster did NOT keep its word.",
    ]
    return "\n".join(lines)
